"""Steps of many games at once: `rulelang.envs.VectorEnv` on one and two threads, and OpenSpiel's vector loop on a game
like it (gin rummy: cards, hidden hands, written in C++), in turn, so that ratios mean something on a busy machine.

    python -m benchmarks.learning [GAME ...]

A round is short, processor time is counted, and the best of many is told: what else runs on the machine is in the
others. Of two threads both are told: steps in a second of both together (as many as of one: they do not hinder each
other), and by the clock on the wall, which means something only if both had a core in the best round. A step is one id
of one game. OpenSpiel is left out where it is not installed.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import rulelang
from rulelang.envs import VectorEnv

#: Games at once; calls of a round; rounds.
GAMES, CALLS, ROUNDS = 64, 20, 25
#: Of threads: games, and how many times as many rounds, of a call each.
MANY, MORE = 1024, 40
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


def vector(name: str, *, observations: bool) -> Callable[[], float]:
    """Steps of a round in a second of the processor."""
    env = VectorEnv(rulelang.load(name), GAMES, observations=observations)
    env.reset(1)
    return lambda: GAMES * CALLS / stepped(env, CALLS, time.process_time)


def threaded(name: str, threads: int, clock: Clock) -> Callable[[], float]:
    """The most steps of a call in a second by this clock."""
    env = VectorEnv(rulelang.load(name), MANY, observations=False, threads=threads)
    env.reset(1)
    return lambda: max(MANY / stepped(env, 1, clock) for _ in range(MORE))


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
        for _ in range(CALLS):
            steps = []
            for one in told[0]:
                seat = one.observations["current_player"]
                legal = one.observations["legal_actions"][seat] if seat >= 0 else [0]
                steps.append(StepOutput(action=int(chance.choice(legal)), probs=[]))
            begun = time.process_time()
            told[0] = envs.step(steps, reset_if_done=True)[0]
            taken += time.process_time() - begun
        return GAMES * CALLS / taken

    return go


def main(names: list[str]) -> None:
    measured: dict[str, Callable[[], float]] = {}
    for name in names:
        measured[f"{name}, masks"] = vector(name, observations=False)
        measured[f"{name}, masks and observations"] = vector(name, observations=True)
        for threads in (1, 2):
            title = f"{name}, masks, {MANY} games, threads: {threads}"
            measured[title] = threaded(name, threads, time.process_time)
            measured[f"{title} (on the wall)"] = threaded(name, threads, time.perf_counter)
    peer = openspiel()
    if peer is not None:
        measured["OpenSpiel's vector loop, gin_rummy"] = peer
    best = dict.fromkeys(measured, 0.0)
    for _ in range(ROUNDS):
        for title, go in measured.items():
            best[title] = max(best[title], go())
    for title, rate in best.items():
        print(f"{rate / 1e6:8.3f} million steps a second  {title}")


if __name__ == "__main__":
    main(sys.argv[1:] or ["evolution"])
