"""Rows of cells in columns, as wide as a terminal draws them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from rulelang.presentation.view.sheet.pieces import Line, Piece, flow, room

Cell: TypeAlias = Sequence[Piece]
#: So many columns do for the last cell of a row, where it has to be wrapped.
LAST = 32
STEP = "  "


def columned(rows: Sequence[Sequence[Cell]], columns: int, comma: str) -> Iterator[list[Line]]:
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
            said = _joined(row[place], comma)
            head += [*said, Piece(" " * (widths[place] - room(said)) + STEP)]
        hang = room(head)
        yield flow(row[last], columns, head, hang if hang + LAST <= columns else 6, comma)


def needed(rows: Sequence[Sequence[Cell]], comma: str) -> int:
    """The columns that rows take, at most `LAST` of them for their last cells: those can be wrapped."""
    widths = _widths(rows, comma)
    return sum(len(STEP) + wide for wide in [*widths[:-1], *(min(wide, LAST) for wide in widths[-1:])] if wide)


def _widths(rows: Sequence[Sequence[Cell]], comma: str) -> list[int]:
    return [max(room(_joined(cell, comma)) for cell in column) for column in zip(*rows, strict=True)]


def _joined(cell: Cell, comma: str) -> list[Piece]:
    """The pieces of a cell on one line."""
    found: list[Piece] = []
    for piece in cell:
        found += [Piece(comma), piece] if found else [piece]
    return found
