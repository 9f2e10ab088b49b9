"""Parts of documents that are kept until what they were read from changes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar, overload

from rulelang.base.layout import Layout, ZoneLayout
from rulelang.runtime.hidden_information import zone_cards

# ---- parts and what they were read from

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


class NotedCells(Sequence[int]):
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
        self.masks = [*self.masks[1 - KEPT :], address_bits(changed, self.size)]
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
            reads = pad.below | address_bits(pad.reads, self.size)
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


def address_bits(addresses: Iterable[int], size: int) -> int:
    """A number with these bits."""
    found = bytearray(size // 8 + 1)
    for at in addresses:
        found[at >> 3] |= 1 << (at & 7)
    return int.from_bytes(found, "little")


# ---- facts and zones that are kept


#: So many are kept of a game.
MOST = 4_000


class Leaves:
    """Of one game in one language. A key has in it whatever a leaf is made of but what it says: whether the viewer is
    the owner, where that matters."""

    def __init__(self) -> None:
        self.known: dict[Hashable, tuple[object, Any]] = {}

    def again(self, key: Hashable, said: object, make: Callable[[], T]) -> T:
        """What stands under a key, made anew if it says something else than when it was made."""
        known = self.known.get(key)
        if known is not None and known[0] == said:
            found: T = known[1]
            return found
        if len(self.known) >= MOST:
            self.known.clear()
        made = make()
        self.known[key] = said, made
        return made


def read_zone_cards(zone: ZoneLayout, owner: int, S: NotedCells, card_next: int) -> list[int]:
    """As `cards_in`, of words of which it is noted what is read."""
    cards = zone_cards(zone, owner, S.words, card_next)
    reads = S.pad.reads
    if zone.array:
        start = zone.base + owner * zone.stride
        reads.update(range(start, start + 1 + len(cards)))
    else:
        reads.add(zone.first + owner)
        reads.update([card_next + card for card in cards])
    return cards


def read_column(base: int, handles: Sequence[int], S: NotedCells) -> list[int]:
    """Words of a column, by handle, noted as read."""
    places = [base + handle for handle in handles]
    S.pad.reads.update(places)
    words = S.words
    return [words[place] for place in places]


def card_details(layout: Layout, plain: Mapping[str, bool]) -> Mapping[int, tuple[int, ...]]:
    """The cards of which nothing changes in a document but where they lie, the face that they show, with what they are
    joined, and what these words say: nothing lies on them, and rules work out nothing of them. `plain`: by sort,
    whether what is kept of it says the same to all, wherever cards lie."""
    laid = {zone.of for zone in layout.zones.values()}
    found: dict[int, tuple[int, ...]] = {}
    for sort, (first, last) in layout.sorts.items():
        if plain[sort] and sort not in laid and not layout.labels.shown.get(sort):
            own = [attribute for attribute in layout.attributes if attribute.kind == sort]
            for card in range(first, last + 1):
                rows = [(one, (one.rows or {}).get(card, 0) if one.trait else card) for one in own]
                starts = [(one.base + row * one.width, one.width) for one, row in rows if row]
                found[card] = tuple(place for start, width in starts for place in range(start, start + width))
    return found
