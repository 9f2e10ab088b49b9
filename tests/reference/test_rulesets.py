"""Small rulesets of what the shipped ones have little of, followed by the reference: each once went wrong."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from rulelang.api import load
from tests.native.machine import needs_compiler
from tests.reference.played import compared, game_of, games

MANIFEST = """\
id: small
version: 1.0.0
language: 1
title: {en: Small}
players: {count: [2, 2], play: clockwise, from: start}
files: [things.yaml, small.rules]
"""

THINGS = """\
kinds:
  snail:
    of: player
    line: true
    at_most: 4
    attributes: {size: {is: 0..9, start: 1, clamp: true}, luck: maybe int, friend: maybe snail}
cards:
  card: {columns: {weight: int}, rows: [{weight: 1, copies: 2}, {weight: 2}, {weight: 3}]}
zones:
  deck: {holds: card, seen_by: nobody}
  pile: {holds: card, seen_by: everyone}
  hand: {of: player, holds: card, seen_by: owner}
  shell: {of: snail, holds: card, seen_by: everyone}
state: {start: player, pool: {is: maybe int}, n: int, leader: maybe snail}
"""

FLOW = """\
game:
  for card c: move c to deck
  shuffle deck
  for player p:
    create snail of p
    create snail of p
    draw 1 from deck to p.hand
  rounds until round == 2: go
phase go:
  turns p from start once each: offer any actions to p or pass
action grow(snail s) during go once per turn: s.size += 4
value score(player p) -> int: count(snail s of p)
"""

MISSING_NUMBERS = """\
value largest(player p) -> maybe int: max(snail s of p where s.size > 4: s.size)
value beside(snail s) -> maybe int: left_of(s).luck
action keep during go once per turn:
  pool = largest(actor)
  n += count(largest(actor) is missing, largest(actor) == none, pool == none, pool != none)
action lucky(snail s) during go once per turn: s.luck = s.size
action compare(snail s) during go once per turn:
  n += count(s.luck is missing, s.luck == none, s.luck == pool, s.luck != pool, beside(s) == none, beside(s) == 0)
  pool = beside(s)
  tells "{s} is beside {beside(s)}"
action read(snail s) during go once per turn: tells "beside {s} is one of size {left_of(s).size}"
"""

MISSING_PARTS = """\
value least(snail s) -> int: min(s.luck, left_of(s).luck) otherwise 7
value both(snail s) -> int: s.luck + s.size otherwise 2
value less(snail s) -> int: -(s.luck) otherwise 3
modify both(s): + s.luck
action lucky(snail s) during go once per turn: s.luck = s.size
action add(snail s) during go once per turn:
  n += least(s) + both(s) + less(s)
  let m = (s.luck * 2 otherwise 1)
  tells "{s} has {m}"
action more(snail s) during go once per turn: s.size += (max(left_of(s).luck, 2) otherwise 1)
"""

MISSING_AMOUNTS = """\
action lucky(snail s) during go once per turn: s.luck = s.size
action add(snail s) during go once per turn:
  s.size += s.luck
  n -= s.luck + 1
  s.luck += 1
  pool += 1
  pool = s.luck + 1
action often(snail s) during go once per turn:
  repeat s.luck times: n += 1
  for int k from 1 to s.luck: n += k
  draw s.luck from deck to actor.hand
action largest during go once per turn:
  n += (max(snail s: s.luck) otherwise 3) + (min(snail s: left_of(s).luck + 1) otherwise 2)
  n += sum(snail s: (s.luck + 2 otherwise 1))
action up_to(int k from 1 to first(snail s).luck) during go once per turn: n += k
"""

NONE_AND_ORDERS = """\
value chosen(snail s) -> maybe snail: s
modify chosen(s): = none when s.size > 4
value rank(snail s) -> order: s.size then n
modify rank(s): = 3 when s == left_of(leader)
modify rank(s): = 3 then n then s.size when s == leader
action lead(snail s) during go once per turn:
  leader = chosen(s)
  n += count(chosen(s) is missing)
action list during go once per turn:
  for snail s with most rank(s): tells "most {s}"
  for snail s sorted by least rank(s): tells "then {s}"
  for snail s where (rank(s) > rank(leader) or rank(s) == rank(leader)): n += 1
"""

ORDERS_OF_DIFFERENT_LENGTH = """\
value rank(snail s) -> order:
  if s.size > 8: s.size then n then 2
  elif s.size > 4: n
  else: s.size then (s.luck otherwise 2)
modify rank(s): = 2 then s.size then 1 then n when s == leader
value nested(snail s) -> order: (rank(s) if n > 1 else s.size) then s.number
value placed(snail s) -> order:
  if s.size > 4: -s.number
  else: (0 if n > 2 else s.number then n) then (0 - n if s.number > 1 else rank(s))
value tiebreak(player p) -> order:
  if n > 3: (nested(leader) otherwise n) then 1
  elif p == start: n
  else: (rank(leader) if leader.size > 1 else n then 0 then 2) otherwise n then 3
action lead(snail s) during go once per turn: leader = s
action lucky(snail s) during go once per turn: s.luck = s.size - 3
action list during go once per turn:
  n += 1
  for snail s with most rank(s): tells "most {s}"
  for snail s with least nested(s): tells "least nested {s}"
  for snail s sorted by most nested(s) then least placed(s): tells "nested {s}"
  for snail s with most (0 if s.size > 4 else s.number then n): tells "key {s}"
  for snail s sorted by least (n then 1 if s.size > 4 else placed(s)): tells "placed {s}"
  for snail s where rank(s) > rank(leader): n += 1
  for snail s where nested(s) <= placed(s): n += 1
  for snail s where rank(s) == (n if s.size > 4 else s.size then 0 then n): n += 1
"""

MISSING_KEYS = """\
value beside(snail s) -> maybe int: left_of(s).luck
action lucky(snail s) during go once per turn: s.luck = s.size - 3
action list during go once per turn:
  for snail s sorted by least s.luck: tells "least {s}"
  for snail s sorted by most s.luck then least s.size: tells "most {s}"
  for snail s with most s.luck: tells "with most {s}"
  for snail s with least s.luck: tells "with least {s}"
  for snail s sorted by least left_of(s).luck: tells "least beside {s}"
  for snail s sorted by most left_of(s).size: tells "most beside {s}"
  for snail s with most left_of(s).size: tells "with most beside {s}"
  for snail s with least left_of(s).size - 9: tells "with least beside {s}"
  for snail s sorted by most (s.luck + 1): tells "one more {s}"
  for snail s sorted by most -(s.luck): tells "less {s}"
  for snail s sorted by most beside(s): tells "value {s}"
"""

MOVED = """\
action hands_under during go once per turn: move all hand to bottom of deck
action shells_under during go once per turn: move all shell to bottom of pile
action shell_under(snail s) during go once per turn: move all s.shell to bottom of deck
action on_top during go once per turn: move all shell to pile
action give(snail s) during go once per turn:
  draw 2 from deck to s.shell
  draw 1 from deck to actor.hand
action mix(snail s) during go once per turn: shuffle s.shell
"""


ROLLED = """\
action throw(snail s) during go once per turn: roll 1d6 as s.size
action wish(snail s) during go once per turn:
  roll 2d6 as s.luck
  roll 1d6 as left_of(s).luck
  roll (s.luck) d2 as left_of(s).size
action guess(snail s) during go once per turn:
  roll 1d6 as k
  keep(s, k)
  roll 2d6 as pool
routine keep(snail s, int k): s.size = k + 1
"""


@pytest.mark.parametrize(
    "rules",
    [
        MISSING_NUMBERS,
        MISSING_PARTS,
        MISSING_AMOUNTS,
        MISSING_KEYS,
        NONE_AND_ORDERS,
        ORDERS_OF_DIFFERENT_LENGTH,
        MOVED,
        ROLLED,
    ],
    ids=["missing", "parts", "amounts", "keys", "none", "orders", "moved", "rolled"],
)
def test_small_rulesets(rules: str, tmp_path: Path) -> None:
    game = game_of(written(rules, tmp_path))
    assert sum(1 for _ in games(game, 150)) == 150
    assert compared(game)[1] == 0


@pytest.mark.parametrize("backend", [pytest.param("native", marks=needs_compiler)])
def test_what_is_missing_is_put_in_the_same_order_everywhere(backend: str, tmp_path: Path) -> None:
    """The least word has no negative: in C most came before all."""
    game = load(written(MISSING_KEYS, tmp_path))
    told = []
    for other in ("python", backend):
        state, chance = game.new(2, 1, backend=other), random.Random(3)
        while not state.over:
            state.play(chance.randrange(state.option_count))
        told.append([event.text for event in state.log])
    assert told[0] == told[1]
    assert "most beside snail 1" in told[0]


def written(rules: str, folder: Path) -> Path:
    for name, text in {"ruleset.yaml": MANIFEST, "things.yaml": THINGS, "small.rules": FLOW + rules}.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize("backend", [pytest.param("native", marks=needs_compiler)])
def test_orders_of_different_length_are_compared_in_the_same_way_everywhere(backend: str, tmp_path: Path) -> None:
    game = load(written(ORDERS_OF_DIFFERENT_LENGTH, tmp_path))
    logged = []
    for other in ("python", backend):
        ends = []
        for seed in range(8):
            state, chance = game.new(2, seed, backend=other), random.Random(seed)
            while not state.over:
                state.play(chance.randrange(state.option_count))
            ends.append(([event.text for event in state.log], state.scores, state.winners))
        logged.append(ends)
    assert logged[0] == logged[1]
    assert any("nested snail 1" in log for log, *_ in logged[0])
