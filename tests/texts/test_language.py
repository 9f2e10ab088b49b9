"""What a language says: templates and their holes, forms that numbers take, texts of rules, and what it lacks."""

from __future__ import annotations

import builtins
import pickle
from typing import Any

import pytest

from rulelang.base import phrases
from rulelang.base.languages import ENGLISH, Language, choose_language, fits_english, language_tag, nearest_language
from rulelang.base.phrases import keyed_template, phrase

POINTS = "{name} has {n} {n:point|points}."
POLISH = Language("pl", {POINTS: "{name} ma {n} {n:punkt|punkty|punktów}."})


@pytest.mark.parametrize(("n", "said"), [(0, "0 points"), (1, "1 point"), (2, "2 points"), (-1, "-1 point")])
def test_english_counts_without_babel(monkeypatch: pytest.MonkeyPatch, n: int, said: str) -> None:
    without_babel(monkeypatch)
    assert ENGLISH.say(POINTS, name="Ana", n=n) == f"Ana has {said}."
    assert ENGLISH.render(phrase(POINTS, name="Ana", n=n)) == f"Ana has {said}."


@pytest.mark.parametrize(("n", "said"), [(1, "1 punkt"), (3, "3 punkty"), (5, "5 punktów"), (22, "22 punkty")])
def test_other_languages_count_as_they_do(n: int, said: str) -> None:
    assert POLISH.say(POINTS, name="Ana", n=n) == f"Ana ma {said}."


def test_forms_of_a_language_are_those_of_numbers_on_tables() -> None:
    assert (
        phrases.plural_categories("en")
        == phrases.plural_categories("de")
        == phrases.plural_categories("fr")
        == ("one", "other")
    )
    assert phrases.plural_categories("zh") == phrases.plural_categories("ja") == ("other",)
    assert phrases.plural_categories("ar") == ("zero", "one", "two", "few", "many", "other")
    with pytest.raises(ValueError, match="no language `qq`"):
        phrases.plural_categories("qq")


def test_without_babel_the_command_that_installs_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    without_babel(monkeypatch)
    with pytest.raises(phrases.NoBabel, match=r"pip install 'rulelang\[languages\]'"):
        POLISH.say(POINTS, name="Ana", n=5)
    # What has one form needs no rules: Chinese needs no Babel.
    assert Language("zh", {POINTS: "{name}有{n}分。"}).say(POINTS, name="Ana", n=5) == "Ana有5分。"


def test_a_phrase_may_fill_a_hole() -> None:
    chinese = Language("zh", {"{name} is asked": "輪到{name}", "not now: {why}": "現在不行：{why}"})
    said = phrase("not now: {why}", why=phrase("{name} is asked", name="Ana"))
    assert chinese.render(said) == "現在不行：輪到Ana"
    assert ENGLISH.render(said) == "not now: Ana is asked"


def test_what_is_missing_or_does_not_fit_is_english_and_noted() -> None:
    german = Language("de", {"{n} of {m}": "{n} von allen", "wolf": "Wolf"})
    assert german.say("{n} of {m}", n=1, m=2) == "1 of 2"
    assert german.word("wolf") == "Wolf"
    assert german.word("crab") == "crab"
    assert german.word("7") == "7"
    assert german.missed == {"{n} of {m}", "crab"}


def test_english_left_in_another_language_counts_in_english() -> None:
    assert Language("ja", {}).say(POINTS, name="Ana", n=1) == "Ana has 1 point."
    parts = ((0, "player"), " has ", (1, "int"), " ", (1, ":point|points"))
    japanese = Language("ja", {})
    assert japanese.parts(parts) == parts
    assert japanese.form(":point|points", 1) == "point"


def test_a_text_of_rules_has_holes_named_by_kinds() -> None:
    parts = ((0, "species"), " attacks ", (1, "species"), " for ", (2, "int"), " ", (2, ":meat|meats"))
    key, _ = keyed_template(parts)
    assert key == "{species} attacks {species 2} for {number} {number:meat|meats}"
    chinese = Language("zh", {key: "{species 2}被{species}獵食，失去{number}個肉"})
    assert chinese.parts(parts) == ((1, "species"), "被", (0, "species"), "獵食，失去", (2, "int"), "個肉")
    german = Language("de", {key: "{species} reißt {species 2}: {number} {number:Stück|Stücke}"})
    assert german.parts(parts)[-1] == (2, ":de:Stück|Stücke")
    assert [german.form(":de:Stück|Stücke", n) for n in (1, 2)] == ["Stück", "Stücke"]


def test_the_same_value_twice_is_one_hole() -> None:
    assert (
        keyed_template(((0, "player"), " and ", (0, "player"), " and ", (1, "player")))[0]
        == "{player} and {player} and {player 2}"
    )


@pytest.mark.parametrize(
    ("english", "said", "well"),
    [
        ("{a} and {b}", "{b}和{a}", True),
        ("{a} and {b}", "{a}", False),
        ("{a}", "{a} {c}", False),
        ("{n} {n:point|points}", "{n}分", True),
        ("{n} things", "{n} {n:Ding|Dinge}", True),  # a form may be chosen by any number that is told
        ("{n:a thing|things}", "{n}個", False),
        ("things", "{n:Ding|Dinge}", False),
    ],
)
def test_a_translation_tells_what_the_english_text_tells(english: str, said: str, well: bool) -> None:
    assert fits_english(english, said) is well


def test_languages_go_to_other_processes() -> None:
    copy = pickle.loads(pickle.dumps(POLISH))
    assert (copy.code, copy.texts) == (POLISH.code, POLISH.texts)


def test_lists_are_joined_as_the_language_does() -> None:
    assert [ENGLISH.listed(["a", "b", "c"][:n]) for n in range(4)] == ["", "a", "a and b", "a, b and c"]
    chinese = Language("zh", {"{first} and {last}": "{first}和{last}", "{first}, {rest}": "{first}、{rest}"})
    assert chinese.listed(["a", "b", "c"]) == "a、b和c"
    assert [ENGLISH.either(["a", "b", "c"][:n]) for n in range(4)] == ["", "a", "a or b", "a, b or c"]
    assert [chinese.row(["a", "b", "c"][:n]) for n in range(4)] == ["", "a", "a、b", "a、b、c"]


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("zh_TW.UTF-8", "zh-tw"),
        ("C.UTF-8", "en"),
        ("POSIX", "en"),
        ("en_US.UTF-8", "en"),
        ("ca@valencia", "ca"),
        ("ja", "ja"),
    ],
)
def test_the_environment_names_languages_in_its_own_way(said: str, found: str) -> None:
    assert language_tag(said) == found


def test_the_best_language_that_is_there_is_taken() -> None:
    there = ("en", "ja", "zh")
    assert choose_language({"LANG": "zh_TW.UTF-8"}, there) == "zh"
    assert choose_language({"LANG": "fr_FR.UTF-8"}, there) == "en"
    assert choose_language({"LANGUAGE": "fr:ja:zh", "LANG": "zh_TW"}, there) == "ja"
    assert choose_language({"LC_ALL": "C", "LANG": "ja_JP"}, there) == "en"
    assert choose_language({"LANGUAGE": "", "LC_MESSAGES": "ja_JP.UTF-8", "LANG": "zh_TW"}, there) == "ja"
    assert choose_language({}, there) == "en"
    assert nearest_language("zh-hant-tw", there) == "zh"
    assert nearest_language("de", there) is None


def without_babel(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def missing(name: str, *rest: Any) -> Any:
        if name.split(".")[0] == "babel":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", missing)
    for kept in (phrases.plural_categories, phrases._rule):
        kept.cache_clear()


def test_words_left_in_english_are_parted_where_a_language_has_no_blanks() -> None:
    language = Language("ja", {"{name} {value}": "{name}{value}"})
    assert language.say("{name} {value}", name="run", value=1) == "run 1"
    assert language.say("{name} {value}", name="体", value=1) == "体1"
    assert language.say("{name} {value}", name="start player", value="アナ") == "start playerアナ"
