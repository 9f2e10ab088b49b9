"""Scenarios of a game on a grid: spaces by their names, and tables laid by thing and space."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.testing.scenarios.run import run_path

FILES = {
    "ruleset.yaml": """\
id: moor
version: 1.0.0
language: 1
title: Moor
players: {count: [2, 2], from: start}
files: [things.yaml, game.rules]
""",
    "things.yaml": """\
lists: {ground: [peat, pool]}
grids:
  patch:
    columns: {ground: ground}
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
state: {start: player}
""",
    "game.rules": """\
game: summer
phase summer:
  turns p from start once each: offer one action to p or pass
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
  when:
    - options: [lay_spawn nim c1, lay_spawn nim b2, pass]
    - lay_spawn nim b2
  then:
"""


def lines(folder: Path, then: str) -> list[str]:
    """What is wrong with the scenario when it makes this claim: codes of mistakes, and texts that do not hold."""
    for path, text in FILES.items():
        (folder / path).write_text(text)
    (folder / "scenarios").mkdir()
    (folder / "scenarios" / "spaces.yaml").write_text(f"{GIVEN}    - {then}\n")
    (outcome,) = run_path(folder).outcomes
    return [mistake.code for mistake in outcome.mistakes] + [failure.what for failure in outcome.failures]


@pytest.mark.parametrize(
    "then",
    [
        "spawn[nim, c1] == 2 and spawn[nim, b2] == 1 and spawn[nim, a1] == 0",
        "spawn[nam, b2] == 1 and spawn[nam, c1] == 3",
        "adjacent(a1, b1) and not adjacent(a1, b2)",
        "c1.ground == pool and c1.number == 3 and a2.number == 4",
    ],
)
def test_spaces_are_called_by_letter_and_number(tmp_path: Path, then: str) -> None:
    assert lines(tmp_path, then) == []


def test_a_claim_on_a_space_can_fail(tmp_path: Path) -> None:
    assert lines(tmp_path, "spawn[nim, c1] == 3") == ["spawn[nim, c1] == 3"]


def test_a_space_beyond_the_edge_is_no_name(tmp_path: Path) -> None:
    assert lines(tmp_path, "spawn[nim, d1] == 0") == ["N350"]
