"""Intervals hold what they promise, and what is called out is rarely chance."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from rulelang.apps.lab.figures import Figures, effect_of_having, equal_groups, joint_effects
from rulelang.apps.lab.report import outstanding_findings
from rulelang.apps.lab.statistics import (
    chance_of_estimate,
    chance_of_mean,
    estimate_mean,
    estimate_share,
    half_width,
    significant_of,
)
from rulelang.apps.lab.study import Study
from tests.lab.duel import NAMES, duel
from tests.lab.shoal import shoal


def study(folder: Path, games: int, seed: int = 1, **worth: int) -> Study:
    found = Study(duel(folder, worth), agents=["random"], seed=seed)
    found.play(games)
    return found


def told(figures: Figures) -> set[str]:
    return {card.id for card in figures.cards if card.told}


# ---- the whole


def test_an_unfair_card_of_known_strength_is_found(tmp_path: Path) -> None:
    """Four points more on a die: how much more often its holder wins is worked out by hand below."""
    played = study(tmp_path, 1500, card_c=4)
    played.match(300, ["card_c", "card_d"])
    figures = played.figures()
    assert "card_c" in told(figures)
    card = next(card for card in figures.cards if card.id == "card_c")
    strength = _strength(4)
    assert card.held.effect.low < strength < card.held.effect.high
    assert card.matched is not None
    assert card.matched.low < strength < card.matched.high
    assert set(card.told) == {"held", "played", "matched"}
    fair = next(card for card in figures.cards if card.id == "card_d")
    assert fair.matched is not None
    # In its place is any other card, the strong one too now and then.
    assert fair.matched.low < -strength / 19 < fair.matched.high
    assert fair.held.effect.games == fair.held.won.games > 300


@pytest.mark.parametrize("backend", ["native", "python"])
def test_matched_games_are_played_with_open_hands_too(tmp_path: Path, backend: str) -> None:
    found = Study(duel(tmp_path, {"card_c": 4}, "everyone"), agents=["random"], seed=1, backend=backend)
    found.play(20)
    found.match(100, ["card_c"])
    matched = next(card.matched for card in found.figures().cards if card.id == "card_c")
    assert matched is not None
    assert matched.games > 90
    assert 0 < matched.low < _strength(4) < matched.high


def _strength(more: int) -> float:
    """How much more of the win four dice against four give with some points more."""
    sums = np.array([1.0])
    for _ in range(4):
        sums = np.convolve(sums, np.ones(6) / 6)
    beats = sum(sums[a] * sums[b] * (0.5 + 0.5 * np.sign(a + more - b)) for a in range(21) for b in range(21))
    return float(beats) - 0.5


def test_fair_cards_are_not_cried_out_over(tmp_path: Path) -> None:
    """Of five series with twenty fair cards, asked about singly and in pairs, hardly any names one."""
    game = duel(tmp_path)
    loud = 0
    for seed in range(5):
        found = Study(game, agents=["random"], seed=100 + seed)
        found.play(400)
        loud += bool(told(found.figures())) + any(pair.told for pair in found.figures().pairs)
    assert loud <= 1
    assert len(NAMES) == 20


def test_beside_an_unfair_card_hardly_a_fair_one_is_named(tmp_path: Path) -> None:
    game = duel(tmp_path, {"card_c": 4})
    false = []
    for seed in range(5):
        found = Study(game, agents=["random"], seed=seed)
        found.play(400)
        named = told(found.figures())
        assert "card_c" in named
        false.append(len(named - {"card_c"}) / len(named))
    assert sum(false) / len(false) <= 0.15


def test_it_goes_on_and_says_the_same(tmp_path: Path) -> None:
    """However a number of games came about."""
    at_once, piecewise = study(tmp_path, 250), Study(duel(tmp_path), agents=["random"], seed=1)
    for more in (30, 20, 200):
        piecewise.play(more)
        assert piecewise.figures(anytime=True).games == piecewise.games
    assert piecewise.figures() == at_once.figures()


def test_what_too_few_games_say_is_not_told(tmp_path: Path) -> None:
    figures = study(tmp_path, 20, card_c=4).figures()
    card = next(card for card in figures.cards if card.id == "card_c")
    assert not card.held.effect.known
    assert card.held.as_json()["effect"] == {"value": None, "low": None, "high": None, "games": 0, "p": None} | {
        "games": card.held.effect.games
    }
    with pytest.raises(ValueError, match="no game"):
        Study(duel(tmp_path), agents=["random"]).figures()


# ---- its parts


def test_intervals_hold_the_truth_as_often_as_they_promise() -> None:
    """Two seats win alike; of a card that does nothing, and of one that is drawn by whoever draws more."""
    chance = np.random.default_rng(3)
    inside = trials = 0
    for _ in range(150):
        drawn = chance.integers(3, 9, (300, 2))
        first = chance.random(300) < 1 / (1 + np.exp(-0.5 * (drawn[:, 0] - drawn[:, 1])))
        wins = np.stack([first, ~first], axis=1).astype(float)
        have = chance.random((300, 2)) < drawn / 12
        found = effect_of_having(wins, have, equal_groups(drawn)).effect
        inside += found.low <= 0 <= found.high
        trials += 1
    assert 0.9 <= inside / trials <= 0.99


def test_who_draws_more_wins_more_and_no_card_is_to_blame() -> None:
    """Without what makes games alike, every card would look strong."""
    chance = np.random.default_rng(4)
    drawn = chance.integers(3, 9, (3000, 2))
    first = chance.random(3000) < 1 / (1 + np.exp(-1.0 * (drawn[:, 0] - drawn[:, 1])))
    wins = np.stack([first, ~first], axis=1).astype(float)
    have = chance.random((3000, 2)) < drawn / 12
    assert effect_of_having(wins, have, np.zeros_like(drawn)).effect.low > 0.05
    found = effect_of_having(wins, have, equal_groups(drawn)).effect
    assert found.low < 0 < found.high


def test_two_that_are_strong_together() -> None:
    chance = np.random.default_rng(5)
    have = chance.random((2000, 2, 4)) < 0.4
    strong = (have[:, :, 0] & have[:, :, 1]).astype(float)
    first = chance.random(2000) < 1 / (1 + np.exp(-2 * (strong[:, 0] - strong[:, 1])))
    wins = np.stack([first, ~first], axis=1).astype(float)
    found = joint_effects(wins, have, np.zeros((2000, 2), dtype=np.int64))
    best = min(found, key=lambda pair: pair[2].p)
    assert best[:2] == (0, 1)
    assert best[2].low > 0.1
    assert significant_of([pair[2].p for pair in found]) == [pair[:2] == (0, 1) for pair in found]


def test_two_that_are_strong_only_on_the_same_thing(tmp_path: Path) -> None:
    """Of twenty traits two are worth six points on one fish, and nothing on two: that is said of the fish."""
    found = Study(shoal(tmp_path, 6), agents=["random"], seed=1)
    found.play(1000)
    figures = found.figures()
    told = [pair for pair in figures.beside if pair.told]
    assert [pair.ids for pair in told] == [("trait_a", "trait_b")]
    assert told[0].bearer == "fish"
    assert 0.1 < told[0].effect.low < told[0].effect.high < 0.5
    assert any("on one fish: owners won" in sentence for sentence in outstanding_findings(figures))
    assert told_alone(figures) <= {"trait_a", "trait_b"}  # who has one is nearer to having both on one


def told_alone(figures: Figures) -> set[str]:
    return {trait.id for trait in figures.traits if trait.told}


def test_twenty_fair_traits_are_not_called_out_on_the_same_thing(tmp_path: Path) -> None:
    """Of 190 pairs on one fish each, in five series, hardly any."""
    game = shoal(tmp_path)
    loud = 0
    for seed in range(5):
        found = Study(game, agents=["random"], seed=200 + seed)
        found.play(500)
        figures = found.figures()
        assert len(figures.beside) > 100
        loud += any(pair.told for pair in figures.beside)
    assert loud <= 1


def test_whoever_looks_again_and_again_is_not_misled() -> None:
    """Looking after every ten games and stopping at the first surprise: planned intervals err often, others not."""
    chance = np.random.default_rng(6)
    erred = {False: 0, True: 0}
    for _ in range(200):
        games = chance.normal(0, 1, 1000)
        looks = range(50, 1000, 10)
        for anytime in erred:
            erred[anytime] += any(
                abs(games[:n].mean()) > half_width(games[:n].std() / math.sqrt(n), n, anytime=anytime) for n in looks
            )
    assert erred[True] <= 14
    assert erred[False] > 40


def test_an_interval_leaves_out_nothing_where_chance_is_as_likely_as_it_says() -> None:
    for anytime in (False, True):
        half = half_width(0.02, 900, anytime=anytime)
        assert chance_of_mean(half, 0.02, 900, anytime=anytime) == pytest.approx(0.05, rel=0.01)
        assert estimate_mean(0.1, 0.02, 900, anytime=anytime).half == pytest.approx(half)


def test_benjamini_and_hochberg() -> None:
    assert significant_of([0.001, 0.02, 0.03, 0.9]) == [True, True, True, False]
    assert significant_of([0.04, 0.05, 0.9, 0.9]) == [False] * 4
    assert significant_of([]) == []


def test_processes_and_one_say_the_same(tmp_path: Path) -> None:
    """Whoever plays the games, and however many of them at once."""
    game = duel(tmp_path)
    found = []
    for jobs in (1, 2):
        one = Study(game, agents=["random"], seed=3, jobs=jobs)
        one.play(250)
        one.match(60, ["card_c"])
        found.append(one.figures())
    assert found[0] == found[1]
    assert found[0].matched == 60


def test_what_was_played_stays_if_it_is_interrupted(tmp_path: Path) -> None:
    found = Study(duel(tmp_path), agents=["random"], seed=1)

    def stop(games: int) -> None:
        if games >= 200:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        found.play(1000, stop)
    assert found.games == 200
    assert found.figures(anytime=True) == study(tmp_path, 200).figures(anytime=True)


def test_of_several_seats_one_outside_of_its_interval_does_not_stand_out() -> None:
    """With four seats one lies so far off in every fifth report; far off it is told."""
    near, far = estimate_share(940, 4000), estimate_share(850, 4000)
    assert near.high < 0.25
    even = [estimate_share(n, 4000) for n in (1030, 1015, 1015)]
    assert significant_of([chance_of_estimate(one, 0.25) for one in (near, *even)]) == [False] * 4
    assert significant_of([chance_of_estimate(one, 0.25) for one in (far, *even)]) == [True, False, False, False]
