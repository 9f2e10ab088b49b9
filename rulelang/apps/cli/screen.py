"""Print what commands say: texts, frames of mistakes, progress; and define the exit codes."""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import IO, Any

import click

from rulelang.base.diagnostics import Diagnostic
from rulelang.base.terminal import escape_controls, json_text
from rulelang.base.wording import counted as counted  # commands take it from here, with `say`

# ---- Texts, frames and exit codes

FINE, MISTAKES, FAILED = 0, 1, 2

_HEAD = re.compile(r"(error|warning)(\[\w+\])(.*)", re.DOTALL)
_MARKS = re.compile(r" *\| *[-^]+( .*)?$")
_GUTTER = re.compile(r"( *\d* )([|=]|:::|-->)(.*)", re.DOTALL)


#: What installs the libraries of the lab.
INSTALL_LAB = 'pip install "rulelang[lab]"'


class CannotRun(click.ClickException):
    """The command could not do its work: exit code 2. The message says why in one sentence."""

    exit_code = FAILED

    def format_message(self) -> str:
        return self.message


def is_not_installed(problem: ImportError, *libraries: str) -> bool:
    """Return True if an import failed because one of these libraries is not installed."""
    return isinstance(problem, ModuleNotFoundError) and (problem.name or "").split(".")[0] in libraries


def uses_colour(stream: IO[Any]) -> bool:
    """Colours are for terminals and for those who ask for them (https://force-color.org), unless they have asked to be
    spared (https://no-color.org)."""
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or stream.isatty()


def terminal_columns() -> int:
    """How wide what is printed may be: the terminal, within reason; 80 where there is none."""
    from shutil import get_terminal_size

    return min(max(get_terminal_size().columns, 60), 140)


def can_draw_screen() -> bool:
    """Whether a person sits at a terminal that can be drawn on."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"


def say(text: str = "", *, err: bool = False, nl: bool = True, **style: Any) -> None:
    """Print a line; styles as of `click.style`, on a terminal only. Nothing in the text steers the terminal."""
    stream = sys.stderr if err else sys.stdout
    text = escape_controls(text)
    styled = uses_colour(stream)
    click.echo(click.style(text, **style) if style and styled else text, err=err, nl=nl, color=styled)


def say_json(value: object) -> None:
    """Print a value as JSON."""
    click.echo(json_text(value))


def show_frames(diagnostics: Iterable[Diagnostic], sources: Mapping[str, str], *, err: bool = False) -> None:
    """Print every diagnostic as a frame, a blank line behind each."""
    from rulelang.base.terminal import draw_frame

    styled = uses_colour(sys.stderr if err else sys.stdout)
    paint: Callable[[str], str] = _painted_frame if styled else str
    for diagnostic in diagnostics:
        click.echo(paint(escape_controls(draw_frame(diagnostic, sources))) + "\n", err=err, color=styled)


def show_mistakes(error: Exception) -> int | None:
    """Print the frames of an error that is the rules' mistake and not ours, and give the exit code; else None."""
    from rulelang.base.diagnostics import Diagnostics
    from rulelang.base.errors import RuleError
    from rulelang.compiler.compilation import LoadError
    from rulelang.data.ruleset import read_affected_texts

    if isinstance(error, RuleError):
        found = Diagnostics([error.diagnostic])
        show_frames(found, read_affected_texts(found), err=True)
        return MISTAKES
    if isinstance(error, LoadError):
        found = error.diagnostics
        show_frames(found.sorted(), error.sources or read_affected_texts(found), err=True)
        if found_nothing(found):
            return FAILED
        say(tally(found), err=True)
        return MISTAKES
    return None


def found_nothing(found: Iterable[Diagnostic]) -> bool:
    """True if no file could be looked at: then the command could not run, and no mistake in a file was found."""
    return not any(os.path.isfile(item.span.file) for item in found)


def tally(diagnostics: Iterable[Diagnostic]) -> str:
    """`3 errors and 1 warning in 2 files`; "no mistakes" for none."""
    found = list(diagnostics)
    if not found:
        return "no mistakes"
    errors = sum(item.severity == "error" for item in found)
    parts = [counted(n, word) for n, word in ((errors, "error"), (len(found) - errors, "warning")) if n]
    return f"{' and '.join(parts)} in {counted(len({item.span.file for item in found}), 'file')}"


def _painted_frame(frame: str) -> str:
    """Colours in a drawn frame."""
    lines = frame.split("\n")
    head = _HEAD.fullmatch(lines[0])
    if head:
        colour = "red" if head[1] == "error" else "yellow"
        lines[0] = click.style(head[1] + head[2], fg=colour, bold=True) + click.style(head[3], bold=True)
    for number, line in enumerate(lines[1:], 1):
        parts = _GUTTER.fullmatch(line)
        if _MARKS.fullmatch(line):
            gutter, _, marks = line.partition("|")
            lines[number] = click.style(f"{gutter}|", fg="blue") + click.style(marks, fg="red")
        elif parts:
            lines[number] = click.style(parts[1] + parts[2], fg="blue") + parts[3]
    return "\n".join(lines)


# ---- Progress


@contextlib.contextmanager
def progress_bar(total: int | None, quiet: bool = False, what: str = "games") -> Iterator[Callable[[int], None] | None]:
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
            return Text(rate_text(task.speed))

    columns = [TextColumn("{task.description}"), BarColumn(bar_width=None), Count(), Rate()]
    columns += [TimeElapsedColumn()] if total is None else [TimeRemainingColumn(compact=True), TextColumn("left")]
    with Progress(*columns, console=Console(stderr=True), transient=True, speed_estimate_period=120) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.update(task, completed=done)


def rate_text(speed: float | None) -> str:
    """How many are done in a second; in a minute, where they are slow."""
    if not speed:
        return ""
    return f"{speed:,.0f}/s" if speed >= 10 else f"{speed:.1f}/s" if speed >= 1 else f"{speed * 60:.1f}/min"
