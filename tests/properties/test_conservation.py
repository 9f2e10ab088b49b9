"""Whatever happens in a game, what the state keeps twice agrees: cards, links, lines, masks and live counts."""

from __future__ import annotations

import pytest

from rulelang.runtime.running import check_invariants
from tests.properties.games import Ruleset, Seats, everywhere, seatings, walk
from tests.properties.recount import disagreements


@everywhere
def test_everything_agrees_at_every_decision(ruleset: Ruleset) -> None:
    for seats in seatings(ruleset, few=True)[1::2]:
        play_and_look(seats, seed=11, every=4, most=120)


@pytest.mark.slow
@everywhere
def test_everything_agrees_in_whole_games(ruleset: Ruleset) -> None:
    for seed, seats in enumerate(seatings(ruleset)):
        play_and_look(seats, seed, every=2, most=1000)


def play_and_look(seats: Seats, seed: int, every: int, most: int) -> None:
    for number, state in enumerate(walk(seats.new(seed), seed, most)):
        if number % every == 0 or state.over:
            assert disagreements(seats, state.words) == [], f"{seats}, seed {seed}, decision {number}"
            check_invariants(state.table, list(state.words))
