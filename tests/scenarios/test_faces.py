"""Cards with several faces are named by one of them, or by all in any order."""

from __future__ import annotations

from pathlib import Path

from rulelang.testing.scenarios.run import run_path
from rulelang.testing.scenarios.scenario import outcome_lines

MOD = """\
id: two_ways
version: 1.0.0
language: 1
title: {en: Two ways}
extends: {origin_of_species: ">=1.0"}
files: []
"""
SCENARIO = """\
- name: either order
  given:
    phase: feeding
    turn: ana
    players:
      ana: {animal: [wolf], hand: [fat_tissue/camouflage, fat_tissue]}
      bob: {animal: [crab], hand: [camouflage/fat_tissue]}
  then: ["count(card c in ana.hand) == 2", "count(card c in bob.hand) == 1"]
- name: a card that there is not
  given: {phase: feeding, turn: ana, players: {ana: {animal: [wolf], hand: [fat_tissue/nothing]}, bob: []}}
"""


def test_faces_in_any_order(tmp_path: Path) -> None:
    (tmp_path / "mod.yaml").write_text(MOD, encoding="utf-8")
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios" / "faces.yaml").write_text(SCENARIO, encoding="utf-8")
    good, bad = run_path(tmp_path).outcomes
    assert good.passed, "\n".join(outcome_lines(good, {}))
    (found,) = bad.mistakes
    assert found.code == "C702"
    assert found.because.startswith("there are `")
    assert "fat_tissue" in found.because.split(",")[0] + found.because.split(",")[1]
