"""How far a long command is: a bar on the error stream, for a person at a terminal."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator


@contextlib.contextmanager
def progress(total: int | None, quiet: bool = False, what: str = "games") -> Iterator[Callable[[int], None] | None]:
    """A bar with how many of `what` are done, how many a second, and the time left: yields what is told how many are.

    Nothing (None) where the error stream is no terminal, or somebody wants it `quiet`. `total`: None where nobody knows
    yet how many there will be. The bar goes away when the command is done, or stopped.
    """
    if quiet or not sys.stderr.isatty():
        yield None
        return
    # Imported late: only a person at a terminal sees it.
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        ProgressColumn,
        Task,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class Count(ProgressColumn):
        def render(self, task: Task) -> Text:
            of = "" if task.total is None else f" of {task.total:,.0f}"
            return Text(f"{task.completed:,.0f}{of}")

    class Rate(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(rate(task.speed))

    columns = [TextColumn("{task.description}"), BarColumn(bar_width=None), Count(), Rate()]
    columns += [TimeElapsedColumn()] if total is None else [TimeRemainingColumn(compact=True), TextColumn("left")]
    with Progress(*columns, console=Console(stderr=True), transient=True, speed_estimate_period=120) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.update(task, completed=done)


def rate(speed: float | None) -> str:
    """How many are done in a second; in a minute, where they are slow."""
    if not speed:
        return ""
    return f"{speed:,.0f}/s" if speed >= 10 else f"{speed:.1f}/s" if speed >= 1 else f"{speed * 60:.1f}/min"
