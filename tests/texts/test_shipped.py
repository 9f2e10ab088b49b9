"""The catalogs that are shipped: two games and the program are complete in Chinese and Japanese, Darwin's Choice and
its mod in Chinese; all names are there in Chinese."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rulelang import load
from rulelang.base.labels import name_in_words
from rulelang.compiler.compilation import Compilation
from rulelang.presentation.story import Story
from rulelang.presentation.view import document
from rulelang.runtime.state import State
from rulelang.tools.i18n import (
    Text,
    TranslationWork,
    check_catalogue,
    extract_catalogue,
    game_work,
    program_work,
    said_by_name,
)

WHOLE = ("evolution", "origin_of_species")
LANGUAGES = ("zh", "ja")
#: Games and mods whose catalog of a language lacks nothing.
COMPLETE = [
    *[((game,), code) for game in WHOLE for code in LANGUAGES],
    (("darwins_choice",), "zh"), (("darwins_choice", "darwins_choice_colossal"), "zh"),
]  # fmt: skip
complete = pytest.mark.parametrize(("game", "code"), COMPLETE, ids=["-".join([*g, c]) for g, c in COMPLETE])


def told(task: TranslationWork) -> list[str]:
    return [f"{item.span}: {item.code}: {item.message}" for item in check_catalogue(task)]


@complete
def test_a_game_is_there_wholly(game: tuple[str, ...], code: str) -> None:
    """All that is said in play and on cards, and the numbered rules in print."""
    assert told(game_work(Compilation(game[0], game[1:]), code)) == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_program_is_there_wholly(code: str) -> None:
    """What is said while a game is played, and what is printed."""
    assert told(program_work(code)) == []


@complete
def test_nothing_english_is_said_in_a_random_game(game: tuple[str, ...], code: str) -> None:
    """What is shown, asked, refused and told; names of the rules that only authors type are no words for players."""
    loaded = load(game[0], mods=game[1:])
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
    ruled = {name_in_words(name) for name in said_by_name(one)}
    missing = [text.english for text in game_work(one, "zh").missing() if text.sort == "name" or text.english in ruled]
    assert missing == []


CATALOGUES = [
    *COMPLETE,
    (("evolved",), "zh"),
    ((), "zh"), ((), "ja"),
]  # fmt: skip


def catalogue(game: tuple[str, ...], code: str) -> TranslationWork:
    return game_work(Compilation(game[0], game[1:]), code) if game else program_work(code)


@pytest.mark.parametrize(("game", "code"), CATALOGUES, ids=["-".join([*g, c]) for g, c in CATALOGUES])
def test_nothing_is_translated_that_nobody_says(game: tuple[str, ...], code: str) -> None:
    """Also where lowering has a reason ready that no rule comes to (`strike is not possible`, where `strike` always
    says why)."""
    assert [entry.english for entry in catalogue(game, code).unused()] == []


@pytest.mark.parametrize(("game", "code"), [one for one in CATALOGUES if one[0] != ("evolved",)])
def test_extracting_leaves_a_whole_catalogue_as_it_is(game: tuple[str, ...], code: str) -> None:
    one = catalogue(game, code)
    assert one.catalogue is not None
    assert extract_catalogue(one) == one.catalogue.text


def test_a_catalogue_keeps_its_order_however_what_is_said_moves() -> None:
    one = program_work("zh")
    assert one.catalogue is not None
    backwards = dict(reversed(one.texts.items()))
    assert extract_catalogue(replace(one, texts=backwards)) == one.catalogue.text
    first, second, *_ = one.texts
    new = Text("a new text", "own")
    more = {first: one.texts[first], new.english: new, **one.texts}
    wanted = one.catalogue.text.replace(f"{line_of(one, first)}\n", f"{line_of(one, first)}\n  a new text:\n")
    assert extract_catalogue(replace(one, texts=more, known=more)) == wanted
    assert second in wanted


def line_of(one: TranslationWork, english: str) -> str:
    assert one.catalogue is not None
    return one.catalogue.text.split("\n")[one.entries[english].key.line - 1]
