"""Many games at once, in the native library: what learns reads and writes numpy arrays, and nothing is copied."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, cast

from rulelang.apps.envs.crew import Crew
from rulelang.apps.envs.encoding import CARDS_SHOWN, THINGS, Encoding
from rulelang.apps.envs.learning import LEARNING, Bells, Buffers, Learning
from rulelang.apps.envs.needs import numpy
from rulelang.apps.envs.tables import Tables
from rulelang.compiler.backends.native.link import NativeProgram
from rulelang.runtime.game import Game


class VectorEnv:
    """`count` games of one table, each at a decision of some seat; where one ends, the next begins.

    After `reset` and each `step` these arrays tell of all games (they stay the same arrays):

    - `observations` (count, size), int16: what the seat sees that is asked; None if they are not wanted;
    - `masks` (count, actions), uint8: the ids that it may choose;
    - `asked` (count,), int32: the seat, from 1;
    - `rewards` (count, players), float32: by seat, of a game that has just ended, else 0;
    - `ended` (count,), uint8: 1 where it has, so that all else is of the next game.

    `step` takes the ids as an int32 array: `actions` is one that may be used. Game k of slot i has the seed
    `seed + i + k * count`, as `Game.new` takes it. `threads`: so many play at once, each its share of the games; they
    say the same whatever their number.
    """

    def __init__(
        self, game: Game, count: int, players: int = 2, options: Mapping[str, object] | None = None, *, seed: int = 0,
        observations: bool = True, threads: int = 1, things: int = THINGS, cards: int = CARDS_SHOWN,
    ) -> None:  # fmt: skip
        np = numpy()
        if count < 1 or threads < 1:
            raise ValueError("a vector environment needs at least one game and one thread")
        self.game, self.count, self.players, self.seed = game, count, players, seed
        self.table = game.table(players, options, LEARNING)
        self.encoding = Encoding(self.table, things, cards)
        self._learning = Learning(cast(NativeProgram, self.table.program))
        self._tables = Tables(self.encoding, self._learning.words, self._learning.asks)
        size, ids = self.encoding.size, self.encoding.actions
        self.observations: Any = np.zeros((count, size), np.int16) if observations else None
        self.masks: Any = np.zeros((count, ids), np.uint8)
        self.rewards: Any = np.zeros((count, players), np.float32)
        self.ended: Any = np.zeros(count, np.uint8)
        self.asked: Any = np.zeros(count, np.int32)
        self.actions: Any = np.zeros(count, np.int32)
        self._games: Any = np.zeros((count, self._tables.stride), np.int32)
        self._seeds: Any = np.zeros(count, np.uint64)
        self._chance: Any = np.zeros((count, 2), np.int32)
        seen = 0 if self.observations is None else self.observations.ctypes.data
        self._buffers = Buffers(
            self._games.ctypes.data, self._seeds.ctypes.data, seen, self.masks.ctypes.data, self.rewards.ctypes.data,
            self.ended.ctypes.data, self.asked.ctypes.data,
        )  # fmt: skip
        bounds = [count * k // threads for k in range(threads + 1)]
        shares = [(a, b) for a, b in pairwise(bounds) if a < b]
        words, spare = self._tables.words, self._tables.spare
        learners = [self._learning.learner(words, self._buffers, a, b, count, spare) for a, b in shares]
        self._ends = [end for _, end in shares]
        self._crew = Crew(learners, Bells(self._learning.program, len(learners) - 1)) if len(learners) > 1 else None
        self._play = learners[0]
        self._any = self._learning.any_legal(
            self.masks.ctypes.data, count, ids, self._chance.ctypes.data, self.actions.ctypes.data
        )
        self._own = self.actions.ctypes.data
        self._begun = False

    def reset(self, seed: int | None = None) -> None:
        """Begin all games anew, with these seeds."""
        self.seed = self.seed if seed is None else seed
        self._games[:, :8] = 0
        for k in range(self.count):
            self._seeds[k] = (self.seed + k) % 2**64
            self._learning.seed_chance(self._chance[k].ctypes.data, self.seed + k)
        self._begun = True
        self._go(0)

    def step(self, actions: Any) -> None:
        """Choose an id in each game. ValueError for one that is not legal: the games before it have gone on then, so
        the environment has to be reset. RuleError for a mistake in the rules."""
        if not self._begun:
            raise RuntimeError("the games have not started: call `reset` first")
        if actions is self.actions:
            self._go(self._own)
            return
        if actions.dtype != self.actions.dtype or actions.shape != (self.count,) or not actions.flags.c_contiguous:
            raise ValueError(f"`step` takes {self.count} ids as a contiguous array of 32-bit integers")
        self._go(actions.ctypes.data)

    def sample(self) -> Any:
        """Any legal id in each game, each as likely: in `actions`, which is returned."""
        self._any()
        return self.actions

    def _go(self, actions: int) -> None:
        if self._crew is None:
            done = [self._play(actions)]
        else:
            done = self._crew(actions)
        for game, end in zip(done, self._ends, strict=True):
            if game < end:
                self._begun = False
                raise ValueError(f"the action id in game {game} is not legal there: `masks` shows the legal ids")

    def close(self) -> None:
        """Let the threads go."""
        if self._crew is not None:
            self._crew.close()
