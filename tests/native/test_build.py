"""Finding a compiler, the folder of the libraries, and what happens where there is none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rulelang.backends.native.build import LEVELS, BuildError, Compiler, library
from rulelang.backends.native.link import NativeProgram
from rulelang.backends.python.link import PythonProgram
from rulelang.base.store import say_once
from rulelang.loading import load
from tests.native.machine import needs_compiler

SOURCE = "int rl_answer(void);\nint rl_answer(void) { return 42; }\n"


def test_without_a_compiler_python_plays_and_one_line_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RULELANG_CC", "none")
    monkeypatch.setenv("RULELANG_CACHE", str(tmp_path))
    say_once.cache_clear()
    game = load("evolution")
    for players in (2, 3):
        assert isinstance(game.table(players, None, "native").program, PythonProgram)
        assert game.new(players, backend="native").decision.options
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 1
    assert "no C compiler was found" in said[0]


def test_a_compiler_that_fails(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RULELANG_CC", "/nowhere/cc")
    with pytest.raises(BuildError, match="could not be run"):
        library(SOURCE, tmp_path)
    assert not list(tmp_path.iterdir())


@needs_compiler
def test_a_library_is_made_once_and_loaded_only_from_a_private_folder(tmp_path: Path) -> None:
    folder = tmp_path / "native"
    made = library(SOURCE, folder)
    before = made.stat().st_ino
    assert library(SOURCE, folder) == made
    assert made.stat().st_ino == before
    assert [path.name for path in folder.iterdir()] == [made.name]
    if hasattr(os, "getuid"):
        made.chmod(0o722)  # others could have changed it: it is made anew
        assert library(SOURCE, folder) == made
        assert made.stat().st_ino != before
        folder.chmod(0o777)
        with pytest.raises(BuildError, match="others may write"):
            library(SOURCE, folder)


@needs_compiler
def test_a_longer_text_is_optimised_less() -> None:
    compiler = Compiler("cc", ("cc", "-shared", "-O2"))
    assert [compiler.command_for(" " * size) for size, _ in LEVELS] == [
        ("cc", "-shared", level) for level in ("-O2", "-O1", "-Og")
    ]
    assert Compiler("tcc", ("tcc", "-shared")).command_for(" " * 1_000_000) == ("tcc", "-shared")


def test_a_broken_text_is_told(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="failed: "):
        library("int rl_answer(void) { return ; }}\n", tmp_path)


@needs_compiler
def test_a_new_game_on_the_native_backend() -> None:
    game = load("evolution")
    one, other = game.new(3, seed=4, backend="native"), game.new(3, seed=4)
    assert isinstance(game.table(3, None, "native").program, NativeProgram)
    for _ in range(30):
        assert one.hash() == other.hash()
        assert [o.text for o in one.decision.options] == [o.text for o in other.decision.options]
        one.play(len(one.decision.options) // 2)
        other.play(len(other.decision.options) // 2)
    assert [str(line) for line in one.log] == [str(line) for line in other.log]
    assert game.restore(one.save()).hash() == game.restore(one.save(), backend="native").hash() == one.hash()
