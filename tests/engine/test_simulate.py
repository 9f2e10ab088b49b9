"""Many games at once."""

from __future__ import annotations

import json

import pytest

from rulelang.runtime import simulate
from rulelang.runtime.rng import FACTOR, MASK, Generator, game_seed, policy_seed, seed_words
from tests.engine.fake import fake_game

GAME = fake_game()


def test_a_series_is_the_same_again_and_counts_all() -> None:
    one, two = GAME.simulate(50, 3, seed=4), GAME.simulate(50, 3, seed=4)
    assert one.points == two.points
    assert one.games == len(one.points) == 50
    assert one.decisions == 50 * 9
    assert sum(one.wins) == pytest.approx(50)
    assert one.scores[0].min <= one.scores[0].mean <= one.scores[0].max
    assert one.points != GAME.simulate(50, 3, seed=5).points
    assert json.loads(json.dumps(one.as_json()))["games"] == 50
    assert one.games_per_second > 0
    assert one.decisions_per_second > 0


def test_a_game_of_a_series_can_be_played_alone() -> None:
    result = GAME.simulate(5, 3, seed=4)
    own = game_seed(4, 3)
    state = GAME.new(3, own)
    chance = Generator(policy_seed(own))
    while not state.over:
        state.play(chance.below(state.option_count))
    assert state.scores == result.points[3]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_series_that_keeps_no_single_games_counts_the_same(monkeypatch: pytest.MonkeyPatch, jobs: int) -> None:
    monkeypatch.setattr(simulate, "HELD", 7)
    totals = simulate.Totals(3, each=False)
    one, two = GAME.simulate(120, 3, seed=4, jobs=jobs, totals=totals), GAME.simulate(120, 3, seed=4)
    assert {**one.as_json(), "seconds": 0} == {**two.as_json(), "seconds": 0} | {
        name: one.as_json()[name] for name in ("games_per_second", "decisions_per_second")
    }
    assert totals.games == 120
    assert len(totals.points) == len(totals.rounds) == len(totals.lengths) < 7


def test_what_cannot_be_simulated_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot play 0 games"):
        GAME.simulate(0, 3)
    with pytest.raises(ValueError, match="no agents"):
        GAME.simulate(1, 3, agents=[])
    with pytest.raises(ValueError, match="players"):
        GAME.simulate(1, 7)


def test_seeds_never_give_a_degenerate_generator() -> None:
    for seed in (0, 1, -1, 2**64, 2**64 - 1, *range(200)):
        x, c = seed_words(seed)
        assert 0 <= x <= MASK
        assert 0 < c < FACTOR - 1


def test_the_generator_is_the_one_of_the_ir() -> None:
    generator = Generator(1)
    x, c = seed_words(1)
    numbers = [generator.below(6) for _ in range(1000)]
    for number in numbers[:5]:
        assert number == ((x ^ c) * 6) >> 30
        t = x * FACTOR + c
        x, c = t & MASK, t >> 30
    assert all(120 < numbers.count(face) < 220 for face in range(6))
