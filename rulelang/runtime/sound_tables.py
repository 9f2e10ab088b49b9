"""What must hold of the words of every position, as `validate_state` says, in numbers: for who tests millions of them.

`rulelang/apps/fuzzing/prove.c` reads it, and says in its order what each section tells.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.layout import Layout, ZoneLayout, handles_of, most_of_cells

#: What a word is of, as bits: its row stands above them.
_LINE, _PILE, _CARD, _CHAIN, _ROW = 1, 2, 4, 8, 4
#: Words that nothing is told of lie in one stretch with others if they are fewer.
_GAP = 32


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
    yield _of_things(layout)
    queue = layout.queue
    yield [queue.count, queue.room, queue.column(0), len(queue.hooks)] if queue else []
    yield _piles(layout)
    touches = _touches(layout)
    yield touches
    yield _stretches(touches)


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


def _numbers(zone: ZoneLayout) -> range:
    """The numbers of a zone, of each that has one."""
    return (
        range(zone.first_id + 1, zone.first_id + zone.owners + 1)
        if zone.of
        else range(zone.first_id, zone.first_id + 1)
    )


def _of_things(layout: Layout) -> list[int]:
    """By the number of a zone: whether things have it."""
    found = [0] * max(len(layout.zone_names), 1)
    for zone in layout.zones.values():
        for number in _numbers(zone):
            found[number] = int(zone.of in layout.kinds)
    return found


def _piles(layout: Layout) -> list[int]:
    """By the number of a zone: the row of its pile, or -1."""
    found = [-1] * max(len(layout.zone_names), 1)
    for row, zone in enumerate(layout.zones.values()):
        for number in _numbers(zone):
            found[number] = row
    return found


def _touches(layout: Layout) -> list[int]:
    """By the address of a word: the tests that read it, but for those of single words and their bounds."""
    words = [0] * layout.stack

    def mark(what: int, row: int, start: int, number: int = 1) -> None:
        for at in range(start, start + number):
            words[at] |= what | row << _ROW

    for row, kind in enumerate(layout.kinds.values()):
        things = kind.owners * kind.per_owner + 1
        for base in filter(None, (kind.alive, kind.next, kind.prev, kind.used)):
            mark(_LINE, row, base, things)
        for base in filter(None, (kind.first, kind.last, kind.count)):
            mark(_LINE, row, base, kind.owners + 1)
        if kind.used:
            mark(_LINE, row, kind.waiting)
    for zone in layout.zones.values():
        for number in _numbers(zone):
            owner = number - zone.first_id
            if zone.array:
                mark(_PILE, number, zone.base + owner * zone.stride, zone.stride)
            else:
                for base in (zone.first, zone.last, zone.count):
                    mark(_PILE, number, base + owner)
    for base in filter(None, (layout.where, layout.card_next, layout.card_prev)):
        for card in range(1, len(layout.cards)):
            mark(_CARD, card, base + card)
    if layout.pairs is not None:
        alive, things, *columns = _pairs(layout)
        for base, number in zip((alive, *columns), (things, things, *[len(layout.cards) - 1] * 3), strict=True):
            mark(_CHAIN, 0, base + 1, number)
    return words


def _stretches(touches: list[int]) -> list[int]:
    """Where words lie that something is told of, from each start to before its end."""
    found: list[int] = []
    for at, told in enumerate(touches):
        if not told:
            continue
        if found and at - found[-1] < _GAP:
            found[-1] = at + 1
        else:
            found += [at, at + 1]
    return found
