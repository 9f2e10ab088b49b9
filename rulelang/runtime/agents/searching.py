"""Agents that search: fair ones, which know only what their seat can see (see `search`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rulelang.base.search_params import SEARCH_SETTINGS
from rulelang.runtime.agents.budget import Budget, read_budget
from rulelang.runtime.agents.search import Searcher, Tally, best_of
from rulelang.runtime.program import LinkedProgram
from rulelang.runtime.rng import Generator, policy_seed
from rulelang.runtime.state import State


class Searching:
    """`budget`: games that are imagined for each decision, or a text as "500", "100ms", "500x4" (see `budget`); 0: the
    usual number. On the native backend the library searches, and threads do so at once."""

    kind: ClassVar[str]
    usual: ClassVar[int]

    def __init__(self, budget: int | str = 0, seed: int = 0) -> None:
        self.budget = read_budget(str(budget), self.usual) if budget != 0 else Budget(self.usual)
        self._searcher: Searcher | None = None
        self.start(seed)

    def __getstate__(self) -> dict[str, object]:
        """For another process: what searches is bound to a linked program, and is made anew there."""
        return {**self.__dict__, "_searcher": None}

    @property
    def name(self) -> str:
        return f"{self.kind}:{self.budget}" if self.usual else self.kind

    @property
    def inner(self) -> tuple[str, int] | None:
        """As the library knows it, which plays whole games only by one thread, and not by the clock."""
        return (self.kind, self.budget.games) if self.budget.repeatable and self.budget.threads == 1 else None

    @property
    def repeatable(self) -> bool:
        """Whether the same seed gives the same choices."""
        return self.budget.repeatable

    @property
    def work(self) -> int:
        """Games for a decision: about so many in a millisecond; or in so many worlds for each of ten options."""
        here = self.budget.games or 4 * self.budget.milliseconds or 10 * SEARCH_SETTINGS[self.kind].worlds
        return self.budget.threads * here

    def start(self, seed: int) -> None:
        self._chance = Generator(policy_seed(seed))

    def choose(self, state: State) -> int:
        """Root parallelisation (Chaslot, Winands, van den Herik 2008): each thread searches by itself, with chance of
        its own, and what they found is added up."""
        program, words, seat = state.table.program, list(state.words), state.decider
        seeds = [self._chance.below(1 << 30) for _ in range(self.budget.threads)]
        if len(seeds) == 1:
            return self._search(program, words, seat, seeds[0])[0]
        # Imported late: it costs more than a start may take.
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(len(seeds)) as pool:
            found = list(pool.map(lambda seed: self._search(program, words, seat, seed)[1], seeds))
        added = [(sum(v for v, _ in rows), sum(t for _, t in rows)) for rows in zip(*found, strict=True)]
        return best_of(added, self._chance)

    def _search(self, program: LinkedProgram, words: Sequence[int], seat: int, seed: int) -> tuple[int, list[Tally]]:
        inside = getattr(program, "search", None)
        if inside is not None:
            games, milliseconds = self.budget.games, self.budget.milliseconds
            found: tuple[int, list[Tally]] = inside(self.kind, words, seat, games, seed, milliseconds)
            return found
        if self._searcher is None or self._searcher.program is not program:
            self._searcher = Searcher(program)
        searcher = self._searcher
        return searcher.search(self.kind, words, program.options(list(words)) or (), seat, self.budget, seed)


class MonteCarlo(Searching):
    """Tries every option in many worlds that look alike, with random play to the end, and takes the best."""

    kind = "mc"
    usual = 200


class Ismcts(Searching):
    """Information set Monte Carlo tree search: it learns what the others are likely to answer, too, and looks only some
    rounds ahead."""

    kind = "ismcts"
    usual = 400


class Greedy(Searching):
    """Tries every option in a few worlds that look alike, with random play to the end of the round, and takes the one
    after which it stands best: a rollout algorithm (Tesauro, Galperin 1996). It has no budget."""

    kind = "greedy"
    usual = 0

    def __init__(self, seed: int = 0) -> None:
        super().__init__(0, seed)
