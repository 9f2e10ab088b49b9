"""A generated ruleset with a large card file, as a card-data keeper has one."""

from __future__ import annotations

from pathlib import Path
from random import Random

RULESET = """\
id: many_cards
version: 1.0.0
language: 1
title: {en: Many cards}
players: {count: [2, 4], play: clockwise, from: start}
files: [components.yaml, cards.csv, game.rules]
"""

COMPONENTS = """\
lists:
  colour:  [red, green, blue, white]
  measure: [strength, speed, wit]

cards:
  card:
    from: cards.csv
    columns:
      colour: colour
      rank: maybe colour
      shows: {is: int, by: measure}
      price: int
      wild: {is: bool, cells: {"yes": true}}
    unused_columns: [title]

kinds:
  player:
    attributes:
      points: number

zones:
  deck:  {holds: card, seen_by: nobody}
  table: {holds: card, seen_by: everyone}

state:
  start: player
"""

RULES = """\
game:
  for card c: move c to deck
  shuffle deck
  choose player p at random: start = p
  rounds until deck is empty or round == 9:
    turn_cards

phase turn_cards:
  for player p from start:
    draw 1 from deck to table
    p.points += worth

value worth() -> int: max(card c in table: c.price + c.shows[strength]) otherwise 0

value score(player p) -> int: p.points
"""

COLUMNS = "id,title,colour,rank,strength,speed,wit,price,wild"


def write_many_cards(folder: Path, cards: int, edit: int) -> None:
    """Write the ruleset into the folder. Another `edit` is another content of the card file, of the same size."""
    random = Random(edit)
    colours = ("red", "green", "blue", "white")
    lines = [COLUMNS]
    for number in range(cards):
        colour, rank = random.choice(colours), random.choice(("", *colours))
        measures = ",".join(str(random.randrange(10)) for _ in range(3))
        wild = random.choice(("", "yes"))
        lines.append(f'card_{number},"Card, number {number}",{colour},{rank},{measures},{random.randrange(100)},{wild}')
    (folder / "ruleset.yaml").write_text(RULESET, encoding="utf-8")
    (folder / "components.yaml").write_text(COMPONENTS, encoding="utf-8")
    (folder / "game.rules").write_text(RULES, encoding="utf-8")
    (folder / "cards.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
