"""Mods on the command line: given alike wherever a ruleset is."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from rulelang.cli import completing

Command = Callable[..., Any]


def takes_mods(
    *, behind: bool = True, apart: bool = False, name: bool = False, text: str = "A mod to lay over it."
) -> Callable[[Command], Command]:
    """A command that takes mods, as its parameter `mods`: with `--mod`, and (`behind`) behind the game.

    `apart`: those of `--mod` as its parameter `laid`, for they are laid over every game that stands there.
    `name`: behind these stands what is asked for, its parameter `name`; None if nothing is.
    """

    def decorate(command: Command) -> Command:
        @wraps(command)
        def run(*args: Any, laid: tuple[str, ...], mods: tuple[str, ...] = (), **rest: Any) -> Any:
            if name:
                mods, rest["name"] = _with_name(mods)
            if apart:
                return command(*args, mods=mods, laid=laid, **rest)
            return command(*args, mods=(*mods, *laid), **rest)

        said = f"{text} May be given several times."
        known = completing.mods
        found = click.option("--mod", "laid", metavar="MOD", multiple=True, shell_complete=known, help=said)(run)
        metavar = "[MODS]... [NAME]" if name else None
        return click.argument("mods", nargs=-1, metavar=metavar, shell_complete=known)(found) if behind else found

    return decorate


def _with_name(words: tuple[str, ...]) -> tuple[tuple[str, ...], str | None]:
    """Mods, and the name behind them: the last word, if that is no mod itself."""
    if not words or is_mod(words[-1]):
        return words, None
    return words[:-1], words[-1]


def is_mod(word: str) -> bool:
    """Whether a word is the folder, zip or id of a mod."""
    return _holds(word, "mod.yaml")


def is_ruleset(word: str) -> bool:
    """Whether a word is the folder, zip or id of a game."""
    return _holds(word, "ruleset.yaml")


def _holds(word: str, manifest: str) -> bool:
    from rulelang.base.diagnostics import Diagnostics
    from rulelang.data.folders import Unreadable
    from rulelang.data.manifest import locate

    try:
        folder = locate(word, Diagnostics())
        return folder is not None and manifest in folder.files()
    except Unreadable:
        return False
