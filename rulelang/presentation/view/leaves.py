"""What documents of one game are made of at their ends: facts of a thing, zones with cards. Each is made again only if
it says something else than last time, which is seen by a few words, and is the same object otherwise."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, TypeVar

from rulelang.base.layout import Layout, ZoneLayout
from rulelang.presentation.view.parts import Noted
from rulelang.runtime.secrets import cards_in

T = TypeVar("T")

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


def gathered(zone: ZoneLayout, owner: int, S: Noted, card_next: int) -> list[int]:
    """As `cards_in`, of words of which it is noted what is read."""
    cards = cards_in(zone, owner, S.words, card_next)
    reads = S.pad.reads
    if zone.array:
        start = zone.base + owner * zone.stride
        reads.update(range(start, start + 1 + len(cards)))
    else:
        reads.add(zone.first + owner)
        reads.update([card_next + card for card in cards])
    return cards


def column(base: int, handles: Sequence[int], S: Noted) -> list[int]:
    """Words of a column, by handle, noted as read."""
    places = [base + handle for handle in handles]
    S.pad.reads.update(places)
    words = S.words
    return [words[place] for place in places]


def telling(layout: Layout, plain: Mapping[str, bool]) -> Mapping[int, tuple[int, ...]]:
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
