"""Mods on the command line: given alike wherever a ruleset is."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

Command = Callable[..., Any]


def takes_mods(*, behind: bool) -> Callable[[Command], Command]:
    """A command that takes mods with `--mod`, as its parameter `mods`; `behind`: and behind the game as well."""

    def decorate(command: Command) -> Command:
        @wraps(command)
        def run(*args: Any, laid: tuple[str, ...], mods: tuple[str, ...] = (), **rest: Any) -> Any:
            return command(*args, mods=(*mods, *laid), **rest)

        text = "A mod to lay over it. May be given several times."
        found = click.option("--mod", "laid", metavar="MOD", multiple=True, help=text)(run)
        return click.argument("mods", nargs=-1)(found) if behind else found

    return decorate
