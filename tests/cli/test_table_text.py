"""What players read: the table, the menu, the story. On a game linked by hand, so that every line is known."""

from __future__ import annotations

from rulelang.presentation.console import CURTAIN, Match, Session
from rulelang.presentation.console_output import FEW, board_lines, option_menu, score_lines, winner_sentence
from rulelang.presentation.story import Story
from rulelang.presentation.view.pieces import column_lines
from rulelang.presentation.view.sheet import Piece, words
from rulelang.runtime.agents import make_agent
from tests.engine.fake import fake_game


def test_the_table_shows_ones_own_hand_and_counts_the_others() -> None:
    state = fake_game().new(2, seed=1, names=["Ana", "Bob"])
    own = board_lines(state, 1)
    assert own.count("  hand:") == 1
    assert any(line.startswith("Ana (you)") and "in hand" not in line for line in own), "what is listed is not counted"
    assert any(line.startswith("Bob") and "3 in hand" in line for line in own)
    assert "  hand:" not in board_lines(state, None)
    assert sum("size 1" in line for line in own) == 4


def test_attributes_stand_in_columns_of_cells() -> None:
    rows = [["wolf", "size 3", ""], ["熊熊", "size 10", "x"], ["ox", "", "y"]]
    cells = [[[Piece(text)] if text else [] for text in row] for row in rows]
    lines = [words(line) for row in column_lines(cells, 80, ", ") for line in row]
    assert lines == ["  wolf  size 3", "  熊熊  size 10  x", "  ox             y"]


def test_every_option_is_in_the_menu_under_its_number() -> None:
    state = fake_game().new(4, seed=3)
    for _ in range(8):
        text = " ".join(" ".join(option_menu(state, 60)).split())
        for option in state.decision.options:
            assert f"{option.index + 1} " in text
        assert all(len(line) <= 60 for line in option_menu(state, 60))
        assert len(option_menu(state)) <= max(FEW, len(state.decision.options))
        state.play(0)


def test_the_story_tells_each_event_once_and_traits_in_brackets() -> None:
    state = fake_game().new(3, seed=2)
    story, whole = Story(full=True), []  # other stories fold what is told at once
    agent = make_agent("random")
    agent.start(5)
    while not state.over:
        whole += story.news(state)
        state.play(agent.choose(state))
    whole += story.news(state)
    assert whole == Story(full=True).news(state)
    assert whole[0].strip() == "the game begins"
    flights = [line for line in whole if line.endswith("flies  [wing]")]
    assert len(flights) == sum("wing is laid on" in line for line in whole)
    assert all(line.startswith(" " * 6) for line in flights), "what was caused is indented"
    assert story.news(state) == []


def test_a_viewer_is_not_told_what_others_keep() -> None:
    state = fake_game().new(2, seed=1)
    state.play(0)
    assert any("keeps" in line for line in Story().news(state))
    assert not any("keeps" in line for line in Story(2).news(state)), "it goes on behind the curtain"
    state.play(0)
    told = [line for line in Story(2).news(state) if "keeps" in line]
    assert "a card" in told[0]
    assert "a card" not in told[1]


def test_the_end_names_the_winners() -> None:
    state = fake_game().new(2, seed=1, names=["ana", "林さん"])
    while not state.over:
        state.play(state.option_count - 1)
    lines = score_lines(state)
    assert lines[-1] == winner_sentence(state)
    assert lines[0] == "Scores"
    assert "win" in lines[-1]


def test_a_session_of_several_people_asks_each() -> None:
    said: list[str] = []
    asked: list[str] = []

    def ask(prompt: str) -> str | None:
        asked.append(prompt)
        return "1" if len(asked) < 4 else None

    state = fake_game().new(2, seed=1, names=["Ana", "Bob"])
    assert not Session(Match(state, frozenset({1, 2}), []), said.append, ask).run()
    calls = [f"{name} is next. {name}, press Enter when only you can see the screen: " for name in ("Ana", "Bob")]
    assert asked == [calls[0], "Ana> ", calls[1], "Bob> "]
    assert said.count("") >= 2 * CURTAIN, "what one person saw is off the screen when the next one looks"
