"""Games whose logs are looked at: each shipped ruleset, and the mod that ships with one of them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from rulelang.api import load
from rulelang.runtime.agents import Random
from rulelang.runtime.game import Game
from rulelang.runtime.state import State
from tests.log.ahead import Ahead
from tests.properties.games import ROOT, SHIPPED

RULESETS = ROOT / "rulesets"
#: Every mod that is shipped, with the game that it is laid over.
MODS = {"darwins_choice_colossal": "darwins_choice"}
NAMES = (*SHIPPED, *MODS)
everywhere = pytest.mark.parametrize("name", NAMES)


@cache
def game(name: str) -> Game:
    return load(RULESETS / MODS.get(name, name), mods=[RULESETS / name] if name in MODS else [])


def positions(name: str, players: int, seed: int, agent: str = "random") -> Iterator[State]:
    """A state as it goes through a game from decision to decision; the same object each time."""
    state = game(name).new(min(max(players, game(name).players[0]), game(name).players[1]), seed)
    chooser = Ahead() if agent == "ahead" else Random()
    chooser.start(seed)
    yield state
    while not state.over:
        state.play(chooser.choose(state))
        yield state
