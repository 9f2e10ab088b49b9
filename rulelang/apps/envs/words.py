"""How words of the state become numbers that are the same whoever looks: seats counted from the one who looks, things
by their place among their owner's, cards by what they show.

Everything is rows of integers, so that the native library reads the same tables (`learn.c`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from rulelang.apps.envs.fields import LEAST, MOST, FieldKind
from rulelang.base.hidden_state import EVERYONE, NOBODY, OWNER, zone_rows
from rulelang.base.layout import KindLayout, Layout, handles_of

#: How a word becomes a number: `Reading.code`.
NUMBER, TRUTH, ROW, SEAT, THING, CARD = range(6)
KINDS: tuple[FieldKind, ...] = ("number", "truth", "row", "seat", "thing", "look")


@dataclass(frozen=True, slots=True)
class Reading:
    """`argument`: of THING the number of its kind, of CARD the look of a card that is not seen. `high`: the largest
    number that it gives."""

    code: int
    argument: int
    high: int
    of: str = ""


@dataclass(frozen=True, slots=True)
class Made:
    """A made kind: `shown` things of each owner have a place of their own, and one more is for all others."""

    layout: KindLayout
    shown: int

    @property
    def places(self) -> int:
        return self.shown + 1


class Reader:
    """What of a table all that is told to a seat needs. `things`: of an owner, at most, with places of their own."""

    def __init__(self, layout: Layout, things: int) -> None:
        self.layout = layout
        self.players = layout.players
        self.kinds = [Made(kind, min(kind.most, things)) for kind in layout.kinds.values()]
        self.kind_numbers = {name: i for i, name in enumerate(layout.kinds)}
        self.looks, self.shown_on = _looks(layout)
        seen = [NOBODY] * len(layout.zone_names)
        self.zone_numbers = {name: i for i, name in enumerate(layout.zones)}
        for zone in zone_rows(layout):
            for instance in range(zone.low, zone.high + 1):
                seen[zone.first_id + instance] = zone.seen
        self.zone_seen = seen

    def reading(self, type_: str) -> Reading:
        """How words of a type are read."""
        layout = self.layout
        if type_ == "bool":
            return Reading(TRUTH, 0, 1)
        if type_ == "player":
            return Reading(SEAT, 0, self.owners)
        if type_ in self.kind_numbers:
            number = self.kind_numbers[type_]
            made = self.kinds[number]
            return Reading(THING, number, made.layout.owners * made.places, type_)
        if type_ in layout.sorts:
            unseen = len(self.shown_on[type_])
            return Reading(CARD, unseen, unseen, type_)
        span = handles_of(layout, type_)
        return Reading(NUMBER, 0, MOST) if span is None else Reading(ROW, 0, span[1], type_)

    def says(self, reading: Reading, number: int) -> str:
        """A number that is read so, in words of the rules."""
        match reading.code:
            case 0:  # NUMBER
                return str(number)
            case 1:  # TRUTH
                return "true" if number else "false"
        if not number:
            return f"no {reading.of}" if reading.of else "nobody"
        match reading.code:
            case 3:  # SEAT
                return self.seat_name(number - 1)
            case 4:  # THING
                made = self.kinds[reading.argument]
                owner, place = divmod(number - 1, made.places)
                which = f"{reading.of} {place + 1}" if place < made.shown else f"another {reading.of}"
                return f"{which} of {self.seat_name(owner)}"
            case 5:  # CARD
                shown = self.shown_on[reading.of]
                return self.label(shown[number]) if number < len(shown) else f"an unseen {reading.of}"
        return f"{reading.of} {self.layout.lists[reading.of][number]}"

    def seat_name(self, place: int) -> str:
        """Whoever has a place counted from the seat that looks."""
        return "oneself" if not place else f"the player {place} further" if place < self.players else "nobody"

    def label(self, card: int) -> str:
        """What tells a card's look from others."""
        info = self.layout.cards[card]
        more = [f"{name} {info.texts[name]}" for name in info.tells if info.texts.get(name, info.label) != info.label]
        return f"{info.sort} {info.label}" + (f" ({', '.join(more)})" if more and not info.row else "")

    @property
    def owners(self) -> int:
        """Players, and nobody where things may be nobody's."""
        return max(self.players, *(made.layout.owners for made in self.kinds)) if self.kinds else self.players


class Looking:
    """A seat looks at a state. `now`: its words; `public`: those that show what is not the seat's own."""

    def __init__(self, reader: Reader, now: Sequence[int], public: Sequence[int], seat: int) -> None:
        self.reader, self.now, self.public, self.seat = reader, now, public, seat

    @cached_property
    def order(self) -> list[list[int]]:
        """By kind, the things that have places of their own."""
        return [self._order(made) for made in self.reader.kinds]

    @cached_property
    def places(self) -> list[dict[int, int]]:
        """By kind, the places of these things."""
        return [{h: at for at, h in enumerate(order) if h} for order in self.order]

    def words_of(self, player: int) -> Sequence[int]:
        return self.now if player == self.seat else self.public

    def player(self, place: int) -> int:
        """The player on a place from 0, counted from the seat; nobody stays the last."""
        n = self.reader.players
        return (self.seat - 1 + place) % n + 1 if place < n else place + 1

    def place(self, player: int) -> int:
        n = self.reader.players
        return (player - self.seat) % n if player <= n else player - 1

    def _order(self, made: Made) -> list[int]:
        """The handles of an owner's things, 0 for none, owner by owner: along the line, or by slot."""
        found = []
        kind = made.layout
        for place in range(kind.owners):
            owner = self.player(place)
            S = self.words_of(owner)
            things: list[int] = []
            if kind.next:
                handle = S[kind.first + owner]
                while handle and len(things) < made.shown:
                    things.append(handle)
                    handle = S[kind.next + handle]
            else:
                first = (owner - 1) * kind.per_owner + 1
                things = [h for h in range(first, first + kind.per_owner) if S[kind.alive + h]][: made.shown]
            found += things + [0] * (made.shown - len(things))
        return found

    def read(self, code: int, argument: int, word: int) -> int:
        """A word as a number."""
        match code:
            case 0:  # NUMBER
                return max(LEAST, min(MOST, word))
            case 1:  # TRUTH
                return int(word != 0)
            case 3:  # SEAT
                return self.place(word) + 1 if word else 0
            case 4:  # THING
                return self.thing(argument, word) if word else 0
            case 5:  # CARD
                return (self.reader.looks[word] if self.sees(word) else argument) if word else 0
            case _:
                return word

    def thing(self, kind: int, handle: int) -> int:
        made = self.reader.kinds[kind]
        owner = (handle - 1) // made.layout.per_owner + 1
        at = self.places[kind].get(handle)
        place = made.shown if at is None else at % made.shown
        return self.place(owner) * made.places + place + 1

    def zone_of(self, card: int) -> int:
        """The id of the zone in which the seat takes a card to lie."""
        where = self.reader.layout.where
        zone = self.now[where + card]
        return zone if self.reader.layout.zone_player[zone] == self.seat else self.public[where + card]

    def sees(self, card: int) -> bool:
        zone = self.zone_of(card)
        seen = self.reader.zone_seen[zone]
        return seen == EVERYONE or (seen == OWNER and self.reader.layout.zone_player[zone] == self.seat)


def _looks(layout: Layout) -> tuple[list[int], dict[str, list[int]]]:
    """By card, the number of its look among those of its sort, from 1; by sort and look a card that has it."""
    looks = [0] * len(layout.cards)
    examples: dict[str, list[int]] = {}
    for sort, (first, last) in layout.sorts.items():
        known: dict[int, int] = {}
        examples[sort] = [0]
        for card in range(first, last + 1):
            look = layout.cards[card].look
            if look not in known:
                known[look] = len(known) + 1
                examples[sort].append(card)
            looks[card] = known[look]
    return looks, examples
