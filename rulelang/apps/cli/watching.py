"""`--watch`: a command that answers whenever a file is saved, until Ctrl-C."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from time import perf_counter, strftime, time_ns

import click

from rulelang.apps.cli.mods import Command
from rulelang.apps.cli.screen import (
    FAILED,
    CannotRun,
    counted,
    not_installed,
    nothing_there,
    say,
    show_frames,
    tally,
    terminal_columns,
)

#: Milliseconds: several files that are saved within it are one save; how long is waited for the next one.
TOGETHER, NEXT = 200, 15
#: How often is looked whether somebody wants to stop; the watch has begun after so long.
LOOKED = 100

#: Does the work once, with the paths that have changed (none at first), and gives the folders and zips to watch.
Work = Callable[[Collection[Path]], Sequence[str]]


def takes_watch() -> Callable[[Command], Command]:
    """A command that has the option `--watch`, as its parameter `watching`."""
    return click.option("--watch", "watching", is_flag=True, help="Run again after each save, until Ctrl-C.")


def follow(work: Work) -> None:
    """Do the work, and again after each save below what it names. Ctrl-C ends it, quietly."""
    try:
        from watchfiles import watch
    except ImportError as problem:
        if not not_installed(problem, "watchfiles"):
            raise
        raise CannotRun("--watch needs watchfiles; install it with: pip install 'rulelang[editor]'") from None
    try:
        began = time_ns()
        roots = _once(work, set())
        while True:
            below = [root for root in dict.fromkeys(roots) if os.path.exists(root)]
            early = True
            for found in watch(*below, debounce=TOGETHER, step=NEXT, rust_timeout=LOOKED, yield_on_timeout=True):
                # What was saved before the watch had begun is no event.
                changed = {Path(path).resolve() for _, path in found} | (_saved(below, began) if early else set())
                early = False
                if changed:
                    began = time_ns()
                    again = _once(work, changed)
                    if set(again) - set(roots):
                        roots = again
                        break
    except KeyboardInterrupt:
        say()


def check_again(games: Sequence[tuple[str, tuple[str, ...]]], mode: str | None) -> None:
    """Check games with their mods after each save: the rules at once, then the scenarios."""
    from rulelang.apps.cli.counting import count_parts
    from rulelang.base.diagnostics import Diagnostics, fold_repeated
    from rulelang.data.ruleset import read_affected_texts
    from rulelang.tools.incremental import Incremental

    kept = [(name, Incremental(name, mods, mode)) for name, mods in games]

    def work(changed: Collection[Path]) -> list[str]:
        roots: list[str] = []
        for name, one in kept:
            began = perf_counter()
            checked = one.check()
            found = Diagnostics(list(checked.diagnostics))
            sources = checked.sources
            say(f"{name}: rules and data: {tally(found)} ({perf_counter() - began:.2f} s)")
            if checked.roots and not found.failed:
                rest = one.scenarios()
                found.extend(rest.diagnostics)
                sources = {**sources, **rest.sources}
                counts = count_parts(one.compilation.source, one.compilation.model)
                parts = [counted(number, what) for what, number in counts.items() if number]
                say(f"{name}: {', '.join(parts)}: {tally(found)} ({perf_counter() - began:.2f} s)")
            if len(found):
                say()
                show_frames(fold_repeated(found.sorted()), sources or read_affected_texts(found))
            if not changed and not checked.roots and nothing_there(found):
                raise click.exceptions.Exit(FAILED)  # there is nothing to wait for
            roots += checked.roots or (os.path.abspath(name),)
        return roots

    follow(work)


def _once(work: Work, changed: Collection[Path]) -> Sequence[str]:
    """The work, on a clean screen, or below a line where there is none."""
    if sys.stdout.isatty():
        click.clear()
    elif changed:
        say("-" * min(terminal_columns(), 80))
    roots = work(changed)
    say(f"{strftime('%H:%M:%S')}, watching for changes. Press Ctrl-C to stop.", dim=True)
    sys.stdout.flush()
    return roots


def _saved(roots: Sequence[str], since: int) -> set[Path]:
    """The files below some folders that were written since a time (nanoseconds)."""
    found = set()
    for root in roots:
        for here, folders, names in os.walk(root):
            folders[:] = [name for name in folders if not name.startswith(".")]
            for path in (Path(here, name) for name in names):
                if path.exists() and path.stat().st_mtime_ns >= since:
                    found.add(path.resolve())
    return found
