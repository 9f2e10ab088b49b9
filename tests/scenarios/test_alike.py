"""Options that would read alike say what tells them apart: whom a card joins, where it lies, what it keeps."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.testing.scenarios.scenario import outcome_lines
from tests.scenarios.shore import FILES, one

FINNED = FILES["traits/finned.yaml"] + "  action paddle during feeding: this.trips += 1\n"
SCENARIOS = {
    "what a card keeps": """
given:
  phase: feeding
  turn: ana
  players: {ana: {crab: [nip: [finned trips 2, finned]]}, bob: {crab: [nob]}}
when:
  - options: {among: [paddle nip trips 2, paddle nip trips 0], not: ["paddle nip #1"]}
  - paddle nip trips 2
  - pass
then: ["sum(card c on nip: c.trips) == 3"]
""",
    "a number where nothing tells them apart": """
given:
  phase: feeding
  turn: ana
  players: {ana: {crab: [nip: [finned, finned]]}, bob: {crab: [nob]}}
when:
  - options: {among: ["paddle nip #1", "paddle nip #2"]}
  - "paddle nip #2"
then: ["sum(card c on nip: c.trips) == 1"]
""",
}


@pytest.mark.parametrize("name", SCENARIOS)
def test_what_tells_them_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setitem(FILES, "traits/finned.yaml", FINNED)
    outcome = one(tmp_path, SCENARIOS[name])
    assert outcome.passed, "\n".join(outcome_lines(outcome, {}))
