"""Each edit costs what it changes: what is not read, parsed and checked again."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from rulelang.base.disk_cache import cache_dir
from rulelang.base.memo import Memo
from rulelang.compiler.compilation import Compilation
from rulelang.language.semantics.cards import expand_cards
from rulelang.tools.incremental import Incremental
from tests.properties.games import ROOT


@pytest.fixture
def origin(tmp_path: Path) -> Incremental:
    session = Incremental(shutil.copytree(ROOT / "rulesets" / "origin_of_species", tmp_path / "origin_of_species"))
    assert session.check().diagnostics == ()
    return session


def edit(session: Incremental, name: str, old: str, new: str) -> None:
    path = Path(session.where) / name
    text = session.held.get(str(path), path.read_bytes()).decode()
    assert old in text
    session.update(path, text.replace(old, new, 1))


def test_nothing_is_done_for_what_did_not_change(origin: Incremental) -> None:
    origin.check()
    assert origin.memo.done == {}
    assert origin.memo.spared["yaml"] > 15


def test_a_trait_is_read_and_parsed_alone(origin: Incremental) -> None:
    edit(origin, "traits/burrowing.yaml", "forbid", "forbit")
    (mistake,) = origin.check().diagnostics
    assert mistake.span.path.endswith("burrowing.yaml")
    assert origin.memo.done["yaml"] == origin.memo.done["rules"] == 1


def test_a_held_text_stands_in_the_place_of_a_file(origin: Incremental) -> None:
    path = Path(origin.where) / "traits" / "new.yaml"
    origin.update(path, "trait: new\nname: {en: New}\ntext: {en: Nothing yet.}\nrules: |\n  modify nothing(self): +1\n")
    assert [item.code for item in origin.check().diagnostics] == ["W500"]
    origin.update(path, None)
    assert origin.check().diagnostics == ()


def declarations_checked(session: Incremental) -> int:
    return session.memo.done.get("declarations", 0)


def test_a_changed_body_is_a_matter_of_that_body(origin: Incremental) -> None:
    edit(origin, "traits/burrowing.yaml", "when self is fed", "unless self is fed")
    assert origin.check().diagnostics == ()
    assert declarations_checked(origin) == 1


def test_of_a_file_of_rules_only_the_changed_declaration_is_parsed(origin: Incremental) -> None:
    edit(origin, "game.rules", "red food is added to the food base", "red food is added to the  food base")
    origin.check()
    assert origin.memo.done["rules"] == 1
    assert origin.memo.done["declarations read"] == 1
    assert declarations_checked(origin) == 1


def test_a_changed_signature_is_a_matter_of_those_who_ask_for_it(origin: Incremental) -> None:
    """The last declaration of the file, so that no other moves."""
    rules = Path(origin.where) / "game.rules"
    text = rules.read_text("utf-8")
    origin.update(rules, f"{text}\nvalue told(animal s) -> int: 2\n")
    edit(origin, "traits/burrowing.yaml", "when self is fed", "when told(self) == 2")
    assert origin.check().diagnostics == ()
    origin.update(rules, f"{text}\nvalue told(animal s) -> bool: true\n")
    (mistake,) = origin.check().diagnostics
    assert mistake.span.path.endswith("burrowing.yaml")
    assert declarations_checked(origin) == 2  # the value, and the hook that asks for it
    origin.update(rules, f"{text}\nvalue said(animal s) -> bool: true\n")
    (mistake,) = origin.check().diagnostics
    assert mistake.code == "N356"
    assert declarations_checked(origin) == 2


def test_scenarios_are_checked_again_where_they_read_what_has_changed(origin: Incremental) -> None:
    assert origin.scenarios().diagnostics == ()
    whole = origin.memo.done["scenarios"]
    assert whole > 100
    edit(origin, "traits/burrowing.yaml", "when self is fed", "unless self is fed")
    assert origin.check().diagnostics == origin.scenarios().diagnostics == ()
    assert origin.memo.done["scenarios"] == 4  # those in the file, which was read anew
    edit(origin, "scenarios/hunting.yaml", "rule: ", "rule:  ")
    assert origin.check().diagnostics == origin.scenarios().diagnostics == ()
    assert 4 < origin.memo.done["scenarios"] < whole / 2


def test_a_renamed_action_is_told_in_scenarios(origin: Incremental) -> None:
    origin.scenarios()
    edit(origin, "game.rules", "action take_food", "action have_food")
    codes = {item.code for item in (*origin.check().diagnostics, *origin.scenarios().diagnostics)}
    assert codes


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other workers write into the one that tests share."""
    monkeypatch.setenv("RULELANG_CACHE", str(tmp_path / "cache"))


def test_what_is_half_typed_is_not_kept_on_the_disk(own_cache: None, origin: Incremental) -> None:
    def kept() -> list[Path]:
        return sorted(path for path in cache_dir().rglob("*") if path.is_file())

    before = kept()
    edit(origin, "traits/burrowing.yaml", "forbid", "forbit")
    origin.check()
    origin.scenarios()
    edit(origin, "traits/burrowing.yaml", "rules:", "rulez:")  # which does not fit the schema
    assert any(item.code == "Y120" for item in origin.check().diagnostics)
    origin.scenarios()
    assert kept() == before


def test_modes_share_the_rows_that_they_leave_alone() -> None:
    game, memo = ROOT / "rulesets" / "darwins_choice_colossal", Memo(again=False)
    one = Compilation(game, memo=memo).model
    read = memo.done["rows"]
    other = Compilation(game, mode="epic", memo=memo).model
    assert memo.done["rows"] < 1.2 * read
    mine, theirs = (expand_cards(model, lambda bound: 2).cards for model in (one, other))
    assert mine[1:100] == theirs[1:100]
    assert all(a is b for a, b in zip(mine[1:100], theirs[1:100], strict=True))
