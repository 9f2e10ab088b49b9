"""A small game of chance, made for tests: twenty cards of two copies each, two seats that are dealt four and play them.

Each card rolls a die; what is printed on it is added. So it is known which cards are fair, and by how much others are
not."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import rulelang
from rulelang.runtime.game import Game

NAMES = [f"card_{letter}" for letter in "abcdefghijklmnopqrst"]

_RULES = """\
game:
  for card c: move c to deck
  shuffle deck
  for player p: draw 4 from deck to p.hand
  choose player p at random: start = p
  rounds until all(player p: p.hand is empty): duel

phase duel:
  turns p from start once each: offer one action to p

action play(card c in actor.hand) during duel:
  roll 1d6 as shown
  let points = shown + c.worth
  tells "{actor} plays {c} for {points}"
  actor.points += points
  move c to pile

value score(player p) -> int: p.points
"""


def duel(folder: Path, worth: Mapping[str, int] | None = None, seen_by: str = "owner") -> Game:
    """The game with these numbers on some of its cards; 0 on all others. `seen_by`: who sees a hand."""
    rows = "".join(f"      {name}: {{worth: {(worth or {}).get(name, 0)}}}\n" for name in NAMES)
    files = {
        "ruleset.yaml": "id: duel\nversion: 1.0.0\nlanguage: 1\ntitle: {en: Duel}\n"
        "players: {count: 2, from: start}\nfiles: [things.yaml, game.rules]\n",
        "things.yaml": "kinds: {player: {attributes: {points: int}}}\nstate: {start: player}\ncards:\n  card:\n"
        f"    columns: {{worth: int}}\n    copies: 2\n    rows:\n{rows}"
        f"zones:\n  deck: {{holds: card, seen_by: nobody}}\n  hand: {{of: player, holds: card, seen_by: {seen_by}}}\n"
        "  pile: {holds: card, seen_by: everyone}\n",
        "game.rules": _RULES,
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return rulelang.load(folder)
