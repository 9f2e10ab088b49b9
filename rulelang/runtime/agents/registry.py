"""Agents by name: those that come with rulelang, and those that installed packages bring.

A package names its agents in the entry point group `rulelang.runtime.agents`; each is a class (or anything that is called
without arguments) whose objects have the method `choose`.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from rulelang.base.errors import BadArgument
from rulelang.base.wording import did_you_mean
from rulelang.runtime.agents.budget import read_budget
from rulelang.runtime.agents.first import First
from rulelang.runtime.agents.random import Random
from rulelang.runtime.agents.searching import Greedy, Ismcts, MonteCarlo, Searching
from rulelang.runtime.seating import Agent, check_agent

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

#: Those that come with rulelang.
AGENTS: dict[str, type[Agent]] = {
    "random": Random, "greedy": Greedy, "first": First, "mc": MonteCarlo, "ismcts": Ismcts,
}  # fmt: skip
GROUP = "rulelang.runtime.agents"


def installed() -> dict[str, EntryPoint]:
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
    return [*AGENTS, *installed()]


def make_agent(name: str) -> Agent:
    """A fresh agent by its name, with what is said behind a colon: for one that searches its budget ("mc:500",
    "ismcts:100ms", "mc:500x4"; see `budget`); the class of an installed one is called with that text.

    ValueError for an unknown one, for a budget that is none, and for an installed one that cannot be used.
    """
    kind, colon, said = name.partition(":")
    made = AGENTS.get(kind)
    if made is None:
        point = installed().get(kind)
        if point is None:
            known = agent_names()
            hint = did_you_mean(kind, known)
            raise BadArgument(f"there is no agent `{kind}`; there are {', '.join(known)}{'; ' + hint if hint else ''}")
        return _foreign(point, [said] if colon else [])
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


def _foreign(point: EntryPoint, said: list[str]) -> Agent:
    try:
        made = cast(Callable[..., object], point.load())
        agent = made(*said)
    except Exception as problem:  # whatever another's code raises
        what = f"{type(problem).__name__}: {problem}"
        raise BadArgument(f"the agent `{point.name}` ({point.value}) cannot be used: {what}") from problem
    return check_agent(agent, f"the agent `{point.name}` ({point.value})")
