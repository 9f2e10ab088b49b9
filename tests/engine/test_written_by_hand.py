"""Games as they are compiled, and as they were written by hand for the benchmarks, play alike.

Two readings of a document that share no line: a rule that one of them has wrong shows in what random games come to.
`tests/yardsticks` holds them side by side, which shows where.
"""

from __future__ import annotations

from random import Random
from statistics import mean, stdev
from typing import Any

import pytest

import rulelang
from benchmarks import plain_evolution, plain_origin_of_species

GAMES = 800
#: Standard errors by which means may differ. Seeds are fixed: what passes once passes always.
APART = 3.5


@pytest.mark.parametrize("by_hand", [plain_evolution, plain_origin_of_species])
def test_random_games(by_hand: Any) -> None:
    random = Random(1).random
    plain = [by_hand.play_one(random) for _ in range(GAMES)]
    compiled = rulelang.load(by_hand.__name__.partition("plain_")[2]).simulate(
        n=GAMES, players=4, seed=1, backend="python"
    )
    points = [sum(game.scores) for game in plain]
    seats = [[game.scores[seat] for game in plain] for seat in range(4)]
    ours = [sum(scores) for scores in compiled.points]
    compared = {
        "points of a game": (points, mean(ours)),
        "rounds": ([game.rounds for game in plain], compiled.rounds.mean),
        "decisions": ([game.decisions for game in plain], compiled.decisions / GAMES),
    } | {f"points of seat {seat}": (seats[seat], compiled.scores[seat].mean) for seat in range(4)}
    apart = {
        name: (there - mean(here)) / (stdev(here) * (2 / GAMES) ** 0.5) for name, (here, there) in compared.items()
    }
    assert {name: errors for name, errors in apart.items() if abs(errors) > APART} == {}
    assert abs(stdev(points) / stdev(ours) - 1) < 0.1
