"""What must hold of the words of every position, as `validate_state` says, in numbers: for who tests millions of them.

`backends/native/runtime/prove.c` reads it, and says in its order what each section tells.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.layout import Layout, handles_of, most_of_cells

#: What a zone tells by its number.
_OF_THINGS, _LINKED = 1, 2


def tables(layout: Layout) -> list[int]:
    """All sections, and before them where each begins, and the last one ends."""
    parts = list(_sections(layout))
    head = [len(parts) + 1]
    for part in parts:
        head.append(head[-1] + len(part))
    return [*head, *(number for part in parts for number in part)]


def _sections(layout: Layout) -> Iterator[list[int]]:
    yield [n for name, most in most_of_cells(layout).items() for n in (getattr(layout.cells, name), most)]
    values, handles = [], []
    for a in layout.attributes:
        end = a.base + (a.count + 1) * a.width
        values += [a.base, end, *a.holds]
        values += [a.base, a.base + a.width, 0, 0] if a.kind else []
        rows = handles_of(layout, a.type)
        handles += [a.base, end, *rows] if rows else []
    for kind in layout.kinds.values():
        for base in (kind.alive, kind.place, kind.next, kind.prev, kind.first, kind.last, kind.used):
            values += [base, base + 1, 0, 0] if base else []
        rows = handles_of(layout, kind.place_kind) if kind.place else None
        handles += [kind.place, kind.place + kind.owners * kind.per_owner + 1, *rows] if rows else []
    columns = (layout.where, layout.card_next, layout.card_prev, layout.card_face, layout.card_partner, layout.silent)
    joins = layout.pairs
    for base in (*columns, *((joins.first, joins.next, joins.prev) if joins else ())):
        values += [base, base + 1, 0, 0] if base else []
    rows = handles_of(layout, "trait") if layout.card_face else None
    handles += [layout.card_face, layout.card_face + len(layout.cards), *rows] if rows else []
    yield values
    yield handles
    yield [
        n
        for k in layout.kinds.values()
        for n in (k.alive, k.next, k.prev, k.first, k.last, k.count, k.used, k.waiting, k.owners, k.per_owner)
    ]
    yield list(_zones(layout))
    yield _pairs(layout)
    yield _told(layout)
    queue = layout.queue
    yield [queue.count, queue.room, queue.column(0), len(queue.hooks)] if queue else []


def _zones(layout: Layout) -> Iterator[int]:
    for zone in layout.zones.values():
        least, most = layout.sorts.get(zone.holds, (1, len(layout.cards) - 1))
        low, high = (1, zone.owners) if zone.of else (0, 0)
        yield from (int(zone.array), zone.base, zone.stride, zone.first, zone.last, zone.count, zone.first_id)
        yield from (low, high, least, most)


def _pairs(layout: Layout) -> list[int]:
    if layout.pairs is None:
        return []
    pairs, kind = layout.pairs, layout.kinds[layout.pairs.kind]
    return [kind.alive, kind.owners * kind.per_owner, pairs.first, pairs.next, pairs.prev, layout.card_partner]


def _told(layout: Layout) -> list[int]:
    """By the number of a zone."""
    found = [0] * max(len(layout.zone_names), 1)
    for zone in layout.zones.values():
        told = (_OF_THINGS if zone.of in layout.kinds else 0) | (0 if zone.array else _LINKED)
        for owner in range(zone.owners + 1):
            if zone.first_id + owner < len(found) and layout.zone_names[zone.first_id + owner] == zone.name:
                found[zone.first_id + owner] = told
    return found
