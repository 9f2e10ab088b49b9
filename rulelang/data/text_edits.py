"""Changes of a text at places of its own: what no change names stays as it is, to the letter."""

from __future__ import annotations

from dataclasses import dataclass, field

from rulelang.base.source import Span


class Overlap(ValueError):
    """Two edits change the same place of a text."""


@dataclass(slots=True)
class Edit:
    """The characters from `start` to `end` (from 0, exclusive) become `text`. `rank`: which of several comes first that
    begin at one place. What lies inside an edit that takes out a `whole` stretch goes with it."""

    start: int
    end: int
    text: str
    rank: int = 0
    whole: bool = False


@dataclass(slots=True)
class TextEdits:
    """Edits of one text, in any order; they must not overlap. `columns`: new columns of a table, by their names."""

    text: str
    edits: list[Edit] = field(default_factory=list)
    columns: dict[str, dict[int, Edit]] = field(default_factory=dict)
    _starts: list[int] = field(default_factory=list)
    _tail: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        at = 0
        for line in self.text.split("\n"):
            self._starts.append(at)
            at += len(line) + 1

    @property
    def changed(self) -> bool:
        return bool(self.edits or self._tail)

    def at(self, line: int, column: int) -> int:
        """The offset of a place (from 1)."""
        return self._starts[line - 1] + column - 1

    def line(self, number: int) -> str:
        """The text of a line (from 1)."""
        end = self._starts[number] - 1 if number < len(self._starts) else len(self.text)
        return self.text[self._starts[number - 1] : end]

    def part(self, span: Span) -> str:
        return self.text[self.at(span.line, span.column) : self.at(span.end_line, span.end_column)]

    def replace(self, span: Span, text: str) -> None:
        self.cut(self.at(span.line, span.column), self.at(span.end_line, span.end_column), text)

    def cut(self, start: int, end: int, text: str = "") -> Edit:
        """Replace the characters between two offsets."""
        edit = Edit(start, end, text)
        self.edits.append(edit)
        return edit

    def insert(self, line: int, column: int, text: str, rank: int = 0) -> Edit:
        at = self.at(line, column)
        edit = self.cut(at, at, text)
        edit.rank = rank
        return edit

    def insert_line(self, after: int, text: str) -> None:
        """New lines behind a line; `text` has no line end of its own."""
        end = self._starts[after] - 1 if after < len(self._starts) else len(self.text)
        self.cut(end, end, "\n" + text)

    def drop_lines(self, first: int, last: int) -> None:
        """Take out whole lines."""
        end = self._starts[last] if last < len(self._starts) else len(self.text)
        start = self._starts[first - 1]
        if end == len(self.text) and not self.text.endswith("\n") and start:
            start -= 1
        self.cut(start, end).whole = True

    def append_line(self, text: str) -> None:
        """A line behind the last one that holds something."""
        self._tail.append(text)

    def result(self) -> str:
        """Return the text with all edits. Overlap if two edits change the same place."""
        parts: list[str] = []
        at = gone = 0
        for edit in sorted(self.edits, key=lambda edit: (edit.start, edit.end, edit.rank)):
            if edit.end <= gone and edit.start < gone:
                continue
            gone = edit.end if edit.whole else gone
            if edit.start < at:
                raise Overlap(f"two edits overlap at {edit.start}")
            parts += [self.text[at : edit.start], edit.text]
            at = edit.end
        whole = "".join([*parts, self.text[at:]])
        if self._tail:
            body = whole.rstrip("\n")
            whole = "\n".join([*([body] if body else []), *self._tail]) + (whole[len(body) :] or "\n")
        return whole
