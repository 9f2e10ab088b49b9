"""Lines of pieces, and how pieces flow into the columns of a screen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rulelang.base.frame import width


class Piece(NamedTuple):
    """Some words on one line. `style` says what they are (a component class of the board), `part` whose they are."""

    text: str
    style: str = ""
    part: str = ""


Line = tuple[Piece, ...]


def room(line: Iterable[Piece]) -> int:
    """The columns that pieces take."""
    return sum(width(piece.text) for piece in line)


def flow(pieces: Sequence[Piece], columns: int, first: Sequence[Piece] = (), hang: int = 2) -> list[Line]:
    """Pieces one after the other, with a gap between them, on as many lines as it takes. `first` opens the first line;
    the others are indented by `hang` columns."""
    lines: list[Line] = []
    line: list[Piece] = [*first]
    used, fresh = room(line), True
    for piece in (part for whole in pieces for part in split(whole, max(columns - hang, 8))):
        gap = 0 if fresh else GAP
        if used + gap + width(piece.text) > columns and (not fresh or used > hang):
            lines.append(tuple(line))
            line, used, gap = [Piece(" " * hang)], hang, 0
        if gap:
            line.append(Piece(" " * gap))
        line.append(piece)
        used, fresh = used + gap + width(piece.text), False
    return [*lines, tuple(line)] if line else lines


#: Columns between two pieces.
GAP = 2


def split(piece: Piece, columns: int) -> list[Piece]:
    """A piece that is wider than so many columns in several, at its spaces where it has some."""
    found, rest = [], piece.text
    while width(rest) > columns:
        cut = fits(rest, columns)
        space = rest.rfind(" ", 1, cut + 1)
        cut = space if space > 0 else max(cut, 1)
        found.append(piece._replace(text=rest[:cut].rstrip()))
        rest = rest[cut:].lstrip()
    return [*found, piece._replace(text=rest)] if rest or not found else found


def fits(text: str, columns: int) -> int:
    """How many characters of a text fit into so many columns."""
    used = 0
    for place, char in enumerate(text):
        used += width(char)
        if used > columns:
            return place
    return len(text)


def filled(text: str, columns: int) -> str:
    """A text in just so many columns: cut with an ellipsis, or filled up with spaces."""
    if width(text) > columns:
        text = f"{text[: fits(text, columns - 1)]}\N{HORIZONTAL ELLIPSIS}"
    return text + " " * (columns - width(text))
