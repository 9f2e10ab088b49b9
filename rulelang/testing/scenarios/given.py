"""A position of a game as the `given` of a scenario: the way back from what `arrange` lays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.layout import AttributeLayout, KindLayout, TableLayout, ZoneLayout
from rulelang.language.semantics.model import MISSING_INT, Attribute, Bound, Model
from rulelang.runtime.display_names import Names
from rulelang.runtime.hidden_information import zone_cards
from rulelang.runtime.table import Table, TableOption
from rulelang.runtime.views import living_things
from rulelang.testing.scenarios.position import REST, CardSpec
from rulelang.testing.scenarios.selectors import Selector, ValueReader, element_type
from rulelang.testing.scenarios.tokens import Word, split_text_words
from rulelang.testing.scenarios.yaml_forms import Given

#: A hidden pile of more cards than this is written from the top only as far as it is drawn from.
SHORT = 8


class PositionWriter:
    """Tells positions of one table. `names` have to be in English, and to tell the things apart.

    `heaped`: piles that nobody sees are told in no order, for comparing. `left_out` says what a position has that no
    `given` can write, each once: values kept by rows, references to cards,
    cards that lie on cards, silenced cards, copies that nothing told on them tells apart.
    """

    def __init__(self, model: Model, table: Table, names: Names, *, heaped: bool = False) -> None:
        self.model, self.table, self.names, self.heaped = model, table, names, heaped
        self.layout = table.program.layout
        self.rest: dict[str, str] = {}
        self.drawn = 0
        self.fresh: Sequence[int] = [*table.program.initial]
        values = ValueReader(model, self.layout, table.options, names.players, Diagnostics())
        self.selector = Selector(values)
        self.left_out: dict[str, None] = {}
        self._called: dict[int, str | None] = {}

    def given(
        self, S: Sequence[int], phase: str, turn: int, drawn: int | None = None, options: Mapping[str, TableOption] = {}
    ) -> Given:
        """What the words hold, to be entered at a phase, with the turn of a seat (0: nobody's).

        `drawn`: of a long hidden pile only so many cards are named, and `rest` stands for the others, where that is the
        same cards; None: all of them. `options`: those of the game, to be told where they are not as usual.
        """
        cells = self.layout.cells
        found: Given = {}
        chosen = {
            name: options[name].value_of(number)
            for name, number in self.table.options.items()
            if name in options and number != options[name].default.get(self.table.players)
        }
        if chosen:
            found["options"] = chosen
        if S[cells.round] != 1:
            found["round"] = S[cells.round]
        found["phase"] = phase
        if turn:
            found["turn"] = self.names.players[turn - 1]
        self.rest = self.long(S) if drawn is not None else {}
        self.drawn = drawn or 0
        state = self.attributes(S, "", 0, self.model.state)
        first = self.model.first
        if first and first not in state:
            laid = self.laid("", first)
            if laid is not None and S[laid.base] != (turn or 1):
                state[first] = self.value(laid, S[laid.base])
        elif first and turn and state.get(first) == self.names.players[turn - 1]:
            del state[first]
        if state:
            found["state"] = state
        for key, what in (("tables", self.tables(S)), ("lists", self.rows(S)), ("zones", self.zones(S))):
            if what:
                found[key] = what
        found["players"] = {name: self.owned(S, seat) for seat, name in enumerate(self.names.players, 1)}
        nobody = self.owned(S, self.table.players + 1) if self.has_nobody else None
        if nobody:
            found["nobody"] = nobody
        self.beyond(S)
        return found

    @property
    def has_nobody(self) -> bool:
        return any(kind.owners > self.table.players for kind in self.layout.kinds.values())

    def leave_out(self, what: str) -> None:
        self.left_out[what] = None

    # ---- values

    def laid(self, kind: str, name: str) -> AttributeLayout | None:
        every = self.layout.attributes
        return next((a for a in every if a.kind == kind and a.name == name and not a.trait), None)

    def value(self, laid: AttributeLayout, word: int) -> object:
        """A word of an attribute as it is written; None, and left out, for what cannot be written."""
        if laid.missing and word == laid.missing:
            return "none"
        if laid.type == "int":
            return "none" if word == MISSING_INT else word
        if laid.type == "bool":
            return bool(word)
        if not word:
            return "none"
        said = self.handle(laid.type, word)
        if said is None:
            self.leave_out(f"`{laid.name}`, which is {laid.type}")
        return said

    def handle(self, kind: str, handle: int) -> object:
        """A thing, player or row, as a value names it."""
        if kind == "player":
            return self.names.players[handle - 1] if handle <= self.table.players else None
        if kind in self.layout.kinds:
            return self.names.text(kind, handle)
        rows = self.layout.lists.get(kind, ()) if kind not in self.layout.sorts else ()
        if not 0 < handle < len(rows):
            return None
        return handle if rows[handle] == f"{kind} {handle}" else rows[handle]

    def attributes(self, S: Sequence[int], kind: str, handle: int, known: Mapping[str, Attribute]) -> dict[str, object]:
        """What a player, a row or the game keeps, and did not at the very start."""
        found: dict[str, object] = {}
        for name in known:
            laid = self.laid(kind, name)
            if laid is None:
                continue
            start = laid.base + handle * laid.width
            if all(S[start + i] == self.fresh[start + i] for i in range(laid.width)):
                continue
            if laid.dims:
                self.leave_out(f"`{name}`, which is kept for each row")
            elif (value := self.value(laid, S[start])) is not None:
                found[name] = value
        return found

    def words_of(self, S: Sequence[int], kept: Sequence[tuple[Attribute, AttributeLayout, int]]) -> list[str]:
        """`NAME value` for each of what a thing or card keeps that is not as it begins."""
        found: list[str] = []
        for attribute, laid, row in kept:
            start = laid.base + row * laid.width
            if laid.dims:
                if any(S[start : start + laid.width]):
                    self.leave_out(f"`{laid.name}`, which is kept for each row")
                continue
            if S[start] == self.start(attribute.start, laid):
                continue
            value = self.value(laid, S[start])
            if value is not None:
                found += [laid.name, quoted_name(value_text(value))]
        return found

    def start(self, start: Bound, laid: AttributeLayout) -> int:
        return start if isinstance(start, int) else self.selector.values.bound(start)

    # ---- players and things

    def owned(self, S: Sequence[int], seat: int) -> object:
        """What is a player's, in the shortest form."""
        owns: dict[str, object] = {}
        if seat <= self.table.players:
            owns |= self.attributes(S, "player", seat, self.model.player_attributes)
        for zone in self.layout.zones.values():
            if zone.of == "player" and (seat <= zone.owners) and (cards := self.pile(S, zone, seat)):
                owns[short_zone_name(zone)] = cards
        for made in self.layout.kinds.values():
            things = [self.thing(S, made, handle) for handle in living_things(made, seat, S)]
            if things:
                owns[made.name] = things
        if len(self.layout.kinds) == 1 and [*owns] == [*self.layout.kinds]:
            return owns[next(iter(owns))]
        return owns

    def thing(self, S: Sequence[int], made: KindLayout, handle: int) -> object:
        """`NAME attribute value ...`, or a map from that to its cards."""
        attributes = self.model.made[made.name].attributes
        laid = [(attributes[name], found) for name in attributes if (found := self.laid(made.name, name)) is not None]
        words = [quoted_name(self.names.text(made.name, handle))]
        words += self.words_of(S, [(attribute, found, handle) for attribute, found in laid])
        if made.place:
            place = self.handle(made.place_kind, S[made.place + handle])
            words += ["in", quoted_name(value_text(place or "none"))]
        zones = [zone for zone in self.layout.zones.values() if zone.of == made.name]
        piles = {short_zone_name(zone): cards for zone in zones if (cards := self.pile(S, zone, handle))}
        if not piles:
            return " ".join(words)
        working = [short_zone_name(zone) for zone in zones if zone.in_force]
        alone = len(working) == 1 and [*piles] == working
        if not alone:
            return {" ".join(words): piles}
        shown = piles[working[0]]
        return {" ".join(words): shown[0] if len(shown) == 1 and isinstance(shown[0], str) else shown}

    # ---- cards

    def pile(self, S: Sequence[int], zone: ZoneLayout, owner: int) -> list[object]:
        """The cards of a zone as they are written: the top first, or the oldest on a thing."""
        cards = zone_cards(zone, owner, S, self.layout.card_next)
        if zone.array:
            cards.reverse()
        if self.heaped and zone.array and zone.seen_by == "nobody":
            cards.sort(key=lambda card: (self.layout.cards[card].look, card))
        few = cards[: self.drawn] if self.rest.get(zone.holds) == zone.name else cards
        found: list[object] = []
        counts: list[int] = []
        for card in few:
            item = self.card(S, zone, card)
            if found and found[-1] == item and isinstance(item, str):
                counts[-1] += 1
            else:
                found.append(item)
                counts.append(1)
        written = [f"{n} x {item}" if n > 1 else item for n, item in zip(counts, found, strict=True)]
        return [*written, REST] if few is not cards else written

    def long(self, S: Sequence[int]) -> dict[str, str]:
        """By sort, the zone whose lower cards `rest` may stand for: hidden, long, and no such card in the box."""
        found: dict[str, str] = {}
        zones = self.layout.zones
        for sort, (low, high) in self.layout.sorts.items():
            if any(self.layout.zone_names[S[self.layout.where + card]] == "box" for card in range(low, high + 1)):
                continue
            for zone in zones.values():
                long = zone.array and not zone.of and zone.holds == sort and S[zone.base] > SHORT
                if long and zone.seen_by == "nobody" and sort not in found:
                    found[sort] = zone.name
        return found

    def card(self, S: Sequence[int], zone: ZoneLayout, card: int) -> object:
        face = S[self.layout.card_face + card] if self.layout.card_face and zone.in_force else 0
        info = self.layout.cards[card]
        traits = self.layout.lists.get("trait", ())
        called = self.called(card)
        if zone.in_force and len(info.faces) > 1 and face:
            called = quoted_name(traits[face])
        named = dict.fromkeys(laid.name for laid in self.layout.attributes if laid.kind == info.sort)
        kept = [found for name in named if (found := self.selector.attribute(info.sort, card, name)) is not None]
        name = " ".join([called, *self.words_of(S, kept)])
        shown = (face or (info.faces[0] if info.faces else 0)) if zone.in_force else 0
        if shown and zone.of in self.layout.kinds and self.model.traits[traits[shown]].pair is not None:
            partner = S[self.layout.card_partner + card] if self.layout.card_partner else 0
            return {name: {"with": self.handle(zone.of, partner) if partner else "none"}}
        return name

    def called(self, card: int) -> str:
        """A card by its name, and what tells it from others of that name, in as few words as it takes."""
        look = self.layout.cards[card].look
        if look not in self._called:
            self._called[look] = self._telling(card)
        found = self._called[look]
        if found is None:
            self.leave_out(f"which of several cards `{self.layout.cards[card].label}` it is")
            return quoted_name(self.layout.cards[card].label)
        return found

    def _telling(self, card: int) -> str | None:
        info = self.layout.cards[card]
        names = dict.fromkeys([info.row, info.label])
        for name in names:
            if not name:
                continue
            words = [quoted_name(name)]
            if self.alike(info.sort, words, card):
                return words[0]
            for column in self.printed(card):
                for form in ([column[1]], [*column]):
                    if self.alike(info.sort, [*words, *form], card):
                        return " ".join([*words, *form])
            every = [word for column in self.printed(card) for word in column]
            if self.alike(info.sort, [*words, *every], card):
                return " ".join([*words, *every])
        return None

    def printed(self, card: int) -> list[tuple[str, str]]:
        """Column and value for each that tells cards apart and can be written."""
        info = self.layout.cards[card]
        columns = self.model.sorts[info.sort].columns
        found = []
        for name in info.tells:
            value = info.columns.get(name)
            type_ = element_type(columns[name]) if name in columns else None
            if type_ is None or type_.tag not in ("int", "bool", "ref"):
                continue
            for one in value if isinstance(value, tuple) else (value,):
                text: object = one
                if not isinstance(one, int) or one == MISSING_INT:
                    continue
                if type_.tag == "bool":
                    text = bool(one)
                elif type_.tag == "ref":
                    text = self.handle(type_.name, one) if one else "none"
                if text is not None:
                    found.append((name, quoted_name(value_text(text))))
        return found

    def alike(self, sort: str, words: Sequence[str], card: int) -> bool:
        """Whether these words mean this card, and no card that looks otherwise."""
        spec = CardSpec(tuple(Word(word, self.model.sorts[sort].span) for word in split_text_words(" ".join(words))))
        pattern = self.selector.understand(spec, sort)
        cards = self.layout.cards
        return (
            pattern is not None
            and card in pattern.fitting
            and all(cards[other].look == cards[card].look for other in pattern.fitting)
        )

    # ---- what belongs to no player

    def zones(self, S: Sequence[int]) -> dict[str, object]:
        found: dict[str, object] = {}
        for zone in self.layout.zones.values():
            if zone.name == "box":
                continue
            if not zone.of:
                if cards := self.pile(S, zone, 0):
                    found[short_zone_name(zone)] = cards
            elif zone.of in self.model.lists or zone.of in self.model.grids:
                rows = {
                    value_text(self.handle(zone.of, row)): cards
                    for row in range(1, zone.owners + 1)
                    if (cards := self.pile(S, zone, row))
                }
                if rows:
                    found[short_zone_name(zone)] = rows
        return found

    def rows(self, S: Sequence[int]) -> dict[str, object]:
        found: dict[str, object] = {}
        known = {name: listing.attributes for name, listing in self.model.lists.items()}
        known |= {name: grid.attributes for name, grid in self.model.grids.items()}
        for kind, attributes in known.items():
            rows = {
                value_text(self.handle(kind, row)): kept
                for row in range(1, len(self.layout.lists.get(kind, ("none",))))
                if (kept := self.attributes(S, kind, row, attributes))
            }
            if rows:
                found[kind] = rows
        return found

    def tables(self, S: Sequence[int]) -> dict[str, object]:
        found = {table.name: self.matrix(S, table, 0, table.base) for table in self.layout.tables.values()}
        return {name: rows for name, rows in found.items() if rows}

    def matrix(self, S: Sequence[int], table: TableLayout, level: int, base: int) -> object:
        """Nested maps without what is as it was at the very start."""
        if level == len(table.dims):
            return S[base] if S[base] != self.fresh[base] else None
        inner = prod(table.dims[level + 1 :])
        found: dict[str, object] = {}
        for row in range(1, table.dims[level]):
            value = self.matrix(S, table, level + 1, base + row * inner)
            name = self.handle(table.of[level], row)
            if value is not None and value != {} and name is not None:
                found[value_text(name)] = value
        return found

    def beyond(self, S: Sequence[int]) -> None:
        """What nothing above has looked at."""
        layout = self.layout
        on_cards = [zone for zone in layout.zones.values() if zone.of in layout.sorts]
        if any(zone_cards(zone, card, S, layout.card_next) for zone in on_cards for card in range(1, zone.owners + 1)):
            self.leave_out("cards on cards")
        if layout.silent and any(S[layout.silent + card] for card in range(1, len(layout.cards))):
            self.leave_out("silenced cards")


def short_zone_name(zone: ZoneLayout) -> str:
    """The name that a zone is read with."""
    return zone.name.rpartition(".")[2]


def value_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def quoted_name(name: str) -> str:
    """A name as a word of a line: in double quotes where it is not one word."""
    return f'"{name}"' if name.split() != [name] else name
