"""A mode that leaves an expansion out plays the very games of the base: the same options, choices and scores."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rulelang.api import load
from rulelang.runtime.agents import Random
from rulelang.runtime.game import Game
from tests.playthroughs.test_playthroughs import RULESETS


def chosen(game: Game, players: int, seed: int) -> Iterator[tuple[object, ...]]:
    """Each decision of a game between players who choose at random, and its scores."""
    state, agent = game.new(players, seed, log=False), Random(seed)
    while not state.over:
        decision = state.decision
        option = decision.options[agent.choose(state)]
        yield decision.name, decision.prompt, [one.text for one in decision.options], option.text
        state.play(option)
    yield tuple(state.scores)


@pytest.mark.parametrize("players", [2, 3, 6])
def test_beginners_play_without_the_expansion(players: int) -> None:
    base, with_mod = (load(RULESETS / name, mode="beginner") for name in ("darwins_choice", "darwins_choice_colossal"))
    for seed in range(2):
        assert list(chosen(base, players, seed)) == list(chosen(with_mod, players, seed))
