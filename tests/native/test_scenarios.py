"""All scenarios of the shipped rulesets on the native backend. Only those of Evolution are quick: the others need many
tables, and each of those a compiler run of a second, even without optimising."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from rulelang.compiler.backends.native.link import NativeProgram
from rulelang.testing.scenarios.run import Ready, Runner, is_ruleset
from rulelang.testing.scenarios.scenario import outcome_lines
from tests.native.machine import needs_compiler

pytestmark = needs_compiler
ROOT = Path(__file__).resolve().parent.parent.parent
RULESETS = [
    pytest.param(folder, id=folder.name, marks=[] if folder.name == "evolution" else pytest.mark.slow)
    for folder in sorted((ROOT / "rulesets").iterdir())
    if is_ruleset(folder)
]


@cache
def runner(folder: Path) -> Runner:
    return Runner(folder, backend="native")


@pytest.mark.parametrize("folder", RULESETS)
def test_scenarios(folder: Path) -> None:
    run = runner(folder)
    for scenario in run.scenarios:
        outcome = run.run(scenario)
        assert outcome.passed, "\n" + "\n".join(outcome_lines(outcome, run.sources))
        ready = run.ready(scenario)
        assert isinstance(ready, Ready)
        assert isinstance(ready.table.program, NativeProgram)
