"""Rows of a list that is only counted: a scenario names them by their number."""

from __future__ import annotations

from pathlib import Path

from rulelang.testing.scenarios.run import run_path

FILES = {
    "ruleset.yaml": """\
id: pond
version: 1.0.0
language: 1
title: Pond
players: {count: [2, 2], from: start}
files: [things.yaml, game.rules]
""",
    "things.yaml": """\
numbers: {stones: 3}
lists:
  stone: {count: stones, attributes: {wet: bool, bears: {holds: moss}}}
cards:
  moss: {columns: {soft: bool}, rows: {green: {soft: true}}}
kinds:
  frog: {of: player, in: stone, at_most: 2}
state: {start: player}
""",
    "game.rules": """\
game: day
phase day:
  turns p from start once each: offer one action to p or pass
action leap(frog f of actor, stone x where x.wet) during day: f.stone = x
value score(player p) -> int: count(frog f of p)
""",
}

SCENARIO = """\
- name: a leap
  given:
    phase: day
    players:
      ana: [nim in 1]
      bob: [nam in 3]
    lists: {stone: {2: {wet: true}}}
    zones: {bears: {3: [green]}}
  when: [leap nim stone 2]
  then:
    - nim.stone.number == 2
    - nam.stone.bears.soft
"""


def test_a_row_by_its_number(tmp_path: Path) -> None:
    (tmp_path / "scenarios").mkdir()
    for path, text in {**FILES, "scenarios/leaps.yaml": SCENARIO}.items():
        (tmp_path / path).write_text(text, encoding="utf-8")
    report = run_path(tmp_path)
    assert report.ok, report
    assert len(report.outcomes) == 1
