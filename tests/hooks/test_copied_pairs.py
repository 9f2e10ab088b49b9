"""`copy cards on X` brings a mutual pair of X from either of its ends: to hooks, values, actions and `has` alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hooks.small import started, told, unoptimised, write
from tests.native.machine import needs_compiler

__all__ = ["unoptimised"]

FILES = {
    "things.yaml": """\
kinds:
  knot: {of: player, line: true, at_most: 4, names: [a, d, b, e, c, f], attributes: {model: maybe knot}}
cards:
  card:
    columns: {face: trait, shape: int}
    rows: [{face: tie, shape: 1}, {face: echo, shape: 2}]
zones:
  gear: {of: knot, holds: card, seen_by: everyone, in_force: true}
state: {first_player: player}
""",
    "game.rules": """\
game: tying
phase tying:
  create knot of first_player
  create knot of first_player
  create knot of first_player
  turns p from first_player until all pass in a row: offer one action to p or pass
value score(player p) -> int: 0
value weight(knot x) -> int: 1
action bind(knot x of actor, knot y of actor, knot z of actor, knot source of actor) during tying:
  require x != y and z != x and z != y
  require source == x or source == y
  for card c in box where c.shape == 1: move c to x.gear with y
  for card c in box where c.shape == 2: move c to z.gear
  for knot k of actor: k.model = source
action tug(knot x of actor) during tying: pull(x)
routine swung(knot x, knot y): tells "{x} swings from {y}"
routine pull(knot x): tells "{x} weighs {weight(x)}"
""",
    "traits/tie.yaml": """\
trait: tie
text: It joins two knots.
pair: mutual
rules: |
  after pull(self): tells "{self} tied to {partner}: {self has tie}"
  modify weight(self): + 1 when partner is present
  action swing during tying: swung(self, partner)
""",
    "traits/echo.yaml": "trait: echo\ntext: It copies.\nrules: |\n  copy cards on self.model\n",
}


@pytest.mark.parametrize(
    ("source", "backend"), [("a", "python"), ("b", "python"), pytest.param("b", "native", marks=needs_compiler)]
)
def test_a_pair_is_copied_from_either_end(tmp_path: Path, source: str, backend: str, unoptimised: None) -> None:
    state = started(write(tmp_path / "knots", FILES), backend=backend)

    def play(start: str) -> None:
        (option,) = [o for o in state.decision.options if o.text.startswith(start)]
        state.play(option)

    play(f"bind a b c {source}")
    for knot in "abc":
        play(f"tug {knot}")
    swings = [o for o in state.decision.options if o.text.startswith("swing")]
    assert len(swings) == 3  # one for each of the three that work with the pair
    for number in range(3):
        state.play([o for o in state.decision.options if o.text.startswith("swing")][number])
    assert told(state)[-9:] == [
        "a weighs 2", "a tied to b: true",
        "b weighs 2", "b tied to a: true",
        "c weighs 2", "c tied to b: true",
        "a swings from b", "b swings from a", "c swings from b",
    ]  # fmt: skip
