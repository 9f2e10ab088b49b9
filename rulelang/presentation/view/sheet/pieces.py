"""Lines of pieces, and how pieces flow into the columns of a screen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rulelang.base.terminal import display_width, split_words


class Piece(NamedTuple):
    """Some words on one line. `style` says what they are (a component class of the board), `part` whose they are."""

    text: str
    style: str = ""
    part: str = ""


Line = tuple[Piece, ...]

#: A piece is broken only if it is wider than this, or than a line.
WHOLE = 32


def room(line: Iterable[Piece]) -> int:
    """The columns that pieces take."""
    return sum(display_width(piece.text) for piece in line)


def words(line: Iterable[Piece]) -> str:
    """What stands on a line."""
    return "".join(piece.text for piece in line).rstrip()


def flow(
    pieces: Sequence[Piece], columns: int, first: Sequence[Piece] = (), hang: int = 2, between: str = ", "
) -> list[Line]:
    """Pieces one after the other, with `between` them, on as many lines as it takes. `first` opens the first line; the
    others are indented by `hang` columns. Short pieces stay whole, long ones are broken at their spaces."""
    lines: list[Line] = []
    line: list[Piece] = [*first]
    used, fresh = room(line), True
    mark = between.rstrip()
    space = between[len(mark) :]
    for place, piece in enumerate(pieces):
        end = mark if place + 1 < len(pieces) else ""
        parts = broken(piece.text, columns - hang, display_width(end))
        begun = False  # the last piece of the line is the beginning of this one
        for number, (blank, word) in enumerate(parts):
            gap = blank if number else "" if fresh else space
            last = display_width(end) if number + 1 == len(parts) else 0
            if used + display_width(gap) + display_width(word) + last > columns and (not fresh or used > hang):
                lines.append(tuple(line))
                line, used, gap, begun = [Piece(" " * hang)], hang, "", False
            if begun:
                line[-1] = piece._replace(text=f"{line[-1].text}{gap}{word}")
            else:
                line += [*([Piece(gap)] if gap else []), piece._replace(text=word)]
            used, fresh, begun = used + display_width(gap) + display_width(word), False, True
        if end:
            line.append(Piece(end))
            used += display_width(end)
    return [*lines, tuple(line)] if line else lines


def broken(text: str, columns: int, end: int = 0) -> list[tuple[str, str]]:
    """What of a text stays together, each with the blanks before it. `end`: columns that are wanted behind it."""
    columns = max(columns, 8)
    if display_width(text) + end <= min(columns, WHOLE):
        return [("", text)]
    return [piece for blank, word in split_words(text, columns - end) for piece in _short(blank, word, columns - end)]


def _short(blank: str, word: str, columns: int) -> Iterable[tuple[str, str]]:
    """A word in pieces that are no wider than a line."""
    while display_width(word) > columns:
        cut = max(fits(word, columns), 1)
        yield blank, word[:cut]
        blank, word = "", word[cut:]
    yield blank, word


def fits(text: str, columns: int) -> int:
    """How many characters of a text fit into so many columns."""
    used = 0
    for place, char in enumerate(text):
        used += display_width(char)
        if used > columns:
            return place
    return len(text)


def clipped(pieces: Iterable[Piece], columns: int) -> list[Piece]:
    """The same in no more than so many columns: what does not fit is cut, with a dot."""
    pieces = list(pieces)
    if room(pieces) <= columns:
        return pieces
    found: list[Piece] = []
    left = columns - 1
    for piece in pieces:
        found.append(piece._replace(text=piece.text[: fits(piece.text, left)]))
        left -= display_width(found[-1].text)
        if found[-1].text != piece.text:
            break
    found[-1] = found[-1]._replace(text=found[-1].text + "."[:columns])
    return found
