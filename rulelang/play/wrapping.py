"""Lines that fit a terminal."""

from __future__ import annotations

import re

from rulelang.base.frame import width


def wrapped(text: str, columns: int, first: str = "", rest: str = "") -> list[str]:
    """A text in lines of so many columns (wide characters take two); words are never broken. No line for no text."""
    lines: list[str] = []
    line = first
    empty = True  # the line has only its indentation yet
    for blank, word in re.findall(r"([ \n\t]*)([^ \n\t]+)", text):
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
