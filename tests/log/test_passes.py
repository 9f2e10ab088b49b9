"""Players who pass one after the other are told in one line, also where somebody asks for news in between."""

from __future__ import annotations

import pytest

from rulelang.base.languages import ENGLISH
from rulelang.presentation.story import Story, StoryLine, folded_lines
from rulelang.presentation.view import in_words
from rulelang.runtime.agents import Random
from tests.log.games import game, positions


def told(story: Story, until: int) -> list[str]:
    """All lines of a game's first decisions, with news after each."""
    lines: list[str] = []
    for number, state in enumerate(positions("origin_of_species", 3, 4)):
        if number == until:
            break
        lines += story.news(state)
    return [line.strip() for line in lines]


def test_passes_in_a_row_are_one_line() -> None:
    alone, together = told(Story(), 60), told(Story(waits=True), 60)
    assert [line for line in alone if "pass" not in line] == [line for line in together if "pass" not in line]
    row = next(at for at, line in enumerate(alone) if line.endswith(" passes") and alone[at + 1].endswith(" passes"))
    names = [line.removesuffix(" passes") for line in alone[row : row + 3]]
    assert f"{names[0]}, {names[1]} and {names[2]} pass" in together


def test_who_is_asked_is_told_of_all_who_passed() -> None:
    for number, state in enumerate(positions("origin_of_species", 3, 4)):
        if number == 60:
            break
        seat = state.decider
        plain, waiting = Story(seat), Story(seat, waits=True)
        assert plain.news(state) == waiting.news(state)


def test_what_several_players_do_alike_is_one_line() -> None:
    state = in_words(game("evolution").new(3, 7, ["Ana", "Bob", "Cleo"]))
    first = [line.strip() for line in Story().news(state)]
    assert "everybody draws 4 cards" in first
    assert not any(line.endswith(" draws 4 cards") and not line.startswith("everybody") for line in first)
    alone = [line.strip() for line in Story(full=True).news(state)]
    assert [f"{name} draws 4 cards" in alone for name in state.players] == [True] * 3


def test_others_may_do_it_otherwise_in_between() -> None:
    def line(who: str, does: str) -> StoryLine:
        return StoryLine(0, f"{who}{does}", kind="draws", who=(who,), does=does)

    lines = [line("Ana", " draws 4"), line("Bob", " draws 6"), line("Cleo", " draws 4"), line("Ana", " draws 4")]
    assert [one.text for one in folded_lines(lines, ENGLISH, 3)] == [
        "Ana and Cleo each draw 4", "Bob draws 6", "Ana draws 4",
    ]  # fmt: skip
    assert [one.text for one in folded_lines(lines[:1] * 2, ENGLISH, 3)] == ["Ana draws 4"], "twice is counted"


def test_a_name_in_wide_characters_is_known_where_a_text_begins_with_it() -> None:
    names = ["安娜", "鮑勃", "克莉"]
    state = in_words(game("evolution").new(3, 7, names).spoken(game("evolution").language("zh")))
    luck = Random(3)
    for _ in range(40):
        state.play(luck.choose(state))
    told = [line.strip() for line in Story().news(state)]
    assert any(line.startswith(f"{name}棄掉") for line in told for name in names)
    assert not any(line.startswith(f"{name}：{name}") for line in told for name in names)


@pytest.mark.parametrize("lang", ["en", "zh", "ja"])
def test_an_action_without_words_of_its_own_is_told_by_what_came_of_it(lang: str) -> None:
    """In every language: what `look:` calls the action is for the option, and is not told beside its outcome."""
    language = game("evolution").language(lang)
    plain = game("evolution").new(3, 7)
    state = in_words(game("evolution").new(3, 7).spoken(language))
    luck = Random(3)
    for _ in range(60):
        choice = luck.choose(plain)
        plain.play(choice)
        state.play(choice)
    english = [line.strip() for line in Story().news(in_words(plain))]
    told = [line.strip() for line in Story().news(state)]
    assert len(told) == len(english)
    if lang == "zh":
        assert sum("；" in line for line in told) == sum("; " in line for line in english) > 3
