"""Maps of grids in the terminal: from documents alone, cell by cell."""

from __future__ import annotations

import random
from typing import Any, cast

import pytest

import rulelang
from rulelang.base.terminal import display_width
from rulelang.presentation.console import watch_game
from rulelang.presentation.console_output import BoardText, map_lines
from rulelang.presentation.view import Document
from rulelang.presentation.view import grid_map as boards
from rulelang.presentation.view.pieces import cut_text, padded_text, short_forms
from rulelang.presentation.view.sheet import maps, words
from rulelang.runtime.state import State

SPACES = [f"{x}{y}" for y in (1, 2) for x in "abc"]
GROUND = ["rock", "sand", "reef", "rock", "rock", "salt_marsh"]


def fact(of: str, name: str, value: str) -> dict[str, Any]:
    said = value.replace("_", " ")
    told = {"label": name, "text": said, "phrase": said, "value": f"{name}:{value}", "quiet": False}
    return {"id": f"{of}.{name}", "name": name, "kind": "reference", **told}


def thing(kind: str, name: str, index: int, place: str | None = None) -> dict[str, Any]:
    number = (index - 1) % 3 + 1
    placed = f"tile:{place}" if place else None
    return {"id": f"{kind}:{index}", "kind": kind, "label": name, "number": number, "place": placed}


def table(name: str, of: list[str], *cells: tuple[list[str], int]) -> dict[str, Any]:
    told = [
        {"id": "/".join([name, *at]), "at": at, "labels": [part.split(":")[1] for part in at], "value": value}
        for at, value in cells
    ]
    return {"name": name, "label": name, "of": of, "cells": told}


def shore(names: tuple[str, str] = ("Ana", "Alf"), grounds: list[str] = GROUND, **changes: Any) -> Document:
    """The part of a document that a map is drawn from: a shore of three by two tiles."""
    belts = ["cold"] * 3 + ["warm"] * 3
    spaces = [
        {
            "id": f"tile:{name}",
            "label": name,
            "facts": [fact(f"tile:{name}", "belt", belt), fact(f"tile:{name}", "ground", ground)],
            "kept": [],
            "zones": [],
        }
        for name, belt, ground in zip(SPACES, belts, grounds, strict=True)
    ]
    of_crab = ["crab", "tile"]
    crabs = [(["crab:1", "tile:b1"], 2), (["crab:4", "tile:b1"], 12), (["crab:4", "tile:a2"], 1)]
    huts = {"kind": "hut", "things": [thing("hut", "hut 2", 2, "c2")]}
    players = [
        {"label": names[0], "seat": 1, "groups": [{"kind": "crab", "things": [thing("crab", "pincer", 1)]}]},
        {"label": names[1], "seat": 2, "groups": [{"kind": "crab", "things": [thing("crab", "nipper", 4)]}, huts]},
    ]
    shown = {
        "players": players,
        "nobody": [],
        "grids": [{"name": "tile", "label": "tiles", "width": 3, "height": 2, "spaces": spaces}],
        "tables": [
            table("crabs", of_crab, *crabs),
            table("hurt", of_crab, (["crab:4", "tile:b1"], 3)),
            table("fish", ["tile"], (["tile:c1"], 7)),
        ],
        **changes,
    }
    return cast(Document, shown)


def drawn(shown: Document, columns: int) -> list[str]:
    return [words(line) for line in maps(shown, columns)]


WIDE = """\
  map of tiles
  An Ana, Al Alf; An1 pincer 2: Ana's pincer, crabs: 2; h: hurt
  cold +a1 rock----------+b1 sand----------+c1 reef----------+
       |                 |An1 pincer 2     |fish 7           |
       |                 |Al1 nipper 12 h:3|                 |
  warm +a2 rock----------+b2 rock----------+c2 salt marsh----+
       |Al1 nipper 1     |                 |Al2 hut 2        |
       +-----------------+-----------------+-----------------+"""

PARTS = """\
  map of tiles: Ro rock, San sand,
      Re reef, Sal salt marsh
  An Ana, Al Alf; An1 pincer 2:
      Ana's pincer, crabs: 2; h:
      hurt
  cold +a1 Ro-----+b1 San----+
       |          |An1 pin. 2|
       |          |Al1 12 h:3|
  warm +a2 Ro-----+b2 Ro-----+
       |Al1 nip. 1|          |
       +----------+----------+
  cold +c1 Re-----+
       |fish 7    |
  warm +c2 Sal----+
       |Al2 hut 2 |
       +----------+"""


def test_a_map_in_full() -> None:
    assert drawn(shore(), 100) == WIDE.split("\n")


def test_a_map_in_parts_and_short_forms() -> None:
    assert drawn(shore(), 34) == PARTS.split("\n")


def test_what_a_map_shows_is_not_listed_again() -> None:
    assert boards.mapped_tables(shore()) == {"crabs", "hurt", "fish"}
    deep = shore(tables=[table("crabs", ["crab", "crab", "tile"])])
    assert boards.mapped_tables(deep) == set()


def test_no_grid_no_map() -> None:
    assert maps(shore(grids=[])) == []


@pytest.mark.parametrize("columns", [100, 60, 46, 40, 30, 20])
@pytest.mark.parametrize("names", [("Ana", "Alf"), ("安娜", "鮑勃")])
def test_all_lines_of_a_map_fit_and_end_together(columns: int, names: tuple[str, str]) -> None:
    grounds = ["岩", "砂浜", "reef", "岩", "岩", "salt_marsh"]
    lines = drawn(shore(names, grounds), columns)
    edged = [line for line in lines if line.endswith(("+", "|"))]
    assert all(display_width(line) <= columns for line in lines)
    assert len({display_width(line) for line in edged}) <= 2, "every part of a map has one right edge"


def test_a_cell_writes_east_asian_names_in_their_columns() -> None:
    view = shore(("安娜", "鮑勃"), ["岩", "砂浜", "岩", "岩", "岩", "岩"])
    lines = drawn(view, 100)
    assert "  cold +a1 岩------------+b1 砂浜----------+c1 岩------------+" in lines
    assert "       |                 |安1 pincer 2     |fish 7           |" in lines


def test_short_forms() -> None:
    assert short_forms(["Ana", "Alf", "Bob"]) == {"Ana": "An", "Alf": "Al", "Bob": "B"}
    assert short_forms(["land", "landing", "sea"]) == {"land": "Land", "landing": "Landi", "sea": "S"}
    assert cut_text("caprella", 6) == "capre."
    assert padded_text("砂", 4, "-") == "砂--"
    assert display_width(cut_text("砂浜砂浜", 6)) <= 6


# ---- the shipped game with a grid


def evolved(choices: int) -> State:
    """EVOLVED after some random choices."""
    state = rulelang.load("evolved").new(4, 7, ["Ana", "Bob", "Cleo", "Dan"])
    luck = random.Random(1)
    for _ in range(choices):
        state.play(luck.randrange(state.option_count))
    return state


def test_every_population_stands_on_the_map() -> None:
    state = evolved(150)
    view = state.view(None)
    text = "\n".join(map_lines(state, None, 100))
    counted = sum(1 for species in view["tables"]["population"] for number in species if number)
    living = [s for player in view["players"] for s in player["things"]["species"]]
    assert counted > 10
    assert all(f"{s['number']} {s['name'][:3]}" in text for s in living)
    cells = [cell for line in text.split("\n") if line.strip().startswith("|") for cell in line.split("|")[1:-1]]
    assert sum(1 for cell in cells if cell.strip()) == sum(1 for cell in cells if cell[:1] in "ABCD") >= counted


@pytest.mark.parametrize("columns", [60, 80, 100, 140])
def test_the_table_fits_its_columns(columns: int) -> None:
    assert all(display_width(line) <= columns for line in map_lines(evolved(150), 1, columns))


def test_a_map_that_has_not_changed_is_not_drawn_again() -> None:
    state, board = evolved(20), BoardText(1)
    map_ = "\n".join(map_lines(state, 1, 100))
    assert map_ in "\n".join(board.whole(state))
    drawn = 0
    for _ in range(40):
        state.play(state.option_count - 1)
        before, map_ = map_, "\n".join(map_lines(state, 1, 100))
        told = "\n".join(board.news(state))
        assert (map_ in told) == (map_ != before)
        drawn += map_ in told
    assert 0 < drawn < 40


def test_the_log_has_a_map_each_round() -> None:
    state = rulelang.load("evolved").new(2, 3)
    lines: list[str] = []

    class First:
        def choose(self, state: State) -> int:
            return state.option_count - 1

        def start(self, seed: int) -> None:
            return None

    watch_game(state, [First(), First()], lines.append)
    assert sum("+a1" in line for line in lines) >= 16
    assert all(display_width(line) <= 100 for line in lines)


def test_what_a_card_opens_stands_under_the_card() -> None:
    """Answers to a card are told below it, not under a heading of their own."""
    lines: list[str] = []
    state = rulelang.load("evolved").new(4, 7, ["Ana", "Bob", "Cleo", "Dan"])

    class Luck:
        def __init__(self) -> None:
            self.random = random.Random(2)

        def choose(self, state: State) -> int:
            return self.random.randrange(state.option_count)

        def start(self, seed: int) -> None:
            return None

    watch_game(state, [Luck() for _ in range(4)], lines.append)
    told = [line for line in lines if " and sets the die to " in line]
    assert told
    assert all(line.startswith(" " * 6) for line in told)
    assert "  Naming" not in lines
