"""Mods on the command line: given alike wherever a ruleset is."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from rulelang.apps.cli import completing
from rulelang.data.folders import LOCKED

Command = Callable[..., Any]


def takes_mods(
    *,
    behind: bool = True,
    apart: bool = False,
    name: bool = False,
    named: bool = False,
    locked: bool = True,
    text: str = "Apply this mod.",
) -> Callable[[Command], Command]:
    """A command that takes mods, as its parameter `mods`: with `--mod`, and (`behind`) behind the game.

    `apart`: those of `--mod` as its parameter `laid`, for they are laid over every game that stands there.
    `name`: behind these stands what is asked for, its parameter `name`; None if nothing is. `named`: the last word is
    that, whatever it is.
    `locked`: it has the option `--locked`, which adds the mods of a lock.
    """

    def decorate(command: Command) -> Command:
        @wraps(command)
        def run(*args: Any, laid: tuple[str, ...], mods: tuple[str, ...] = (), **rest: Any) -> Any:
            if rest.pop("held", False):
                laid = (*laid, LOCKED)
            if name:
                mods, rest["name"] = _with_name(mods, "" if named else str(rest["game"]))
            if apart:
                return command(*args, mods=mods, laid=laid, **rest)
            return command(*args, mods=(*mods, *laid), **rest)

        said = f"{text} Repeatable."
        known = completing.mods
        found = click.option("--mod", "laid", metavar="MOD", multiple=True, shell_complete=known, help=said)(run)
        if locked:
            said = "Apply exactly the mods listed in ID.lock (in this folder or a parent folder)."
            found = click.option("--locked", "held", is_flag=True, help=said)(found)
        metavar = "[MODS]... [NAME]" if name else None
        return click.argument("mods", nargs=-1, metavar=metavar, shell_complete=known)(found) if behind else found

    return decorate


class Verbs(click.Group):
    """Group whose verb may come first or after its GAME: `mods why GAME` and `mods GAME why` do the same.

    `default` is the verb that runs if none is named.
    """

    def __init__(self, *args: Any, default: str = "", **extra: Any) -> None:
        super().__init__(*args, **extra)
        self.default = default

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Move the verb to the front."""
        at = next((i for i, word in enumerate(args) if word in self.commands), None)
        if at is not None:
            args = [args[at], *args[:at], *args[at + 1 :]]
        elif args and not set(args) & {"-h", "--help"}:
            if not self.default:
                raise click.UsageError(f"choose a command: {', '.join(self.commands)}", ctx)
            args = [self.default, *args]
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the verbs in the order of their declaration."""
        return list(self.commands)


def _with_name(words: tuple[str, ...], where: str) -> tuple[tuple[str, ...], str | None]:
    """Mods, and the name behind them: the last word; not if that is a mod over `where`, if this is given."""
    if not words or (where and is_mod(words[-1], where)):
        return words, None
    return words[:-1], words[-1]


def is_mod(word: str, where: str = "") -> bool:
    """Whether a word stands for mods: a folder, zip or id of one, several joined by commas, or a file that lists some.
    Ids are also looked for near the game `where`."""
    from rulelang.data.mods import is_list

    parts = [part.strip() for part in word.split(",")]
    return is_list(Path(word)) or all(_holds(part, "mod.yaml", where) for part in parts)


def is_ruleset(word: str) -> bool:
    """Whether a word is the folder, zip or id of a game."""
    return _holds(word, "ruleset.yaml")


def _holds(word: str, manifest: str, where: str = "") -> bool:
    from rulelang.base.diagnostics import Diagnostics
    from rulelang.data.finder import Finder
    from rulelang.data.folders import Unreadable

    finder = Finder()
    game = finder.locate(where, Diagnostics()) if where else None
    if game is not None:
        finder.beside(game.folder)
    try:
        found = finder.locate(word, Diagnostics())
        return found is not None and manifest in found.folder.files()
    except Unreadable:
        return False
