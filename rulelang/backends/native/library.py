"""The C text of a whole library: the files in `runtime/`, and what is made from a ruleset in its place among them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files

#: The file that includes all others in their order.
WHOLE = "library.c"
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


def learning() -> str:
    """What a library has behind all else if many games are to be played in it at once."""
    lines = [line for line in _file("learn.c") if not _INCLUDE.match(line)]
    return "\n".join(("#if SEARCHES", *lines, "#endif", ""))


@cache
def _file(name: str) -> tuple[str, ...]:
    """The lines of a file."""
    return tuple(files(__package__).joinpath("runtime", name).read_text(encoding="ascii").splitlines())
