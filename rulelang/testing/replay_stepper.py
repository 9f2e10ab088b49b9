"""Walk along a recorded game in both directions, show each move, and write one as a scenario."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rulelang.base.errors import BadArgument
from rulelang.base.files import write_atomically
from rulelang.base.terminal import fold_lines
from rulelang.base.wording import capitalized
from rulelang.presentation.console_output import board_lines, option_menu, score_lines
from rulelang.presentation.story import Story
from rulelang.runtime.game import Game
from rulelang.runtime.state import State
from rulelang.testing.replay import Diverged, Divergence, Move, RecordedGame, played
from rulelang.testing.scenarios.fixture import Fixture
from rulelang.testing.scenarios.writer import (
    CannotWrite,
    Written,
    scenario_names,
    scenario_passes,
    text_with_scenario,
    unused_name,
    write_scenario,
)
from rulelang.testing.scenarios.yaml_forms import Given

# ---- a place in a recorded game

#: Between so many moves a position is kept, once it was reached; those between are played again.
APART = 8


class Walk:
    """A recorded game and a place in it: behind `at` moves.

    It goes as far as the game goes as it was recorded: to `last`; `parting` says why no further, if it is not the end.
    """

    def __init__(self, game: Game, recorded: RecordedGame, *, same: bool = True) -> None:
        """Parted if the game cannot even be begun."""
        self.recorded = recorded
        self.kept: dict[int, State] = {}
        self.choices: list[int] = []
        self.parting: Divergence | None = None
        try:
            for number, state in enumerate(played(game, recorded, same=same)):
                if number:
                    self.choices.append(state.choices[-1])
                if number % APART == 0:
                    self.kept[number] = state.clone()
        except Diverged as found:
            if not self.kept:
                raise
            self.parting = found.parting
        self.last = len(self.choices)
        self.at = 0

    def position(self, number: int) -> State:
        """The position behind so many moves, from 0 to `last`."""
        near = number // APART * APART
        state = self.kept[near].clone()
        for choice in self.choices[near:number]:
            state.play(choice)
        return state

    @property
    def state(self) -> State:
        return self.position(self.at)

    def move(self, number: int) -> Move:
        """The move of that number, from 1."""
        return self.recorded.moves[number - 1]

    def go(self, number: int) -> None:
        """Go to the position behind so many moves, or as near as there is one."""
        self.at = min(max(number, 0), self.last)


# ---- step through a game

HELP = (
    ("Enter, next", "go to the next move"),
    ("back", "go to the previous move"),
    ("go N", "go to the position after move N; `go end` for the last"),
    ("why", "list the effects of the move, each with its rule and the place of that rule"),
    ("why not ...", "explain why something was not possible here: why not attack wolf crab"),
    ("view, view NAME", "show the table as everyone sees it, or as a player does"),
    ("options", "show the decision here and its options"),
    ("scenario, scenario NAME", "write the last move as a scenario"),
    ("quit", "leave"),
)

Say = Callable[[str], None]
#: Asks with a prompt; None at the end of input.
Ask = Callable[[str], "str | None"]
#: The scenario of a decision, by its number and the name that it shall have. CannotWrite if there is none.
WriteScenario = Callable[[int, str], str]


@dataclass(slots=True)
class ReplayStepper:
    """One sitting before a recorded game."""

    walk: Walk
    say: Say
    ask: Ask
    scenario: WriteScenario
    columns: int = 80

    def run(self) -> None:
        self.tell(["Press Enter for the next move, or type `help`."])
        self.show()
        while True:
            line = self.ask(f"{self.walk.at}/{self.walk.last}> ")
            if line is None or not self.obey(line.strip()):
                return

    def obey(self, line: str) -> bool:
        """Do what a line says. False to leave."""
        word, _, rest = line.partition(" ")
        word, rest = word.casefold(), rest.strip()
        if line in ("", "next", "n"):
            self.to(self.walk.at + 1)
        elif line in ("back", "b"):
            self.to(self.walk.at - 1)
        elif word in ("go", "g"):
            if rest == "end" or (rest.isascii() and rest.isdecimal() and len(rest) < 10):
                self.to(self.walk.last if rest == "end" else int(rest))
            else:
                self.tell(["Name a move: go 12, or go end"])
        elif word == "why" and rest.casefold().startswith("not"):
            self.why_not(rest[3:].strip())
        elif line == "why":
            self.causes()
        elif word == "view":
            self.view(rest)
        elif line in ("options", "o"):
            self.options()
        elif word == "scenario":
            self.as_scenario(rest)
        elif line in ("quit", "q", "exit"):
            return False
        else:
            if line not in ("help", "?"):
                self.tell([f"There is no command `{line}`."])
            room = max(len(command) for command, _ in HELP)
            self.tell([f"  {command:{room}}   {what}" for command, what in HELP])
        return True

    def to(self, number: int) -> None:
        walk = self.walk
        if not 0 <= number <= walk.last:
            if number > 0 and walk.parting is not None:
                self.tell([f"The recording cannot be followed any further: {walk.parting.what}."])
            else:
                self.tell(["This is the start." if number < 0 else f"Move {walk.last} is the last."])
            return
        walk.go(number)
        self.show()

    def show(self) -> None:
        """The move that led here, what happened with it, and what is asked now."""
        walk, state = self.walk, self.walk.state
        story = Story()
        if walk.at:
            before = walk.position(walk.at - 1)
            story.news(before)
            move = walk.move(walk.at)
            self.tell(["", f"Move {walk.at}: {state.players[move.by - 1]}: {move.said}"])
        self.tell(story.news(state))
        if state.over:
            self.tell(["The game is over.", *score_lines(state)])
        else:
            decision = state.decision
            count = len(decision.options)
            self.tell([f"{decision.name} is asked: {decision.prompt or 'what now?'} ({count} options)"])

    def view(self, player: str) -> None:
        state = self.walk.state
        try:
            seat = state.seat(player or None)
        except BadArgument as error:
            self.tell([f"{capitalized(error)}."])
        else:
            self.tell(board_lines(state, seat or None, self.columns))

    def options(self) -> None:
        state = self.walk.state
        if state.over:
            self.tell(["The game is over: there is no decision."])
            return
        self.tell([f"{state.decision.name}: {state.decision.prompt}", *option_menu(state, self.columns)])
        if self.walk.at < self.walk.last:
            self.tell([f"Chosen: {self.walk.move(self.walk.at + 1).said}"])

    def causes(self) -> None:
        """The whole tree of what the last move brought about, with the rules that did it."""
        if not self.walk.at:
            self.tell(["No move has been made yet."])
            return
        log = self.walk.state.log
        events = log[len(self.walk.position(self.walk.at - 1).log) :]
        above = min((event.depth for event in events), default=0)
        for event in events:
            by = f"  [{event.source}]" if event.source else ""
            at = f"  {event.span}" if event.span.path else ""
            self.tell([f"{'  ' * (event.depth - above + 1)}{event.text}{by}{at}"])

    def why_not(self, text: str) -> None:
        if not text:
            self.tell(["Name the option that you ask about: why not OPTION"])
            return
        refusals = self.walk.state.why_not(text)
        self.tell([f"{capitalized(refusal.text)}"
                   f"{f' ({refusal.source})' if refusal.source else ''}."
                   f"{f'  {refusal.span}' if refusal.span.path else ''}"
                   for refusal in refusals] or ["It was possible: it is one of the options."])  # fmt: skip

    def as_scenario(self, name: str) -> None:
        """The last move as a scenario, as it stands in a file: its lines are not folded."""
        if not self.walk.at:
            self.tell(["No move has been made yet."])
        else:
            try:
                text = self.scenario(self.walk.at, name)
            except CannotWrite as error:
                self.tell([f"{capitalized(error)}."])
            else:
                for line in text.splitlines():
                    self.say(line)

    def tell(self, lines: Sequence[str]) -> None:
        for part in fold_lines(lines, self.columns):
            self.say(part)


# ---- a decision as a scenario


def as_scenario(fixture: Fixture, walk: Walk, number: int, name: str = "", heads: Given | None = None) -> Written:
    """The scenario of the decision of that number, from 1 to `walk.last`, which was run and passes.

    It begins as late as a scenario can, so moves before it may be steps too. `heads`: the mods and the mode that the
    game is played with, as its head names them. CannotWrite if there is none.
    """
    if not 0 < number <= walk.last:
        raise CannotWrite(_beyond(walk, number))
    state = walk.position(number)
    move = walk.move(number)
    called = " ".join(name.split()) or f"move {number}, {state.players[move.by - 1]}: {move.said}"
    found = write_scenario(fixture, state, called, 1, heads)
    if not scenario_passes(fixture, found):
        raise CannotWrite(
            "this position cannot be written as a scenario: the scenario does not give the same result as the game"
        )
    return found


def _beyond(walk: Walk, number: int) -> str:
    if number > 0 and walk.parting is not None:
        return f"the recording cannot be followed past decision {walk.last}: {walk.parting.what}"
    return f"there is no decision {number} in this game: it has {walk.last}"


def add_scenario(path: Path, found: Written) -> tuple[int, str]:
    """Write a scenario at the end of a file, which may be there or not: on which line it begins, and its name, which
    has a number behind it if another of the file has the same. CannotWrite if it does not fit in, OSError."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    found = replace(found, name=unused_name(found.name, scenario_names(text, str(path))))
    text, line = text_with_scenario(text, str(path), found)
    write_atomically(path, text.encode())
    return line, found.name
