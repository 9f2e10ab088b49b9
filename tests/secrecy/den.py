"""A small game with secrets of every kind, and rules that give one of them away, one at a time."""

from __future__ import annotations

from pathlib import Path

FILES = {
    "ruleset.yaml": """\
id: den
version: 1.0.0
language: 1
title: Den
players: {count: 2, from: start}
files: [things.yaml, game.rules]
""",
    "things.yaml": """\
lists:
  colour: [red, green, blue]
cards:
  card:
    columns: {hue: colour, food: int}
    rows:
      worm: {hue: red, food: 1, copies: 4}
      leaf: {hue: green, food: 2, copies: 4}
      nut: {hue: blue, food: 3, copies: 4}
kinds:
  cub:
    of: player
    line: true
    at_most: 3
    names: [ada, ben, cid, dot, eve, fay]
    attributes:
      size: {is: 1..9, start: 1}
      fear: {is: 0..9, start: 2, seen_by: owner}
  player:
    attributes:
      coins: {is: 0..99, start: 3}
      gold: {is: 0..20, start: 5, seen_by: owner}
zones:
  deck: {holds: card, seen_by: nobody}
  pile: {holds: card, seen_by: everyone}
  hand: {of: player, holds: card, seen_by: owner}
  sealed: {of: player, holds: card, seen_by: nobody}
state:
  start: player
  weather: {is: 0..9, start: 4, seen_by: nobody}
  shown: 0..99
tables:
  met: {of: [player, colour], is: 0..9}
""",
    "game.rules": """\
game:
  for card c: move c to deck
  shuffle deck
  for player p: settle(p)
  rounds until round == 5: day
routine settle(player p):
  create cub of p at right
  create cub of p at right
  draw 3 from deck to p.hand
  draw 1 from deck to p.sealed
phase day:
  turns p from start once each: offer one action to p or pass
  turns p from start once each: offer one action to p or pass
action play(card c in actor.hand) during day:
  tells "{actor} lays {c}"
  move c to pile
action grow(cub b of actor) during day:
  require b.size < 9 because "{b} is as large as it gets"
  tells "{b} grows"
  b.size += 1
action save during day: actor.gold = min(20, actor.gold + 1)
value score(player p) -> int: p.coins + p.gold
""",
}

#: What each gives away, as rules that stand beside those of the game: in the options, the questions, the reasons, the
#: log, what is asked of whom, or what lies on the table. `other` is the other player.
LEAKS = {
    "an option that depends on another's hand": """
action peep during day:
  require any(card c in next(actor).hand where c.hue == red)
  shown += 1
""",
    "an option that depends on how many of a kind others hold": """
action peep during day:
  require count(card c in next(actor).hand where c.food > 1) > 1
  shown += 1
""",
    "an option that depends on the top of the deck": """
action peep during day:
  require top(deck).hue == blue
  shown += 1
""",
    "an option that depends on one's own sealed card": """
action peep during day:
  require any(card c in actor.sealed where c.hue == green)
  shown += 1
""",
    "an option that depends on another's hidden number": """
action peep during day:
  require next(actor).gold > 5
  shown += 1
""",
    "an option that depends on a value that nobody sees": """
action peep during day:
  require weather > 4
  shown += 1
""",
    "an option that depends on what another's thing hides": """
action peep(cub b of next(actor)) during day:
  require b.fear > 2
  b.size = 1
""",
    "as many options as another has gold": """
action peep(int n from 1 to next(actor).gold) during day: shown = n
""",
    "as many options as red cards lie in the deck": """
action peep(int n from 0 to count(card c in deck where c.hue == red)) during day: shown = n
""",
    "options that are the cards in another's hand": """
action peep(card c in next(actor).hand) during day: move c to pile
""",
    "options that are colours in another's hand": """
action peep(colour k where any(card c in next(actor).hand where c.hue == k)) during day: shown += 1
""",
    "a line of the log that counts what another holds": """
action peep during day:
  tells "there are {count(card c in next(actor).hand where c.hue == red)} red ones"
""",
    "a line of the log that is told or not": """
action peep during day:
  if weather > 4: say_so
routine say_so: tells "it is warm"
""",
    "a public number that takes over a hidden one": """
action peep during day: shown = next(actor).gold
""",
    "a public number that sums hidden cards": """
action peep during day: shown = sum(card c in next(actor).sealed: c.food)
""",
    "a thing that is made only for some secrets": """
action peep during day:
  if top(deck).hue == red and count(cub b of actor) < 3: create cub of actor at right
""",
    "a question that is asked only for some secrets": """
action peep during day:
  if next(actor).gold > 5:
    choose colour k by actor
    shown += 1
""",
    "another who is asked, for what he holds": """
action peep during day:
  if any(card c in next(actor).hand where c.hue == red):
    choose colour k by next(actor)
    shown += 1
  else:
    choose colour k by actor
    shown += 1
""",
    "a question that tells a secret": """
action peep during day:
  choose colour k by actor "while {next(actor)} has {next(actor).gold} gold?"
  shown += 1
""",
    "a choice among what a hidden number leaves": """
action peep during day:
  choose cub b of next(actor) where b.fear > 2 by actor
  shown += 1
""",
}

#: What looks at secrets, and gives none away.
SOUND = {
    "nothing": "",
    # Reasons are worked out of what the asker sees, whatever the rules say in them.
    "a reason that tells another's gold": """
action peep during day:
  require actor.coins > 90 because "{next(actor)} has {next(actor).gold} gold"
  shown += 1
""",
    "a reason that is given only where a card lies on top": """
action peep during day:
  require not (top(deck).hue == red) because "not now"
  require actor.coins > 90 because "too poor"
  shown += 1
""",
    "how many cards another holds": """
action peep during day:
  require count(card c in next(actor).hand) > 2
  shown = count(card c in deck)
""",
    "one's own hand and gold": """
action peep during day:
  require any(card c in actor.hand where c.hue == red) and actor.gold > 4
  shown += 1
""",
    "what another takes to another place unseen": """
action peep during day:
  tells "{actor} swaps sealed cards"
  for card c in actor.sealed: move c to deck
  draw 1 from deck to actor.sealed
""",
}


def den(folder: Path, more: str = "") -> Path:
    """The game's files in a folder, with more rules."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in FILES.items():
        (folder / name).write_text(text + more if name == "game.rules" else text, encoding="utf-8")
    return folder
