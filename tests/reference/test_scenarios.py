"""All scenarios of the shipped rulesets, followed by the reference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rulelang.compiler.compilation import Compilation
from rulelang.testing.scenarios.fixture import Fixture
from rulelang.testing.scenarios.run import Runner
from rulelang.testing.scenarios.scenario import outcome_lines
from tests.reference.lockstep import Lockstep

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = sorted(path.name for path in (ROOT / "rulesets").iterdir())


class Followed(Runner):
    """Runs scenarios on tables that are followed by the reference."""

    def new_fixture(self, mods: Sequence[str | Path], mode: str | None) -> Fixture:
        compilation = Compilation(self.where, mods, mode)
        fixture = Fixture(compilation)

        def link(players: int, options: Mapping[str, int], backend: str) -> Any:
            program = compilation.link(players, options, backend)
            return Lockstep(program, compilation, players, options)

        fixture.link = link  # type: ignore[assignment]
        return fixture


@cache
def runner(name: str) -> Followed:
    return Followed(ROOT / "rulesets" / name)


@pytest.mark.slow
@pytest.mark.parametrize("name", SHIPPED)
def test_scenarios(name: str) -> None:
    run = runner(name)
    for scenario in run.scenarios:
        outcome = run.run(scenario)
        assert outcome.passed, "\n".join(outcome_lines(outcome, run.sources))
    tables = [t.program for f in run.fixtures.values() if not f.diagnostics.failed for t in f.game._tables.values()]
    assert sum(p.compared for p in tables) > len(run.scenarios)  # type: ignore[attr-defined]
    assert sum(p.lost for p in tables) == 0  # type: ignore[attr-defined]
