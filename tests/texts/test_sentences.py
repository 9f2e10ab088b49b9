"""Sentences made of conditions are phrases: every language says them by itself, in its own order, of any game."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.base.languages import Language
from rulelang.base.phrases import Phrase, RuleName, Value, flatten, keyed_template, phrase
from rulelang.compiler.lower.narration.nouns import IT, things_such_that
from rulelang.data.catalogues import load_translations, own_folder
from rulelang.runtime.state import State
from tests.engine.test_refusal_words import asked

RULES = """require s.size > 4 and s.slow
  require any(snail t of actor where t.size > 8)
  require t.owner == actor"""


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> State:
    folder: Path = tmp_path_factory.mktemp("sentences")
    return asked(folder, "go(snail s of actor, snail t, int n from 1 to s.size)", RULES)


def own(code: str, **more: str) -> Language:
    """The program's own catalogue, with what a game would add."""
    return Language(
        code, {**load_translations([own_folder()], code), "snail": "蝸牛", "size": "體型", "slow": "慢", **more}
    )


def told(state: State, language: Language) -> list[str]:
    return [reason.text for reason in state.spoken(language).why_not("go alva bruma 7")]


def test_a_game_without_a_translated_sentence_is_understood(state: State) -> None:
    language = own("zh")
    assert told(state, language) == [
        "7不在1到alva的體型（3）之間",
        "alva的體型是3，不是超過4",
        "alva並非慢",
        "你沒有符合「其體型超過8」的蝸牛",
        "bruma不是你的",
    ]
    assert [english for english in language.missed if " " in english] == []  # names only, of this game


def test_japanese_puts_them_in_its_own_order(state: State) -> None:
    assert told(state, own("ja"))[-1] == "brumaはあなたのものではない"


def test_a_catalogue_may_say_the_whole_of_a_sentence(state: State) -> None:
    whole = own("zh", **{"{snail} is not yours": "別碰{snail}！"})
    assert told(state, whole)[-1] == "別碰bruma！"


def test_a_sentence_is_keyed_as_one_text() -> None:
    said = phrase("{thing} {n:is|are} not {name}", thing=Value(0, "snail"), n=1, name=RuleName("hot_loving", "word"))
    assert flatten(said) == ((0, "snail"), " is not hot loving")
    assert keyed_template(flatten(said))[0] == "{snail} is not hot loving"


@pytest.mark.parametrize(
    ("clause", "said"),
    [
        (phrase("{thing} {n:is|are} slow", thing=IT, n=1), "snails that are slow"),
        (phrase("{thing} is {value}", thing=phrase("its {name}", name="size"), value="3"), "snails whose size is 3"),
        (phrase("{place} is {thing}'s", place="the garden", thing=IT), "snails for which the garden is it's"),
    ],
)
def test_a_clause_speaks_of_what_it_stands_behind(clause: Phrase, said: str) -> None:
    assert "".join(map(str, flatten(things_such_that(RuleName("snail", form="several"), clause, many=True)))) == said
