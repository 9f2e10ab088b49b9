"""All scenarios on the native backend: of Evolution, and of the other shipped rulesets if RULELANG_ALL_SCENARIOS is set
(they need many tables, and each of those a compiler run of some seconds)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from rulelang.backends.native.link import NativeProgram
from rulelang.engine.game import Game
from rulelang.engine.table import Table
from rulelang.scenarios.run import Runner, is_ruleset
from rulelang.scenarios.text import outcome_lines
from tests.native.machine import needs_compiler

pytestmark = needs_compiler
ROOT = Path(__file__).resolve().parent.parent.parent
ALL = sorted(folder for folder in (ROOT / "rulesets").iterdir() if is_ruleset(folder))
RULESETS = ALL if os.environ.get("RULELANG_ALL_SCENARIOS") else [f for f in ALL if f.name == "evolution"]


@cache
def runner(folder: Path) -> Runner:
    return Runner(folder)


@pytest.mark.parametrize("folder", RULESETS, ids=lambda folder: folder.name)
def test_scenarios(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = Game.table
    programs: list[object] = []

    def table(self: Game, players: int = 4, options: Mapping[str, object] | None = None, backend: str = "") -> Table:
        found = usual(self, players, options, "native")
        programs.append(found.program)
        return found

    monkeypatch.setattr(Game, "table", table)
    run = runner(folder)
    for scenario in run.scenarios:
        outcome = run.run(scenario)
        assert outcome.passed, "\n" + "\n".join(outcome_lines(outcome, run.sources))
    assert programs
    assert all(isinstance(program, NativeProgram) for program in programs)
