"""The Origin of Species as it is compiled, and as it was written by hand for the benchmarks, play alike.

Two readings of the document that share no line: a rule that one of them has wrong shows in what random games come to.
"""

from __future__ import annotations

from random import Random
from statistics import mean, stdev

import rulelang
from benchmarks import plain_origin_of_species as by_hand

GAMES = 2000
#: Standard errors by which means may differ. Seeds are fixed: what passes once passes always.
APART = 3.5


def test_the_origin_of_species() -> None:
    random = Random(1).random
    plain = [by_hand.play_one(random) for _ in range(GAMES)]
    compiled = rulelang.load("origin_of_species").simulate(n=GAMES, players=4, seed=1, backend="python")
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
