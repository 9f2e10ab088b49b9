"""Each edit costs what it changes: what is not read, parsed and checked again."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from rulelang.incremental import Incremental
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
