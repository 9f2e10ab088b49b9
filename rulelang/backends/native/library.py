"""The C text of a whole library: the files in `runtime/`, and what is made from a ruleset in its place among them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files

from rulelang.backends.native.build import CHECKED
from rulelang.engine.program import GUARDED, LEARNING, PROVING

#: The file that includes all others in their order.
WHOLE = "library.c"
#: Those with functions that are called from elsewhere.
EXPORTING = ("exports.c", "search.c", "tape.c", "learn.c", "prove.c")
_INCLUDE = re.compile(r'#include "([\w.]+)"')


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


def text_for(backend: str, source: str) -> str:
    """The text of a library for a backend of that name, of the text of its program. Words that may be none of a game,
    and games that look for mistakes, have every address tested; many games at once have more behind all else."""
    checked = CHECKED if backend in (GUARDED["native"], PROVING) else ""
    return checked + source + {LEARNING: learning, PROVING: proving}.get(backend, str)()


def learning() -> str:
    """What a library has behind all else if many games are to be played in it at once."""
    return "\n".join(("#if SEARCHES", *_own("learn.c"), "#endif", ""))


def proving() -> str:
    """The same if games in it look for mistakes."""
    return "\n".join((*_own("prove.c"), ""))


def _own(name: str) -> list[str]:
    """The lines of a file without those that it includes."""
    return [line for line in _file(name) if not _INCLUDE.match(line)]


def sources() -> Iterator[str]:
    """The lines of all that may be exported."""
    for name in EXPORTING:
        yield from _file(name)


@cache
def _file(name: str) -> tuple[str, ...]:
    """The lines of a file."""
    return tuple(files(__package__).joinpath("runtime", name).read_text(encoding="ascii").splitlines())
