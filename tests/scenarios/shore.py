"""A small game to write scenarios for: crabs in a line, boats on beaches, cards with traits, a die."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from rulelang.testing.scenarios.run import run_path
from rulelang.testing.scenarios.scenario import Outcome, Report

FILES = {
    "ruleset.yaml": """\
id: shore
version: 1.0.0
language: 1
title: Shore
players: {count: [2, 3], from: start}
options:
  storm: {is: bool, default: false, text: a storm}
files: [things.yaml, game.rules, traits/]
modes:
  rough: {files: [rough.yaml]}
""",
    "rough.yaml": "set: {numbers.meal: 3}\n",
    "things.yaml": """\
numbers: {meal: 1}
lists:
  beach:
    rows: [east, west]
    attributes: {tide: 0..5}
  colour: [red, green]
cards:
  card:
    columns: {face: trait, food: {is: int, by: copy}}
    rows:
      - {face: finned, food: [1, 2, 2]}
      - {face: shy, food: [3, 3]}
  tool:
    columns: {cost: int, hue: colour}
    rows:
      net: {cost: 2, hue: red}
      rod: {cost: 1, hue: green, copies: 2}
kinds:
  crab:
    of: player
    line: true
    at_most: 3
    names: [nip, nab, nob, nan, nod, nix]
    attributes:
      weight: {is: 0..9, start: 1}
      sated: bool
      home: maybe beach
  boat:
    of: player
    in: beach
    at_most: 2
  player:
    attributes: {bag: number}
zones:
  deck: {holds: card, seen_by: nobody}
  discards: {holds: card, seen_by: everyone}
  hand: {of: player, holds: card, seen_by: owner}
  traits: {of: crab, holds: card, seen_by: everyone, in_force: true}
  hidden: {of: crab, holds: card, seen_by: owner}
  shed: {of: beach, holds: tool, seen_by: everyone}
tables:
  shoal: {of: [crab, beach], is: 0..9}
state:
  start: player
  water: number
  die: 0..6
""",
    "game.rules": """\
game:
  for card c: move c to deck
  rounds until round == 4:
    rest
    feeding
    start = next(start)
phase rest:
  water += 1
phase feeding:
  turns p from start once each: offer one action to p or pass
action graze(crab c of actor) during feeding:
  require water > 0 because "the shore is dry"
  require can eat(c, 1)
  eat(c, meal)
action play(crab c of actor, card d in actor.hand) during feeding: move d to c.traits
action cast during feeding: throw
action breed during feeding:
  require count(crab c of actor) < 3
  create crab of actor at right
routine eat(crab c, int n):
  require c.weight < 9 because "{c} is full"
  tells "{c} eats {n}"
  c.weight += n + gain(c)
  water -= 1
value gain(crab c) -> int: 0
routine throw:
  tells "the die is cast"
  roll 1d6 as die
routine burst(crab c): c.weight += 100
routine perish(crab c): remove c
routine ask(player p):
  choose colour k by p
  if k == red: water = 7
value score(player p) -> int: p.bag + sum(crab c of p: c.weight)
value tiebreak(player p) -> order: count(crab c of p)
invariant few: water < 50
""",
    "traits/finned.yaml": """\
trait: finned
text: {en: It eats more.}
state: {trips: 0..9}
rules: |
  modify gain(self): + 1
  after eat(self): this.trips += 1
""",
    "traits/shy.yaml": """\
trait: shy
text: {en: It hides.}
rules: |
  forbid eat(self) because "it hides"
""",
}

NOTHING: Mapping[str, str] = {}


def game(folder: Path, more: Mapping[str, str] = NOTHING) -> Path:
    """The game's files in a folder, with others over them."""
    home = folder / "shore"
    for name, text in {**FILES, **more}.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return home


def run(folder: Path, scenarios: str, more: Mapping[str, str] = NOTHING) -> Report:
    """What comes of a file of scenarios, at the game with `more` files."""
    home = game(folder, more)
    path = home / "scenarios" / "some.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(scenarios, encoding="utf-8")
    return run_path(home)


def one(folder: Path, body: str, more: Mapping[str, str] = NOTHING) -> Outcome:
    """What comes of one scenario, given as the lines below its name."""
    lines = "".join(f"    {line}\n" for line in body.strip("\n").split("\n"))
    report = run(folder, f"scenarios:\n  - name: one\n{lines}", more)
    assert [item.message for item in report.mistakes] == [] or not report.outcomes[0].passed, report.mistakes
    return report.outcomes[0]
