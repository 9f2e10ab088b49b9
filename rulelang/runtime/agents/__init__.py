"""Players that are programs. None of them knows any game."""

from __future__ import annotations

from rulelang.runtime.agents.first import First
from rulelang.runtime.agents.random import Random
from rulelang.runtime.agents.registry import AGENTS, agent_names, make_agent
from rulelang.runtime.agents.searching import Greedy, Ismcts, MonteCarlo
from rulelang.runtime.seating import Agent

__all__ = ["AGENTS", "Agent", "First", "Greedy", "Ismcts", "MonteCarlo", "Random", "agent_names", "make_agent"]
