"""Parts of documents, each with what it was read from: it is made again when that has changed, and not before.

Words are read through `Noted`, which notes where. A part that was made without asking who looks is the same for all who
look, and is kept once. So of a document after a move only what the move has changed is made, once for all seats that
may see it; and what has not changed is the same object as before, which `patch` looks no further into.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar, overload

T = TypeVar("T")

#: What a part is known by among those of one game.
Key = tuple[object, ...]

#: A part that was not looked at for so many positions is made again.
KEPT = 24


@dataclass(slots=True)
class Pad:
    """What is noted while a part is made. `reads`: addresses; `below`: of the parts in it, as bits; `own`: it depends
    on who looks."""

    reads: set[int] = field(default_factory=set)
    below: int = 0
    own: bool = False


class Noted(Sequence[int]):
    """Words, of which it is noted which are read."""

    __slots__ = ("pad", "words")

    def __init__(self, words: Sequence[int], pad: Pad) -> None:
        self.words, self.pad = words, pad

    def __len__(self) -> int:
        return len(self.words)

    @overload
    def __getitem__(self, at: int) -> int: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[int]: ...
    def __getitem__(self, at: int | slice) -> int | Sequence[int]:
        if isinstance(at, slice):
            self.pad.reads.update(range(*at.indices(len(self.words))))
        else:
            self.pad.reads.add(at)
        return self.words[at]


@dataclass(slots=True)
class _Part:
    value: Any
    reads: int
    at: int


class Parts:
    """The parts of one game's documents in one language. `size`: how many addresses there are."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.pad = Pad()
        self.at = 0  # counts positions
        self.masks: list[int] = []  # what changed with each of the last positions, as bits
        self.kept: dict[Key, _Part] = {}  # by key, behind the seat where it depends on that

    def turn(self, changed: Iterable[int]) -> None:
        """The next position, in which what is read at these addresses is otherwise."""
        self.at += 1
        self.masks = [*self.masks[1 - KEPT :], bits(changed, self.size)]
        if not self.at % KEPT:
            self.kept = {key: part for key, part in self.kept.items() if self.at - part.at < KEPT}

    def part(self, seat: int, key: Key, make: Callable[[], T]) -> T:
        """One part as a seat sees it; made if it is not known, or something of it has changed."""
        own = (seat, key)
        mine = self.kept.get(own)
        found = mine or self.kept.get(key)
        pad = self.pad
        if found is not None and (found.at == self.at or self._fresh(found)):
            pad.below |= found.reads
            pad.own = pad.own or mine is not None
            known: T = found.value
            return known
        outer = (pad.reads, pad.below, pad.own)
        pad.reads, pad.below, pad.own = set(), 0, False
        try:
            value = make()
            reads = pad.below | bits(pad.reads, self.size)
            depends = pad.own
        finally:
            pad.reads, pad.below, pad.own = outer
        if found is not None and found.value == value:
            value = found.value  # so that it is seen to be the same
        if depends:
            self.kept[own] = _Part(value, reads, self.at)
        else:
            if mine is not None:
                del self.kept[own]
            self.kept[key] = _Part(value, reads, self.at)
        pad.below |= reads
        pad.own = pad.own or depends
        return value

    def common(self, seat: int, key: Key) -> bool:
        """Whether a part that was just asked for is the same for all who look."""
        return (seat, key) not in self.kept

    def _fresh(self, part: _Part) -> bool:
        since = self.at - part.at
        if since >= KEPT:
            return False
        for mask in self.masks[len(self.masks) - since :]:
            if mask & part.reads:
                return False
        part.at = self.at
        return True


def bits(addresses: Iterable[int], size: int) -> int:
    """A number with these bits."""
    found = bytearray(size // 8 + 1)
    for at in addresses:
        found[at >> 3] |= 1 << (at & 7)
    return int.from_bytes(found, "little")
