"""The yardsticks in C play the games that the native backend plays, and the figures can do without a C compiler."""

from __future__ import annotations

from statistics import mean, stdev

import pytest

import rulelang
from benchmarks import native, plain_c
from benchmarks.figures import SAME_GAME, Skipped
from tests.native.machine import needs_compiler

GAMES = 30_000
#: Standard errors by which means may differ. Seeds are fixed: what passes once passes always.
APART = 3.5


@needs_compiler
@pytest.mark.parametrize("game", native.BY_HAND)
def test_many_games_come_to_the_same(game: str) -> None:
    """`tests/yardsticks` has the same games beside each other; this is chance, which is left out there."""
    by_hand = plain_c.quickest(game).play(seed=1, games=GAMES)
    ours = rulelang.load(game).simulate(n=GAMES, players=4, seed=1, backend="native", invariants=False)
    assert abs(by_hand.decisions / ours.decisions - 1) < SAME_GAME / 4
    for seat, points in enumerate(by_hand.points):
        here = [scores[seat] for scores in ours.points]
        assert abs(points / GAMES - mean(here)) < APART * stdev(here) * (2 / GAMES) ** 0.5


@needs_compiler
def test_a_seed_gives_the_same_games_and_another_seed_others() -> None:
    plain = plain_c.quickest("evolution")
    assert plain.play(5, 200) == plain.play(5, 200) != plain.play(6, 200)


def test_without_a_compiler_the_figures_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULELANG_CC", "none")
    for measure in (
        lambda: native.speeds("evolution", 1, 0.01),
        lambda: native.compile_times(1),
        lambda: native.jobs(1, 0.01),
        lambda: native.memory(1),
    ):
        with pytest.raises(Skipped, match="no C compiler was found"):
            measure()
    assert [figure.verdict for figure in native.rates(1, 0.01)] == ["skipped"] * len(native.rates(1, 0.01))
