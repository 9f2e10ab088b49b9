"""A document as text: what lies on the table for one seat, as a terminal without a screen of its own shows it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rulelang.base.frame import width
from rulelang.engine.state import State
from rulelang.play.grid_contents import tagged
from rulelang.play.gridmap import mapped, maps
from rulelang.play.wrapping import wrapped
from rulelang.present import document
from rulelang.present.records import Card, Document, Fact, Matrix, Player, Row, Thing, Zone
from rulelang.texts.language import Language

#: Zones with more cards than this are counted, not listed.
LISTED = 24
#: Zones with more cards than this are listed by their names alone.
TOLD = 12
#: So many columns do for the last cell of a row, where it has to be wrapped.
LAST = 32
STEP = "  "


def draw(
    state: State,
    viewer: int | None,
    columns: int = 100,
    shown: Sequence[str] = (),
    told: set[str] | None = None,
) -> list[str]:
    """The lines of a table as a seat (None: a spectator) sees it: where the game stands, then player by player.

    Maps of grids come first; they are left out if they are as `shown` has them. What is written on cards is told with
    them; with `told` only once, and noted there by the names of cards.
    """
    found = document(state, viewer)
    map_ = maps(found, columns, state.names.language)
    return drawn(found, map_, columns, state.names.language, told, again=map_ == [*shown])


def drawn(
    shown: Document,
    map_: Sequence[str],
    columns: int,
    language: Language,
    told: set[str] | None,
    *,
    again: bool = False,
) -> list[str]:
    """The same of a document and its maps; `again`: they are as they were shown last."""
    return _Board(shown, columns, language, told).lines(map_, again)


class _Board:
    def __init__(self, shown: Document, columns: int, language: Language, told: set[str] | None) -> None:
        self.shown, self.columns, self.language, self.told = shown, columns, language, told
        self.mapped = mapped(self.shown)

    def lines(self, map_: Sequence[str], again: bool) -> list[str]:
        shown = self.shown
        summary = shown["summary"] or self.language.say("the table")
        lines = [summary[:1].upper() + summary[1:]]
        facts = [*_phrases(shown["facts"]), *self.counts(shown["zones"])]
        lines += self.wrapped(", ".join(facts), STEP)
        for zone in shown["zones"]:
            if zone.get("cards"):
                lines += self.zone(zone, STEP)
        if map_:
            lines += ["", *([STEP + self.language.say("the map is as it was")] if again else map_)]
        for listing in shown["lists"]:
            for row in listing["rows"]:
                lines += self.row(row)
        for table in shown["tables"]:
            lines += self.matrix(table) if table["name"] not in self.mapped else ()
        for player in shown["players"]:
            lines += ["", *self.player(player)]
        nobody = [line for group in shown["nobody"] if group["things"] for line in self.group(group["things"])]
        return [*lines, *(["", self.language.say("nobody's"), *nobody] if nobody else [])]

    def wrapped(self, text: str, first: str) -> list[str]:
        return wrapped(text, self.columns, first, first + STEP * 2)

    # ---- players and things

    def player(self, player: Player) -> Iterator[str]:
        name = player["label"]
        name = self.language.say("{name} (you)", name=name) if player["you"] else name
        name = self.language.say("{name}, whose turn it is", name=name) if player["active"] else name
        facts = ", ".join([*_phrases(player["facts"]), *self.counts(player["zones"])])
        yield from wrapped(f"{name}{': ' if facts else ''}{facts}", self.columns, "", STEP * 3)
        for group in player["groups"]:
            yield from self.group(group["things"])
        for zone in player["zones"]:
            if zone.get("cards"):
                yield from self.zone(zone, STEP)

    def group(self, things: Sequence[Thing]) -> Iterator[str]:
        """The things that somebody has of one kind: in columns if they fit, else one below the other."""
        if not things:
            return
        rows = self.rows(things)
        if _room(rows) > self.columns:
            headed = self.headed(things)
            if _room(headed) > self.columns:
                for thing in things:
                    yield from self.thing(thing)
                return
            rows = headed
        yield from _grid(rows, self.columns)

    def rows(self, things: Sequence[Thing]) -> list[list[str]]:
        """Each thing: its tag, its name, its place, its facts one a column, and then its zones."""
        kept = _kept(things)
        return [
            [*self.named(thing), *(_cell(thing, name, "phrase") for name in kept), "; ".join(self.held(thing))]
            for thing in things
        ]

    def headed(self, things: Sequence[Thing]) -> list[list[str]]:
        """The same with the names of facts in a row above, for things of many."""
        kept = _kept(things)
        labels = {fact["name"]: fact.get("short") or fact["label"] for thing in things for fact in thing["facts"]}
        head = [*("" for _ in self.named(things[0])), *(labels[name] for name in kept), ""]
        return [
            head,
            *(
                [*self.named(thing), *(_cell(thing, name, "text") for name in kept), "; ".join(self.held(thing))]
                for thing in things
            ),
        ]

    def thing(self, thing: Thing) -> list[str]:
        """One thing in as many lines as it takes."""
        name, *rest = [part for part in self.named(thing) if part]
        parts = [", ".join([*rest, *_phrases(thing["facts"])]), *self.held(thing)]
        return self.wrapped(f"{name}: {'; '.join(part for part in parts if part)}", STEP)

    def named(self, thing: Thing) -> list[str]:
        tags = self.tags(thing["kind"])
        tag = [tags[thing["id"]]] if thing["id"] in tags else []
        place = [self.language.say("in {zone}", zone=self.label(thing["place"]))] if thing["place"] else []
        return [*tag, thing["label"], *place]

    def held(self, thing: Thing) -> list[str]:
        """The zones of a thing in which something lies."""
        found = []
        for zone in thing["zones"]:
            if zone.get("cards"):
                found.append(f"{zone['label']}: {', '.join(self.brief(zone['cards']))}")
            elif zone["count"]:
                found.append(f"{zone['label']}: {zone['count']}")
        return found

    def tags(self, kind: str) -> dict[str, str]:
        """What maps call the things of a kind, by their ids."""
        things = [(tag, thing) for tag, _, thing in tagged(self.shown) if thing["kind"] == kind]
        spaces = {space["id"] for grid in self.shown["grids"] for space in grid["spaces"]}
        there = any(kind in table["of"] for table in self.shown["tables"] if table["name"] in self.mapped) or any(
            thing["place"] in spaces for _, thing in things
        )
        return {thing["id"]: tag for tag, thing in things} if there else {}

    # ---- rows, tables

    def row(self, row: Row) -> list[str]:
        """A row of a list that keeps something, if there is anything to tell."""
        parts = [", ".join(_phrases([*row["facts"], *row["kept"]]))]
        cards: list[Card] = []
        for zone in row["zones"]:
            if zone["slot"] and zone.get("cards"):
                cards += zone["cards"]
            elif zone["count"]:
                parts.append(self.count(zone))
        told = "; ".join(part for part in parts if part)
        if not cards:
            return self.wrapped(f"{row['label']}: {told}", STEP) if told else []
        lines = []
        for number, card in enumerate(cards):
            more = f"; {told}" if told and not number else ""
            lines += self.wrapped(f"{row['label']}: {self.card(card)}{more}", STEP)
        return lines

    def matrix(self, table: Matrix) -> list[str]:
        """What is not nought in a table, a line for each part of its first kind."""
        rows: dict[str, list[str]] = {}
        for cell in table["cells"]:
            first, *others = cell["labels"]
            rows.setdefault(first, []).append(" ".join([*others, cell["text"]]))
        if not rows:
            return []
        lines = [STEP + table["label"]]
        for first, cells in rows.items():
            lines += wrapped(f"{first}: {', '.join(cells)}", self.columns, STEP * 2, STEP * 4)
        return lines

    # ---- zones and cards

    def counts(self, zones: Iterable[Zone]) -> list[str]:
        return [self.count(zone) for zone in zones if zone["count"]]

    def count(self, zone: Zone) -> str:
        return self.language.say("{number} in {zone}", number=zone["count"], zone=zone["label"])

    def zone(self, zone: Zone, first: str) -> list[str]:
        """The cards of a zone, one below the other, equal ones together; many by their names."""
        cards = zone.get("cards", [])
        if zone["brief"] or len(cards) > TOLD:
            names = self.brief(cards[:LISTED])
            more = ", ..." if len(cards) > LISTED else ""
            return wrapped(f"{zone['label']}: {', '.join(names)}{more}", self.columns, first, first + STEP * 2)
        lines = [f"{first}{zone['label']}:"]
        same: dict[tuple[str, str, str], list[Card]] = {}
        for card in cards:
            same.setdefault((self.name(card), "; ".join(_phrases(card["facts"])), card["text"]), []).append(card)
        for alike in same.values():
            count = f"{len(alike)} x " if len(alike) > 1 else ""
            lines += wrapped(f"{count}{self.card(alike[0])}", self.columns, first + STEP, first + STEP * 3)
        return lines

    def brief(self, cards: Iterable[Card]) -> list[str]:
        """The names of cards, with what they keep in play; equal ones together."""
        return _counted([self.name(card) for card in cards])

    def name(self, card: Card) -> str:
        joined = [self.language.say("with {thing}", thing=self.label(card["joined"]))] if "joined" in card else []
        kept = [*joined, *_phrases(card["kept"]), *self.held_on(card)]
        return f"{card['label']} ({', '.join(kept)})" if kept else card["label"]

    def held_on(self, card: Card) -> list[str]:
        return [text for zone in card["zones"] for text in self.brief(zone.get("cards", ()))]

    def card(self, card: Card) -> str:
        """A card with all that is printed on it, and its text if that was not told before."""
        facts = "; ".join(_phrases(card["facts"]))
        text = " ".join(card["text"].split("\n"))
        if self.told is not None and text:
            known = card["label"] in self.told
            self.told.add(card["label"])
            text = "" if known else text
        name = self.name(card)
        told = ". ".join(part for part in (facts, text) if part)
        return f"{name}: {told}" if told else name

    def label(self, part: str | None) -> str:
        """What a part of the document is called."""
        return self.labels.get(part or "", part or "")

    @property
    def labels(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for player in self.shown["players"]:
            found[player["id"]] = player["label"]
            found |= {thing["id"]: thing["label"] for group in player["groups"] for thing in group["things"]}
        for group in self.shown["nobody"]:
            found |= {thing["id"]: thing["label"] for thing in group["things"]}
        for listing in self.shown["lists"]:
            found |= {row["id"]: row["label"] for row in listing["rows"]}
        for grid in self.shown["grids"]:
            found |= {space["id"]: space["label"] for space in grid["spaces"]}
        return found


def _phrases(facts: Iterable[Fact]) -> list[str]:
    return [fact["phrase"] for fact in facts if not fact["quiet"] and fact["phrase"]]


def _counted(names: Iterable[str]) -> list[str]:
    """Equal ones together: `claw, 2 x wing`."""
    counts: dict[str, int] = {}
    for name in names:
        counts[name] = counts.get(name, 0) + 1
    return [name if count == 1 else f"{count} x {name}" for name, count in counts.items()]


def _kept(things: Sequence[Thing]) -> list[str]:
    """The facts that any of the things has to tell, by name, in their order."""
    return list(dict.fromkeys(f["name"] for thing in things for f in thing["facts"] if not f["quiet"] and f["phrase"]))


def _cell(thing: Thing, name: str, key: str) -> str:
    """What a thing says in a column: nothing if it has nothing to tell, but noughts where others have numbers."""
    fact = next((fact for fact in thing["facts"] if fact["name"] == name), None)
    if fact is None or (fact["quiet"] and fact["kind"] != "number"):
        return ""
    return fact["phrase"] if key == "phrase" or fact["kind"] == "truth" else fact["text"]


def _grid(rows: list[list[str]], columns: int) -> Iterator[str]:
    """Rows in columns, as wide as a terminal draws them. What is too long goes on below its last cell, or below all."""
    widths = _widths(rows)
    left = width(STEP) + sum(w + len(STEP) for w in widths[:-1] if w)
    for row in rows:
        cells = [cell + " " * (w - width(cell)) for cell, w in zip(row, widths, strict=False) if w]
        line = (STEP + STEP.join(cells)).rstrip()
        if width(line) <= columns:
            yield line
        elif left + LAST <= columns and len(row) == len(widths):
            first = STEP + STEP.join(cells[:-1]) + STEP if len(cells) > 1 else STEP
            yield from wrapped(row[-1], columns, first, " " * left)
        else:
            yield from wrapped(", ".join(filter(None, row)), columns, STEP, STEP * 3)


def _room(rows: list[list[str]]) -> int:
    """The columns that rows take, at most `LAST` of them for their last cells: those can be wrapped."""
    widths = _widths(rows)
    return sum(len(STEP) + w for w in [*widths[:-1], *(min(w, LAST) for w in widths[-1:])] if w)


def _widths(rows: list[list[str]]) -> list[int]:
    count = max(map(len, rows), default=0)
    return [max((width(row[i]) for row in rows if i < len(row)), default=0) for i in range(count)]
