"""Breaks a long line where the language lets it go on: after a comma, or before a joining word."""

from __future__ import annotations

import re

from rulelang.language.syntax.tokens import CLOSING, JOINING, OPENING

INDENT = 4
_PIECE = re.compile(r'"[^"]*"|, | |[()\[\]]', re.ASCII)
_WORD = re.compile(r"[a-z]+", re.ASCII)


def wrapped(text: str, indent: int, width: int) -> list[str]:
    """The lines of `text`, each at most `width` wide if there is a place to break it."""
    lines = []
    margin = indent
    while margin + len(text) > width:
        at = _place(text, width - margin)
        if at is None:
            break
        lines.append(" " * margin + text[:at])
        text = text[at:].lstrip()
        margin = indent + INDENT
    return [*lines, " " * margin + text]


def _place(text: str, room: int) -> int | None:
    """Where to break: the least nested place that fits and leaves no stub, a comma before a word, then the last.

    Without one, the first place that does not fit; None if there is no place at all.
    """
    places = _places(text)
    fitting = [place for place in places if place[0] <= room]
    if not fitting:
        return places[0][0] if places else None
    good = [place for place in fitting if place[0] > room // 3] or fitting
    return min(good, key=lambda place: (place[1], place[2], -place[0]))[0]


def _places(text: str) -> list[tuple[int, int, bool]]:
    """(end of the line, depth in brackets, before a word rather than after a comma), from left to right."""
    found = []
    depth = 0
    for match in _PIECE.finditer(text):
        piece = match.group()
        depth += (piece in OPENING) - (piece in CLOSING)
        if piece == ", ":
            found.append((match.start() + 1, depth, False))
        elif piece == " ":
            word = _WORD.match(text, match.end())
            if word is not None and word.group() in JOINING:
                found.append((match.start(), depth, True))
    return found
