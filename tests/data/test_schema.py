"""Schemas: every mistake at the line and column of the guilty key or value, in plain words."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.wording import did_you_mean, nearest_name
from rulelang.data.folders import schema_dir, shipped_rulesets_dir
from rulelang.data.schema import check_schema, load_schemas, schema_problems
from rulelang.data.yaml_reader import read_yaml


def check(name: str, text: str) -> list[tuple[str, int, int, str]]:
    diagnostics = Diagnostics()
    file = read_yaml(text.encode(), "f.yaml", diagnostics)
    check_schema(name, file, diagnostics)
    return [(d.code, d.span.line, d.span.column, d.message) for d in diagnostics.sorted()]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("components", "numbres: {a: 1}\n", ("Y120", 1, 1, "unknown key `numbres`")),
        (
            "components",
            "zones:\n  deck: {holds: card, seen_buy: owner}\n",
            ("Y120", 2, 23, "unknown key `seen_buy` in `deck`"),
        ),
        (
            "components",
            "zones:\n  deck: {holds: card, seen_by: ownr}\n",
            ("Y121", 2, 32, "`seen_by` must be nobody, owner, everyone, or option.NAME, not the text `ownr`"),
        ),
        ("ruleset", "modes:\n  kids: {text: x}\n", ("Y122", 2, 3, "missing key `files` in `kids`")),
        (
            "components",
            "numbers:\n  eras: four\n",
            (
                "Y121",
                2,
                9,
                "`eras` must be a whole number, a list of them, or a map by number of players, not the text `four`",
            ),
        ),
        (
            "components",
            "numbers:\n  eras: 1.5\n",
            (
                "Y121",
                2,
                9,
                "`eras` must be a whole number, a list of them, or a map by number of players, not the number 1.5",
            ),
        ),
        ("components", "numbers:\n  eras: {two: 1}\n", ("Y121", 2, 10, "`two` is not a valid key here")),
        ("components", "numbers:\n  1eras: 1\n", ("Y121", 2, 3, "`1eras` is not a valid key here")),
        (
            "components",
            "cards:\n  card:\n    rows:\n      wolf: 3\n",
            ("Y121", 4, 13, "`wolf` must be a row: a map from column to value, not the number 3"),
        ),
        (
            "components",
            "cards:\n  card:\n    rows:\n      wolf:\n        rules: 3\n",
            ("Y121", 5, 16, "`rules` must be a block of rules, not the number 3"),
        ),
        (
            "components",
            "kinds:\n  species:\n    line: 1\n",
            ("Y121", 3, 11, "`line` must be true or false, not the number 1"),
        ),
        ("components", "state: [a]\n", ("Y121", 1, 8, "`state` must be a map from name to type, not a list")),
        (
            "components",
            "lists:\n  a:\n    - b\n    - 3\n",
            ("Y121", 4, 7, "an item of `a` must be a name, not the number 3"),
        ),
        ("cards", "numbers: {a: 1}\n", ("Y122", 1, 1, "missing key `cards`")),
        (
            "ruleset",
            "id: x\nversion: 1\nlanguage: 1\ntitle: X\nfiles: []\n",
            ("Y122", 1, 1, "missing key `players`"),
        ),
        (
            "ruleset",
            "id: a b\nversion: 1\nlanguage: 1\ntitle: X\nplayers: {}\nfiles: []\n",
            (
                "Y121",
                1,
                5,
                "`a b` is not valid as an id: letters, digits, `_` and `-`, beginning with a letter",
            ),
        ),
        (
            "mod",
            "id: x\nversion: 1\nlanguage: 1\nextends: {a: 1}\nfiles: []\n",
            ("Y121", 4, 14, '`a` must be a range of versions in quotes, such as ">=1.0, <2", not the number 1'),
        ),
        (
            "trait",
            "trait: horns\nrules:\n  - a\n",
            ("Y121", 3, 3, "`rules` must be a block of rules, not a list"),
        ),
        (
            "trait",
            "trait: horns\npair: both\n",
            ("Y121", 2, 7, "`pair` must be `mutual` or `directed`, not the text `both`"),
        ),
        ("scenarios", "- nam: x\n", ("Y120", 1, 3, "unknown key `nam`")),
        (
            "replay",
            "format: 2\nruleset: x\nseed: 1\nplayers: 2\nchoices: []\n",
            ("Y121", 1, 9, "`format` must be `1`, not the number 2"),
        ),
    ],
)
def test_mistakes(name: str, text: str, expected: tuple[str, int, int, str]) -> None:
    assert expected in check(name, text)


def test_all_mistakes_in_one_run() -> None:
    text = "numbers: {a: x}\nzones: {z: 1}\nkind: {}\n"
    assert [(code, line) for code, line, *_ in check("components", text)] == [("Y121", 1), ("Y121", 2), ("Y120", 3)]


def test_a_key_that_stands_further_in() -> None:
    diagnostics = Diagnostics()
    check_schema("scenarios", read_yaml(b"- name: x\n  dice: [1]\n", "f.yaml", diagnostics), diagnostics)
    assert [item.hint for item in diagnostics] == ["it belongs below `given:`"]


def test_the_nearest_key_is_named() -> None:
    diagnostics = Diagnostics()
    check_schema("components", read_yaml(b"zone: {}\n", "f.yaml", diagnostics), diagnostics)
    assert [d.hint for d in diagnostics] == ["did you mean `zones`?"]


def test_schemas_are_schemas_and_their_references_resolve() -> None:
    names = {"ruleset", "mod", "components", "cards", "rows", "trait", "scenarios", "replay", "view", "modlist"}
    assert names <= set(load_schemas())
    for name, schema in load_schemas().items():
        Draft202012Validator.check_schema(schema)
        assert schema["title"], name
        assert schema["description"], name
        for reference in _references(schema):
            file, _, pointer = reference.partition("#")
            target = load_schemas()[file.removesuffix(".schema.json")] if file else schema
            for step in pointer.strip("/").split("/") if pointer else []:
                target = target[step]


def _references(node: object) -> list[str]:
    if isinstance(node, dict):
        own = [node["$ref"]] if isinstance(node.get("$ref"), str) else []
        return own + [r for value in node.values() for r in _references(value)]
    return [r for value in node for r in _references(value)] if isinstance(node, list) else []


def test_examples_fit(examples: Path) -> None:
    for path in sorted(examples.rglob("*.yaml")):
        diagnostics = Diagnostics()
        file = read_yaml(path.read_bytes(), str(path), diagnostics)
        name = {"ruleset.yaml": "ruleset", "mod.yaml": "mod"}.get(path.name)
        name = name or ("trait" if path.parent.name == "traits" else "components")
        check_schema(name, file, diagnostics)
        assert not list(diagnostics)


def test_places() -> None:
    assert json.loads((schema_dir() / "trait.schema.json").read_text(encoding="utf-8"))["title"] == "Trait"
    assert shipped_rulesets_dir().name in ("rulesets", "_rulesets")


def test_the_outcome_is_cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second check gives the same mistakes, for the path it is asked for, and does not import jsonschema."""
    monkeypatch.setenv("RULELANG_CACHE", str(tmp_path))
    first = check("components", "zone: {}\n")
    entries = list((tmp_path / "schema").iterdir())
    assert len(entries) == 1
    assert check("components", "zone: {}\n") == first
    program = (
        "import sys\n"
        "from rulelang.base.diagnostics import Diagnostics\n"
        "from rulelang.data.schema import check_schema\n"
        "from rulelang.data.yaml_reader import read_yaml\n"
        "d = Diagnostics()\n"
        "check_schema('components', read_yaml(b'zone: {}\\n', 'other.yaml', d), d)\n"
        "print([str(x.span) for x in d], 'jsonschema' in sys.modules)\n"
    )
    root = Path(__file__).resolve().parents[2]
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=root, check=True)
    assert ran.stdout == "['other.yaml:1:1'] False\n"
    entries[0].write_text("broken", encoding="utf-8")
    assert check("components", "zone: {}\n") == first


def test_json_data() -> None:
    replay = {"format": 1, "ruleset": "x", "seed": 1, "players": 2, "choices": ["pass", 0]}
    assert schema_problems("replay", replay) == []
    assert schema_problems("replay", {**replay, "choices": [None]})[0].startswith("choices.0: ")
    zone = {
        "count": 2,
        "cards": [{"label": "horns 3", "sort": "card", "row": "horns", "printed": {"food": 3}, "alike": ["set"]}],
    }
    player = {"seat": 1, "name": "ana", "attributes": {"bag": 1}, "zones": {"hand": zone}, "things": {"species": []}}
    view = {"format": 1, "ruleset": "x", "version": "1", "viewer": 1, "over": False, "round": 1, "phase": None}
    view |= {"players": [player], "state": {"by": [[1, 2], [3]]}, "zones": {}, "tables": {"t": [[1], [2]]}}
    view |= {"decision": {"player": 1, "prompt": "?", "kind": "choose", "options": ["pass"]}, "lists": {}}
    assert schema_problems("view", view) == []
    assert schema_problems("view", {**view, "deck": [1]})[0].startswith("top: ")


def test_a_text_of_one_language_that_a_comma_splits_is_told_once() -> None:
    diagnostics = Diagnostics()
    file = read_yaml(b"trait: shell\ntext: {en: suns, or snow}\n", "f.yaml", diagnostics)
    check_schema("trait", file, diagnostics)
    assert [(d.code, d.span.column, d.hint) for d in diagnostics] == [
        ("Y121", 18, 'put the text in quotes: a comma splits it; write `"suns, or snow"`')
    ]


def test_a_word_that_is_known_is_never_offered_in_its_own_place() -> None:
    assert nearest_name("shows", ["shows", "show"]) is None
    assert did_you_mean("shows", iter(["shows"])) == ""
    assert did_you_mean("shws", ["shows"]) == "did you mean `shows`?"
