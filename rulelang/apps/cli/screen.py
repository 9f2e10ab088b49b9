"""How commands speak: frames of mistakes, colours on a terminal only, exit codes."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import IO, Any

import click

from rulelang.base.diagnostics import Diagnostic
from rulelang.base.terminal import escape_controls, json_text
from rulelang.base.wording import counted as counted  # commands take it from here, with `say`

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


def not_installed(problem: ImportError, *libraries: str) -> bool:
    """Return True if an import failed because one of these libraries is not installed."""
    return isinstance(problem, ModuleNotFoundError) and (problem.name or "").split(".")[0] in libraries


def coloured(stream: IO[Any]) -> bool:
    """Colours are for terminals and for those who ask for them (https://force-color.org), unless they have asked to be
    spared (https://no-color.org)."""
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or stream.isatty()


def terminal_columns() -> int:
    """How wide what is printed may be: the terminal, within reason; 80 where there is none."""
    from shutil import get_terminal_size

    return min(max(get_terminal_size().columns, 60), 140)


def full_screen() -> bool:
    """Whether a person sits at a terminal that can be drawn on."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"


def say(text: str = "", *, err: bool = False, nl: bool = True, **style: Any) -> None:
    """Print a line; styles as of `click.style`, on a terminal only. Nothing in the text steers the terminal."""
    stream = sys.stderr if err else sys.stdout
    text = escape_controls(text)
    styled = coloured(stream)
    click.echo(click.style(text, **style) if style and styled else text, err=err, nl=nl, color=styled)


def say_json(value: object) -> None:
    """Print a value as JSON."""
    click.echo(json_text(value))


def show_frames(diagnostics: Iterable[Diagnostic], sources: Mapping[str, str], *, err: bool = False) -> None:
    """Print every diagnostic as a frame, a blank line behind each."""
    from rulelang.base.terminal import draw_frame

    styled = coloured(sys.stderr if err else sys.stdout)
    paint: Callable[[str], str] = _painted if styled else str
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
        if nothing_there(found):
            return FAILED
        say(tally(found), err=True)
        return MISTAKES
    return None


def nothing_there(found: Iterable[Diagnostic]) -> bool:
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


def _painted(frame: str) -> str:
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
