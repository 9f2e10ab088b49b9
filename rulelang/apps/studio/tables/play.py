"""One game as it is played: moves, and what may be taken back of it."""

from __future__ import annotations

from dataclasses import dataclass

from rulelang.presentation.view.seen import reveals
from rulelang.runtime.packed import forget, words_of
from rulelang.runtime.state import State

#: How many moves back a game remembers where it stood.
REMEMBERED = 60


@dataclass(frozen=True, slots=True)
class Move:
    """A decision: whose, which option, and whether a `person` took it."""

    seat: int
    choice: int
    person: bool


@dataclass(frozen=True, slots=True)
class Play:
    """A game and how many `moves` led there. `past`: the last moves, each with the state before it."""

    state: State
    moves: int = 0
    past: tuple[tuple[Move, State], ...] = ()

    def after(self, choice: int, *, person: bool) -> Play:
        """The game after whoever is asked took an option. RuleError for a mistake in the rules."""
        state = self.state.clone()
        state.play(choice)
        forget(state)  # `past` has what is wanted
        move = Move(self.state.decider, choice, person)
        past = self.past[1 - REMEMBERED :]
        if person and any(old.person and old.seat != move.seat for old, _ in past):
            past = ()  # nobody takes back what somebody else has answered
        return Play(state, self.moves + 1, (*past, (move, self.state)))

    def undoable(self, seat: int) -> int:
        """How many moves are taken back if a person takes his last one back; 0 if he may not.

        He may as long as no other person has moved since, no chance fell, and nobody has seen a card since that he did
        not see before: taking back must not tell anybody anything.
        """
        place = next((n for n in range(len(self.past) - 1, -1, -1) if self.past[n][0].person), -1)
        if place < 0 or self.past[place][0].seat != seat:
            return 0
        old = self.past[place][1]
        later = [*(state for _, state in self.past[place + 1 :]), self.state]
        if any(chance(state) != chance(old) for state in later):
            return 0
        return 0 if any(reveals(old, state) for state in later) else len(self.past) - place

    def without(self, count: int) -> Play:
        """The game before the last moves."""
        return Play(self.past[-count][1], self.moves - count, self.past[:-count])


def chance(state: State) -> tuple[int, int]:
    """The words of the generator: they change whenever something falls by chance."""
    cells = state.table.program.layout.cells
    words = words_of(state)
    return words[cells.rng_x], words[cells.rng_c]
