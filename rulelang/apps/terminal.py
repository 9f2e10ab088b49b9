"""The full screen of a game: the table on the left, its details on the right, the question below."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import sleep
from typing import ClassVar

from rich.text import Text
from textual import events, on, work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Footer, Input, OptionList, Static
from textual.widgets.option_list import Option as Choice

from rulelang.apps.terminal_widgets import (
    Board,
    Causes,
    Curtain,
    Leave,
    Page,
    StoryLog,
    detail_lines,
    help_lines,
    part_named,
    rule_names,
)
from rulelang.base.languages import Language
from rulelang.base.phrases import phrase
from rulelang.presentation.console import Match
from rulelang.presentation.console_output import (
    are_numbers,
    name_details,
    refusal_sentence,
    score_lines,
    typed_names,
    typed_option,
)
from rulelang.presentation.story import Story
from rulelang.presentation.view import document, told_by
from rulelang.presentation.view.document_types import Document, Option, Question
from rulelang.presentation.view.sheet import Part, Sheet, changed, parts_of
from rulelang.runtime.decision import Refusal
from rulelang.runtime.seating import ask_agent
from rulelang.runtime.state import State

# ---- picking an option


@dataclass(slots=True)
class Picking:
    """The answer to a question as far as it was picked: `picked` are ids of parts, in their order."""

    question: Question
    picked: list[str] = field(default_factory=list)

    def fitting(self) -> list[Option]:
        """The options that are about all that was picked."""
        wanted = Counter(self.picked)
        return [option for option in self.question.get("options", ()) if wanted <= option_parts(option)]

    def lit(self) -> set[str]:
        """What can be picked next."""
        wanted = Counter(self.picked)
        return {part for option in self.fitting() for part in option_parts(option) - wanted}

    def pick(self, part: str) -> Option | None:
        """Pick a part that is lit. The option that is meant, once nothing of it is left to pick and no other fits."""
        if part not in self.lit():
            return None
        self.picked.append(part)
        fitting = self.fitting()
        if len(fitting) == 1 and option_parts(fitting[0]) == Counter(self.picked):
            return fitting[0]
        return None

    def drop(self) -> bool:
        """Take the last pick back; False if there is none."""
        if self.picked:
            self.picked.pop()
            return True
        return False


def option_parts(option: Option) -> Counter[str]:
    """The ids of the parts that an option is about."""
    values = (parameter["value"] for parameter in option["parameters"])
    return Counter(value for value in values if isinstance(value, str))


# ---- the app

#: Seconds before a bot's move is shown.
SPEEDS = (0.0, 0.3, 1.0, 3.0)
#: Below these the side, or half of the options, are left out; from so many lines on there is room for twice as many.
NARROW, LOW, TALL = 70, 30, 45


class TableApp(App[None]):
    """One match. `match` is as it stands when the app ends."""

    CSS_PATH = "terminal.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("plus,equals_sign", "speed(-1)", show=False),
        Binding("minus", "speed(1)", show=False),
        Binding("escape", "drop", show=False),
        Binding("p", "next(-1)", show=False),
        *(Binding(str(number), f"take({number})", show=False) for number in range(10)),
    ]
    #: The keys of the last line: key, action, and what it is called.
    KEYS = (
        ("n", "next(1)", phrase("Next")),
        ("enter,space", "pick", phrase("Pick")),
        ("question_mark", "help", phrase("Help")),
        ("slash", "say", phrase("Say")),
        ("w", "why", phrase("Why not")),
        ("u", "undo", phrase("Undo")),
        ("r", "rules", phrase("Rules")),
        ("l", "log", phrase("Log")),
        ("t", "causes", phrase("Causes")),
        ("s", "save", phrase("Save")),
        ("q", "leave", phrase("Leave")),
    )

    def __init__(
        self,
        match: Match,
        title: str,
        speed: int = 1,
        save_to: Path | None = None,
        rules: Callable[[str], Sequence[str]] = lambda name: (),
    ) -> None:
        """`rules`: the lines that tell all that is known of a name of the ruleset, a trait's or a card's."""
        super().__init__()
        self.rules = rules
        self.match, self.title, self.speed = match, title, speed
        self.save_to = save_to or Path("game.save")
        self.viewer = min(match.people) if len(match.people) == 1 else 0
        self.story = Story(self.viewer, waits=True)
        self.shown: Document = document(match.state, self.viewer or None)
        self.parts: dict[str, Part] = parts_of(self.shown)
        self.seen = self.parts  # as they were when the viewer was asked last
        self.news: set[str] = set()
        self.picking: Picking | None = None
        for key, action, called in self.KEYS:
            self.bind(key, action, description=self.language.render(called), show=action != "causes")

    @property
    def language(self) -> Language:
        """What is said to the people is said in it."""
        return self.match.state.names.language

    def compose(self) -> ComposeResult:
        yield Static(id="where", markup=False)
        with Horizontal(id="middle"):
            yield Board(id="table")
            with Vertical(id="side"):
                yield Static(id="details", markup=False)
                yield StoryLog(self.language, id="log")
        with Vertical(id="asked"):
            yield Static(id="question", markup=False)
            yield OptionList(id="options", markup=False)
        yield Input(id="say", placeholder=self.language.say("an option, `why not ...` or `look ...`"))
        yield Footer(compact=True)

    def on_mount(self) -> None:
        self.query_one(Board).focus()
        self.call_after_refresh(self.go_on)

    # ---- the course of the game

    def go_on(self) -> None:
        """Show the table to whoever is asked, or let the bot who is asked choose."""
        person = self.match.person
        if person and person != self.viewer and len(self.match.people) > 1:
            self.viewer = 0
            self.look()
            self.push_screen(Curtain(self.match.state.players[person - 1], self.language), lambda _: self.seat(person))
            return
        if self.match.state.over and len(self.match.people) > 1 and self.viewer:
            self.viewer, self.story = 0, Story(0, waits=True)
        self.look()
        if self.match.agent is not None:
            self.think()

    def seat(self, person: int) -> None:
        """Somebody else sits before the screen."""
        self.viewer, self.story = person, Story(person, waits=True)
        self.query_one(StoryLog).restart()
        self.look(fresh=True)

    @work(thread=True)
    def think(self) -> None:
        agent = self.match.agent
        if agent is None:
            return
        state = self.match.state
        sleep(SPEEDS[self.speed])
        index = ask_agent(agent, state)
        if self.is_running:
            self.call_from_thread(self.answered, state, index)

    def answered(self, state: State, index: int) -> None:
        """A bot has chosen. What it thought about may have been taken back meanwhile, and the app may be closing."""
        if self.match.state is state and self.is_running and not self._exit:
            self.moved(index)

    def moved(self, index: int) -> None:
        if self.match.person:
            self.seen = self.parts
        self.match.play(index)
        self.picking = None
        self.go_on()

    def take(self, option: Option) -> None:
        if self.match.person:
            self.moved(option["index"])

    # ---- what is shown

    def look(self, fresh: bool = False) -> None:
        """Draw the state as it is now. What is other than when the viewer was asked last stands out, unless all is
        `fresh`."""
        state = self.match.state
        self.shown = document(state, self.viewer or None)
        self.parts = parts_of(self.shown)
        self.seen = self.parts if fresh else self.seen
        self.news = changed(self.seen, self.parts)
        question = self.shown["question"]
        mine = question is not None and bool(question.get("options")) and self.match.person == self.viewer
        self.picking = Picking(question) if question is not None and mine else None
        self.query_one("#where", Static).update(f"{self.title}  {self.shown['summary']}")
        self.query_one(StoryLog).tell(self.story.news(state))
        self.draw()

    def draw(self) -> None:
        """The sheet, and the options that fit what was picked."""
        board = self.query_one(Board)
        columns = max(board.scrollable_content_region.width, 20)
        picking = self.picking
        lit = picking.lit() if picking else set()
        picked = picking.picked if picking else ()
        board.show(Sheet(self.shown, columns, self.language, parts=self.parts).lines(), lit, picked, self.news)
        self.ask()

    def ask(self) -> None:
        options = self.query_one("#options", OptionList)
        options.clear_options()
        question = self.shown["question"]
        words = self.query_one("#question", Static)
        if self.match.state.over:
            words.update("\n".join(score_lines(self.match.state)))
            return
        said = question["sentence"] if question else ""
        if self.picking is None:
            words.update(said)
            return
        chosen = ", ".join(str(self.parts[part]["label"]) for part in self.picking.picked if part in self.parts)
        words.update(f"{said}  ({chosen})" if chosen else said)
        fitting = self.picking.fitting()
        numbers = are_numbers(fitting)
        for key, option in zip(self.digits(fitting), fitting, strict=True):
            source = f"  [{option['source']}]" if option["source"] else ""
            options.add_option(Choice(f"{'' if numbers else key:2}{option['sentence']}{source}"))
        options.highlighted = 0

    def digits(self, fitting: Sequence[Option]) -> list[str]:
        """The key that takes each option, "" for none: its number from 1; of numbers, the number that it is."""
        if are_numbers(fitting):
            return [key if len(key) == 1 and key.isdecimal() else "" for key in typed_names(fitting)]
        return [str(number) if number < 10 else "" for number in range(1, len(fitting) + 1)]

    def details(self, part: Part) -> list[tuple[str, str]]:
        return [*detail_lines(part, self.parts, self.language)]

    def lately(self, part: str) -> list[tuple[str, str]]:
        """By what it came to be as it is: what the log told last of the part, its values and its zones."""
        last = self.shown["log"]["last"]
        found = [at for key, at in last.items() if key == part or key.startswith((f"{part}.", f"{part}/"))]
        if not found:
            return []
        said = told_by(self.match.state, self.viewer or None, max(found))
        return [("label", self.language.say("Last: {event}", event=said))]

    def sentence(self, refusal: Refusal) -> str:
        return refusal_sentence(self.match.state.names, refusal)

    def explain(self, lines: list[tuple[str, str]]) -> None:
        text = Text()
        for style, line in lines:
            text.append(line + "\n", STYLES.get(style, ""))
        text.rstrip()
        self.query_one("#details", Static).update(text)

    def tell(self, text: str) -> None:
        """Say one sentence where parts are explained."""
        self.explain([("text", text)])

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.width < NARROW, "narrow")
        self.set_class(event.size.height < LOW, "low")
        self.set_class(event.size.height >= TALL, "tall")

    @on(Board.Sized)
    def fit(self) -> None:
        """The sheet is laid out for the room that it has."""
        self.draw()

    # ---- picking

    @on(Board.Pointed)
    def pointed(self, message: Board.Pointed) -> None:
        part = self.parts.get(message.part)
        self.explain([*self.details(part), *self.lately(message.part)] if part else [])

    @on(Board.Picked)
    def pick(self, message: Board.Picked) -> None:
        if self.picking is None:
            return
        if message.part not in self.picking.lit():
            self.action_why()
            return
        meant = self.picking.pick(message.part)
        if meant is not None:
            self.take(meant)
        else:
            self.draw()

    @on(OptionList.OptionSelected, "#options")
    def choose(self, message: OptionList.OptionSelected) -> None:
        fitting = self.picking.fitting() if self.picking else []
        if message.option_index < len(fitting):
            self.take(fitting[message.option_index])

    def action_next(self, step: int) -> None:
        self.query_one(Board).action_next(step)

    def action_pick(self) -> None:
        """What the cursor is on; where it is on nothing yet, the list of options takes the keys."""
        board = self.query_one(Board)
        if board.here:
            board.action_pick()
        elif self.picking is not None:
            self.query_one("#options", OptionList).focus()
            self.tell(
                self.language.say(
                    "Press Enter to take the option, up or down to go to another, Tab to go to the table."
                )
            )

    def action_take(self, number: int) -> None:
        fitting = self.picking.fitting() if self.picking else []
        digits = self.digits(fitting)
        if str(number) in digits:
            self.take(fitting[digits.index(str(number))])

    def action_drop(self) -> None:
        if self.query_one("#say", Input).has_class("open"):
            self.close_say()
        elif self.picking is not None and self.picking.drop():
            self.draw()

    # ---- saying

    def action_say(self) -> None:
        say = self.query_one("#say", Input)
        say.add_class("open")
        say.focus()

    def close_say(self) -> None:
        say = self.query_one("#say", Input)
        say.remove_class("open")
        say.value = ""
        self.query_one(Board).focus()

    @on(Input.Submitted)
    def said(self, message: Input.Submitted) -> None:
        line = message.value.strip()
        self.close_say()
        word, _, rest = line.partition(" ")
        if word.casefold() == "look" and rest:
            self.explain(self.known(rest))
        elif word.casefold() == "why" and rest:
            self.why(rest.removeprefix("not ").strip())
        elif word.casefold() == "save":
            self.save(Path(rest) if rest else self.save_to)
        elif line and self.match.person:
            found = typed_option(self.match.state, line)
            if isinstance(found, int):
                self.moved(found)
            else:
                self.explain([("title", line), *(("text", self.sentence(refusal)) for refusal in found)])

    def known(self, name: str) -> list[tuple[str, str]]:
        """What there is to say of something by its name: a part of the table, or else anything of the game."""
        part = part_named(name, self.parts)
        if part:
            return self.details(self.parts[part])
        told = name_details(self.match.state, self.viewer or None, name, sys.maxsize)
        nothing = self.language.say("Nothing here is called {name}.", name=name)
        return [("text", line.strip()) for line in told or [nothing]]

    def why(self, text: str) -> None:
        """Why a move cannot be made."""
        if not self.match.person:
            self.tell(self.language.say("You have no decision to make now."))
            return
        known = self.picking is not None and text in self.digits(self.picking.fitting())
        refusals = () if known else self.match.state.why_not(text)
        found = [("text", self.sentence(refusal)) for refusal in refusals]
        lines = found or [("text", self.language.say("You can do that: it is one of the options."))]
        self.explain([("title", f"{text}?"), *lines])

    def action_why(self) -> None:
        """Why nothing can be done with what is pointed at: each action that asks for such a part says it."""
        part = self.parts.get(self.query_one(Board).here)
        if part is None or not self.match.person:
            return
        if self.picking is not None and str(part.get("id")) in self.picking.lit():
            self.explain([*self.details(part)[:1], ("text", self.language.say("You can pick it now."))])
            return
        state, kind = self.match.state, part.get("kind")
        lines: list[tuple[str, str]] = []
        for action in state.table.actions.values():
            kinds = [shown for shown in action.types if shown]
            if kinds and kinds[0] == kind:
                found = state.why_not(f"{action.name} {part['label']}")
                lines += [("label", state.names.worded(action.name))] if found else []
                lines += [("fact", self.sentence(refusal)) for refusal in found]
        lines = lines or [("text", self.language.say("This game has no action for it."))]
        self.explain([*self.details(part)[:1], *lines])

    def action_rules(self) -> None:
        """The rules of what is pointed at: its own, those of its card, or of the cards on it."""
        part = self.parts.get(self.query_one(Board).here, {})
        lines = [line for name in rule_names(part) for line in (*self.rules(name), "")]
        if lines:
            self.push_screen(Page(self.language.say("Its rules"), lines))
        else:
            nothing = "The cursor is not on a card, trait or list row, so there are no rules to show."
            self.tell(self.language.say(nothing))

    # ---- the rest

    def action_undo(self) -> None:
        if not self.match.undo():
            self.tell(self.language.say("You have no move to undo."))
            return
        self.story = Story(self.viewer, waits=True)
        self.query_one(StoryLog).restart()
        self.go_on()

    def action_speed(self, step: int) -> None:
        self.speed = min(max(self.speed + step, 0), len(SPEEDS) - 1)
        say, seconds = self.language.say, f"{SPEEDS[self.speed]:g}"
        self.tell(say("Bots take {n} seconds per move.", n=seconds) if self.speed else say("Bots play immediately."))

    def action_log(self) -> None:
        head = self.language.say("What you have seen")
        self.push_screen(Page(head, Story(self.viewer).news(self.match.state), at_end=True))

    def action_causes(self) -> None:
        self.push_screen(Causes(self.language.say("Causes"), self.match.state.log_for(self.viewer or None)))

    def action_help(self) -> None:
        self.push_screen(Page(self.language.say("Keys"), help_lines(self.language)))

    def action_save(self) -> None:
        self.save(self.save_to)

    def save(self, path: Path) -> bool:
        why = self.match.save(path)
        say, file = self.language.say, str(path)
        if why:
            self.tell(say("The game cannot be saved to {file}: {why}.", file=file, why=why))
        else:
            self.tell(say("Saved to {file}.", file=file))
        return not why

    def action_leave(self) -> None:
        if self.match.state.over:
            self.exit()
            return
        self.push_screen(Leave(self.language), self.left)

    def left(self, answer: str | None) -> None:
        if answer == "leave" or (answer == "save" and self.save(self.save_to)):
            self.exit()


STYLES = {"title": "bold", "label": "italic", "fact": "dim", "text": ""}
