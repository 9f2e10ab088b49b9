"""What failures call things: the names that authors write, with the words that players read where these are others."""

from __future__ import annotations

from pathlib import Path

from rulelang.testing.scenarios.scenario import outcome_lines
from tests.scenarios.shore import FILES, one

LOOK = """\
look:
  graze: {name: crop the weed with}
  trait: {rows: {shy: {name: {en: Very Timid}}}}
  beach: {rows: {east: {name: {en: Morning Side}}}}
"""


def test_values_options_and_lines_have_both(tmp_path: Path) -> None:
    manifest = FILES["ruleset.yaml"].replace("files: [", "files: [look.yaml, ")
    files = {"look.yaml": LOOK, "ruleset.yaml": manifest}
    outcome = one(tmp_path, SCENARIO, files)
    text = "\n".join(outcome_lines(outcome, {}))
    assert "found:    Very Timid (shy)" in text
    assert "expected: finned" in text  # its words are the name
    (failed,) = one(tmp_path / "again", OPTIONS, files).failures
    assert "play nip shy  (play nip Very Timid)" in failed.found
    assert "graze nip  (crop the weed with nip)" in failed.found
    assert "pass" in failed.found


GIVEN = """
given:
  phase: feeding
  turn: ana
  state: {water: 3}
  players:
    ana: {hand: [shy], crab: [nip]}
    bob: {crab: [nob]}
"""
SCENARIO = GIVEN + "then: [first(card c in ana.hand).face == finned]\n"
OPTIONS = GIVEN + "when: [{options: [graze nip]}]\n"
