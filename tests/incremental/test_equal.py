"""After each edit, what an incremental check says is what a check from nothing says: each word, in the same order."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.incremental.sessions import Edited, play
from tests.properties.games import ROOT

RULESETS = ROOT / "rulesets"
SMALL = {
    "pebbles": (ROOT / "examples" / "pebbles",),
    "thick_fur": (RULESETS / "evolution", ROOT / "examples" / "thick_fur"),
    "house_rules": (RULESETS / "evolution", ROOT / "examples" / "house_rules"),
}


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", SMALL)
def test_small(name: str, seed: int, tmp_path: Path) -> None:
    edited = Edited(SMALL[name], tmp_path, seed, scenarios=name == "pebbles")
    count = 50 if name == "pebbles" else 10
    assert play(edited, count) > count // 12


def test_shipped(tmp_path: Path) -> None:
    edited = Edited((RULESETS / "origin_of_species",), tmp_path, seed=0)
    assert play(edited, 16, scenarios_every=4) > 3


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 108))
@pytest.mark.parametrize("name", [*SMALL, "origin_of_species", "evolved", "darwins_choice", "mod_of_a_mod"])
def test_many_edits(name: str, seed: int, tmp_path: Path) -> None:
    large = {
        "origin_of_species": (RULESETS / "origin_of_species",),
        "evolved": (RULESETS / "evolved",),
        "darwins_choice": (RULESETS / "darwins_choice",),
        "mod_of_a_mod": (RULESETS / "darwins_choice", RULESETS / "darwins_choice_colossal"),
    }
    edited = Edited((SMALL | large)[name], tmp_path, seed)
    assert play(edited, 60, scenarios_every=3) > 8  # of some seeds few are sound
