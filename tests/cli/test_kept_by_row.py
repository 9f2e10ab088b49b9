"""What a trait's card keeps for each row of a list is told by the names of the rows."""

from __future__ import annotations

from pathlib import Path

import rulelang
from rulelang.presentation.console_output import board_lines
from tests.spec.pages import garden, write

TASTE = """\
trait: taste
text: {en: It remembers what it has eaten.}
state: {tried: {is: bool, of: food}, bites: {is: number, of: food}, asleep: bool}
cards: [{weight: [0, 4]}]
rules: |
  after eat(self, f, n):
    this.tried[f] = true
    this.bites[f] += n
    this.asleep = this.bites[f] > 1
"""


def test_rows_are_named_and_noughts_are_not_told(tmp_path: Path) -> None:
    write(tmp_path, {**garden(), "traits/taste.yaml": TASTE})
    players = {"ana": [{"ada size 5": "taste"}], "bob": [{"ben": "taste 4"}]}
    state = rulelang.load(tmp_path).position({
        "phase": "grazing", "turn": "ana", "state": {"bed_plants": 9}, "players": players,
    })  # fmt: skip
    for move in ("nibble ada", "nibble ben", "nibble ada"):
        state.play(move)
    seen = board_lines(state, 1)
    assert [line.partition("gear: ")[2] for line in seen if "gear: " in line] == [
        "taste (tried leaf, bites leaf 2, asleep)", "taste (tried leaf, bites leaf 1)",
    ]  # fmt: skip
    kept = state.view()["players"][0]["things"]["snail"][0]["zones"]["gear"]["cards"][0]["attributes"]
    assert kept["taste.tried"] == [True, False]
    assert state.view()["indices"]["taste.tried"] == [{"kind": "food", "names": ["leaf", "mushroom"]}]
