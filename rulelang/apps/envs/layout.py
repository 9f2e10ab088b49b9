"""The layout of observations and actions: fields, cells as numbers, ids of choices, and what a seat sees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any, Literal

from rulelang.base.hidden_state import EVERYONE, NOBODY, OWNER, zone_rows
from rulelang.base.layout import AttributeLayout, KindLayout, Layout, ZoneLayout, handles_of, most_of_cells
from rulelang.base.phrases import flatten
from rulelang.runtime.decision import PASS
from rulelang.runtime.program import OptionTuple
from rulelang.runtime.table import Table

# ---- fields

#: Numbers of observations are stored in 16 bits: what lies beyond is shown as the nearest of these.
LEAST, MOST = -(1 << 15), (1 << 15) - 1

#: number, truth: as they are. seat: 1 is whose observation it is, then clockwise; behind the last comes nobody. thing:
#: 1 + its place among the things of its kind. row: of a list. look: what a card shows, numbered by sort; the highest is
#: a card that the seat does not see. id: 1 + an action id. Of all but numbers 0 is none.
FieldKind = Literal["number", "truth", "seat", "thing", "row", "look", "id"]


@dataclass(frozen=True, slots=True)
class Field:
    """`width` numbers from `offset` on, each from `low` to `high`. `of`: the kind, list or sort that it speaks of."""

    name: str
    offset: int
    width: int
    low: int
    high: int
    kind: FieldKind
    of: str = ""

    @property
    def end(self) -> int:
        return self.offset + self.width

    def data(self) -> dict[str, Any]:
        """As JSON-able data."""
        return {name: getattr(self, name) for name in ("name", "offset", "width", "low", "high", "kind", "of")}


class Schema:
    """The fields of an observation, in the order of their offsets; together they cover it without a gap."""

    def __init__(self, fields: tuple[Field, ...], size: int) -> None:
        self.fields = fields
        self.size = size
        self._named = {field.name: field for field in fields}

    def __iter__(self) -> Iterator[Field]:
        return iter(self.fields)

    def __len__(self) -> int:
        return len(self.fields)

    def __getitem__(self, name: str) -> Field:
        """The field of a name; KeyError if there is none."""
        return self._named[name]

    def __contains__(self, name: str) -> bool:
        return name in self._named

    def data(self) -> dict[str, Any]:
        """As JSON-able data."""
        return {"size": self.size, "fields": [field.data() for field in self.fields]}


# ---- cells as numbers

#: How a word becomes a number: `Reading.code`.
NUMBER, TRUTH, ROW, SEAT, THING, CARD = range(6)
KINDS: tuple[FieldKind, ...] = ("number", "truth", "row", "seat", "thing", "look")


@dataclass(frozen=True, slots=True)
class CellReading:
    """`argument`: of THING the number of its kind, of CARD the look of a card that is not seen. `high`: the largest
    number that it gives."""

    code: int
    argument: int
    high: int
    of: str = ""


@dataclass(frozen=True, slots=True)
class MadeKind:
    """A made kind: `shown` things of each owner have a place of their own, and one more is for all others."""

    layout: KindLayout
    shown: int

    @property
    def places(self) -> int:
        return self.shown + 1


class CellReader:
    """What of a table all that is told to a seat needs. `things`: of an owner, at most, with places of their own."""

    def __init__(self, layout: Layout, things: int) -> None:
        self.layout = layout
        self.players = layout.players
        self.kinds = [MadeKind(kind, min(kind.most, things)) for kind in layout.kinds.values()]
        self.kind_numbers = {name: i for i, name in enumerate(layout.kinds)}
        self.looks, self.shown_on = _looks(layout)
        seen = [NOBODY] * len(layout.zone_names)
        self.zone_numbers = {name: i for i, name in enumerate(layout.zones)}
        for zone in zone_rows(layout):
            for instance in range(zone.low, zone.high + 1):
                seen[zone.first_id + instance] = zone.seen
        self.zone_seen = seen

    def reading(self, type_: str) -> CellReading:
        """How words of a type are read."""
        layout = self.layout
        if type_ == "bool":
            return CellReading(TRUTH, 0, 1)
        if type_ == "player":
            return CellReading(SEAT, 0, self.owners)
        if type_ in self.kind_numbers:
            number = self.kind_numbers[type_]
            made = self.kinds[number]
            return CellReading(THING, number, made.layout.owners * made.places, type_)
        if type_ in layout.sorts:
            unseen = len(self.shown_on[type_])
            return CellReading(CARD, unseen, unseen, type_)
        span = handles_of(layout, type_)
        return CellReading(NUMBER, 0, MOST) if span is None else CellReading(ROW, 0, span[1], type_)

    def says(self, reading: CellReading, number: int) -> str:
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


class SeatObserver:
    """A seat looks at a state. `now`: its words; `public`: those that show what is not the seat's own."""

    def __init__(self, reader: CellReader, now: Sequence[int], public: Sequence[int], seat: int) -> None:
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

    def _order(self, made: MadeKind) -> list[int]:
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


# ---- ids of choices

#: Pieces beside those of `words.py`: a constant, the zone of a card, whose zone that is, sign and digits of a number.
CONSTANT, ZONE, ZONE_OWNER, SIGN, DIGIT = range(6, 11)
#: Numbers are spelled in digits of four bits, the highest first.
BITS = 4
DIGITS = 32 // BITS


@dataclass(frozen=True, slots=True)
class Letters:
    """Ids `base` .. `base + size - 1` for one kind of piece."""

    name: str
    base: int
    size: int
    reading: CellReading | None = None


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a spelled option: of the value `value` of its key, with ids from `base` on. `argument`: see `Reading`;
    of CONSTANT the id, of DIGIT the bits below it."""

    value: int
    code: int
    argument: int
    base: int


@dataclass(frozen=True, slots=True)
class Node:
    """Where a decision stands after some pieces: the ids that may come next, or the one option that is left (its index;
    -1 while there are several)."""

    legal: tuple[int, ...]
    option: int = -1


class Ids:
    """The numbers of one table."""

    def __init__(self, table: Table, reader: CellReader) -> None:
        self.table, self.reader = table, reader
        self.letters: list[Letters] = []
        self.count = 0
        self._by_type: dict[str, Letters] = {}
        self._claim("pass", 1)
        program, layout = table.program, table.program.layout
        sites = [site for site in program.sites if site.kind != "stop"]
        self.actions = tuple(dict.fromkeys(a.id for site in sites if site.kind != "choose" for a in site.actions))
        self._claim("action", len(self.actions))
        types = dict.fromkeys(kind for site in sites for action in site.actions for kind in action.types if kind)
        types |= dict.fromkeys(zone.of for zone in layout.zones.values() if zone.of)
        asked = (part[1] for reason in program.reasons for part in flatten(reason.text) if not isinstance(part, str))
        types |= dict.fromkeys(kind for kind in asked if self.spelled(kind))
        for name in types:
            if self.spelled(name):
                reading = reader.reading(name)
                self._by_type[name] = self._claim(name, reading.high + 1, reading)
        self.zones = self._claim("zone", len(layout.zones))
        self.signs = self._claim("sign", 2)
        self.digits = self._claim("digit", 1 << BITS)
        self.zone_number = [reader.zone_numbers.get(name, 0) for name in layout.zone_names]
        self.shapes = [
            [self._shape(site.kind != "choose", action.id, action.types) for action in site.actions]
            for site in program.sites
        ]

    def _claim(self, name: str, size: int, reading: CellReading | None = None) -> Letters:
        found = Letters(name, self.count, size, reading)
        self.letters.append(found)
        self.count += size
        return found

    def spelled(self, type_: str) -> bool:
        """Whether values of a type are one piece."""
        return bool(type_) and not type_.startswith(":") and self.reader.reading(type_).code != NUMBER

    def letters_of(self, type_: str) -> Letters | None:
        """The ids for values of a type: the base stands for none (or false)."""
        return self._by_type.get(type_)

    def zone_owner(self, zone: int) -> Letters | None:
        """The ids for the owners of a zone, by its number; None for a zone of the game."""
        return self._by_type.get([*self.reader.layout.zones.values()][zone].of)

    def _shape(self, named: bool, action: str, types: Sequence[str]) -> list[Piece]:
        found = [Piece(0, CONSTANT, 1 + self.actions.index(action), 0)] if named else []
        for value, type_ in enumerate(types, 1):
            letters = self._by_type.get(type_)
            if letters is not None:
                assert letters.reading is not None
                found.append(Piece(value, letters.reading.code, letters.reading.argument, letters.base))
                if letters.reading.code == CARD:
                    found += [Piece(value, ZONE, 0, self.zones.base), Piece(value, ZONE_OWNER, 0, 0)]
            elif type_:  # a number
                found.append(Piece(value, SIGN, 0, self.signs.base))
                found += [Piece(value, DIGIT, BITS * k, self.digits.base) for k in reversed(range(DIGITS))]
        return found

    # ---- what is meant by an id

    def says(self, id: int) -> str:
        """An id in words of the rules. IndexError for what is none."""
        letters = next((found for found in self.letters if found.base <= id < found.base + found.size), None)
        if letters is None:
            raise IndexError(f"there is no action id {id}: ids are 0 to {self.count - 1}")
        at = id - letters.base
        match letters.name:
            case "pass":
                return "pass"
            case "action" if letters.reading is None:
                return self.actions[at]
            case "zone" if letters.reading is None:
                return f"in {[*self.reader.layout.zones][at]}"
            case "sign" if letters.reading is None:
                return "negative" if at else "not negative"
            case "digit" if letters.reading is None:
                return f"digit {at}"
        assert letters.reading is not None
        return self.reader.says(letters.reading, at)

    # ---- spelling

    def piece(self, look: SeatObserver, piece: Piece, key: OptionTuple) -> int:
        """The id of a piece of an option."""
        word = key[piece.value]
        match piece.code:
            case 6:  # CONSTANT
                return piece.argument
            case 7:  # ZONE
                return piece.base + (self.zone_number[look.zone_of(word)] if word else 0)
            case 8:  # ZONE_OWNER
                zone = look.zone_of(word) if word else 0
                letters = self.zone_owner(self.zone_number[zone])
                if not zone or letters is None or letters.reading is None:
                    return 0
                owner = self.reader.layout.zone_owner[zone]
                return letters.base + look.read(letters.reading.code, letters.reading.argument, owner)
            case 9:  # SIGN
                return piece.base + (word < 0)
            case 10:  # DIGIT
                return piece.base + (abs(word) >> piece.argument & (1 << BITS) - 1)
            case _:
                return piece.base + look.read(piece.code, piece.argument, word)

    def node(self, look: SeatObserver, site: int, keys: Sequence[OptionTuple], chosen: Sequence[int]) -> Node:
        """Where the decision at a site stands after the ids that were chosen. ValueError for one that was not legal."""
        found, _ = self._walk(look, site, keys, list(chosen), None)
        return found

    def spell(self, look: SeatObserver, site: int, keys: Sequence[OptionTuple], option: int) -> tuple[int, ...]:
        """The ids that choose an option, by its index."""
        _, path = self._walk(look, site, keys, [], option)
        return tuple(path)

    def _walk(
        self, look: SeatObserver, site: int, keys: Sequence[OptionTuple], chosen: list[int], goal: int | None
    ) -> tuple[Node, list[int]]:
        left = list(range(len(keys)))
        path: list[int] = []
        shapes = self.shapes[site - 1]
        at = 0  # of the piece; behind the last ones, of the digits of the place among what is left
        listed: list[int] | None = None
        while len(left) > 1:
            if listed is None:
                ids = []
                ended = True
                for k in left:
                    shape = shapes[keys[k][0]] if keys[k][0] != PASS else ()
                    ended = ended and at >= len(shape)
                    ids.append(self.piece(look, shape[at], keys[k]) if at < len(shape) else 0)
                if ended:
                    listed, at = list(left), _digits(len(left))
                    continue
                at += 1
            else:
                at -= 1
                ids = [self.digits.base + (listed.index(k) >> BITS * at & (1 << BITS) - 1) for k in left]
            if len(set(ids)) == 1:
                continue
            if goal is not None:
                wanted = ids[left.index(goal)]
            elif len(path) < len(chosen):
                wanted = chosen[len(path)]
            else:
                return Node(tuple(sorted(set(ids)))), path
            left = [k for k, id in zip(left, ids, strict=True) if id == wanted]
            if not left:
                raise ValueError(f"the action id {wanted} is not legal here")
            path.append(wanted)
        return Node((), left[0] if left else -1), path


def _digits(count: int) -> int:
    """Digits of the numbers below `count`."""
    return max(1, -(-(count - 1).bit_length() // BITS))


# ---- the plan of an observation

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

    def __init__(self, table: Table, reader: CellReader, ids: Ids, cards: int) -> None:
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

    def column(self, what: str) -> CellReading:
        """How what every card has is read."""
        if what == "partner":
            assert self.layout.pairs is not None
            return self.reader.reading(self.layout.pairs.kind)
        if what == "silent":
            return CellReading(TRUTH, 0, 1)
        return CellReading(ROW, 0, max(len(self.layout.lists.get("trait", ("none",))) - 1, 0), "trait")

    # ---- pieces

    def value(self, name: str, reading: CellReading) -> Shown:
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
