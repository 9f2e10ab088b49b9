"""Line by line a table is told once, and then only what has changed of it."""

from __future__ import annotations

import random

from rulelang.presentation.console import Match, Session
from rulelang.presentation.console_output import BoardText, board_lines
from tests.log.games import everywhere, game


def words(lines: list[str]) -> set[str]:
    """Each line, however it stands in columns."""
    return {" ".join(line.split()) for line in lines}


def named(lines: set[str]) -> set[str]:
    """The same without what is told of a card behind its name, which is told once."""
    return {line.partition(":")[0].partition(". ")[0] for line in lines}


@everywhere
def test_who_reads_the_changes_knows_the_table(name: str) -> None:
    """Each line is as it was told before, or is told anew, and what is told stands on the table."""
    state = game(name).new(3, 5, ["Ana", "Bob", "Cleo"])
    luck, board = random.Random(3), BoardText(1, 1000)
    known = words(board.whole(state, texts=True)[1:])
    shorter = 0
    for _ in range(40):
        for _ in range(luck.randrange(4)):
            if not state.over:
                state.play(luck.randrange(state.option_count))
        told, table = board.news(state), board_lines(state, 1, 1000)
        now, fresh = words(table[1:]), words(told[1:])
        assert named(fresh) <= named(now)
        assert named(now - known) <= named(fresh)
        assert not told or "hanges on the table" in told[0]
        shorter += len(told) < len(table)
        known = now
        assert board.news(state) == [], "it was told"
    assert shorter > 20


def test_ten_cards_are_chosen_without_the_table_ten_times() -> None:
    """The question about each card is asked below the hand and the deck, and below nothing else."""
    said: list[str] = []
    lines = iter(["1"] * 4)
    begun = game("darwins_choice").new(2, 7, ["Ana", "Bob"])
    while begun.decider != 1:
        begun.play(0)
    Session(Match(begun, frozenset({1}), [None, None]), said.append, lambda prompt: next(lines, None)).run()  # type: ignore[list-item]
    heads = [place for place, line in enumerate(said) if line.endswith("hanges on the table")]
    assert len(heads) == 4
    for head in heads:
        block = said[head : next(place for place in range(head, len(said)) if said[place].startswith("Ana: "))]
        assert not any("place 1" in line for line in block)
        assert any(line.startswith("Ana (you)") for line in block)
        assert any("deck:" in line for line in block)
