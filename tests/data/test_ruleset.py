"""Finding and reading rulesets: manifests, files, layers, rules texts, and whatever goes wrong on the way."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from rulelang.base.diagnostics import Diagnostics
from rulelang.data import finder as finding
from rulelang.data.ruleset import load_ruleset, read_affected_texts
from rulelang.data.ruleset_source import RulesetSource
from rulelang.data.yaml_nodes import YamlMap

Write = Callable[..., Path]
MANIFEST = "id: tiny\nversion: 1.0.0\nlanguage: 1\ntitle: Tiny\nplayers: {count: [2, 4]}\n"


def good(found: tuple[RulesetSource | None, Diagnostics]) -> RulesetSource:
    source, diagnostics = found
    assert not list(diagnostics)
    assert source is not None
    assert source.complete
    return source


def places(diagnostics: Diagnostics) -> list[tuple[str, str]]:
    return [(d.code, str(d.span)) for d in diagnostics.sorted()]


@pytest.mark.parametrize("name", ["evolution", "origin_of_species", "evolved", "darwins_choice"])
def test_examples(name: str, examples: Path) -> None:
    source = good(load_ruleset(examples / name))
    assert source.id == name
    assert [layer.kind for layer in source.layers] == ["base"]
    for text in source.rules:
        span = text.placement.span(1, 1, 1, 2)
        line = source.sources[span.path].split("\n")[span.line - 1]
        assert line[span.column - 1 :].startswith(text.text.split("\n")[0])


def test_what_a_source_holds(examples: Path) -> None:
    source = good(load_ruleset(examples / "evolution"))
    assert source.title == "Evolution"
    assert [t.id for t in source.traits][:3] == ["ambush", "burrowing", "carnivore"]
    assert source.tree.keys() == ("players", "options", "numbers", "lists", "kinds", "zones", "state", "cards")
    assert source.tree.map("lists").map("food").plain() == {"rows": {"plant": {}, "meat": {}}}
    owners = {(r.owner.kind, r.owner.name) for r in source.rules}
    assert ("core", "evolution") in owners
    assert ("trait", "horns") in owners


def test_layers_with_a_mod_and_modes(examples: Path) -> None:
    source = good(load_ruleset(examples / "darwins_choice", [examples / "darwins_choice_colossal"], "kids"))
    assert [(layer.kind, layer.id, layer.of) for layer in source.layers] == [
        ("base", "darwins_choice", "darwins_choice"),
        ("mod", "colossal", "colossal"),
        ("mode", "kids", "darwins_choice"),
        ("mode", "kids", "colossal"),
    ]
    assert [sorted(layer.after) for layer in source.layers] == [[], [0], [0, 1], [0, 1, 2]]
    parts = source.tree.map("lists").map("part").map("rows")
    assert parts.keys() == ("head", "body", "legs", "double_legs", "tail", "wings", "whole")
    assert [node.layer for _, node in parts][-2:] == [0, 1]
    assert source.tree.map("numbers").text("places") == "4"
    owners = {(r.owner.kind, r.owner.name, r.owner.of, r.layer) for r in source.rules}
    assert ("card", "flood", "event", 0) in owners
    assert ("card", "tourism", "event", 1) in owners
    assert ("row", "farmland", "territory", 1) in owners
    assert ("mod", "kids", "", 3) in owners
    animals = source.tree.map("cards").map("animal").map("rows")
    assert (len(animals), animals.keys()[0]) == (480, "plains_zebra.head")
    assert {c.rule_id for c in source.citations} >= {"dc-12.4", "dc-11.1"}


def test_a_mod_finds_what_it_extends(examples: Path) -> None:
    source = good(load_ruleset(examples / "mod_of_colossal"))
    assert [layer.id for layer in source.layers] == ["darwins_choice", "colossal", "example_mod"]
    assert source.tree.map("numbers").map("park_limit").plain() == {"2": 4, "3-6": 5}


def test_a_mode_of_a_mod_alone(examples: Path) -> None:
    source = good(load_ruleset(examples / "darwins_choice_colossal", mode="epic"))
    assert source.tree.map("players").map("count").plain() == {}
    assert [node.plain() for node in source.tree.map("players").seq("count")] == [3, 4]
    row = source.tree.map("cards").map("event").map("rows").map("invaders")
    assert row.get("not_epic") is not None
    assert row.get("rules") is not None


def test_rows_without_a_name_and_columns_of_csv(write: Write) -> None:
    things = "cards:\n  card:\n    from: [a.csv, b.csv]\n    rows:\n      - {face: c}\n      - d\n"
    folder = write("tiny", {"things.yaml": things, "a.csv": "id,face\nx,a\n", "b.csv": "face\nb\n"})
    rows = good(load_ruleset(folder)).tree.map("cards").map("card").map("rows")
    assert [(key.text, node.plain()) for key, node in rows] == [
        ("x", {"face": "a"}),
        ("", {"face": "b"}),
        ("", {"face": "c"}),
        ("d", {}),
    ]


def test_hash_changes_with_files_but_not_with_scenarios(write: Write) -> None:
    files = {"a.yaml": "numbers: {n: 1}\n"}
    first = good(load_ruleset(write("tiny", files)))
    (Path("tiny") / "scenarios").mkdir()
    (Path("tiny") / "scenarios" / "s.yaml").write_text("- name: x\n", encoding="utf-8")
    second = good(load_ruleset("./tiny"))
    assert first.content_hash == second.content_hash
    assert [s.path for s in second.scenario_files] == ["tiny/scenarios/s.yaml"]
    assert good(load_ruleset(write("tiny", {"a.yaml": "numbers: {n: 2}\n"}))).content_hash != first.content_hash


def test_paths_are_absolute_outside_the_working_directory(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write("tiny", {"a.yaml": "number: 1\n"})
    (folder.parent / "elsewhere").mkdir()
    monkeypatch.chdir(folder.parent / "elsewhere")
    _, diagnostics = load_ruleset(folder)
    assert places(diagnostics) == [("Y120", f"{folder.as_posix()}/a.yaml:1:1")]


def test_zip(write: Write, tmp_path: Path) -> None:
    folder = write("tiny", {"a.yaml": "numbers: {n: 1}\ncards: {card: {from: c.csv}}\n", "c.csv": "id\nx\n"})
    with zipfile.ZipFile(tmp_path / "t.zip", "w") as archive:
        for path in folder.iterdir():
            archive.write(path, f"inner/{path.name}")
    source = good(load_ruleset(tmp_path / "t.zip"))
    assert sorted(source.sources) == ["t.zip/inner/a.yaml", "t.zip/inner/c.csv", "t.zip/inner/ruleset.yaml"]
    (tmp_path / "bad.zip").write_bytes(b"PK no zip")
    assert places(load_ruleset(tmp_path / "bad.zip")[1]) == [("Y130", f"{tmp_path}/bad.zip:1:1")]


def test_shipped_ids_and_packages(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write("tiny", {"a.yaml": "numbers: {n: 1}\n"})
    package = write("tiny_package", {"__init__.py": "", "b.yaml": "set: {numbers.n: 2}\n"})
    monkeypatch.setattr(finding, "shipped_rulesets_dir", lambda: tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path / "sub"))
    (tmp_path / "sub").mkdir()
    package.rename(tmp_path / "sub" / "tiny_package")
    assert good(load_ruleset("tiny", ["tiny_package"])).tree.map("numbers").text("n") == "2"
    _, diagnostics = load_ruleset("tinny")
    assert [(d.code, d.hint) for d in diagnostics] == [("Y130", "did you mean `tiny`?")]


@pytest.mark.parametrize(
    ("listed", "expected"),
    [
        ("[a.yaml, b.yaml]", [("Y132", "tiny/ruleset.yaml:6:17")]),
        ("[a.yaml, ../x.yaml]", [("Y133", "tiny/ruleset.yaml:6:17")]),
        ("[a.yaml, /etc/passwd]", [("Y133", "tiny/ruleset.yaml:6:17")]),
        ("[a.yaml, 'c:\\x.yaml']", [("Y133", "tiny/ruleset.yaml:6:17")]),
        ("[a.yaml, sub\\x.yaml]", [("Y133", "tiny/ruleset.yaml:6:17")]),
        ("[a.yaml, ruleset.yaml]", [("Y138", "tiny/ruleset.yaml:6:17")]),
        ("[a.yaml, x.txt]", [("Y145", "tiny/ruleset.yaml:6:17")]),
        ("[a.yaml, a.yaml]", [("Y103", "tiny/ruleset.yaml:6:17")]),
        ("[a.yaml, traits/]", [("Y132", "tiny/ruleset.yaml:6:17")]),
        ("[]", [("Y134", "tiny/a.yaml:1:1")]),
        ("a.yaml", [("Y121", "tiny/ruleset.yaml:6:8"), ("Y134", "tiny/a.yaml:1:1")]),
        ("[a.yaml, {b: c}]", [("Y121", "tiny/ruleset.yaml:6:17")]),
    ],
)
def test_include_lists(write: Write, listed: str, expected: list[tuple[str, str]]) -> None:
    folder = write("tiny", {"a.yaml": "numbers: {n: 1}\n"}, MANIFEST + f"files: {listed}\n")
    assert sorted(places(load_ruleset(folder)[1])) == sorted(expected)


def test_files_that_nothing_reads(write: Write) -> None:
    ignored = {"README.md": "", "LICENSE": "", ".git/x": "", "scenarios/a.yaml": "[]", "__pycache__/x.pyc": ""}
    nested = {"mods/mine/mod.yaml": "", "mods/mine/x.yaml": ""}
    folder = write("tiny", {"a.yaml": "numbers: {n: 1}\n", **ignored, **nested}, extra="")
    text = (folder / "ruleset.yaml").read_text(encoding="utf-8").split("files:")[0] + "files: [a.yaml]\n"
    (folder / "ruleset.yaml").write_text(text, encoding="utf-8")
    good(load_ruleset(folder))
    for name in ("extra.yaml", "traits/b.yaml", "notes.txt", "c.csv"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("x", encoding="utf-8")
    assert places(load_ruleset(folder)[1]) == [
        ("Y134", f"tiny/{name}:1:1") for name in ("c.csv", "extra.yaml", "notes.txt", "traits/b.yaml")
    ]


def test_a_listed_card_file_must_be_read(write: Write) -> None:
    folder = write("tiny", {"a.yaml": "numbers: {n: 1}\n", "c.csv": "id\nx\n"})
    assert places(load_ruleset(folder)[1]) == [("Y134", "tiny/ruleset.yaml:6:17")]
    folder = write("tiny", {"a.yaml": "cards: {card: {from: d.csv}}\n"})
    (folder / "c.csv").unlink()
    assert places(load_ruleset(folder)[1]) == [("Y132", "tiny/a.yaml:1:22")]
    folder = write("tiny", {"a.yaml": "cards: {card: {from: ../d.csv}}\n"})
    assert places(load_ruleset(folder)[1]) == [("Y133", "tiny/a.yaml:1:22")]


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_links_do_not_lead_out(write: Write, tmp_path: Path) -> None:
    (tmp_path / "secret.yaml").write_text("numbers: {n: 1}\n", encoding="utf-8")
    folder = write("tiny", {"a.yaml": ""})
    (folder / "a.yaml").unlink()
    (folder / "a.yaml").symlink_to(tmp_path / "secret.yaml")
    (folder / "loop").symlink_to(folder)
    assert places(load_ruleset(folder)[1]) == [("Y133", "tiny/ruleset.yaml:6:9")]


@pytest.mark.parametrize(
    ("manifest", "code"),
    [
        ("", "Y131"),
        ("[1]\n", "Y131"),
        ("id: [\n", "Y102"),
        ("id: tiny\n", "Y122"),
        ("id: tiny\nversion: one\nlanguage: 1\ntitle: T\nplayers: {}\nfiles: []\n", "Y136"),
        ("id: tiny\nversion: 1.0\nlanguage: 2\ntitle: T\nplayers: {}\nfiles: []\n", "Y135"),
        ("id: tiny\nversion: 1.0\nlanguage: 1\ntitle: T\nplayers: 3\nfiles: []\n", "Y121"),
        (b"\xff\xfe", "Y101"),
    ],
)
def test_bad_manifests(tmp_path: Path, manifest: str | bytes, code: str) -> None:
    (tmp_path / "ruleset.yaml").write_bytes(manifest if isinstance(manifest, bytes) else manifest.encode())
    _, diagnostics = load_ruleset(tmp_path)
    assert {d.code for d in diagnostics} == {code}


def test_no_manifest_or_two(tmp_path: Path) -> None:
    assert [d.code for d in load_ruleset(tmp_path)[1]] == ["Y131"]
    assert [d.code for d in load_ruleset(tmp_path / "nowhere")[1]] == ["Y130"]
    assert [d.code for d in load_ruleset("no such\0thing")[1]] == ["Y130"]
    for name in ("ruleset.yaml", "mod.yaml"):
        (tmp_path / name).write_text("id: x\n", encoding="utf-8")
    assert [d.code for d in load_ruleset(tmp_path)[1]] == ["Y131"]


def test_several_broken_files_are_all_reported(write: Write) -> None:
    folder = write("tiny", {"a.yaml": "a: [\n", "b.yaml": "b: 1\nb: 2\n", "c.yaml": "[1]", "d.rules": b"\xff"})
    source, diagnostics = load_ruleset(folder)
    assert [d.code for d in diagnostics.sorted()] == ["Y102", "Y120", "Y103", "Y106", "Y101"]
    assert source is not None
    assert not source.complete


def test_traits(write: Write) -> None:
    columns = "traits: {plus: {is: 0..9, default: 0}}\n"
    files = {"a.yaml": columns, "t.yaml": "trait: horns\nplus: 1\npluss: 2\n", "u.yaml": "trait: horns\n"}
    source, diagnostics = load_ruleset(write("tiny", files))
    assert places(diagnostics) == [("Y120", "tiny/t.yaml:3:1"), ("Y143", "tiny/u.yaml:1:8")]
    assert next(d.hint for d in diagnostics.sorted()) == "did you mean `plus`?"
    assert source is not None
    assert [t.id for t in source.traits] == ["horns"]


def test_folded_rules_are_refused(write: Write) -> None:
    folder = write("tiny", {"t.yaml": "trait: horns\nrules: >\n  a\n  b\n"})
    assert places(load_ruleset(folder)[1]) == [("Y123", "tiny/t.yaml:2:8")]


def test_an_unknown_mode(examples: Path) -> None:
    _, diagnostics = load_ruleset(examples / "darwins_choice", mode="kid")
    assert [(d.code, d.hint) for d in diagnostics] == [("Y139", "did you mean `kids`?")]


def test_files_of_other_modes_must_exist(write: Write) -> None:
    folder = write("tiny", {"a.yaml": "numbers: {n: 1}\n"}, extra="modes: {kids: {files: [gone.yaml]}}\n")
    assert places(load_ruleset(folder)[1]) == [("Y132", "tiny/ruleset.yaml:6:24")]


def test_every_tree_is_a_map(write: Write) -> None:
    folder = write("tiny", {"a.yaml": "lists: 3\ncards: [1]\nnumbers: x\n"})
    source, diagnostics = load_ruleset(folder)
    assert {d.code for d in diagnostics} == {"Y121"}
    assert source is not None
    assert isinstance(source.tree.map("lists"), YamlMap)


def test_what_one_file_or_another_must_say(write: Write) -> None:
    files = {"a.yaml": "zones: {deck: {seen_by: owner}, hand: {}}\n", "b.yaml": "zones: {deck: {holds: card}}\n"}
    assert places(load_ruleset(write("tiny", files))[1]) == [("Y122", "tiny/a.yaml:1:33")]


def test_texts_for_drawing_without_a_source(tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text("id: [\n", encoding="utf-8")
    source, diagnostics = load_ruleset(tmp_path)
    assert source is None
    assert read_affected_texts(diagnostics) == {f"{tmp_path.as_posix()}/ruleset.yaml": "id: [\n"}
    assert read_affected_texts(load_ruleset(tmp_path / "gone")[1]) == {}


def test_slips_are_told_as_such(write: Callable[..., Path]) -> None:
    """What was meant, not what the reader of YAML makes of it."""

    def first(things: str, extra: str = "") -> tuple[str, str, str]:
        manifest = f"{MANIFEST}{extra}files: [a.yaml{', scenarios/' if not things else ''}]\n"
        _, found = load_ruleset(write("tiny", {"a.yaml": things or "numbers: {n: 1}\n"}, manifest))
        return found.sorted()[0].code, found.sorted()[0].message, found.sorted()[0].hint

    assert first("") == ("Y106", "the folder `scenarios/` cannot be listed", "leave it out")
    code, _, hint = first("options:\n  a: {values: [x, y], default: x, text: suns, or snow}\n")
    assert (code, hint) == ("Y120", 'put the text in quotes: a comma splits it; write `"suns, or snow"`')


def test_a_map_without_entries_is_called_empty(write: Callable[..., Path]) -> None:
    base = write("tiny", {"a.yaml": "numbers: {n: 1}\n"})
    mod = write("m1", {}, "id: m1\nversion: 1.0.0\nlanguage: 1\nextends: {}\nfiles: []\n")
    assert "not an empty map" in " ".join(d.message for d in load_ruleset(base, [mod])[1])


def test_all_rows_are_in_plain_data(write: Callable[..., Path]) -> None:
    """`dump --stage data` shows them: those without a name under their numbers."""
    text = "cards:\n  c:\n    columns: {n: int}\n    rows: [{n: 3}, {n: 4}, {n: 4}]\n"
    source, _ = load_ruleset(write("tiny", {"a.yaml": text}))
    assert source is not None
    assert source.tree.map("cards").map("c").map("rows").plain() == {"1": {"n": 3}, "2": {"n": 4}, "3": {"n": 4}}
