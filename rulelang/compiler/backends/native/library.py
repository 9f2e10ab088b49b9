"""The C text of a whole library: the files in `runtime/`, and what is made from a ruleset in its place among them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files

from rulelang.compiler.backends.native.build import CHECKED
from rulelang.runtime.program import GUARDED, Backend, Extended

#: The file that includes all others in their order.
WHOLE = "library.c"
#: That with functions that are called from elsewhere.
EXPORTING = "exports.c"
_INCLUDE = re.compile(r'#include "([\w./]+)"')


def whole(made: Mapping[str, Iterable[str]]) -> list[str]:
    """The lines, each file where it is first included. `made`: what stands in the place of a file."""
    seen: set[str] = set()
    lines: list[str] = []

    def take(name: str) -> None:
        seen.add(name)
        for line in _file(name):
            found = _INCLUDE.match(line)
            if found is None:
                if name not in made:
                    lines.append(line)
            elif found[1] not in seen:
                take(found[1])
        lines.extend(made.get(name, ()))

    take(WHOLE)
    return lines


def text_for(backend: Backend, source: str) -> str:
    """The text of a library for a backend, of the text of its program. Words that may be none of a game have every
    address tested; rooms that play in a way of their own have more behind all else."""
    if not isinstance(backend, Extended):
        return (CHECKED if backend == GUARDED["native"] else "") + source
    own = behind(backend.package, backend.file)
    return "\n".join(((CHECKED if backend.guarded else "") + source, *own, ""))


def behind(package: str, file: str) -> Iterator[str]:
    """The lines of a file of a room as they stand behind a library, which has already what the file includes."""
    return (line for line in _lines(package, file) if not _INCLUDE.match(line))


def sources(backend: Backend, more: Iterable[tuple[str, str]]) -> Iterator[str]:
    """The lines of all that may be exported. `more`: packages, and their files behind the library."""
    yield from _file(EXPORTING)
    for package, file in more:
        yield from _lines(package, file)
    if isinstance(backend, Extended):
        yield from _lines(backend.package, backend.file)


def _file(name: str) -> tuple[str, ...]:
    """The lines of a file of the runtime."""
    return _lines(__package__, "runtime", name)


@cache
def _lines(package: str, *path: str) -> tuple[str, ...]:
    return tuple(files(package).joinpath(*path).read_text(encoding="ascii").splitlines())
