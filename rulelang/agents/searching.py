"""Agents that search: fair ones, which know only what their seat can see (see `search`)."""

from __future__ import annotations

from typing import ClassVar

from rulelang.agents.search import Searcher
from rulelang.engine.rng import Generator, policy_seed
from rulelang.engine.state import State


class Searching:
    """`budget`: playouts or iterations for each decision. On the native backend the library searches."""

    kind: ClassVar[str]
    usual: ClassVar[int]

    def __init__(self, budget: int = 0, seed: int = 0) -> None:
        self.budget = budget or self.usual
        self._searcher: Searcher | None = None
        self.start(seed)

    def __getstate__(self) -> dict[str, object]:
        """For another process: what searches is bound to a linked program, and is made anew there."""
        return {**self.__dict__, "_searcher": None}

    @property
    def inner(self) -> tuple[str, int]:
        return self.kind, self.budget

    def start(self, seed: int) -> None:
        self._chance = Generator(policy_seed(seed))

    def choose(self, state: State) -> int:
        program, words, seat = state.table.program, list(state.words), state.decider
        seed = self._chance.below(1 << 30)
        inside = getattr(program, "search", None)
        if inside is not None:
            return int(inside(self.kind, words, seat, self.budget, seed))
        if self._searcher is None or self._searcher.program is not program:
            self._searcher = Searcher(program)
        search = self._searcher.monte_carlo if self.kind == "mc" else self._searcher.ismcts
        return search(words, program.options(words) or (), seat, self.budget, seed)


class MonteCarlo(Searching):
    """Tries every option in many worlds that look alike, with random play to the end, and takes the best."""

    kind = "mc"
    usual = 200


class Ismcts(Searching):
    """Information set Monte Carlo tree search: it learns what the others are likely to answer, too."""

    kind = "ismcts"
    usual = 400
