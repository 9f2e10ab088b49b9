"""What recipes are made of: a mistake with the text around it, and the edits that may mend it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from rulelang.apps.editor.analysis import Analysis
from rulelang.base.diagnostics import Diagnostic
from rulelang.base.source import Span

Edit = tuple[Span, str]


class Recipe(NamedTuple):
    """A title and the edits. `creates`: new files, path and text. `other`: one of several things that the author may
    mean, which is offered beside those before it."""

    title: str
    edits: tuple[Edit, ...]
    creates: tuple[tuple[str, str], ...] = ()
    other: bool = False


class Place(NamedTuple):
    """A ruleset, a mistake in it, the lines of its file, the one that it stands on, and the guilty text there."""

    analysis: Analysis
    item: Diagnostic
    rows: Sequence[str]
    row: str
    guilty: str

    def on_one_line(self) -> bool:
        return self.item.span.line == self.item.span.end_line

    def on(self, column: int, end: int, new: str, line: int = 0) -> Edit:
        """What stands between two columns (from 0) of the line, or of another, becomes something else."""
        line = line or self.item.span.line
        return Span(self.item.span.path, line, column + 1, line, end + 1), new

    def end(self) -> int:
        """Where the line ends, without a comment that stands behind it."""
        bare = re.sub(r'"[^"]*"', lambda found: "x" * len(found[0]), self.row)
        return len(bare.split("#")[0].rstrip()) if "#" in bare else len(self.row.rstrip())

    def indent(self) -> str:
        """What the line begins with."""
        return self.row[: len(self.row) - len(self.row.lstrip())]

    def statement(self) -> int:
        """The column (from 0) where the statement begins: where a declaration has it on its own line, behind that."""
        opened = _OPENED.match(self.row, 0, self.item.span.column - 1)
        return opened.end() if opened is not None else len(self.indent())

    def replaced(self, new: str) -> Edit:
        """Something else in the place of the guilty text, as far as it stands on its first line."""
        at = self.item.span.column - 1
        return self.on(at, at + len(self.guilty), new)

    def lines(self, first: int, last: int, new: str) -> Edit:
        """Whole lines (from 1, the last one too) become a text, which ends with its own line end if it has any."""
        return Span(self.item.span.path, first, 1, last + 1, 1), new

    def block_end(self, line: int) -> int:
        """The last line of what hangs on a line: of those below that are indented further, blank ones between."""
        indent = depth_of(self.rows[line - 1])
        last = line
        for number in range(line + 1, len(self.rows) + 1):
            row = self.rows[number - 1]
            if row.strip():
                if depth_of(row) <= indent:
                    break
                last = number
        return last

    def header(self, line: int) -> int:
        """The line of the declaration of rules in which a line stands; 0 for none."""
        for number in range(line, 0, -1):
            if _HEADER.match(self.rows[number - 1]):
                return number
        return 0


_HEADER = re.compile(
    r"\s*(?:rules: )?(?:always )?"
    r"(?:routine|phase|action|value|game\b|modify|before|after|instead of|react to|forbid|ignore|invariant)\b"
)


#: What may have a statement behind it on its line.
_OPENED = re.compile(r"\s*(?:routine|phase|action|before|after|react to|instead of)\b[^:]*: *")


def depth_of(row: str) -> int:
    """How far in a line begins."""
    return len(row) - len(row.lstrip())


def fresh(word: str, texts: Sequence[str]) -> str:
    """A name like this word that stands in none of the texts."""
    whole = "\n".join(texts)
    name, number = word, 2
    while re.search(rf"\b{re.escape(name)}\b", whole):
        name, number = f"{word}_{number}", number + 1
    return name
