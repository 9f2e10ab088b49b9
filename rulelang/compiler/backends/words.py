"""The words of a state as C has them: 32 bits each, one behind the other."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from rulelang.runtime.saving import DamagedState


def own_words(S: object) -> array[int] | None:
    """The words of a packed state (see `LinkedProgram.pack`); None if they are a list."""
    return S if isinstance(S, array) else None


def packed(S: Sequence[int]) -> array[int]:
    """The words as both have them; DamagedState if one does not fit."""
    if isinstance(S, array):
        return S
    try:
        return array("i", S)
    except OverflowError:
        raise DamagedState("a word of the position does not fit into 32 bits") from None
