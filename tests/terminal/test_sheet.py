"""There is one layout: plain mode prints what the screen draws, with the texts of cards."""

from __future__ import annotations

import pytest

from rulelang.presentation.console_output import board_lines
from rulelang.presentation.view import document
from rulelang.presentation.view.sheet import Line, Sheet, parts_of, words
from tests.terminal.driving import begun

GAMES = ("evolution", "origin_of_species", "darwins_choice_colossal", "evolved")


@pytest.mark.parametrize("name", GAMES)
def test_plain_mode_prints_what_the_screen_draws(name: str) -> None:
    state = begun(name, players=3)
    for _ in range(12):
        state.play(state.option_count - 1)
    drawn, printed = (Sheet(document(state, 1), 80, texts=texts).lines() for texts in (False, True))
    assert board_lines(state, 1, 80)[1:] == [words(line) for line in printed]

    def but_cards(lines: list[Line]) -> str:
        return "".join(p.text for line in lines for p in line if p.part and p.style != "card").replace(" ", "")

    assert len(but_cards(drawn)) > 50
    assert but_cards(drawn) == but_cards(printed)


@pytest.mark.parametrize("name", GAMES)
def test_every_thing_and_number_of_a_table_can_be_pointed_at(name: str) -> None:
    state = begun(name, players=3)
    for _ in range(12):
        state.play(state.option_count - 1)
    shown = document(state, 1)
    parts = parts_of(shown)
    there = {piece.part for line in Sheet(shown, 200).lines() for piece in line if piece.part}
    assert there <= parts.keys()
    wanted = {key for key, part in parts.items() if part.get("kind") == "player" or "number" in part or "at" in part}
    assert wanted <= there
