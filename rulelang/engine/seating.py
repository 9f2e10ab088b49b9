"""Who sits at the table of a series: agents by name, as objects, or as classes that make them."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from typing import Protocol, cast

from rulelang.engine.state import State


class Agent(Protocol):
    """Who decides. An agent sees the whole state: a fair one looks only at `state.view(state.decider)`, or tries its
    options on `state.determinize(state.decider, seed)`.

    One that the native library has too tells its name and budget there as `inner`.
    """

    def choose(self, state: State) -> int:
        """The index of the option to take at the pending decision."""
        ...

    def start(self, seed: int) -> None:
        """A new game begins; all chance of the agent comes from this seed."""
        ...


#: An agent as a series takes it: a name ("mc:200"), an agent, or what makes one when it is called without arguments.
Seated = str | Agent | Callable[[], Agent]
#: A fresh agent by its name. ValueError for an unknown one.
Named = Callable[[str], Agent]


def seat(agents: Sequence[Seated] | None, named: Named) -> list[Agent] | None:
    """The agents themselves; None for random ones on the fast path. ValueError, in plain words, for what is none."""
    if agents is None:
        return None
    if isinstance(agents, str):
        raise ValueError(f"agents are given as a list: agents=[{agents!r}]")
    if not agents:
        raise ValueError("no agents are given: it takes one or more")
    if all(isinstance(agent, str) and agent == "random" for agent in agents):
        return None
    return [_one(agent, named) for agent in agents]


def _one(given: Seated, named: Named) -> Agent:
    if isinstance(given, str):
        return named(given)
    agent: object = given
    if isinstance(given, type) or (callable(given) and not hasattr(given, "choose")):
        agent = cast(Callable[[], Agent], given)()
    if not all(callable(getattr(agent, name, None)) for name in ("choose", "start")):
        raise ValueError(
            f'{given!r} is no agent: give a name as in "mc:20", an object with `start(seed)` and `choose(state)`, '
            "or a class of such objects"
        )
    return cast(Agent, agent)


def label(agent: Agent) -> str:
    """What to call an agent in a result: its name, with the budget if it has one, or the name of its class."""
    known: tuple[str, int] | None = getattr(agent, "inner", None)
    if known is None:
        return type(agent).__name__
    name, budget = known
    return f"{name}:{budget}" if budget else name


def check_sendable(agents: Sequence[Agent]) -> None:
    """ValueError for an agent that cannot be sent to another process."""
    for agent in agents:
        try:
            pickle.dumps(agent)
        except Exception as problem:  # whatever its own methods raise
            raise ValueError(
                f"the agent {agent!r} cannot be sent to other processes ({problem}): let its class stand at the top "
                "of a module and keep only what can be pickled, or play with jobs=1"
            ) from None
