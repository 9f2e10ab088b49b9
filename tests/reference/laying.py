"""A position that a scenario has laid, in words, becomes one of the reference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulelang.base.layout import Layout
from rulelang.language.semantics.model import MISSING_INT
from tests.reference.position import SILENCES, Objects, attribute_of, cards_in, indexes, line_of, rows_of, written
from tests.reference.seeking import Seeking
from tests.reference.world import BOX, Thing, key


def lay(game: Seeking, words: Sequence[int], layout: Layout, laid: Sequence[int]) -> None:
    """`laid`: the cards that were laid on things, the oldest first."""
    w, cells = game, layout.cells
    w.round = words[cells.round]
    w.sought, w.sought_turn = words[cells.seek] or None, words[cells.seek_turn] or None
    things(game, words, layout)
    objects = Objects(game, layout)
    for zone in layout.zones.values():
        declared = w.model.zones.get(zone.name, BOX)
        for owner in range(1, zone.owners + 1) if zone.of else (0,):
            cards = cards_in(zone, owner, layout, words)
            if cards:
                pile = w.pile(declared, objects.of(zone.of, owner) if zone.of else None)
                pile.cards = [objects.of(zone.holds or card_sort(layout, c), c) for c in cards]
                for card in pile.cards:
                    card.pile = pile
    for card in w.cards:
        h = card.handle
        if layout.card_face:
            card.face = words[layout.card_face + h] or None
        if layout.card_partner and words[layout.card_partner + h]:
            assert layout.pairs is not None
            card.partner = objects.of(layout.pairs.kind, words[layout.card_partner + h])
        if layout.silent:
            card.silences = frozenset(name for name, bit in SILENCES.items() if words[layout.silent + h] & bit)
        if card.pile.zone.in_force and isinstance(card.pile.owner, Thing):
            card.laid = 1 + laid.index(h) if h in laid else 0
    w.box.cards = [card for card in w.box.cards if card.pile is w.box]
    w.clock = len(laid)
    values(game, words, layout, objects)


def card_sort(layout: Layout, card: int) -> str:
    return layout.cards[card].sort


def things(game: Seeking, words: Sequence[int], layout: Layout) -> None:
    for kind, laid in layout.kinds.items():
        for owner in range(1, laid.owners + 1):
            for h in line_of(kind, owner, layout, words):
                place = words[laid.place + h] or None if laid.place else None
                thing = Thing(kind, owner, h - (owner - 1) * laid.per_owner, place=place)
                game.things.append(thing)


def values(game: Seeking, words: Sequence[int], layout: Layout, objects: Objects) -> None:
    w = game
    for a in layout.attributes:
        attribute = attribute_of(game, a)
        for h, row in rows_of(a, layout, words):
            for index, offset in indexes(a):
                word: Any = words[a.base + row * a.width + offset]
                kept: Any = objects.of(a.type, word) if a.type not in ("int", "bool") else word
                kept = bool(word) if a.type == "bool" else kept
                kept = None if attribute.type.maybe and a.type == "int" and word == MISSING_INT else kept
                own = tuple(objects.of(kind, i) for kind, i in zip(a.of, index, strict=True))
                of = (objects.of(a.kind, h), *own) if a.kind else ()
                w.kept[key(a.trait or a.kind, attribute, *of)] = kept
    for table in layout.tables.values():
        for index, word in written(table, words):
            of = tuple(objects.of(kind, i) for kind, i in zip(table.of, index, strict=True))
            w.kept[key(None, w.model.tables[table.name], *of)] = word
