"""The catalogues that are shipped: two games and the program wholly in Chinese and Japanese, all names in Chinese."""

from __future__ import annotations

import pytest

from rulelang import load
from rulelang.base.labels import in_words
from rulelang.compile import Compilation
from rulelang.engine.state import State
from rulelang.play.render_log import Story
from rulelang.present import document
from rulelang.translating.catalogue import Work, own_work, work
from rulelang.translating.checking import check
from rulelang.translating.texts import said_by_name

WHOLE = ("evolution", "origin_of_species")
LANGUAGES = ("zh", "ja")


def told(task: Work) -> list[str]:
    return [f"{item.span}: {item.code}: {item.message}" for item in check(task)]


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("game", WHOLE)
def test_a_game_is_there_wholly(game: str, code: str) -> None:
    """All that is said in play and on cards, and the numbered rules in print."""
    assert told(work(Compilation(game), code)) == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_program_is_there_wholly(code: str) -> None:
    """What is said while a game is played, and what is printed."""
    assert told(own_work(code)) == []


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("game", WHOLE)
def test_nothing_english_is_said_in_a_random_game(game: str, code: str) -> None:
    """What is shown, asked, refused and told; names of the rules that only authors type are no words for players."""
    loaded = load(game)
    language = loaded.language(code)
    state = loaded.new(3, seed=11, backend="python").spoken(language)
    for step in range(400):
        if state.over:
            break
        shown(state, step)
        state.play(step * 7 % state.option_count)
    Story(None).news(state)
    _ = [event.text for event in state.log]
    assert sorted(language.missed) == []


def shown(state: State, step: int) -> None:
    assert state.decision.prompt
    if step % 10 == 0:
        document(state, state.decider)
        for words in ("", "x y", "pass", "none", "7"):
            state.why_not(words)


@pytest.mark.parametrize(
    ("game", "mods"), [("evolved", ()), ("darwins_choice", ()), ("darwins_choice", ("darwins_choice_colossal",))]
)
def test_all_names_are_there_in_chinese(game: str, mods: tuple[str, ...]) -> None:
    """Those of rules, too, by which rulebooks and trees of causes call what no table shows."""
    one = Compilation(game, mods)
    ruled = {in_words(name) for name in said_by_name(one)}
    missing = [text.english for text in work(one, "zh").missing() if text.sort == "name" or text.english in ruled]
    assert missing == []
