"""What is printed on a shipped map, at the beginning of a game, and on cards in a hand."""

from __future__ import annotations

import random

import pytest

import rulelang
from rulelang.presentation.console_output import board_lines
from rulelang.presentation.view import document
from rulelang.presentation.view.sheet import maps, words

EMPTY = """\
  map of spaces
  arctic    +a1 island----+b1 open water+c1 island----+d1 land------+e1 island----+f1 open water+
            |             |             |             |             |             |             |
  temperate +a2 land------+b2 island----+c2 open water+d2 island----+e2 island----+f2 land------+
            |             |             |             |             |             |             |
  tropical  +a3 island----+b3 land------+c3 island----+d3 open water+e3 island----+f3 island----+
            |             |             |             |             |             |             |
  tropical  +a4 open water+b4 island----+c4 land------+d4 island----+e4 open water+f4 island----+
            |             |             |             |             |             |             |
  temperate +a5 island----+b5 island----+c5 land------+d5 open water+e5 island----+f5 land------+
            |             |             |             |             |             |             |
  arctic    +a6 open water+b6 land------+c6 island----+d6 island----+e6 land------+f6 open water+
            |             |             |             |             |             |             |
            +-------------+-------------+-------------+-------------+-------------+-------------+"""

BRIEF = """\
  map of spaces: I island, O open water, L land
  arctic    +a1 I----+b1 O----+c1 I----+d1 L----+e1 I----+f1 O----+
            |        |        |        |        |        |        |
  temperate +a2 L----+b2 I----+c2 O----+d2 I----+e2 I----+f2 L----+
            |        |        |        |        |        |        |
  tropical  +a3 I----+b3 L----+c3 I----+d3 O----+e3 I----+f3 I----+
            |        |        |        |        |        |        |
  tropical  +a4 O----+b4 I----+c4 L----+d4 I----+e4 O----+f4 I----+
            |        |        |        |        |        |        |
  temperate +a5 I----+b5 I----+c5 L----+d5 O----+e5 I----+f5 L----+
            |        |        |        |        |        |        |
  arctic    +a6 O----+b6 L----+c6 I----+d6 I----+e6 L----+f6 O----+
            |        |        |        |        |        |        |
            +--------+--------+--------+--------+--------+--------+"""


def start(map_: str, columns: int) -> list[str]:
    """The map of EVOLVED with nothing on it."""
    shown = document(rulelang.load("evolved").new(2, 7, options={"map": map_}))
    for table in shown["tables"]:
        table["cells"] = []
    return [words(line) for line in maps(shown, columns)]


def test_ground_and_belt_are_on_the_map() -> None:
    assert start("rodinia", 100) == EMPTY.split("\n")


def test_a_narrow_terminal_has_short_forms() -> None:
    assert start("rodinia", 70) == BRIEF.split("\n")


@pytest.mark.parametrize(("map_", "space", "ground"), [("rodinia", "b1", "open_water"), ("pangaea", "b1", "island")])
def test_the_view_has_the_chosen_map(map_: str, space: str, ground: str) -> None:
    view = rulelang.load("evolved").new(2, 7, options={"map": map_}).view(1)
    printed = {cell["name"]: cell["printed"] for cell in view["grids"]["space"]["spaces"]}
    assert printed[space] == {"belt": "arctic", "ground": ground}
    assert len(printed) == view["grids"]["space"]["width"] * view["grids"]["space"]["height"] == 36


def test_what_does_not_tell_cards_apart_is_not_shown() -> None:
    """`tells_apart: false`: of equal cards nobody asks which print it is."""
    state = rulelang.load("origin_of_species").new(2, seed=3)
    hand = state.view(1)["players"][0]["zones"]["hand"]["cards"]
    assert all(card["alike"] == ["set"] and card["printed"]["set"] for card in hand)
    assert "set" not in "\n".join(board_lines(state, 1))


def test_a_score_that_a_fact_tells_is_not_told_twice() -> None:
    """While a game goes on, one shows the points so far; at its end these are the score."""
    state, luck = rulelang.load("darwins_choice").new(2, seed=4), random.Random(1)
    while not state.over:
        state.play(luck.randrange(state.option_count))
    heads = [line for line in board_lines(state, None, 200) if line.startswith(("ana", "bob"))]
    assert max(state.scores) > 0
    for head, score in zip(heads, state.scores, strict=True):
        assert head.count(f"{score} point") == 1, head
