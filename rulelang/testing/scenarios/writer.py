"""Write a game in progress as a scenario: its position, the last moves as steps, and their results."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.errors import RuleError
from rulelang.base.languages import ENGLISH, PhrasedError
from rulelang.base.phrases import Phrase, phrase
from rulelang.base.source import NOWHERE
from rulelang.compiler.compilation import LoadError
from rulelang.data.text import TextEdits
from rulelang.data.yaml_nodes import YamlMap, YamlScalar, YamlSeq
from rulelang.data.yaml_reader import read_yaml_text
from rulelang.language.semantics.model import Model
from rulelang.language.syntax.lexer import QUERY_FORMS
from rulelang.language.syntax.mistakes import IN_EXPRESSIONS
from rulelang.runtime.changes import Change
from rulelang.runtime.display_names import MISSING, Names
from rulelang.runtime.state import State
from rulelang.runtime.views import living_things
from rulelang.testing.scenarios.begin import GIVEN, begin_at, given_node, table_of_position
from rulelang.testing.scenarios.fixture import Fixture
from rulelang.testing.scenarios.given import PositionWriter
from rulelang.testing.scenarios.position import read_position
from rulelang.testing.scenarios.run import Runner
from rulelang.testing.scenarios.scenario import Scenario, scenarios_in
from rulelang.testing.scenarios.stepper import Moment
from rulelang.testing.scenarios.tokens import list_items
from rulelang.testing.scenarios.yaml_forms import Given, block_lines, yaml_flow

# ---- lines under `then`

#: So many lines of the log are held, and so many values.
LINES, VALUES = 3, 4
_NAME = re.compile(r"[^\W\d]\w*")


def conclusion_lines(here: Moment, before: Moment, model: Model) -> list[str]:
    """Lines of YAML that hold where the last step has ended: what the log says of it, what it changed, who is asked."""
    end = here.ended()
    log, told = end.state.log, len(before.state.log)
    texts = list(dict.fromkeys(event.text for event in log[told:] if event.told and event.text.strip()))[:LINES]
    lines: list[str] = []
    if texts:
        lines.append(f"log: {yaml_flow(texts if len(texts) > 1 else texts[0])}")
    lines += _changed_values(end, before, model)
    if end.state.over:
        players = end.state.players
        return [*lines, "over: true", f"winners: {yaml_flow([players[seat - 1] for seat in end.state.winners])}"]
    asked = here.question()
    lines.append("over: false" if asked.state.over and not lines else f"decision: {yaml_flow(asked.asked)}")
    return [line for line in lines if line != "decision: nobody"] or [f"round == {end.state.round}"]


def _changed_values(end: Moment, before: Moment, model: Model) -> list[str]:
    """Whole numbers and truths that changed, of the game, its players and the things that the position names."""
    first = len(before.state.log.changes)
    last: dict[tuple[str, int, str], Change] = {}
    for change in end.state.log.changes[first:]:
        if change.what == "set" and change.attribute is not None and not change.index and not change.attribute.trait:
            last[change.kind, change.handle, change.attribute.name] = change
    lines = []
    for (kind, handle, name), change in last.items():
        owner = _owner_name(end, kind, handle)
        if owner is None or change.new == MISSING or change.attribute is None or not _plain_name(name):
            continue
        if change.attribute.type == "int":
            said = f"{owner}{name} == {change.new}"
        elif change.attribute.type == "bool":
            said = f"{owner}{name}" if change.new else f"not {owner}{name}"
        else:
            continue
        lines.append("'" + said.replace("'", "''") + "'" if said.startswith('"') else said)
    return lines[:VALUES]


def _owner_name(end: Moment, kind: str, handle: int) -> str | None:
    """What stands before the name of a value: nothing for the game's own, None for what a scenario cannot name."""
    if not kind:
        return ""
    if kind == "player":
        return f"{_expression_name(end.state.players[handle - 1])}." if handle <= len(end.state.players) else None
    name = next((name for name, thing in end.cast.items() if thing == (kind, handle)), None)
    return None if name is None or name in end.gone else f"{_expression_name(name)}."


def _plain_name(name: str) -> bool:
    return bool(_NAME.fullmatch(name)) and name not in IN_EXPRESSIONS and name not in QUERY_FORMS


def _expression_name(name: str) -> str:
    """A name as expressions write it: in quotes where it is no single word, or is a word of the language."""
    return name if _plain_name(name) else f'"{name}"'


# ---- scenarios

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
        lines = [f"{indent}- name: {yaml_flow(self.name)}"]
        inner = indent + "  "
        for key, value in (*self.heads.items(), *self.start.items()):
            lines += block_lines(key, value, inner)
        if self.given:
            lines.append(f"{inner}given:")
            for key, value in self.given.items():
                if isinstance(value, dict) and key not in ("options", "state"):
                    lines.append(f"{inner}  {key}:")
                    for name, item in value.items():
                        lines += block_lines(yaml_flow(name), item, inner + "    ")
                else:
                    lines += block_lines(key, value, inner + "  ")
        if self.steps:
            lines.append(f"{inner}when:")
            lines += [f"{inner}  - {yaml_flow(player)}: {yaml_flow(move)}" for player, move in self.steps]
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


def write_scenario(fixture: Fixture, state: State, name: str, last: int = LAST, heads: Given | None = None) -> Written:
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
            teller = PositionWriter(self.fixture.compilation.model, self.table, self.end.names)
            options = self.fixture.game.options
            given = teller.given(beginning.words, beginning.phase, beginning.turn, drawn, options)
            begun = self.begun(given)
            if begun is None:
                continue
            played = self.beside(begun, beginning.move)
            if played is None:
                continue
            steps, here, before = played
            then = conclusion_lines(here, before, self.fixture.compilation.model)
            return Written(name, {}, given, tuple(steps), tuple(then), tuple(teller.left_out), heads)
        return None

    def drawn(self, beginning: _Beginning) -> int:
        """How many cards leave long piles after a beginning; no fewer than one."""
        teller = PositionWriter(self.fixture.compilation.model, self.table, self.end.names)
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
            table = table_of_position(self.fixture.game, position, NOWHERE, out)
            if table is None:
                return self.no(out.sorted()[0].message)
            begun = begin_at(self.fixture.game, self.fixture, table, position, (), out, stepping=True)
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
            steps += steps_of_choice(here, self.moves[number])
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
        teller = PositionWriter(self.fixture.compilation.model, self.table, names, heaped=True)
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
            steps += steps_of_choice(here, choice)
            before = here.question()
            here = before.play(choice)
        then = conclusion_lines(here, before, self.fixture.compilation.model)
        return Written(name, start, {}, tuple(steps), tuple(then), (), heads)


def steps_of_choice(here: Moment, choice: int) -> Iterator[tuple[str, str]]:
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
            for place, handle in enumerate(living_things(made, owner, state.words), 1):
                called[made.name, handle] = f"{made.name}_{owner}_{place}"
    return Names(layout, state.players, called)


# ---- add scenarios to files

HEAD = "scenarios:\n"
#: What a scenario is called that is in no file yet.
NOWHERE_YET = "written.yaml"


def scenario_passes(fixture: Fixture, found: Written) -> bool:
    """Whether a scenario passes, by the rules of the fixture, with its mods and mode."""
    out = Diagnostics()
    read = scenarios_in(NOWHERE_YET, HEAD + replace(found, heads={}).text("  "), 0, out)
    return not out.failed and len(read) == 1 and _FixtureRunner(fixture).run(read[0], ()).passed


class _FixtureRunner(Runner):
    """Runs scenarios on a fixture that there is already."""

    def __init__(self, fixture: Fixture) -> None:
        self.only = fixture
        super().__init__(fixture.compilation.where)

    def new_fixture(self, mods: Sequence[str | Path], mode: str | None) -> Fixture:
        return self.only


def text_with_scenario(text: str, path: str, found: Written) -> tuple[str, int]:
    """A file's text with a scenario more at the end, and the line on which that begins. CannotWrite if none fits in."""
    if not text.strip():
        return HEAD + found.text("  "), 2
    out = Diagnostics()
    root = read_yaml_text(text, path, out).root
    node = root.get("scenarios") if isinstance(root, YamlMap) else root
    if out.failed or (node is not None and not isinstance(node, YamlSeq)):
        raise CannotWrite(phrase("`{path}` cannot be read as it is, so nothing is added to it", path=path))
    body = text.rstrip("\n")
    if node is None:
        return f"{body}\n{HEAD}{found.text('  ')}", body.count("\n") + 3
    if TextEdits(text).part(node.span).startswith("["):
        raise CannotWrite(phrase("the scenarios of `{path}` are in brackets; put each on its own line", path=path))
    indent = " " * (node.span.column - 1)
    return f"{body}\n\n{found.text(indent)}", body.count("\n") + 3


def scenario_names(text: str, path: str) -> set[str]:
    """The names of the scenarios in a file's text."""
    root = read_yaml_text(text, path, Diagnostics()).root
    node = root.get("scenarios") if isinstance(root, YamlMap) else root
    named = [item.get("name") for item in list_items(node) if isinstance(item, YamlMap)]
    return {" ".join(name.text.split()) for name in named if isinstance(name, YamlScalar)}


def unused_name(name: str, known: Collection[str]) -> str:
    """The name, with a number behind it where another scenario has it."""
    number, found = 1, name
    while found in known:
        number += 1
        found = f"{name} {number}"
    return found
