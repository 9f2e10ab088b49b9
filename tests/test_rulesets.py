"""Every shipped ruleset: it is sound, each of its scenarios passes, and each of its numbered rules is covered."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

from rulelang.base.terminal import draw_frames
from rulelang.compiler.compilation import Compilation
from rulelang.testing.scenarios.citations import coverage_lines, measure_rule_coverage
from rulelang.testing.scenarios.fixture import Fixture
from rulelang.testing.scenarios.run import Runner, is_ruleset
from rulelang.testing.scenarios.scenario import outcome_lines

ROOT = Path(__file__).resolve().parent.parent
RULESETS = sorted(folder for folder in (ROOT / "rulesets").iterdir() if is_ruleset(folder))


@cache
def runner(folder: Path) -> Runner:
    return Runner(folder)


CASES = [(folder, scenario.id) for folder in RULESETS for scenario in runner(folder).scenarios]


@pytest.mark.parametrize("folder", RULESETS, ids=lambda folder: folder.name)
def test_ruleset_is_sound(folder: Path) -> None:
    run = runner(folder)
    assert not run.diagnostics.items, draw_frames(run.diagnostics.sorted(), run.sources)


@pytest.mark.parametrize(("folder", "name"), CASES, ids=[f"{folder.name}/{name}" for folder, name in CASES])
def test_scenario(folder: Path, name: str) -> None:
    run = runner(folder)
    outcome = next(run.run(scenario) for scenario in run.scenarios if scenario.id == name)
    assert outcome.passed, "\n" + "\n".join(outcome_lines(outcome, run.sources))


@pytest.mark.parametrize("folder", RULESETS, ids=lambda folder: folder.name)
def test_every_numbered_rule_has_code_and_a_scenario(folder: Path) -> None:
    report = measure_rule_coverage(folder)
    assert report.rules, "no document in seeds/ has rules of this ruleset"
    assert report.ok, "\n" + "\n".join([draw_frames(report.mistakes, report.sources), *coverage_lines(report)])


class OnWholePrograms(Runner):
    """Of the tables all is compiled, with all passes, as for games."""

    def new_fixture(self, mods: Sequence[str | Path], mode: str | None) -> Fixture:
        return Fixture(Compilation(self.where, mods, mode, self.memo))


@pytest.mark.slow
@pytest.mark.parametrize("folder", RULESETS, ids=lambda folder: folder.name)
def test_scenarios_pass_on_whole_programs_too(folder: Path) -> None:
    """That these and what scenarios are run on go alike is tested in games by `tests/backends/test_on_demand.py`."""
    run = OnWholePrograms(folder)
    failed = [outcome for outcome in map(run.run, run.scenarios) if not outcome.passed]
    assert run.scenarios
    assert not failed, "\n".join(line for outcome in failed for line in outcome_lines(outcome, run.sources))
