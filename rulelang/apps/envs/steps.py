"""A game taken in steps: one id at a time, until an option has been spelled."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from rulelang.apps.envs.encoding import Encoding
from rulelang.runtime.game import Game
from rulelang.runtime.state import State


class Steps:
    """A game, and what was chosen so far of the pending decision. The state that it is given stays as it is.

    `asked`: the seat that chooses, 0 when the game is over. `legal`: the ids that it may choose, ascending.
    """

    def __init__(self, encoding: Encoding, state: State, chosen: tuple[int, ...] = ()) -> None:
        self.encoding = encoding
        self.state = state.clone()
        self.chosen = chosen
        self.legal: tuple[int, ...] = ()
        self._list()

    @classmethod
    def new(cls, encoding: Encoding, game: Game, seed: int) -> Steps:
        """A new game at the table of the encoding, without a log."""
        return cls(encoding, game.start(encoding.table, seed, log=False, invariants=False))

    @property
    def over(self) -> bool:
        return self.state.over

    @property
    def asked(self) -> int:
        return self.state.decider

    def _list(self) -> None:
        self.legal = () if self.state.over else self.encoding.node(self.state, self.chosen).legal

    def take(self, id: int) -> None:
        """Choose an id. ValueError for one that is not legal, RuntimeError when the game is over."""
        if self.state.over:
            raise RuntimeError("the game is over: there is no action to choose")
        if id not in self.legal:
            raise ValueError(f"the action id {id} is not legal here: `legal` lists the legal ids")
        chosen = (*self.chosen, id)
        node = self.encoding.node(self.state, chosen)
        if node.option < 0:
            self.chosen, self.legal = chosen, node.legal
            return
        self.choose(node.option)

    def choose(self, option: int) -> None:
        """Take an option by its index, whatever was chosen so far."""
        self.state.play(option)
        self.chosen = ()
        self._list()

    def play(self, ids: Sequence[int]) -> None:
        """Choose several, one after the other."""
        for id in ids:
            self.take(id)

    def observe(self, seat: int) -> array[int]:
        """What a seat sees; what was chosen so far only if it is the one that chooses."""
        return self.encoding.observe(self.state, seat, self.chosen)

    def mask(self) -> bytearray:
        """By id, whether it may be chosen."""
        found = bytearray(self.encoding.actions)
        for id in self.legal:
            found[id] = 1
        return found

    def __deepcopy__(self, memo: object) -> Steps:
        return self.clone()

    def clone(self) -> Steps:
        """An independent copy."""
        new = Steps.__new__(Steps)
        new.encoding, new.state, new.chosen, new.legal = self.encoding, self.state.clone(), self.chosen, self.legal
        return new

    @property
    def rewards(self) -> list[float]:
        """By seat, what the end of the game is worth (see `rewards`); zeros until it is over."""
        return rewards(self.state.winners, self.state.table.players)


def rewards(winners: Sequence[int], players: int) -> list[float]:
    """By seat: 1 for whoever wins alone, and so much less for the others that all sum up to 0: -1 for the loser of two,
    -1/3 for the losers of four. Who win together, as a team or for a tie, share. Zeros where nobody has won, or all."""
    if not winners or players < 2:
        return [0.0] * players
    return [
        ((players / len(winners) if seat in winners else 0.0) - 1) / (players - 1) for seat in range(1, players + 1)
    ]
