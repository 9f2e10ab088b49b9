"""Places in source files, also for rules text that stands inside a YAML scalar."""

from __future__ import annotations

from typing import NamedTuple

from rulelang.base.node import record

_SHEET = ', sheet "'
_CELL = '", cell '


def sheet_path(file: str, sheet: str) -> str:
    """The path of a sheet of a workbook, as spans have it: `cards.xlsx, sheet "Deck"`."""
    return f'{file}{_SHEET}{sheet}"'


class Span(NamedTuple):
    """A stretch of one file. Lines and columns count code points from 1; the end column is exclusive.

    In a sheet of a workbook (see `sheet_path`) lines are rows, and columns those of the sheet.
    """

    path: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.path}, cell {self.cell}" if self.is_cell else f"{self.path}:{self.line}:{self.column}"

    @property
    def is_cell(self) -> bool:
        """Whether it is one of cells of a sheet, and not of text."""
        return self.path.endswith('"') and _SHEET in self.path

    @property
    def file(self) -> str:
        """The file: the path, or the workbook that a sheet belongs to."""
        return self.path.partition(_SHEET)[0]

    @property
    def sheet(self) -> str:
        """The name of the sheet; empty in files that are text."""
        return self.path.partition(_SHEET)[2].partition('"')[0]

    @property
    def cell(self) -> str:
        """The first cell as a spreadsheet names it (`C14`), also of a text in it; empty in files that are text."""
        return f"{column_letters(self.column)}{self.line}" if self.is_cell else self.path.partition(_CELL)[2]

    @property
    def within(self) -> str:
        """Which part of its file it is, in words, where lines do not tell: `sheet "Deck", cell C14`; else empty."""
        return str(self)[len(self.file) + 2 :] if self.sheet else ""

    def inside(self) -> str:
        """The path of the text that stands in this cell, whose lines and columns are counted by themselves."""
        return f"{self.path}{_CELL[1:]}{self.cell}"

    def to(self, other: Span) -> Span:
        """The stretch from the start of this span to the end of the other (same file)."""
        return Span(self.path, self.line, self.column, other.end_line, other.end_column)

    def first(self, length: int) -> Span:
        """Return the first code points of this span, all of them on its first line."""
        return Span(self.path, self.line, self.column, self.line, self.column + length)

    def head(self) -> Span:
        """A place to point at: the span itself, or the first column of one of several lines."""
        return self if self.line == self.end_line else self.first(1)


def column_letters(column: int) -> str:
    """What spreadsheets call a column that is counted from 1: `A`, `B`, ... `Z`, `AA`."""
    letters = ""
    while column > 0:
        column, last = divmod(column - 1, 26)
        letters = chr(ord("A") + last) + letters
    return letters


NOWHERE = Span("", 1, 1, 1, 1)


@record
class Placement:
    """Where a rules text stands in its file, so that spans come out in the file's own coordinates.

    A `.rules` file has the placement ``Placement(path)``. For a YAML block scalar `line` is the file line of the
    text's first line less one, and `column` the indentation that YAML strips from every line. For a one-line plain or
    quoted scalar `first_column` is what precedes the text on its (only) line.
    """

    path: str
    line: int = 0
    column: int = 0
    first_column: int | None = None

    def span(self, line: int, column: int, end_line: int, end_column: int) -> Span:
        """Translate a stretch of the text (1-based, end exclusive) into the file's coordinates."""
        return Span(
            self.path,
            self.line + line,
            self._column(line, column),
            self.line + end_line,
            self._column(end_line, end_column),
        )

    def _column(self, line: int, column: int) -> int:
        if line == 1 and self.first_column is not None:
            return self.first_column + column
        return self.column + column
