"""A document laid out in lines of so many columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from rulelang.base.languages import ENGLISH, Language
from rulelang.base.terminal import display_width
from rulelang.presentation.view.records import Document, Group, Listing, Matrix, Player, Row, Thing
from rulelang.presentation.view.sheet.by_id import Part, parts_of
from rulelang.presentation.view.sheet.cards import Cards, facts
from rulelang.presentation.view.sheet.columns import Cell, columned, needed
from rulelang.presentation.view.sheet.grid import mapped, maps
from rulelang.presentation.view.sheet.grid_contents import tagged
from rulelang.presentation.view.sheet.pieces import Line, Piece, room
from rulelang.presentation.view.sheet.styles import style_of

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
        self.mapped = mapped(document)
        self.tags = {thing["id"]: tag for tag, _, thing in tagged(document)}
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
        yield self.cards.flow([*facts(self.document["facts"]), *self.cards.counts(zones, common=True)])
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
        said += [*facts(player["facts"]), *self.cards.counts(player["zones"])]
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
            if needed(in_words, self.cards.comma) <= self.columns:
                yield from columned(in_words, self.columns, self.cards.comma)
            elif needed(below, self.cards.comma) <= self.columns:
                yield [*chain(*columned(below, self.columns, self.cards.comma))]
            else:
                yield from map(self.thing, things)

    def thing(self, thing: Thing) -> list[Line]:
        """One thing in as many lines as it takes."""
        tag, name, place = self.named(thing)
        head = [Piece("  "), *tag, *([Piece(" ")] if tag else []), *name, Piece(self.cards.colon)]
        said = [*place, *facts(thing["facts"]), *self.cards.inside(thing["zones"])]
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
        lying, told = [*self.cards.inside(row["zones"], common=True)], facts([*row["kept"], *row["facts"]])
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
