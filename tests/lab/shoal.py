"""A small game of chance, made for tests: twenty traits of two cards each, two seats with two fish each.

Each seat is dealt eight cards and lays all of them on its fish, each for the roll of a die. Two of the traits may be
worth something on the same fish, and nothing else is."""

from __future__ import annotations

from pathlib import Path

import rulelang
from rulelang.runtime.game import Game

NAMES = [f"trait_{letter}" for letter in "abcdefghijklmnopqrst"]

_THINGS = """\
cards:
  card:
    columns: {face: trait}
    copies: 2
    rows:
"""
_KINDS = """\
kinds:
  fish: {of: player, at_most: 2, names: [one, two, three, four]}
  player: {attributes: {points: int}}
state: {start: player}
zones:
  deck: {holds: card, seen_by: nobody}
  hand: {of: player, holds: card, seen_by: owner}
  traits: {of: fish, holds: card, seen_by: everyone, in_force: true}
"""
_RULES = """\
game:
  for card c: move c to deck
  shuffle deck
  for player p: settle(p)
  choose player p at random: start = p
  rounds until all(player p: p.hand is empty): growing

routine settle(player p):
  create fish of p
  create fish of p
  draw 8 from deck to p.hand

phase growing:
  turns p from start once each: offer one action to p

action lay(card c in actor.hand, fish f of actor) during growing:
  roll 1d6 as shown
  actor.points += shown
  move c to f.traits

value left(fish f) -> int: 0
value right(fish f) -> int: 0
value score(player p) -> int: p.points + {worth} * count(fish f of p where left(f) > 0 and right(f) > 0)
"""


def shoal(folder: Path, worth: int = 0) -> Game:
    """The game. `worth`: points for the first two traits on the same fish."""
    rows = "".join(f"      - {{face: {name}}}\n" for name in NAMES)
    files = {
        "ruleset.yaml": "id: shoal\nversion: 1.0.0\nlanguage: 1\ntitle: {en: Shoal}\n"
        "players: {count: 2, from: start}\nfiles: [things.yaml, game.rules, traits/]\n",
        "things.yaml": _THINGS + rows + _KINDS,
        "game.rules": _RULES.replace("{worth}", str(worth)),
    }
    parts = {NAMES[0]: "left", NAMES[1]: "right"}
    for name in NAMES:
        rule = f"modify {parts[name]}(self): + 1" if name in parts else "modify left(self): + 0"
        files[f"traits/{name}.yaml"] = f"trait: {name}\nrules: |\n  {rule}\n"
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return rulelang.load(folder)
