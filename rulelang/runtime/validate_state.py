"""Whether words from outside (a saved game) can be those of a position.

Generated code takes words as handles and addresses without looking at them, so each word that it may take so is tested
here, as far as the layout tells its kind: what is counted, linked or kept twice must agree, and a chain is tested as a
whole, so that whoever follows it comes to its end. The numbers of all other words (values, masks, flags, what lowering
claims, locals in frames) are tested against what the program can ever put there (`passes.frame_validation`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from rulelang.base.layout import KindLayout, Layout, PairLayout, QueueLayout, ZoneLayout, handles_of, most_of_cells
from rulelang.base.numbers import WORD
from rulelang.base.wording import with_article

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
