"""Players that are programs. None of them knows any game."""

from __future__ import annotations

from rulelang.agents.first import First
from rulelang.agents.greedy import Greedy
from rulelang.agents.random import Random
from rulelang.base.nearest import did_you_mean
from rulelang.engine.simulate import Agent

AGENTS: dict[str, type[Agent]] = {"random": Random, "greedy": Greedy, "first": First}


def make_agent(name: str) -> Agent:
    """A fresh agent by its name. ValueError for an unknown one."""
    if name not in AGENTS:
        hint = did_you_mean(name, AGENTS)
        raise ValueError(f"there is no agent `{name}`; there are {', '.join(AGENTS)}{'; ' + hint if hint else ''}")
    return AGENTS[name]()


__all__ = ["AGENTS", "Agent", "First", "Greedy", "Random", "make_agent"]
