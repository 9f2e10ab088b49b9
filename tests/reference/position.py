"""The same position twice: as the words of a state say it, by the layout, and as the reference has it.

A position is a flat map of plain data: things and cards by their handles, what is missing as 0 (numbers: `none`). What
has gone is missing in both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import Any

from rulelang.base.layout import AttributeLayout, Layout, TableLayout, ZoneLayout
from rulelang.language.semantics.model import MISSING_INT
from tests.reference.game import Reference
from tests.reference.world import Card, Thing, key

CELLS = ("round", "phase", "active", "actor", "rng_x", "rng_c", "decisions", "forced", "curtain")
OURS = {"rng_x": "x", "rng_c": "c"}
SILENCES = {"turn": 1, "phase": 2, "round": 4, "game": 8}


def handle(value: Any, layout: Layout) -> int:
    """A value of the reference as a word has it."""
    if isinstance(value, Thing):
        return slot_of(value, layout) if value.alive else 0
    return value.handle if isinstance(value, Card) else int(value or 0)


def slot_of(thing: Thing, layout: Layout) -> int:
    return (thing.owner - 1) * layout.kinds[thing.kind].per_owner + thing.slot


def indexes(a: AttributeLayout) -> Iterator[tuple[tuple[int, ...], int]]:
    """The indexes of an attribute (one empty one where it has none), and how far behind the first word each lies."""
    for index in product(*(range(1, d) for d in a.dims)):
        offset = 0
        for i, d in zip(index, a.dims, strict=True):
            offset = offset * d + i
        yield index, offset


def rows_of(a: AttributeLayout, layout: Layout, words: Sequence[int]) -> Iterator[tuple[int, int]]:
    """(handle, row) of everything that there is with an attribute."""
    if not a.kind:
        yield 0, 0
    elif a.trait:
        yield from (a.rows or {}).items()
    elif a.kind in layout.sorts:
        first, last = layout.sorts[a.kind]
        yield from ((h, h) for h in range(first, last + 1))
    elif a.kind in layout.kinds:
        yield from ((h, h) for h in range(1, a.count + 1) if words[layout.kinds[a.kind].alive + h])
    else:
        yield from ((h, h) for h in range(1, a.count + 1))


def cards_in(zone: ZoneLayout, owner: int, layout: Layout, words: Sequence[int]) -> list[int]:
    """Bottom first."""
    if zone.array:
        at = zone.base + owner * zone.stride
        return list(words[at + 1 : at + 1 + words[at]])
    found, card = [], words[zone.first + owner]
    while card:
        found.append(card)
        card = words[layout.card_next + card]
    return found


def line_of(kind: str, owner: int, layout: Layout, words: Sequence[int]) -> list[int]:
    laid = layout.kinds[kind]
    if not laid.next:
        own = range((owner - 1) * laid.per_owner + 1, owner * laid.per_owner + 1)
        return [h for h in own if words[laid.alive + h]]
    found, thing = [], words[laid.first + owner]
    while thing:
        found.append(thing)
        thing = words[laid.next + thing]
    return found


def written(table: TableLayout, words: Sequence[int]) -> Iterator[tuple[tuple[int, ...], int]]:
    """(indexes, number) of all of a table that is not 0."""
    for at, word in enumerate(words[table.base : table.base + prod(table.dims)]):
        index: tuple[int, ...] = ()
        for size in reversed(table.dims) if word else ():
            at, part = divmod(at, size)
            index = (part, *index)
        if word and all(index):
            yield index, word


def of_words(words: Sequence[int], layout: Layout) -> dict[Any, Any]:
    """What the words of a state say."""
    found: dict[Any, Any] = {name: words[getattr(layout.cells, name)] for name in CELLS}
    for a in layout.attributes:
        for h, row in rows_of(a, layout, words):
            for index, offset in indexes(a):
                word = words[a.base + row * a.width + offset]
                if a.type in layout.kinds and not words[layout.kinds[a.type].alive + word]:
                    word = 0
                found["value", a.trait or a.kind, h, a.name, *index] = word
    for kind, laid in layout.kinds.items():
        for owner in range(1, laid.owners + 1):
            line = line_of(kind, owner, layout, words)
            found["line", kind, owner] = line
            if laid.place:
                found.update({("place", kind, h): words[laid.place + h] for h in line})
    for zone in layout.zones.values():
        for owner in range(1, zone.owners + 1) if zone.of else (0,):
            lying = cards_in(zone, owner, layout, words)
            if lying:
                found["zone", zone.name, owner] = lying
    for card in range(1, len(layout.cards)):
        face = words[layout.card_face + card] if layout.card_face else None
        partner = words[layout.card_partner + card] if layout.card_partner else 0
        silent = words[layout.silent + card] if layout.silent else 0
        found["card", card] = face, partner, silent
    for table in layout.tables.values():
        found.update({("table", table.name, *index): word for index, word in written(table, words)})
    return found


def of_reference(game: Reference, layout: Layout) -> dict[Any, Any]:
    """What the reference says."""
    w = game
    found: dict[Any, Any] = {name: int(getattr(w, OURS.get(name, name)) or 0) for name in CELLS}
    objects = Objects(game, layout)
    for a in layout.attributes:
        attribute = attribute_of(game, a)
        of = [0] if not a.kind else objects.all(a.kind, a)
        for h in of:
            for index, _ in indexes(a):
                own = tuple(objects.of(kind, i) for kind, i in zip(a.of, index, strict=True))
                of_what = (objects.of(a.kind, h), *own) if a.kind else ()
                value = w.read(key(a.trait or a.kind, attribute, *of_what), attribute)
                absent = attribute.type.tag == "int" and value is None
                found["value", a.trait or a.kind, h, a.name, *index] = MISSING_INT if absent else handle(value, layout)
    for kind, laid in layout.kinds.items():
        for owner in range(1, laid.owners + 1):
            line = w.line(kind, owner)
            found["line", kind, owner] = [handle(thing, layout) for thing in line]
            if laid.place:
                found.update({("place", kind, handle(t, layout)): int(t.place or 0) for t in line})
    for (name, owner), pile in w.piles.items():
        if pile.cards:
            found["zone", name, handle(owner, layout)] = [card.handle for card in pile.cards]
    for card in w.cards:
        face = card.face or 0 if layout.card_face else None
        silent = sum(SILENCES[s] for s in card.silences)
        found["card", card.handle] = face, handle(card.partner, layout), silent
    for (_, kind, name, *index), number in w.kept.items():
        if kind is None and number:
            found["table", name, *(handle(i, layout) for i in index)] = number
    return found


def attribute_of(game: Reference, a: AttributeLayout) -> Any:
    model = game.model
    if a.trait:
        return model.traits[a.trait].state[a.name]
    if not a.kind:
        return model.state[a.name]
    if a.kind == "player":
        return model.player_attributes[a.name]
    of: Any = model.made.get(a.kind) or model.lists.get(a.kind) or model.grids.get(a.kind) or model.sorts[a.kind]
    return of.attributes[a.name]


class Objects:
    """What the handles of a layout mean to the reference."""

    def __init__(self, game: Reference, layout: Layout) -> None:
        self.game, self.layout = game, layout
        self.things = {kind: {handle(t, layout): t for t in game.things if t.kind == kind} for kind in layout.kinds}

    def of(self, kind: str, h: int) -> Any:
        if kind in self.things:
            return self.things[kind].get(h)
        if kind in self.layout.sorts:
            return self.game.cards[h - 1] if h else None
        return h or None

    def all(self, kind: str, a: AttributeLayout) -> list[int]:
        if a.trait:
            return list(a.rows or {})
        if kind in self.things:
            return sorted(self.things[kind])
        if kind in self.layout.sorts:
            first, last = self.layout.sorts[kind]
            return list(range(first, last + 1))
        return list(range(1, a.count + 1))


def differences(ours: dict[Any, Any], theirs: dict[Any, Any]) -> list[str]:
    """`what: reference | compiled` for all that differs."""
    names = sorted({*ours, *theirs}, key=str)
    return [f"{n}: reference {ours.get(n)} | compiled {theirs.get(n)}" for n in names if ours.get(n) != theirs.get(n)]
