"""The grids of a view as maps: each space a cell with its name, what is printed on it and what lies there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulelang.base.frame import width
from rulelang.play.abbreviate import padded, short_forms
from rulelang.play.grid_contents import GridItem, grid_contents, tables_of
from rulelang.play.wrapping import wrapped

STEP = "  "
#: A cell is never narrower; a map that would have narrower ones is drawn in parts, one below the other.
NARROWEST = 8


def maps(view: dict[str, Any], columns: int = 100) -> list[str]:
    """The lines of all grids of a view; none without a grid."""
    return [line for grid in view["grids"] for line in _Map(view, grid, columns).lines()]


def mapped(view: dict[str, Any]) -> set[str]:
    """The tables that maps show."""
    return {table for grid in view["grids"] for table in tables_of(view, grid)}


class _Map:
    def __init__(self, view: dict[str, Any], grid: str, columns: int) -> None:
        self.view, self.grid, self.columns = view, grid, columns
        board = view["grids"][grid]
        self.width, self.height, self.spaces = board["width"], board["height"], board["spaces"]
        self.lying = grid_contents(view, grid)
        names = list(self.spaces[0]["printed"]) if self.spaces else []
        self.by_row = [name for name in names if self.width > 1 and self._same_along_rows(name)]
        self.by_space = [name for name in names if name not in self.by_row]
        self.marks = self._marks()
        self.heads = [", ".join(self._word(row[0], name) for name in self.by_row) for row in self._rows()]
        self.left = len(STEP) + max([width(head) + 1 if head else 0 for head in self.heads], default=0)
        self.shorts = {name: self._shorts(name) for name in self.by_space}
        self.full = [" ".join([s["name"], *(self._word(s, n) for n in self.by_space)]).strip() for s in self.spaces]
        self.brief = [" ".join([s["name"], *(self._brief(s, n) for n in self.by_space)]).strip() for s in self.spaces]
        self.inner, self.band = self._fit()
        self.in_full = max(map(width, self.full), default=0) <= self.inner

    def lines(self) -> list[str]:
        drawn = []
        for first in range(0, self.width, self.band):
            drawn += self._part(first, min(first + self.band, self.width))
        return [*self._legend(), *drawn]

    # ---- the drawing

    def _part(self, first: int, last: int) -> list[str]:
        """The columns from `first` up to `last`."""
        titles = self.full if self.in_full else self.brief
        lines = []
        for y, head in enumerate(self.heads):
            places = range(y * self.width + first, y * self.width + last)
            cells = [[item.text(self.inner, self.marks) for item in self.lying[place]] for place in places]
            border = "".join(f"+{padded(titles[place], self.inner, '-')}" for place in places)
            lines.append(f"{padded(STEP + head, self.left)}{border}+")
            for k in range(max(1, *map(len, cells))):
                texts = "".join(f"|{padded(cell[k] if k < len(cell) else '', self.inner)}" for cell in cells)
                lines.append(f"{' ' * self.left}{texts}|")
        return [*lines, " " * self.left + f"+{'-' * self.inner}" * (last - first) + "+"]

    def _fit(self) -> tuple[int, int]:
        """Columns inside a cell, and how many cells stand side by side."""
        room = self.columns - self.left - 1
        wishes = [width(item.text(self.columns, self.marks)) for cell in self.lying for item in cell]
        wish = max([NARROWEST, *map(width, self.full), *wishes])
        if self.width * (wish + 1) <= room:
            return wish, self.width
        least = [item.least(self.marks) for cell in self.lying for item in cell]
        narrow = max([NARROWEST, *map(width, self.brief), *least])
        even = room // self.width - 1
        if even >= narrow:
            return even, self.width
        return narrow, max(1, room // (narrow + 1))

    # ---- the legend

    def _legend(self) -> list[str]:
        title = self.grid.replace("_", " ")
        meant = [
            f"{short} {word}"
            for name in (() if self.in_full else self.by_space)
            for word, short in self.shorts[name].items()
        ]
        lines = wrapped(f"map of {title}s{': ' if meant else ''}{', '.join(meant)}", self.columns, STEP, STEP * 3)
        tags = [item for cell in self.lying for item in cell if item.tag]
        if tags:
            initials = short_forms([player["name"] for player in self.view["players"]])
            owners = ", ".join(f"{initials[p['name']]} {p['name']}" for p in self.view["players"])
            lines += wrapped(f"{owners}; {self._example(tags)}", self.columns, STEP, STEP * 3)
        return lines

    def _example(self, items: Sequence[GridItem]) -> str:
        """One thing on the map in words, and what the letters before numbers mean."""
        item = next((item for item in items if item.counts), items[0])
        owner = f" of {item.owner}" if item.owner else ""
        kinds = item.kind.replace("_", " ")
        counts = "".join(f", {table.replace('_', ' ')} {value}" for table, value in item.counts)
        there = {table for other in items for table, _ in other.counts}
        marks = [f"{mark} {table.replace('_', ' ')}" for table, mark in self.marks.items() if mark and table in there]
        text = item.text(self.columns, self.marks)
        return "; ".join([f"{text} is {kinds} {item.number}{owner}, {item.name}{counts}", *marks])

    # ---- words

    def _marks(self) -> dict[str, str]:
        """By table, the letters before its numbers: none for the first table of each kind of things."""
        names = tables_of(self.view, self.grid)
        letters = {name: short.lower() for name, short in short_forms(names).items()}
        first: dict[str, str] = {}
        for name in names:
            kinds = [index["kind"] for index in self.view["indices"][name] if index["kind"] != self.grid]
            first.setdefault(kinds[0] if kinds else f" {name}", name)
        return {name: "" if name in first.values() else f"{letters[name]}:" for name in names}

    def _rows(self) -> list[list[dict[str, Any]]]:
        return [self.spaces[y * self.width : (y + 1) * self.width] for y in range(self.height)]

    def _same_along_rows(self, name: str) -> bool:
        return all(len({str(space["printed"][name]) for space in row}) == 1 for row in self._rows())

    def _word(self, space: dict[str, Any], name: str) -> str:
        """What a column says of a space: a word, `name number`, the name of what is so, or nothing."""
        value = space["printed"][name]
        if value is None or value is False:
            return ""
        shown = name if value is True else f"{name} {value}" if type(value) is int else str(value)
        return shown.replace("_", " ")

    def _shorts(self, name: str) -> dict[str, str]:
        """Short forms of all that a column says in words."""
        said = {self._word(space, name): space["printed"][name] for space in self.spaces}
        if any(type(value) is int for value in said.values()):
            return {name.replace("_", " "): name[:1].upper()}
        return short_forms([word for word in said if word])

    def _brief(self, space: dict[str, Any], name: str) -> str:
        value = space["printed"][name]
        if type(value) is int:
            return f"{self.shorts[name][name.replace('_', ' ')]}{value}"
        return self.shorts[name].get(self._word(space, name), "")
