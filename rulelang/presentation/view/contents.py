"""Facts, zones and cards as parts of a document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, TypeVar

from rulelang.base.labels import Label, Printed
from rulelang.base.layout import AttributeLayout, CardInfo, ZoneLayout
from rulelang.language.semantics.model import Condition
from rulelang.presentation.view.document_types import Card, Fact, FactKind, Item, TraitText, Zone
from rulelang.presentation.view.look import Ids, Look
from rulelang.presentation.view.parts import Key, Leaves, NotedCells, Parts, card_details, read_column, read_zone_cards
from rulelang.presentation.view.words import Heading, SharedTexts, Words
from rulelang.runtime.display_names import UNSEEN

# ---- facts

#: The kinds of facts by the type of what they hold, one and several.
_ONE: Mapping[str, FactKind] = {"int": "number", "bool": "truth"}
_MANY: Mapping[FactKind, FactKind] = {"number": "numbers", "truth": "truths", "reference": "references"}
_TYPES: Mapping[str, str] = {"number": "int", "truth": "bool"}
#: Facts of numbers below this are kept for all games.
MANY = 256


@dataclass(frozen=True, slots=True)
class Plan:
    """What is kept of things of one kind: attributes with their labels, and the places of what rules work out. `owned`:
    some of it only owners see. `simple`: it tells nothing of cards, or by things that come and go, so that it says the
    same wherever its words are the same."""

    fields: tuple[tuple[AttributeLayout, Label], ...]
    shown: tuple[int, ...]
    owned: bool
    simple: bool


class Facts:
    """The facts of one look at one state."""

    def __init__(self, look: Look, ids: Ids, words: Words, book: SharedTexts, leaves: Leaves) -> None:
        self.look, self.ids, self.words, self.book, self.leaves = look, ids, words, book, leaves
        self.layout = look.layout

    # ---- what is kept

    def kept(self, kind: str, handle: int, player: int, part: str = "") -> list[Fact]:
        """The attributes of a thing that the viewer sees; `player` is whose it is, 0 for nobody's; `part` its id, if
        that is known."""
        S = self.look.words_of(player)
        part = part or self.ids.owner(kind, handle)
        plan = self.plan(kind)
        fields = (
            [(one, label) for one, label in plan.fields if self.look.sees(one, player)] if plan.owned else plan.fields
        )
        placed = [
            (one, label, one.base + row * one.width)
            for one, label in fields
            if (row := (one.rows or {}).get(handle, 0) if one.trait else handle) or not one.trait
        ]
        if not plan.simple:
            return self._kept(kind, handle, part, placed, S)
        said: list[int | None] = []
        words, reads = S.words, S.pad.reads
        for one, _, start in placed:
            if one.dims:
                reads.update(range(start, start + one.width))
                said += words[start : start + one.width]
            else:
                reads.add(start)
                said.append(words[start])
        said += [self.look.works_out(kind, place, handle) for place in plan.shown]
        return self.leaves.again(
            ("kept", kind, handle, part, len(placed)), said, lambda: self._kept(kind, handle, part, placed, S)
        )

    def _kept(
        self, kind: str, handle: int, part: str, placed: Sequence[tuple[AttributeLayout, Label, int]], S: Sequence[int]
    ) -> list[Fact]:
        facts = [
            self._several(part, one, label, S, start)
            if one.dims
            else self._one(part, kind, one.name, one.type, S[start], label, one.missing)
            for one, label, start in placed
        ]
        return self.ordered(kind, [*facts, *self.shown(kind, handle, part)])

    def plan(self, kind: str) -> Plan:
        """What is kept of things of a kind."""
        return self.book.once(("plan", kind), lambda: self._plan(kind))

    def _plan(self, kind: str) -> Plan:
        named = [(one, self.words.member(kind, one.name)) for one in self.layout.attributes if one.kind == kind]
        fields = tuple(
            (one, label) for one, label in named if not label.hidden and one.seen_by in ("everyone", "owner")
        )
        shown = self.words.labels.shown.get(kind, ())
        told = [place for place, value in enumerate(shown) if not self.words.member(kind, value.member).hidden]
        moving = {*self.layout.sorts, *self.layout.kinds}
        of = {what for one, _ in fields for what in one.of} | {value.type for value in shown}
        of |= {one.type for one, _ in fields} - {*self.layout.kinds}
        return Plan(fields, tuple(told), any(one.seen_by == "owner" for one, _ in fields), not of & moving)

    def ordered(self, kind: str, facts: Iterable[Fact]) -> list[Fact]:
        """Those that the ruleset wants first come first, in its order."""
        order: dict[str, int] = self.book.once(("order", kind), lambda: self._order(kind))
        return sorted(facts, key=lambda fact: order.get(fact["name"], len(order)))

    def _order(self, kind: str) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.words.thing(kind or "game").order)}

    def shown(self, kind: str, handle: int, part: str) -> list[Fact]:
        """What rules work out of a thing, of all that the viewer may know: what he does not see counts as nothing.

        What shows itself to be a mistake in the rules there is left out.
        """
        found: list[Fact] = []
        for place, value in enumerate(self.words.labels.shown.get(kind, ())):
            label = self.words.member(kind, value.member)
            word = None if label.hidden else self.look.works_out(kind, place, handle)
            if word is not None:
                found.append(self._one(part, kind, value.member, value.type, word, label, value.missing))
        return found

    def _one(self, part: str, kind: str, name: str, type_: str, word: int, label: Label, missing: int = 0) -> Fact:
        if type_ not in ("int", "bool") or not -1 <= word < MANY:
            return self._made(part, kind, name, type_, word, label, missing)
        # A number or a truth of one part is told alike in every game.
        return self.book.once(
            (part, name, word, id(label)), lambda: self._made(part, kind, name, type_, word, label, missing)
        )

    def _made(self, part: str, kind: str, name: str, type_: str, word: int, label: Label, missing: int) -> Fact:
        none = (missing and word == missing) or (not word and type_ not in ("int", "bool"))
        value, text = (None, "") if none else self.value(type_, word, label)
        fact = self._fact(part, kind, name, _ONE.get(type_, "reference"), label, value, text)
        fact["quiet"] = value is None or not (value or (type_ == "bool" and fact["phrase"]))
        self._level(fact, type_, word)
        if fact["kind"] == "reference" and type_ == name and not label.name:
            fact["phrase"] = text
        return fact

    def _several(self, part: str, attribute: AttributeLayout, label: Label, S: Sequence[int], start: int) -> Fact:
        """What an attribute keeps by row; what is nought, missing or false is left out."""
        items: list[Item] = []
        for at in product(*(range(1, size) for size in attribute.dims)):
            place = 0
            for index, size in zip(at, attribute.dims, strict=True):
                place = place * size + index
            word = S[start + place]
            if not word or (attribute.missing and word == attribute.missing) or not self._there(attribute.of, at):
                continue
            value, text = self.value(attribute.type, word, label)
            names = [self.words.value(kind, handle) for kind, handle in zip(attribute.of, at, strict=True)]
            ids = [self.ids.part(kind, handle) or "" for kind, handle in zip(attribute.of, at, strict=True)]
            items.append({"id": ",".join(ids), "label": ", ".join(names), "value": value, "text": text})
        return self._by_row(part, attribute.kind, attribute.name, _ONE.get(attribute.type, "reference"), label, items)

    def _there(self, kinds: Sequence[str], at: Sequence[int]) -> bool:
        """Whether all that something is kept by is in play, and seen."""
        for kind, handle in zip(kinds, at, strict=True):
            made = self.layout.kinds.get(kind)
            if made is not None and not self.look.public[made.alive + handle]:
                return False
            if kind in self.layout.sorts and self.ids.part(kind, handle) is None:
                return False
        return True

    def value(self, type_: str, word: int, label: Label) -> tuple[int | bool | str | None, str]:
        """A value as data, and in words."""
        if type_ == "int":
            return word, self.words.number(word, label)
        if type_ == "bool":
            return bool(word), self.words.value("bool", word)
        if type_ in self.layout.sorts and not self.look.sees_card(word):
            return None, self.words.language.word(UNSEEN)
        face = self.face(word, self.look.public) if type_ in self.layout.sorts else 0
        return self.ids.part(type_, word), self.words.value(type_, word, face)

    def face(self, card: int, S: Sequence[int]) -> int:
        """The face that a card shows in play, 0 if it shows what is printed."""
        return S[self.layout.card_face + card] if self.layout.card_face else 0

    def option(self, name: str, type_: str, word: int) -> Fact:
        """What the table chose."""
        fact = self._one("game", "", name, type_, word, self.words.thing(f"option {name}"))
        return {**fact, "id": f"option:{name}"}

    def options(self) -> list[Fact]:
        """What the table chose before the game."""
        found = []
        columns = self.words.labels.columns.get("option", {})
        for name, value in self.look.table.options.items():
            kind = columns[name].kind if name in columns else "number"
            found.append(self.option(name, _TYPES.get(kind, f"option {name}"), value))
        return found

    # ---- what is printed

    def of_row(self, kind: str, name: str, part: str) -> list[Fact]:
        """What is printed on a row of a list."""
        columns = self.words.labels.printed.get(kind, {}).get(name, {})
        return self.book.once((part,), lambda: self.ordered(kind, self._printed(part, kind, columns)))

    def printed(self, info: CardInfo, part: str) -> list[Fact]:
        """What is printed on a card, but for the traits that name it."""

        def made() -> list[Fact]:
            facts = self._printed(part, info.sort, info.columns)
            called = self.words.printed_card(info)

            def quiet(fact: Fact) -> bool:
                """Equal cards may differ in what is for looking at only; and what a name says is said."""
                again = fact["kind"] == "reference" and fact["phrase"] == called
                return fact["quiet"] or again or fact["name"] not in info.tells

            return self.ordered(info.sort, [{**fact, "quiet": quiet(fact)} for fact in facts])

        return self.book.once((part, info.sort, info.row, info.look), made)

    def on_space(self, grid: str, space: int, part: str) -> list[Fact]:
        """What is printed on a space of a grid (from 0)."""
        found = []
        for name, value in self.layout.grids[grid].printed[space].items():
            printed = self.words.labels.columns.get(grid, {}).get(name)
            if printed is None or self.words.member(grid, name).hidden:
                continue
            rows = self.layout.lists.get(printed.of, ())
            word = rows.index(value) if isinstance(value, str) else int(value or 0)
            type_ = _TYPES.get(printed.kind, printed.of)
            found.append(self._one(part, grid, name, type_, word, self.words.member(grid, name)))
            if value is None:
                found[-1] = {**found[-1], "value": None, "text": "", "phrase": "", "quiet": True}
        return self.ordered(grid, found)

    def _printed(self, part: str, kind: str, columns: Mapping[str, object]) -> Iterator[Fact]:
        known = self.words.labels.columns.get(kind, {})
        for name, value in columns.items():
            printed = known.get(name, Printed("number"))
            label = self.words.member(kind, name)
            if label.hidden or printed.of == "trait" or (kind == "trait" and name == "pair"):
                continue
            if printed.many:
                fact = self._by_row(part, kind, name, printed.kind, label, list(self._items(printed, value, label)))
                # Numbers behind names of rows tell what they are; the name of the whole adds nothing.
                fact["phrase"] = fact["text"] if printed.by and printed.kind == "number" else fact["phrase"]
                yield fact
            elif printed.kind == "condition":
                yield self._condition(part, kind, name, printed, label, value)
            elif printed.kind == "set":
                yield self._set(part, kind, name, printed, label, value)
            else:
                assert isinstance(value, int)
                type_ = _TYPES.get(printed.kind, printed.of)
                missing = -(2**31) if type_ == "int" else 0
                fact = self._one(part, kind, name, type_, value, label, missing)
                if type_ == "int" and fact["value"] is not None:
                    fact["quiet"] = value == printed.usual
                yield fact

    def _items(self, printed: Printed, value: object, label: Label) -> Iterator[Item]:
        values = value if isinstance(value, (tuple, list)) else ()
        rows = self.layout.lists.get(printed.by, ())
        for place, word in enumerate(values):
            if not word or word == -(2**31):
                continue
            shown, text = self.value(_TYPES.get(printed.kind, printed.of), word, label)
            name = rows[place + 1] if printed.by else str(place + printed.first)
            heading = self.words.row(printed.by, name) if printed.by else name
            row = f"{printed.by}:{name}" if printed.by else name
            yield {"id": row, "label": heading, "value": shown, "text": text}

    def _condition(self, part: str, kind: str, name: str, printed: Printed, label: Label, value: object) -> Fact:
        terms = self.words.terms(value, printed.of, f"{printed.of}:") if isinstance(value, Condition) else []
        fact = self._fact(
            part, kind, name, "condition", label, None, self.words.language.clauses([term["text"] for term in terms])
        )
        fact["terms"] = terms
        fact["quiet"] = not terms
        return fact

    def _set(self, part: str, kind: str, name: str, printed: Printed, label: Label, value: object) -> Fact:
        rows = value if isinstance(value, (tuple, list)) else ()
        text = self.words.language.listed([self.words.value(printed.of, row) for row in rows])
        ids: Any = [self.ids.part(printed.of, row) for row in rows]
        fact = self._fact(part, kind, name, "set", label, ids, text)
        fact["quiet"] = not ids
        return fact

    # ---- one fact

    def _by_row(self, part: str, kind: str, name: str, each: FactKind | str, label: Label, items: list[Item]) -> Fact:
        truths = each == "truth"
        told = [
            item["label"] if truths else self.words.phrase("named", name=item["label"], value=item["text"])
            for item in items
        ]
        text = self.words.language.listed(told) if truths else self.words.language.row(told)
        many: FactKind = "truths" if truths else "numbers" if each == "number" else "references"
        fact = self._fact(part, kind, name, many, label, None, text)
        fact["items"] = items
        fact["quiet"] = not items
        return fact

    def _fact(self, part: str, kind: str, name: str, what: FactKind, label: Label, value: Any, text: str) -> Fact:
        heading = self.book.once((kind, name, id(label)), lambda: Heading.of(self.words, kind, name, label))
        called, short = heading.called, heading.short
        if what == "truth":
            said = called if value else heading.otherwise
        elif what == "number" and label.unit:
            said = text
        else:
            said = self.words.phrase("named", name=called, value=text) if text else ""
        fact: Fact = {
            "id": f"{part}.{name}",
            "name": name,
            "kind": what,
            "label": called,
            "text": text,
            "phrase": said,
            "value": value,
            "quiet": not text,
        }
        if short:
            fact["short"] = short
        if label.icon:
            fact["icon"] = label.icon
        mark = label.icon or short
        if mark and said:
            bare = str(value) if what == "number" and label.unit else text  # the mark stands for its unit
            fact["brief"] = mark if what == "truth" and value else said if what == "truth" else f"{mark} {bare}"
        if heading.about:
            fact["about"] = heading.about
        return fact

    def _level(self, fact: Fact, type_: str, word: int) -> None:
        if type_ in self.words.labels.ladders and word:
            fact["level"], fact["levels"] = word, len(self.layout.lists[type_]) - 1


# ---- zones and cards

T = TypeVar("T")


class ZoneParts:
    """What lies where, in one look at one state."""

    def __init__(self, look: Look, ids: Ids, words: Words, book: SharedTexts, parts: Parts, leaves: Leaves) -> None:
        self.look, self.ids, self.words, self.book, self.parts, self.leaves = look, ids, words, book, parts, leaves
        self.layout, self.seat = look.layout, look.seat
        self.facts = Facts(look, ids, words, book, leaves)
        self.told_by: Mapping[int, tuple[int, ...]] = book.once(("told by",), self._told_by)

    def _told_by(self) -> Mapping[int, tuple[int, ...]]:
        plans = {sort: self.facts.plan(sort) for sort in self.layout.sorts}
        return card_details(self.layout, {sort: plan.simple and not plan.owned for sort, plan in plans.items()})

    def part(self, key: Key, make: Callable[[], T], player: int = 0) -> T:
        """A part, which is a `player`'s: he may see another than all others."""
        return self.parts.part(self.seat, (*key, "mine") if 0 < player == self.seat else key, make)

    def kept(self, kind: str, handle: int, player: int, part: str = "") -> list[Fact]:
        """The facts that change in play; `player` is whose it is. `part`: the id, of what has not always the same."""
        if self.facts.plan(kind).simple:
            return self.facts.kept(kind, handle, player, part)
        return self.part(
            ("kept", kind, handle, player, part), lambda: self.facts.kept(kind, handle, player, part), player
        )

    # ---- zones

    def zones(self, kind: str, handle: int, player: int, part: str = "") -> list[Zone]:
        """The zones of one part. What lies in the box is out of the game."""
        shown: tuple[ZoneLayout, ...] = self.book.once(("zones", kind), lambda: self._shown(kind))
        if not shown:
            return []
        S = self.look.words_of(player)
        found = [self.zone(zone, handle, player, S, part) for zone in shown]
        return self.leaves.again((kind, handle, part, 0 < player == self.seat), found, lambda: found)

    def _shown(self, kind: str) -> tuple[ZoneLayout, ...]:
        own = [zone for zone in self.layout.zones.values() if zone.of == kind and zone.name != "box"]
        return tuple(zone for zone in own if not self.words.thing(zone.name).hidden)

    def zone(self, zone: ZoneLayout, handle: int, player: int, S: NotedCells, part: str) -> Zone:
        number, leaves = zone.first_id + handle, self.leaves
        cards = read_zone_cards(zone, handle, S, self.layout.card_next)
        if not self.look.sees_owned(number):
            return leaves.again((number, part), len(cards), lambda: self.covered(zone, handle, part, len(cards)))
        if all(map(self.told_by.__contains__, cards)):
            faces = read_column(self.layout.card_face, cards, S) if self.layout.card_face else [0] * len(cards)
            joins = self.layout.pairs and self.layout.card_partner and read_column(self.layout.card_partner, cards, S)
            if not joins or not any(joins):
                places = [place for card in cards for place in self.told_by[card]]
                S.pad.reads.update(places)
                lying = (cards, faces, [S.words[place] for place in places])
                return leaves.again(
                    (number, part, "seen"), lying, lambda: self.open(zone, handle, part, cards, faces, S, player)
                )
        named = self.ids.numbered(self.ids.zone(zone, handle, part), cards)
        drawn = [self.card(card, name, S, player) for card, name in zip(cards, named, strict=True)]
        return leaves.again((number, part, "drawn"), drawn, lambda: self.filled(zone, handle, part, drawn))

    def covered(self, zone: ZoneLayout, handle: int, part: str, count: int) -> Zone:
        """A zone whose cards the viewer does not see."""
        label = self.words.thing(zone.name)
        shown: Zone = {
            "id": self.ids.zone(zone, handle, part),
            "kind": "zone",
            "name": zone.name,
            "label": self.words.named(zone.name),
            "holds": zone.holds,
            "owner": part or self.ids.owner(zone.of, handle),
            "slot": zone.slot,
            "brief": label.brief,
            "count": count,
        }
        if about := self.words.said(label.text):
            shown["about"] = about
        return shown

    def filled(self, zone: ZoneLayout, handle: int, part: str, cards: list[Card]) -> Zone:
        """A zone whose cards he sees."""
        shown = self.covered(zone, handle, part, len(cards))
        shown["cards"] = cards
        return shown

    def open(
        self,
        zone: ZoneLayout,
        handle: int,
        part: str,
        cards: Sequence[int],
        faces: Sequence[int],
        S: NotedCells,
        player: int,
    ) -> Zone:
        """The same of cards of which words tell all: see `telling`."""
        named = self.ids.numbered(self.ids.zone(zone, handle, part), cards)
        lying = [self.lies(*one, S, player) for one in zip(cards, faces, named, strict=True)]
        return self.filled(zone, handle, part, lying)

    def lies(self, card: int, face: int, part: str, S: NotedCells, player: int) -> Card:
        """One of them; of which no word tells anything, it is the same object in all games of the table."""
        places = self.told_by[card]
        if not places:
            return self.book.asked(("card", card, face, part), lambda: self.drawn(card, face, part, [], []))
        sort = self.layout.cards[card].sort
        return self.leaves.again(
            ("card", part), (card, face, [S.words[place] for place in places]),
            lambda: self.drawn(card, face, part, self.facts.kept(sort, card, player, part), []),
        )  # fmt: skip

    # ---- cards

    def asked(self, card: int) -> Card:
        """A card that the viewer is asked about."""
        return self.card(card, self.ids.show(card), self.look.now, self.seat)

    def card(self, card: int, part: str, S: NotedCells, player: int) -> Card:
        """A card that the viewer sees, or is asked about, with its id there."""
        return self.part(("card", card, player, part), lambda: self._card(card, part, S, player), player)

    def _card(self, card: int, part: str, S: NotedCells, player: int) -> Card:
        sort = self.layout.cards[card].sort
        shown = self.drawn(
            card, self.facts.face(card, S), part,
            self.kept(sort, card, player, part), self.zones(sort, card, player, part),
        )  # fmt: skip
        joined = self.joined(card, S)
        if joined is not None:
            shown["joined"] = joined
        return shown

    def drawn(self, card: int, face: int, part: str, kept: list[Fact], zones: list[Zone]) -> Card:
        """A card as it lies there."""
        info = self.layout.cards[card]
        label, text, told = self.book.once(("card", card, face), lambda: self.told(card, face))
        return {
            "id": part,
            "kind": info.sort,
            "label": label,
            "row": info.row,
            "text": text,
            "traits": told,
            "facts": self.facts.printed(info, part),
            "kept": kept,
            "zones": zones,
        }

    def told(self, card: int, face: int) -> tuple[str, str, list[TraitText]]:
        """What a card that shows a face is called, what is written on it, and its traits."""
        info = self.layout.cards[card]
        rows = self.layout.lists.get("trait", ())
        traits: list[TraitText] = [
            {
                "id": f"trait:{rows[number]}",
                "label": self.words.row("trait", rows[number]),
                "text": self.words.row_text("trait", rows[number]),
            }
            for number in ([face] if face else info.faces)
        ]
        texts = [self.words.row_text(info.sort, info.row), *(trait["text"] for trait in traits)]
        return self.words.card(card, face), "\n".join(text for text in texts if text), traits

    def joined(self, card: int, S: Sequence[int]) -> str | None:
        """The thing with which a card joins the one that it lies on."""
        pairs = self.layout.pairs
        partner = S[self.layout.card_partner + card] if self.layout.card_partner and pairs else 0
        return self.ids.part(pairs.kind, partner) if pairs and partner else None
