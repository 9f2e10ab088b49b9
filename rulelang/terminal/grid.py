"""A grid as boxes: each space with its name and what is there."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rulelang.present.records import Grid, Row
from rulelang.terminal.flow import Line, Piece, filled, flow, room

#: The fewest columns of a space, without its border; narrower ones are listed one a line.
NARROWEST = 9
#: The most lines of a space.
TALLEST = 8

Contents = Callable[[Row], Iterable[Piece]]


def boxes(grid: Grid, contents: Contents, columns: int) -> list[Line]:
    """The spaces of a grid where they lie; as a list where they have no room beside each other."""
    title = (Piece(grid["label"], "title"),)
    inner = min((columns - 1) // max(grid["width"], 1) - 1, 24)
    if inner < NARROWEST:
        lines: list[Line] = [title]
        for space in grid["spaces"]:
            head = [Piece("  "), Piece(space["label"], "thing", space["id"]), Piece("  ")]
            lines += flow([*contents(space)], columns, head, 4)
        return lines
    lines = [title, (Piece(_border(grid["width"], inner, "┌┬┐"), "border"),)]
    for y in range(grid["height"]):
        spaces = grid["spaces"][y * grid["width"] : (y + 1) * grid["width"]]
        cells = [_cell(space, contents, inner) for space in spaces]
        for row in range(max(map(len, cells))):
            line: list[Piece] = [Piece("│", "border")]
            for cell in cells:
                pieces = cell[row] if row < len(cell) else ()
                line += [*pieces, Piece(" " * (inner - room(pieces))), Piece("│", "border")]
            lines.append(tuple(line))
        last = y == grid["height"] - 1
        lines.append((Piece(_border(grid["width"], inner, "└┴┘" if last else "├┼┤"), "border"),))
    return lines


def _cell(space: Row, contents: Contents, columns: int) -> list[Line]:
    lines: list[Line] = [(Piece(filled(space["label"], columns).rstrip(), "thing", space["id"]),)]
    lines += flow([*contents(space)], columns, hang=1)
    if len(lines) > TALLEST:
        lines = [*lines[: TALLEST - 1], (Piece("...", "fact", space["id"]),)]
    return lines


def _border(width: int, inner: int, corners: str) -> str:
    return corners[0] + corners[1].join(["─" * inner] * width) + corners[2]
