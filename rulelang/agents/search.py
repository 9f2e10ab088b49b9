"""Searches under hidden information, by determinization: fair where secrets are cards (see `engine.secrets`).

All arithmetic is in whole numbers, so that the native library, which has the same searches, makes the same choices.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isqrt

from rulelang.base.errors import RuleError
from rulelang.base.search_params import EXPLORE, MARGIN, WIN
from rulelang.engine.program import LinkedProgram, OptionTuple
from rulelang.engine.rng import Generator, splitmix64
from rulelang.engine.secrets import Secrets

#: Decisions that a path in a tree may have.
DEEPEST = 500
_NEVER = -(1 << 60)


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

    # ---- flat Monte Carlo

    def monte_carlo(self, S: Sequence[int], options: Sequence[OptionTuple], seat: int, playouts: int, seed: int) -> int:
        """The index of the option after which random play ends best.

        Sequential halving (Karnin, Koren, Somekh 2013): all options are tried equally often, then the better half, and
        so on. The j-th trial of every option is in the same world.
        """
        order = list(range(len(options)))
        visits, totals = [0] * len(options), [0] * len(options)
        rounds = max((len(options) - 1).bit_length(), 1)
        world = 0
        while len(order) > 1:
            for _ in range(max(1, playouts // (len(order) * rounds))):
                for k in order:
                    reward = self.trial(S, options[k], seat, (seed + world) & (2**64 - 1))
                    if reward is not None:
                        visits[k] += 1
                        totals[k] += reward
                world += 1
            order.sort(key=lambda k: (-(totals[k] * 1024 // visits[k]) if visits[k] else -_NEVER, k))
            del order[(len(order) + 1) // 2 :]
        return order[0]

    def trial(self, S: Sequence[int], option: OptionTuple, seat: int, seed: int) -> int | None:
        """What an option came to in a world; None if it cannot be chosen there, or the rules fail."""
        T, _ = self.world(S, seat, seed)
        try:
            if option not in (self.program.options(T) or ()):
                return None
            if self.program.resume(T, None, option) is not None:
                self.program.playout(T)
        except RuleError:
            return None
        return self.rewards(T)[seat]

    # ---- information set Monte Carlo tree search

    def ismcts(self, S: Sequence[int], options: Sequence[OptionTuple], seat: int, iterations: int, seed: int) -> int:
        """The index of the option that a single-observer information set tree search visits most.

        Cowling, Powley, Whitehouse 2012: every iteration goes down one tree in a world of its own; a choice counts how
        often it could have been made, and UCB weighs it by that.
        """
        root = Node((), 0)
        for i in range(iterations):
            self.iteration(root, S, seat, (seed + i) & (2**64 - 1))
        best: Node | None = None
        for node in root.children:
            if node.option in options and (best is None or (node.visits, node.total) > (best.visits, best.total)):
                best = node
        return options.index(best.option) if best is not None else 0

    def iteration(self, root: Node, S: Sequence[int], seat: int, seed: int) -> None:
        T, chance = self.world(S, seat, seed)
        program, decider = self.program, self.layout.cells.decider
        node = root
        path: list[Node] = []
        try:
            found = program.options(T)
            while found is not None and len(path) < DEEPEST:
                known = [child for child in node.children if child.option in found]
                names = {child.option for child in node.children}
                fresh = [option for option in found if option not in names]
                for child in known:
                    child.available += 1
                if fresh:
                    chosen = Node(fresh[chance.below(len(fresh))], T[decider])
                    node.children.append(chosen)
                else:
                    chosen = max(known, key=Node.worth)
                path.append(chosen)
                found = program.resume(T, None, chosen.option)
                node = chosen
                if fresh:
                    break
            if found is not None:
                program.playout(T)
        except RuleError:
            return
        rewards = self.rewards(T)
        for node in path:
            node.visits += 1
            node.total += rewards[node.mover]


@dataclass(slots=True, eq=False)
class Node:
    """A choice in the tree: who made it, how often it was made and could have been, and what it came to for him."""

    option: OptionTuple
    mover: int
    children: list[Node] = field(default_factory=list)
    visits: int = 0
    available: int = 1
    total: int = 0

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
