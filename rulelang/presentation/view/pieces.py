"""Pieces of text with styles, and how they flow into lines and columns of a screen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from rulelang.base.terminal import display_width, split_words
from rulelang.presentation.view.document_types import Player

# ---- short forms


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


def cut_text(text: str, columns: int) -> str:
    """The text, or its beginning with a dot where it takes more columns."""
    if display_width(text) <= columns:
        return text
    while text and display_width(text) >= columns:
        text = text[:-1]
    return f"{text}."[: max(columns, 0)]


def padded_text(text: str, columns: int, fill: str = " ") -> str:
    """The text, filled up (or cut) to so many columns."""
    text = cut_text(text, columns)
    return text + fill * (columns - display_width(text))


# ---- styles

#: Players with a style of their own.
SEATS = 6


def style_of(player: Player | None) -> str:
    """The style of a player, and of what is his; that of things that are nobody's."""
    return f"seat{player['seat']}" if player and player["seat"] <= SEATS else "thing"


# ---- pieces


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


def flow_pieces(
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
        parts = breakable_words(piece.text, columns - hang, display_width(end))
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


def breakable_words(text: str, columns: int, end: int = 0) -> list[tuple[str, str]]:
    """What of a text stays together, each with the blanks before it. `end`: columns that are wanted behind it."""
    columns = max(columns, 8)
    if display_width(text) + end <= min(columns, WHOLE):
        return [("", text)]
    return [piece for blank, word in split_words(text, columns - end) for piece in _short(blank, word, columns - end)]


def _short(blank: str, word: str, columns: int) -> Iterable[tuple[str, str]]:
    """A word in pieces that are no wider than a line."""
    while display_width(word) > columns:
        cut = max(fitting_length(word, columns), 1)
        yield blank, word[:cut]
        blank, word = "", word[cut:]
    yield blank, word


def fitting_length(text: str, columns: int) -> int:
    """How many characters of a text fit into so many columns."""
    used = 0
    for place, char in enumerate(text):
        used += display_width(char)
        if used > columns:
            return place
    return len(text)


def clip_pieces(pieces: Iterable[Piece], columns: int) -> list[Piece]:
    """The same in no more than so many columns: what does not fit is cut, with a dot."""
    pieces = list(pieces)
    if room(pieces) <= columns:
        return pieces
    found: list[Piece] = []
    left = columns - 1
    for piece in pieces:
        found.append(piece._replace(text=piece.text[: fitting_length(piece.text, left)]))
        left -= display_width(found[-1].text)
        if found[-1].text != piece.text:
            break
    found[-1] = found[-1]._replace(text=found[-1].text + "."[:columns])
    return found


# ---- columns

Cell: TypeAlias = Sequence[Piece]
#: So many columns do for the last cell of a row, where it has to be wrapped.
LAST = 32
STEP = "  "


def column_lines(rows: Sequence[Sequence[Cell]], columns: int, comma: str) -> Iterator[list[Line]]:
    """The lines of each of several rows of as many cells; columns in which nothing stands are left out. What is too
    long goes on below the last cell, whose pieces are told one after the other."""
    widths = _widths(rows, comma)
    shown = [place for place, wide in enumerate(widths) if wide]
    if not shown:
        return
    last = shown[-1]
    for row in rows:
        head = [Piece(STEP)]
        for place in shown[:-1]:
            said = _joined_pieces(row[place], comma)
            head += [*said, Piece(" " * (widths[place] - room(said)) + STEP)]
        hang = room(head)
        yield flow_pieces(row[last], columns, head, hang if hang + LAST <= columns else 6, comma)


def needed_width(rows: Sequence[Sequence[Cell]], comma: str) -> int:
    """The columns that rows take, at most `LAST` of them for their last cells: those can be wrapped."""
    widths = _widths(rows, comma)
    return sum(len(STEP) + wide for wide in [*widths[:-1], *(min(wide, LAST) for wide in widths[-1:])] if wide)


def _widths(rows: Sequence[Sequence[Cell]], comma: str) -> list[int]:
    return [max(room(_joined_pieces(cell, comma)) for cell in column) for column in zip(*rows, strict=True)]


def _joined_pieces(cell: Cell, comma: str) -> list[Piece]:
    """The pieces of a cell on one line."""
    found: list[Piece] = []
    for piece in cell:
        found += [Piece(comma), piece] if found else [piece]
    return found
