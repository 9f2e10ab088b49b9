"""What lies on each space of a grid: things that stand there, and numbers of tables that are kept by space."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from rulelang.base.frame import width
from rulelang.play.abbreviate import cut, short_forms
from rulelang.present.records import Document, Grid, Id, Matrix, Row, Thing


@dataclass(slots=True)
class GridItem:
    """One line in a space. `tag` is short (`A1`: the first of Ana's); `name` may be cut; then come the numbers."""

    tag: str
    name: str
    owner: str = ""
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


def grid_contents(shown: Document, grid: Grid) -> list[list[GridItem]]:
    """By space, what lies there: things by owner, then numbers of nobody."""
    things = list(tagged(shown))
    counts: dict[tuple[Id, Id], list[tuple[str, int]]] = {}
    loose: dict[Id, list[GridItem]] = {}
    known = {thing["id"] for _, _, thing in things}
    for table in tables_of(shown, grid):
        at = table["of"].index(grid["name"])
        for cell in table["cells"]:
            other = cell["at"][1 - at] if len(cell["at"]) > 1 else ""
            number = (table["name"], cell["value"])
            if other in known:
                counts.setdefault((cell["at"][at], other), []).append(number)
            else:
                label = cell["labels"][1 - at] if other else table["label"]
                loose.setdefault(cell["at"][at], []).append(GridItem("", label, counts=[number]))
    found = []
    for space in grid["spaces"]:
        items = [
            GridItem(tag, thing["label"], owner, counts.get((space["id"], thing["id"]), []))
            for tag, owner, thing in things
            if thing["place"] == space["id"] or (space["id"], thing["id"]) in counts
        ]
        found.append([*items, *loose.get(space["id"], ()), *_kept(space)])
    return found


def tables_of(shown: Document, grid: Grid) -> list[Matrix]:
    """The tables that the map of a grid shows: kept by its spaces alone, or by one other kind besides."""
    return [table for table in shown["tables"] if len(table["of"]) <= 2 and table["of"].count(grid["name"]) == 1]


def tagged(shown: Document) -> Iterator[tuple[str, str, Thing]]:
    """Every thing with its tag and the name of its owner (nobody: "")."""
    initials = short_forms([player["label"] for player in shown["players"]])
    for player in shown["players"]:
        for group in player["groups"]:
            for thing in group["things"]:
                yield f"{initials[player['label']]}{thing['number']}", player["label"], thing
    for group in shown["nobody"]:
        for thing in group["things"]:
            yield f"*{thing['number']}", "", thing


def _kept(space: Row) -> Iterator[GridItem]:
    """What a space itself keeps: facts and cards."""
    for fact in space["kept"]:
        if not fact["quiet"]:
            yield GridItem("", fact["phrase"])
    for zone in space["zones"]:
        for card in zone.get("cards", ()):
            yield GridItem("", card["label"])
        if zone["count"] and "cards" not in zone:
            yield GridItem("", f"{zone['label']} {zone['count']}")
