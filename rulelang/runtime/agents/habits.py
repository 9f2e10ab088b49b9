"""What a search learns of moves, wherever in a game they are made: a playout goes by it.

The move-average sampling technique (MAST; Finnsson and Bjornsson 2008), with an epsilon-greedy choice (Tak, Winands,
Bjornsson 2012): most of the time a playout takes the option that has come to most, over all games of this search, for
who decides; else any. A move is an option of a decision in the rules, with its cards and things, so what is learnt of
one is known of it later in the round, and in the answers of the others.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.base.layout import Cells
from rulelang.base.search_params import EXPLORING, PRIOR
from rulelang.runtime.program import OptionTuple
from rulelang.runtime.rng import drawn

#: Moves that are kept, and moves of one game that are noted, at most.
KEPT, NOTED = 3072, 600
_MASK = (1 << 64) - 1


class Habits:
    """Of one search. Whole numbers only: the library has the same, and is to choose the same."""

    def __init__(self, cells: Cells, players: int) -> None:
        self.cells = cells
        self.games = 0
        self.usual = [0] * (players + 1)  # what all games came to, by seat
        self.moves: dict[int, list[int]] = {}  # by key: how often it was made, and what that came to

    def key(self, S: Sequence[int], option: OptionTuple) -> int:
        """Of a move: the decision, who takes it, and the option."""
        key = S[self.cells.site] * 1000003 + S[self.cells.decider]
        for word in (len(option), *option):
            key = ((key ^ (word & _MASK)) * 0x9E3779B97F4A7C15) & _MASK
            key ^= key >> 29
        return key | 1

    def choose(self, S: list[int], found: Sequence[OptionTuple]) -> OptionTuple:
        """The option that a playout takes, with the chance of its own words."""
        cells = self.cells
        if drawn(S, cells.policy_x, cells.policy_c, 1024) < EXPLORING:
            return found[drawn(S, cells.policy_x, cells.policy_c, len(found))]
        usual = self.usual[S[cells.decider]] // self.games if self.games else 0
        best, high, equal = found[0], 0, 0
        for option in found:
            value = self.value(self.key(S, option), usual)
            if not equal or value > high:
                best, high, equal = option, value, 1
            elif value == high:
                equal += 1
                best = best if drawn(S, cells.policy_x, cells.policy_c, equal) else option  # of equals any
        return best

    def value(self, key: int, usual: int) -> int:
        made, total = self.moves.get(key, (0, 0))
        return (total + PRIOR * usual) * 64 // (made + PRIOR)

    def learn(self, noted: Sequence[tuple[int, int]], rewards: Sequence[int]) -> None:
        """A game has come to this by seat; `noted`: its moves, each as its key and who made it."""
        for key, mover in noted:
            known = self.moves.get(key)
            if known is None:
                if len(self.moves) >= KEPT:
                    continue
                known = self.moves[key] = [0, 0]
            known[0] += 1
            known[1] += rewards[mover]
        self.games += 1
        for seat in range(1, len(self.usual)):
            self.usual[seat] += rewards[seat]
