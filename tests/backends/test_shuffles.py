"""The log tells that cards are shuffled, and what a draw that finds too few does first; alike on all backends, and as
the definition has it."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulelang
from rulelang.data.schema import schema_problems
from rulelang.presentation.story import Story
from rulelang.runtime.agents import Random
from rulelang.runtime.game import Game
from rulelang.runtime.state import State
from tests.cli.helpers import MANIFEST
from tests.native.machine import needs_compiler
from tests.reference.played import agreed
from tests.spec.pages import write

THINGS = """\
kinds:
  barrow: {of: player, at_most: 2, names: [cart, sled]}
zones:
  deck:     {holds: coin, seen_by: nobody, refilled_from: discards}
  discards: {holds: coin}
  purse:    {of: player, holds: coin, seen_by: owner, refilled_from: heap}
  heap:     {of: player, holds: coin}
  load:     {of: barrow, holds: coin}
cards:
  coin:
    columns: {worth: {is: int, by: copy}}
    rows: [{name: penny, worth: [1, 2, 3, 4, 5, 6, 7]}]
state: {lead: player}
"""
RULES = """\
game:
  for coin c: move c to deck
  choose player p at random: lead = p
  shuffle deck
  shuffle discards
  for player p:
    create barrow b of p
    draw 1 from deck to b.load
    draw 1 from deck to b.load
    shuffle b.load
    draw 1 from deck to p.purse
  rounds until round == 3: day

phase day:
  for player p: toss(p)
  turns p from lead until all pass in a row: offer one action to p or pass

action fetch during day once per turn:
  for barrow b of actor: draw 2 from actor.purse to b.load
  for barrow b of actor: move all b.load to discards

action spend(coin c in actor.purse) during day once per turn:
  move c to actor.heap
  for barrow b of actor: draw 2 from actor.purse to b.load

routine toss(player p):
  tells "{p} tosses"
  move all p.purse to discards
  draw 3 from deck to p.purse
value score(player p) -> int: count(coin c in p.purse)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path, {"ruleset.yaml": MANIFEST, "things.yaml": THINGS, "game.rules": RULES})
    return tmp_path


def played(game: Game, backend: str) -> State:
    state, agent = game.new(2, 3, backend=backend), Random()
    agent.start(1)
    while not state.over:
        state.play(agent.choose(state))
    return state


def test_shuffles_and_refills_are_told(folder: Path) -> None:
    state = played(rulelang.load(folder), "python")
    told = [event.text for event in state.log if event.what == "shuffle"]
    assert told[:3] == [
        "the deck is shuffled",
        "cart's load is shuffled",
        "sled's load is shuffled",
    ]  # none lies in discards
    assert "the deck is refilled with 1 shuffled card from the discards" in told
    assert any("'s purse is refilled with " in line and line.endswith("'s heap") for line in told)


def test_a_refill_is_told_before_the_draw_goes_on(folder: Path) -> None:
    state = played(rulelang.load(folder), "python")
    for event in state.log:
        if event.name == "refill":
            to, number, from_ = event.args
            inside = [change for change in state.log.changes if change.parent == event.number]
            moved = [change for change in inside if (change.origin, change.target) == (from_, to)]
            assert [change.count for change in moved] == [number]
    data = state.log.data()
    assert schema_problems("log", data) == []
    assert all({"zone", "from"} <= {*one} for one in data["entries"] if one.get("name") == "refill")
    assert not [line for line in Story().news(state) if "from the discards to the deck" in line]  # no fact twice


@pytest.mark.parametrize("backend", [pytest.param("native", marks=needs_compiler)])
def test_every_backend_tells_the_same(folder: Path, backend: str) -> None:
    game = rulelang.load(folder)
    one, other = played(game, "python"), played(game, backend)
    assert [*map(str, one.log)] == [*map(str, other.log)]
    assert one.log.data() == other.log.data()


def test_the_definition_tells_the_same(folder: Path) -> None:
    same, lost = agreed(folder, 150)
    assert same > 150
    assert not lost


def test_other_languages_tell_it(folder: Path) -> None:
    for code in ("zh", "ja"):  # a game speaks the languages that it has a catalogue for
        write(folder, {f"lang/{code}.yaml": "texts: {}\n"})
    game = rulelang.load(folder)
    state = played(game, "python")
    for code in ("zh", "ja"):
        told = [event.text for event in state.spoken(game.language(code)).log if event.what == "shuffle"]
        assert told
        assert not [line for line in told if "shuffle" in line or "refill" in line]
