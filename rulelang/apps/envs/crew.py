"""Threads that take steps of many games together: each has its own games, and waits in the library for the next step.

A step of a thousand games takes a quarter of a millisecond, and to wake a thread that sleeps a good part of that. So
for a while after a step threads wait without sleeping, and without the interpreter; then they sleep until they are
asked. Two that play at once need two cores.
"""

from __future__ import annotations

import time
import weakref
from collections.abc import Sequence
from threading import Condition, Thread

from rulelang.apps.envs.learning import Bells, Learner

#: Turns of waiting (some 40 ns each) before a thread sleeps; seconds between looks at whether the others are done.
TURNS, NAP = 10_000, 0.000_1


class Crew:
    """Takes ids with several learners (`learning.Learner`): the first in the thread that asks."""

    def __init__(self, learners: Sequence[Learner], bells: Bells) -> None:
        self._mine, self._others = learners[0], list(learners[1:])
        self._bells = bells
        self._sleep = _Sleep()
        self._threads = [
            Thread(target=_served, args=(learner, bells, k, self._sleep), daemon=True, name=f"games {k + 2}")
            for k, learner in enumerate(self._others)
        ]
        for thread in self._threads:
            thread.start()
        self.close = weakref.finalize(self, self._sleep.end)

    def __call__(self, actions: int) -> list[int]:
        """How far each learner came with these ids, as the learner says it. The first mistake in the rules is raised
        when all are done."""
        sleep, bells = self._sleep, self._bells
        if not self.close.alive:
            raise RuntimeError("the environment is closed")
        sleep.failed.clear()
        with sleep.changed:
            bells.ask(actions)
            if sleep.asleep:
                sleep.changed.notify_all()
        try:
            mine = self._mine(actions)
        finally:
            while not bells.answered(TURNS):
                time.sleep(NAP)
        if sleep.failed:
            raise sleep.failed[min(sleep.failed)]
        return [mine, *(bells.reached(k) for k in range(len(self._others)))]


class _Sleep:
    """What the threads have in common: how many are asleep, whether it is over, and what failed."""

    def __init__(self) -> None:
        self.changed = Condition()
        self.asleep = 0
        self.over = False
        self.failed: dict[int, BaseException] = {}

    def end(self) -> None:
        with self.changed:
            self.over = True
            self.changed.notify_all()


def _served(learner: Learner, bells: Bells, k: int, sleep: _Sleep) -> None:
    while not sleep.over:
        try:
            learner.served(bells, k, TURNS)
        except BaseException as problem:  # raised again where the step was asked for
            sleep.failed[k] = problem
            bells.done(k, bells.reached(k))
        with sleep.changed:
            sleep.asleep += 1
            while not bells.asks(k) and not sleep.over:
                sleep.changed.wait()
            sleep.asleep -= 1
