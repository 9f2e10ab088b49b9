"""Pieces flow into lines of so many columns, wide characters too, and nothing is lost."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rulelang.base.frame import width
from rulelang.terminal.flow import Piece, filled, flow, room

WORDS = st.text(alphabet="abc 林狼é", min_size=1, max_size=40).map(str.strip).filter(bool)


@given(st.lists(WORDS, max_size=12), st.integers(12, 60))
def test_lines_fit_and_keep_all_words(words: list[str], columns: int) -> None:
    lines = flow([Piece(word, "card", word) for word in words], columns, [Piece("  at  ")], 4)
    assert all(room(line) <= columns for line in lines)
    said = "".join(piece.text for line in lines for piece in line).replace(" ", "")
    assert said == "at" + "".join(words).replace(" ", "")


@given(WORDS, st.integers(1, 50))
def test_filled_texts_take_just_their_columns(word: str, columns: int) -> None:
    assert width(filled(word, columns)) == columns


def test_a_piece_stays_whole_where_it_fits() -> None:
    lines = flow([Piece("one two"), Piece("three four")], 14)
    assert [[piece.text for piece in line] for line in lines] == [["one two"], ["  ", "three four"]]
