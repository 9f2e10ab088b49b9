"""`check` reports entries of a catalog that no text uses, in every language of a game or mod."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.helpers import run, tiny

#: The German texts of the tiny game, with the keys that are right.
RIGHT = {"work": "arbeiten", "rest": "ausruhen", "{player} works": "{player} arbeitet"}

COUNTED = "cards:\n  bean:\n    columns: {size: int}\n    expect: {count: 9}\n    rows: {small: {size: 1}}\n"


def reported(folder: Path) -> list[tuple[str, str, str]]:
    """Check a game: code, message and hint of each mistake."""
    found = json.loads(run("check", str(folder), "--json").output)
    items = found["games"][0]["diagnostics"]
    return [(item["code"], item["message"], item.get("hint", "")) for item in items]


@pytest.mark.parametrize("code", ["de", "fr"])
def test_a_misspelt_key_is_reported_with_the_right_one(code: str, tmp_path: Path) -> None:
    folder = tiny(tmp_path / "tiny")
    (folder / "lang").mkdir()
    for key, said in RIGHT.items():
        wrong = key.replace("wor", "wro").replace("rest", "rset")
        (folder / "lang" / f"{code}.yaml").write_text(f'texts:\n  "{wrong}": "{said}"\n', encoding="utf-8")
        ((found, message, hint),) = reported(folder)
        assert (found, message) == ("N401", f"unused translation of `{wrong}`")
        assert key in hint, hint


def test_a_right_key_is_not_reported_also_from_the_cache(tmp_path: Path) -> None:
    folder = tiny(tmp_path / "tiny")
    (folder / "lang").mkdir()
    catalog = folder / "lang" / "de.yaml"
    catalog.write_text("texts:\n" + "".join(f'  "{k}": "{v}"\n' for k, v in RIGHT.items()), encoding="utf-8")
    assert reported(folder) == reported(folder) == []
    catalog.write_text('texts:\n  "wrok": "arbeiten"\n', encoding="utf-8")
    assert [code for code, _, _ in reported(folder)] == ["N401"]


def test_a_wrong_count_of_cards_does_not_hide_unused_entries(tmp_path: Path) -> None:
    folder = tiny(tmp_path / "tiny")
    things = folder / "things.yaml"
    things.write_text(things.read_text("utf-8") + COUNTED, encoding="utf-8")
    (folder / "lang").mkdir()
    (folder / "lang" / "de.yaml").write_text('texts:\n  "wrok": "arbeiten"\n', encoding="utf-8")
    assert sorted(code for code, _, _ in reported(folder)) == ["N401", "Y177"]
