"""Players who pass one after the other are told in one line, also where somebody asks for news in between."""

from __future__ import annotations

from rulelang.play.render_log import Story
from tests.log.games import positions


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
