"""A game in progress becomes a scenario: a position it went through, the last moves as steps, and what came of them.

The scenario begins where a `given` can begin: on entry of a phase, or with a turn in it. What was written is laid and
played beside the game itself before it is given out: wherever somebody has a choice, both have to show the same table
and the same options. Where they do not (dice or a shuffle on the way, or something that no `given` can hold), an
earlier beginning is tried, and at last the very start of the game from its seed, which can always be written.

It cannot write: a beginning in the midst of a turn or an action; the moment before the first turn or phase that lies
within reach of `undo` (32 moves), of a game that did not start from its seed; and what `Teller.left_out` names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.errors import RuleError
from rulelang.base.languages import ENGLISH, PhrasedError
from rulelang.base.phrases import Phrase, phrase
from rulelang.base.source import NOWHERE
from rulelang.compiler.compilation import LoadError
from rulelang.runtime.names import Names
from rulelang.runtime.state import State
from rulelang.runtime.views import alive
from rulelang.testing.scenarios.begin import GIVEN, begin, given_node, table_for
from rulelang.testing.scenarios.conclusions import conclusions
from rulelang.testing.scenarios.fixture import Fixture
from rulelang.testing.scenarios.flow import Given, block_lines, flow
from rulelang.testing.scenarios.given import Teller
from rulelang.testing.scenarios.pace import Moment
from rulelang.testing.scenarios.position import read_position
from rulelang.testing.scenarios.records import Scenario

#: So many beginnings are tried, the last ones first.
TRIED = 24
#: So many moves are shown, if nothing is said.
LAST = 3


class CannotWrite(PhrasedError, ValueError):
    """No scenario can be written of this game; the message says why."""


@dataclass(frozen=True, slots=True)
class Written:
    """A scenario as data and as text. `given` is empty if it begins at the very start, which `start` then says.

    `steps`: player and move. `then`: lines of YAML. `left_out`: what the position has that was not written, though it
    made no difference to the moves.
    """

    name: str
    start: Given
    given: Given
    steps: tuple[tuple[str, str], ...]
    then: tuple[str, ...]
    left_out: tuple[str, ...] = ()
    heads: Given = field(default_factory=dict)

    def text(self, indent: str = "") -> str:
        """As an item of a list of scenarios, each line behind `indent`."""
        lines = [f"{indent}- name: {flow(self.name)}"]
        inner = indent + "  "
        for key, value in (*self.heads.items(), *self.start.items()):
            lines += block_lines(key, value, inner)
        if self.given:
            lines.append(f"{inner}given:")
            for key, value in self.given.items():
                if isinstance(value, dict) and key not in ("options", "state"):
                    lines.append(f"{inner}  {key}:")
                    for name, item in value.items():
                        lines += block_lines(flow(name), item, inner + "    ")
                else:
                    lines += block_lines(key, value, inner + "  ")
        if self.steps:
            lines.append(f"{inner}when:")
            lines += [f"{inner}  - {flow(player)}: {flow(move)}" for player, move in self.steps]
        lines.append(f"{inner}then:")
        lines += [f"{inner}  - {line}" for line in self.then]
        return "".join(f"{line}\n" for line in lines)


@dataclass(frozen=True, slots=True)
class _Beginning:
    """Where a scenario may begin: before the move of this number (from 0), in this position."""

    move: int
    words: Sequence[int]
    phase: str
    turn: int


def written(fixture: Fixture, state: State, name: str, last: int = LAST, heads: Given | None = None) -> Written:
    """The scenario of a state, with its last moves or a few more. `heads`: what else its head says (`mods`, `mode`).

    CannotWrite if there is none. The state is left as it is.
    """
    return _Writer(fixture, state.spoken(ENGLISH)).written(name, last, heads or {})


class _Writer:
    def __init__(self, fixture: Fixture, state: State) -> None:
        self.fixture = fixture
        self.table = state.table
        self.end = state
        self.seeded = state.seed is not None
        self.states = self.past(state)  # before each move, and after the last
        self.moves = state.choices[len(state.choices) - len(self.states) + 1 :]
        self.why: str | Phrase = ""

    def past(self, state: State) -> list[State]:
        if state.seed is not None:
            begun = self.first()
            found = [begun]
            for choice in state.choices:
                begun = begun.clone()
                begun.play(choice)
                found.append(begun)
            return found
        found = [state]
        while True:
            earlier = found[-1].clone()
            if not earlier.undo():
                break
            found.append(earlier)
        return found[::-1]

    def first(self, *, stepping: bool = False) -> State:
        """The very start of the game, from its seed; `stepping`: up to its first pause."""
        assert self.end.seed is not None
        at = self.table.program.layout.cells.stepping

        def prepare(words: list[int], _: object) -> None:
            words[at] = 1

        return self.fixture.game.start(
            self.table, self.end.seed, self.end.players, prepare=prepare if stepping else None
        )

    def written(self, name: str, last: int, heads: Given) -> Written:
        wanted = max(len(self.moves) - last, 0)
        beginnings = [one for one in self.beginnings() if one.move <= wanted]
        for beginning in sorted(beginnings, key=lambda one: -one.move)[:TRIED]:
            found = self.tried(beginning, name, heads)
            if found is not None:
                return found
        if not self.seeded:
            because = self.why or phrase("no turn or phase began in the recorded moves")
            raise CannotWrite(phrase("this position cannot be written as a scenario: {why}", why=because))
        return self.from_the_start(name, heads)

    # ---- where it may begin

    def beginnings(self) -> Iterator[_Beginning]:
        """All places where a turn or a phase began, oldest first, found by going through the game step by step."""
        oldest = self.states[0]
        words = list(oldest.words)
        if words[self.table.program.layout.cells.over]:
            return
        yield _Beginning(0, oldest.words, oldest.phase, oldest.active)
        words[self.table.program.layout.cells.stepping] = 1
        here = Moment(oldest.altered(words), {})
        move, pending, turn = 0, None, oldest.active
        while not here.state.over and move < len(self.moves):
            if pending is not None and here.stop not in ("phase", "round ends", "round"):
                phase = here.state.phase
                if phase:
                    yield _Beginning(move, pending, phase, 0)
                    if here.state.active:
                        yield _Beginning(move, pending, phase, here.state.active)
                pending = None
            if here.stop == "turn begins":
                yield _Beginning(move, [*here.state.words], here.state.phase, here.state.active)
            elif here.stop in ("phase", "round") and pending is None:
                pending = [*here.state.words]
            if (
                here.asks and here.state.active != turn
            ):  # games in which nothing ever goes do not stop where turns begin
                turn = here.state.active
                if turn:
                    yield _Beginning(move, [*here.state.words], here.state.phase, turn)
            if here.choice:
                here = here.play(self.moves[move])
                move += 1
            else:
                here = here.on()

    # ---- trying one

    def tried(self, beginning: _Beginning, name: str, heads: Given) -> Written | None:
        if not beginning.phase:
            return None
        for drawn in (self.drawn(beginning), None):
            teller = Teller(self.fixture.compilation.model, self.table, self.end.names)
            options = self.fixture.game.options
            given = teller.given(beginning.words, beginning.phase, beginning.turn, drawn, options)
            begun = self.begun(given)
            if begun is None:
                continue
            played = self.beside(begun, beginning.move)
            if played is None:
                continue
            steps, here, before = played
            then = conclusions(here, before, self.fixture.compilation.model)
            return Written(name, {}, given, tuple(steps), tuple(then), tuple(teller.left_out), heads)
        return None

    def drawn(self, beginning: _Beginning) -> int:
        """How many cards leave long piles after a beginning; no fewer than one."""
        teller = Teller(self.fixture.compilation.model, self.table, self.end.names)
        before, after = beginning.words, self.end.words
        zones = [self.table.program.layout.zones[name] for name in teller.long(before).values()]
        return max([before[zone.base] - after[zone.base] for zone in zones] + [0]) + 1

    def begun(self, given: Given) -> Moment | None:
        """The position laid as a scenario would."""
        out = Diagnostics()
        node = given_node(given, out)
        if node is None:
            return self.no(out.sorted()[0].message)
        position = read_position(Scenario(GIVEN, GIVEN, node, node.span, 0), self.fixture.compilation.model, out)
        if out.failed:
            return self.no(out.sorted()[0].message)
        try:
            table = table_for(self.fixture.game, position, NOWHERE, out)
            if table is None:
                return self.no(out.sorted()[0].message)
            begun = begin(self.fixture.game, self.fixture, table, position, (), out, stepping=True)
        except (RuleError, LoadError) as error:
            return self.no(str(error).split("\n")[0])
        if begun is None:
            return self.no(out.sorted()[0].message)
        start = Moment(begun.state, {name: thing for name, thing in begun.things.items() if thing[1]})
        return start.reached(begun.state)

    def no(self, why: str) -> Moment | None:
        self.why = why
        return None

    def beside(self, here: Moment, move: int) -> tuple[list[tuple[str, str]], Moment, Moment] | None:
        """Play the moves in both games. The steps, and the moments after and before the last; None if they part."""
        steps: list[tuple[str, str]] = []
        before = here
        for number in range(move, len(self.states)):
            real = self.states[number]
            try:
                asked = here.question()
            except RuleError:
                return None
            if not self.same(real, asked.state):
                return None
            if number == len(self.moves):
                break
            steps += step(here, self.moves[number])
            before, here = asked, asked.play(self.moves[number])
        return steps, here, before

    def same(self, real: State, laid: State) -> bool:
        """Whether both show the same table and ask the same. Things have other places in the state, and names."""
        if real.over or laid.over:
            return real.over == laid.over
        one, other = self.shown(real), self.shown(laid)
        if one != other:
            self.why = self.why or phrase("from there, the game does not play as recorded")
        return one == other

    def shown(self, state: State) -> tuple[object, ...]:
        """All that is told of a position, with things called by their places."""
        names = counted_names(state)
        teller = Teller(self.fixture.compilation.model, self.table, names, heaped=True)
        given = teller.given(state.words, state.phase, state.active, 0)
        options = [option.text for option in state.altered(list(state.words), names, state.dice).decision.options]
        return given, state.decider, state.round, options

    # ---- the very start

    def from_the_start(self, name: str, heads: Given) -> Written:
        """All of the game from its seed."""
        options = self.fixture.game.options
        chosen: Given = {
            option: options[option].value_of(number)
            for option, number in self.table.options.items()
            if number != options[option].default.get(self.table.players)
        }
        start: Given = {"options": chosen} if chosen else {}
        start |= {"seed": self.end.seed, "players": list(self.end.players)}
        here = before = Moment(self.first(stepping=True), {})
        steps: list[tuple[str, str]] = []
        for choice in self.moves:
            steps += step(here, choice)
            before = here.question()
            here = before.play(choice)
        then = conclusions(here, before, self.fixture.compilation.model)
        return Written(name, start, {}, tuple(steps), tuple(then), (), heads)


def step(here: Moment, choice: int) -> Iterator[tuple[str, str]]:
    """An option of the next question that leaves a choice, as steps. A forced question on the way that the step would
    be taken for is a step before it."""
    there = here.question()
    text = there.state.decision.options[choice].text
    for question in here.questions():
        if question.choice:
            break
        if question.asked == there.asked and isinstance(question.state.find(text), int):
            yield question.asked, question.state.decision.options[0].text
    yield there.asked, text


def counted_names(state: State) -> Names:
    """Names of things by owner and place, which do not depend on where in the state they came to lie."""
    layout = state.table.program.layout
    called: dict[tuple[str, int], str] = {}
    for made in layout.kinds.values():
        for owner in range(1, made.owners + 1):
            for place, handle in enumerate(alive(made, owner, state.words), 1):
                called[made.name, handle] = f"{made.name}_{owner}_{place}"
    return Names(layout, state.players, called)
