"""Of equal cards in a hand one reaction is offered, as one action would be; each of them can be played."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.backends.named import BACKENDS
from tests.hooks.small import play, started, told, unoptimised, write

__all__ = ["unoptimised"]
pytestmark = pytest.mark.usefixtures("unoptimised")


THINGS = """\
kinds:
  pawn: {of: player, line: true, at_most: 3, names: [a, b, c, d]}
cards:
  card:
    columns: {face: trait, cost: int}
    rows: [{face: mute, cost: 1, copies: 2}, {face: mute, cost: 2}, {face: horn, cost: 1}]
zones:
  hand: {of: player, holds: card, seen_by: owner, in_force: true}
state: {first_player: player, total: number}
"""
RULES = """\
game:
  for player p: create pawn of p
  for card c in box: move c to first_player.hand
  day
phase day: turns p from first_player once each: offer any actions to p or pass
action go(pawn y) during day: push(y)
routine push(pawn y): total += 1
value score(player p) -> int: 0
value worth(player p) -> int: 0
"""


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("once", "offered"), [("", 2), (" once per turn", 3)])
def test_equal_cards_are_one_reaction(tmp_path: Path, once: str, offered: int, backend: str) -> None:
    mute = f'  may react to push(any){once}:\n    total += 1\n    tells "played"\n'
    files = {
        "things.yaml": THINGS,
        "game.rules": RULES,
        "traits/mute.yaml": "trait: mute\ntext: mute\nrules: |\n" + mute,
        "traits/horn.yaml": "trait: horn\ntext: horn\nrules: |\n  modify worth(owner): + 1\n",
    }
    state = started(write(tmp_path / "pawns", files), backend=backend)
    play(state, "go a")
    assert len(state.decision.options) == offered + 1
    for _ in range(3):
        state.play(state.decision.options[0])
    assert told(state).count("played") == 3
