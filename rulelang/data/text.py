"""Texts of files: decode UTF-8 bytes, and apply edits at places without changing anything else."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.source import Span

# ---- decoding

MAX_BYTES = 8 * 1024 * 1024
_BOMS = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)
#: Compiled when a text has something that does not print: that takes 5 ms.
_UNPRINTABLE = "[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"


def decode(
    data: bytes, path: str, diagnostics: Diagnostics, hint: Callable[[bytes, int], str] | None = None
) -> str | None:
    """The text of a file with LF line ends and without a byte order mark, or None with a Y101 or Y104.

    `hint` says what can be done where it is not UTF-8, from the byte of that offset on (-1: it says so itself).

    Characters that move the line count unseen (U+0085, U+2028, a lone carriage return) and control characters are
    refused, so that line and column mean the same here, in PyYAML and in an editor.
    """
    start = Span(path, 1, 1, 1, 2)
    if len(data) > MAX_BYTES:
        too_large(start, len(data), diagnostics)
        return None
    for mark, name in _BOMS:
        if data.startswith(mark):
            way = hint(data, -1) if hint and name == "UTF-16" else "save it as UTF-8"
            diagnostics.error("Y101", start, f"this file is {name}, not UTF-8", hint=way)
            return None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as mistake:
        good = data[: mistake.start].decode("utf-8", "replace").removeprefix("\ufeff")
        span = _at(good, len(good), path)
        bad = data[mistake.start]
        way = hint(data, mistake.start) if hint else "save the file as UTF-8"
        diagnostics.error("Y101", span, f"the byte 0x{bad:02x} is not UTF-8", hint=way)
        return None
    text = text.replace("\r\n", "\n")
    plain = text.replace("\n", "").replace("\t", "").isprintable()
    odd = None if plain else re.search(_UNPRINTABLE, text)
    if odd:
        message = f"invisible character U+{ord(odd.group()):04X}"
        because = "editors do not show it, so lines and columns in messages would be wrong"
        diagnostics.error("Y101", _at(text, odd.start(), path), message, because=because, hint="delete it")
        return None
    return text


def too_large(place: Span, size: int, diagnostics: Diagnostics) -> None:
    """Y104 for a file of so many bytes."""
    because = f"the limit of {MAX_BYTES // 2**20} MiB keeps a malicious file from exhausting memory"
    diagnostics.error("Y104", place, f"this file has {size:,} bytes", because=because)


def _at(text: str, offset: int, path: str) -> Span:
    line = text.count("\n", 0, offset) + 1
    column = offset - (text.rfind("\n", 0, offset) + 1) + 1
    return Span(path, line, column, line, column + 1)


# ---- edits


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
