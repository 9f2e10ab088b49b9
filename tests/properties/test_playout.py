"""The two forms in which every rule is compiled do the same: played through at a stretch (`playout`, for simulations),
and from decision to decision with all waiting routines in the state (`resume`, for players).
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from rulelang.runtime.agents import Random
from rulelang.runtime.rng import game_seed
from tests.properties.games import Ruleset, Seats, everywhere, seatings


def kept(seats: Seats, words: Sequence[int]) -> list[int]:
    """The words of a state that a game consists of: without the control stack and the policy's generator."""
    layout = seats.table.program.layout
    cells = layout.cells
    found = list(words[: layout.stack])
    for cell in (cells.policy_x, cells.policy_c, cells.site, cells.frame, cells.steps):
        found[cell] = 0
    return found


def at_a_stretch(seats: Seats, seed: int) -> list[int]:
    table = seats.table
    words = table.program.initial.copy()
    table.seed_game(words, seed)
    table.seed_policy(words, seed)
    table.program.playout(words)
    return kept(seats, words)


def by_decisions(seats: Seats, seed: int) -> list[int]:
    agent = Random(seed)
    state = seats.new(seed)
    while not state.over:
        state.play(agent.choose(state))
    return kept(seats, state.words)


def from_the_middle(seats: Seats, seed: int, decisions: int) -> list[int]:
    """By decisions at first, then at a stretch to the end."""
    agent = Random(seed)
    state = seats.new(seed)
    while not state.over and decisions:
        state.play(agent.choose(state))
        decisions -= 1
    words = list(state.words)
    cells = seats.table.program.layout.cells
    words[cells.policy_x], words[cells.policy_c] = agent._chance.x, agent._chance.c
    if not state.over:
        seats.table.program.playout(words)
    return kept(seats, words)


def compare(ruleset: Ruleset, games: int, *, few: bool) -> None:
    tables = seatings(ruleset, few=few)
    tables = tables[::2] if few else tables
    for number in range(games):
        seats, seed = tables[number % len(tables)], game_seed(20, number)
        expected = at_a_stretch(seats, seed)
        assert by_decisions(seats, seed) == expected, f"{seats}, seed {seed}"
        assert from_the_middle(seats, seed, 3 + number * 7 % 50) == expected, f"{seats}, seed {seed}, from the middle"


@everywhere
def test_a_playout_ends_where_a_played_game_ends(ruleset: Ruleset) -> None:
    compare(ruleset, games=2, few=True)


@pytest.mark.slow
@everywhere
def test_many_playouts_end_where_the_played_games_end(ruleset: Ruleset) -> None:
    heavy = ruleset.where.name == "darwins_choice"  # a game takes a second
    compare(ruleset, games=30 if heavy else 200, few=False)
