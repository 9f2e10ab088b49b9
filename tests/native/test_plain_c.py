"""The yardstick in C plays the game of the yardstick in Python, and the figures can do without a C compiler."""

from __future__ import annotations

from random import Random
from statistics import mean, stdev

import pytest

from benchmarks import native, plain_c, plain_evolution
from benchmarks.figures import Skipped
from tests.native.machine import needs_compiler

GAMES, GAMES_IN_C = 1500, 100_000
#: Standard errors by which means may differ. Seeds are fixed: what passes once passes always.
APART = 3.5


@needs_compiler
def test_the_two_yardsticks_play_alike() -> None:
    random = Random(1).random
    by_hand = [plain_evolution.play_one(random) for _ in range(GAMES)]
    totals = plain_c.quickest().play(seed=1, games=GAMES_IN_C)
    compared = {
        "decisions": ([game.decisions for game in by_hand], totals.decisions),
        "forced choices": ([game.forced for game in by_hand], totals.forced),
        "rounds": ([game.rounds for game in by_hand], totals.rounds),
        "points of a game": ([sum(game.scores) for game in by_hand], sum(totals.points)),
    } | {
        f"points of seat {seat}": ([game.scores[seat] for game in by_hand], points)
        for seat, points in enumerate(totals.points)
    }
    apart = {
        name: (total / GAMES_IN_C - mean(games)) / (stdev(games) * (1 / GAMES + 1 / GAMES_IN_C) ** 0.5)
        for name, (games, total) in compared.items()
    }
    assert {name: errors for name, errors in apart.items() if abs(errors) > APART} == {}


@needs_compiler
def test_a_seed_gives_the_same_games_and_another_seed_others() -> None:
    plain = plain_c.quickest()
    assert plain.play(5, 200) == plain.play(5, 200) != plain.play(6, 200)


def test_without_a_compiler_the_figures_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULELANG_CC", "none")
    for measure in (lambda: native.speeds(1, 0.01), lambda: native.compile_times(1), lambda: native.jobs(1, 0.01)):
        with pytest.raises(Skipped, match="no C compiler was found"):
            measure()
    assert [figure.verdict for figure in native.rates(1, 0.01)] == ["skipped"] * len(native.rates(1, 0.01))
