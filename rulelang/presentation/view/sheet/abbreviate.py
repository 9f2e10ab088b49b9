"""Short forms of names, and texts cut to the columns of a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.base.terminal import display_width


def short_forms(names: Sequence[str]) -> dict[str, str]:
    """By name, its shortest beginning that no other of these names has, with a capital."""
    found = {}
    for name in names:
        others = [other.casefold() for other in names if other != name]
        length = 1
        while length < len(name) and any(other.startswith(name[:length].casefold()) for other in others):
            length += 1
        found[name] = name[:length].capitalize()
    return found


def cut(text: str, columns: int) -> str:
    """The text, or its beginning with a dot where it takes more columns."""
    if display_width(text) <= columns:
        return text
    while text and display_width(text) >= columns:
        text = text[:-1]
    return f"{text}."[: max(columns, 0)]


def padded(text: str, columns: int, fill: str = " ") -> str:
    """The text, filled up (or cut) to so many columns."""
    text = cut(text, columns)
    return text + fill * (columns - display_width(text))
