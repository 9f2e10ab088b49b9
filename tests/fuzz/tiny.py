"""A tiny game into which a test puts rules of its own."""

from __future__ import annotations

from pathlib import Path

MANIFEST = """\
id: tiny
version: 1.0.0
language: 1
title: Tiny
players: {count: [2, 3], from: start}
files: [things.yaml, game.rules]
"""
THINGS = """\
lists:
  pool: {rows: [north, south], attributes: {tool: {holds: card}}}
cards:
  card:
    columns: {cost: int}
    rows:
      - {cost: 1, copies: 8}
      - {cost: 2, copies: 8}
kinds:
  fish:
    of: player
    line: true
    at_most: 4
    attributes: {weight: {is: 0..9, start: 1}}
zones:
  deck: {holds: card, seen_by: nobody}
  hand: {of: player, holds: card, seen_by: owner}
state:
  start: player
  total: int
  small: 0..6
"""
GAME = """\
game:
  for card c: move c to deck
  shuffle deck
  for player p:
    draw 3 from deck to p.hand
    create fish f of p
  choose player q at random
  start = q
  main

phase main:
  turns p from start until all pass: offer any actions to p or pass

action go() during main: trouble
value score(player p) -> int: sum(fish f of p: f.weight)
"""


def write(folder: Path, rules: str = "", *, game: str = GAME, things: str = THINGS, manifest: str = MANIFEST) -> Path:
    """Write the game with more rules; these must declare a `routine trouble`."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "ruleset.yaml").write_text(manifest, "utf-8")
    (folder / "things.yaml").write_text(things, "utf-8")
    (folder / "game.rules").write_text(game + "\n" + rules, "utf-8")
    return folder
