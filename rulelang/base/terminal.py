"""Text for a terminal: escape control characters, draw a diagnostic with its source line, wrap lines."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from rulelang.base.diagnostics import Diagnostic, Related
from rulelang.base.source import Span

# ---- escaping control characters

#: Control characters (C0 without tab and line feed, DEL, C1), lone surrogates, marks and overrides of direction, line
#: separators, and what has no width at all. Joiners stay, for scripts and emoji need them.
_STEERING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e0fff]"
)


def escape_controls(text: str) -> str:
    r"""The text with such characters as `\x1b` or `<U+202E>`; lines stay lines."""
    return _STEERING.sub(_written, text)


def escape_to_line(text: str) -> str:
    r"""The same, with line feeds as `\n`."""
    return escape_controls(text).replace("\n", "\\n")


def escape_json(text: str) -> str:
    """JSON that says the same, with such characters as escapes of JSON."""
    return _STEERING.sub(_escaped, text)


def json_text(value: object) -> str:
    """A value as JSON in which nothing steers a terminal, in lines, without a newline at its end."""
    return escape_json(json.dumps(value, ensure_ascii=False, indent=2))


def _written(match: re.Match[str]) -> str:
    number = ord(match[0])
    if 0xDC80 <= number <= 0xDCFF:  # a byte of a file name that is no UTF-8
        number -= 0xDC00
    return f"\\x{number:02x}" if number < 0x100 else f"<U+{number:04X}>"


def _escaped(match: re.Match[str]) -> str:
    number = ord(match[0])
    if number < 0x10000:
        return f"\\u{number:04x}"
    number -= 0x10000
    return f"\\u{0xD800 + (number >> 10):04x}\\u{0xDC00 + (number & 0x3FF):04x}"


# ---- frames around source lines

MAX_WIDTH = 160
MAX_TEXT = 2000


def draw_frame(diagnostic: Diagnostic, sources: Mapping[str, str]) -> str:
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
        first, *rest = escape_controls(text).split("\n")
        lines.append(head + first)
        lines.extend(" " * len(head) + line for line in rest)
    return "\n".join(line.rstrip() for line in lines)


def draw_frames(diagnostics: Iterable[Diagnostic], sources: Mapping[str, str]) -> str:
    """All frames in the order given, a blank line between two."""
    return "\n\n".join(draw_frame(diagnostic, sources) for diagnostic in diagnostics)


def _cut(text: str) -> str:
    """A text on one line; of one that quotes too much, its beginning and end."""
    text = escape_to_line(text)
    return text if len(text) <= MAX_TEXT else f"{text[: MAX_TEXT // 2]} ... {text[-MAX_TEXT // 2 :]}"


def display_width(text: str) -> int:
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
    lines = [f"{' ' * gutter}{arrow} {escape_to_line(str(span))}"]
    text = sources.get(span.path)
    if text is None:
        return lines
    source = _lines(text)
    if span.line > len(source):
        return lines
    line, start, end = _row(source[span.line - 1], span) if span.is_cell else _stretch(source[span.line - 1], span)
    line, start, end = _window(line, start, end)
    before, guilty, behind = (
        escape_controls(line[:start]),
        escape_controls(line[start:end]),
        escape_controls(line[end:]),
    )
    caret = mark * max(display_width(guilty), 1)
    lines.append(f"{' ' * gutter} |")
    lines.append(f"{span.line:>{gutter}} | {before}{guilty}{behind}")
    lines.append(f"{' ' * gutter} | {' ' * display_width(before)}{caret}")
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


# ---- wrapping lines

_WORD = re.compile(r"([ \n\t]*)([^ \n\t]+)")
#: What does not begin a line: it stays with the character before it.
_CLOSING = "、。，．：；！？）」』】》〉〕・ー…,.;:!?)]}%"
#: Words in wide characters are not broken if they are no longer than this.
_WHOLE = 16


def wrap_text(text: str, columns: int, first: str = "", rest: str = "") -> list[str]:
    """A text in lines of so many columns (wide characters take two). No line for no text.

    Words are not broken, but for those in wide characters that would not fit a line of their own.
    """
    lines: list[str] = []
    line = first
    empty = True  # the line has only its indentation yet
    for blank, word in split_words(text, columns - max(display_width(first), display_width(rest))):
        if empty:
            line += word
        elif display_width(line) + len(blank) + display_width(word) <= columns:
            line += " " * len(blank) + word
        else:
            lines.append(line)
            line = rest + word
        empty = False
    return lines if empty else [*lines, line]


def fold_line(line: str, columns: int) -> list[str]:
    """A line that has its indentation already; what does not fit goes on below, further in."""
    if display_width(line) <= columns:
        return [line]
    indent = line[: len(line) - len(line.lstrip(" "))]
    return wrap_text(line, columns, indent, f"{indent}    ")


def fold_lines(lines: Iterable[str], columns: int) -> Iterator[str]:
    """Yield the lines, each folded to the columns."""
    for line in lines:
        yield from fold_line(line, columns)


def split_words(text: str, room: int) -> Iterator[tuple[str, str]]:
    """The words of a text, each with the blanks before it; in wide characters a long one is as many words."""
    for blank, word in _WORD.findall(text):
        if display_width(word) <= room and (word.isascii() or display_width(word) <= _WHOLE):
            yield blank, word
            continue
        piece = ""
        for char in word:
            if (
                piece
                and char not in _CLOSING
                and display_width(char)
                and max(display_width(char), display_width(piece[-1])) > 1
            ):
                yield blank, piece
                blank = piece = ""
            piece += char
        yield blank, piece
