"""What lies on each space of a grid: things that stand there, and numbers of tables that are kept by space."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from rulelang.base.frame import width
from rulelang.play.abbreviate import cut, short_forms


@dataclass(slots=True)
class GridItem:
    """One line in a space. `tag` is short (`A1`: the first of Ana's); `name` may be cut; then come the numbers."""

    tag: str
    name: str
    kind: str = ""
    owner: str = ""
    number: int = 0
    counts: list[tuple[str, int]] = field(default_factory=list)  # what a table says of it here

    def text(self, columns: int, marks: dict[str, str]) -> str:
        """In so many columns, if that can be: the name is cut first, then left out. `marks` by table, "" for none."""
        numbers = self.numbers(marks)
        whole = " ".join(part for part in (self.tag, self.name, numbers) if part)
        room = columns - (width(whole) - width(self.name))
        if width(whole) <= columns or not self.tag:
            return cut(whole, columns)
        short = (self.tag, cut(self.name, room), numbers) if room >= SHORTEST else (self.tag, numbers)
        return cut(" ".join(part for part in short if part), columns)

    def numbers(self, marks: dict[str, str]) -> str:
        return " ".join(f"{marks.get(table, '')}{value}" for table, value in self.counts)

    def least(self, marks: dict[str, str]) -> int:
        """The fewest columns in which no number is cut."""
        return width(f"{self.tag} {self.numbers(marks)}".strip()) if self.tag else 0


#: A name that is cut keeps so many columns, its dot among them, or goes.
SHORTEST = 4


def grid_contents(view: dict[str, Any], grid: str) -> list[list[GridItem]]:
    """By space, what lies there: things by owner, then numbers of nobody."""
    spaces = [space["name"] for space in view["grids"][grid]["spaces"]]
    found: list[list[GridItem]] = [[] for _ in spaces]
    things = list(tagged(view))
    tables = {name: _others(view, name, grid) for name in tables_of(view, grid)}
    for (kind, index), (tag, owner, thing) in things:
        for place, space in enumerate(spaces):
            counts = [
                (name, value)
                for name, others in tables.items()
                if others[0] == [{"kind": kind}] and (value := _number(view["tables"][name], others[1], index, place))
            ]
            stands = thing.get("place_kind") == grid and thing.get("place") == space
            if counts or stands:
                found[place].append(GridItem(tag, thing["name"], kind, owner, thing["number"], counts))
    for name, (kinds, at) in tables.items():
        labels = kinds[0].get("names", []) if kinds else [name.replace("_", " ")]
        for index, label in enumerate(labels, 1):
            for place in range(len(spaces)):
                value = _number(view["tables"][name], at, index, place)
                if value:
                    found[place].append(GridItem("", label, counts=[(name, value)]))
    for place, row in enumerate(view["lists"].get(grid, ())):
        found[place] += list(_of_row(row))
    return found


def tables_of(view: dict[str, Any], grid: str) -> list[str]:
    """The tables that the map of a grid shows: kept by its spaces alone, or by one other kind besides."""
    return [
        name
        for name in view["tables"]
        if len(indices := view["indices"][name]) <= 2 and [index["kind"] for index in indices].count(grid) == 1
    ]


def tagged(view: dict[str, Any]) -> Iterator[tuple[tuple[str, int], tuple[str, str, dict[str, Any]]]]:
    """Every thing by its kind and index: its tag, its owner's name (nobody: ""), and itself."""
    initials = short_forms([player["name"] for player in view["players"]])
    for player in view["players"]:
        for kind, things in player["things"].items():
            for thing in things:
                tag = f"{initials[player['name']]}{thing['number']}"
                yield (kind, thing["index"]), (tag, player["name"], thing)
    for kind, things in view["nobody"].items():
        for thing in things:
            yield (kind, thing["index"]), (f"*{thing['number']}", "", thing)


def _others(view: dict[str, Any], table: str, grid: str) -> tuple[list[dict[str, Any]], int]:
    """The kind by which a table is kept besides (or none), and which of its indices is the space."""
    indices = view["indices"][table]
    at = [index["kind"] for index in indices].index(grid)
    return [index for place, index in enumerate(indices) if place != at], at


def _number(matrix: Any, at: int, index: int, place: int) -> int:
    """`at`: whether the space is the first index or the second. `index` counts from 1, `place` from 0."""
    if not isinstance(matrix[0], list):
        return int(matrix[place])
    return int(matrix[index - 1][place] if at else matrix[place][index - 1])


def _of_row(row: dict[str, Any]) -> Iterator[GridItem]:
    """What a space itself keeps: attributes and zones."""
    for name, value in row["attributes"].items():
        if value is True:
            yield GridItem("", name.replace("_", " "))
        elif value and not isinstance(value, list):
            yield GridItem("", f"{name.replace('_', ' ')} {value}")
    for name, zone in row["zones"].items():
        for card in zone.get("cards", ()):
            yield GridItem("", str(card["label"]))
        if zone["count"] and "cards" not in zone:
            yield GridItem("", f"{zone['count']} in {name.replace('_', ' ')}")
