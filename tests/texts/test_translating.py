"""`rulelang i18n`: what is found to be translated, how a catalogue is written anew, what is wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.compiler.compilation import Compilation
from rulelang.data.yaml_reader import read_yaml_text
from rulelang.tools.i18n import (
    TranslationWork,
    check_catalogue,
    count_texts,
    extract_catalogue,
    game_work,
    program_texts,
    texts_of,
    total_count,
    yaml_text,
)
from tests.cli.helpers import run
from tests.spec.pages import write
from tests.texts.garden import GERMAN, write_garden

MOD = {
    "mod.yaml": "id: wet\nversion: 1.0.0\nlanguage: 1\nextends: {garden: any}\nfiles: [wet.rules]\n",
    "wet.rules": 'after eat(s, any, any): tells "{s} gets wet"\n',
}


@pytest.fixture
def garden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return write_garden(tmp_path)


def german(folder: Path, mods: tuple[Path, ...] = ()) -> TranslationWork:
    return game_work(Compilation(folder, mods), "de")


def test_everything_that_players_read_is_found(garden: Path) -> None:
    found = {text.english: text.sort for text in texts_of(Compilation(garden)).values()}
    assert found["The garden"] == found["ada"] == found["leaf"] == found["nibble"] == found["shell"] == "name"
    assert found["bed plants"] == found["snail"] == found["snails"] == found["dew"] == found["grazing"] == "name"
    assert found["plants grow again"] == "text"
    assert found["{snail} eats {number} {food}"] == found["{snail} pushes {snail 2}"] == "log"
    assert found["{snail} stands fast"] == found["a snail does not push itself"] == "reason"
    assert not [english for english in found if "_" in english.partition("{")[0]]


def test_places_are_those_in_the_files(garden: Path) -> None:
    found = texts_of(Compilation(garden))
    eats = found["{snail} eats {number} {food}"].span
    assert (eats.path, eats.line) == ("garden/garden.rules", 35)
    assert found["mushroom"].span.path == "garden/things.yaml"


def test_what_only_an_option_says_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    changes = {'  tells "{s} pushes {other}"\n': '  if option.dew: tells "slippery"\n  tells "{s} pushes {other}"\n'}
    folder = write_garden(tmp_path, changes=changes)
    assert "slippery" in texts_of(Compilation(folder))


def test_a_catalogue_is_made_and_keeps_what_is_translated(garden: Path) -> None:
    text = extract_catalogue(german(garden))
    root = read_yaml_text(text, "de.yaml", german(garden).diagnostics).root
    assert root is not None
    said = root.plain()["texts"]  # type: ignore[index, call-overload]
    assert said["ada"] == "Ada"
    assert said["ben"] is None
    assert said["{snail} eats {number} {food}"] == "{snail} frisst {number} {food}"
    assert "  # what happened\n" in text
    (garden / "lang" / "de.yaml").write_text(text, encoding="utf-8")
    assert extract_catalogue(german(garden)) == text


def test_what_has_changed_in_english_waits_to_be_looked_at(garden: Path) -> None:
    rules = garden / "garden.rules"
    rules.write_text(rules.read_text().replace("{s} eats {n} {f}", "{s} now eats {n} {f}"), encoding="utf-8")
    text = extract_catalogue(german(garden))
    assert (
        '  "{snail} now eats {number} {food}":\n'
        '    was: "{snail} eats {number} {food}"\n'
        '    said: "{snail} frisst {number} {food}"\n'
    ) in text
    assert text.count("frisst") == 1
    (garden / "lang" / "de.yaml").write_text(text, encoding="utf-8")
    assert extract_catalogue(german(garden)) == text
    assert [item.code for item in check_catalogue(german(garden)) if item.code != "N400"] == ["N404"]
    assert count_texts(german(garden))["log"].waiting == 1


def test_what_nobody_says_any_more_is_kept_at_the_end(garden: Path) -> None:
    (garden / "lang" / "de.yaml").write_text(GERMAN + "  a hedgehog passes by unseen: Ein Igel\n", encoding="utf-8")
    assert extract_catalogue(german(garden)).endswith(
        "  # nobody says this any more\n  a hedgehog passes by unseen: Ein Igel\n"
    )
    left = [item for item in check_catalogue(german(garden)) if item.code == "N401"]
    assert [(item.span.line, item.message) for item in left] == [
        (5, "unused translation of `a hedgehog passes by unseen`")
    ]


def test_a_full_catalogue_is_without_mistakes(garden: Path) -> None:
    lines = [f"  {yaml_text(english)}: {yaml_text(english)}" for english in german(garden).texts]
    (garden / "lang" / "de.yaml").write_text("texts:\n" + "\n".join(lines) + "\n", encoding="utf-8")
    task = german(garden)
    assert [str(item) for item in check_catalogue(task)] == []
    whole = total_count(count_texts(task))
    assert whole.said == whole.texts > 50


def test_a_mod_has_a_catalogue_of_what_it_adds(garden: Path, tmp_path: Path) -> None:
    write(tmp_path / "wet", MOD)
    assert list(german(garden, (tmp_path / "wet",)).texts) == ["{snail} gets wet"]


def test_a_mod_that_adds_nothing_translates_everything(garden: Path, tmp_path: Path) -> None:
    write(tmp_path / "fr", {**MOD, "mod.yaml": MOD["mod.yaml"].replace("wet.rules", "").replace("wet", "fr")})
    (tmp_path / "fr" / "wet.rules").unlink()
    texts = game_work(Compilation(garden, (tmp_path / "fr",)), "fr").texts
    assert "{snail} eats {number} {food}" in texts


def test_the_program_finds_its_own_words() -> None:
    found = program_texts()
    assert {"Goodbye.", "{first} and {last}", "none of them", "undo your last move"} <= found.keys()
    assert found["Goodbye."].span.path.endswith("rulelang/presentation/console.py")
    assert not [english for english in found if "rulelang " in english and "--load" not in english]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("wolf", "wolf"), ("{a} b", '"{a} b"'), ("yes", '"yes"'), ("a: b", '"a: b"'), ("a #b", '"a #b"'),
        ("伏擊", "伏擊"), ("a's", '"a\'s"'), ("end ", '"end "'), ('say "x"', '"say \\"x\\""'),
    ],
)  # fmt: skip
def test_texts_are_quoted_where_they_have_to_be(text: str, written: str) -> None:
    assert yaml_text(text) == written


def test_commands(garden: Path) -> None:
    count = len(german(garden).texts)
    made = run("i18n", "extract", "garden", "--lang", "fr")
    assert made.exit_code == 0
    assert made.output == f"garden/lang/fr.yaml: {count} texts, {count} not translated yet\n"
    told = run("i18n", "check", "garden", "--lang", "de")
    assert told.exit_code == 0
    assert f"\nde: {count} texts: {count - 3} warnings in " in told.output
    assert run("i18n", "check", "garden", "--lang", "de", "--strict").exit_code == 1
    table = run("i18n", "stats", "garden").output.splitlines()
    assert all(len(line) <= 80 for line in table)
    assert table[-1].split() == ["all", str(count), "0", str(count), "0", "0", "%"]
    assert run("i18n", "extract", "garden").exit_code == 2
    (garden / "lang" / "de.yaml").write_text('texts:\n  ada: "{x}"\n', encoding="utf-8")
    assert run("i18n", "check", "garden", "--lang", "de").exit_code == 1


def test_a_game_without_catalogues_is_told_how_to_make_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    folder = write_garden(tmp_path)
    (folder / "lang" / "de.yaml").unlink()
    told = run("i18n", "stats", "garden")
    assert told.exit_code == 2
    assert "create one with `rulelang i18n extract garden --lang CODE`" in told.output


def test_numbered_rules_are_there_to_be_translated(garden: Path) -> None:
    """Those of its document in `seeds/`, with what stands beside them; they count for themselves."""
    seeds = garden.parent / "seeds"
    seeds.mkdir()
    (seeds / "garden.yaml").write_text(
        "ruleset: garden\nrules:\n  g-1: {section: Eating, text: Snails eat leaves., ruling: Two at most.}\n",
        encoding="utf-8",
    )
    task = game_work(Compilation(garden), "de")
    ruled = [text.english for text in task.texts.values() if text.sort == "rule"]
    assert ruled[:3] == ["Eating", "Snails eat leaves.", "Two at most."]
    assert count_texts(task)["rule"].missing == len(ruled)
    assert "  # the numbered rules, in print\n  Eating:\n" in extract_catalogue(task)
    assert "`Snails eat leaves.` has no `de` translation" in [item.message for item in check_catalogue(task)]
