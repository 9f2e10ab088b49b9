"""Whatever happens in a game, what the state keeps twice agrees: cards, links, lines, masks and census."""

from __future__ import annotations

import pytest

from rulelang.engine.state import check_invariants
from tests.properties.games import RULESETS, Ruleset, Seats, seatings, walk
from tests.properties.recount import disagreements


@pytest.mark.parametrize("ruleset", RULESETS, ids=str)
def test_everything_agrees_at_every_decision(ruleset: Ruleset) -> None:
    for seats in seatings(ruleset, few=True):
        play_and_look(seats, seed=11, every=3)


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", RULESETS, ids=str)
def test_everything_agrees_at_every_decision_of_many_games(ruleset: Ruleset) -> None:
    for seats in seatings(ruleset):
        for seed in range(5):
            play_and_look(seats, seed, every=1)


def play_and_look(seats: Seats, seed: int, every: int) -> None:
    for number, state in enumerate(walk(seats.new(seed), seed)):
        if number % every == 0 or state.over:
            assert disagreements(seats, state.words) == [], f"{seats}, seed {seed}, decision {number}"
            check_invariants(state.table, list(state.words))
