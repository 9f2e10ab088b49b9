"""Define `rulelang`, the group of all commands, and handle their failures.

Exit codes: 0 success, 1 mistakes were found (in rules, scenarios, coverage, files), 2 the command could not run.
"""

from __future__ import annotations

import atexit
import errno
import gc
from importlib import import_module
from typing import Any

import click

from rulelang.apps.cli.options import version
from rulelang.apps.cli.screen import CannotRun, show_mistakes
from rulelang.base.errors import BuildError
from rulelang.base.terminal import escape_controls

#: Every command in its group, with its summary: `--help` imports none of them. `tests/cli/test_help.py` holds that the
#: summaries are those of the commands, and that no line is cut at 80 columns.
GROUPS: dict[str, dict[str, str]] = {
    "Start here": {
        "new": "Create a game, mod, trait or scenario",
        "play": "Play against bots, or watch them play",
        "explain": "Look up an error code, a topic or a phrase",
    },
    "Write": {
        "check": "Report errors in a game or mod",
        "test": "Run scenarios",
        "lint": "Report likely mistakes",
        "fmt": "Format .rules and YAML files",
        "show": "Show a trait, card, value or routine",
        "coverage": "List rules that no scenario covers",
        "studio": "Edit, play and balance a game in the browser",
    },
    "Cards, mods, languages": {
        "cards": "Export, import, search and summarize cards",
        "mods": "Compare, order, lock and pack mods",
        "i18n": "Create and check translations",
        "print": "Print cards, rulebooks and reference sheets (PDF)",
    },
    "Play together": {
        "host": "Let friends join a game in their browsers",
        "replay": "Play recorded games again, step by step",
    },
    "Measure": {
        "sim": "Simulate many games: scores, wins, speed",
        "report": "Find cards and traits that are too strong or weak",
        "tournament": "Rank agents against each other",
        "fuzz": "Find bugs by playing random games",
        "diff-games": "Find where two versions of a game diverge",
    },
    "Tools": {
        "export": "Build a game for browsers (WebAssembly)",
        "lsp": "Start the language server",
        "schema": "Write JSON Schemas for YAML editors",
        "dump": "Print a stage of the compiler",
        "docs": "Regenerate the documentation (for contributors)",
    },
}
COMMANDS = tuple(name for group in GROUPS.values() for name in group)
#: The module of a command, where it has another name.
MODULES = {
    "play": "playing",
    "replay": "playing",
    "diff-games": "playing",
    "explain": "documents",
    "print": "documents",
    "docs": "documents",
    "show": "inspecting",
    "dump": "inspecting",
    "check": "checking",
    "lint": "checking",
    "fmt": "checking",
    "test": "testing",
    "coverage": "testing",
    "fuzz": "testing",
    "studio": "browser",
    "host": "browser",
    "export": "browser",
    "mods": "modding",
    "sim": "lab",
    "report": "lab",
    "tournament": "lab",
    "lsp": "editors",
    "schema": "editors",
}

EXPECTED = (click.ClickException, click.exceptions.Exit, click.Abort)


class Program(click.Group):
    """Group of all commands. No traceback reaches the user, except with `--debug`."""

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        try:
            return super().make_context(*args, **extra)
        except click.ClickException as error:
            raise _escaped_error(error) from None

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return self._invoke(ctx)
        except click.ClickException as error:
            raise _escaped_error(error) from None

    def _invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except EXPECTED:
            raise
        except KeyboardInterrupt:
            raise CannotRun("interrupted") from None
        except Exception as error:
            if ctx.params.get("debug"):
                raise
            if isinstance(error, OSError):
                if error.errno == errno.EPIPE:  # the reader of our output has closed the pipe
                    raise
                raise CannotRun(_file_error_text(error)) from None
            if isinstance(error, BuildError):
                raise CannotRun(
                    f"{error}\n`--backend python` needs no compiler; `auto` uses what is installed"
                ) from None
            code = show_mistakes(error)
            if code is not None:
                ctx.exit(code)
            raise CannotRun(_bug_report(error)) from None

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the commands in the order of their groups."""
        return list(COMMANDS)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands by group, from the table of summaries."""
        width = max(map(len, COMMANDS))
        for title, commands in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), text) for name, text in commands.items()])

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Import a command when it is first needed. Importing all of them takes longer than a warm check."""
        if name in COMMANDS and name not in self.commands:
            module = import_module(f"rulelang.apps.cli.{MODULES.get(name, name)}")
            (self.commands[name],) = {
                command
                for command in vars(module).values()
                if isinstance(command, click.Command) and command.name == name
            }
        return self.commands.get(name)


def _escaped_error(error: click.ClickException) -> click.ClickException:
    """Return the error with control characters of quoted arguments escaped."""
    text = escape_controls(error.format_message())
    error.format_message = lambda: text  # type: ignore[method-assign]
    return error


def _file_error_text(error: OSError) -> str:
    name = f"`{error.filename}`: " if error.filename else ""
    return f"{name}{(error.strerror or str(error)).lower()}"


def _bug_report(error: Exception) -> str:
    text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return (
        f"this is a bug in rulelang, not in your files: {text}\n"
        "Please report it, with the output of the same command after `rulelang --debug`."
    )


def _version(ctx: click.Context, param: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        known = version()
        click.echo(f"rulelang {known}" if known else "rulelang, not installed: run from its source")
        ctx.exit()


@click.group(
    cls=Program,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    options_metavar="",
    subcommand_metavar="COMMAND [ARGS]",
    epilog="Environment, exit codes, shell completion: rulelang explain cli",
)
@click.option("--debug", is_flag=True, help="Show the traceback of a bug in rulelang.")
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version.")
def main(debug: bool) -> None:
    """Write, check, test and play rules for card and board games.

    GAME is a folder, a zip or the id of a bundled game. To apply mods, name them after GAME or use --mod. If mods
    conflict, the later mod wins: with `--mod one,other`, this is `other`.
    """
    # A check makes many objects that stay. Collecting garbage every 700 allocations takes a tenth of its time.
    gc.set_threshold(20_000, 20, 20)
    atexit.unregister(gc.freeze)
    atexit.register(gc.freeze)  # the end of the process frees everything anyway


def all_commands() -> click.Group:
    """Return the group with every command imported, in their order."""
    ctx = click.Context(main)
    main.commands = {name: command for name in COMMANDS if (command := main.get_command(ctx, name))}
    return main
