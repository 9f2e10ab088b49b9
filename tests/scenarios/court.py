"""A small game whose cards work where they lie on nothing: in hands, in a hall, on a table; and scenarios for it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from rulelang.testing.scenarios.run import Runner
from rulelang.testing.scenarios.scenario import outcome_lines

BASE = {
    "ruleset.yaml": """\
id: court
version: 1.0.0
language: 1
title: Court
players: {count: [2, 3], from: start}
files: [things.yaml, game.rules, traits/]
""",
    "things.yaml": """\
kinds: {player: {attributes: {points: int, purse: number}}}
lists: {room: [cellar, attic]}
cards: {card: {columns: {face: trait}, rows: []}}
zones:
  deck:  {holds: card, seen_by: nobody}
  chest: {of: player, holds: card, seen_by: owner}
  hand:  {of: player, holds: card, seen_by: owner, in_force: true, playable: true, played_to: heap}
  hall:  {of: player, holds: card, seen_by: everyone, in_force: true}
  table: {holds: card, seen_by: everyone, in_force: true}
  store: {of: room, holds: card, seen_by: everyone, in_force: true}
  heap:  {holds: card, seen_by: everyone}
state: {start: player, noise: number}
""",
    "game.rules": """\
game:
  for card c: move c to deck
  rounds until round == 9: acting
phase acting:
  turns p from start once each: offer any actions to p or pass
routine strike(card c)
routine greet(player p): p.points += 10
routine discard(card c): move c to heap
routine drop(player p):
  for card c in p.hand + p.hall + p.chest: discard(c)
routine shelve(player p):
  for card c in p.hand: move c to store of attic
routine ring: noise += 1
value worth(card c) -> int: 1
value income(player p) -> int: 0
value score(player p) -> int: p.points
action call(card c in actor.hand) during acting:
  require can strike(c)
  strike(c)
action wait during acting:
  require can greet(actor)
  greet(actor)
""",
}


def trait(name: str, rules: str, *, copies: int = 5, more: str = "") -> dict[str, str]:
    """The file of a trait."""
    body = "".join(f"  {line}\n" for line in rules.strip().splitlines())
    text = f"trait: {name}\ntext: {{en: It is {name}.}}\ncards: [{{copies: {copies}}}]\n{more}rules: |\n{body}"
    return {f"traits/{name}.yaml": text}


def given(**players: str) -> str:
    """A position during `acting`, ana's turn; the keys are players, or `zones` for those of the game."""
    zones = players.pop("zones", "")
    lines = "".join(f"    {name}: {{{text}}}\n" for name, text in {"ana": "", "bob": "", **players}.items())
    return f"  given:\n    phase: acting\n    turn: ana\n    players:\n{lines.replace('    ', '      ')}" + (
        f"    zones: {{{zones}}}\n" if zones else ""
    )


def failures(files: Mapping[str, str], scenarios: str, folder: Path, backend: str,
             patch: pytest.MonkeyPatch) -> list[str]:  # fmt: skip
    """What is wrong with scenarios of such a ruleset on a backend; its mistakes, if it has any."""
    for name, text in {**files, "scenarios/all.yaml": scenarios}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    runner = Runner(folder, backend=backend)
    found = [f"{m.span}: {m.code}: {m.message}" for m in runner.diagnostics]
    for scenario in runner.scenarios:
        outcome = runner.run(scenario)
        found += [] if outcome.passed else [f"{backend}: {scenario.id}", *outcome_lines(outcome, runner.sources)]
    assert runner.scenarios or found
    return found
