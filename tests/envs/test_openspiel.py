"""States of OpenSpiel games are copied, serialized, pickled and resampled, and its algorithms run on them."""

from __future__ import annotations

import pickle
import random
import time
from pathlib import Path
from typing import Any

import pytest

import rulelang

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install 'rulelang[openspiel]'")

from rulelang.apps.envs import SpielGame  # noqa: E402 - it needs pyspiel


@pytest.fixture(scope="module")
def evolution(root: Path) -> Any:
    return SpielGame(rulelang.load(root / "rulesets" / "evolution"), players=2, deals=20, backend="python")


@pytest.fixture(scope="module")
def pebbles(root: Path) -> Any:
    game = rulelang.load(root / "examples" / "pebbles")
    return SpielGame(game, players=2, options={"pebbles": 7}, deals=2, backend="python")


def on(state: Any, moves: int, seed: int = 1) -> Any:
    chance = random.Random(seed)
    for _ in range(moves):
        state.apply_action(chance.choice(state.legal_actions()))
    return state


@pytest.mark.parametrize("moves", [0, 1, 2, 30])
def test_a_state_is_the_same_after_it_was_written(evolution: Any, moves: int) -> None:
    state = on(evolution.new_initial_state(), moves)
    pair = pyspiel.serialize_game_and_state(evolution, state)
    for other in (
        state.clone(), evolution.deserialize_state(state.serialize()), pyspiel.deserialize_game_and_state(pair)[1],
        pickle.loads(pickle.dumps(state)),
    ):  # fmt: skip
        assert (str(other), other.history()) == (str(state), state.history())
        for player in (0, 1):
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.observation_string(player) == state.observation_string(player)
        before = str(state)
        assert str(on(other, 2)) == str(on(state.clone(), 2)) != before == str(state)


def test_games_are_known_again_by_their_names(evolution: Any, root: Path) -> None:
    game = rulelang.load(root / "rulesets" / "evolution")
    same, other = (SpielGame(game, 2, deals=deals, backend="python") for deals in (20, 30))
    assert same.get_type().short_name == evolution.get_type().short_name != other.get_type().short_name
    assert same.encoding is evolution.encoding is pickle.loads(pickle.dumps(evolution)).encoding
    assert (evolution.new_initial_state().get_game().deals, other.new_initial_state().get_game().deals) == (20, 30)
    assert len(pyspiel.load_game(other.get_type().short_name).new_initial_state().chance_outcomes()) == 30


def test_a_player_cannot_distinguish_what_is_resampled(evolution: Any) -> None:
    state = on(evolution.new_initial_state(), 40)
    chance = random.Random(3)
    for player in (0, 1):
        found = [state.resample_from_infostate(player, chance.random) for _ in range(4)]
        assert {other.information_state_string(player) for other in found} == {state.information_state_string(player)}
        assert len({str(other) for other in found}) > 1
        for other in found:
            assert on(other, 3).history()[:-3] == state.history()


def test_information_states_recall_what_was_done(pebbles: Any) -> None:
    """Two ways lead to one position: the players see the same there, and have seen other things."""
    states = []
    for actions in ((0, 0, 1), (1, 0, 0)):
        state = pebbles.new_initial_state()
        state.apply_action(0)
        for place in actions:
            state.apply_action(state.legal_actions()[place])
        states.append(state)
    for player in (0, 1):
        assert len({state.observation_string(player) for state in states}) == 1
        assert len({state.information_state_string(player) for state in states}) == 2


def test_its_algorithms_run(evolution: Any, pebbles: Any) -> None:
    numpy = pytest.importorskip("numpy")
    from open_spiel.python.algorithms import external_sampling_mccfr, ismcts, mcts, outcome_sampling_mccfr

    for solver in (
        external_sampling_mccfr.ExternalSamplingSolver(pebbles), outcome_sampling_mccfr.OutcomeSamplingSolver(pebbles),
    ):  # fmt: skip
        solver.iteration()
        policy = solver.average_policy()
        state = on(pebbles.new_initial_state(), 1)
        assert sum(policy.action_probabilities(state).values()) == pytest.approx(1)
    evaluator = mcts.RandomRolloutEvaluator(1, numpy.random.RandomState(0))
    bot = ismcts.ISMCTSBot(game=evolution, evaluator=evaluator, uct_c=1.4, max_simulations=2)
    state = on(evolution.new_initial_state(), 3)
    assert bot.step(state) in state.legal_actions()
    pyspiel.random_sim_test(pebbles, num_sims=1, serialize=True, verbose=False)


def test_a_copy_does_not_copy_the_game(evolution: Any) -> None:
    state = on(evolution.new_initial_state(), 30)
    best = 1.0
    for _ in range(5):
        start = time.perf_counter()
        for _ in range(20):
            state.clone()
        best = min(best, (time.perf_counter() - start) / 20)
    assert best < 0.0005  # it took 0.04 s
