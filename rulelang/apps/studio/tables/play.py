"""One game as it is played: moves, takebacks, and choices that several seats make at the same time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from rulelang.base.errors import RuleError
from rulelang.presentation.view.events import reveals_cards
from rulelang.runtime.decision import PASS
from rulelang.runtime.state import State, forget_past, packed_cells, packed_public_cells

# ---- the game

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
        forget_past(state)  # `past` has what is wanted
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
        if any(chance_cells(state) != chance_cells(old) for state in later):
            return 0
        return 0 if any(reveals_cards(old, state) for state in later) else len(self.past) - place

    def without(self, count: int) -> Play:
        """The game before the last moves."""
        return Play(self.past[-count][1], self.moves - count, self.past[:-count])


def chance_cells(state: State) -> tuple[int, int]:
    """The words of the generator: they change whenever something falls by chance."""
    cells = state.table.program.layout.cells
    words = packed_cells(state)
    return words[cells.rng_x], words[cells.rng_c]


# ---- choices ahead of time

#: What tells an option from the others of its question (`Option.key`).
Key: TypeAlias = tuple[int, ...]
#: By seat, in their order.
Answers: TypeAlias = Mapping[int, tuple[Key, ...]]
#: So many moves are looked past.
FAR = 200


def is_behind_curtain(state: State) -> bool:
    """Whether what is done now is not seen by the others yet."""
    return not state.over and packed_public_cells(state) is not packed_cells(state)


def still_fits(ahead: State, state: State) -> bool:
    """Whether what was found ahead of an earlier state still holds: the same curtain hangs, and no chance fell."""
    return packed_public_cells(ahead) is packed_public_cells(state) and chance_cells(ahead) == chance_cells(state)


def state_ahead(state: State, seat: int, answers: Answers) -> State | None:
    """Where a seat is asked that is not asked yet, after the answers that were given before; None if it has to wait, or
    nothing more is asked of it behind this curtain."""
    if not is_behind_curtain(state) or state.decider == seat:
        return None
    there = state.clone()
    left = {who: list(keys) for who, keys in answers.items()}
    for _ in range(FAR):
        waiting = left.get(there.decider)
        if there.decider == seat and not waiting:
            return None if reveals_cards(state, there) else there
        index = option_index(there, waiting.pop(0)) if waiting else least_option(there)
        if index is None:
            return None
        try:
            there.play(index)
        except RuleError:
            return None
        if there.over or not there.decider or not still_fits(there, state):
            return None
    return None


def option_index(state: State, key: Key) -> int | None:
    """The number of an option."""
    return next((number for number, one in enumerate(state.keys) if tuple(one) == tuple(key)), None)


def least_option(state: State) -> int:
    """To pass, or else the first option."""
    return next((number for number, key in enumerate(state.keys) if key[0] == PASS), 0)


def answers_left(answers: Answers, seat: int, state: State) -> Answers:
    """Return what is left of the answers when a seat has moved: none where the curtain has gone."""
    return {**answers, seat: answers.get(seat, ())[1:]} if is_behind_curtain(state) else {}


def answers_without(answers: Answers, seat: int) -> Answers:
    """Return the answers of the others."""
    return {**answers, seat: ()}


class Ahead:
    """Who is asked before his turn at a table, and what was answered so.

    `answers`: by seat, keys of options in their order. `asides`: by seat, where it is asked, and the number of that
    question: these go down from -1, as moves are counted from 0.
    """

    def __init__(self, answers: Mapping[int, Sequence[Key]] | None = None) -> None:
        self.answers: Answers = {seat: tuple(keys) for seat, keys in (answers or {}).items() if keys}
        self.asides: dict[int, tuple[State, int]] = {}
        self._last = 0

    def look(self, state: State, seats: Iterable[int]) -> None:
        """Find where these seats are asked. What is asked already stays as it is."""
        if not is_behind_curtain(state):
            self.asides = {}
            return
        self.asides = {seat: aside for seat, aside in self.asides.items() if still_fits(aside[0], state)}
        for seat in seats:
            there = state_ahead(state, seat, self.answers) if seat not in self.asides else None
            if there is not None:
                self._last -= 1
                self.asides[seat] = there, self._last

    def done(self) -> list[int]:
        """The seats that have answered, and are asked nothing more for now."""
        return sorted(seat for seat in self.answers if seat not in self.asides)

    def answered(self, seat: int, key: Key) -> Answers:
        """The answers with one more of a seat."""
        return {**self.answers, seat: (*self.answers.get(seat, ()), key)}

    def taken_back(self, seat: int) -> Answers:
        """The answers without the last one of a seat."""
        return {**self.answers, seat: self.answers[seat][:-1]}

    def now(self, answers: Answers) -> None:
        """These are the answers from now on; whose have changed is asked anew."""
        for seat in {*self.answers, *answers}:
            if self.answers.get(seat, ()) != answers.get(seat, ()):
                self.asides.pop(seat, None)
        self.answers = {seat: keys for seat, keys in answers.items() if keys}
