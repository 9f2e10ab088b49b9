"""Catalogues beside rules and mods: where they are found, which says the last word, and games played in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang import load
from rulelang.base.diagnostics import Diagnostics
from rulelang.data.catalogues import catalogue_languages, is_catalogue, load_translations, read_catalogue
from rulelang.data.folders import open_folder
from tests.texts.garden import write_garden


def test_only_files_named_by_languages_are_catalogues() -> None:
    assert is_catalogue("lang/zh.yaml")
    assert is_catalogue("lang/pt-BR.yaml")
    assert not is_catalogue("lang/words.yaml")
    assert not is_catalogue("zh.yaml")


def test_the_later_catalogue_says_the_last_word(tmp_path: Path) -> None:
    for name, text in (("a", "texts: {wolf: Wolf, crab: Krabbe}"), ("b", "texts: {wolf: Grauwolf, deer: ~}")):
        (tmp_path / name / "lang").mkdir(parents=True)
        (tmp_path / name / "lang" / "de.yaml").write_text(text, encoding="utf-8")
    roots = [tmp_path / "a", tmp_path / "b"]
    assert catalogue_languages(roots) == ("de",)
    assert load_translations(roots, "de") == {"wolf": "Grauwolf", "crab": "Krabbe"}
    assert load_translations(roots, "ja") == {}


def test_an_entry_that_waits_to_be_looked_at_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "lang").mkdir()
    (tmp_path / "lang" / "de.yaml").write_text("texts:\n  a wolf: {was: wolf, said: Wolf}\n", encoding="utf-8")
    assert load_translations([tmp_path], "de") == {}
    catalogue = read_catalogue(open_folder(tmp_path), "de", Diagnostics())
    assert catalogue is not None
    (entry,) = catalogue.entries
    assert (entry.english, entry.was, entry.said, entry.usable) == ("a wolf", "wolf", "Wolf", False)


def test_a_catalogue_of_another_form_is_told_at_its_place(tmp_path: Path) -> None:
    (tmp_path / "lang").mkdir()
    (tmp_path / "lang" / "de.yaml").write_text("texts:\n  wolf: [Wolf]\n", encoding="utf-8")
    found = Diagnostics()
    assert read_catalogue(open_folder(tmp_path), "de", found) is None
    assert [(d.code, d.span.line) for d in found] == [("Y121", 2)]


def test_a_game_is_played_in_a_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    folder = write_garden(tmp_path)
    game = load(folder)
    assert "de" in game.languages
    state = game.new(2, seed=1)
    german = state.spoken(game.language("de"))
    assert state.names.text("snail", 1) == "ada"
    assert german.names.text("snail", 1) == "Ada"
    german.play(0)
    german.undo()
    assert german.decision.options[0].key == state.decision.options[0].key
    with pytest.raises(ValueError, match="no `xx` translation"):
        game.language("xx")


def test_a_text_of_rules_counts_as_the_language_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    told = '"{s} eats {n} {n:leaf|leaves}, {bed_plants - n} {bed_plants - n:stays|stay}"'
    key = '"{snail} eats {number} {number:leaf|leaves}, {number 2} {number 2:stays|stay}"'
    polish = f'texts: {{{key}: "{{snail}} je {{number}} {{number:liść|liście|liści}}, {{number 2}} zostaje"}}'
    folder = write_garden(tmp_path, polish, "pl", {'"{s} eats {n} {f}"': told})
    game = load(folder)
    state = game.new(2, seed=1)
    state.play(next(option for option in state.decision.options if option.action == "nibble"))
    eaten = next(event.text for event in state.log if "eats" in event.text)
    assert eaten == "ada eats 1 leaf, 7 stay"
    spoken = state.spoken(game.language("pl"))
    assert "ada je 1 liść, 7 zostaje" in [event.text for event in spoken.log]
