"""A document laid out in lines of so many columns: pieces of text, each with its style and the part that it is about.

Plain mode prints the words, the full screen draws the pieces, which can be pointed at and picked.
"""

from __future__ import annotations

from rulelang.presentation.view.sheet.by_id import Part, changed, parts_of
from rulelang.presentation.view.sheet.grid import maps
from rulelang.presentation.view.sheet.pieces import Line, Piece, room, words
from rulelang.presentation.view.sheet.sheet import Sheet

__all__ = ["Line", "Part", "Piece", "Sheet", "changed", "maps", "parts_of", "room", "words"]
