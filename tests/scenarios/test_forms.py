"""The forms in which scenarios say what is done and what holds."""

from __future__ import annotations

from pathlib import Path

from tests.scenarios.shore import one


def test_none_is_no_pass(tmp_path: Path) -> None:
    """To end an offer and to decline a choice are two things: a step that is left over does not do the other."""
    given = "given: {phase: feeding, turn: ana, state: {water: 3}, players: {ana: {crab: [nip]}, bob: {crab: [nob]}}}\n"
    passed = one(tmp_path / "a", given + "when: [ana: pass]\nthen: [{decision: bob}]\n")
    assert passed.passed, passed
    outcome = one(tmp_path / "b", given + "when: [ana: none]\n")
    assert not outcome.passed
    assert "to take no option is said `pass`" in outcome.failures[0].notes[0]
