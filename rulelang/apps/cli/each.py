"""`--each`: files stand for the rulesets and mods that they belong to, as those who name changed files want it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from rulelang.apps.cli.screen import say

#: Every ruleset has such files; others have them as well.
COMMON = (".yaml", ".yml", ".csv", ".xlsx", ".json")


def takes_each() -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The option, as the parameter `each`."""
    text = "Treat each argument separately. For a file, use the ruleset or mod that contains it."
    return click.option("--each", is_flag=True, help=text)


def homes(words: Sequence[str]) -> list[str]:
    """Each ruleset and mod once, in the order in which it is named first.

    A file of a common kind that belongs to none is told, and left out: who names all changed files names it too.
    """
    found: dict[str, None] = {}
    for word in words:
        home = _home(word)
        if home is not None:
            found[home] = None
        elif Path(word).suffix in COMMON:
            say(f"skipped {word}: it is not in a ruleset or mod", err=True)
        else:
            found[word] = None
    return list(found)


def at_home(paths: Sequence[Path]) -> tuple[Path, ...]:
    """Those files and folders that stand in a ruleset or mod, or are one; files that do not are told, and left out."""
    found = []
    for path in paths:
        if _home(str(path)) is None:
            say(f"skipped {path}: it is not in a ruleset or mod", err=True)
        else:
            found.append(path)
    return tuple(found)


def _home(word: str) -> str | None:
    """The ruleset or mod of a file, as a path; what is no file as it is. None for a file that stands in none."""
    from rulelang.data.manifest import is_ruleset

    path = Path(word)
    if not path.is_file() or path.suffix == ".zip":
        return word
    return next((str(folder) for folder in path.parents if is_ruleset(folder)), None)
