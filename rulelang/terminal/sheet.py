"""A document laid out in lines for a screen of so many columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rulelang.base.frame import width
from rulelang.present import Document
from rulelang.present.records import Card, Fact, Group, Matrix, Player, Row, Thing, Zone
from rulelang.terminal.flow import Line, Piece, flow, room
from rulelang.terminal.grid import boxes
from rulelang.terminal.parts import Part
from rulelang.texts.language import ENGLISH, Language

#: Zones with more cards are counted: of a player, and of the game.
LISTED, COMMON = 30, 12
#: Players with a style of their own.
SEATS = 6
#: Names of things in a row stand in a column as wide as the widest, up to this.
WIDEST = 18


class Sheet:
    """Lays out one document."""

    def __init__(
        self, document: Document, parts: Mapping[str, Part], columns: int, language: Language = ENGLISH
    ) -> None:
        self.document, self.parts, self.columns, self.language = document, parts, max(columns, 20), language
        self.here: dict[str, list[Thing]] = {}  # by place, what stands there
        self.counted: dict[str, list[Piece]] = {}  # by space, what tables say of it
        boards = {grid["name"] for grid in document["grids"]}
        for matrix in document["tables"]:
            self.spread(matrix, boards)
        for group in (*document["nobody"], *(g for player in document["players"] for g in player["groups"])):
            for thing in group["things"]:
                if thing["place"]:
                    self.here.setdefault(thing["place"], []).append(thing)

    def spread(self, matrix: Matrix, boards: set[str]) -> None:
        """Keep what a table says of the spaces of a board for where they are drawn: how many of which are there."""
        at = next((place for place, kind in enumerate(matrix["of"]) if kind in boards), None)
        if at is None:
            return
        for cell in matrix["cells"]:
            others = [part for place, part in enumerate(cell["at"]) if place != at]
            name = " ".join(map(self.label, others)) or matrix["label"]
            style = self.style(others[0]) if others else "fact"
            piece = Piece(f"{name} {cell['text']}", style, others[0] if others else "")
            self.counted.setdefault(cell["at"][at], []).append(piece)

    def lines(self) -> list[Line]:
        """The question's own cards first, then the game's, the boards, and the players from the viewer on."""
        document = self.document
        blocks = [self.asked(), [*self.common()]]
        blocks += [boxes(grid, self.contents, self.columns) for grid in document["grids"]]
        blocks += [[*self.rows(listing["label"], listing["rows"])] for listing in document["lists"]]
        blocks += [[*self.table(matrix)] for matrix in document["tables"]]
        blocks += [[*self.player(player)] for player in self.seated()]
        blocks += [[*self.groups(document["nobody"])]]
        lines: list[Line] = []
        for block in filter(None, blocks):
            lines += [(), *block] if lines else block
        return lines

    def seated(self) -> list[Player]:
        """The players, the viewer first, and then those who sit behind him."""
        players = self.document["players"]
        start = next((place for place, player in enumerate(players) if player["you"]), 0)
        return [*players[start:], *players[:start]]

    # ---- the game

    def asked(self) -> list[Line]:
        """Cards that are shown because one is asked about them."""
        question = self.document["question"]
        cards = question.get("cards", []) if question else []
        known = [card for card in cards if card["id"].startswith("asked/")]
        head = [Piece(self.language.say("You see"), "label"), Piece("  ")]
        return flow([chip(card) for card in known], self.columns, head, 2) if known else []

    def common(self) -> Iterator[Line]:
        counts = [*facts(self.document["facts"])]
        counts += [self.count(zone) for zone in self.document["zones"] if zone["count"] and not listed(zone, COMMON)]
        if counts:
            yield from flow(counts, self.columns, hang=2)
        for zone in self.document["zones"]:
            if listed(zone, COMMON):
                yield from self.zone(zone, 0)

    def zone(self, zone: Zone, indent: int) -> list[Line]:
        """A zone whose cards are seen and few."""
        if not listed(zone):
            return []
        head = Piece(f"{' ' * indent}{zone['label']}", "label", zone["id"])
        return flow([chip(card) for card in zone["cards"]], self.columns, [head, Piece("  ")], indent + 2)

    # ---- players and what they have

    def player(self, player: Player) -> Iterator[Line]:
        say, name = self.language.say, player["label"]
        name = say("{name} (you)", name=name) if player["you"] else name
        said = []
        if "score" in player:
            said.append(Piece(say("{n} {n:point|points}", n=player["score"]), "fact", player["id"]))
        said += facts(player["facts"])
        said += [self.count(zone) for zone in player["zones"] if zone["count"] and not listed(zone)]
        mark = "\N{BLACK RIGHT-POINTING POINTER} " if player["asked"] else "  "
        yield from flow(
            said,
            self.columns,
            [Piece(mark, "mark"), Piece(name, self.style(player["id"]), player["id"]), Piece("  ")],
            4,
        )
        yield from self.groups(player["groups"])
        for zone in player["zones"]:
            yield from self.zone(zone, 2)

    def groups(self, groups: Sequence[Group]) -> Iterator[Line]:
        for group in groups:
            names = [width(thing["label"]) for thing in group["things"]]
            widest = min(max(names, default=0), WIDEST)
            for thing in group["things"]:
                yield from self.thing(thing, widest)

    def thing(self, thing: Thing, widest: int) -> list[Line]:
        label = thing["label"]
        head = [
            Piece("  "),
            Piece(label, self.style(thing["id"]), thing["id"]),
            Piece(" " * max(widest - width(label), 0) + "  "),
        ]
        place = self.parts.get(thing["place"] or "")
        said = []
        if place:
            said.append(Piece(self.language.say("in {zone}", zone=place["label"]), "fact", str(place["id"])))
        said += facts(thing["facts"])
        return flow([*said, *self.inside(thing["zones"])], self.columns, head, min(room(head), 8))

    # ---- lists and tables

    def rows(self, title: str, rows: Sequence[Row]) -> Iterator[Line]:
        """The rows of a list in which there is anything to see."""
        shown = [row for row in rows if [*self.contents(row)]]
        if not shown:
            return
        yield (Piece(title, "title"),)
        widest = min(max(width(row["label"]) for row in shown), WIDEST)
        for row in shown:
            pad = Piece(" " * max(widest - width(row["label"]), 0) + "  ")
            head = [Piece("  "), Piece(row["label"], "thing", row["id"]), pad]
            yield from flow([*self.contents(row)], self.columns, head, min(room(head), 8))

    def contents(self, row: Row) -> Iterator[Piece]:
        """What is to be said of a row or space: its facts, its cards, and what stands there."""
        yield from facts([*row["kept"], *row["facts"]])
        yield from self.inside(row["zones"], COMMON)
        yield from self.counted.get(row["id"], ())
        for thing in self.here.get(row["id"], ()):
            owner = self.parts.get(thing["owner"] or "")
            whose = f" ({owner['label']})" if owner else ""
            yield Piece(f"{thing['label']}{whose}", self.style(thing["id"]), thing["id"])

    def table(self, matrix: Matrix) -> Iterator[Line]:
        """What is not nought in a table, under the first part that it is read by."""
        if not matrix["cells"] or any(
            kind in {grid["name"] for grid in self.document["grids"]} for kind in matrix["of"]
        ):
            return
        yield (Piece(matrix["label"], "title"),)
        under: dict[str, list[Piece]] = {}
        for cell in matrix["cells"]:
            first, *rest = cell["at"]
            name = " ".join(self.label(part) for part in rest)
            under.setdefault(first, []).append(Piece(f"{name} {cell['text']}".strip(), "fact"))
        for first, cells in under.items():
            yield from flow(
                cells, self.columns, [Piece("  "), Piece(self.label(first), "thing", first), Piece("  ")], 4
            )

    def count(self, zone: Zone) -> Piece:
        """How many cards lie in a zone, and which is on top."""
        said = f"{zone['label']} {zone['count']}"
        if zone.get("cards"):
            said = self.language.say("{zone}, {card} on top", zone=said, card=zone["cards"][-1]["label"])
        return Piece(said, "fact", zone["id"])

    def inside(self, zones: Iterable[Zone], most: int = LISTED) -> list[Piece]:
        """What lies in the zones of a part: its cards, or how many."""
        pieces: list[Piece] = []
        for zone in zones:
            if listed(zone, most):
                pieces += [chip(card) for card in zone["cards"]]
            elif zone["count"]:
                pieces.append(self.count(zone))
        return pieces

    def style(self, part: str) -> str:
        """The style of a player, and of what is his."""
        known = self.parts.get(part)
        seat = str(known.get("owner") or known["id"]).partition("player:")[2] if known else ""
        return f"seat{seat}" if seat.isdecimal() and int(seat) <= SEATS else "thing"

    def label(self, part: str) -> str:
        known = self.parts.get(part)
        return str(known["label"]) if known else part.partition(":")[2]


def listed(zone: Zone, most: int = LISTED) -> bool:
    """Whether the cards of a zone are shown, and not only counted."""
    return 0 < len(zone.get("cards", ())) <= most


def facts(found: Iterable[Fact]) -> list[Piece]:
    return [Piece(fact["phrase"], "fact", fact["id"]) for fact in found if not fact["quiet"]]


def chip(card: Card) -> Piece:
    """A card in a few words: its name, and what is printed on it or kept with it, if that is little."""
    said = [fact.get("short") or fact["phrase"] for fact in card["facts"] if not fact["quiet"]]
    said = said if len(said) <= FEW else []
    said += [fact["phrase"] for fact in card["kept"] if not fact["quiet"]]
    held = [inner["label"] for zone in card["zones"] for inner in zone.get("cards", ())]
    held += [f"{zone['label']} {zone['count']}" for zone in card["zones"] if zone["count"] and "cards" not in zone]
    words = ", ".join([*said, *held])
    return Piece(f"[{card['label']}{': ' if words else ''}{words}]", "card", card["id"])


#: So many printed facts of a card are shown beside its name.
FEW = 8
