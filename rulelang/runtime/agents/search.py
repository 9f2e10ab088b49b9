"""Searches under hidden information, by determinization: fair where secrets are cards (see `engine.secrets`).

One search in several manners (`base.search_params.MANNERS`). An option is tried in worlds that the seat cannot tell
from the real one. Two things make an estimate sharp:

- All options of the decision are tried in the same worlds (common random numbers), and after each phase the worse half
  is dropped: sequential halving (Karnin, Koren, Somekh 2013), at the root of a tree as in SHOT (Cazenave 2015).
- A playout may be cut short, at the end of a round, and judged by the score there, as if the game ended: early playout
  termination (Lorentz 2008; Winands, Bjornsson, Saito 2010). It judges a little beside the truth, and far more sharply
  than what happens to come out after many rounds of random play. When an option was tried so often that it is known
  what it pays at once, half of its playouts go on for another round, a quarter for two, and so on, as temporal
  differences weigh what comes later (Sutton 1988: the lambda-return, lambda 1/2).

Below the options stands one tree for all worlds, an information set tree of a single observer (Cowling, Powley,
Whitehouse 2012): a choice counts how often it could have been made, and UCB weighs it by that. A node branches once it
was visited often enough to know something.

All arithmetic is in whole numbers, so that the native library, which has the same search, makes the same choices.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isqrt

from rulelang.base.errors import RuleError
from rulelang.base.search_params import DEEPEST, EXPLORE, MARGIN, SEARCH_SETTINGS, WIN, SearchSettings
from rulelang.runtime.agents.budget import Budget
from rulelang.runtime.agents.habits import NOTED, Habits
from rulelang.runtime.program import LinkedProgram, OptionTuple
from rulelang.runtime.rng import Generator, drawn, splitmix64
from rulelang.runtime.secrets import Secrets
from rulelang.runtime.watch import MOST

_NEVER, _ALL = -(1 << 60), (1 << 64) - 1
#: How often an option was tried, and what that came to.
Tally = tuple[int, int]


class Searcher:
    """Searches from the states of one table."""

    def __init__(self, program: LinkedProgram) -> None:
        self.program = program
        self.layout = program.layout
        self.secrets = Secrets(program.layout)
        self.teams = program.teams or tuple((seat,) for seat in range(1, program.layout.players + 1))

    def world(self, S: Sequence[int], seat: int, seed: int) -> tuple[list[int], Generator]:
        """A state that the seat cannot tell from `S`."""
        T, chance = list(S), Generator(splitmix64(seed))
        self.secrets.determinise(T, seat, self.program.frames_end(T), chance)
        return T, chance

    def rewards(self, S: list[int]) -> list[int]:
        """By seat (0 is nobody), what the end of a game is worth to it: its share of the win, and its lead."""
        program = self.program
        ranks = []
        for team in self.teams:
            parts = [(program.score(S, seat), *program.tiebreak(S, seat)) for seat in team]
            ranks.append(tuple(map(sum, zip(*parts, strict=True))))
        best = max(ranks)
        found = [0] * (self.layout.players + 1)
        for number, team in enumerate(self.teams):
            others = [rank[0] for other, rank in enumerate(ranks) if other != number]
            lead = max(-MARGIN, min(MARGIN, ranks[number][0] - max(others, default=0)))
            share = WIN // ranks.count(best) if ranks[number] == best else 0
            for seat in team:
                found[seat] = lead + share
        return found

    # ---- the search

    def search(
        self, kind: str, S: Sequence[int], options: Sequence[OptionTuple], seat: int, budget: Budget, seed: int
    ) -> tuple[int, list[Tally]]:
        """The index of the option that an agent of this kind chooses, and the tally of each."""
        manner = SEARCH_SETTINGS[kind]
        begun, phases = time.thread_time(), 1 if manner.worlds else max((len(options) - 1).bit_length(), 1)

        def late(phase: int) -> bool:
            passed = (time.thread_time() - begun) * 1000
            return bool(budget.milliseconds) and passed * phases >= budget.milliseconds * phase

        root = Node((), 0, [Node(option, seat) for option in options])
        habits = Habits(self.layout.cells, self.layout.players) if manner.habits else None
        order, chance = list(range(len(options))), Generator(splitmix64(~seed))
        for k in range(len(order) - 1, 0, -1):  # any order: of equals it is the one that comes first
            other = chance.below(k + 1)
            order[k], order[other] = order[other], order[k]
        world = 0
        for phase in range(1, phases + 1):
            each = manner.worlds or max(1, budget.games // (len(order) * phases))
            tried = 0
            while len(order) > 1 and (tried < each or budget.milliseconds) and not late(phase):
                for k in order:
                    if late(phases):
                        break
                    self.iteration(root.children[k], manner, S, seat, world, seed, habits)
                tried += 1
                world += 1
            order.sort(key=lambda k: -root.children[k].mean())
            del order[(len(order) + 1) // 2 :]
        return order[0] if order else 0, [(node.visits, node.total) for node in root.children]

    def iteration(
        self,
        first: Node,
        manner: SearchSettings,
        S: Sequence[int],
        seat: int,
        number: int,
        seed: int,
        habits: Habits | None,
    ) -> None:
        """Go down the tree in the world of this number, play on, and keep what came of it."""
        seed = (seed + number) & _ALL
        T, chance = self.world(S, seat, seed)
        program, cells = self.program, self.layout.cells
        last = last_round(T[cells.round], manner, number, seed)
        path: list[Node] = []
        noted: list[tuple[int, int]] = []
        try:
            found = program.options(T)
            leaf = False
            while found is not None and not leaf and (not path or T[cells.round] <= last):
                node = path[-1].followed(found, T[cells.decider], chance) if path else first
                if node.option not in found:
                    return
                leaf = not manner.grows or node.visits < manner.grows or len(path) + 1 == DEEPEST
                path.append(node)
                if habits is not None:
                    noted.append((habits.key(T, node.option), T[cells.decider]))
                found = program.resume(T, None, node.option)
            if found is not None and last == MOST and habits is None:
                program.playout(T)
                found = None
            while found is not None and T[cells.round] <= last:
                if T[cells.decisions] > MOST:
                    return
                option = self.played_on(T, found, habits)
                if habits is not None and len(noted) < NOTED:
                    noted.append((habits.key(T, option), T[cells.decider]))
                found = program.resume(T, None, option)
            rewards = self.rewards(T)
        except RuleError:
            return
        for node in path:
            node.visits += 1
            node.total += rewards[node.mover]
        if habits is not None:
            habits.learn(noted, rewards)

    def played_on(self, T: list[int], found: Sequence[OptionTuple], habits: Habits | None) -> OptionTuple:
        """The option that a playout takes: by habit, or any."""
        if habits is not None:
            return habits.choose(T, found)
        cells = self.layout.cells
        return found[drawn(T, cells.policy_x, cells.policy_c, len(found))]


def last_round(now: int, manner: SearchSettings, number: int, seed: int) -> int:
    """The last round that a playout plays in the world of this number and seed; MOST: all. All options of a
    decision are tried in the same worlds, so what tells them apart is never that some are looked at longer."""
    if not manner.rounds:
        return MOST
    last, luck = max(now, 1) + manner.rounds - 1, splitmix64(seed ^ 0x726F756E6473)
    while number >= manner.sure and luck & 1023 < manner.further:
        last, luck = last + 1, splitmix64(luck)
    return last


@dataclass(slots=True, eq=False)
class Node:
    """A choice in the tree: who made it, how often it was made and could have been, and what it came to for him."""

    option: OptionTuple
    mover: int
    children: list[Node] = field(default_factory=list)
    visits: int = 0
    available: int = 1
    total: int = 0

    def followed(self, found: Sequence[OptionTuple], mover: int, chance: Generator) -> Node:
        """The child to go on with where these options are: one that was not tried, any; else the most promising."""
        known = [child for child in self.children if child.option in found]
        names = {child.option for child in self.children}
        fresh = [option for option in found if option not in names]
        for child in known:
            child.available += 1
        if not fresh:
            return max(known, key=Node.worth)
        node = Node(fresh[chance.below(len(fresh))], mover)
        self.children.append(node)
        return node

    def mean(self) -> int:
        return self.total * 1024 // self.visits if self.visits else _NEVER

    def worth(self) -> int:
        """The upper confidence bound, times 1024."""
        if not self.visits:
            return -_NEVER
        bonus = isqrt((ln16(self.available) << 16) // self.visits)
        return self.total * 1024 // self.visits + (EXPLORE * bonus >> 6)


def ln16(value: int) -> int:
    """65536 times the natural logarithm of a number from 1 up, in whole numbers."""
    k = value.bit_length() - 1
    y, fraction = (value << 30) >> k, 0
    for _ in range(16):
        y, fraction = y * y >> 30, fraction << 1
        if y >> 31:
            y, fraction = y >> 1, fraction | 1
    return ((k << 16) + fraction) * 45426 >> 16


def best_of(tallies: Sequence[Tally], chance: Generator) -> int:
    """The option that was tried most; of several, the one that came to most; of equals any."""
    best = [k for k, tally in enumerate(tallies) if tally == max(tallies)]
    return best[chance.below(len(best))]
