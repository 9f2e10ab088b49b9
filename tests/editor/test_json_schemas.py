"""`rulelang schema`: what `check` accepts fits the schemas of its game, and what it refuses for a name does not."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from rulelang.base.diagnostics import Diagnostics
from rulelang.data.yaml_reader import read_yaml_text
from tests.cli.helpers import no_traceback, run, tiny

ROOT = Path(__file__).parents[2]
POINTER = re.compile(r"# yaml-language-server: \$schema=(\S+)\n")
FILES = sorted((ROOT / "rulesets").rglob("*.yaml"))


def retrieve(uri: str) -> Any:
    return Resource.from_contents(json.loads(Path(uri.removeprefix("file://")).read_text(encoding="utf-8")))


@cache
def validator(path: Path) -> Draft202012Validator:
    registry: Registry[Any] = Registry(retrieve=retrieve)  # type: ignore[call-arg]
    return Draft202012Validator({"$ref": path.as_uri()}, registry=registry)


def mistakes(text: str, schema: Path) -> list[str]:
    root = read_yaml_text(text, "file", Diagnostics(), 0).root
    assert root is not None
    return [error.message[:200] for error in validator(schema).iter_errors(root.plain())]


def pointed(path: Path) -> Path:
    match = POINTER.match(path.read_text(encoding="utf-8"))
    assert match, f"{path}: its first line names no schema"
    return (path.parent / match[1]).resolve()


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT / "rulesets")))
def test_shipped_files_fit_the_schema_they_point_to(path: Path) -> None:
    assert mistakes(path.read_text(encoding="utf-8"), pointed(path)) == []


@pytest.mark.parametrize(
    "game", ["evolution", "origin_of_species", "darwins_choice", "darwins_choice_colossal", "evolved"]
)
def test_shipped_schemas_are_up_to_date(game: str) -> None:
    folder = ROOT / "rulesets" / game
    result = run("schema", str(folder), "--to", str(ROOT / "schemas"), "--point", "--check")
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize("game", ["guild", "pebbles", "thick_fur"])
def test_examples_fit_schemas_made_for_them(game: str, tmp_path: Path) -> None:
    assert run("schema", str(ROOT / "examples" / game), "--to", str(tmp_path)).exit_code == 0
    from rulelang.apps.editor.json_schemas import files_with_pointers

    made = files_with_pointers(ROOT / "examples" / game, game, tmp_path)
    assert made
    for path, text in made.items():
        match = POINTER.match(text)
        assert match
        assert mistakes(text, (path.parent / match[1]).resolve()) == [], path


EVOLUTION = ROOT / "schemas" / "evolution"
TRAIT = (ROOT / "rulesets" / "evolution" / "traits" / "hard_shell.yaml").read_text(encoding="utf-8")
CARDS = (ROOT / "rulesets" / "evolution" / "cards.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("schema", "text", "right", "wrong"),
    [
        ("trait", TRAIT, "phase: feeding", "phase: feedign"),
        ("trait", TRAIT, "rule: ev-trait-hard_shell-a", "rule: ev-trait-hard_shell-z"),
        ("cards", CARDS, "face: ambush", "face: ambusch"),
        ("cards", CARDS, "food: [-3, -2", "fod: [-3, -2"),
        ("cards", CARDS, "food: [-3, -2", "food: [many, -2"),
        ("scenarios", "scenarios: [{name: x, options: {bags: owner}}]", "bags: owner", "bags: ovner"),
        ("scenarios", "scenarios: [{name: x, options: {bags: owner}}]", "bags: owner", "bag: owner"),
    ],
)
def test_a_name_that_is_none_is_refused(schema: str, text: str, right: str, wrong: str) -> None:
    path = EVOLUTION / f"{schema}.schema.json"
    assert right in text
    assert mistakes(text, path) == []
    assert mistakes(text.replace(right, wrong, 1), path) != []


def test_what_look_may_speak_of_is_offered() -> None:
    made = json.loads((EVOLUTION / "components.schema.json").read_text(encoding="utf-8"))
    look = made["properties"]["look"]["properties"]
    assert {"species", "player", "game", "hand", "watering_hole", "play_trait", "feeding"} & look.keys() >= {
        "species", "player", "game", "hand", "play_trait", "feeding",
    }  # fmt: skip
    assert {"population", "body_size"} <= look["species"]["properties"]["members"]["properties"].keys()
    assert {"hinders", "hunger", "strike", "trait_limit"} <= look.keys()  # values, routines and numbers
    assert "outwitted" in look["card"]["properties"]["members"]["properties"]  # a trait keeps it on its cards
    assert "plant" in look["food"]["properties"]["rows"]["properties"]
    values = look["species"]["properties"]["order"]["items"]["anyOf"][0]["enum"]
    assert "population" in values


def test_rules_are_offered_with_their_texts() -> None:
    scenarios = json.loads((EVOLUTION / "scenarios.schema.json").read_text(encoding="utf-8"))
    rule = scenarios["$defs"]["scenario"]["properties"]["rule"]["anyOf"][0]
    assert len(rule["enum"]) == len(rule["enumDescriptions"]) > 100
    assert all(rule["enumDescriptions"])


def test_writing_checking_and_pointing(tmp_path: Path) -> None:
    folder, to = tiny(tmp_path / "tiny"), tmp_path / "schemas"
    assert run("schema", str(folder), "--to", str(to), "--check").exit_code == 1
    assert run("schema", str(folder), "--to", str(to), "--point").exit_code == 0
    assert run("schema", str(folder), "--to", str(to), "--point", "--check").exit_code == 0
    assert run("check", str(folder)).exit_code == 0
    for file in folder.rglob("*.yaml"):
        assert pointed(file).is_file(), file
    before = {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    assert "0 of them" in run("schema", str(folder), "--to", str(to), "--point").output
    assert before == {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    (folder / "things.yaml").write_text("numbers: {goal: 3, more: 4}\nkinds: {player: {attributes: {coins: 0..20}}}\n")
    result = run("schema", str(folder), "--to", str(to), "--check")
    assert result.exit_code == 1
    assert "components.schema.json is out of date" in result.output


def test_what_cannot_be_read_has_no_schema(tmp_path: Path) -> None:
    folder = tiny(tmp_path / "tiny", rules="phase earning:\n")
    result = run("schema", str(folder), "--to", str(tmp_path / "schemas"))
    no_traceback(result)
    assert result.exit_code == 1
    assert not (tmp_path / "schemas").exists()
    assert run("schema", "nowhere").exit_code == 2
    assert run("schema", "evolution", "--point", "--check").exit_code == 2
