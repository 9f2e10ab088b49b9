"""Players that are programs, by name: first, random, greedy, and the searching ones. None knows any game."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar, cast

from rulelang.base.errors import BadArgument
from rulelang.base.search_params import SEARCH_SETTINGS
from rulelang.base.wording import did_you_mean
from rulelang.runtime.program import LinkedProgram
from rulelang.runtime.rng import Generator, policy_seed
from rulelang.runtime.search import Budget, Searcher, Tally, best_of, read_budget
from rulelang.runtime.seating import Agent, check_agent
from rulelang.runtime.state import State

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


# ---- the first option


class First:
    """It has no chance and no memory."""

    name = "first"
    inner = ("first", 0)

    def start(self, seed: int) -> None:
        """Nothing depends on the seed."""

    def choose(self, state: State) -> int:
        return 0


# ---- any option


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


# ---- agents that search


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


# ---- agents by name

#: Those that come with rulelang.
AGENTS: dict[str, type[Agent]] = {
    "random": Random, "greedy": Greedy, "first": First, "mc": MonteCarlo, "ismcts": Ismcts,
}  # fmt: skip
GROUP = "rulelang.runtime.agents"


def installed_agents() -> dict[str, EntryPoint]:
    """Agents of installed packages, by name. A warning for one that is called like another."""
    from importlib.metadata import entry_points

    found: dict[str, EntryPoint] = {}
    for point in sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value)):
        other = found.get(point.name)
        if point.name in AGENTS or (other is not None and other.value != point.value):
            whose = "comes with rulelang" if other is None else f"is {other.value}"
            message = f"the agent {point.value} cannot be used: another one is called `{point.name}`, which {whose}"
            warnings.warn(message, RuntimeWarning, stacklevel=2)
        else:
            found[point.name] = point
    return found


def agent_names() -> list[str]:
    """The names of all agents that there are."""
    return [*AGENTS, *installed_agents()]


def make_agent(name: str) -> Agent:
    """A fresh agent by its name, with what is said behind a colon: for one that searches its budget ("mc:500",
    "ismcts:100ms", "mc:500x4"; see `budget`); the class of an installed one is called with that text.

    ValueError for an unknown one, for a budget that is none, and for an installed one that cannot be used.
    """
    kind, colon, said = name.partition(":")
    made = AGENTS.get(kind)
    if made is None:
        point = installed_agents().get(kind)
        if point is None:
            known = agent_names()
            hint = did_you_mean(kind, known)
            raise BadArgument(f"there is no agent `{kind}`; there are {', '.join(known)}{'; ' + hint if hint else ''}")
        return _load_installed(point, [said] if colon else [])
    if not colon:
        return made()
    if not (issubclass(made, Searching) and made.usual):
        raise BadArgument(f"the agent `{kind}` has no budget")
    return made(said)


def with_budget(name: str, budget: str) -> str:
    """The name of an agent with this budget, if it takes one and has none yet. ValueError for what is no budget."""
    made = AGENTS.get(name)
    if made is None or not issubclass(made, Searching) or not made.usual:
        return name
    read_budget(budget, made.usual)
    return f"{name}:{budget}"


def _load_installed(point: EntryPoint, said: list[str]) -> Agent:
    try:
        made = cast(Callable[..., object], point.load())
        agent = made(*said)
    except Exception as problem:  # whatever another's code raises
        what = f"{type(problem).__name__}: {problem}"
        raise BadArgument(f"the agent `{point.name}` ({point.value}) cannot be used: {what}") from problem
    return check_agent(agent, f"the agent `{point.name}` ({point.value})")


# ---- init

__all__ = ["AGENTS", "Agent", "First", "Greedy", "Ismcts", "MonteCarlo", "Random", "agent_names", "make_agent"]
