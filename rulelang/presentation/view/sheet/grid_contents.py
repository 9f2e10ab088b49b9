"""What lies on each space of a grid: things that stand there, and numbers of tables that are kept by space."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from rulelang.base.terminal import display_width
from rulelang.presentation.view.records import Document, Grid, Id, Matrix, Player, Row, Thing
from rulelang.presentation.view.sheet.abbreviate import cut, short_forms
from rulelang.presentation.view.sheet.pieces import Line, Piece, clipped, room
from rulelang.presentation.view.sheet.styles import style_of


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
        name = cut(self.name, left) if self.tag and left >= SHORTEST else self.name
        if self.tag and display_width(name) > left:
            name = ""
        called = " ".join(filter(None, (self.tag, name)))
        return tuple(clipped([Piece(called, self.style, self.part), *numbers], columns))

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
    things = list(tagged(shown))
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


def tagged(shown: Document) -> Iterator[tuple[str, Player | None, Thing]]:
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
