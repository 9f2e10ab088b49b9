"""`rulelang`: the group of all commands, and what happens when one of them fails.

Exit codes: 0 all is well, 1 mistakes were found (in rules, scenarios, coverage, files), 2 the command could not run.
"""

from __future__ import annotations

import atexit
import errno
import gc
from importlib import import_module
from typing import Any

import click

from rulelang.base.errors import BuildError
from rulelang.base.visible import visible
from rulelang.cli.reporting import version
from rulelang.cli.screen import CannotRun, show_mistakes

#: In the order of use, not of the alphabet.
COMMANDS = (
    "new", "check", "lint", "test", "coverage", "show", "cards", "explain", "play", "studio", "host", "sim", "report",
    "tournament", "replay", "diff-games", "fuzz", "mods", "i18n", "print", "dump", "fmt", "schema", "lsp", "docs",
)  # fmt: skip
#: Those whose module is called otherwise.
MODULES = {"mods": "modding"}

TOLD = (click.ClickException, click.exceptions.Exit, click.Abort)


class Program(click.Group):
    """A group in which no traceback reaches the user, unless he asks for it."""

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        try:
            return super().make_context(*args, **extra)
        except click.ClickException as error:
            raise _harmless(error) from None

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return self._invoke(ctx)
        except click.ClickException as error:
            raise _harmless(error) from None

    def _invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except TOLD:
            raise
        except KeyboardInterrupt:
            raise CannotRun("broken off") from None
        except Exception as error:
            if ctx.params.get("debug"):
                raise
            if isinstance(error, OSError):
                if error.errno == errno.EPIPE:  # whoever read our output wants no more of it
                    raise
                raise CannotRun(_file_trouble(error)) from None
            if isinstance(error, BuildError):
                raise CannotRun(
                    f"{error}\n`--backend python` needs nothing else; `auto` chooses among what is there"
                ) from None
            code = show_mistakes(error)
            if code is not None:
                ctx.exit(code)
            raise CannotRun(_our_mistake(error)) from None

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """A command is loaded when it is first wanted: all of them take longer than a warm check may take."""
        if name in COMMANDS and name not in self.commands:
            module = import_module(f"rulelang.cli.{MODULES.get(name, name.replace('-', '_'))}")
            (self.commands[name],) = {
                command
                for command in vars(module).values()
                if isinstance(command, click.Command) and command.name == name
            }
        return self.commands.get(name)


def _harmless(error: click.ClickException) -> click.ClickException:
    """The same error; what it quotes of the arguments does not steer the terminal."""
    text = visible(error.format_message())
    error.format_message = lambda: text  # type: ignore[method-assign]
    return error


def _file_trouble(error: OSError) -> str:
    name = f"`{error.filename}`: " if error.filename else ""
    return f"{name}{(error.strerror or str(error)).lower()}"


def _our_mistake(error: Exception) -> str:
    text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return (
        f"this is a mistake in rulelang, not in your files: {text}\n"
        "Please report it, with the output of the same command after `rulelang --debug`."
    )


def _version(ctx: click.Context, param: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        known = version()
        click.echo(f"rulelang {known}" if known else "rulelang, not installed: run from its source")
        ctx.exit()


@click.group(cls=Program, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option("--debug", is_flag=True, help="Show the traceback of a mistake in rulelang itself.")
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version.")
def main(debug: bool) -> None:
    """A language for the rules of card and board games, and a compiler for it.

    Where a command asks for a GAME, give a folder, a zip or the id of a shipped ruleset or mod. MODS
    are laid over it, given alike in every command: behind the GAME, or each with `--mod`. (`test` and `fmt` take
    several PATHS, each by itself; there mods are given with `--mod`.) A mod is a folder, a zip, an installed package,
    or the id of one near the game. `one,other` lays `other` after `one`, and gives it the last word; so does a file
    that lists them (`mods: [one, other]`).

    Exit codes: 0 all is well; 1 mistakes were found; 2 the command could not run.

    Environment variables: RULELANG_CACHE, the folder for what is kept between runs; RULELANG_CC, the C compiler, or
    `none`; RULELANG_CC_LEVEL, how far it optimises (`-O0` to `-O3`; large texts get less as a rule, since they take
    seconds longer); RULELANG_CC_PATIENCE, after how many seconds it is given up (120); RULELANG_MAX_FILES and
    RULELANG_MAX_MIB, how much a ruleset or mod may hold (20000 and 64); NO_COLOR and FORCE_COLOR.

    Your shell completes commands, options, games, mods, modes and what tables may choose after
    `eval "$(_RULELANG_COMPLETE=bash_source rulelang)"` in ~/.bashrc (`zsh_source` in ~/.zshrc); for fish,
    `_RULELANG_COMPLETE=fish_source rulelang | source`.
    """
    # A check makes many objects that stay: to look for dead ones every 700 takes a tenth of its time.
    gc.set_threshold(20_000, 20, 20)
    atexit.unregister(gc.freeze)
    atexit.register(gc.freeze)  # nor is it looked for when the process ends, which frees all there is


def whole() -> click.Group:
    """The group with every command, in their order."""
    ctx = click.Context(main)
    main.commands = {name: command for name in COMMANDS if (command := main.get_command(ctx, name))}
    return main
