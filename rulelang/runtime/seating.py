"""Who sits at the table of a series: agents by name, as objects, or as classes that make them."""

from __future__ import annotations

import operator
import pickle
from collections.abc import Callable, Sequence
from typing import Protocol, cast

from rulelang.base.errors import BadArgument
from rulelang.runtime.state import State


class Agent(Protocol):
    """A player of one seat in `Game.simulate`: any object with the method `choose`.

    An agent is given the whole state. A fair agent looks only at `state.view(state.decider)`, or tries its options on
    `state.determinize(state.decider, seed)`. These members are optional:

    - `start(seed)` is called when a new game begins; all chance of the agent comes from that seed.
    - `name` identifies the agent in results (by default, the name of its class).
    - `work` is the approximate number of games that it imagines at each of its decisions.
    - `inner` is the pair (name, budget) of an equivalent agent in the native library.

        class First:
            def choose(self, state):
                return 0

        game.simulate(100, players=2, agents=[First, "random"])
    """

    def choose(self, state: State) -> int:
        """Return the index of the option to choose at the pending decision, starting at 0."""
        ...


#: An agent as a series takes it: a name ("mc:200"), an agent, or what makes one when it is called without arguments.
Seated = str | Agent | Callable[[], Agent]
#: A fresh agent by its name. ValueError for an unknown one.
Named = Callable[[str], Agent]


def seat_all(agents: Sequence[Seated] | None, named: Named) -> list[Agent] | None:
    """The agents themselves; None for random ones on the fast path. ValueError, in plain words, for what is none."""
    if agents is None:
        return None
    if isinstance(agents, str):
        raise BadArgument(f"agents must be a list: agents=[{agents!r}]")
    if not agents:
        raise BadArgument("no agents: give one or more")
    if all(isinstance(agent, str) and agent == "random" for agent in agents):
        return None
    return [_agent_of_seat(agent, named) for agent in agents]


def _agent_of_seat(given: Seated, named: Named) -> Agent:
    if isinstance(given, str):
        return named(given)
    agent: object = given
    if isinstance(given, type) or (callable(given) and not hasattr(given, "choose")):
        agent = cast(Callable[[], Agent], given)()
    return check_agent(agent, repr(given))


def check_agent(agent: object, what: str) -> Agent:
    """The same. ValueError if it has no method `choose`, which calls it `what`."""
    if isinstance(agent, type) or not callable(getattr(agent, "choose", None)):
        raise BadArgument(
            f'{what} is not an agent: give a name such as "mc:20", an object with the method `choose(state)`, or a '
            "class of such objects"
        )
    return cast(Agent, agent)


def begin_agent(agent: Agent, seed: int) -> None:
    """Tell an agent that a new game begins, if it wants to know."""
    start = getattr(agent, "start", None)
    if start is not None:
        start(seed)


def ask_agent(agent: Agent, state: State) -> int:
    """What an agent chooses. ValueError if that is no option."""
    choice: object = agent.choose(state)
    try:
        index = operator.index(choice)  # type: ignore[arg-type]
    except TypeError:
        index = -1
    if 0 <= index < state.option_count:
        return index
    raise BadArgument(
        f"the agent `{label_of(agent)}` chose {choice!r}, which is not an option: `choose` must return the index of "
        f"one of the {state.option_count} options, from 0"
    )


def label_of(agent: Agent) -> str:
    """What to call an agent in a result: its name, or that of its class."""
    name: object = getattr(agent, "name", None)
    return name if isinstance(name, str) else type(agent).__name__


def check_sendable(agents: Sequence[Agent]) -> None:
    """ValueError for an agent that cannot be sent to another process."""
    for agent in agents:
        try:
            pickle.dumps(agent)
        except Exception as problem:  # whatever its own methods raise
            raise BadArgument(
                f"the agent {agent!r} cannot be sent to other processes ({problem}): put its class at the top level "
                "of a module and keep only what can be pickled, or play with jobs=1"
            ) from None
