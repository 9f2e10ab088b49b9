"""A document laid out in lines of a given width: pieces of text, each with its style and its part."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from rulelang.base.languages import ENGLISH, Language
from rulelang.base.terminal import display_width
from rulelang.presentation.view.document_types import (
    Card,
    Document,
    Fact,
    Group,
    Listing,
    Matrix,
    Player,
    Row,
    Thing,
    Zone,
)
from rulelang.presentation.view.grid_map import mapped_tables, maps, tagged_things
from rulelang.presentation.view.pieces import (
    Cell,
    Line,
    Piece,
    column_lines,
    flow_pieces,
    needed_width,
    room,
    style_of,
    words,
)

# ---- parts by id

#: A part of a document: whatever has an id in it.
Part = Mapping[str, Any]
#: What a part holds that are parts of their own, and what is not looked at.
INNER = (
    "facts", "kept", "zones", "cards", "players", "groups", "things", "lists", "rows", "grids", "spaces", "nobody",
    "tables", "cells",
)  # fmt: skip


def parts_of(document: Document) -> dict[str, Part]:
    """All parts by id, in the order of the document; cards that only the question shows at its end."""
    question = document["question"]
    found = {part["id"]: part for part in _inside(document)}
    for card in question.get("cards", []) if question else []:
        found.setdefault(card["id"], card)
        found.update((part["id"], part) for part in _inside(card))
    return found


def _inside(part: Part) -> Iterator[Part]:
    for name in INNER:
        for inner in part.get(name, ()):
            if "id" in inner:
                yield inner
            yield from _inside(inner)


def changed(before: Mapping[str, Part], after: Mapping[str, Part]) -> set[str]:
    """The ids of parts that are new, or of which something else is said now."""
    return {key for key, part in after.items() if key not in before or _said(before[key]) != _said(part)}


def _said(part: Part) -> tuple[object, ...]:
    """What is said of a part itself."""
    return tuple(part.get(name) for name in ("label", "text", "phrase", "count", "place", "score"))


# ---- zones and cards

#: Zones with more cards are counted: of somebody, and of the game.
LISTED, COMMON = 30, 12
#: Zones with more cards are listed by their names alone.
TOLD = 12
#: So many printed facts of a card are shown beside its name.
FEW = 8


class Cards:
    """Tells of cards. `label`: what a part of the document is called. `texts`, `told`: as a sheet has them."""

    def __init__(
        self,
        columns: int,
        language: Language,
        label: Callable[[str | None], str],
        *,
        texts: bool = False,
        told: set[str] | None = None,
    ) -> None:
        self.columns, self.language, self.label, self.texts, self.told = columns, language, label, texts, told

        self.comma = language.row(["", ""])
        self.colon = language.say("{name}: {what}", name="", what="")

    def flow(self, pieces: Sequence[Piece], first: Sequence[Piece] = (), hang: int = 4) -> list[Line]:
        """Pieces one after the other, with the commas of the language."""
        return flow_pieces(pieces, self.columns, first, hang, self.comma)

    # ---- zones

    def counts(self, zones: Iterable[Zone], *, common: bool = False) -> list[Piece]:
        """Those of which the cards are only counted."""
        return [self.count(zone) for zone in zones if zone["count"] and not is_listed(zone, common)]

    def count(self, zone: Zone) -> Piece:
        """How many cards lie in a zone, and which is on top."""
        return self.topped(zone, self.language.say("{number} in {zone}", number=zone["count"], zone=zone["label"]))

    def topped(self, zone: Zone, said: str) -> Piece:
        if zone.get("cards"):
            said = self.language.say("{zone}, {card} on top", zone=said, card=zone["cards"][-1]["label"])
        return Piece(said, "fact", zone["id"])

    def zone(self, zone: Zone, indent: int, *, common: bool = False) -> list[Line]:
        """The cards of a zone, if they are seen and few."""
        if not is_listed(zone, common):
            return []
        head = Piece(zone["label"], "label", zone["id"])
        if zone["brief"] or zone["count"] > TOLD:
            named = [*self.named(zone["cards"])]
            return self.flow(named, [Piece(" " * indent), head, Piece(self.colon)], indent + 4)
        return self.listed(zone["cards"], head, indent)

    def listed(self, cards: Sequence[Card], head: Piece, indent: int) -> list[Line]:
        """Cards with what is printed on them: beside each other if they are short, else one below the other."""
        first = [Piece(" " * indent), head, Piece(self.colon)]
        told = [*self.told_of(cards)]
        if not self.texts:
            beside = self.flow(told, first, indent + 4)
            if len(beside) <= max(len(told) // 2, 1):
                return beside
        lines: list[Line] = [(Piece(" " * indent), head, Piece(self.colon.rstrip()))]
        for piece in told:
            lines += self.flow([piece], [Piece(" " * (indent + 2))], indent + 6)
        return lines

    def told_of(self, cards: Sequence[Card]) -> Iterator[Piece]:
        """Each card with what is printed on it; equal ones together where nobody can point at them."""
        same: dict[object, list[Card]] = {}
        for card in cards:
            alike = (self.name(card), *phrase_pieces(card["facts"]), card["text"]) if self.texts else card["id"]
            same.setdefault(alike, []).append(card)
        for first, *others in same.values():
            count = f"{len(others) + 1} x " if others else ""
            yield Piece(f"{count}{self.card(first)}", "card", first["id"])

    def inside(self, zones: Iterable[Zone], *, common: bool = False) -> list[Piece]:
        """What lies in the zones of something: the names of its cards, or how many. `common`: it is the game's; what
        is printed on a card in a place for one is told with it."""
        pieces: list[Piece] = []
        for zone in zones:
            if not is_listed(zone, common):
                said = f"{zone['label']}{self.colon}{zone['count']}"
                pieces += [self.topped(zone, said)] if zone["count"] else []
            elif common and zone["slot"]:
                pieces += [Piece(self.card(card), "card", card["id"]) for card in zone["cards"]]
            else:
                first, *others = self.named(zone["cards"])
                pieces += [first._replace(text=f"{zone['label']}{self.colon}{first.text}"), *others]
        return pieces

    def told_whole(self, piece: Piece) -> bool:
        """Whether a piece says what is printed on a card, in the form without brackets."""
        return bool(self.texts) and piece.style == "card" and self.colon in piece.text

    # ---- cards

    def named(self, cards: Sequence[Card]) -> Iterator[Piece]:
        """The names of cards; equal ones together where nobody can point at them."""
        told = [Piece(self.name(card), "card", card["id"]) for card in cards]
        if not self.texts:
            yield from told
        else:
            yield from (p._replace(text=f"{n} x {p.text}") if n > 1 else p for p, n in count_equal(told))

    def name(self, card: Card) -> str:
        """What a card is called, with what it keeps in play."""
        joined = [self.language.say("with {thing}", thing=self.label(card["joined"]))] if "joined" in card else []
        kept = [*joined, *phrase_pieces(card["kept"]), *self.held(card)]
        if not kept:
            return card["label"]
        return self.language.say("{name} ({what})", name=card["label"], what=self.language.row(kept))

    def held(self, card: Card) -> Iterator[str]:
        for zone in card["zones"]:
            yield from (self.name(inner) for inner in zone.get("cards", ()))
            if zone["count"] and "cards" not in zone:
                yield self.language.say("{number} in {zone}", number=zone["count"], zone=zone["label"])

    def card(self, card: Card) -> str:
        """A card with what is printed on it; in brief, or with its text if that was not told before."""
        name = self.name(card)
        if not self.texts:
            said = [fact.get("short") or fact["phrase"] for fact in card["facts"] if not fact["quiet"]]
            return f"[{name}{self.colon}{self.language.row(said)}]" if said and len(said) <= FEW else f"[{name}]"
        text = " ".join(card["text"].split("\n"))
        if self.told is not None and text:
            known = card["label"] in self.told
            self.told.add(card["label"])
            text = "" if known else text
        told = self.language.sentences(
            [part for part in (self.language.clauses(phrase_pieces(card["facts"])), text) if part]
        )
        return f"{name}{self.colon}{told}" if told else name


def is_listed(zone: Zone, common: bool = False) -> bool:
    """Whether the cards of a zone are shown, and not only counted."""
    return 0 < len(zone.get("cards", ())) <= (COMMON if common else LISTED)


def count_equal(pieces: Iterable[Piece]) -> Iterator[tuple[Piece, int]]:
    """Those of equal words together, the first of them with their number."""
    found: dict[str, tuple[Piece, int]] = {}
    for piece in pieces:
        first, count = found.get(piece.text, (piece, 0))
        found[piece.text] = first, count + 1
    yield from found.values()


def fact_pieces(found: Iterable[Fact]) -> list[Piece]:
    return [Piece(fact["phrase"], "fact", fact["id"]) for fact in found if not fact["quiet"] and fact["phrase"]]


def phrase_pieces(found: Iterable[Fact]) -> list[str]:
    return [fact["phrase"] for fact in found if not fact["quiet"] and fact["phrase"]]


# ---- the sheet

#: Names of rows stand in a column as wide as the widest, up to this.
WIDEST = 18


class Sheet:
    """Lays out one document.

    `texts`: for readers who cannot point at anything: what is written on cards is told with them; of cards whose names
    are among `told` it was told before, and others join these.
    """

    def __init__(
        self,
        document: Document,
        columns: int,
        language: Language = ENGLISH,
        *,
        parts: Mapping[str, Part] | None = None,
        texts: bool = False,
        told: set[str] | None = None,
    ) -> None:
        self.document, self.columns, self.language = document, max(columns, 20), language
        self.parts = parts_of(document) if parts is None else parts
        self.cards = Cards(self.columns, language, self.label, texts=texts, told=told)
        self.players = {player["id"]: player for player in document["players"]}
        self.mapped = mapped_tables(document)
        self.tags = {thing["id"]: tag for tag, _, thing in tagged_things(document)}
        spaces = {space["id"] for grid in document["grids"] for space in grid["spaces"]}
        #: By kind, whether maps call its things by tags.
        self.tagged = {kind for table in document["tables"] if table["name"] in self.mapped for kind in table["of"]}
        self.here: dict[str, list[Thing]] = {}  # by row, what stands there
        for group in (*document["nobody"], *(g for player in document["players"] for g in player["groups"])):
            for thing in group["things"]:
                if thing["place"] in spaces:
                    self.tagged.add(thing["kind"])
                elif thing["place"]:
                    self.here.setdefault(thing["place"], []).append(thing)

    def lines(self) -> list[Line]:
        """The whole table, with an empty line between its blocks."""
        lines: list[Line] = []
        for block in self.blocks().values():
            lines += [(), *chain(*block)] if lines else chain(*block)
        return lines

    def blocks(self) -> dict[str, list[list[Line]]]:
        """What stands together, by a name that it keeps while the game goes on: the question's own cards first, then
        the game's, the boards, and the players from the viewer on. The first part of a block heads it; each of the
        others can be read with that alone."""
        document = self.document
        blocks = {"asked": [self.asked()], "game": [*self.common()], "maps": [self.maps()]}
        blocks |= {f"list {listing['name']}": [*self.rows(listing)] for listing in document["lists"]}
        blocks |= {matrix["id"]: [*self.table(matrix)] for matrix in document["tables"]}
        blocks |= {player["id"]: [*self.player(player)] for player in self.seated()}
        if nobody := [*self.groups(document["nobody"])]:
            blocks["nobody"] = [[(Piece(self.language.say("nobody's"), "title"),)], *nobody]
        found = {name: [part for part in parts if part] for name, parts in blocks.items()}
        return {name: parts for name, parts in found.items() if parts}

    def maps(self) -> list[Line]:
        """The boards."""
        return maps(self.document, self.columns, self.language)

    def seated(self) -> list[Player]:
        """The players, the viewer first, and then those who sit behind him."""
        players = self.document["players"]
        start = next((place for place, player in enumerate(players) if player["you"]), 0)
        return [*players[start:], *players[:start]]

    # ---- the game

    def asked(self) -> list[Line]:
        """Cards that are shown because one is asked about them."""
        question = self.document["question"]
        shown = question.get("cards", []) if question else []
        known = [card for card in shown if card["id"].startswith("asked/")]
        return self.cards.listed(known, Piece(self.language.say("You see"), "label"), 0) if known else []

    def common(self) -> Iterator[list[Line]]:
        zones = self.document["zones"]
        yield self.cards.flow([*fact_pieces(self.document["facts"]), *self.cards.counts(zones, common=True)])
        for zone in zones:
            yield self.cards.zone(zone, 0, common=True)

    # ---- players and what they have

    def player(self, player: Player) -> Iterator[list[Line]]:
        say, name = self.language.say, player["label"]
        name = say("{name} (you)", name=name) if player["you"] else name
        name = say("{name}, whose turn it is", name=name) if player["active"] else name
        said = []
        if "score" in player and not any(_is_score(fact, player["score"]) for fact in player["facts"]):
            said.append(Piece(say("{n} {n:point|points}", n=player["score"]), "fact", player["id"]))
        said += [*fact_pieces(player["facts"]), *self.cards.counts(player["zones"])]
        head = [Piece(name, style_of(player), player["id"]), *([Piece(self.cards.colon)] if said else [])]
        yield self.cards.flow(said, head, 6)
        yield from self.groups(player["groups"])
        for zone in player["zones"]:
            yield self.cards.zone(zone, 2)

    def groups(self, groups: Sequence[Group]) -> Iterator[list[Line]]:
        """The things of each kind: in columns if they fit, else one below the other. Below headings they stay
        together."""
        for things in (group["things"] for group in groups):
            if not things:
                continue
            kept = list(dict.fromkeys(f["name"] for thing in things for f in thing["facts"] if _tells(f)))
            in_words = [[*self.named(thing), *self.cells(thing, kept, "phrase"), self.held(thing)] for thing in things]
            below = [[*self.named(thing), *self.cells(thing, kept, "text"), self.held(thing)] for thing in things]
            below.insert(0, [*([()] * len(self.named(things[0]))), *self.headings(things, kept), ()])
            if needed_width(in_words, self.cards.comma) <= self.columns:
                yield from column_lines(in_words, self.columns, self.cards.comma)
            elif needed_width(below, self.cards.comma) <= self.columns:
                yield [*chain(*column_lines(below, self.columns, self.cards.comma))]
            else:
                yield from map(self.thing, things)

    def thing(self, thing: Thing) -> list[Line]:
        """One thing in as many lines as it takes."""
        tag, name, place = self.named(thing)
        head = [Piece("  "), *tag, *([Piece(" ")] if tag else []), *name, Piece(self.cards.colon)]
        said = [*place, *fact_pieces(thing["facts"]), *self.cards.inside(thing["zones"])]
        return self.cards.flow(said, head if said else head[:-1], 6)

    def named(self, thing: Thing) -> list[Cell]:
        """What maps call a thing, its name, and where it stands; what is not so of it is empty."""
        style = self.style(thing["id"])
        tag = [Piece(self.tags[thing["id"]], style, thing["id"])] if thing["kind"] in self.tagged else []
        place = self.parts.get(thing["place"] or "")
        at = [Piece(place["label"], "fact", str(place["id"]))] if place else []
        return [tag, [Piece(thing["label"], style, thing["id"])], at]

    def cells(self, thing: Thing, names: Sequence[str], key: str) -> Iterator[Cell]:
        """What a thing says in each column: nothing if it has nothing to tell, but noughts where others have
        numbers."""
        known = {fact["name"]: fact for fact in thing["facts"]}
        for name in names:
            fact = known.get(name)
            if fact is None or (fact["quiet"] and fact["kind"] != "number"):
                yield ()
            else:
                whole = key == "phrase" or fact["kind"] == "truth"
                bare = str(fact["value"]) if fact["kind"] == "number" else fact["text"]  # the heading says of what
                yield [Piece(fact["phrase"] if whole else bare, "fact", fact["id"])]

    def headings(self, things: Sequence[Thing], names: Sequence[str]) -> Iterator[Cell]:
        labels = {fact["name"]: fact.get("short") or fact["label"] for thing in things for fact in thing["facts"]}
        for name in names:
            yield [Piece(labels[name], "label")]

    def held(self, thing: Thing) -> Cell:
        """What lies in the zones of a thing."""
        return self.cards.inside(thing["zones"])

    # ---- lists and tables

    def rows(self, listing: Listing) -> Iterator[list[Line]]:
        """The rows of a list in which there is anything to see."""
        shown = [(row, found) for row in listing["rows"] if (found := [*self.contents(row)])]
        if not shown:
            return
        yield [(Piece(listing["label"], "title"),)]
        widest = min(max(display_width(row["label"]) for row, _ in shown), WIDEST)
        for row, found in shown:
            pad = Piece(" " * max(widest - display_width(row["label"]), 0) + "  ")
            head = [Piece("  "), Piece(row["label"], "thing", row["id"]), pad]
            yield self.cards.flow(found, head, min(room(head), 8))

    def contents(self, row: Row) -> Iterator[Piece]:
        """What is to be said of a row: its cards, its facts, and what stands there."""
        say = self.language.say
        lying, told = [*self.cards.inside(row["zones"], common=True)], fact_pieces([*row["kept"], *row["facts"]])
        if told or row["id"] in self.here:  # so that what is printed on a card is known from what is said of the place
            lying = [p._replace(text=f"({p.text})") if self.cards.told_whole(p) else p for p in lying]
        yield from lying
        yield from told
        for thing in self.here.get(row["id"], ()):
            owner = self.parts.get(thing["owner"] or "")
            named = say("{name} ({what})", name=thing["label"], what=owner["label"]) if owner else thing["label"]
            yield Piece(named, self.style(thing["id"]), thing["id"])

    def table(self, matrix: Matrix) -> Iterator[list[Line]]:
        """What is not nought in a table that no map shows, under the first part that it is read by."""
        if not matrix["cells"] or matrix["name"] in self.mapped:
            return
        yield [(Piece(matrix["label"], "title", matrix["id"]),)]
        under: dict[str, list[Piece]] = {}
        for cell in matrix["cells"]:
            said = " ".join([*cell["labels"][1:], cell["text"]])
            under.setdefault(cell["at"][0], []).append(Piece(said, "fact", cell["id"]))
        for first, cells in under.items():
            head = [Piece("  "), Piece(self.label(first), self.style(first), first), Piece(self.cards.colon)]
            yield self.cards.flow(cells, head, 6)

    # ---- parts

    def style(self, part: str) -> str:
        """The style of a player, and of what is his."""
        known = self.parts.get(part, {})
        return style_of(self.players.get(str(known.get("owner") or part)))

    def label(self, part: str | None) -> str:
        """What a part of the document is called."""
        known = self.parts.get(part or "")
        return str(known["label"]) if known else (part or "").partition(":")[2]


def _is_score(fact: Mapping[str, object], score: int) -> bool:
    """Whether a fact says already how many points somebody has in all."""
    return fact["name"] == "score" and fact["value"] == score and not fact["quiet"]


def _tells(fact: Mapping[str, object]) -> bool:
    return bool(not fact["quiet"] and fact["phrase"])


# ---- init

__all__ = ["Line", "Part", "Piece", "Sheet", "changed", "maps", "parts_of", "room", "words"]
