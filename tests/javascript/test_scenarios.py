"""All scenarios of the shipped rulesets on the JavaScript backend."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from rulelang.backends.javascript.link import JavaScriptProgram
from rulelang.engine.game import Game
from rulelang.engine.table import Table
from rulelang.scenarios.run import Runner, is_ruleset
from rulelang.scenarios.text import outcome_lines
from tests.javascript.node import needs_node

pytestmark = needs_node
ROOT = Path(__file__).resolve().parent.parent.parent
RULESETS = [
    pytest.param(folder, id=folder.name, marks=[] if folder.name == "evolution" else pytest.mark.slow)
    for folder in sorted((ROOT / "rulesets").iterdir())
    if is_ruleset(folder)
]


@pytest.mark.parametrize("folder", RULESETS)
def test_scenarios(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = Game.table
    programs: list[object] = []

    def table(self: Game, players: int = 4, options: Mapping[str, object] | None = None, backend: str = "") -> Table:
        found = usual(self, players, options, "javascript")
        programs.append(found.program)
        return found

    monkeypatch.setattr(Game, "table", table)
    run = Runner(folder)
    for scenario in run.scenarios:
        outcome = run.run(scenario)
        assert outcome.passed, "\n" + "\n".join(outcome_lines(outcome, run.sources))
    assert programs
    assert all(isinstance(program, JavaScriptProgram) for program in programs)
