"""A small made-up game to check rules in: fish in a line, frogs in pools, cards with traits, tools."""

from __future__ import annotations

import functools
import itertools
import tempfile
from pathlib import Path

from rulelang.base.diagnostics import Diagnostic
from rulelang.base.source import Placement
from rulelang.data.ruleset import load_ruleset
from rulelang.data.ruleset_source import RulesetSource
from rulelang.language.semantics.check.program import check_program, read_rules
from rulelang.language.semantics.declare import declare
from rulelang.language.semantics.model import Model
from rulelang.language.semantics.tree import Origin, Program
from rulelang.language.syntax.nodes import Decl
from rulelang.language.syntax.parse import parse

FILES = {
    "ruleset.yaml": """\
id: pond
version: 1.0.0
language: 1
title: Pond
players: {count: [2, 4], from: start}
options:
  cold: {is: bool, default: false, text: ice}
  mood: {values: [calm, wild], default: calm, text: how the pond is}
files: [things.yaml, game.rules, traits/]
""",
    "things.yaml": """\
numbers: {limit: 3, prices: [1, 2, 3]}
lists:
  food: [plant, meat]
  colour: [red, green]
  light: [green, amber]
  measure: [swim, hop]
  pool: [north, south]
ladders:
  size: [small, medium, large]
cards:
  card:
    columns: {face: trait, food: {is: int, by: copy}}
    rows:
      - {face: finned, food: [1, 2]}
      - {face: shy, food: [3]}
  tool:
    columns: {cost: int, need: {is: condition on measure, counted_by: total}, shows: {is: int, by: measure}}
    rows:
      net: {cost: 2, need: "swim>=1", shows: {swim: 1, hop: 0}}
      rod: {cost: 1, need: "hop>=1", shows: {swim: 0, hop: 2}, copies: 3}
kinds:
  fish:
    of: player
    line: true
    at_most: 9
    attributes:
      weight: {is: 0..9, start: 1}
      size:   {is: size, start: small}
      home:   maybe pool
      sated:  bool
      mark:   maybe int
  frog:
    of: player
    in: pool
    at_most: 9
  player:
    attributes: {bag: number}
zones:
  deck:     {holds: card, seen_by: nobody}
  discards: {holds: card, seen_by: everyone}
  hand:     {of: player, holds: card, seen_by: owner}
  traits:   {of: fish, holds: card, seen_by: everyone, in_force: true}
  rack:     {holds: tool, seen_by: everyone}
  bag_of:   {of: player, holds: tool, seen_by: owner}
tables:
  shoal: {of: [fish, pool], is: 0..9}
state:
  start: player
  water: number
  now: size
""",
    "game.rules": """\
game:
  feeding
phase feeding:
  turns p from start once each: offer one action to p or pass
action graze(fish f of actor) during feeding:
  require can eat(f, plant, 1)
  eat(f, plant, 1)
routine eat(fish f, food kind, int n):
  require hunger(f) > 0
  f.weight += helping(f, kind) + n
routine strike(fish hunter, fish prey): nothing
routine bite(fish f, maybe fish prey)
value hunger(fish f) -> int: 9 - f.weight
value hungry(fish f) -> bool: hunger(f) > 0
value helping(fish f, food kind) -> int: 1
value total(tool t, measure m) -> int: t.shows[m]
value mate(fish f) -> maybe fish: right_of(f)
value score(player p) -> int: p.bag
value tiebreak(player p) -> order: count(fish f of p)
invariant light: all(fish f: f.weight <= 9)
""",
    "traits/finned.yaml": """\
trait: finned
text: {en: It swims well.}
state: {trips: 0..9}
""",
    "traits/shy.yaml": """\
trait: shy
text: {en: It hides.}
pair: mutual
knows: [bold]
""",
}

ORIGINS = {
    "# in a trait": Origin("trait", "finned"),
    "# in a pair": Origin("trait", "shy"),
    "# in a card": Origin("card", "tool", 1),
    "# in a row": Origin("row", "pool", 1),
    "# in a mod": Origin("core", layer=1),
    "# in a second mod": Origin("core", layer=2),
}


@functools.cache
def pond() -> tuple[RulesetSource, Model, tuple[tuple[Origin, tuple[Decl, ...]], ...]]:
    """The game without mistakes, read once."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in FILES.items():
            path = Path(folder) / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        source, found = load_ruleset(folder)
        assert source is not None
        model, more = declare(source)
        texts, still_more = read_rules(source, model)
    mistakes = [*found, *more, *still_more]
    assert not mistakes, mistakes
    return source, model, tuple(texts)


def pieces(text: str) -> list[tuple[Origin, str, tuple[Decl, ...]]]:
    """The parts of an example; a comment `# in a trait` and the like begins a part of another origin."""
    found: list[tuple[Origin, str, tuple[Decl, ...]]] = []
    lines = text.split("\n")
    starts = [0, *(at for at, line in enumerate(lines) if line in ORIGINS and at > 0), len(lines)]
    for begin, end in itertools.pairwise(starts):
        origin = ORIGINS.get(lines[begin], Origin("core"))
        path = "extra.rules" if origin.layer == 0 else f"mod{origin.layer}.rules"
        body = "\n".join(lines[begin:end]) + "\n"
        declarations, mistakes = parse(body, Placement(path, line=begin))
        assert not mistakes.items, list(mistakes)
        found.append((origin, body, declarations))
    return found


def checked(text: str) -> tuple[Program, list[Diagnostic]]:
    """The pond's program with some rules more, and what is wrong with it."""
    _, model, texts = pond()
    extra = tuple((origin, declarations) for origin, _, declarations in pieces(text))
    program, found = check_program(model, (*texts, *extra))
    return program, found.sorted()


def told(text: str) -> list[tuple[str, int, int, int]]:
    """Code, line, column and end column of each diagnostic."""
    return [(d.code, d.span.line, d.span.column, d.span.end_column) for d in checked(text)[1]]


def first(text: str) -> Diagnostic:
    return checked(text)[1][0]
