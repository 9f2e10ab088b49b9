"""The log tells what happened in the order in which it happened, under the round in which it happened."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang import load
from rulelang.presentation.story import Story
from rulelang.runtime.game import Game
from rulelang.runtime.state import State

FILES = {
    "ruleset.yaml": """
id: order
version: 0.1.0
language: 1
title: {en: Order}
players: {count: 2}
files: [things.yaml, game.rules]
""",
    "things.yaml": """
state: {pool: number}
cards: {card: {rows: {apple: {copies: 3}, plum: {copies: 3}}}}
zones:
  deck: {holds: card, seen_by: everyone}
  hand: {of: player, holds: card, seen_by: everyone}
  heap: {of: player, holds: card, seen_by: everyone}
""",
    "game.rules": """
game:
  for card c: move c to deck
  rounds until round == 2:
    tells "the round begins"
    draw 1 from deck to first(player p).heap
    eating
    tells "the round is over"
    for player p:
      pool += 1
      move all p.hand to p.heap
    move all first(player p).heap to deck

phase eating:
  turns p from first(player q) once each:
    draw 1 from deck to p.hand
    offer one action to p or pass
    move all p.hand to p.heap

action eat(card c in actor.hand) during eating:
  tells "{actor} eats"
  for card d in actor.hand:
    move d to actor.heap
    pool += 1

value score(player p) -> int: count(card c in p.heap)
""",
}


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    folder = tmp_path_factory.mktemp("games") / "order"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text)
    return load(folder)


def played(game: Game, story: Story) -> tuple[State, list[str]]:
    """Every player eats; a story that is asked after each move."""
    state = game.new(2, 1)
    lines = story.news(state)
    while not state.over:
        state.play(0)
        lines += story.news(state)
    return state, [line.strip() for line in lines if line.strip()]


def test_headings_stand_where_rounds_begin(game: Game) -> None:
    _, lines = played(game, Story())
    for number in (1, 2):
        at = lines.index(f"Round {number}")
        assert lines[at + 1] == "the round begins"
        assert lines.index("the round is over", at) > at
    assert lines.index("the round is over") < lines.index("Round 2")


def test_who_reads_late_reads_the_same(game: Game) -> None:
    state, lines = played(game, Story())
    assert [line.strip() for line in Story().news(state) if line.strip()] == lines
    again = game.restore(state.save())
    assert [line.strip() for line in Story().news(again) if line.strip()] == lines


def test_a_copied_story_knows_its_round(game: Game) -> None:
    state, _ = played(game, story := Story())
    copied = story.copy()
    assert (copied.round, copied.rounds) == (story.round, story.rounds) == (state.round, 2)


def moves(state: State) -> list[tuple[str, str, int]]:
    """From where to where cards went, and how many at once."""
    names = state.table.program.layout.zone_names
    owners = state.table.program.layout.zone_owner
    return [
        (f"{names[c.origin]}{owners[c.origin] or ''}", f"{names[c.target]}{owners[c.target] or ''}", c.count)
        for c in state.log.changes
        if c.what == "move" and names[c.origin] != "box"
    ]


def test_moves_stand_in_their_order(game: Game) -> None:
    state, _ = played(game, Story())
    first = [("deck", "heap1", 1), ("deck", "hand1", 1), ("hand1", "heap1", 1), ("deck", "hand2", 1)]
    found = moves(state)
    assert found[:5] == [*first, ("hand2", "heap2", 1)]
    # All that was in a heap went at once, and only then the next was drawn.
    assert found[5] == ("heap1", "deck", 2)
    assert found[6] == ("deck", "heap1", 1)


def test_all_that_a_loop_over_cards_does_is_told_at_once(game: Game) -> None:
    state = game.new(2, 1)
    unpacked = next(change for change in state.log.changes if change.what == "move")
    assert unpacked.count == 6


def test_cards_of_one_name_are_counted(game: Game) -> None:
    state = game.new(2, 1)
    text = next(change.text for change in state.log.changes if change.what == "move")
    assert text == "3 x apple and 3 x plum go from the box to the deck"


CHANGES = {
    "an assignment": "pool = 9",
    "a table that is cleared": "clear eaten",
    "dice": "roll 2d6 as pool",
    "in a block": "if pool == 0: pool = 9",
    "in a loop": "repeat 2 times: pool += 4",
}


@pytest.mark.parametrize("what", CHANGES)
def test_what_changed_before_a_card_moved_is_told_before_it(what: str, tmp_path: Path) -> None:
    rules = f"""
game:
  for card c: move c to deck
  eaten[first(player p), apple] = 3
  tells "now"
  {CHANGES[what]}
  move first(card c in deck) to first(player p).hand
  rounds until round == 1: nothing

value score(player p) -> int: 0
"""
    tables = "tables: {eaten: {of: [player, meal], is: 0..9}}\nlists: {meal: [apple, plum]}\n"
    things = FILES["things.yaml"].replace("apple:", "red_apple:").replace("plum:", "blue_plum:")
    files = FILES | {"game.rules": rules, "things.yaml": things + tables}
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    told = [change.text for change in load(str(tmp_path)).new(2, 1).log.changes]
    assert "goes from the deck" in told[-1]
    assert any(word in told[-2] for word in ("pool", "eaten"))
