"""Options that several commands share, so that each has one wording everywhere."""

from __future__ import annotations

from collections.abc import Callable

import click

from rulelang.apps.cli import completing
from rulelang.apps.cli.mods import Command

Decorator = Callable[[Command], Command]


def takes_mode(default: str = "") -> Decorator:
    """Add `--mode`, as the parameter `mode`. `default` says what happens without it, if that is not obvious."""
    text = "Use this mode of the game." + (f" (default: {default})" if default else "")
    return click.option("--mode", metavar="MODE", shell_complete=completing.modes, help=text)


def takes_players(default: str = "four, if the game allows") -> Decorator:
    """Add `--players`, as the parameter `players`: a number, or None."""
    text = f"Set the number of players. (default: {default})"
    return click.option("--players", "-p", metavar="N", type=int, help=text)


def takes_seed() -> Decorator:
    """Add `--seed`, as the parameter `seed`."""
    text = "Set the random seed. The same seed gives the same result."
    return click.option("--seed", "-s", metavar="N", type=int, default=0, show_default=True, help=text)


def takes_games(default: int, flag: str = "--games") -> Decorator:
    """Add `--games` or `--number`, with `-n`, as the parameter of that name."""
    least = click.IntRange(min=1)
    return click.option(flag, "-n", metavar="N", type=least, default=default, show_default=True, help="Play N games.")


def takes_jobs() -> Decorator:
    """Add `--jobs`, as the parameter `jobs`."""
    least = click.IntRange(min=1)
    return click.option("--jobs", "-j", metavar="N", type=least, default=1, show_default=True, help="Use N cores.")


def takes_quiet(text: str = "Print problems only.") -> Decorator:
    """Add `--quiet`, as the parameter `quiet`."""
    return click.option("--quiet", "-q", is_flag=True, help=text)


def takes_json() -> Decorator:
    """Add `--json`, as the parameter `json_`."""
    return click.option("--json", "json_", is_flag=True, help="Print the result as JSON.")


def takes_sort() -> Decorator:
    """Add `--sort`, as the parameter `sort`: the name of a card type."""
    return click.option("--sort", metavar="TYPE", help="Use only cards of this card type.")
