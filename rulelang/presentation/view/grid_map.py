"""The grids of a document as maps: each space a cell with its name, its values and the things on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from rulelang.base.languages import ENGLISH, Language
from rulelang.base.terminal import display_width, wrap_text
from rulelang.presentation.view.document_types import Document, Fact, Grid, Id, Matrix, Player, Row, Thing
from rulelang.presentation.view.pieces import (
    Line,
    Piece,
    clip_pieces,
    cut_text,
    padded_text,
    room,
    short_forms,
    style_of,
    words,
)

# ---- things on spaces


class Count(NamedTuple):
    """What a table says of an item: the table's name, the number, and the cell where it stands."""

    table: str
    value: int
    cell: Id


@dataclass(slots=True)
class GridItem:
    """One line in a space. `tag` is short (`A1`: the first of Ana's); `name` may be cut; then come the numbers."""

    tag: str
    name: str
    part: Id = ""
    style: str = ""
    owner: str = ""
    counts: list[Count] = field(default_factory=list)  # what tables say of it here

    def line(self, columns: int, marks: dict[str, str]) -> Line:
        """In so many columns, if that can be: the name is cut first, then left out. `marks` by table, "" for none."""
        numbers = self.numbers(marks)
        left = columns - room(numbers) - (display_width(self.tag) + 1 if self.tag else 0)
        name = cut_text(self.name, left) if self.tag and left >= SHORTEST else self.name
        if self.tag and display_width(name) > left:
            name = ""
        called = " ".join(filter(None, (self.tag, name)))
        return tuple(clip_pieces([Piece(called, self.style, self.part), *numbers], columns))

    def numbers(self, marks: dict[str, str]) -> list[Piece]:
        found = []
        for table, value, cell in self.counts:
            found += [Piece(" "), Piece(f"{marks.get(table, '')}{value}", "fact", cell)]
        return found

    def least(self, marks: dict[str, str]) -> int:
        """The fewest columns in which no number is cut."""
        return display_width(self.tag) + room(self.numbers(marks)) if self.tag else 0


#: A name that is cut keeps so many columns, its dot among them, or goes.
SHORTEST = 4


def grid_contents(shown: Document, grid: Grid) -> list[list[GridItem]]:
    """By space, what lies there: things by owner, then numbers of nobody."""
    things = list(tagged_things(shown))
    counts: dict[tuple[Id, Id], list[Count]] = {}
    loose: dict[Id, list[GridItem]] = {}
    known = {thing["id"] for _, _, thing in things}
    for table in tables_of(shown, grid):
        at = table["of"].index(grid["name"])
        for cell in table["cells"]:
            other = cell["at"][1 - at] if len(cell["at"]) > 1 else ""
            number = Count(table["name"], cell["value"], cell["id"])
            if other in known:
                counts.setdefault((cell["at"][at], other), []).append(number)
            else:
                label = cell["labels"][1 - at] if other else table["label"]
                loose.setdefault(cell["at"][at], []).append(GridItem("", label, other or cell["id"], counts=[number]))
    found = []
    for space in grid["spaces"]:
        items = [
            GridItem(
                tag,
                thing["label"],
                thing["id"],
                style_of(player),
                player["label"] if player else "",
                counts.get((space["id"], thing["id"]), []),
            )
            for tag, player, thing in things
            if thing["place"] == space["id"] or (space["id"], thing["id"]) in counts
        ]
        found.append([*items, *loose.get(space["id"], ()), *_kept(space)])
    return found


def tables_of(shown: Document, grid: Grid) -> list[Matrix]:
    """The tables that the map of a grid shows: kept by its spaces alone, or by one other kind besides."""
    return [table for table in shown["tables"] if len(table["of"]) <= 2 and table["of"].count(grid["name"]) == 1]


def tagged_things(shown: Document) -> Iterator[tuple[str, Player | None, Thing]]:
    """Every thing with its tag and its owner."""
    initials = short_forms([player["label"] for player in shown["players"]])
    for player in shown["players"]:
        for group in player["groups"]:
            for thing in group["things"]:
                yield f"{initials[player['label']]}{thing['number']}", player, thing
    for group in shown["nobody"]:
        for thing in group["things"]:
            yield f"*{thing['number']}", None, thing


def _kept(space: Row) -> Iterator[GridItem]:
    """What a space itself keeps: facts and cards."""
    for fact in space["kept"]:
        if not fact["quiet"]:
            yield GridItem("", fact["phrase"], fact["id"], "fact")
    for zone in space["zones"]:
        for card in zone.get("cards", ()):
            yield GridItem("", card["label"], card["id"], "card")
        if zone["count"] and "cards" not in zone:
            yield GridItem("", f"{zone['label']} {zone['count']}", zone["id"], "fact")


# ---- maps

STEP = "  "
#: A cell is never narrower; a map that would have narrower ones is drawn in parts, one below the other.
NARROWEST = 8


def maps(shown: Document, columns: int = 100, language: Language = ENGLISH) -> list[Line]:
    """The lines of all grids of a document; none without a grid."""
    return [line for grid in shown["grids"] for line in _Map(shown, grid, columns, language).lines()]


def mapped_tables(shown: Document) -> set[str]:
    """The tables that maps show."""
    return {table["name"] for grid in shown["grids"] for table in tables_of(shown, grid)}


class _Map:
    def __init__(self, shown: Document, grid: Grid, columns: int, language: Language) -> None:
        self.shown, self.grid, self.columns, self.language = shown, grid, columns, language
        self.width, self.height, self.spaces = grid["width"], grid["height"], grid["spaces"]
        self.tables = {table["name"]: table for table in tables_of(shown, grid)}
        self.lying = grid_contents(shown, grid)
        names = list(dict.fromkeys(fact["name"] for space in self.spaces for fact in space["facts"]))
        self.by_row = [name for name in names if self.width > 1 and self._same_along_rows(name)]
        self.by_space = [name for name in names if name not in self.by_row]
        self.marks = self._marks()
        self.heads = [", ".join(filter(None, (_word(row[0], n) for n in self.by_row))) for row in self._rows()]
        self.left = len(STEP) + max([display_width(head) + 1 if head else 0 for head in self.heads], default=0)
        self.shorts = {name: self._shorts(name) for name in self.by_space}
        self.full = [_joined([s["label"], *(_word(s, n) for n in self.by_space)]) for s in self.spaces]
        self.brief = [_joined([s["label"], *(self._brief(s, n) for n in self.by_space)]) for s in self.spaces]
        self.inner, self.band = self._fit()
        self.in_full = max(map(display_width, self.full), default=0) <= self.inner

    def lines(self) -> list[Line]:
        drawn = []
        for first in range(0, self.width, self.band):
            drawn += self._part(first, min(first + self.band, self.width))
        return [*self._legend(), *drawn]

    # ---- the drawing

    def _part(self, first: int, last: int) -> list[Line]:
        """The columns from `first` up to `last`."""
        lines: list[Line] = []
        edge = Piece("|", "border")
        margin = Piece(" " * self.left)
        for y, head in enumerate(self.heads):
            places = range(y * self.width + first, y * self.width + last)
            line = [Piece(padded_text(STEP + head, self.left), "label")]
            for place in places:
                line += [Piece("+", "border"), *self._title(place)]
            lines.append((*line, Piece("+", "border")))
            cells = [[item.line(self.inner, self.marks) for item in self.lying[place]] for place in places]
            for k in range(max(1, *map(len, cells))):
                line = [margin]
                for cell in cells:
                    said = cell[k] if k < len(cell) else ()
                    line += [edge, *said, Piece(" " * (self.inner - room(said)))]
                lines.append((*line, edge))
        below = f"+{'-' * self.inner}" * (last - first) + "+"
        return [*lines, (margin, Piece(below, "border"))]

    def _title(self, place: int) -> list[Piece]:
        """The name of a space and what is printed on it, in its upper border."""
        space = self.spaces[place]
        said = (self.full if self.in_full else self.brief)[place].removeprefix(space["label"])
        pieces = clip_pieces([Piece(space["label"], "thing", space["id"]), Piece(said, "fact")], self.inner)
        return [*pieces, Piece("-" * (self.inner - room(pieces)), "border")]

    def _fit(self) -> tuple[int, int]:
        """Columns inside a cell, and how many cells stand side by side."""
        free = self.columns - self.left - 1
        wishes = [room(item.line(self.columns, self.marks)) for cell in self.lying for item in cell]
        wish = max([NARROWEST, *map(display_width, self.full), *wishes])
        if self.width * (wish + 1) <= free:
            return wish, self.width
        least = [item.least(self.marks) for cell in self.lying for item in cell]
        narrow = max([NARROWEST, *map(display_width, self.brief), *least])
        even = free // self.width - 1
        if even >= narrow:
            return even, self.width
        return narrow, max(1, free // (narrow + 1))

    # ---- the legend

    def _legend(self) -> list[Line]:
        meant = [
            f"{short} {word}"
            for name in (() if self.in_full else self.by_space)
            for word, short in self.shorts[name].items()
        ]
        title = self.language.say("map of {things}", things=self.grid["label"])
        said = self._named(title, self.language.row(meant)) if meant else title
        lines = wrap_text(said, self.columns, STEP, STEP * 3)
        tags = [item for cell in self.lying for item in cell if item.tag]
        if tags:
            names = [player["label"] for player in self.shown["players"]]
            owners = self.language.row([f"{short} {name}" for name, short in short_forms(names).items()])
            told = self.language.clauses([owners, *self._example(tags)])
            lines += wrap_text(told, self.columns, STEP, STEP * 3)
        return [(Piece(line, "label"),) for line in lines]

    def _named(self, name: str, what: str) -> str:
        return self.language.say("{name}: {what}", name=name, what=what)

    def _example(self, items: Sequence[GridItem]) -> list[str]:
        """One thing on the map in words, and what the letters before numbers mean."""
        item = next((item for item in items if item.counts), items[0])
        thing = self.language.say("{owner}'s {name}", owner=item.owner, name=item.name) if item.owner else item.name
        counts = [self._named(self.tables[count.table]["label"], str(count.value)) for count in item.counts]
        there = {count.table for other in items for count in other.counts}
        marks = [
            f"{mark} {self.tables[table]['label']}" for table, mark in self.marks.items() if mark and table in there
        ]
        return [self._named(words(item.line(self.columns, self.marks)), self.language.row([thing, *counts])), *marks]

    # ---- words

    def _marks(self) -> dict[str, str]:
        """By table, the letters before its numbers: none for the first table of each kind of things."""
        letters = short_forms([table["label"] for table in self.tables.values()])
        first: dict[str, str] = {}
        for name, table in self.tables.items():
            kinds = [kind for kind in table["of"] if kind != self.grid["name"]]
            first.setdefault(kinds[0] if kinds else f" {name}", name)
        return {
            name: "" if name in first.values() else f"{letters[table['label']].lower()}:"
            for name, table in self.tables.items()
        }

    def _rows(self) -> list[list[Row]]:
        return [self.spaces[y * self.width : (y + 1) * self.width] for y in range(self.height)]

    def _same_along_rows(self, name: str) -> bool:
        return all(len({_word(space, name) for space in row}) == 1 for row in self._rows())

    def _shorts(self, name: str) -> dict[str, str]:
        """Short forms of all that a column says in words; of numbers, what stands before them."""
        facts = [fact for space in self.spaces if (fact := _fact(space, name))]
        label = facts[0]["label"] if facts else name
        if any(fact["kind"] == "number" for fact in facts):
            return {label: facts[0].get("short") or label[:1].upper()}
        return short_forms([*dict.fromkeys(word for space in self.spaces if (word := _word(space, name)))])

    def _brief(self, space: Row, name: str) -> str:
        fact = _fact(space, name)
        if fact and fact["kind"] == "number":
            return "" if fact["quiet"] else f"{next(iter(self.shorts[name].values()))}{fact['value']}"
        return self.shorts[name].get(_word(space, name), "")


def _fact(space: Row, name: str) -> Fact | None:
    return next((fact for fact in space["facts"] if fact["name"] == name), None)


def _word(space: Row, name: str) -> str:
    """What a space has to tell under a name; nothing if that is nought, none or false."""
    fact = _fact(space, name)
    return fact["phrase"] if fact and not fact["quiet"] else ""


def _joined(parts: Sequence[str]) -> str:
    return " ".join(filter(None, parts))
