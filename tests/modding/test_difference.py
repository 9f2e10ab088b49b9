"""`rulelang mods diff`: two games compared by what they say."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from rulelang.compiler.compilation import LoadError
from rulelang.data.schema import schema_problems
from rulelang.tools.modding.difference import find_differences, two_games
from rulelang.tools.modding.unused import mod_parts
from rulelang.tools.modding.why import origin_stories
from tests.cli.helpers import run
from tests.semantics.check_pond import FILES
from tests.spec.pages import write

MOD = "id: wet\nversion: 1.0.0\nlanguage: 1\ntitle: {en: Wet}\nextends: {pond: any}\nfiles: [a.yaml, a.rules]\n"
PATCH = """\
set:
  numbers.limit: 4
  cards.tool.rows.net.cost: 5
  cards.card.rows[face=shy].food: [2]
remove: [lists.light]
numbers: {extra: 7}
"""
RULES = """\
modify hunger(any): + 1
replace routine strike(fish hunter, fish prey): bite(hunter, prey)
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write(tmp_path / "pond", FILES)
    write(tmp_path / "wet", {"mod.yaml": MOD, "a.yaml": PATCH, "a.rules": RULES})
    monkeypatch.chdir(tmp_path)
    return tmp_path


def told(where: str, *mods: str) -> list[tuple[str, str, str, str | None, str | None]]:
    found = find_differences(*two_games(where, mods))
    texts = [(item.before and item.before.text, item.after and item.after.text) for item in found]
    return [(item.section, item.name, item.how, *pair) for item, pair in zip(found, texts, strict=True)]


def test_what_a_mod_changes_is_told_by_meaning(place: Path) -> None:
    found = told("pond", "wet")
    assert ("numbers", "limit", "changed", "3", "4") in found
    assert ("numbers", "extra", "added", None, "7") in found
    assert ("cards", "tool.net.cost", "changed", "2", "5") in found
    assert ("cards", "card.rows[face=shy].food", "changed", "[3]", "[2]") in found
    assert [(name, how) for section, name, how, *_ in found if section == "lists"] == [("light", "removed")]
    assert ("modify", "modify hunger(any): + 1", "added", None, "modify hunger(any): + 1") in found
    (routine,) = [item for item in found if item[0] == "routine"]
    assert routine[1:3] == ("strike", "changed")
    assert len(found) == 7
    assert told("wet") == found  # a mod by itself: against what it extends


def test_layout_order_and_citations_are_no_difference(place: Path) -> None:
    shutil.copytree("pond", "other")
    rules = Path("other/game.rules")
    rules.write_text("#: some-rule\n" + rules.read_text(encoding="utf-8").replace("  ", "    "), encoding="utf-8")
    things = Path("other/things.yaml")
    text = things.read_text(encoding="utf-8")
    rows = ("      - {face: finned, food: [1, 2]}\n", "      - {face: shy, food: [3]}\n")
    assert rows[0] + rows[1] in text
    things.write_text(text.replace(rows[0] + rows[1], rows[1] + rows[0]), encoding="utf-8")
    assert told("pond", "other") == []
    assert "no differences" in run("mods", "diff", "pond", "other").output


def test_two_versions_of_a_game_and_of_a_mod(place: Path) -> None:
    shutil.copytree("pond", "other")
    things = Path("other/things.yaml")
    things.write_text(things.read_text(encoding="utf-8").replace("limit: 3", "limit: 9"), encoding="utf-8")
    assert told("pond", "other") == [("numbers", "limit", "changed", "3", "9")]
    assert told("other", "pond") == [("numbers", "limit", "changed", "9", "3")]
    shutil.copytree("wet", "wetter")
    Path("wetter/a.rules").write_text(RULES.replace("+ 1", "+ 2"), encoding="utf-8")
    change = ("modify hunger(any): + 1", "modify hunger(any): + 2")
    assert told("wet", "wetter") == [("modify", change[1], "changed", *change)]


def test_each_side_says_who_and_where(place: Path) -> None:
    first = find_differences(*two_games("pond", ["wet"]))[0]
    assert first.before is not None
    assert first.after is not None
    assert (first.before.by, str(first.before.span)) == ("pond 1.0.0", "pond/things.yaml:1:18")
    assert (first.after.by, str(first.after.span)) == ("wet 1.0.0", "wet/a.yaml:2:18")
    shown = run("mods", "pond", "wet", "diff").output
    assert "pond 1.0.0 -> pond 1.0.0 with wet 1.0.0" in shown
    assert "  ~ limit: 3 -> 4\n      wet 1.0.0, wet/a.yaml:2\n" in shown
    assert shown.endswith("\n2 added, 1 removed, 4 changed\n")


def test_json_fits_its_schema_and_mistakes_are_told(place: Path) -> None:
    report = json.loads(run("mods", "diff", "pond", "wet", "--json").output)
    assert schema_problems("mods", report) == []
    assert len(report["differences"]) == 7
    Path("wet/a.yaml").write_text("set: {numbers.limitt: 4}\n", encoding="utf-8")
    with pytest.raises(LoadError):
        two_games("pond", ["wet"])
    assert run("mods", "diff", "pond", "wet").exit_code == 1


def test_a_number_that_depends_on_the_players_is_one_thing(place: Path) -> None:
    shutil.copytree("pond", "other")
    things = Path("other/things.yaml")
    things.write_text(things.read_text(encoding="utf-8").replace("limit: 3", "limit: {2: 3, 3-4: 5}"), encoding="utf-8")
    assert told("pond", "other") == [("numbers", "limit", "changed", "3", "2: 3, 3-4: 5")]
    assert told("other", "pond") == [("numbers", "limit", "changed", "2: 3, 3-4: 5", "3")]


def test_rules_patched_where_they_stand(place: Path) -> None:
    """The whole of them is compared, as it is in force; the last who changed a part of one is named."""
    Path("wet/mod.yaml").write_text(MOD.replace("a.yaml, ", ""), encoding="utf-8")
    Path("wet/a.yaml").unlink()
    rules = Path("pond/game.rules").read_text(encoding="utf-8")
    Path("pond/game.rules").write_text(
        f'{rules}\nroutine drift(fish f):\n  bite(f, f)\n  tells "gone"\n', encoding="utf-8"
    )
    Path("wet/a.rules").write_text("remove drift.tells\n", encoding="utf-8")
    (found,) = find_differences(*two_games("pond", ["wet"]))
    assert found.after is not None
    assert (found.section, found.name, found.after.text) == ("routine", "drift", "routine drift(fish f): bite(f, f)")
    assert (found.after.by, str(found.after.span)) == ("wet 1.0.0", "wet/a.rules:1:1")
    (story,) = origin_stories(after := two_games("pond", ["wet"])[1], "drift")
    assert [(hand.verb, hand.by) for hand in story.hands] == [
        ("declares", "pond 1.0.0"),
        ("remove drift.tells", "wet 1.0.0"),
    ]
    assert [part.text for part in mod_parts(after)] == ["drift.tells"]
