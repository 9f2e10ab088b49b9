"""An observation of one state for a viewer: what was read, values the rules work out, and ids of parts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, Protocol, runtime_checkable

from rulelang.base.errors import RuleError
from rulelang.base.layout import AttributeLayout, TableLayout, ZoneLayout, handles_of
from rulelang.presentation.view.parts import NotedCells, Pad
from rulelang.runtime.display_names import Names
from rulelang.runtime.hidden_information import zone_cards
from rulelang.runtime.table import Table
from rulelang.runtime.views import Viewer

# ---- values that the rules work out

#: Whoever has not looked for so many positions is taken for gone.
LOOKING = 16

#: A shown value: the kind, its place among those of the kind, the handle.
Asked = tuple[str, int, int]


@runtime_checkable
class MultiQuery(Protocol):
    """A program that is asked for the values of many functions at once; None where the rules fail."""

    def prepared(self, asked: Sequence[tuple[str, int]]) -> Any: ...

    def pures(self, S: list[int], prepared: Any) -> list[int | None]: ...


class WorkedValues:
    """The shown values of one game as it stands."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.labels = table.program.layout.labels
        self.public: Sequence[int] = ()
        self.seats: dict[int, int] = {}  # who looks, with the position at which he did last
        self.at = 0
        self.asked: list[Asked] = []  # what is worked out for all who look
        self.places: dict[Asked, int] = {}  # where each stands among them
        self.found: dict[int, list[int | None]] = {}  # by seat, in their order
        self.living: list[int] = []  # of each, the word that tells whether the thing is in play; below 0: always
        self.prepared: Any = None  # the calls that answer them, if the program takes many at once
        self.addresses: dict[Asked, int] = {}

    @cached_property
    def size(self) -> int:
        """How many addresses there are, with those of all values that there may be."""
        layout = self.table.program.layout
        return layout.size + sum(
            len(values) * ((handles_of(layout, kind) or (0, 0))[1] + 1) for kind, values in self.labels.shown.items()
        )

    @cached_property
    def several(self) -> MultiQuery | None:
        """The program, if it answers for many at once."""
        return self.table.program if isinstance(self.table.program, MultiQuery) else None

    def turn(self, public: Sequence[int]) -> list[int]:
        """The next position; the addresses of what is otherwise in it for anybody."""
        self.public = public
        self.at += 1
        self.seats = {seat: last for seat, last in self.seats.items() if self.at - last < LOOKING}
        gone = [place for place, word in enumerate(self.living) if word >= 0 and not public[word]]
        changed = [self.addresses[self.asked[place]] for place in gone]
        if gone:
            self._forget({*gone})
        if self.asked and self.prepared is None and self.several is not None:
            self.prepared = self.several.prepared(self._functions(self.asked))
        before, self.found = self.found, {}
        otherwise: set[int] = set()
        for seat in self.seats:
            new = self.found[seat] = self._values(self.asked, seat, self.prepared)
            old = before[seat]
            if new != old:
                otherwise.update(place for place, value in enumerate(new) if value != old[place])
        return [*changed, *(self.addresses[self.asked[place]] for place in otherwise)]

    def look(self, seat: int) -> list[int]:
        """A seat looks from now on. The addresses of what is otherwise for it, if it did not look before: what others
        agreed about until now."""
        known, others = seat in self.seats, [*self.found.values()]
        self.seats[seat] = self.at
        if known:
            return []
        mine = self.found[seat] = self._values(self.asked, seat)
        return [
            self.addresses[asked]
            for place, asked in enumerate(self.asked)
            if any(values[place] != mine[place] for values in others)
        ]

    def there(self, asked: Asked) -> bool:
        """Whether the thing is in play for everybody: it may have come behind the curtain."""
        word = self._lives(asked)
        return word < 0 or bool(self.public[word])

    def value(self, asked: Asked, seat: int) -> tuple[int | None, int, bool]:
        """The word, None if the rules make a mistake there; the address that it stands for; whether it is another for
        another seat."""
        place = self.places.get(asked)
        if place is None:
            place = self._ask(asked)
        word = self.found[seat][place]
        return word, self.addresses[asked], any(values[place] != word for values in self.found.values())

    def _ask(self, asked: Asked) -> int:
        """Work it out from now on; where it stands."""
        place = self.places[asked] = len(self.asked)
        self.asked.append(asked)
        self.living.append(self._lives(asked))
        self.prepared = None
        if asked not in self.addresses:
            self.addresses[asked] = self.table.program.layout.size + len(self.addresses)
        for seat in self.seats:
            self.found[seat] += self._values([asked], seat)
        return place

    def _forget(self, gone: set[int]) -> None:
        """Of these nothing is worked out any more."""
        left = [place for place in range(len(self.asked)) if place not in gone]
        self.asked, self.living = [self.asked[place] for place in left], [self.living[place] for place in left]
        self.places = {asked: place for place, asked in enumerate(self.asked)}
        self.found = {seat: [values[place] for place in left] for seat, values in self.found.items()}
        self.prepared = None

    def _lives(self, asked: Asked) -> int:
        """The word that tells whether a thing is in play; below 0 for what always is."""
        made = self.table.program.layout.kinds.get(asked[0])
        return -1 if made is None else made.alive + asked[2]

    def _functions(self, every: Sequence[Asked]) -> list[tuple[str, int]]:
        shown = self.labels.shown
        return [(shown[kind][place].function, handle) for kind, place, handle in every]

    def _values(self, every: Sequence[Asked], seat: int, prepared: Any = None) -> list[int | None]:
        """What a seat may know of each; None where the rules make a mistake."""
        if not every:
            return []
        known, program = self.table.known(self.public, seat), self.table.program
        if self.several is not None:
            return self.several.pures(known, prepared or self.several.prepared(self._functions(every)))
        found: list[int | None] = []
        for (function, handle), (kind, _, _) in zip(self._functions(every), every, strict=True):
            try:
                found.append(program.pure(known, function, (handle,) if kind else ()))
            except RuleError:
                found.append(None)
        return found


# ---- observations


class Look(Viewer):
    """Where the answer depends on who looks, that is noted on the `pad`. What is asked of the things of a player
    (`words_of`, `sees`, `sees_owned`) depends on whether it is he who looks: for all others it is the same."""

    now: NotedCells
    public: NotedCells

    def __init__(
        self,
        table: Table,
        names: Names,
        now: Sequence[int],
        public: Sequence[int],
        seat: int,
        pad: Pad,
        worked: WorkedValues,
    ) -> None:
        words = NotedCells(now, pad)
        super().__init__(table, names, words, words if public is now else NotedCells(public, pad), seat)
        self.pad, self.worked = pad, worked
        self.curtain = public is not now

    def words_of(self, player: int) -> NotedCells:
        self.pad.own = self.pad.own or (self.curtain and 0 < player == self.seat)
        return self.now if player and player == self.seat else self.public

    def sees(self, attribute: AttributeLayout, player: int) -> bool:
        self.pad.own = self.pad.own or (attribute.seen_by == "owner" and 0 < player == self.seat)
        return super().sees(attribute, player)

    def sees_zone(self, zone_id: int) -> bool:
        layout = self.layout
        zone = layout.zones.get(layout.zone_names[zone_id])
        self.pad.own = self.pad.own or (zone is not None and zone.seen_by == "owner")
        return super().sees_zone(zone_id)

    def sees_owned(self, zone_id: int) -> bool:
        """The same of the zone of a player's thing."""
        self.pad.own = self.pad.own or 0 < self.layout.zone_player[zone_id] == self.seat
        return super().sees_zone(zone_id)

    def sees_card(self, card: int) -> bool:
        self.pad.own = self.pad.own or self.curtain
        return super().sees_card(card)

    def works_out(self, kind: str, place: int, handle: int) -> int | None:
        """A value that is shown, None if there is none; see `Worked`."""
        asked = (kind, place, handle)
        if not self.worked.there(asked):
            made = self.layout.kinds[kind]
            self.pad.reads.add(made.alive + handle)
            return None
        word, address, own = self.worked.value(asked, self.seat)
        self.pad.reads.add(address)
        self.pad.own = self.pad.own or own
        return word


# ---- ids of parts

GAME = "game"


class Ids:
    """The ids of one look at one state. Only cards that the viewer sees have one."""

    def __init__(self, look: Look) -> None:
        self.look = look
        self.layout = look.layout
        self.asked: dict[int, str] = {}  # cards that only the question shows
        self._counts: dict[str, int] = {}

    def part(self, kind: str, handle: int) -> str | None:
        """The id of a player, thing, row or card; None for nothing, and for a card that the viewer does not see."""
        if not handle:
            return None
        layout = self.layout
        if kind in layout.sorts:
            return self.lying(handle) or self.asked.get(handle)
        if kind == "player":
            return f"player:{handle}" if handle <= self.look.table.players else "nobody"
        if kind in layout.kinds:
            return f"{kind}:{handle}"
        return f"{kind}:{self.row(kind, handle)}"

    def row(self, kind: str, handle: int) -> str:
        """The name of a row; of a counted list its number."""
        rows = self.layout.lists.get(kind, ())
        name = rows[handle] if handle < len(rows) else str(handle)
        return str(handle) if name == f"{kind} {handle}" else name

    def owner(self, kind: str, handle: int) -> str:
        """The id of whose a zone is."""
        return (self.part(kind, handle) if kind else GAME) or GAME

    def zone(self, zone: ZoneLayout, handle: int, part: str = "") -> str:
        """The id of a zone. `part`: that of whose it is, where it is known."""
        return f"{part or self.owner(zone.of, handle)}/{zone.name}"

    def number(self, table: TableLayout, address: int) -> str:
        """The id of the number of a table that lies there."""
        rows: list[int] = []
        place = address - table.base
        for size in reversed(table.dims):
            place, row = divmod(place, size)
            rows.insert(0, row)
        return self.cell(table.name, (self.part(kind, row) or "" for kind, row in zip(table.of, rows, strict=True)))

    def cell(self, table: str, at: Iterable[str]) -> str:
        """The id of a number of a table, by the parts at which it stands."""
        return "/".join((f"table:{table}", *at))

    def show(self, card: int) -> str:
        """The id of a card that a question is about, which is a new one if it lies where the viewer does not see it."""
        known = self.lying(card) or self.asked.get(card)
        if known is None:
            place = f"asked/{self._name(card)}"
            self._counts[place] = self._counts.get(place, 0) + 1
            known = self.asked[card] = f"{place}#{self._counts[place]}"
        return known

    def shown(self, cards: Sequence[int]) -> dict[int, str]:
        """The same of many cards."""
        lying = self.together(cards) if len(cards) > 1 else {}
        return {card: lying.get(card) or self.show(card) for card in cards}

    # ---- where cards lie

    def seen(self, zone: ZoneLayout, handle: int, S: Sequence[int]) -> list[int] | None:
        """The cards in a zone, None if the viewer does not see them."""
        if not self.look.sees_zone(zone.first_id + handle):
            return None
        return zone_cards(zone, handle, S, self.layout.card_next)

    def numbered(self, place: str, cards: Sequence[int]) -> list[str]:
        """The ids of the cards of a zone: equal ones are counted."""
        found: list[str] = []
        counts: dict[str, int] = {}
        infos = self.layout.cards
        for card in cards:
            info = infos[card]
            name = info.row or info.label
            counts[name] = count = counts.get(name, 0) + 1
            found.append(f"{place}/{name}#{count}")
        return found

    def lying(self, card: int) -> str | None:
        """The id of a card where it lies; None if the viewer does not see it there."""
        look = self.look
        if look.curtain and look.seat:
            look.pad.own = True
            if self._player(card, look.now) == look.seat:
                return self._lying(card, look.now)
        return self._lying(card, look.public)

    def together(self, cards: Iterable[int]) -> dict[int, str]:
        """The ids of those of many cards that the viewer sees where they lie. What is read for them is not noted."""
        wanted = {*cards}
        layout, S = self.layout, self.look.public.words
        if self.look.curtain:
            return {card: part for card in wanted if (part := self.lying(card))}
        found: dict[int, str] = {}
        for zone_id in {S[layout.where + card] for card in wanted}:
            zone = layout.zones.get(layout.zone_names[zone_id])
            handle = layout.zone_owner[zone_id]
            if zone is None or (zone.of in layout.sorts and self.lying(handle) is None):
                continue
            there = zone_cards(zone, handle, S, layout.card_next) if self.look.sees_zone(zone_id) else []
            found.update(zip(there, self.numbered(self.zone(zone, handle), there), strict=True))
        return {card: part for card, part in found.items() if card in wanted}

    def _lying(self, card: int, S: Sequence[int]) -> str | None:
        layout = self.layout
        zone_id = S[layout.where + card]
        zone = layout.zones.get(layout.zone_names[zone_id])
        if zone is None:
            return None
        handle = layout.zone_owner[zone_id]
        if zone.of in layout.sorts and self._lying(handle, S) is None:
            return None  # it lies on a card that the viewer does not see
        cards = self.seen(zone, handle, S)
        if cards is None or card not in cards:
            return None
        name = self._name(card)
        before = sum(self._name(other) == name for other in cards[: cards.index(card)])
        return f"{self.zone(zone, handle)}/{name}#{before + 1}"

    def _player(self, card: int, S: Sequence[int]) -> int:
        """Whose a card is where it lies, 0 for nobody's."""
        layout = self.layout
        zone_id = S[layout.where + card]
        zone = layout.zones.get(layout.zone_names[zone_id])
        if zone is not None and zone.of in layout.sorts:
            return self._player(layout.zone_owner[zone_id], S)
        return layout.zone_player[zone_id]

    def _name(self, card: int) -> str:
        info = self.layout.cards[card]
        return info.row or info.label
