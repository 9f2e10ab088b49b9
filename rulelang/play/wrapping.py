"""Lines that fit a terminal."""

from __future__ import annotations

import textwrap


def wrapped(text: str, columns: int, first: str = "", rest: str = "") -> list[str]:
    """A text in lines of so many columns; words are never broken. No line for no text."""
    return textwrap.wrap(
        text, columns, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
    )
