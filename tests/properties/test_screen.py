"""What a person sees of any game fits the terminal, and is never how Python writes a value."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from hypothesis import given, settings

from rulelang.base.terminal import display_width, fold_line
from rulelang.presentation.console_output import board_lines, option_menu, score_lines
from rulelang.presentation.story import Story
from tests.properties.games import Ruleset, everywhere, game_of, usual, walk
from tests.properties.test_states import seeds

PYTHON = re.compile(r"\b(True|False|None|Condition|Term)\b|[\[{]|\(\(|'\w+',")
NAMES = ("安娜", "鮑勃", "チャーリー", "丹")
COLUMNS = 80


@everywhere
@given(seed=seeds)
@settings(max_examples=2)
def test_every_line_fits_and_is_in_words(ruleset: Ruleset, seed: int) -> None:
    game = game_of(ruleset)
    state = game.new(usual(ruleset).players, seed, NAMES[: usual(ruleset).players])
    for number, now in enumerate(walk(state, seed, 90)):
        if now.over or number % 12:
            continue
        seen = board_lines(now, now.decider, COLUMNS)
        assert [line for line in seen if PYTHON.search(line)] == []
        shown = [*seen, *option_menu(now, COLUMNS)]
        assert [line for line in shown if display_width(line) > COLUMNS] == []
    told = [part for line in Story().news(state) for part in fold_line(line, COLUMNS)]
    told += score_lines(state) if state.over else []
    assert [line for line in told if display_width(line) > COLUMNS] == []


@everywhere
def test_a_view_holds_data_alone(ruleset: Ruleset) -> None:
    seats = usual(ruleset)
    assert "(" not in json.dumps([card["printed"] for card in _cards(seats.new(1).view(1))])


def _cards(part: object) -> Iterator[dict[str, Any]]:
    """Every card in a view."""
    if isinstance(part, dict) and "printed" in part and "label" in part:
        yield part
    for inner in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        yield from _cards(inner)
