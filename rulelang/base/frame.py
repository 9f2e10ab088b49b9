"""Draws a diagnostic as plain text: message, place, source line with a caret, reason, hint, related places."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from functools import lru_cache

from rulelang.base.diagnostics import Diagnostic, Related
from rulelang.base.source import Span
from rulelang.base.visible import one_line, visible

MAX_WIDTH = 160
MAX_TEXT = 2000


def draw(diagnostic: Diagnostic, sources: Mapping[str, str]) -> str:
    """One frame, without a newline at its end. `sources` maps paths to texts; a missing one leaves the line out.

    The caret stands under the guilty text also where East Asian wide characters or tabs stand before it.
    """
    numbers = [diagnostic.span.line, *(r.span.line for r in diagnostic.related)]
    gutter = len(str(max(numbers)))
    lines = [f"{diagnostic.severity}[{diagnostic.code}]: {_cut(diagnostic.message)}"]
    lines.extend(_place(diagnostic.span, sources, gutter, "-->", "^"))
    for related in diagnostic.related:
        lines.extend(_related(related, sources, gutter))
    notes = [(word, text) for word, text in (("because", diagnostic.because), ("hint", diagnostic.hint)) if text]
    if notes:
        lines.append(f"{' ' * gutter} |")
    for word, text in notes:
        head = f"{' ' * gutter} = {word}: "
        first, *rest = visible(text).split("\n")
        lines.append(head + first)
        lines.extend(" " * len(head) + line for line in rest)
    return "\n".join(line.rstrip() for line in lines)


def draw_all(diagnostics: Iterable[Diagnostic], sources: Mapping[str, str]) -> str:
    """All frames in the order given, a blank line between two."""
    return "\n\n".join(draw(diagnostic, sources) for diagnostic in diagnostics)


def _cut(text: str) -> str:
    """A text on one line; of one that quotes too much, its beginning and end."""
    text = one_line(text)
    return text if len(text) <= MAX_TEXT else f"{text[: MAX_TEXT // 2]} ... {text[-MAX_TEXT // 2 :]}"


def width(text: str) -> int:
    """Columns that a text takes on a terminal: wide characters two, combining ones none."""
    return len(text) if text.isascii() else sum(_char_width(c) for c in text)


def _char_width(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in ("Cf", "Me", "Mn"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1


def _related(related: Related, sources: Mapping[str, str], gutter: int) -> list[str]:
    drawn = _place(related.span, sources, gutter, ":::", "-")
    drawn[-1] = f"{drawn[-1]} {_cut(related.note)}" if len(drawn) > 1 else f"{drawn[-1]}: {_cut(related.note)}"
    return drawn


def _place(span: Span, sources: Mapping[str, str], gutter: int, arrow: str, mark: str) -> list[str]:
    if not span.path:
        return []
    lines = [f"{' ' * gutter}{arrow} {one_line(str(span))}"]
    text = sources.get(span.path)
    if text is None:
        return lines
    source = _lines(text)
    if span.line > len(source):
        return lines
    line, start, end = _row(source[span.line - 1], span) if span.is_cell else _stretch(source[span.line - 1], span)
    line, start, end = _window(line, start, end)
    before, guilty, behind = visible(line[:start]), visible(line[start:end]), visible(line[end:])
    caret = mark * max(width(guilty), 1)
    lines.append(f"{' ' * gutter} |")
    lines.append(f"{span.line:>{gutter}} | {before}{guilty}{behind}")
    lines.append(f"{' ' * gutter} | {' ' * width(before)}{caret}")
    return lines


def _stretch(line: str, span: Span) -> tuple[str, int, int]:
    """The line, and where the guilty text begins and ends in it (from 0)."""
    line = line.replace("\t", " ")  # `expandtabs(1)`, but much faster on long lines
    start = min(span.column - 1, len(line))
    end = span.end_column - 1 if span.end_line == span.line else len(line)
    return line, start, max(min(end, len(line)), start)


def _row(line: str, span: Span) -> tuple[str, int, int]:
    """The same for a row of a sheet, whose cells the text has between tabs: drawn as a table."""
    cells = line.split("\t")
    before = "".join(f"{cell} | " for cell in cells[: span.column - 1])
    guilty = " | ".join(cells[span.column - 1 : span.end_column - 1])
    behind = "".join(f" | {cell}" for cell in cells[span.end_column - 1 :])
    return before + guilty + behind, len(before), len(before) + len(guilty)


@lru_cache(maxsize=4)
def _lines(text: str) -> list[str]:
    """Thousands of frames may show lines of one file."""
    return text.split("\n")


def _window(line: str, start: int, end: int) -> tuple[str, int, int]:
    """Cut a very long line to a piece around the guilty text."""
    if len(line) <= MAX_WIDTH:
        return line, start, end
    first = max(0, start - MAX_WIDTH // 4)
    piece = line[first : first + MAX_WIDTH]
    before, behind = ("..." if first else ""), ("..." if first + MAX_WIDTH < len(line) else "")
    shift = len(before) - first
    return before + piece + behind, start + shift, min(end + shift, len(before) + len(piece))
