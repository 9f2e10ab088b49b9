"""Numbers of the searches, which Python and generated code share."""

from __future__ import annotations

from typing import NamedTuple

#: What a win is worth to a search, and at most a lead in points.
WIN, MARGIN = 1000, 200
#: How much a search in a tree prefers what it knows little of: the constant of UCB, in the same unit.
EXPLORE = 700
#: Decisions that a path in a tree may have.
DEEPEST = 500
#: Of 1024, how often a playout that goes by habit tries any option; and as how many games of the usual worth a move is
#: counted that is new.
EXPLORING, PRIOR = 256, 4


class SearchSettings(NamedTuple):
    """How an agent searches.

    `grows`: visits after which a node of the tree branches, 0: never. `rounds`: of the game that a playout plays before
    it is judged by the score, this one counted (before the first round: the first), 0: to the end. `further`: of 1024,
    how likely at the end of these it plays another round, and so on, once options have been tried in `sure` worlds.
    `worlds`: that every option is tried in, 0: as many as the budget allows, half of the options dropped after each
    phase. `habits`: 1 if playouts go by what moves came to elsewhere in the search, 0: at random.
    """

    grows: int = 0
    rounds: int = 0
    further: int = 0
    sure: int = 0
    worlds: int = 0
    habits: int = 0


#: By the agent's name, in the order of the library's numbers (`native_agents.program.AGENT_KINDS`).
SEARCH_SETTINGS = {
    "greedy": SearchSettings(rounds=1, worlds=4),
    "mc": SearchSettings(),
    "ismcts": SearchSettings(grows=1000, rounds=1, further=512, sure=256, habits=1),
}
