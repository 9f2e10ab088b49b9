"""Several seats choose at once: behind the curtain of `secretly` nobody sees what another does before it ends. So
whoever is asked later may answer now, in any order; the game takes his answers when it comes to him.

What he is asked is found by going on from the game as it stands, past the others, who do as little as they may there.
He sees nothing of that: the curtain hides it. Where chance falls on the way, or a card is seen by anybody who did not
see it before, he has to wait, for then it may matter what the others do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from rulelang.apps.studio.tables.play import chance
from rulelang.base.errors import RuleError
from rulelang.presentation.view.seen import reveals
from rulelang.runtime.decision import PASS
from rulelang.runtime.packed import public_of, words_of
from rulelang.runtime.state import State

#: What tells an option from the others of its question (`Option.key`).
Key: TypeAlias = tuple[int, ...]
#: By seat, in their order.
Answers: TypeAlias = Mapping[int, tuple[Key, ...]]
#: So many moves are looked past.
FAR = 200


def behind(state: State) -> bool:
    """Whether what is done now is not seen by the others yet."""
    return not state.over and public_of(state) is not words_of(state)


def fits(ahead: State, state: State) -> bool:
    """Whether what was found ahead of an earlier state still holds: the same curtain hangs, and no chance fell."""
    return public_of(ahead) is public_of(state) and chance(ahead) == chance(state)


def ahead(state: State, seat: int, answers: Answers) -> State | None:
    """Where a seat is asked that is not asked yet, after the answers that were given before; None if it has to wait, or
    nothing more is asked of it behind this curtain."""
    if not behind(state) or state.decider == seat:
        return None
    there = state.clone()
    left = {who: list(keys) for who, keys in answers.items()}
    for _ in range(FAR):
        waiting = left.get(there.decider)
        if there.decider == seat and not waiting:
            return None if reveals(state, there) else there
        index = found(there, waiting.pop(0)) if waiting else least(there)
        if index is None:
            return None
        try:
            there.play(index)
        except RuleError:
            return None
        if there.over or not there.decider or not fits(there, state):
            return None
    return None


def found(state: State, key: Key) -> int | None:
    """The number of an option."""
    return next((number for number, one in enumerate(state.keys) if tuple(one) == tuple(key)), None)


def least(state: State) -> int:
    """To pass, or else the first option."""
    return next((number for number, key in enumerate(state.keys) if key[0] == PASS), 0)


def left_after(answers: Answers, seat: int, state: State) -> Answers:
    """Return what is left of the answers when a seat has moved: none where the curtain has gone."""
    return {**answers, seat: answers.get(seat, ())[1:]} if behind(state) else {}


def without(answers: Answers, seat: int) -> Answers:
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
        if not behind(state):
            self.asides = {}
            return
        self.asides = {seat: aside for seat, aside in self.asides.items() if fits(aside[0], state)}
        for seat in seats:
            there = ahead(state, seat, self.answers) if seat not in self.asides else None
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
