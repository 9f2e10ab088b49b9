"""Scenarios of a game on a grid: spaces by name, and tables laid by thing and space."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.scenarios.run import run_path

FILES = {
    "ruleset.yaml": """\
id: moor
version: 1.0.0
language: 1
title: Moor
players: {count: [2, 2]}
files: [things.yaml, game.rules]
""",
    "things.yaml": """\
lists: {ground: [peat, pool]}
grids:
  patch:
    columns: {ground: ground}
    neighbours: {corners: false}
    legend: {P: peat, O: pool}
    maps:
      moor:
        ground:
          - P P O
          - P O P
kinds:
  frog: {of: player, at_most: 3}
tables:
  spawn: {of: [frog, patch], is: 0..9}
""",
    "game.rules": """\
game: summer
phase summer:
  turns p from first(player q) otherwise first(player r) once each: offer one action to p or pass
action lay_spawn(frog f of actor, patch x where x.ground == pool) during summer: spawn[f, x] += 1
value score(player p) -> int: sum(frog f of p, patch x: spawn[f, x])
""",
}

GIVEN = """\
- name: spawn
  given:
    phase: summer
    players:
      ana: [nim]
      bob: [nam]
    tables: {spawn: {nim: {c1: 2}, nam: {b2: 1, c1: 3}}}
  when: [lay_spawn nim b2]
  then:
"""


def lines(folder: Path, then: str) -> list[str]:
    """The failures of a scenario with these claims, each as its message or the code of a mistake."""
    for path, text in FILES.items():
        (folder / path).write_text(text.replace("first(player q) otherwise first(player r)", "active_one"))
    rules = (folder / "game.rules").read_text() + "value active_one -> player: start\n"
    (folder / "game.rules").write_text(rules)
    things = (folder / "things.yaml").read_text() + "state: {start: player}\n"
    (folder / "things.yaml").write_text(things)
    (folder / "scenarios").mkdir()
    (folder / "scenarios" / "spaces.yaml").write_text(GIVEN + then)
    report = run_path(folder)
    assert not report.mistakes
    outcome = report.outcomes[0]
    return [mistake.code for mistake in outcome.mistakes] + [failure.text for failure in outcome.failures]
