"""A library made of pieces that were compiled before, and of what is new (`pieces.py`).

This is for texts that change again and again in few places, and are to be played soon: a compiler needs a tenth of
the time that it takes for all. What it makes is not as fast as a whole text that is optimised.

Objects lie in the folder `pieces` beside the libraries. Beside each lies a list of the pieces in it, which is written
last: an object without one does not count. What was used longest ago goes first.
"""

from __future__ import annotations

import contextlib
import os
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path

from rulelang.base.disk_cache import NotPrivate, is_private, oldest_beyond, private_folder, read_private
from rulelang.base.errors import BuildError
from rulelang.compiler.backends.native.pieces import Piece, Pieces, pieces
from rulelang.compiler.backends.native.running import run

#: The environment variable that asks for it.
APART = "RULELANG_CC_APART"
#: Beside the libraries.
FOLDER = "pieces"
KEPT = 48  # objects
#: Characters of functions that are worth a compiler of their own.
WORTH = 40_000
_LIST, _OBJECT = ".names", ".o"
#: A piece may be in two objects: two processes have compiled it.
_LINK = ("-Wl,-z,muldefs",)


def build(title: str, command: tuple[str, ...], source: str, path: Path) -> BuildError | None:
    """Puts a library into its place; what went wrong, or nothing. `command`: that of a whole text. OSError,
    subprocess.SubprocessError as `run`."""
    found = pieces(source, "\0".join((*command, sysconfig.get_platform())))
    if found is None:
        return BuildError("this text is compiled as a whole")
    try:
        folder = private_folder(path.parent / FOLDER)
    except NotPrivate as problem:
        return BuildError(str(problem))
    return _Build(title, command, found, folder).into(path)


class _Build:
    def __init__(self, title: str, command: tuple[str, ...], found: Pieces, folder: Path) -> None:
        self.title, self.command, self.found, self.folder = title, command, found, folder

    def into(self, path: Path) -> BuildError | None:
        wanted = {*(piece.name for piece in self.found.functions.values()), *self.found.whole}
        kept = self._kept()
        with tempfile.TemporaryDirectory(dir=path.parent) as work:
            texts = self._texts(wanted - kept.keys())
            with ThreadPoolExecutor(_cores()) as others:
                failures = list(others.map(lambda names: self._compile(names, texts[names], work), texts))
            if failure := next(filter(None, failures), None):
                return failure
            kept |= {name: self._place(names) for names in texts for name in names}
            objects = sorted({kept[name] for name in wanted})
            made = Path(work, "rules.so")
            linked = self._link(objects, made)
            if linked is None:
                made.chmod(0o700)
                os.replace(made, path)
                for place in objects:
                    with contextlib.suppress(OSError):
                        os.utime(place)
                self._forget_oldest()
            return linked

    def _kept(self) -> dict[str, Path]:
        """By the name of a piece, the object that has it."""
        found: dict[str, Path] = {}
        for entry in sorted(self.folder.glob(f"*{_LIST}")):
            place = entry.with_suffix(_OBJECT)
            with contextlib.suppress(OSError):
                if place.is_file() and is_private(place):
                    found |= dict.fromkeys((read_private(entry) or b"").decode("ascii", "replace").split(), place)
        return found

    def _place(self, names: tuple[str, ...]) -> Path:
        return self.folder / f"{sha256(' '.join(names).encode()).hexdigest()}{_OBJECT}"

    def _texts(self, new: set[str]) -> dict[tuple[str, ...], str]:
        """The texts to compile, by the pieces in each: as many as there are cores, about alike in length."""
        found: dict[tuple[str, ...], str] = {(name,): text for name, text in self.found.whole.items() if name in new}
        functions = [piece for piece in self.found.functions.values() if piece.name in new]
        for some in _shared(functions, _cores()):
            found[tuple(piece.name for piece in some)] = self.found.text(some)
        return dict(sorted(found.items(), key=lambda one: -len(one[1])))

    def _compile(self, names: tuple[str, ...], text: str, work: str) -> BuildError | None:
        place = self._place(names)
        source, made, listed = (Path(work, place.stem + end) for end in (".c", _OBJECT, _LIST))
        source.write_text(text, encoding="ascii")
        command = tuple(part for part in self.command if part != "-shared")
        failed = run(self.title, (*command, "-c"), made, str(source))
        if failed is None:
            listed.write_text("\n".join(names), encoding="ascii")
            made.chmod(0o600)
            listed.chmod(0o600)
            os.replace(made, place)
            os.replace(listed, place.with_suffix(_LIST))
        return failed

    def _link(self, objects: list[Path], made: Path) -> BuildError | None:
        """Every function that the rules know is the piece that was made of it."""
        script = made.with_name("names.ld")
        names = (f"HIDDEN({known} = {piece.name});\n" for known, piece in self.found.functions.items())
        script.write_text("".join(names), encoding="ascii")
        return run(self.title, (*self.command, *_LINK), made, *map(str, objects), str(script))

    def _forget_oldest(self) -> None:
        for place in oldest_beyond(self.folder.glob(f"*{_OBJECT}"), KEPT):
            for path in (place.with_suffix(_LIST), place):
                with contextlib.suppress(OSError):
                    path.unlink()


def _shared(functions: list[Piece], among: int) -> Iterator[list[Piece]]:
    """Functions in heaps of about one size, so many at most."""
    heaps = max(1, min(among, sum(piece.size for piece in functions) // WORTH))
    found: list[list[Piece]] = [[] for _ in range(heaps)]
    sizes = [0] * heaps
    for piece in sorted(functions, key=lambda one: (-one.size, one.name)):
        least = sizes.index(min(sizes))
        found[least].append(piece)
        sizes[least] += piece.size
    yield from filter(None, found)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def wanted(command: tuple[str, ...]) -> bool:
    """Whether it is asked for, of a compiler that can: what GNU's linkers understand."""
    return bool(os.environ.get(APART)) and "-fPIC" in command and sys.platform.startswith("linux")
