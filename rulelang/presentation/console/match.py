"""One game at one table: people and agents on its seats, and moves that can be taken back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from rulelang.base.files import write_atomically
from rulelang.runtime.seating import Agent
from rulelang.runtime.state import State


class Keeper(Protocol):
    """Who notes the moves of a game as they are made."""

    def move(self, state: State, index: int) -> None:
        """Note that the option is about to be taken in the position."""
        ...

    def back(self, state: State) -> None:
        """Moves were taken back to this position."""
        ...

    def end(self, state: State) -> None:
        """The game has ended so."""
        ...


@dataclass(slots=True)
class Match:
    """`people` are the seats that persons play; `agents`, by seat, play the others. A move makes a new state: one
    that was handed out stays as it is."""

    state: State
    people: frozenset[int]
    agents: Sequence[Agent]
    past: list[State] = field(default_factory=list)  # before each move of a person
    keeper: Keeper | None = None

    @property
    def person(self) -> int:
        """The seat of the person who is asked; 0 if an agent is, or the game is over."""
        state = self.state
        return 0 if state.over or state.decider not in self.people else state.decider

    @property
    def agent(self) -> Agent | None:
        """The agent who is asked, if one is."""
        state = self.state
        return None if state.over or state.decider in self.people else self.agents[state.decider - 1]

    def play(self, index: int) -> None:
        """Take an option for whoever is asked."""
        if self.person:
            self.past.append(self.state)
        if self.keeper is not None:
            self.keeper.move(self.state, index)
        self.state = self.state.clone()
        self.state.play(index)
        if self.keeper is not None and self.state.over:
            self.keeper.end(self.state)

    def undo(self) -> bool:
        """Take the last move of a person back, and all that agents did since; False if there is none."""
        before = self.past.pop() if self.past else self._before_loading()
        if before is None:
            return False
        self.state = before
        if self.keeper is not None:
            self.keeper.back(self.state)
        return True

    def _before_loading(self) -> State | None:
        """Return the position before the last move of a person in a game that was loaded; None if nobody knows it.

        A game that is recorded cannot go back before the beginning of its recording.
        """
        state = self.state.clone()
        while self.keeper is None and state.undo():
            if state.decider in self.people:
                return state
        return None

    def save(self, path: Path) -> str:
        """Keep the game in a file; why it cannot be kept, "" if it was."""
        try:
            write_atomically(path, self.state.save())
        except OSError as error:
            return (error.strerror or str(error)).lower()
        return ""
