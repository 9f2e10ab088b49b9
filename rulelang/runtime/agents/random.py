"""Any option, all alike. With one agent in all seats the game is the one that a playout with the same seed plays."""

from __future__ import annotations

from rulelang.runtime.rng import Generator, policy_seed
from rulelang.runtime.state import State


class Random:
    """Uniform over the options of a decision."""

    name = "random"
    inner = ("random", 0)

    def __init__(self, seed: int = 0) -> None:
        self.start(seed)

    def start(self, seed: int) -> None:
        self._chance = Generator(policy_seed(seed))

    def choose(self, state: State) -> int:
        return self._chance.below(state.option_count)
