"""A check from the disk cache says what a check without a cache says, whatever changed between the two."""

from __future__ import annotations

import os
import random
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from rulelang.apps.cli.checking import other_findings
from rulelang.base.diagnostics import Diagnostic
from rulelang.compiler.compilation import Compilation
from rulelang.data.folders import LOCKED
from tests.hostile import base
from tests.hostile.cases import reef

LISTED = "mods: [silt]\n"
LOCK = "lock: 1\ngame: {id: reef, version: 9.9.9}\nmods: [silt]\n"
CHALK = b"id: chalk\nversion: %d.0.0\nlanguage: 1\ntitle: Chalk\nextends: {reef: '>=1'}\nfiles: []\n"
TRAIT = b"trait: new\nrules: |\n  modify gain(self): + 1\n"


class Shelf:
    """A game, a mod of it that needs a neighbour, a list of mods, and changes to them of all kinds."""

    def __init__(self, home: Path, chance: random.Random) -> None:
        self.home, self.chance, self.last = home, chance, ""
        self.whole = {f"reef/{name}": data for name, data in reef().items()}
        silt = {**base.MOD, "mod.yaml": base.MOD["mod.yaml"].replace("extends: {", "extends: {chalk: '>=2', ")}
        self.whole |= {f"silt/{name}": text.encode() for name, text in silt.items()}
        self.whole |= {"chalk/mod.yaml": CHALK % 2, "wanted.yaml": LISTED.encode()}
        self.restore()

    def restore(self) -> None:
        for place in self.home.iterdir():
            if place.is_dir() and not place.is_symlink():
                shutil.rmtree(place)
            else:
                place.unlink()
        for name, data in self.whole.items():
            self.write(name, data)

    def write(self, name: str, data: bytes) -> None:
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        self.clear(path)
        path.write_bytes(data)

    @staticmethod
    def clear(path: Path) -> None:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)

    def change(self) -> str:
        """Make one change to one file, or undo the last one; returns which."""
        if self.last and self.chance.random() < 0.5:
            last, self.last = self.last, ""
            if (self.home / last).parent.is_dir():
                self.write(last, self.whole[last])
            return f"{last}: repaired"
        name = self.last = self.chance.choice(sorted(self.whole))
        path, data = self.home / name, self.whole[name]
        kinds: dict[str, Callable[[], object]] = {
            "whole": lambda: self.write(name, data),
            "gone": lambda: self.clear(path),
            "a folder": lambda: (self.clear(path), path.mkdir()),
            "a pipe": lambda: (self.clear(path), os.mkfifo(path)),
            "a link out": lambda: (self.clear(path), path.symlink_to("/etc/hostname")),
            "a link to nothing": lambda: (self.clear(path), path.symlink_to("nothing")),
            "a link to itself": lambda: (self.clear(path), path.symlink_to(path)),
            "a link to a neighbour": lambda: (self.clear(path), path.symlink_to(self.home / "wanted.yaml")),
            "no text": lambda: self.write(name, b"\xff\xfe" + data),
            "cut": lambda: self.write(name, data[: len(data) // 2]),
            "too large": lambda: (self.write(name, data), os.truncate(path, 9 * 2**20)),
            "unreadable": lambda: (self.write(name, data), path.chmod(0)),
            "changed": lambda: self.write(name, data.replace(b"1", b"3")),
            "another file": lambda: self.write(f"{name.split('/')[0]}.new/{path.name}", data),
            "a new trait": lambda: self.write(
                "reef/traits/new.yaml", b"trait: new\nrules: |\n  modify gain(self): + 1\n"
            ),
            "a zip": lambda: self.packed(self.chance.choice((1, 2, 3))),
            "an older neighbour": lambda: self.write("chalk/mod.yaml", CHALK % 1),
            "a newer neighbour": lambda: self.write("other/mod.yaml", CHALK % 5),
            "a lock": lambda: self.write("reef.lock", LOCK.encode()),
            "all as it was": self.restore,
        }
        kind = self.chance.choice(sorted(kinds))
        if path.parent.is_dir() and not path.parent.is_symlink():
            kinds[kind]()
        return f"{name}: {kind}"

    def packed(self, version: int) -> None:
        self.clear(self.home / "chalk.zip")
        with zipfile.ZipFile(self.home / "chalk.zip", "w") as archive:
            archive.writestr("mod.yaml", CHALK % version)


Said = tuple[list[Diagnostic], object, object]


def said(game: str, mods: tuple[str, ...]) -> Said:
    compilation = Compilation(game, mods)
    checked = compilation.checked
    more = other_findings(compilation) if checked.roots else None
    return list(checked.diagnostics), checked.sources, more and (more.counts, more.mistakes, more.sources)


def compare(home: Path, cache: Path, seed: int, steps: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """Change and check again; returns how many checks found mistakes."""
    shelf, failed = begun(home, monkeypatch, seed), 0
    done: list[str] = []
    for _ in range(steps):
        for game, mods in (("reef", ("./silt",)), ("reef", ("wanted.yaml",)), ("reef", (LOCKED,)), ("./silt", ())):
            monkeypatch.setenv("RULELANG_CACHE", str(cache))
            warm = said(game, mods)
            monkeypatch.setenv("RULELANG_CACHE", os.devnull)
            assert warm == said(game, mods), (game, mods, done)
            failed += bool(warm[0])
        done.append(shelf.change())
    return failed


@pytest.mark.parametrize("seed", range(2))
def test_few_changes(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert compare(tmp_path / "shelf", tmp_path / "cache", seed, 10, monkeypatch) > 3


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10, 16))
def test_many_changes(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert compare(tmp_path / "shelf", tmp_path / "cache", seed, 60, monkeypatch) > 3


def begun(home: Path, monkeypatch: pytest.MonkeyPatch, seed: int = 0) -> Shelf:
    """A shelf in the current folder, away from the cache: a new folder next to it would count as a change."""
    home.mkdir()
    monkeypatch.chdir(home)
    return Shelf(home, random.Random(seed))


def test_a_manifest_that_is_repaired(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULELANG_CACHE", str(tmp_path / "cache"))
    shelf = begun(tmp_path / "shelf", monkeypatch)
    manifest = shelf.whole["silt/mod.yaml"]
    for broken in (b"id: [silt\n", b"\xff", b"", b"[]\n"):
        shelf.write("silt/mod.yaml", broken)
        assert said("reef", ("./silt",))[0], broken
        shelf.write("silt/mod.yaml", manifest)
        assert not said("reef", ("./silt",))[0], broken


def test_a_neighbour_that_becomes_the_one_that_fits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Folders keep their names: only the manifest of a folder that was not used changes."""
    monkeypatch.setenv("RULELANG_CACHE", str(tmp_path / "cache"))
    shelf = begun(tmp_path / "shelf", monkeypatch)
    shelf.write("chalk/mod.yaml", CHALK % 1)
    shelf.write("other/mod.yaml", CHALK % 0)
    assert said("reef", ("./silt",))[0]
    shelf.write("other/mod.yaml", CHALK % 2)
    assert not said("reef", ("./silt",))[0]
