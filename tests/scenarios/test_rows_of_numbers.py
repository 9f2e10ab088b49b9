"""A list of numbers is read by a number or by a row of a list."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.testing.scenarios.scenario import outcome_lines
from tests.scenarios.shore import FILES, one

BODY = """
given:
  phase: feeding
  turn: ana
  players: {ana: {crab: [nip home west, nab]}, bob: {crab: [nob]}}
then:
  - tides[1] == 3 and tides[east] == 3 and tides[west] == 5
  - tides[nip.home] == 5 and nab.home is missing
  - "sum(beach b: tides[b]) == 8"
"""


def test_by_number_or_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    things = FILES["things.yaml"].replace("numbers: {meal: 1}", "numbers: {meal: 1, tides: [3, 5]}")
    monkeypatch.setitem(FILES, "things.yaml", things)
    outcome = one(tmp_path / "a", BODY)
    assert outcome.passed, "\n".join(outcome_lines(outcome, {}))
    wrong = one(tmp_path / "b", BODY.replace("tides[1] == 3", "tides[true] == 3"))
    assert [item.code for item in wrong.mistakes] == ["T400"]
