"""Players that are programs. None of them knows any game."""

from __future__ import annotations

from rulelang.agents.first import First
from rulelang.agents.greedy import Greedy
from rulelang.agents.random import Random
from rulelang.agents.searching import Ismcts, MonteCarlo, Searching
from rulelang.base.nearest import did_you_mean
from rulelang.engine.seating import Agent

AGENTS: dict[str, type[Agent]] = {
    "random": Random, "greedy": Greedy, "first": First, "mc": MonteCarlo, "ismcts": Ismcts,
}  # fmt: skip


def make_agent(name: str) -> Agent:
    """A fresh agent by its name; of one that searches with its budget, if that is given ("mc:500").

    ValueError for an unknown one, or a budget that is none.
    """
    kind, colon, budget = name.partition(":")
    if kind not in AGENTS:
        hint = did_you_mean(kind, AGENTS)
        raise ValueError(f"there is no agent `{kind}`; there are {', '.join(AGENTS)}{'; ' + hint if hint else ''}")
    made = AGENTS[kind]
    if not colon:
        return made()
    if not issubclass(made, Searching):
        raise ValueError(f"the agent `{kind}` does not search, so it has no budget")
    if not (budget.isascii() and budget.isdigit() and 0 < int(budget) <= 1_000_000):
        raise ValueError(f"`{budget}` is no budget for `{kind}`: write a number from 1 to 1000000, as in `{kind}:500`")
    return made(int(budget))


__all__ = ["AGENTS", "Agent", "First", "Greedy", "Ismcts", "MonteCarlo", "Random", "make_agent"]
