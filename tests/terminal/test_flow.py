"""Pieces flow into lines of so many columns, wide characters too, and nothing is lost."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rulelang.base.terminal import display_width
from rulelang.presentation.view.pieces import Piece, clip_pieces, flow_pieces, room, words

WORDS = st.text(alphabet="abc 林狼é", min_size=1, max_size=40).map(str.strip).filter(bool)


@given(st.lists(WORDS, max_size=12), st.integers(12, 60))
def test_lines_fit_and_keep_all_words(words: list[str], columns: int) -> None:
    lines = flow_pieces([Piece(word, "card", word) for word in words], columns, [Piece("  at  ")], 4, "  ")
    assert all(room(line) <= columns for line in lines)
    said = "".join(piece.text for line in lines for piece in line).replace(" ", "")
    assert said == "at" + "".join(words).replace(" ", "")


@given(WORDS, st.integers(1, 50))
def test_clipped_texts_take_no_more_than_their_columns(word: str, columns: int) -> None:
    cut = clip_pieces([Piece(word), Piece(" 12")], columns)
    assert room(cut) <= columns
    assert words(cut) == f"{word} 12" or words(cut).endswith(".")


def test_short_pieces_stay_whole_and_long_ones_fill_their_lines() -> None:
    lines = flow_pieces([Piece("one two"), Piece("three four")], 14)
    assert [words(line) for line in lines] == ["one two,", "  three four"]
    text = "a card that says more than any line of this width could hold"
    lines = flow_pieces([Piece(text, "card", "x")], 30, [Piece("Long: ")])
    assert [words(line) for line in lines] == [
        "Long: a card that says more", "  than any line of this width", "  could hold",
    ]  # fmt: skip
    assert [piece.part for line in lines for piece in line if piece.text.strip()] == ["", "x", "x", "x"]


def test_words_in_wide_characters_fill_their_lines_and_end_with_what_closes_them() -> None:
    text = "位置：" + "需求奔跑或攀爬、適應條件奔跑和攀爬、" * 3 + "最適者得2分]"
    lines = [words(line) for line in flow_pieces([Piece(text)], 40, [Piece("  ")], 4)]
    assert all(38 <= display_width(line) <= 40 for line in lines[:-1])
    assert "".join(line.strip() for line in lines) == text
    assert not any(line.strip()[0] in "、，]" for line in lines)
