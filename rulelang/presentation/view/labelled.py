"""A state that calls things as its ruleset wants them called: what it tells reads as documents do."""

from __future__ import annotations

from rulelang.runtime.state import State


def in_words(state: State) -> State:
    """The state with its log, options and reasons in the words of `look:`, in the language that it speaks."""
    return state.spoken(state.names.language.labelled())
