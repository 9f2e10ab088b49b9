"""Lines that fit a terminal."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulelang.base.frame import width

_WORD = re.compile(r"([ \n\t]*)([^ \n\t]+)")
#: What does not begin a line: it stays with the character before it.
_CLOSING = "、。，．：；！？）」』】》〉〕・ー…,.;:!?)]}%"
#: Words in wide characters are not broken if they are no longer than this.
_WHOLE = 16


def wrapped(text: str, columns: int, first: str = "", rest: str = "") -> list[str]:
    """A text in lines of so many columns (wide characters take two). No line for no text.

    Words are not broken, but for those in wide characters that would not fit a line of their own.
    """
    lines: list[str] = []
    line = first
    empty = True  # the line has only its indentation yet
    for blank, word in split(text, columns - max(width(first), width(rest))):
        if empty:
            line += word
        elif width(line) + len(blank) + width(word) <= columns:
            line += " " * len(blank) + word
        else:
            lines.append(line)
            line = rest + word
        empty = False
    return lines if empty else [*lines, line]


def folded(line: str, columns: int) -> list[str]:
    """A line that has its indentation already; what does not fit goes on below, further in."""
    if width(line) <= columns:
        return [line]
    indent = line[: len(line) - len(line.lstrip(" "))]
    return wrapped(line, columns, indent, f"{indent}    ")


def split(text: str, room: int) -> Iterator[tuple[str, str]]:
    """The words of a text, each with the blanks before it; in wide characters a long one is as many words."""
    for blank, word in _WORD.findall(text):
        if width(word) <= room and (word.isascii() or width(word) <= _WHOLE):
            yield blank, word
            continue
        piece = ""
        for char in word:
            if piece and char not in _CLOSING and width(char) and max(width(char), width(piece[-1])) > 1:
                yield blank, piece
                blank = piece = ""
            piece += char
        yield blank, piece
