"""The grids of a document as maps: each space a cell with its name, what is printed on it and what lies there."""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.base.languages import ENGLISH, Language
from rulelang.base.terminal import display_width, wrap_text
from rulelang.presentation.view.records import Document, Fact, Grid, Row
from rulelang.presentation.view.sheet.abbreviate import padded, short_forms
from rulelang.presentation.view.sheet.grid_contents import GridItem, grid_contents, tables_of
from rulelang.presentation.view.sheet.pieces import Line, Piece, clipped, room, words

STEP = "  "
#: A cell is never narrower; a map that would have narrower ones is drawn in parts, one below the other.
NARROWEST = 8


def maps(shown: Document, columns: int = 100, language: Language = ENGLISH) -> list[Line]:
    """The lines of all grids of a document; none without a grid."""
    return [line for grid in shown["grids"] for line in _Map(shown, grid, columns, language).lines()]


def mapped(shown: Document) -> set[str]:
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
            line = [Piece(padded(STEP + head, self.left), "label")]
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
        pieces = clipped([Piece(space["label"], "thing", space["id"]), Piece(said, "fact")], self.inner)
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
