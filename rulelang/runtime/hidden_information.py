"""What a seat may know: observations, resampled hidden cards, and the snapshot behind `secretly`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields

from rulelang.base.hidden_state import (
    BOX,
    CARD,
    EVERYONE,
    OWNER,
    PLAYER,
    THING,
    SecretWord,
    ZoneRow,
    card_references,
    exchange_groups,
    secret_words,
    trait_words,
    zone_rows,
)
from rulelang.base.layout import AttributeLayout, KindLayout, Layout, ZoneLayout
from rulelang.base.node import record
from rulelang.runtime.rng import Generator

# ---- observations and resampling


@record
class HiddenCard:
    """A card in a hidden zone: which zone (its number in the layout, its instance), and whether it stays there."""

    zone: int
    instance: int
    card: int
    stays: bool


class Secrets:
    """The secrets of one table's states."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.zones: list[ZoneRow] = zone_rows(layout)
        self.words: list[SecretWord] = secret_words(layout)
        self.trait_words = trait_words(layout)
        self.references = card_references(layout)
        self.groups = exchange_groups(layout)

    # ---- what is hidden

    def hides(self, zone: ZoneRow, instance: int, seat: int) -> bool:
        if zone.seen == OWNER:
            return not seat or self.layout.zone_player[zone.first_id + instance] != seat
        return zone.seen != EVERYONE

    def cards(self, S: Sequence[int], zone: ZoneRow, instance: int) -> list[int]:
        return zone_cards(zone, instance, S, self.layout.card_next)

    def hidden(self, S: Sequence[int], seat: int, end: int, too: Sequence[int] = ()) -> list[HiddenCard]:
        """All cards in hidden zones, in the order of the layout. `end`: of the words that frames take. `too`, by zone
        id: 1 for zones that count as hidden."""
        named = {word for word in S[self.layout.stack : end] if 0 < word < len(self.groups)}
        for base, count in self.references:
            named.update(S[base : base + count])
        found = []
        for number, zone in enumerate(self.zones):
            for instance in range(zone.low, zone.high + 1):
                counts = bool(too) and too[zone.first_id + instance]
                if zone.seen == BOX or not (counts or self.hides(zone, instance, seat)):
                    continue
                for card in self.cards(S, zone, instance):
                    stays = bool(zone.counted) or not self.groups[card] or card in named
                    found.append(HiddenCard(number, instance, card, stays))
        return found

    # ---- determinization

    def determinise(self, S: list[int], seat: int, end: int, chance: Generator) -> None:
        """Deal the cards that a seat does not see anew, in place. Chance from here on is another too."""
        hidden = self.hidden(S, seat, end)
        cards = [place.card for place in hidden]
        for group in range(1, max(self.groups, default=0) + 1):
            free = [i for i, place in enumerate(hidden) if not place.stays and self.groups[place.card] == group]
            for i in range(len(free) - 1, 0, -1):
                k = chance.below(i + 1)
                cards[free[i]], cards[free[k]] = cards[free[k]], cards[free[i]]
        self.lay(S, hidden, cards)
        cells = self.layout.cells
        S[cells.rng_x], S[cells.rng_c] = chance.below(1 << 30), 1 + chance.below(1 << 29)
        S[cells.policy_x], S[cells.policy_c] = chance.below(1 << 30), 1 + chance.below(1 << 29)

    def lay(self, S: list[int], hidden: Sequence[HiddenCard], cards: Sequence[int]) -> None:
        """Put cards into the places of hidden ones."""
        layout = self.layout
        at = 0
        while at < len(hidden):
            number, instance = hidden[at].zone, hidden[at].instance
            zone = self.zones[number]
            start = at
            before = 0
            while at < len(hidden) and (hidden[at].zone, hidden[at].instance) == (number, instance):
                card = cards[at]
                S[layout.where + card] = zone.first_id + instance
                if zone.array:
                    S[zone.base + instance * zone.stride + 1 + at - start] = card
                    S[layout.card_prev + card] = S[layout.card_next + card] = 0
                else:
                    S[(layout.card_next + before) if before else (zone.first + instance)] = card
                    S[layout.card_prev + card] = before
                    S[layout.card_next + card] = 0
                    S[zone.last + instance] = card
                before = card
                at += 1

    # ---- observation

    def observe(self, S: Sequence[int], seat: int) -> list[int]:
        """The words as a seat (0: a spectator) may know them: what it does not see is 0."""
        layout, cells = self.layout, self.layout.cells
        seen = list(S)
        for word in self.words:
            for handle in range(1 if word.whose != 0 else 0, word.count + 1):
                if not self.sees(S, word, handle, seat):
                    start = word.base + handle * word.width
                    seen[start : start + word.width] = [0] * word.width
        for address, card in self.trait_words:
            if not seat or layout.zone_player[S[layout.where + card]] != seat:
                seen[address] = 0
        columns = (layout.where, layout.card_next, layout.card_prev, layout.card_face, layout.silent)
        for zone in self.zones:
            for instance in range(zone.low, zone.high + 1):
                if not self.hides(zone, instance, seat):
                    continue
                for place, card in enumerate(self.cards(S, zone, instance), 1):
                    for column in columns:
                        if column:
                            seen[column + card] = 0
                    if zone.array:
                        seen[zone.base + instance * zone.stride + place] = 0
                if not zone.array:
                    seen[zone.first + instance] = seen[zone.last + instance] = 0
        for cell in (cells.rng_x, cells.rng_c, cells.policy_x, cells.policy_c):
            seen[cell] = 0
        seen[layout.stack :] = [0] * (layout.size - layout.stack)
        return seen

    def sees(self, S: Sequence[int], word: SecretWord, handle: int, seat: int) -> bool:
        if word.seen != OWNER or not seat:
            return False
        if word.whose == PLAYER:
            return handle == seat
        if word.whose == THING:
            return (handle - 1) // word.each + 1 == seat
        return word.whose == CARD and self.layout.zone_player[S[self.layout.where + handle]] == seat


def zone_cards(zone: ZoneLayout | ZoneRow, owner: int, S: Sequence[int], card_next: int) -> list[int]:
    """The cards in one instance of a zone, bottom (or first) to top."""
    if zone.array:
        start = zone.base + owner * zone.stride
        return list(S[start + 1 : start + 1 + S[start]])
    found = []
    card = S[zone.first + owner]
    while card:
        found.append(card)
        card = S[card_next + card]
    return found


# ---- the snapshot that `secretly` hides behind


def hidden_snapshot(layout: Layout, now: Sequence[int], public: Sequence[int], seat: int) -> list[int]:
    """Return the words as they were when the curtain fell, with all that belongs to a seat as it is now.

    What is not known to be the seat's own stays as it was, so nothing that others did shows. Chains end, too: a card
    that is in a zone of the seat has the links of that zone, and no link leads out of it.
    """
    words = list(public)
    for place in _own_cells(layout, now, seat):
        words[place] = now[place]
    return words


def _own_cells(layout: Layout, now: Sequence[int], seat: int) -> Iterator[int]:
    """Yield the addresses of the words that are the seat's own, or those of the flow of the game."""
    cells = layout.cells
    yield from (getattr(cells, field.name) for field in fields(cells))
    yield from range(layout.stack, layout.size)  # what waits: locals of the routines that ask
    cards = [c for c in range(1, len(layout.cards)) if seat and layout.zone_player[now[layout.where + c]] == seat]
    columns = (layout.where, layout.card_next, layout.card_prev, layout.card_face, layout.card_partner, layout.silent)
    yield from (column + card for column in columns if column for card in cards)
    for attribute in layout.attributes:
        for row in _own_rows(layout, attribute, cards, seat):
            yield from range(attribute.base + row * attribute.width, attribute.base + (row + 1) * attribute.width)
    for kind in layout.kinds.values():
        yield from _line_cells(kind, seat)
    for zone in layout.zones.values():
        for owner in range(1, zone.owners + 1) if zone.of else ():
            if layout.zone_player[zone.first_id + owner] == seat:
                yield from _zone_heads(zone, owner)


def _own_rows(layout: Layout, attribute: AttributeLayout, cards: Sequence[int], seat: int) -> Sequence[int]:
    """Return of whom an attribute is kept that is the seat's own."""
    if attribute.kind == "player":
        return (seat,)
    if attribute.kind in layout.kinds:
        return _own_slots(layout.kinds[attribute.kind], seat)
    if attribute.trait:
        rows = attribute.rows or {}
        return [rows[card] for card in cards if card in rows]
    return cards if attribute.kind in layout.sorts else ()


def _own_slots(kind: KindLayout, seat: int) -> range:
    return range((seat - 1) * kind.per_owner + 1, seat * kind.per_owner + 1)


def _line_cells(kind: KindLayout, seat: int) -> Iterator[int]:
    """Yield where the things of a seat are noted."""
    for column in (kind.alive, kind.place, kind.next, kind.prev, kind.used):
        if column:
            yield from (column + slot for slot in _own_slots(kind, seat))
    yield from (column + seat for column in (kind.first, kind.last, kind.count) if column)


def _zone_heads(zone: ZoneLayout, owner: int) -> Iterator[int]:
    """Yield where it is noted what is in a zone."""
    if zone.array:
        yield from range(zone.base + owner * zone.stride, zone.base + (owner + 1) * zone.stride)
    else:
        yield from (column + owner for column in (zone.first, zone.last, zone.count) if column)
