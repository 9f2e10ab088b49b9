"""Environments pass the tests of the projects whose interfaces they have."""

from __future__ import annotations

import shutil
import threading
import time
import warnings
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

import rulelang
from rulelang.apps import envs
from rulelang.apps.envs import GameAEC, MissingLibrary, SeatEnv, Steps, VectorEnv
from rulelang.base.errors import RuleError
from rulelang.runtime.agents import make_agent
from tests.envs.test_encoding import each_game
from tests.native.machine import needs_compiler
from tests.properties.games import ROOT, RULESETS, SHIPPED, Ruleset, usual

QUICK = "evolution"
games = pytest.mark.parametrize(
    "name", [name if name == QUICK else pytest.param(name, marks=pytest.mark.slow) for name in SHIPPED]
)


def aec(ruleset: Ruleset) -> GameAEC:
    seats = usual(ruleset)
    return GameAEC(seats.game, seats.players, backend="python")


@each_game
def test_pettingzoo_takes_it(ruleset: Ruleset) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that observations are dicts with masks
        api_test(aec(ruleset), num_cycles=12)
        seed_test(lambda: aec(ruleset), num_cycles=3)


def test_agents_take_turns_until_the_end() -> None:
    env = aec(_evolution())
    env.reset(seed=4)
    spaces = {agent: env.observation_space(agent) for agent in env.agents}
    for turn, agent in enumerate(env.agent_iter()):
        seen, _, ended, cut, _ = env.last()
        assert not cut
        if turn % 50 == 0:
            assert spaces[agent].contains(seen)
            assert env.render()
        env.step(None if ended else int(np.nonzero(seen["action_mask"])[0][turn % 3 - 1]))
    assert env.agents == []
    assert env.steps.state.over


@each_game
def test_gymnasium_takes_it(ruleset: Ruleset) -> None:
    seats = usual(ruleset)
    against = [make_agent("random")]
    env = SeatEnv(seats.game, against, seats.players, seat=2, backend="python")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(env, skip_render_check=True)


def test_a_seat_plays_a_whole_game() -> None:
    seats = usual(_evolution())
    env = SeatEnv(seats.game, [make_agent("random")], seats.players, seat=3, backend="python")
    assert isinstance(env, gymnasium.Env)
    seen, _ = env.reset(seed=1)
    ended, reward = False, 0.0
    while not ended:
        assert env.steps.asked == 3
        assert env.observation_space.contains(seen)
        seen, reward, ended, _, info = env.step(int(np.nonzero(seen["action_mask"])[0][0]))
        assert info == {}
    assert reward == env.steps.rewards[2]
    seen, _ = env.reset(seed=1)
    illegal = int(np.nonzero(seen["action_mask"] == 0)[0][0])
    assert env.step(illegal)[1:] == (-1.0, True, False, {"illegal": True})


@pytest.mark.parametrize(
    "ruleset",
    [
        ruleset if ruleset.name == QUICK else pytest.param(ruleset, marks=pytest.mark.slow)
        for ruleset in RULESETS
        if ruleset.name in SHIPPED
    ],
    ids=str,
)
def test_openspiel_takes_it(ruleset: Ruleset) -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install 'rulelang[openspiel]'")
    seats = usual(ruleset)
    game = envs.SpielGame(seats.game, seats.players, deals=20, backend="python")
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


def test_what_is_missing_is_named_with_the_way_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    from rulelang.apps.envs import needs

    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(needs, "import_module", missing)
    with pytest.raises(MissingLibrary, match=r"needs pyspiel: pip install 'rulelang\[openspiel\]'"):
        _ = envs.SpielGame
    with pytest.raises(MissingLibrary, match=r"needs numpy: pip install 'rulelang\[envs\]'"):
        _ = envs.VectorEnv
    with pytest.raises(AttributeError):
        _ = envs.Nothing


# ---- many games at once


@needs_compiler
@games
def test_a_vector_environment_says_what_steps_say(name: str) -> None:
    """Observations, masks and rewards of the library are those of Python, and threads change nothing."""
    game = rulelang.load(Path(ROOT, "rulesets", name))
    env, threaded = VectorEnv(game, 3, seed=7), VectorEnv(game, 3, seed=7, threads=2)
    env.reset()
    threaded.reset()
    steps = [Steps.new(env.encoding, game, 7 + k) for k in range(3)]
    following = [10, 11, 12]
    ended = 0
    for turn in range(340):
        for k, one in enumerate(steps):
            assert env.asked[k] == one.asked
            if turn % 3 == k:
                assert one.mask() == env.masks[k].tobytes()
                assert one.observe(one.asked).tobytes() == env.observations[k].tobytes()
        for array in ("observations", "masks", "asked", "rewards", "ended"):
            assert (getattr(env, array) == getattr(threaded, array)).all()
        chosen = env.sample().copy()
        assert env.masks[range(3), chosen].all()
        env.step(chosen)
        threaded.step(chosen)
        for k in range(3):
            steps[k].take(int(chosen[k]))
            assert bool(env.ended[k]) == steps[k].over
            assert np.allclose(env.rewards[k], steps[k].rewards)
            if steps[k].over:
                ended += 1
                steps[k] = Steps.new(env.encoding, game, following[k])
                following[k] += 3
    assert ended or name != QUICK
    threaded.close()


@needs_compiler
def test_a_vector_environment_refuses_what_is_not_legal() -> None:
    game = rulelang.load(Path(ROOT, "rulesets", QUICK))
    env = VectorEnv(game, 2, observations=False)
    assert env.observations is None
    with pytest.raises(RuntimeError, match="reset"):
        env.step(env.actions)
    env.reset(5)
    before = env.masks.copy()
    with pytest.raises(ValueError, match="32-bit"):
        env.step(np.zeros(2, np.int64))
    wrong = env.sample().copy()
    wrong[1] = int(np.nonzero(env.masks[1] == 0)[0][0])
    with pytest.raises(ValueError, match="game 1 is not legal"):
        env.step(wrong)
    env.reset(5)
    assert (env.masks == before).all()
    with pytest.raises(ValueError, match="at least one game"):
        VectorEnv(game, 0)


@needs_compiler
def test_threads_tell_what_is_wrong_in_their_games(tmp_path: Path) -> None:
    """An id that is not legal, a mistake in the rules; and threads that sleep, and go."""
    game = shutil.copytree(ROOT / "examples" / "pebbles", tmp_path / "pebbles")
    written = (game / "game.rules").read_text(encoding="utf-8")
    (game / "game.rules").write_text(written.replace("pile -= n", "pile -= n\n  actor.few -= 1"), encoding="utf-8")
    things = (game / "things.yaml").read_text(encoding="utf-8")
    (game / "things.yaml").write_text(things.replace("last: bool", "last: bool\n      few: {is: 0..2, start: 2}"))
    before = {thread.name for thread in threading.enumerate()}
    env = VectorEnv(rulelang.load(game), 5, threads=3)
    env.reset(1)
    started = {thread.name for thread in threading.enumerate()} - before
    assert len(started) == 2
    first = env.sample().copy()
    time.sleep(0.05)  # they sleep by now
    env.step(first)
    wrong = env.sample().copy()
    wrong[3] = int(np.nonzero(env.masks[3] == 0)[0][0])
    with pytest.raises(ValueError, match="game 3 is not legal"):
        env.step(wrong)
    env.reset(1)
    env.step(first)
    with pytest.raises(RuleError, match="few would become -1"):
        _step_on(env)
    env.reset(1)
    env.step(first)
    env.close()
    with pytest.raises(RuntimeError, match="closed"):
        env.step(first)
    for _ in range(100):
        if not started & {thread.name for thread in threading.enumerate()}:
            break
        time.sleep(0.01)
    assert not started & {thread.name for thread in threading.enumerate()}


def _step_on(env: VectorEnv) -> None:
    for _ in range(20):
        env.step(env.sample())


def _evolution() -> Ruleset:
    return Ruleset(QUICK, ROOT / "rulesets" / QUICK)
