"""Every shipped ruleset: it is sound, each of its scenarios passes, and each of its numbered rules is covered."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from rulelang.base.frame import draw_all
from rulelang.scenarios.coverage import coverage, coverage_lines
from rulelang.scenarios.run import Runner, is_ruleset
from rulelang.scenarios.text import outcome_lines

ROOT = Path(__file__).resolve().parent.parent
RULESETS = sorted(folder for folder in (ROOT / "rulesets").iterdir() if is_ruleset(folder))


@cache
def runner(folder: Path) -> Runner:
    return Runner(folder)


CASES = [(folder, scenario.id) for folder in RULESETS for scenario in runner(folder).scenarios]


@pytest.mark.parametrize("folder", RULESETS, ids=lambda folder: folder.name)
def test_ruleset_is_sound(folder: Path) -> None:
    run = runner(folder)
    assert not run.diagnostics.items, draw_all(run.diagnostics.sorted(), run.sources)


@pytest.mark.parametrize(("folder", "name"), CASES, ids=[f"{folder.name}/{name}" for folder, name in CASES])
def test_scenario(folder: Path, name: str) -> None:
    run = runner(folder)
    outcome = next(run.run(scenario) for scenario in run.scenarios if scenario.id == name)
    assert outcome.passed, "\n" + "\n".join(outcome_lines(outcome, run.sources))


@pytest.mark.parametrize("folder", RULESETS, ids=lambda folder: folder.name)
def test_every_numbered_rule_has_code_and_a_scenario(folder: Path) -> None:
    report = coverage(folder)
    assert report.rules, "no document in seeds/ has rules of this ruleset"
    assert report.ok, "\n" + "\n".join([draw_all(report.mistakes, report.sources), *coverage_lines(report)])
