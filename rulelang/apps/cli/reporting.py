"""`--format` and `--output`: what a command found, for other programs as well as for people."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulelang.apps.cli.screen import CannotRun
from rulelang.base.node import record

if TYPE_CHECKING:
    from rulelang.tools.reports import Report

#: As in `rulelang.reports.formats`, which is imported late; a test holds that they are the same.
FORMATS = ("json", "github", "gitlab", "sarif", "junit")

Command = Callable[..., Any]


@record
class Wanted:
    """What shall be reported. `format` is `text` where nothing but what people read is wanted; `output`: a file."""

    format: str
    output: str | None

    @property
    def text(self) -> bool:
        """Whether people read the screen: then it shows what it always does."""
        return self.format == "text" or self.output is not None

    def write(self, make: Callable[[], Report]) -> None:
        """The report to the screen or into the file, if one is wanted."""
        if self.format == "text":
            return
        from rulelang.tools.reports import FORMATS as WRITERS

        text = WRITERS[self.format](make())
        if self.output is None:
            click.echo(text, nl=False)
            return
        try:
            Path(self.output).write_text(text, encoding="utf-8")
        except OSError as error:
            raise CannotRun(f"the report cannot be written to `{self.output}`: {error.strerror or error}") from None


def reports(*, json_too: bool = False) -> Callable[[Command], Command]:
    """A command with `--format` and `--output`, as its parameter `wanted`. `json_too`: `--json` is a short form."""

    def decorate(command: Command) -> Command:
        @wraps(command)
        def run(*args: Any, format_: str, output: str | None, json_: bool = False, **rest: Any) -> Any:
            if json_ and format_ not in ("text", "json"):
                raise click.UsageError(f"--json and --format {format_} cannot be combined")
            wanted = Wanted("json" if json_ else format_, output)
            if output is not None and wanted.format == "text":
                raise click.UsageError("--output needs a --format: " + ", ".join(FORMATS))
            return command(*args, wanted=wanted, **rest)

        said = "Print in this format: text for people, the others for programs."
        file = "Write the report to this file, and also print it as text."
        choice = click.Choice(("text", *FORMATS))
        found = click.option("--output", metavar="FILE", help=file)(run)
        found = click.option("--format", "format_", type=choice, default="text", help=said, show_default=True)(found)
        if json_too:
            found = click.option("--json", "json_", is_flag=True, help="The same as --format json.")(found)
        return found

    return decorate


def version() -> str:
    """The version of rulelang; empty where it is run from its source without being installed."""
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed

    try:
        return installed("rulelang")
    except PackageNotFoundError:
        return ""
