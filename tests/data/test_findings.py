"""What outsiders ran into with mods over a shipped game: each patch means what it says, whoever else is loaded."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rulelang.compiler.compilation import Compilation
from rulelang.data.ruleset import load_ruleset
from rulelang.data.ruleset_source import RulesetSource

Mod = Callable[..., Path]


@pytest.fixture
def mod(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Mod:
    """`mod("a1", "set: ...")` makes a mod over Evolution of one file of patches."""
    monkeypatch.chdir(tmp_path)

    def make(name: str, text: str, file: str = "t.yaml") -> Path:
        folder = tmp_path / name
        folder.mkdir()
        head = f"id: {name}\nversion: 1.0.0\nlanguage: 1\ntitle: {{en: {name}}}\n"
        manifest = f'{head}extends: {{evolution: ">=1.0, <2"}}\nfiles: [{file}]\n'
        (folder / "mod.yaml").write_text(manifest, encoding="utf-8")
        (folder / file).write_text(text, encoding="utf-8")
        return folder

    return make


def foods(source: RulesetSource | None) -> dict[str, int]:
    """By face: how many cards there are."""
    assert source is not None
    rows = source.tree.map("cards").map("card").map("rows")
    return {row.text("face") or "": len(row.seq("food")) for _, row in rows if hasattr(row, "seq")}


def errors(where: list[Path]) -> list[str]:
    compilation = Compilation("evolution", where)
    found = [*compilation.read[1], *compilation.declared[1], *compilation.typed[1]]
    return [d.code for d in found if d.severity == "error"]


def test_a_mod_that_takes_a_row_out_redirects_no_other(mod: Mod) -> None:
    taking = mod("a1", 'remove: ["cards.card.rows[2]"]\n')
    setting = mod("b1", "set:\n  cards.card.rows[13].food: [1, 2]\n")
    alone = foods(load_ruleset("evolution", [setting])[0])
    both = foods(load_ruleset("evolution", [taking, setting])[0])
    assert alone["long_neck"] == both["long_neck"] == 2
    assert (alone["pack_hunting"], both["pack_hunting"]) == (7, 7)
    assert set(alone) - set(both) == {"ambush"}


def test_numbers_are_those_of_the_layer_below(mod: Mod) -> None:
    text = 'remove: ["cards.card.rows[12]", traits.intelligence]\nset:\n  cards.card.rows[13].food: [1, 2]\n'
    found = foods(load_ruleset("evolution", [mod("m2", text)])[0])
    assert (found["long_neck"], found["pack_hunting"], "intelligence" in found) == (2, 7, False)


def test_a_row_that_is_taken_out_is_not_set_as_well(mod: Mod) -> None:
    """Its number means that row in the whole mod, and what moves up is not meant."""
    text = 'remove: ["cards.card.rows[12]", traits.intelligence]\nset:\n  cards.card.rows[12].food: [1, 2]\n'
    diagnostics = load_ruleset("evolution", [mod("m1", text)])[1]
    assert [d.code for d in diagnostics if d.severity == "error"] == ["Y142"]
    assert any("row numbers refer to the rows before" in d.because for d in diagnostics)


def test_what_is_removed_is_declared_anew_by_the_same_mod(mod: Mod) -> None:
    text = "remove: [cards.card.rows]\ncards:\n  card:\n    rows:\n      - {face: horns, food: [1, 2, 3]}\n"
    folder = mod("m3", text)
    assert foods(load_ruleset("evolution", [folder])[0]) == {"horns": 3}
    assert errors([folder]) == []
    folder = mod("m5", "remove: [lists.food]\nlists:\n  food: [plant, meat, egg]\n")
    assert errors([folder]) == []


def test_replace_states_the_whole_head(mod: Mod) -> None:
    rules = "replace routine reveal_food: watering_hole += 1\n"
    assert errors([mod("m4", rules, "t.rules")]) == ["W503"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("texts:\n  wolf: loup\nhare: lièvre\n  bear: ours\n", "Y102"),
        ("texts:\n  wolf: loup\nhare: lièvre\n", "Y120"),
        ("text:\n  wolf: loup\n", "Y120"),
    ],
)
def test_a_catalogue_that_cannot_be_read_is_told(write: Callable[..., Path], text: str, code: str) -> None:
    """One line too far out, and not a word was translated: nobody said so."""
    base = write("tiny", {"base.yaml": "numbers: {eras: 4}\n"})
    (base / "lang").mkdir()
    (base / "lang" / "fr.yaml").write_text(text, encoding="utf-8")
    source, diagnostics = load_ruleset(base)
    assert source is not None
    assert code in [d.code for d in diagnostics]
    path = str(base / "lang" / "fr.yaml")
    (found,) = {d.span.path for d in diagnostics}
    assert (Path(found).resolve(), source.sources[found]) == (Path(path).resolve(), text)
