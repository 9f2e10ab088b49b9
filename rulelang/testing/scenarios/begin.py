"""Begins a game from a position: as a scenario gives it, or as a map in Python does."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.errors import BadArgument, RuleError
from rulelang.base.node import record
from rulelang.base.source import NOWHERE, Span
from rulelang.base.wording import counted, did_you_mean, player_count_text
from rulelang.compiler.compilation import LoadError
from rulelang.data.schema import check_schema
from rulelang.data.yaml_nodes import YamlMap, YamlSeq
from rulelang.data.yaml_reader import read_yaml_text
from rulelang.runtime.table import Table, Tables
from rulelang.testing.scenarios.arrange import Arranger
from rulelang.testing.scenarios.fixture import Fixture
from rulelang.testing.scenarios.position import Position, read_position
from rulelang.testing.scenarios.scenario import Scenario
from rulelang.testing.scenarios.selectors import ValueReader
from rulelang.testing.scenarios.steps import read_dice
from rulelang.testing.scenarios.tokens import available_text, known_spelling

if TYPE_CHECKING:
    from rulelang.runtime.game import Game
    from rulelang.runtime.state import State

#: The place of mistakes in a position that no file holds.
GIVEN = "given"


class PositionError(Exception):
    """The position cannot be laid; the diagnostics tell why."""


@record
class BegunGame:
    """A game that has begun from a position. `things`: kind and handle of each that was laid, by name.

    `handles`: of its players and things, by name.
    """

    state: State
    things: dict[str, tuple[str, int]]
    handles: dict[str, int]


def table_of_position(
    tables: Tables, position: Position, place: Span, out: Diagnostics, backend: str = "python"
) -> Table | None:
    """The table of a position; None with diagnostics if there is none. LoadError, and ValueError for the backend."""
    low, high = tables.players
    count = len(position.players)
    if not low <= count <= high:
        span = position.players[-1].name.span if position.players else place
        because = f"the game is for {player_count_text(low, high)}"
        message = f"this game cannot be played with {counted(count, 'player')}"
        out.error("C707", place if span == NOWHERE else span, message, because=because)
        return None
    given: dict[str, object] = {}
    wrong = False
    for said, node in position.options:
        word = known_spelling(said, tables.options)
        value = node.plain()
        option = tables.options.get(word.text)
        try:
            if option is None:
                close = did_you_mean(word.text, tables.options)
                known = available_text(list(tables.options)) if tables.options else "this game has no options"
                out.error("C702", word.span, f"there is no option `{word.text}`", because=known, hint=close)
                wrong = True
                continue
            option.number_at(value, count)
            given[word.text] = value
        except BadArgument as error:
            out.error("C702", word.span, str(error))
            wrong = True
    return None if wrong else tables.table(count, given, backend)


def arranger_of(fixture: Fixture, table: Table, position: Position, out: Diagnostics) -> Arranger:
    """What lays a position on a table of that fixture."""
    model = fixture.compilation.model
    values = ValueReader(model, table.program.layout, table.options, position.names, out, phases=fixture.phases())
    return Arranger(model, table, position, values, fixture.leads)


def begin_at(
    game: Game,
    fixture: Fixture,
    table: Table,
    position: Position,
    dice: Sequence[int],
    out: Diagnostics,
    *,
    log: bool = True,
    stepping: bool = False,
) -> BegunGame | None:
    """Lay a position on a table and play to its first decision; None with diagnostics. RuleError of the rules.

    `stepping`: to the first pause of a game that is stepped through.
    """
    layer = arranger_of(fixture, table, position, out)
    called: dict[tuple[str, int], str] = {}
    laid: list[int] = []

    def prepare(words: list[int], _: Table) -> None:
        layer.lay(words)
        words[table.program.layout.cells.stepping] = int(stepping)
        layer.helpers.call_plain(words, "h_touch", ())
        called.update(layer.names().overrides)
        laid.extend(words)
        if out.failed:
            raise PositionError

    try:
        state = game.start(
            table, position.seed, position.names, log=log, prepare=prepare, called=called, dice=[n - 1 for n in dice]
        )
    except PositionError:
        return None
    except RuleError as error:
        from rulelang.testing.scenarios.arrange import report_broken_invariant  # not needed by who only reads scenarios

        broken = error.diagnostic.code == "X607" and position.phase is not None
        if broken and report_broken_invariant(layer, table.program.pack(laid)):
            return None
        raise
    layer.reached(state.words)
    if out.failed:
        return None
    things = layer.values.things
    handles = {name: handle for name, (_, handle) in things.items()}
    return BegunGame(state, dict(things), handles | {name: seat for seat, name in enumerate(position.names, 1)})


def begin_given(
    fixture: Fixture, game: Game, given: Mapping[str, object], backend: str = "python", *, log: bool = True
) -> State:
    """The state of a position that is given as a scenario's `given` would be. LoadError tells what is wrong with it.

    ValueError for what no such map can hold, and for an unknown backend.
    """
    try:
        text = _text(given)
    except (TypeError, ValueError) as error:
        raise BadArgument(
            f"a position may contain only texts, numbers, truth values, lists and maps: {error}"
        ) from None
    out = Diagnostics()
    node = _node(text, out)
    state = None if node is None else _begin_node(fixture, game, node, backend, log, out)
    if state is None:
        raise LoadError(out, {GIVEN: text})
    return state


def given_node(given: Mapping[str, object], out: Diagnostics) -> YamlMap | None:
    """A scenario that is nothing but a position, if the position has the shape of one."""
    return _node(_text(given), out)


def _text(given: Mapping[str, object]) -> str:
    return json.dumps([{"name": GIVEN, GIVEN: given}], indent=2, ensure_ascii=False)


def _node(text: str, out: Diagnostics) -> YamlMap | None:
    """The one scenario of a text, if it has the shape of one."""
    file = read_yaml_text(text, GIVEN, out)
    if not out.failed:
        check_schema("scenarios", file, out)
    root = file.root
    node = root.items[0] if isinstance(root, YamlSeq) else None
    return node if isinstance(node, YamlMap) and not out.failed else None


def _begin_node(fixture: Fixture, game: Game, node: YamlMap, backend: str, log: bool, out: Diagnostics) -> State | None:
    position = read_position(Scenario(GIVEN, GIVEN, node, node.span, 0), fixture.compilation.model, out)
    dice = read_dice(position.dice, out, fixture.sides)
    if out.failed:
        return None
    table = table_of_position(game, position, node.span.head(), out, backend)
    if table is None:
        return None
    begun = begin_at(game, fixture, table, position, dice, out, log=log)
    return None if begun is None else begun.state
