"""Cards that are moved from a zone to itself stay as they lie, whoever says so and on whatever backend."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulelang
from rulelang.runtime.agents import Random
from tests.cli.helpers import MANIFEST
from tests.native.machine import needs_compiler
from tests.reference.played import agreed
from tests.spec.pages import write

THINGS = """\
zones:
  deck: {holds: coin, seen_by: nobody}
  row:  {holds: coin}
  hand: {of: player, holds: coin, seen_by: owner}
  pile: {of: player, holds: coin, in_force: true}
cards:
  coin:
    columns: {worth: {is: int, by: copy}}
    rows: [{name: penny, worth: [1, 2, 3, 4, 5, 6, 7, 8, 9]}]
"""
RULES = """\
game:
  for coin c: move c to deck
  shuffle deck
  for player p:
    draw 3 from deck to p.hand
    draw 1 from deck to p.pile
  rounds until round == 4: day

phase day:
  draw 2 from deck to deck
  draw 9 from deck to deck
  move all deck to deck
  move all row to bottom of row
  draw 1 from deck to row
  turns p from first(player q) once each: offer one action to p or pass

action turn(player p, player q) during day:
  draw 2 from p.hand to q.hand
  draw 2 from p.pile to q.pile
action gather(player p, player q) during day:
  move all p.hand to bottom of q.hand
  move all p.pile to q.pile

routine stir(player p):
  draw 3 from p.hand to p.hand
  draw 4 from deck to deck
  move all p.hand to bottom of p.hand
  move all p.pile to p.pile
  move all row to row

value held(player p) -> int: sum(coin c in p.hand, coin d in p.hand: c.worth * d.worth) + count(coin c in p.pile)
value score(player p) -> int: held(p) + 10 * count(coin c in deck)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path, {"ruleset.yaml": MANIFEST, "things.yaml": THINGS, "game.rules": RULES})
    return tmp_path


def test_nothing_changes(folder: Path) -> None:
    state = rulelang.load(folder).new(2, 3)
    other = state.clone()
    other.call("stir", [1])
    assert other.hash() == state.hash()


@pytest.mark.parametrize("backend", [pytest.param("native", marks=needs_compiler)])
def test_every_backend_goes_the_same_way(folder: Path, backend: str) -> None:
    game = rulelang.load(folder)
    for seed in range(8):
        one, other = game.new(2, seed), game.new(2, seed, backend=backend)
        agent = Random()
        agent.start(seed)
        while not one.over:
            assert one.hash() == other.hash()
            k = agent.choose(one)
            one.play(k)
            other.play(k)
        assert other.over
        assert [*one.scores] == [*other.scores]


def test_the_definition_says_so(folder: Path) -> None:
    same, lost = agreed(folder, 100)
    assert same > 100
    assert not lost
