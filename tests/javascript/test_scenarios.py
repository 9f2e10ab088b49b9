"""All scenarios of the shipped rulesets on the JavaScript backend."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.backends.javascript.link import JavaScriptProgram
from rulelang.scenarios.run import Ready, Runner, is_ruleset
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
def test_scenarios(folder: Path) -> None:
    run = Runner(folder, backend="javascript")
    for scenario in run.scenarios:
        outcome = run.run(scenario)
        assert outcome.passed, "\n" + "\n".join(outcome_lines(outcome, run.sources))
        ready = run.ready(scenario)
        assert isinstance(ready, Ready)
        assert isinstance(ready.table.program, JavaScriptProgram)
