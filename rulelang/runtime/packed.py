"""A state's words as its program packs them: of one kind for all states of a table, so that two are soon compared."""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.runtime.state import State


def words_of(state: State) -> Sequence[int]:
    """As `State.words`, to read only."""
    return state._words


def public_of(state: State) -> Sequence[int]:
    """As `State.public_words`, to read only: the same object as `words_of` where no curtain has fallen."""
    curtain = state._host.curtain_words
    return state._words if curtain is None else curtain


def forget(state: State) -> None:
    """Give up what `undo` would lead back to, and the memory that it takes."""
    state._past = ()
