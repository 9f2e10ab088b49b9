"""Play or watch a game in a terminal: people and agents take turns at one table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from rulelang.base.files import write_atomically
from rulelang.base.languages import Language
from rulelang.base.phrases import phrase
from rulelang.base.terminal import fold_lines, wrap_text
from rulelang.presentation.console_output import (
    BoardText,
    are_numbers,
    board_lines,
    map_lines,
    name_details,
    option_menu,
    pending_options,
    refusal_sentence,
    score_lines,
    typed_names,
    typed_option,
)
from rulelang.presentation.story import Story
from rulelang.runtime.decision import Refusal
from rulelang.runtime.seating import Agent, ask_agent
from rulelang.runtime.state import State

# ---- matches


class Keeper(Protocol):
    """Who notes the moves of a game as they are made."""

    def move(self, state: State, index: int) -> None:
        """Note that the option is about to be taken in the position."""
        ...

    def back(self, state: State) -> None:
        """Moves were taken back to this position."""
        ...

    def end(self, state: State) -> None:
        """The game has ended so."""
        ...


@dataclass(slots=True)
class Match:
    """`people` are the seats that persons play; `agents`, by seat, play the others. A move makes a new state: one
    that was handed out stays as it is."""

    state: State
    people: frozenset[int]
    agents: Sequence[Agent]
    past: list[State] = field(default_factory=list)  # before each move of a person
    keeper: Keeper | None = None

    @property
    def person(self) -> int:
        """The seat of the person who is asked; 0 if an agent is, or the game is over."""
        state = self.state
        return 0 if state.over or state.decider not in self.people else state.decider

    @property
    def agent(self) -> Agent | None:
        """The agent who is asked, if one is."""
        state = self.state
        return None if state.over or state.decider in self.people else self.agents[state.decider - 1]

    def play(self, index: int) -> None:
        """Take an option for whoever is asked."""
        if self.person:
            self.past.append(self.state)
        if self.keeper is not None:
            self.keeper.move(self.state, index)
        self.state = self.state.clone()
        self.state.play(index)
        if self.keeper is not None and self.state.over:
            self.keeper.end(self.state)

    def undo(self) -> bool:
        """Take the last move of a person back, and all that agents did since; False if there is none."""
        before = self.past.pop() if self.past else self._before_loading()
        if before is None:
            return False
        self.state = before
        if self.keeper is not None:
            self.keeper.back(self.state)
        return True

    def _before_loading(self) -> State | None:
        """Return the position before the last move of a person in a game that was loaded; None if nobody knows it.

        A game that is recorded cannot go back before the beginning of its recording.
        """
        state = self.state.clone()
        while self.keeper is None and state.undo():
            if state.decider in self.people:
                return state
        return None

    def save(self, path: Path) -> str:
        """Keep the game in a file; why it cannot be kept, "" if it was."""
        try:
            write_atomically(path, self.state.save())
        except OSError as error:
            return (error.strerror or str(error)).lower()
        return ""


# ---- sessions at a terminal

#: What can be typed, beside what has an example of the game (`Session.help`). The words are the same in every language.
HELP = (
    ("view", phrase("show the whole table, with all the text")),
    ("options", phrase("show the options again")),
    ("log", phrase("show what has happened so far (`log full`: with every change on the table)")),
    ("undo", phrase("undo your last move")),
    ("save FILE", phrase("save the game to a file (continue with: rulelang play ... --load FILE)")),
    ("quit", phrase("leave without saving")),
)

#: Lines that push what one person saw off the screen before the next one looks.
CURTAIN = 60

Say = Callable[[str], None]
#: Asks with a prompt; None at the end of input.
Ask = Callable[[str], "str | None"]


@dataclass(slots=True)
class Session:
    """One sitting by lines of text. Where several people share it, each is called before he is shown anything."""

    match: Match
    say: Say
    ask: Ask
    columns: int = 100
    full: bool = False  # whether all is told, and nothing folded
    stories: dict[int, Story] = field(default_factory=dict)  # by seat, what he was told; 0 for all who look on
    past: list[dict[int, Story]] = field(default_factory=list)  # the same before each move of a person
    viewer: int = 0  # who sits before it
    board: BoardText = field(init=False)  # the table as he was shown it

    def __post_init__(self) -> None:
        people = self.match.people
        self.sit(min(people) if len(people) == 1 else 0)

    def sit(self, person: int) -> None:
        """Somebody sits before it who has seen nothing of the table; 0: all look on."""
        self.viewer, self.board = person, BoardText(person or None, self.columns)

    @property
    def state(self) -> State:
        return self.match.state

    @property
    def story(self) -> Story:
        return self.stories.setdefault(self.viewer, Story(self.viewer, full=self.full))

    def run(self) -> bool:
        """Play until the game is over (True) or the person leaves (False)."""
        shown = False
        while not self.state.over:
            agent = self.match.agent
            if agent is not None:
                self.match.play(ask_agent(agent, self.state))
                shown = False
                continue
            if not self.seated():
                return self.ended()
            if not shown:
                self.tell(self.story.news(self.state))
                news = self.board.news(self.state)
                self.tell(["", *news] if news else [])
                self.show_options()
                shown = True
            line = self.ask(f"{self.state.decision.name}> ")
            if line is None:
                return self.ended()
            before = self.state
            if not self.obey(line.strip()):
                return False
            shown = self.state is before
        if len(self.match.people) > 1:
            self.sit(0)
        self.tell(self.story.news(self.state))
        self.tell(["", *self.board.whole(self.state), "", *score_lines(self.state)])
        return True

    def seated(self) -> bool:
        """Call whoever is asked to the keyboard, if somebody else sits there. False: the input has ended."""
        person = self.match.person
        if person == self.viewer:
            return True
        name = self.state.players[person - 1]
        self.tell([""] * CURTAIN)
        answer = self.ask(
            self.language.say("{name} is next. {name}, press Enter when only you can see the screen: ", name=name)
        )
        self.sit(person)
        return answer is not None

    def ended(self) -> bool:
        self.say("")
        self.tell([self.language.say("The input ended, so the game stops here.")])
        return False

    # ---- commands

    @property
    def language(self) -> Language:
        """What is said to the people is said in it."""
        return self.state.names.language

    def help(self) -> None:
        say = self.language.say
        self.tell(
            [
                say(
                    "Type the number or the text of an option. "
                    "The beginning of the text is enough if no other option begins with it."
                )
            ]
        )
        done, seen = self.examples()
        why = say("explain why you cannot do something: {example}", example=f"why not {done}")
        look = say(
            "describe a card, a place, an action or anything else in the game: {example}", example=f"look {seen}"
        )
        said = [("why not ...", why), ("look NAME", look), *((name, self.language.render(what)) for name, what in HELP)]
        room = max(len(command) for command, _ in said)
        indent = " " * (room + 5)
        for command, what in said:
            for line in wrap_text(f"{command:{room}}   {what}", self.columns, "  ", indent):
                self.say(line)

    def examples(self) -> tuple[str, str]:
        """Something that can be done in this game now, and something that it is done with."""
        for option in pending_options(self.state):
            if option["kind"] != "pass":
                things = [given["text"] for given in option["parameters"] if given["kind"] not in ("int", "bool")]
                return option["typed"], things[0] if things else option["label"]
        return "OPTION", "NAME"

    def obey(self, line: str) -> bool:
        """Do what a line says. False to leave. A move puts a new state in the place of the old one."""
        word, _, rest = line.partition(" ")
        word, rest = word.casefold(), rest.strip()
        if not line:
            self.show_options()
        elif word in ("quit", "exit", "q") and not rest:
            self.tell([self.language.say("Goodbye.")])
            return False
        elif word in ("help", "?") and not rest:
            self.help()
        elif word in ("view", "table") and not rest:
            self.tell(["", *self.board.whole(self.state, texts=True)])
        elif word == "look":
            self.look(rest)
        elif word == "options" and not rest:
            self.show_options()
        elif word == "log" and rest in ("", "full"):
            self.tell(Story(self.story.viewer, full=self.full or bool(rest)).news(self.state))
        elif word == "undo" and not rest:
            self.undo()
        elif word == "save":
            self.save(rest)
        elif word == "why" or line.casefold().startswith("why not"):
            self.why_not(rest[4:].strip() if rest.casefold().startswith("not ") else "" if rest == "not" else rest)
        else:
            self.move(line)
        return True

    def numbered(self, text: str) -> int | None:
        """The number that was typed, if it is one."""
        return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None

    def move(self, line: str) -> None:
        number = self.numbered(line)
        count = self.state.option_count
        options = pending_options(self.state)
        if are_numbers(options):
            known = typed_names(options)
            number = known.index(line.casefold()) + 1 if line.casefold() in known else None
        elif number is not None and not 1 <= number <= count:
            none = self.language.say(
                "There is no option {n}: options are numbered from 1 to {count}.", n=number, count=count
            )
            self.tell([none])
            return
        found = typed_option(self.state, line) if number is None else number - 1
        if not isinstance(found, int):
            self.refuse(found)
            return
        self.past.append({seat: story.copy() for seat, story in self.stories.items()})
        self.match.play(found)

    def look(self, name: str) -> None:
        """What is known of a card, a thing, a trait or an action, by its name or the beginning of it."""
        found = name_details(self.state, self.viewer or None, name, self.columns) if name else []
        language = self.language
        nothing = language.say("Type what to look at: {command}", command="look NAME")
        self.tell(found or [language.say("Nothing here is called {name}.", name=name) if name else nothing])

    def why_not(self, text: str) -> None:
        if not text:
            self.tell([self.language.say("Type what you want to do: {command}", command="why not OPTION")])
            return
        known = text.casefold() in typed_names(pending_options(self.state))
        refusals = () if known else self.state.why_not(text)
        if not refusals:
            self.tell([self.language.say("You can do that: it is one of the options.")])
        self.refuse(refusals)

    def refuse(self, refusals: Sequence[Refusal]) -> None:
        asked = self.state.decision.span  # where it is asked, which is no rule that forbids anything
        for refusal in refusals:
            at = f"  {refusal.span}" if self.full and refusal.span.path and refusal.span != asked else ""
            self.tell([f"{refusal_sentence(self.state.names, refusal)}{at}"])

    def undo(self) -> None:
        if not self.match.undo():
            self.tell([self.language.say("You have no move to undo.")])
            return
        if self.past:
            self.stories = self.past.pop()
        else:  # a move from before the game was loaded
            self.stories = {seat: Story(seat, full=self.full) for seat in {*self.stories, self.viewer}}
            for story in self.stories.values():
                story.news(self.state)
        self.tell([self.language.say("Your last move has been undone.")])

    def save(self, name: str) -> None:
        if not name:
            self.tell([self.language.say("Type a file name: {command}", command="save FILE")])
            return
        why = self.match.save(Path(name))
        if why:
            self.tell([self.language.say("The game cannot be saved to {file}: {why}.", file=name, why=why)])
        else:
            self.tell([self.language.say("Saved to {file}.", file=name)])

    # ---- what is shown

    def show_options(self) -> None:
        decision = self.state.decision
        asked = decision.prompt or self.language.say("what do you do?")
        said = self.language.say("{player}: {prompt}", player=decision.name, prompt=asked)
        self.tell(["", said, *option_menu(self.state, self.columns)])

    def tell(self, lines: Sequence[str]) -> None:
        for part in fold_lines(lines, self.columns):
            self.say(part)


# ---- games between agents


def watch_game(
    state: State,
    agents: Sequence[Agent],
    say: Say,
    columns: int = 100,
    *,
    full: bool = False,
    keeper: Keeper | None = None,
) -> None:
    """Play to the end; `agents` by seat. Says what happens, then the table and the scores.

    A game with a map shows it as the first decision of each round finds it. `full`: nothing is folded (see `Story`).
    `keeper` notes the moves.
    """
    story = Story(full=full, waits=True)
    round_ = -1

    def tell(lines: Sequence[str]) -> None:
        for part in fold_lines(lines, columns):
            say(part)

    while not state.over:
        tell(story.news(state))
        if state.round != round_:
            round_ = state.round
            map_ = map_lines(state, None, columns)
            tell(["", *map_, ""] if map_ else ())
        choice = ask_agent(agents[state.decider - 1], state)
        if keeper is not None:
            keeper.move(state, choice)
        state.play(choice)
    if keeper is not None:
        keeper.end(state)
    tell(story.news(state))
    tell(
        [
            "",
            state.names.language.say("The table at the end"),
            *board_lines(state, None, columns)[1:],
            "",
            *score_lines(state),
        ]
    )
