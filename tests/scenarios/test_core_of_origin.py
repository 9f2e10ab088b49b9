"""What expansions hook in the core of a shipped game: written as a mod, with no change to a shipped file."""

from __future__ import annotations

from pathlib import Path

from rulelang.testing.scenarios.run import run_path

EXPANSION = Path(__file__).parents[1] / "fixtures" / "mods" / "expansion"


def test_an_expansion_needs_no_detour() -> None:
    report = run_path(EXPANSION)
    assert report.mistakes == ()
    assert [outcome for outcome in report.outcomes if not outcome.passed] == []
    assert len(report.outcomes) == 9
