"""What a table has depends on its options: cards within a range, and as many places as there are cards."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulelang

FILES = {
    "ruleset.yaml": """
id: tiny
version: 1.0.0
language: 1
title: {en: Tiny}
players: {count: [2, 2], play: clockwise}
options: {sets: {is: 1..3, default: 2}}
files: [all.yaml, game.rules]
""",
    "all.yaml": """
cards:
  card:
    columns: {set: 1..3, worth: int}
    for_each: {set: 1..option.sets}
    rows: [{worth: 1}, {worth: 5, copies: 2}]
kinds: {heap: {of: player, at_most: card}}
zones:
  deck: {holds: card, seen_by: nobody}
state: {total: number}
""",
    "game.rules": """
game:
  for card c: total += c.worth * c.set
  move all box to deck
  for player p: repeat 20 times: create heap of p
value score(player p) -> int: total + count(heap h of p)
value tiebreak(player p) -> order: 0
""",
}


@pytest.mark.parametrize(("sets", "cards"), [(1, 3), (2, 6), (3, 9)])
def test_cards_of_a_range(tmp_path: Path, sets: int, cards: int) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text.lstrip(), encoding="utf-8")
    game = rulelang.load(tmp_path)
    table = game.table(2, {"sets": sets})
    layout = table.program.layout
    assert len(layout.cards) == cards + 1
    assert {card.columns["set"] for card in layout.cards[1:]} == set(range(1, sets + 1))
    assert layout.kinds["heap"].per_owner == cards
    state = game.new(2, options={"sets": sets}, log=False)
    total = sum(11 * number for number in range(1, sets + 1))
    assert state.scores == [total + min(20, cards)] * 2
