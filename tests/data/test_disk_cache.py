"""The cache: what is kept comes back; what somebody else could have written is not read, whatever it is."""

from __future__ import annotations

import ast
import hashlib
import os
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rulelang.api import load
from rulelang.base import disk_cache
from rulelang.compiler.backends.native.build import BuildError, library_path
from rulelang.compiler.compilation import check
from tests.architecture.sources import sources
from tests.fuzz.tiny import write
from tests.native.machine import needs_compiler

pytestmark = pytest.mark.skipif(not hasattr(os, "getuid"), reason="files have no owners here")
STRANGER = 12345
GO = "routine trouble: nothing\n"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache folder that is not there yet."""
    monkeypatch.setenv("RULELANG_CACHE", str(tmp_path / "cache"))
    disk_cache.say_once.cache_clear()
    yield tmp_path / "cache"
    disk_cache.say_once.cache_clear()


class Harm:
    """A pickle that leaves a mark when it is read."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return os.mkdir, (str(self.mark),)


def harmful(mark: Path) -> bytes:
    """An entry that is well formed and does harm."""
    data = pickle.dumps(Harm(mark))
    return b"rulelang1\n" + hashlib.sha256(data).digest() + data


def given_away(path: Path) -> None:
    """As if somebody else had put it there: his own if we may say so, else one that the group may write to."""
    if os.getuid() == 0:
        os.chown(path, STRANGER, STRANGER)
    else:
        path.chmod(0o664 if path.is_file() else 0o775)


def every_entry(cache: Path) -> list[Path]:
    return sorted(path for path in cache.rglob("*") if path.is_file())


def used(folder: Path) -> None:
    """Use all that looks into the cache: a check, and a table."""
    assert not check(folder)[1].failed
    assert load(folder).new(2, 1).decision.options


def test_what_is_kept_comes_back(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert disk_cache.load("things", "a") is None
    disk_cache.store("things", "a", {"x": 1})
    assert disk_cache.load("things", "a") == {"x": 1}
    file = cache / "things" / "a"
    whole = file.read_bytes()
    file.write_bytes(whole[:-1] + b"?")
    assert disk_cache.load("things", "a") is None
    file.write_bytes(whole)
    assert disk_cache.load("things", "a") == {"x": 1}
    for number in range(disk_cache.MOST_ENTRIES + 9):
        disk_cache.store("things", str(number), number)
    assert len(list(file.parent.iterdir())) == disk_cache.MOST_ENTRIES
    monkeypatch.setenv("RULELANG_CACHE", os.devnull)
    disk_cache.store("things", "a", 1)
    assert disk_cache.load("things", "a") is None


@pytest.mark.parametrize("umask", [0o000, 0o002, 0o077])
def test_what_is_made_is_for_the_user_alone(cache: Path, umask: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULELANG_CACHE", str(cache / "deep" / "down"))
    before = os.umask(umask)
    try:
        disk_cache.store("things", "a", 1)
        assert disk_cache.load("things", "a") == 1
    finally:
        os.umask(before)
    for path in (cache, cache / "deep", cache / "deep" / "down", cache / "deep" / "down" / "things"):
        assert path.stat().st_mode & 0o777 == 0o700, path
    (file,) = every_entry(cache)
    assert file.stat().st_mode & 0o777 == 0o600


def test_nothing_of_others_is_read(cache: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every entry that a check and a table look for is replaced by one that does harm, in a foreign file."""
    folder = write(tmp_path / "tiny", GO)
    used(folder)
    entries = every_entry(cache)
    assert {path.parent.name for path in entries} >= {"checks", "tables"}
    assert capsys.readouterr().err == ""
    for path in entries:
        path.write_bytes(harmful(tmp_path / "mark"))
        given_away(path)
    used(folder)
    assert not (tmp_path / "mark").exists()
    told = capsys.readouterr().err.splitlines()
    assert len(told) == len(set(told)) >= 2
    assert all("belongs to another user, or other users can write to it" in line for line in told)
    # The entries were made anew; were they ours, they would be believed.
    for path in every_entry(cache):
        path.write_bytes(harmful(tmp_path / "mark"))
    used(folder)
    assert (tmp_path / "mark").exists()


def shared_folder(cache: Path) -> None:
    for path in cache.iterdir():
        path.chmod(0o770)


def foreign_folder(cache: Path) -> None:
    for path in cache.iterdir():
        given_away(path)


def shared_root(cache: Path) -> None:
    cache.chmod(0o777)


def foreign_root(cache: Path) -> None:
    given_away(cache)


def linked_folder(cache: Path) -> None:
    for path in list(cache.iterdir()):
        path.rename(cache.parent / path.name)
        path.symlink_to(cache.parent / path.name)


def linked_file(cache: Path) -> None:
    for number, path in enumerate(every_entry(cache)):
        path.rename(cache.parent / str(number))
        path.symlink_to(cache.parent / str(number))


def pipes(cache: Path) -> None:
    for path in every_entry(cache):
        path.unlink()
        os.mkfifo(path)


WAYS = (shared_folder, foreign_folder, shared_root, foreign_root, linked_folder, linked_file, pipes)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_no_way_round_the_door(cache: Path, tmp_path: Path, way: Callable[[Path], None]) -> None:
    folder = write(tmp_path / "tiny", GO)
    used(folder)
    for path in every_entry(cache):
        path.write_bytes(harmful(tmp_path / "mark"))
    way(cache)
    used(folder)
    assert not (tmp_path / "mark").exists()


def test_a_sticky_folder_for_all_is_as_good_as_a_home(cache: Path) -> None:
    cache.mkdir()
    cache.chmod(0o1777)
    disk_cache.store("things", "a", 1)
    assert disk_cache.load("things", "a") == 1
    cache.chmod(0o777)
    assert disk_cache.load("things", "a") is None


@needs_compiler
@pytest.mark.parametrize("way", ["file", "link", "folder", "root"])
def test_no_library_of_others_is_loaded(tmp_path: Path, way: str) -> None:
    source = "int rl_answer(void);\nint rl_answer(void) { return 42; }\n"
    folder = tmp_path / "cache" / "native"
    made = library_path(source, folder)
    before = made.stat().st_ino
    if way == "file":
        given_away(made)
    elif way == "link":
        made.rename(tmp_path / "elsewhere.so")
        made.symlink_to(tmp_path / "elsewhere.so")
    elif way == "folder":
        given_away(folder)
    else:
        folder.parent.chmod(0o777)
    if way in ("folder", "root"):
        with pytest.raises(BuildError, match="other users can write"):
            library_path(source, folder)
    else:
        assert library_path(source, folder) == made
        assert not made.is_symlink()
        assert made.stat().st_ino != before


#: What runs code when it reads, and where that may be called: behind the door.
READERS = {
    "pickle": {"rulelang/base/disk_cache.py"},
    "marshal": {"rulelang/compiler/program_cache.py"},  # of what the store gave
    "shelve": set(),
    "PyDLL": {
        "rulelang/compiler/backends/native/link.py",
    },  # of what `library` gave
    "CDLL": set(),
}


def test_there_is_one_door() -> None:
    wrong = []
    for source in sources():
        for node in ast.walk(source.tree):
            if not isinstance(node, ast.Call):
                continue
            called = ast.unparse(node.func).split(".")
            if called[-1] in ("load", "loads", "Unpickler", "open", "PyDLL", "CDLL"):
                word = called[-1] if called[-1].endswith("DLL") else called[0]
                if word in READERS and source.name not in READERS[word]:
                    wrong.append(f"{source.name}:{node.lineno}: {ast.unparse(node.func)}")
            if called[-1] == "Lark" and any(keyword.arg == "cache" for keyword in node.keywords):
                wrong.append(f"{source.name}:{node.lineno}: Lark reads its cache by itself")
    assert wrong == []
