"""What the library tells of many games at once is counted up as games are one by one."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from rulelang import load
from rulelang.runtime.simulate import Totals
from tests.native.machine import needs_compiler

GAMES = 400


@needs_compiler
@pytest.mark.parametrize("teams", [(), ((1, 3), (2, 4))])
@pytest.mark.parametrize("each", [True, False])
def test_rows_are_counted_up_as_games_are(each: bool, teams: tuple[tuple[int, ...], ...]) -> None:
    program: Any = load("evolution").table(4, None, "native").program
    table: Any = SimpleNamespace(program=SimpleNamespace(teams=teams))
    together, alone = Totals(4, each=each), Totals(4)
    for first in (0, GAMES):
        rows = program.play_rows(3, first, GAMES)
        together.take_many(table, rows)
        assert 0 < rows.winners.count(0) < GAMES / 4, "no game in which several win"
        for row in program.play_many(3, first, GAMES):
            alone.take(table, row)
    assert together.result(3, 1.0, {}).as_json() == alone.result(3, 1.0, {}).as_json()
    assert together.games == alone.games == 2 * GAMES
    assert together.points == (alone.points if each else [])
    assert together.lengths == (alone.lengths if each else [])


@needs_compiler
def test_no_games_are_none() -> None:
    program: Any = load("evolution").table(4, None, "native").program
    rows = program.play_rows(3, 0, 0)
    for each in (True, False):
        totals = Totals(4, each=each)
        totals.take_many(SimpleNamespace(program=program), rows)  # type: ignore[arg-type]
        assert totals.games == totals.decisions == 0
