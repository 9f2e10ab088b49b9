"""A small balance study: does it help to look one move ahead, and how much does the seat matter?"""

from __future__ import annotations

from pathlib import Path

import rulelang
from rulelang.apps.lab.simulate import simulate

HERE = Path(__file__).parent

# Random players, on the fast path: how often each seat wins.
game = rulelang.load(HERE / "pebbles")
even = game.simulate(n=400, players=2, seed=1)
print(f"random against random: {even.wins} of {even.games} games, by seat")

# One greedy player in each seat.
for seats in (["greedy", "random"], ["random", "greedy"]):
    result = simulate(game, n=100, players=2, seed=1, agents=seats)
    wins = dict(zip(seats, result.wins, strict=True))
    print(f"{' against '.join(seats)}: greedy wins {wins['greedy']:.0f} of {result.games}")

# The length and the scores of Evolution games with a mod from this folder.
furry = rulelang.load("evolution", mods=[HERE / "thick_fur"])
result = furry.simulate(n=20, players=4, seed=1)
means = ", ".join(f"{spread.mean:.0f}" for spread in result.scores)
print(f"Evolution with thick fur: {result.rounds.mean:.1f} rounds, mean scores {means}")
