"""Places in source files, also for rules text that stands inside a YAML scalar."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Span(NamedTuple):
    """A stretch of one file. Lines and columns count code points from 1; the end column is exclusive."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"

    def to(self, other: Span) -> Span:
        """The stretch from the start of this span to the end of the other (same file)."""
        return Span(self.path, self.line, self.column, other.end_line, other.end_column)

    def head(self) -> Span:
        """A place to point at: the span itself, or the first column of one of several lines."""
        if self.line == self.end_line:
            return self
        return Span(self.path, self.line, self.column, self.line, self.column + 1)


NOWHERE = Span("", 1, 1, 1, 1)


@dataclass(frozen=True, slots=True)
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
