"""Finding a compiler, the folder of the libraries, and what happens where there is none."""

from __future__ import annotations

import os
import pickle
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

import rulelang
from rulelang.api import load
from rulelang.apps.cli.main import main
from rulelang.base.disk_cache import say_once
from rulelang.base.errors import NotYet
from rulelang.compiler.backends.native.build import (
    DECISIONS,
    DECISIONS_LIMIT,
    LEVELS,
    LOOPS,
    BuildError,
    Compiler,
    library_path,
)
from rulelang.compiler.backends.native.emit import emit
from rulelang.compiler.backends.native.link import NativeProgram
from rulelang.compiler.backends.native.shared import NativeUnit
from rulelang.compiler.backends.python.link import PythonProgram
from rulelang.compiler.compilation import Compilation
from rulelang.runtime.program import NATIVE_OR_PYTHON, NATIVE_SOON
from rulelang.runtime.table import choose_options
from tests.native.machine import needs_compiler

SOURCE = "int rl_answer(void);\nint rl_answer(void) { return 42; }\n"


#: What the compiler of these tests says, and the note that is made of it.
SAID = ["rules.c: In function 'f':", "rules.c:7:1: error: too clever", "    7 | x", "      | ^", "and so on"]
TOLD = "failed: rules.c:7:1: error: too clever"


@pytest.fixture(params=["none", "fails"])
def no_library(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """A machine on which no library is made, for want of a compiler or by its fault; what is said of it."""
    compiler = tmp_path / "cc"
    compiler.write_text(f'#!/bin/sh\ncat >&2 <<"END"\n{chr(10).join(SAID)}\nEND\nexit 1\n', encoding="utf-8")
    compiler.chmod(0o700)
    monkeypatch.setenv("RULELANG_CC", "none" if request.param == "none" else str(compiler))
    monkeypatch.setenv("RULELANG_CACHE", str(tmp_path / "cache"))
    say_once.cache_clear()
    return "found no C compiler" if request.param == "none" else f"the C compiler {compiler} {TOLD}"


def test_the_native_backend_by_name_is_that_or_an_error(no_library: str) -> None:
    game = load("examples/pebbles")
    saved = game.new(2).save()
    for ask in (
        lambda: game.table(2, None, "native"),
        lambda: game.new(2, backend="native"),
        lambda: game.restore(saved, "native"),
        lambda: game.simulate(5, 2, backend="native"),
        lambda: game.simulate(500, 2, backend="native", jobs=2),
    ):
        with pytest.raises(rulelang.BuildError) as found:
            ask()
        assert str(found.value).startswith(no_library)
        assert found.value.said == (() if no_library == "found no C compiler" else ("    7 | x", "      | ^"))
        again = pickle.loads(pickle.dumps(found.value))
        assert (str(again), again.said) == (str(found.value), found.value.said)


def test_auto_plays_on_python_and_one_line_says_so(no_library: str, capsys: pytest.CaptureFixture[str]) -> None:
    for game in (load("examples/pebbles"), load("examples/pebbles")):
        assert game.simulate(1000, 2).games == 1000
        assert isinstance(game.table(2, None, NATIVE_OR_PYTHON).program, PythonProgram)
    (said,) = capsys.readouterr().err.splitlines()
    assert said.startswith(f"rulelang: {no_library}")
    assert said.endswith("; using the Python backend instead")


@needs_compiler
@pytest.mark.parametrize("jobs", [1, 2])
def test_games_begin_on_python_while_the_library_is_made(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, jobs: int
) -> None:
    """The compiler ends when somebody lets it; until then nobody waits for it, and the games are the same."""
    go, compiler = tmp_path / "go", tmp_path / "cc"
    compiler.write_text(f'#!/bin/sh\nwhile [ ! -f {go} ]; do sleep 0.01; done\nexec cc "$@"\n', encoding="utf-8")
    compiler.chmod(0o700)
    monkeypatch.setenv("RULELANG_CACHE", str(tmp_path / "cache"))
    expected = load("examples/pebbles").simulate(3000, 2, 5, backend="python").points
    monkeypatch.setenv("RULELANG_CC", str(compiler))
    game, backends = load("examples/pebbles"), []

    def progress(done: int) -> None:
        backends.append(_made(game))
        if done == 1100:
            go.touch()
            while backends[-1] is None:
                backends[-1] = _made(game)

    assert game.simulate(1000, 2, 5, jobs=jobs).points == expected[:1000]  # all of it without the library
    assert game.simulate(3000, 2, 5, jobs=jobs, progress=progress).points == expected
    assert backends[0] is None
    assert backends[1100:]
    assert all(issubclass(backend, NativeProgram) for backend in backends[1100:])
    assert len(backends) < 1200


def _made(game: rulelang.Game) -> type | None:
    """What would play next."""
    try:
        return type(game.table(2, None, NATIVE_SOON).program)
    except NotYet:
        return None


def test_sim_tells_why_there_is_no_native_backend(no_library: str) -> None:
    found = CliRunner().invoke(main, ["sim", "examples/pebbles", "-n", "5", "--players", "2", "--backend", "native"])
    assert found.exit_code == 2
    assert found.stderr.startswith(f"Error: {no_library}")
    assert "`--backend python` needs no compiler" in found.stderr


def test_a_compiler_that_fails(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RULELANG_CC", "/nowhere/cc")
    with pytest.raises(BuildError, match="could not be run"):
        library_path(SOURCE, tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(os.name != "posix", reason="elsewhere there are no groups of processes")
def test_a_compiler_that_is_given_up_ends_with_all_that_it_started(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    compiler, ticks = tmp_path / "cc", tmp_path / "ticks"
    compiler.write_text(f"#!/bin/sh\nwhile sleep 0.1; do echo >> {ticks}; done &\nwait\n", encoding="utf-8")
    compiler.chmod(0o700)
    monkeypatch.setenv("RULELANG_CC", str(compiler))
    monkeypatch.setenv("RULELANG_CC_PATIENCE", "2")
    with pytest.raises(BuildError, match="timed out after 2"):
        library_path(SOURCE, tmp_path / "cache")
    counted = ticks.stat().st_size
    time.sleep(1)
    assert 0 < counted == ticks.stat().st_size


def counting(folder: Path, fails: str) -> tuple[Path, Path]:
    """A compiler that notes each run, and fails if that shell test holds; and where it notes them."""
    runs, compiler = folder / "runs", folder / "cc"
    passed_on = 'while [ "$1" != -o ]; do shift; done; cp "$3" "$2"'
    compiler.write_text(
        f'#!/bin/sh\necho x >> {runs}\nif {fails}; then echo "error: no" >&2; exit 1; fi\n{passed_on}\n',
        encoding="utf-8",
    )
    compiler.chmod(0o700)
    return compiler, runs


def test_a_broken_compiler_is_not_run_again_for_each_text(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    compiler, runs = counting(tmp_path, "true")
    monkeypatch.setenv("RULELANG_CC", str(compiler))
    found = []
    for number in range(5):
        with pytest.raises(BuildError, match="error: no") as failed:
            library_path(f"int number = {number};\n", tmp_path / "cache")
        found.append(failed.value)
    assert len({id(error) for error in found}) == 1
    assert len(runs.read_text().splitlines()) == 2  # the first text, and the least


def test_a_text_that_fails_does_not_stop_the_others(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    compiler, runs = counting(tmp_path, "grep -q broken rules.c")
    monkeypatch.setenv("RULELANG_CC", str(compiler))
    for _ in range(2):
        with pytest.raises(BuildError, match="error: no"):
            library_path("int broken;\n", tmp_path / "cache")
    assert len(runs.read_text().splitlines()) == 2
    assert library_path("int whole;\n", tmp_path / "cache").is_file()


@needs_compiler
def test_a_library_is_made_once_and_loaded_only_from_a_private_folder(tmp_path: Path) -> None:
    folder = tmp_path / "native"
    made = library_path(SOURCE, folder)
    before = made.stat().st_ino
    assert library_path(SOURCE, folder) == made
    assert made.stat().st_ino == before
    assert [path.name for path in folder.iterdir()] == [made.name]
    if hasattr(os, "getuid"):
        made.chmod(0o722)  # others could have changed it: it is made anew
        assert library_path(SOURCE, folder) == made
        assert made.stat().st_ino != before
        folder.chmod(0o777)
        with pytest.raises(BuildError, match="other users can write to it"):
            library_path(SOURCE, folder)


@needs_compiler
def test_a_longer_text_is_optimised_less(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RULELANG_CC_LEVEL")
    compiler = Compiler("cc", ("cc", "-shared", "-O2"))
    assert [compiler.command_for(" " * size) for size, _ in LEVELS] == [
        ("cc", "-shared", "-O2"),
        ("cc", "-shared", "-O1", LOOPS, DECISIONS),
        ("cc", "-shared", "-Og", LOOPS),
    ]
    assert compiler.command_for(" " * (DECISIONS_LIMIT - 1)) == ("cc", "-shared", "-O1", LOOPS, DECISIONS)
    assert Compiler("tcc", ("tcc", "-shared")).command_for(" " * 1_000_000) == ("tcc", "-shared")


def test_the_game_that_is_measured_is_small_enough_for_all_speed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Promises against hand-written C are about Evolution. Beyond either length it loses percents without a word: then
    it has to be said anew what a compiler's seconds are worth."""
    monkeypatch.delenv("RULELANG_CC_LEVEL")
    compilation = Compilation("evolution")
    module = compilation.ready(4, choose_options(compilation.summary.options, 4, None))
    text = emit(module).source
    command = Compiler("cc", ("cc", LEVELS[0][1])).command_for(text)
    assert LEVELS[0][1] in command, f"{len(text)} characters"
    assert NativeUnit(module).heard, "routines that a host hears have no form of their own any more"


def test_a_broken_text_is_told(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="failed: "):
        library_path("int rl_answer(void) { return ; }}\n", tmp_path)


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
