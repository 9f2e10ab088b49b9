"""Rulesets of any size, for tests of how the compiler grows: many rules on one event, and long chains of calls."""

from __future__ import annotations

from pathlib import Path

_MANIFEST = """\
id: growing
version: 1.0.0
language: 1
title: {en: Growing}
players: {count: [2, 4], from: start}
files: [things.yaml, game.rules]
"""
_RULES = (
    "after resolve(self): draw {n} from owner.deck to owner.hand",
    """after resolve(self):
  choose card old in owner.hand
  move old to box
  choose card c in supply where c.cost <= old.cost + {n}
  gain(owner, c)""",
    """after resolve(self):
  for player p from next(owner) where p != owner: attacked(p, self)
after attacked(p, self):
  repeat until count(card c in p.hand) <= {n}:
    choose card c in p.hand by p
    move c to p.discards""",
    """may react to attacked(p, any) when p == owner and this in owner.hand:
  tells "{{owner}} shows it"
  stop""",
    """after gain(p, self):
  if p.coins > {n} and count(card c in p.hand where c.cost > {n}) > 1: p.coins += 1""",
)
_GAME = """\
game: rounds until round == 2: playing
phase playing: turns p from start once each: offer any actions to p or pass
action buy(card c in supply where c.cost <= actor.coins) during playing:
  move c to actor.played
  resolve(c)
routine resolve(card c)
routine attacked(player p, card c)
routine gain(player p, card c): move c to p.discards
value score(player p) -> int: sum(card c in p.hand + p.discards: c.cost)
"""
_THINGS = """\
kinds: {player: {attributes: {coins: number}}}
zones:
  supply:   {holds: card, seen_by: everyone, in_force: true}
  deck:     {of: player, holds: card, seen_by: nobody, refilled_from: discards}
  hand:     {of: player, holds: card, seen_by: owner, in_force: true}
  played:   {of: player, holds: card, seen_by: everyone, in_force: true}
  discards: {of: player, holds: card, seen_by: everyone}
state: {start: player}
cards:
  card:
    columns: {cost: 0..8}
    rows:
"""


def deck_builder(folder: Path, rows: int) -> Path:
    """A game with so many cards, each with a rule of its own on the same few events."""
    things = _THINGS
    for k in range(rows):
        rule = _RULES[k % len(_RULES)].format(n=k % 3 + 1).replace("\n", "\n          ")
        things += f"      card{k}:\n        cost: {k % 8}\n        rules: |\n          {rule}\n"
    return _written(folder, _GAME, things)


def hooked(folder: Path, hooks: int) -> Path:
    """A game in which so many rules follow upon one event, each with a guard and a variable of its own."""
    rules = "".join(
        f"after resolve(c) when c.cost != {k % 8}:\n  let n = c.cost + {k}\n  start.coins += n\n" for k in range(hooks)
    )
    return _written(folder, _GAME + rules, _THINGS + "      card: {cost: 2}\n")


def chain(folder: Path, kind: str, length: int) -> Path:
    """A game in which each of so many routines, requirements or values rests on the next; `asking` ends in a choice."""
    things = "kinds: {player: {attributes: {points: int}}}\nstate: {start: player}\n"
    step, last, game = {
        "routine": ("routine r{k}(int n): r{j}(n + 1)", "routine r{k}(int n): for player p: p.points = n", "r0(0)"),
        "can": ("routine r{k}: require can r{j}", "routine r{k}: require start.points == 0", "if can r0: gift"),
        "value": ("value w{k}(int n) -> int: w{j}(n) + 1", "value w{k}(int n) -> int: n", "gift"),
        "loop": (
            "value w{k}(int n) -> int: sum(player p where p == start: w{j}(n) + 1)",
            "value w{k}(int n) -> int: n",
            "gift",
        ),
        "asking": (
            "routine r{k}(int n): r{j}(n + 1)",
            "routine r{k}(int n):\n  choose player p by start\n  for player q: q.points = n",
            "r0(0)",
        ),
    }[kind]
    lines = [f"game: {game}", "value score(player p) -> int: p.points"]
    lines += [step.format(k=k, j=k + 1) for k in range(length)] + [last.format(k=length)]
    if kind not in ("routine", "asking"):
        points = "w0(0)" if kind != "can" else str(length)
        lines.append(f"routine gift: for player p: p.points = {points}")
    return _written(folder, "\n".join(lines) + "\n", things)


def nested(folder: Path, kind: str, depth: int) -> Path:
    """A game in which so many loops, decisions or arguments stand in each other; at its end `score` is 1."""
    heads = {
        "loops": "{indent}for player p{k} where p{k} == start:\n",
        "repeats": "{indent}repeat 1 times:\n",
        "decisions": "  choose player p{k} where p{k} == start by start\n",
        "arguments": "",
    }
    inner = depth + 1 if kind in ("loops", "repeats") else 1
    body = "".join(heads[kind].format(k=k, indent="  " * (k + 1)) for k in range(depth))
    names = [f"p{k}" for k in range(depth)] if kind in ("loops", "decisions") else ["start"] * depth
    gift = ", ".join(f"1 + {name}.points" for name in names)
    body += "  " * inner + f"start.points = {f'max({gift})' if depth > 1 else gift}\n"
    things = "kinds: {player: {attributes: {points: int}}}\nstate: {start: player}\n"
    return _written(folder, f"game: go\nvalue score(player p) -> int: p.points\nroutine go:\n{body}", things)


def _written(folder: Path, rules: str, things: str) -> Path:
    folder.mkdir()
    (folder / "ruleset.yaml").write_text(_MANIFEST)
    (folder / "things.yaml").write_text(things)
    (folder / "game.rules").write_text(rules)
    return folder
