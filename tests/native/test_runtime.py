"""The C files of the library: they compile without a warning, alone and with what is made from a ruleset."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from rulelang.compiler.backends.native.build import WHOLE_LIBRARY
from rulelang.compiler.backends.native.emit import emit, program_constants
from rulelang.compiler.backends.native.shared import NativeUnit
from rulelang.compiler.backends.native_agents import program
from rulelang.compiler.backends.native_agents.program import agents_text, with_agents
from rulelang.compiler.compilation import Compilation
from rulelang.compiler.ir import nodes as ir
from rulelang.runtime.table import choose_options

RULELANG = Path(__file__).resolve().parents[2] / "rulelang"
BACKENDS = RULELANG / "compiler" / "backends"
RUNTIME = BACKENDS / "native" / "runtime"
AGENTS = BACKENDS / "native_agents"
#: Those too that rooms have behind a library.
FILES = [
    *sorted(RUNTIME.iterdir()), *sorted(AGENTS.glob("*.[ch]")),
    RULELANG / "apps" / "envs" / "learn.c", RULELANG / "apps" / "fuzzing" / "prove.c",
]  # fmt: skip
COMPILER = shutil.which("gcc") or shutil.which("clang")
STRICT = ("-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only")
needs_gcc = pytest.mark.skipif(COMPILER is None, reason="there is no gcc and no clang here")
both = pytest.mark.parametrize("checked", [(), ("-DCHECKED",)], ids=["plain", "checked"])


def module() -> ir.Module:
    compilation = Compilation("evolution")
    return compilation.ready(2, choose_options(compilation.summary.options, 2, None))


def compiled(path: Path, *flags: str) -> str:
    """What the compiler says."""
    return subprocess.run(
        [str(COMPILER), *STRICT, *flags, str(path)], capture_output=True, text=True, check=False
    ).stderr  # fmt: skip


@needs_gcc
@both
def test_the_files_compile_without_a_ruleset(checked: tuple[str, ...]) -> None:
    assert compiled(RUNTIME / WHOLE_LIBRARY, *checked) == ""
    assert compiled(AGENTS / "tape.c", *checked) == ""


@needs_gcc
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_each_file_includes_what_it_needs(path: Path) -> None:
    """So that an editor understands it when it is opened. What it declares, others may use or define."""
    assert compiled(path, "-x", "c", "-w") == ""


@needs_gcc
@both
def test_a_whole_library_compiles_without_a_warning(checked: tuple[str, ...], tmp_path: Path) -> None:
    """But for names that a program does not use: it is written for every program alike."""
    source = with_agents(module()).source
    assert "#include" not in source
    path = tmp_path / "rules.c"
    path.write_text(source, encoding="ascii")
    unused = ("-Wno-unused-variable", "-Wno-unused-but-set-variable", "-Wno-unused-parameter")
    assert compiled(path, *unused, *checked) == ""


def test_the_example_has_the_constants_and_tables_of_a_program() -> None:
    """What stands for a program in an editor has the names that a program has."""
    names_in_program, names_in_game = program_constants(NativeUnit(module())), program.agent_constants(module().layout)
    for path, known, made in (
        (RUNTIME / "program.h", names_in_program, emit(module()).source),
        (AGENTS / "game.h", names_in_game, agents_text(module())),
    ):
        example = path.read_text(encoding="ascii")
        inside = re.sub(r"/\*.*?\*/", "", example, flags=re.S).split("enum {")[1].split("}")[0]
        names = {part.split("=")[0].strip() for part in inside.split(",")}
        assert names == known.keys()
        assert {*re.findall(r"(\w+)\[\] = ", example)} <= {*re.findall(r"(\w+)\[\] = ", made)}
