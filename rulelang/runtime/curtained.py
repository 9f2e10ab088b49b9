"""The words behind the curtain of `secretly` as one seat knows them: its own things now, all else as when it began."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields

from rulelang.base.layout import AttributeLayout, KindLayout, Layout, ZoneLayout


def curtained(layout: Layout, now: Sequence[int], public: Sequence[int], seat: int) -> list[int]:
    """Return the words as they were when the curtain fell, with all that belongs to a seat as it is now.

    What is not known to be the seat's own stays as it was, so nothing that others did shows. Chains end, too: a card
    that is in a zone of the seat has the links of that zone, and no link leads out of it.
    """
    words = list(public)
    for place in _own(layout, now, seat):
        words[place] = now[place]
    return words


def _own(layout: Layout, now: Sequence[int], seat: int) -> Iterator[int]:
    """Yield the addresses of the words that are the seat's own, or those of the flow of the game."""
    cells = layout.cells
    yield from (getattr(cells, field.name) for field in fields(cells))
    yield from range(layout.stack, layout.size)  # what waits: locals of the routines that ask
    cards = [c for c in range(1, len(layout.cards)) if seat and layout.zone_player[now[layout.where + c]] == seat]
    columns = (layout.where, layout.card_next, layout.card_prev, layout.card_face, layout.card_partner, layout.silent)
    yield from (column + card for column in columns if column for card in cards)
    for attribute in layout.attributes:
        for row in _rows(layout, attribute, cards, seat):
            yield from range(attribute.base + row * attribute.width, attribute.base + (row + 1) * attribute.width)
    for kind in layout.kinds.values():
        yield from _line(kind, seat)
    for zone in layout.zones.values():
        for owner in range(1, zone.owners + 1) if zone.of else ():
            if layout.zone_player[zone.first_id + owner] == seat:
                yield from _heads(zone, owner)


def _rows(layout: Layout, attribute: AttributeLayout, cards: Sequence[int], seat: int) -> Sequence[int]:
    """Return of whom an attribute is kept that is the seat's own."""
    if attribute.kind == "player":
        return (seat,)
    if attribute.kind in layout.kinds:
        return _slots(layout.kinds[attribute.kind], seat)
    if attribute.trait:
        rows = attribute.rows or {}
        return [rows[card] for card in cards if card in rows]
    return cards if attribute.kind in layout.sorts else ()


def _slots(kind: KindLayout, seat: int) -> range:
    return range((seat - 1) * kind.per_owner + 1, seat * kind.per_owner + 1)


def _line(kind: KindLayout, seat: int) -> Iterator[int]:
    """Yield where the things of a seat are noted."""
    for column in (kind.alive, kind.place, kind.next, kind.prev, kind.used):
        if column:
            yield from (column + slot for slot in _slots(kind, seat))
    yield from (column + seat for column in (kind.first, kind.last, kind.count) if column)


def _heads(zone: ZoneLayout, owner: int) -> Iterator[int]:
    """Yield where it is noted what is in a zone."""
    if zone.array:
        yield from range(zone.base + owner * zone.stride, zone.base + (owner + 1) * zone.stride)
    else:
        yield from (column + owner for column in (zone.first, zone.last, zone.count) if column)
