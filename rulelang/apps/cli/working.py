"""Where long series are played: here, or on a cluster."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from rulelang.apps.cli.mods import Command
from rulelang.apps.cli.screen import CannotRun

if TYPE_CHECKING:
    from rulelang.apps.lab.workers import Workers

INSTALL = 'pip install "rulelang[ray]"'


def takes_workers() -> Callable[[Command], Command]:
    """A command that takes where it plays, as its parameter `on`."""
    return click.option(
        "--on",
        metavar="ray[:ADDRESS]",
        help="Play on a Ray cluster: a local one, or the cluster at ADDRESS. The results don't change.",
    )


def workers_on(on: str | None, jobs: int) -> Workers | None:
    """The workers of a cluster; None where nothing is said. UsageError for what is none, and with `--jobs`."""
    if on is None:
        return None
    kind, _, address = on.partition(":")
    if kind != "ray":
        raise click.UsageError(f"`{on}` is not a cluster: write `--on ray`, or `--on ray:ADDRESS` for a running one")
    if jobs > 1:
        raise click.UsageError("--jobs and --on cannot be combined: --on plays on a cluster")
    try:
        from rulelang.apps.lab.workers import Ray

        return Ray(address or None)
    except ModuleNotFoundError as problem:
        if (problem.name or "").startswith("rulelang"):
            raise
        raise CannotRun(f"a cluster needs `{problem.name}`; install it with: {INSTALL}") from None
    except ConnectionError as problem:
        raise CannotRun(f"no Ray cluster responds at {address}: {problem}") from None
