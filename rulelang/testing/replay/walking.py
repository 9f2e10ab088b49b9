"""Walking along a recorded game, both ways."""

from __future__ import annotations

from rulelang.runtime.game import Game
from rulelang.runtime.state import State
from rulelang.testing.replay.again import Parted, Parting, played
from rulelang.testing.replay.records import Move, Recorded

#: Between so many moves a position is kept, once it was reached; those between are played again.
APART = 8


class Walk:
    """A recorded game and a place in it: behind `at` moves.

    It goes as far as the game goes as it was recorded: to `last`; `parting` says why no further, if it is not the end.
    """

    def __init__(self, game: Game, recorded: Recorded, *, same: bool = True) -> None:
        """Parted if the game cannot even be begun."""
        self.recorded = recorded
        self.kept: dict[int, State] = {}
        self.choices: list[int] = []
        self.parting: Parting | None = None
        try:
            for number, state in enumerate(played(game, recorded, same=same)):
                if number:
                    self.choices.append(state.choices[-1])
                if number % APART == 0:
                    self.kept[number] = state.clone()
        except Parted as found:
            if not self.kept:
                raise
            self.parting = found.parting
        self.last = len(self.choices)
        self.at = 0

    def position(self, number: int) -> State:
        """The position behind so many moves, from 0 to `last`."""
        near = number // APART * APART
        state = self.kept[near].clone()
        for choice in self.choices[near:number]:
            state.play(choice)
        return state

    @property
    def state(self) -> State:
        return self.position(self.at)

    def move(self, number: int) -> Move:
        """The move of that number, from 1."""
        return self.recorded.moves[number - 1]

    def go(self, number: int) -> None:
        """Go to the position behind so many moves, or as near as there is one."""
        self.at = min(max(number, 0), self.last)
