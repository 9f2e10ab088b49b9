"""Test whether cells from outside (a saved game) can be a position, in Python or as tables for the library."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from rulelang.base.layout import KindLayout, Layout, PairLayout, QueueLayout, ZoneLayout, handles_of, most_of_cells
from rulelang.base.numbers import WORD
from rulelang.base.wording import with_article

# ---- tests in Python

#: A word is stored in 32 bits.
LOW, HIGH = WORD


class InvalidState(ValueError):
    """What cannot be, in words. `kind`: what was tested; `where`: the same for the same mistake."""

    def __init__(self, what: str, kind: str = "state", where: str = "") -> None:
        super().__init__(what)
        self.kind, self.where = kind, where or what


def check_words(layout: Layout, words: Sequence[int]) -> None:
    """InvalidState for the first word found that no position can have. Whether what waits there makes sense is for the
    program to say (`LinkedProgram.frames_wrong`)."""
    if words[0] != 0:
        raise InvalidState("the unused word is not 0")
    for at, word in enumerate(words[: layout.stack]):
        if not LOW <= word <= HIGH:
            raise InvalidState(f"word {at} does not fit into 32 bits")
    _Check(layout, words).run()


def check_values(layout: Layout, words: Sequence[int]) -> None:
    """InvalidState for the first attribute that holds what it is not declared for."""
    for attribute in layout.attributes:
        low, high = attribute.holds
        column = words[attribute.base : attribute.base + (attribute.count + 1) * attribute.width]
        if min(column) < low or max(column) > high:
            name = f"{attribute.kind or 'state'}.{attribute.name}"
            what = f"{name} is {min(column)} to {max(column)}; it may be {low} to {high}"
            raise InvalidState(what, "bounds", name)


class _Check:
    def __init__(self, layout: Layout, words: Sequence[int]) -> None:
        self.layout, self.words = layout, words
        self.cards = len(layout.cards) - 1

    def run(self) -> None:
        self.singles()
        self.attributes()
        for kind in self.layout.kinds.values():
            self.things(kind)
        self.lying()
        self.card_columns()
        if self.layout.pairs is not None:
            self.pairs(self.layout.pairs)
        if self.layout.queue is not None:
            self.waiting(self.layout.queue)

    def waiting(self, queue: QueueLayout) -> None:
        """Each effect that waits is one of a hook, with what that takes."""
        count = self.words[queue.count]
        if not 0 <= count <= queue.room:
            raise InvalidState(f"{count} effects wait; the maximum is {queue.room}")
        for entry in range(count):
            number = self.words[queue.column(0) + entry]
            if not 0 <= number < len(queue.hooks):
                raise InvalidState(f"a waiting effect belongs to no rule ({number})")
            for k, kind in enumerate(queue.hooks[number], 1):
                self.handles((self.words[queue.column(k) + entry],), kind, "the arguments of a waiting effect")

    # ---- single words

    def singles(self) -> None:
        for name, most in most_of_cells(self.layout).items():
            word = self.words[getattr(self.layout.cells, name)]
            if not 0 <= word <= most:
                raise InvalidState(f"the word `{name}` is {word}; it may be 0 to {most}")

    # ---- attributes and things

    def handles(self, words: Iterable[int], kind: str, what: str) -> None:
        rows = handles_of(self.layout, kind)
        if rows is None:
            return
        first, last = rows
        for word in words:
            if word and not first <= word <= last:
                raise InvalidState(f"{what} is {word}; there is no such {kind}")

    def attributes(self) -> None:
        for attribute in self.layout.attributes:
            end = attribute.base + (attribute.count + 1) * attribute.width
            name = f"{attribute.kind or 'state'}.{attribute.name}"
            self.handles(self.words[attribute.base : end], attribute.type, name)
            if attribute.kind and any(self.words[attribute.base : attribute.base + attribute.width]):
                raise InvalidState(f"{name} is set for nothing")

    def things(self, kind: KindLayout) -> None:
        words, rows = self.words, kind.owners * kind.per_owner
        if any(words[base] for base in (kind.alive, kind.place, kind.next, kind.prev, kind.first, kind.last) if base):
            raise InvalidState(f"{kind.name} 0 has a value")
        for thing in range(1, rows + 1):
            if words[kind.alive + thing] not in (0, 1):
                raise InvalidState(f"{kind.name} {thing} is neither in play nor not")
        if kind.used:
            self.slots(kind, rows)
        if kind.place:
            self.handles(
                words[kind.place : kind.place + rows + 1], kind.place_kind, f"the place of {with_article(kind.name)}"
            )
        for owner in range(1, kind.owners + 1):
            slots = range((owner - 1) * kind.per_owner + 1, owner * kind.per_owner + 1)
            living = [thing for thing in slots if words[kind.alive + thing]]
            what = f"the line of {kind.name} of {owner}"
            if words[kind.count + owner] != len(living):
                raise InvalidState(f"the count of {what} is wrong")
            if kind.next:
                ends = words[kind.first + owner], words[kind.last + owner]
                if sorted(self.chain(what, *ends, kind.next, kind.prev, slots)) != living:
                    raise InvalidState(f"{what} does not match the things in play")
                gone = [thing for thing in slots if thing not in living]
                if any(words[kind.next + thing] or words[kind.prev + thing] for thing in gone):
                    raise InvalidState(f"{what} is linked to something that is not in play")

    def slots(self, kind: KindLayout, rows: int) -> None:
        """A slot is free, or the thing in it lives, or it waits in the chain, once."""
        words, waiting = self.words, set[int]()
        slot = words[kind.waiting]
        while slot:
            if not 1 <= slot <= rows or slot in waiting or words[kind.alive + slot]:
                raise InvalidState(f"{kind.name} {slot} waits to be released")
            waiting.add(slot)
            slot = words[kind.used + slot] - 1
        for slot in range(rows + 1):
            if slot not in waiting and words[kind.used + slot] != words[kind.alive + slot]:
                raise InvalidState(f"the slot of {kind.name} {slot} is inconsistent")

    def chain(
        self, what: str, first: int, last: int | None, after: int, before: int, allowed: Collection[int]
    ) -> list[int]:
        """What is linked from `first` to `last` (None: it is not noted), each at most once."""
        found: list[int] = []
        came, item = 0, first
        while item:
            if item not in allowed or len(found) >= len(allowed):
                raise InvalidState(f"{what} is linked to {item}")
            if self.words[before + item] != came:
                raise InvalidState(f"the links of {what} differ forward and backward")
            found.append(item)
            came, item = item, self.words[after + item]
        if last is not None and last != came:
            raise InvalidState(f"{what} does not end with its last item")
        return found

    # ---- cards

    def lying(self) -> None:
        """Every card lies in one zone, which is the one that its own word names."""
        where: dict[int, int] = {}
        for zone in self.layout.zones.values():
            rows = self.layout.sorts.get(zone.holds)
            for owner in range(1, zone.owners + 1) if zone.of else (0,):
                for card in self.cards_in(zone, owner):
                    if not 1 <= card <= self.cards or (rows and not rows[0] <= card <= rows[1]):
                        raise InvalidState(f"{zone.name} contains {card}, which does not exist")
                    if card in where:
                        raise InvalidState(f"card {card} is in two places")
                    where[card] = zone.first_id + owner
        for card in range(1, self.cards + 1):
            noted = self.words[self.layout.where + card]
            if card not in where or noted != where[card]:
                raise InvalidState(f"card {card} is not in its recorded zone {noted}")

    def cards_in(self, zone: ZoneLayout, owner: int) -> Sequence[int]:
        words, layout, what = self.words, self.layout, f"{zone.name} of {owner}"
        if zone.array:
            base = zone.base + owner * zone.stride
            if not 0 <= words[base] < zone.stride:
                raise InvalidState(f"{what} holds {words[base]} cards; the maximum is {zone.stride - 1}")
            return words[base + 1 : base + 1 + words[base]]
        ends = words[zone.first + owner], words[zone.last + owner]
        found = self.chain(what, *ends, layout.card_next, layout.card_prev, range(1, self.cards + 1))
        if words[zone.count + owner] != len(found):
            raise InvalidState(f"the count of {what} is wrong")
        return found

    def card_columns(self) -> None:
        layout, words = self.layout, self.words
        columns = (layout.where, layout.card_next, layout.card_prev, layout.card_face, layout.card_partner)
        if any(words[base] for base in (*columns, layout.silent) if base):
            raise InvalidState("card 0 has a value")
        linked = {c for zone in layout.zones.values() if not zone.array for c in self.zone_ids(zone)}
        for card in range(1, self.cards + 1):
            loose = words[layout.where + card] not in linked
            if loose and (words[layout.card_next + card] or words[layout.card_prev + card]):
                raise InvalidState(f"card {card} is linked but in no line")
        if layout.card_face:
            faces = words[layout.card_face : layout.card_face + self.cards + 1]
            self.handles(faces, "trait", "the face of a card")

    def zone_ids(self, zone: ZoneLayout) -> range:
        return range(zone.first_id + 1, zone.first_id + zone.owners + 1)

    def pairs(self, pairs: PairLayout) -> None:
        """A card that joins something to a thing lies on something, and once in the chain of that thing, which is in
        play."""
        layout, words, kind = self.layout, self.words, self.layout.kinds[pairs.kind]
        joined: dict[int, list[int]] = {}
        for card in range(1, self.cards + 1):
            partner = words[layout.card_partner + card]
            if partner:
                joined.setdefault(partner, []).append(card)
                on = layout.zones[layout.zone_names[words[layout.where + card]]].of in layout.kinds
                there = 1 <= partner <= kind.owners * kind.per_owner and words[kind.alive + partner]
                if not on or not there:
                    raise InvalidState(f"card {card} is joined to {partner}, which does not exist")
            elif words[pairs.next + card] or words[pairs.prev + card]:
                raise InvalidState(f"card {card} is linked to joined cards but not joined")
        if words[pairs.first] or words[pairs.next] or words[pairs.prev]:
            raise InvalidState("a card is joined to nothing")
        for thing in range(1, kind.owners * kind.per_owner + 1):
            what, cards = f"the cards joined to {kind.name} {thing}", joined.get(thing, [])
            if sorted(self.chain(what, words[pairs.first + thing], None, pairs.next, pairs.prev, cards)) != cards:
                raise InvalidState(f"{what} is not in its chain")


# ---- the same tests as tables of integers

#: What a word is of, as bits: its row stands above them.
_LINE, _PILE, _CARD, _CHAIN, _ROW = 1, 2, 4, 8, 4
#: Words that nothing is told of lie in one stretch with others if they are fewer.
_GAP = 32


def validation_tables(layout: Layout) -> list[int]:
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
