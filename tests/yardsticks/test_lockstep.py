"""The games written by hand, yardsticks of speed, are the compiled games: side by side, with the same cards drawn and
the same done, everything on the table and all that may be done is equal at each decision.

Random games do rare things rarely, so in two games of three the kind of act is chosen first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from ctypes import CDLL
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from rulelang.compiler.backends.native.build import available_compilers
from tests.yardsticks import evolution, origin_of_species
from tests.yardsticks.compiled import Compiled
from tests.yardsticks.led import built

#: By game: games beside the plain Python one, games beside the one in C, and what is to be offered in them.
GAMES: dict[str, tuple[Callable[[int], Compiled], Callable[[CDLL, int], Compiled], set[str]]] = {
    "evolution": (
        evolution.in_python,
        evolution.in_c,
        {"attack", "choose", "drop", "found", "graze", "grow_body", "grow_population", "once", "outwit", "pass"}
        | {"play_trait", "think"},
    ),
    "origin_of_species": (
        origin_of_species.in_python,
        origin_of_species.in_c,
        {
            "burn",
            "choose",
            "defend",
            "drop",
            "hatch",
            "hunt",
            "lay",
            "pass",
            "rob",
            "share",
            "sleep",
            "take",
            "trample",
        },
    ),
}
QUICK, LONG = 3, 150


def play(one: Callable[[int], Compiled], games: int, offered: set[str]) -> None:
    found: Counter[str] = Counter()
    for seed in range(games):
        led = one(seed)
        assert led.compared > 50
        found += led.offered
    assert set(found) <= offered
    assert games == QUICK or set(found) == offered


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("games", [QUICK, pytest.param(LONG, marks=pytest.mark.slow)])
def test_plain_python(game: str, games: int) -> None:
    in_python, _, offered = GAMES[game]
    play(in_python, games, offered)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("games", [QUICK, pytest.param(LONG, marks=pytest.mark.slow)])
@pytest.mark.skipif(not available_compilers(), reason="no C compiler")
def test_c(game: str, games: int, tmp_path: Path) -> None:
    _, in_c, offered = GAMES[game]
    play(partial(in_c, built(game, tmp_path)), games, offered)


@pytest.mark.parametrize("spoiled", [("watering_hole", ""), ("bag", "player"), ("food", "species")])
def test_a_difference_is_found(spoiled: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A position that is off by one anywhere is not taken for equal."""
    name, kind = spoiled
    real = evolution.Evolution.word

    def word(self: Any, asked: str, handle: int = 0, of: str = "", trait: str = "") -> int:
        return real(self, asked, handle, of, trait) + ((asked, of) == (name, kind) and self.compared > 20)

    monkeypatch.setattr(evolution.Evolution, "word", word)
    with pytest.raises(AssertionError):
        evolution.in_python(1)
