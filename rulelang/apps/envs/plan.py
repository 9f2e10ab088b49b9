"""What a seat is told of a state, declared from its layout: rows of integers that say which words go where.

What everybody sees is there, and what the seat alone sees of its own; what it does not see is nowhere. Of zones that it
does not see, there is how many cards lie in them. An observation is made of *families* of *records* that look alike:
the game, oneself, the others in their order from oneself, one's own things, those of others, rows of lists, and cards
that keep something.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import prod

from rulelang.apps.envs.fields import LEAST, MOST, Field, FieldKind, Schema
from rulelang.apps.envs.ids import Ids
from rulelang.apps.envs.words import CARD, KINDS, NUMBER, ROW, TRUTH, Reader, Reading
from rulelang.base.hidden_state import zone_rows
from rulelang.base.layout import AttributeLayout, ZoneLayout, most_of_cells
from rulelang.runtime.table import Table

#: What an operation writes: a word; words by other things; the card of a slot; how many cards lie in a zone, also how
#: many of each look and the look on top, or the first of them.
VALUE, ARRAY, SLOT, COUNT, BAG, LIST = range(6)
#: Families.
GAME, SELF, OTHERS, OWN, THEIRS, ROWS, CARDS = range(7)
#: What an index goes over: all rows of a list, players, things of a kind.
ALL, PLAYERS, THINGS = range(3)
#: The ids that were chosen so far, and what the question speaks of: so many are shown.
CHOSEN, ASKED = 8, 8


@dataclass(frozen=True, slots=True)
class Op:
    """`at`: where it writes in the record. VALUE, ARRAY: the word at `base + handle * stride`, with the handle of a
    card put through `rows` (-1: as it is), and for ARRAY the `count` dims from `first` on. `own`: of a card, only to
    its owner. `idle`: a card that has only this keeps nothing. Zones: `base` is the number of the zone, `count` how
    many of its cards (LIST) or looks (BAG) are shown."""

    code: int
    at: int
    base: int
    stride: int = 0
    reading: int = 0
    argument: int = 0
    rows: int = -1
    first: int = 0
    count: int = 0
    own: int = 0
    idle: int = 0


@dataclass(frozen=True, slots=True)
class Dim:
    code: int
    argument: int  # of ALL how many rows, of THINGS the number of the kind
    stride: int


@dataclass(frozen=True, slots=True)
class Family:
    """`count` records of `size` numbers from `at` on, with the operations `first` .. `last` - 1. `argument`: of things
    the number of their kind, of cards where the candidates begin among `Plan.candidates`, of which there are `more`.
    In front of things stands how many there are, by owner."""

    code: int
    argument: int
    count: int
    size: int
    at: int
    first: int
    last: int
    more: int = 0


@dataclass(frozen=True, slots=True)
class Shown:
    """A piece of a record: its name, how many numbers, how they are read."""

    name: str
    width: int
    low: int
    high: int
    kind: FieldKind
    of: str = ""


class Plan:
    """`cards`: that are shown one by one where a zone's are, at most."""

    def __init__(self, table: Table, reader: Reader, ids: Ids, cards: int) -> None:
        self.layout, self.reader, self.ids, self.cards = table.program.layout, reader, ids, cards
        self.piles = zone_rows(self.layout)  # by the number of a zone
        self.ops: list[Op] = []
        self.dims: list[Dim] = []
        self.families: list[Family] = []
        self.rows: list[int] = []  # by card the row that a trait keeps for it: one table behind the other
        self.candidates: list[int] = []
        self.fields: list[Field] = []
        self.size = 0
        self.head(table)
        game = [a for a in self.layout.attributes if not a.kind and a.seen_by == "everyone"]
        self.family(GAME, "game", 0, 1, [game], self.zones_of(""), tables=True)
        for code, name, count in ((SELF, "self", 1), (OTHERS, "other", self.layout.players - 1)):
            self.family(code, name, 0, count, [self.seen("player", code)], self.zones_of("player"))
        for number, made in enumerate(reader.kinds):
            owners = (("own", OWN, 1), ("their", THEIRS, made.layout.owners - 1))
            for whose, code, count in owners:
                name = f"{whose}.{made.layout.name}"
                seen = [self.seen(made.layout.name, code)]
                self.family(code, name, number, count * made.shown, seen, self.zones_of(made.layout.name), count=count)
        known = {a.kind for a in self.layout.attributes} | {zone.of for zone in self.layout.zones.values()}
        others = {"", "player", *self.layout.kinds, *self.layout.sorts}
        for name in sorted(known - others):
            self.family(ROWS, name, 0, len(self.layout.lists[name]) - 1, [self.seen(name, ROWS)], self.zones_of(name))
        for sort in self.layout.sorts:
            self.kept_on(sort)
        self.schema = Schema(tuple(self.fields), self.size)

    # ---- what everybody has

    def head(self, table: Table) -> None:
        """What is asked, of whom, and when."""
        phases = len(self.layout.lists.get("phase", ("none",))) - 1
        seats = self.reader.owners
        rounds = most_of_cells(self.layout)["round"]
        for shown in (
            Shown("asked", 1, 0, seats, "seat"),
            Shown("active", 1, 0, seats, "seat"),
            Shown("round", 1, 0, min(rounds, MOST), "number"),
            Shown("phase", 1, 0, phases, "row", "phase"),
            Shown("question", 1, 0, len(table.program.sites), "row", "question"),
            Shown("about", ASKED, 0, self.ids.count, "id"),
            Shown("chosen", CHOSEN, 0, self.ids.count, "id"),
        ):
            self.show(shown, shown.name)

    def show(self, shown: Shown, name: str) -> None:
        self.fields.append(Field(name, self.size, shown.width, shown.low, shown.high, shown.kind, shown.of))
        self.size += shown.width

    # ---- families

    def seen(self, kind: str, family: int) -> list[AttributeLayout]:
        own = family in (SELF, OWN)
        seers = ("everyone", "owner") if own else ("everyone",)
        return [a for a in self.layout.attributes if a.kind == kind and not a.trait and a.seen_by in seers]

    def zones_of(self, kind: str) -> list[ZoneLayout]:
        return [zone for zone in self.layout.zones.values() if zone.of == kind and zone.name != "box"]

    def family(
        self, code: int, name: str, argument: int, records: int, seen: list[list[AttributeLayout]],
        zones: Iterable[ZoneLayout], *, tables: bool = False, count: int = 0, more: int = 0,
    ) -> None:  # fmt: skip
        if not records:
            return
        for place in range(count):  # how many things there are, beside those that are shown
            self.show(Shown("", 1, 0, MOST, "number"), f"{name}{f'[{place}]' if code == THEIRS else ''}.count")
        first, pieces, at = len(self.ops), list[Shown](), 0
        layout = self.layout
        if code in (OWN, THEIRS):
            pieces.append(Shown("present", 1, 0, 1, "truth"))
            made = self.reader.kinds[argument].layout
            if made.place:
                reading = self.reader.reading(made.place_kind)
                pieces.append(self.value("place", reading))
                self.ops.append(Op(VALUE, 1, made.place, 1, reading.code, reading.argument))
        if code == CARDS:
            reading = self.reader.reading(name.partition(".")[2])
            zones_high = len(layout.zones) - 1
            pieces += [self.value("look", reading), Shown("zone", 1, 0, zones_high, "row", "zone"),
                       Shown("owner", 1, 0, self.ids.count, "id")]  # fmt: skip
            for what, base in (("face", layout.card_face), ("partner", layout.card_partner), ("silent", layout.silent)):
                if base:
                    reading = self.column(what)
                    at = sum(piece.width for piece in pieces)
                    idle = int(what == "face")
                    self.ops.append(Op(VALUE, at, base, 1, reading.code, reading.argument, idle=idle))
                    pieces.append(self.value(what, reading))
        at = sum(piece.width for piece in pieces)
        for attributes in seen:
            for attribute in attributes:
                pieces.append(self.attribute(attribute, at))
                at += pieces[-1].width
        if tables:
            for table in layout.tables.values():
                dims, wide = self.indices(table.of, table.dims)
                self.ops.append(Op(ARRAY, at, table.base, 0, NUMBER, 0, -1, dims, len(table.dims)))
                pieces.append(Shown(table.name, wide, LEAST, MOST, "number"))
                at += wide
        for zone in zones:
            for piece in self.zone(zone, code, at):
                pieces.append(piece)
                at += piece.width
        size = sum(piece.width for piece in pieces)
        if not size:
            return
        self.families.append(Family(code, argument, records, size, self.size, first, len(self.ops), more))
        for record in range(records):
            called = name if code in (GAME, SELF) else self.record_name(code, name, argument, record)
            for piece in pieces:
                self.show(piece, f"{called}.{piece.name}")

    def record_name(self, code: int, name: str, argument: int, record: int) -> str:
        if code == ROWS:
            return f"{name}[{self.layout.lists[name][record + 1]}]"
        if code == THEIRS:
            owner, place = divmod(record, self.reader.kinds[argument].shown)
            return f"{name}[{owner}][{place}]"
        return f"{name}[{record}]"

    def column(self, what: str) -> Reading:
        """How what every card has is read."""
        if what == "partner":
            assert self.layout.pairs is not None
            return self.reader.reading(self.layout.pairs.kind)
        if what == "silent":
            return Reading(TRUTH, 0, 1)
        return Reading(ROW, 0, max(len(self.layout.lists.get("trait", ("none",))) - 1, 0), "trait")

    # ---- pieces

    def value(self, name: str, reading: Reading) -> Shown:
        return Shown(name, 1, LEAST if reading.code == NUMBER else 0, reading.high, KINDS[reading.code], reading.of)

    def attribute(self, attribute: AttributeLayout, at: int) -> Shown:
        reading = self.reader.reading(attribute.type)
        low, high = 0, reading.high
        if reading.code == NUMBER:
            low, high = (max(LEAST, min(MOST, bound)) for bound in attribute.holds)
        name = f"{attribute.trait}.{attribute.name}" if attribute.trait else attribute.name
        rows = -1
        if attribute.trait:
            rows = len(self.rows)
            self.rows += [(attribute.rows or {}).get(card, 0) for card in range(len(self.layout.cards))]
        code, dims, wide = (VALUE, 0, 1)
        if attribute.dims:
            code = ARRAY
            dims, wide = self.indices(attribute.of, attribute.dims)
        self.ops.append(
            Op(code, at, attribute.base, attribute.width, reading.code, reading.argument, rows, dims,
               len(attribute.dims), int(attribute.kind in self.layout.sorts and attribute.seen_by == "owner"))
        )  # fmt: skip
        return Shown(name, wide, low, high, KINDS[reading.code], reading.of)

    def indices(self, of: tuple[str, ...], dims: tuple[int, ...]) -> tuple[int, int]:
        """Where the dims of an array begin among all, and how many numbers they make."""
        first, wide = len(self.dims), 1
        for at, kind in enumerate(of):
            stride = prod(dims[at + 1 :])
            if kind == "player":
                found, count = Dim(PLAYERS, dims[at] - 1, stride), dims[at] - 1
            elif kind in self.reader.kind_numbers:
                number = self.reader.kind_numbers[kind]
                made = self.reader.kinds[number]
                found, count = Dim(THINGS, number, stride), made.layout.owners * made.shown
            else:
                found, count = Dim(ALL, dims[at] - 1, stride), dims[at] - 1
            self.dims.append(found)
            wide *= count
        return first, wide

    def zone(self, zone: ZoneLayout, family: int, at: int) -> list[Shown]:
        """A zone of each record, as numbers from `at` on."""
        number = self.reader.zone_numbers[zone.name]
        sorts = [zone.holds] if zone.holds else list(self.layout.sorts)
        seen = zone.seen_by == "everyone" or (zone.seen_by == "owner" and family in (SELF, OWN))
        count = Shown(f"{zone.name}.count", 1, 0, MOST, "number")
        if not seen or len(sorts) != 1:
            self.ops.append(Op(COUNT, at, number))
            return [count]
        look = self.reader.reading(sorts[0])
        assert look.code == CARD
        shown = [Shown("look", 1, 0, look.high, "look", look.of)]
        if self.layout.card_face:
            face = self.column("face")
            shown.append(Shown("face", 1, 0, face.high, "row", face.of))
        if zone.slot:
            self.ops.append(Op(SLOT, at, number))
            return [Shown(f"{zone.name}.{piece.name}", 1, 0, piece.high, piece.kind, piece.of) for piece in shown]
        if family in (GAME, SELF, OTHERS, ROWS):
            looks = len(self.reader.shown_on[sorts[0]]) - 1
            self.ops.append(Op(BAG, at, number, count=looks))
            top = Shown(f"{zone.name}.top", 1, 0, look.high, "look", look.of)
            return [count, top, Shown(f"{zone.name}.cards", looks, 0, MOST, "number", f"look of {sorts[0]}")]
        self.ops.append(Op(LIST, at, number, count=self.cards))
        return [count, *(
            Shown(f"{zone.name}[{k}].{piece.name}", 1, 0, piece.high, piece.kind, piece.of)
            for k in range(self.cards) for piece in shown
        )]  # fmt: skip

    def kept_on(self, sort: str) -> None:
        """The cards of a sort that keep something beside what is printed on them."""
        layout = self.layout
        attributes = [a for a in layout.attributes if a.kind == sort and a.seen_by != "nobody"]
        zones = self.zones_of(sort)
        first, last = layout.sorts[sort]
        every = zones or layout.card_partner or layout.silent or any(not a.trait for a in attributes)
        keeping = {card for a in attributes for card in (a.rows or {})}
        found = [card for card in range(first, last + 1) if every or card in keeping]
        if found and (attributes or every):
            begin = len(self.candidates)
            self.candidates += found
            shown = min(len(found), 2 * self.cards)
            self.family(CARDS, f"kept.{sort}", begin, shown, [attributes], zones, more=len(found))
