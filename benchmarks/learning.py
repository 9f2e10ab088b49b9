"""Steps of many games at once: `rulelang.apps.envs.VectorEnv` on one and two threads, and OpenSpiel's vector loop on a
game like it (gin rummy: cards, hidden hands, written in C++), in turn, so that ratios mean something on a busy machine.

    python -m benchmarks.learning [GAME ...]

The games stand where games stand: they have gone on for a while before anything is measured, since the first steps of a
game are quicker than most. A round is short, and the median of many is told, in seconds of its own processor. One
thread and two take longer turns, on the wall: the ratio of each pair is that of one time. Before each round a few steps
are not counted, after which memory is as it is where one environment is stepped and nothing else. A step is one id of
one game. OpenSpiel is left out where it is not there.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import rulelang
from rulelang.apps.envs import VectorEnv

#: Games at once; of threads; calls before the first round, before each, and of a round; rounds.
GAMES, MANY, BEFORE, WARM, CALLS, ROUNDS = 64, 1024, 300, 10, 20, 25
#: Pairs of measurements with one and two threads, in turn, and seconds of each.
PAIRS, WINDOW = 11, 1.5
#: Seconds in which threads that wait for a next step give it up and sleep, so that they take nothing from what follows.
REST = 0.01
Clock = Callable[[], float]


def stepped(env: VectorEnv, calls: int, clock: Clock) -> float:
    """Seconds for the steps of a round; what chooses is not counted."""
    taken = 0.0
    for _ in range(calls):
        chosen = env.sample()
        begun = clock()
        env.step(chosen)
        taken += clock() - begun
    return taken


def vector(name: str, *, observations: bool = False) -> Callable[[], float]:
    """Steps of a round in a second of this thread."""
    env = VectorEnv(rulelang.load(name), GAMES, observations=observations)
    env.reset(1)
    stepped(env, BEFORE, time.thread_time)

    def go() -> float:
        stepped(env, WARM, time.thread_time)
        return GAMES * CALLS / stepped(env, CALLS, time.thread_time)

    return go


def openspiel() -> Callable[[], float] | None:
    """The same of OpenSpiel's own vector environment, with its observations and lists of legal actions."""
    try:
        import numpy as np
        from open_spiel.python import rl_environment
        from open_spiel.python.rl_agent import StepOutput
        from open_spiel.python.vector_env import SyncVectorEnv
    except ImportError:
        return None
    envs = SyncVectorEnv([rl_environment.Environment("gin_rummy") for _ in range(GAMES)])
    chance = np.random.default_rng(1)
    told: list[Any] = [envs.reset()]

    def go() -> float:
        taken = 0.0
        for call in range(WARM + CALLS):
            steps = []
            for one in told[0]:
                seat = one.observations["current_player"]
                legal = one.observations["legal_actions"][seat] if seat >= 0 else [0]
                steps.append(StepOutput(action=int(chance.choice(legal)), probs=[]))
            begun = time.thread_time()
            told[0] = envs.step(steps, reset_if_done=True)[0]
            taken += time.thread_time() - begun if call >= WARM else 0
        return GAMES * CALLS / taken

    return go


def tell(title: str, rates: list[float]) -> None:
    """Print the median of some rates."""
    print(f"{statistics.median(rates) / 1e6:8.3f} million steps a second  {title}")


def shared(name: str) -> None:
    """Print what two threads bring that share many games: each in turn for a while, since a core that slept is slow."""
    envs = {threads: VectorEnv(rulelang.load(name), MANY, observations=False, threads=threads) for threads in (1, 2)}
    for env in envs.values():
        env.reset(1)
        stepped(env, BEFORE, time.perf_counter)
    rates: dict[int, list[float]] = {threads: [] for threads in envs}
    for _ in range(PAIRS):
        for threads, env in envs.items():
            calls, taken = 0, 0.0
            while taken < WINDOW:
                taken += stepped(env, CALLS, time.perf_counter)
                calls += CALLS
            rates[threads].append(MANY * calls / taken)
    for threads, found in rates.items():
        tell(f"{name}, masks, {MANY} games, threads: {threads}", found)
    ratios = sorted(two / one for one, two in zip(rates[1], rates[2], strict=True))
    middle, low, high = statistics.median(ratios), ratios[0], ratios[-1]
    print(f"{middle:8.2f} times as many by two threads ({low:.2f} to {high:.2f}, {PAIRS} pairs)")


def main(names: list[str]) -> None:
    measured: dict[str, Callable[[], float]] = {}
    for name in names:
        measured[f"{name}, masks"] = vector(name)
        measured[f"{name}, masks and observations"] = vector(name, observations=True)
    peer = openspiel()
    if peer is not None:
        measured["OpenSpiel's vector loop, gin_rummy"] = peer
    rates: dict[str, list[float]] = {title: [] for title in measured}
    for _ in range(ROUNDS):
        for title, go in measured.items():
            rates[title].append(go())
            time.sleep(REST)
    for title, found in rates.items():
        tell(title, found)
    for name in names:
        shared(name)


if __name__ == "__main__":
    main(sys.argv[1:] or ["evolution"])
