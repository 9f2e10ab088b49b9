"""`rulelang coverage --pairs`: which traits have met in scenarios and in games, and scenarios begun for the others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulelang.apps.fuzzing.pairs import measure_pairs
from rulelang.testing.scenarios.run import run_path
from tests.cli.helpers import run
from tests.fuzzing.pool import pool

SCENARIOS = """\
- name: two on one
  given: {phase: feeding, turn: ana, state: {water: 3}, players: {ana: [nip: [shy 1, greedy 1]], bob: [nob]}}
  when: [graze nip]
  then: [nip.weight == 4]
- name: one that fails shows nothing
  given: {phase: feeding, turn: ana, state: {water: 3}, players: {ana: [nip: [armed 2, shy 1]], bob: [nob]}}
  when: [graze nip]
  then: [nip.weight == 9]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    home = pool(tmp_path / "pool", sound=True)
    (home / "scenarios").mkdir()
    (home / "scenarios" / "a.yaml").write_text(SCENARIOS, "utf-8")
    return home


def test_which_have_met(folder: Path) -> None:
    report = measure_pairs(str(folder))
    assert len(report.pairs) == 6
    assert report.scenarios.keys() == {("shy", "greedy"), ("greedy", "shy")}
    assert set(report.scenarios["shy", "greedy"]) == {"a: two on one"}
    assert len(report.untested) == len(report.never) == 4
    assert len(report.scenarios) + len(report.untested) == len(report.pairs)
    more = measure_pairs(str(folder), games=4)
    assert len(more.never) < len(report.never)
    assert more.games[more.untested[0]] >= more.games[more.untested[-1]]


def test_scenarios_are_begun(folder: Path) -> None:
    """Each can be played as it is."""
    file = folder / "scenarios" / "begun.yaml"
    done = run("coverage", str(folder), "--pairs", "--skeletons", str(file))
    assert "6 ordered pairs that can meet; 2 met in passing scenarios" in done.output
    assert "pairs that met in no scenario: 4" in done.output
    begun = [one for one in run_path(folder).outcomes if one.scenario.path.endswith("begun.yaml")]
    assert len(begun) == 4
    assert all(one.passed for one in begun)
    found = json.loads(run("coverage", str(folder), "--pairs", "--json").output)
    assert len(found["pairs"]) == 12
    assert run("coverage", str(folder), "--games", "3").exit_code == 2
