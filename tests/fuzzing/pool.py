"""A small game with a mistake in it: two traits that together do what an invariant forbids, once in a while."""

from __future__ import annotations

from pathlib import Path

from tests.crabs import SETTLE, ZONES, feeding

FILES = {
    "ruleset.yaml": """\
id: pool
version: 1.0.0
language: 1
title: Pool
players: {count: [2, 4], from: start}
options:
  spring: {is: bool, default: false, text: more water}
files: [things.yaml, game.rules, traits/]
""",
    "things.yaml": """\
cards:
  card:
    columns: {face: trait, food: {is: int, by: copy}}
    rows:
      - {face: finned, food: [1, 2, 2, 3]}
      - {face: greedy, food: [3, 3, 1]}
      - {face: shy, food: [1, 1, 2]}
      - {face: armed, food: [2, 2, 4]}
kinds:
  crab:
    of: player
    line: true
    at_most: 3
    names: [nip, nab, nob, nan, nod, nix]
    attributes:
      weight: {is: 0..30, start: 1}
  player:
    attributes: {bag: number}
zones:
"""
    + ZONES
    + """\
state:
  start: player
  water: 0..60
""",
    "game.rules": """\
game:
  for card c: move c to deck
  shuffle deck
  for player p: settle(p)
  rounds until round == 5:
    rest
    feeding
    start = next(start)
"""
    + SETTLE
    + """\
phase rest:
  water += 9 if option.spring else 6
"""
    + feeding("the pool is dry")
    + """\
action breed(card d in actor.hand) during feeding:
  require count(crab c of actor) < 3 because "there is no room"
  move d to deck
  create crab of actor at right
routine eat(crab c):
  require c.weight < 20 because "{c} is full"
  tells "{c} eats"
  c.weight = min(30, c.weight + 1 + gain(c))
  water -= 1
value gain(crab c) -> int: 0
value fins(crab c) -> int: 0
value score(player p) -> int: p.bag + sum(crab c of p: c.weight)
invariant light: no(crab c where fins(c) > 0 and gain(c) > 1 and c.weight > 6)
""",
    "traits/finned.yaml": "trait: finned\nrules: |\n  modify fins(self): + 1\n",
    "traits/greedy.yaml": "trait: greedy\nrules: |\n  modify gain(self): + 2\n",
    "traits/shy.yaml": 'trait: shy\nrules: |\n  forbid eat(self) when self.weight > 9 because "it hides"\n',
    "traits/armed.yaml": "trait: armed\nrules: |\n  after eat(self): self.owner.bag += 1\n",
}


def pool(folder: Path, *, sound: bool = False) -> Path:
    """The game's files in a folder; `sound`: without the mistake."""
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if sound:
            text = "".join(line for line in text.splitlines(True) if not line.startswith("invariant"))
        path.write_text(text, encoding="utf-8")
    return folder
