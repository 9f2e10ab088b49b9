"""Names of the spaces of a grid: `a1` is the first of the first row, `b1` the one to its east."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from rulelang.base.source import column_letters

_NAME = re.compile(r"([a-z]{1,4})([1-9][0-9]{0,5})\Z")


class Spaces(Mapping[str, int]):
    """The numbers of the spaces of a grid by their names, row by row from the north-west; none is ever stored.

    `width`, `height`: in spaces; 0 for a grid whose maps are not known.
    """

    __slots__ = ("height", "width")

    def __init__(self, width: int = 0, height: int = 0) -> None:
        self.width, self.height = width, height

    def __getitem__(self, name: str) -> int:
        at = parse_space_name(name)
        if at is None or at[0] > self.width or at[1] > self.height:
            raise KeyError(name)
        return (at[1] - 1) * self.width + at[0]

    def __iter__(self) -> Iterator[str]:
        columns = [column_letters(x).lower() for x in range(1, self.width + 1)]
        return (f"{column}{y}" for y in range(1, self.height + 1) for column in columns)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Spaces) and (self.width, self.height) == (other.width, other.height)

    def __hash__(self) -> int:
        return hash((self.width, self.height))

    def __len__(self) -> int:
        return self.width * self.height

    @property
    def extent(self) -> str:
        """Say in words which spaces there are: `columns a to h and rows 1 to 8`."""
        columns = "column a" if self.width == 1 else f"columns a to {column_letters(self.width).lower()}"
        return f"{columns} and {'row 1' if self.height == 1 else f'rows 1 to {self.height}'}"

    def nearest(self, name: str) -> str | None:
        """Return the space nearest to one beyond the edges; None if the name does not look like one of a space here."""
        at = parse_space_name(name)
        longest = len(column_letters(self.width))
        if at is None or not self or len(name.rstrip("0123456789")) > longest:
            return None
        return f"{column_letters(min(at[0], self.width)).lower()}{min(at[1], self.height)}"


def parse_space_name(name: str) -> tuple[int, int] | None:
    """Return the column and the row (from 1) that a name speaks of; None if it has not the form of a space's name."""
    found = _NAME.match(name)
    if found is None:
        return None
    column = 0
    for letter in found[1]:
        column = column * 26 + ord(letter) - ord("a") + 1
    return column, int(found[2])
