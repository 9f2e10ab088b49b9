"""`rulelang mods list`, `pack` and `lock`; and `--locked`, which holds to a lock."""

from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path

import pytest

from rulelang.compiler.compilation import Compilation, LoadError
from rulelang.data.schema import schema_problems
from rulelang.tools.modding.listing import list_layers, lock, pack
from tests.cli.helpers import run, tiny

MOD = (
    "id: {id}\nversion: {version}\nlanguage: 1\ntitle: {{en: {id}}}\nextends: {{{extends}}}\n{extra}files: [{files}]\n"
)


def mod(
    place: Path, name: str, extra: str = "", extends: str = "tiny: ''", version: str = "1.0.0", text: str = ""
) -> Path:
    folder = place / name
    folder.mkdir(parents=True, exist_ok=True)
    files = "a.yaml" if text else ""
    manifest = MOD.format(id=name, version=version, extends=extends, extra=extra, files=files)
    (folder / "mod.yaml").write_text(manifest, encoding="utf-8")
    if text:
        (folder / "a.yaml").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game with three mods in its folder `mods/`, beside which one stands."""
    home = tiny(tmp_path / "tiny")
    mod(home / "mods", "wet", text="set: {numbers.goal: 4}\n", extends="tiny: '>=1.0, <2'")
    mod(home / "mods", "dry", "after: {wet: '>=1'}\n", text="set: {numbers.goal: 5}\n")
    mod(home / "mods", "both", "optional: [dry]\n", "tiny: '', wet: ''")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_list_says_why_each_stands_where_it_does(place: Path) -> None:
    found = list_layers("tiny", ["dry", "both"])
    assert [(layer.number, layer.id, layer.given, layer.needed_by) for layer in found] == [
        (0, "tiny", 0, ""),
        (1, "wet", 0, "both"),
        (2, "dry", 1, ""),
        (3, "both", 2, ""),
    ]
    shown = run("mods", "tiny", "dry", "both").output
    assert shown == run("mods", "list", "tiny", "dry", "--mod", "both").output
    assert "here because `both` extends it" in shown
    assert "it extends `tiny` >=1.0, <2 (tiny/mods/wet/mod.yaml:5:11)" in shown
    assert "it says `after: wet` >=1 (tiny/mods/dry/mod.yaml:6:9)" in shown
    assert "it works with `dry` (tiny/mods/both/mod.yaml:6:12)" in shown
    mod(place / "tiny" / "mods", "far")
    assert "you listed it after `far`" in run("mods", "tiny", "far,wet").output


def test_list_in_json_fits_its_schema(place: Path) -> None:
    report = json.loads(run("mods", "tiny", "dry", "both", "list", "--json").output)
    assert schema_problems("mods", report) == []
    assert [layer["id"] for layer in report["layers"]] == ["tiny", "wet", "dry", "both"]
    assert schema_problems("mods", {**report, "mods": "lists"}) != []


def test_list_tells_what_is_wrong_with_the_order(place: Path) -> None:
    mod(place / "tiny" / "mods", "wet", "conflicts: [dry]\n")
    shown = run("mods", "tiny", "wet", "dry")
    assert (shown.exit_code, "error[Y160]" in shown.output) == (1, True)


# ---- packing


def test_a_zip_is_the_same_byte_for_byte_and_reads_like_its_folder(place: Path) -> None:
    folder = place / "tiny" / "mods" / "wet"
    one = pack(folder, target="one.zip")
    for path in folder.iterdir():
        os.utime(path, (10**9, 10**9))
    (folder / ".hidden").write_text("x", encoding="utf-8")
    (folder / "notes.py").write_text("x", encoding="utf-8")
    (folder / "old.zip").write_bytes(b"x")
    two = pack(folder, target="two.zip")
    assert one.path.read_bytes() == two.path.read_bytes()
    assert one.sha256 == two.sha256
    assert zipfile.ZipFile("one.zip").namelist() == ["wet/a.yaml", "wet/mod.yaml"]
    held = [Compilation("tiny", [word]).source.content_hash for word in (str(folder), "one.zip")]
    assert held[0] == held[1]
    assert not list(Path().glob(".*.part"))


def test_only_what_is_sound_is_packed(place: Path) -> None:
    folder = place / "tiny" / "mods" / "wet"
    (folder / "a.yaml").write_text("set: {numbers.gaol: 4}\n", encoding="utf-8")
    with pytest.raises(LoadError):
        pack(folder)
    shown = run("mods", "pack", str(folder))
    assert (shown.exit_code, "did you mean `goal`?" in shown.output) == (1, True)
    (folder / "a.yaml").write_text("set: {numbers.goal: 4}\n", encoding="utf-8")
    (folder / "scenarios").mkdir()
    (folder / "scenarios" / "s.yaml").write_text("- name: x\n  given: {phase: fishing}\n", encoding="utf-8")
    assert run("mods", "pack", str(folder)).exit_code == 1
    assert not list(Path().glob("*.zip"))


def test_a_game_is_packed_without_its_mods(place: Path) -> None:
    shown = run("mods", "pack", "tiny", "-o", str(place / "tiny" / "mods")).output
    assert shown.startswith(f"{place}/tiny/mods/tiny-1.0.0.zip: tiny 1.0.0, 4 files, sha256 ")
    names = zipfile.ZipFile(place / "tiny" / "mods" / "tiny-1.0.0.zip").namelist()
    assert names == ["tiny/game.rules", "tiny/ruleset.yaml", "tiny/scenarios/work.yaml", "tiny/things.yaml"]


# ---- locks


def test_a_lock_brings_its_mods_in_their_order(place: Path) -> None:
    """And it holds from wherever one stands below it, for every source of the same files."""
    assert run("mods", "lock", "tiny", "both", "dry").output == "tiny.lock is written\n"
    assert run("check", "tiny", "--locked").exit_code == 0
    assert run("check", "tiny", "both", "dry", "--locked").exit_code == 0  # what is given twice is there once
    layers = [layer.id for layer in Compilation("tiny", ["*.lock"]).source.layers]
    assert layers == ["tiny", "wet", "dry", "both"]
    (place / "deep").mkdir()
    os.chdir(place / "deep")
    assert run("sim", "../tiny", "--locked", "-n", "2", "-p", "2", "--json").exit_code == 0
    assert '"dry": "1.0.0"' in run("sim", "../tiny", "--locked", "-n", "2", "-p", "2", "--json").output
    os.chdir(place)
    folder = place / "tiny" / "mods" / "wet"
    packed = pack(folder, target=place)
    (folder / "mod.yaml").unlink()
    text = (place / "tiny.lock").read_text(encoding="utf-8").replace('"tiny/mods/wet"', f'"{packed.path.name}"')
    (place / "tiny.lock").write_text(text, encoding="utf-8")
    assert run("check", "tiny", "--locked").exit_code == 0


@pytest.mark.parametrize("command", [["check", "tiny"], ["test", "tiny"], ["sim", "tiny", "-n", "1"], ["play", "tiny"]])
def test_what_was_locked_is_held(place: Path, command: list[str]) -> None:
    lock("tiny", ["dry"])
    file = place / "tiny" / "mods" / "dry" / "a.yaml"
    file.write_text("set: {numbers.goal: 6}\n", encoding="utf-8")
    shown = run(*command, "--locked", stdin="")
    assert shown.exit_code == 1
    assert "Y161" in shown.output
    assert "its version has not" in shown.output
    manifest = place / "tiny" / "mods" / "dry" / "mod.yaml"
    manifest.write_text(manifest.read_text(encoding="utf-8").replace("1.0.0", "1.1.0"), encoding="utf-8")
    assert "found `dry` 1.1.0, but the lock records 1.0.0" in run(*command, "--locked", stdin="").output


def test_the_game_is_held_too_and_no_other_mod_is_let_in(place: Path) -> None:
    lock("tiny", ["dry"])
    assert "the lock does not list `both`, which is also applied" in run("check", "tiny", "both", "--locked").output
    rules = place / "tiny" / "things.yaml"
    rules.write_text(rules.read_text(encoding="utf-8") + "# more\n", encoding="utf-8")
    assert "the files of `tiny` have changed" in run("check", "tiny", "--locked").output


def test_without_a_lock_nothing_is_held(place: Path) -> None:
    shown = run("check", "tiny", "--locked")
    assert shown.exit_code == 1
    assert "there is no lock `tiny.lock` here or in a parent folder" in shown.output
    lock("tiny", ["dry"])
    assert run("check", "tiny", "--locked").exit_code == 0  # what was missing is not remembered as missing


# ---- a game that changes


def test_a_new_version_of_the_game_tells_which_patches_no_longer_fit(place: Path) -> None:
    """Where the range of a mod does not hold it, at the range: what is gone; else that all is there."""
    mods = place / "tiny" / "mods"
    (mods / "wet" / "a.yaml").write_text("set:\n  numbers.goal: 4\n  numbers.gone: 4\n", encoding="utf-8")
    manifest = place / "tiny" / "ruleset.yaml"
    manifest.write_text(
        manifest.read_text(encoding="utf-8").replace("version: 1.0.0", "version: 2.0.0"), encoding="utf-8"
    )
    shown = run("check", "tiny", "wet").output
    assert "`wet` requires `tiny` >=1.0, <2, but found version 2.0.0" in shown
    assert "= because: 1 place of `wet` no longer fits: a.yaml:3" in shown
    (mods / "wet" / "a.yaml").write_text("set:\n  numbers.goal: 4\n", encoding="utf-8")
    shown = run("check", "tiny", "wet").output
    assert "everything that `wet` changes exists in this version" in shown


def test_a_lock_tells_which_patches_meet_something_else(place: Path) -> None:
    lock("tiny", ["dry", "wet"])
    assert '    met:\n      "numbers.goal": "3"\n' in (place / "tiny.lock").read_text(encoding="utf-8")
    things = place / "tiny" / "things.yaml"
    things.write_text(things.read_text(encoding="utf-8").replace("goal: 3", "goal: 7"), encoding="utf-8")
    shown = run("check", "tiny", "--locked").output
    assert "`numbers.goal` was 3 when you locked `wet`, and is 7 now" in shown
    assert "`dry` was locked" not in shown  # it meets what `wet` has set, as before
