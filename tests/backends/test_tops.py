"""`top` and `bottom` of a zone, however the zone is kept: the cards that a view shows there, on both backends."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import rulelang
from rulelang.runtime.state import State
from tests.cli.helpers import MANIFEST
from tests.native.machine import needs_compiler

FILES = {
    "ruleset.yaml": MANIFEST,
    "things.yaml": """
cards: {card: {rows: [a, b, c, d, e, f]}}
kinds:
  heap: {of: player, at_most: 1, attributes: {up: maybe card, down: maybe card}}
  player: {attributes: {up: maybe card, down: maybe card}}
state: {up: maybe card, down: maybe card}
zones:
  pile: {holds: card, seen_by: everyone}
  hand: {of: player, holds: card, seen_by: everyone}
  lying: {of: heap, holds: card, seen_by: everyone}
""",
    "game.rules": """
game:
  for player p: create heap of p
  for card c: move c to pile
  shuffle pile
  note
  rounds until round == 8: moving
phase moving: turns p from first(player q) once each: offer one action to p
action up during moving:
  require pile is not empty
  move top(pile) to actor.hand
action down during moving:
  require bottom(pile) is present
  move bottom(pile) to bottom of actor.hand
action lay(heap h) during moving:
  require top(actor.hand) is present
  move top(actor.hand) to h.lying
action lift(heap h) during moving:
  require not h.lying is empty
  move bottom(h.lying) to bottom of pile
action rest during moving: nothing
after up, down, lay(any), lift(any), rest: note
routine note:
  up = top(pile)
  down = bottom(pile)
  for player p:
    p.up = top(p.hand)
    p.down = bottom(p.hand)
  for heap h:
    h.up = top(h.lying)
    h.down = bottom(h.lying)
value score(player p) -> int: 0
""".replace("require pile is not empty", "require not pile is empty"),
}


def ends(zone: dict[str, object], kept: dict[str, object]) -> None:
    cards = [card["label"] for card in zone["cards"]]  # type: ignore[attr-defined]
    assert [kept["down"], kept["up"]] == ([cards[0], cards[-1]] if cards else [None, None])


def agree(state: State) -> None:
    view = state.view(1)
    ends(view["zones"]["pile"], view["state"])
    for player in view["players"]:
        ends(player["zones"]["hand"], player["attributes"])
        for heap in player["things"]["heap"]:
            ends(heap["zones"]["lying"], heap["attributes"])


@pytest.mark.parametrize("backend", ["python", pytest.param("native", marks=needs_compiler)])
def test_the_ends_of_zones(tmp_path: Path, backend: str) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    game = rulelang.load(tmp_path)
    for seed in range(6):
        state, choose = game.new(2, seed, backend=backend), Random(seed)
        while not state.over:
            agree(state)
            state.play(choose.randrange(state.option_count))
        agree(state)
