"""Players that are programs. None of them knows any game."""

from __future__ import annotations

from rulelang.agents.first import First
from rulelang.agents.random import Random
from rulelang.agents.registry import AGENTS, agent_names, make_agent
from rulelang.agents.searching import Greedy, Ismcts, MonteCarlo
from rulelang.engine.seating import Agent

__all__ = ["AGENTS", "Agent", "First", "Greedy", "Ismcts", "MonteCarlo", "Random", "agent_names", "make_agent"]
