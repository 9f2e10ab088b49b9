"""`rulelang dump`: what each stage of the compiler makes of a ruleset, as text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from rulelang.apps.cli import completing
from rulelang.apps.cli.code_stages import CODE
from rulelang.apps.cli.mods import takes_mods
from rulelang.apps.cli.options import takes_mode
from rulelang.apps.cli.screen import CannotRun, say
from rulelang.apps.cli.tables import takes_options
from rulelang.base.terminal import escape_json

if TYPE_CHECKING:
    from rulelang.apps.editor.reading import Reading

STAGES = ("data", "tree", "model", "program", "ir", *CODE, "hooks")


@click.command()
@click.argument("game", shell_complete=completing.games)
@click.option("--stage", type=click.Choice(STAGES), default="hooks", show_default=True, help="Show this stage.")
@click.option(
    "--name",
    "-n",
    metavar="NAME",
    help="Show only declarations with this name. Without it, `--stage hooks` lists all names.",
)
@click.option(
    "--players",
    "-p",
    metavar="N",
    type=int,
    default=4,
    show_default=True,
    help="Compile code for N players.",
)
@takes_options("Set an option of the game. Repeatable.")
@click.option(
    "--after",
    metavar="PASS",
    default="",
    help="Show `ir` after this pass, for example `lowering`, `inline` or `forms`. (default: the last pass)",
)
@click.option("--timings", is_flag=True, help="Instead of the stage, show how long each stage takes.")
@takes_mods()
@takes_mode()
def dump(
    game: str,
    stage: str,
    name: str | None,
    players: int,
    options: tuple[str, ...],
    after: str,
    timings: bool,
    mods: tuple[str, ...],
    mode: str | None,
) -> None:
    """Print a stage of the compiler.

    data: the merged files. tree: the parsed rules. model: the declarations. program: the checked rules. hooks: a
    value, routine or action with its hooks. ir, python and c: the compiled program for one table. `--stage ir --after
    forms` shows each routine in all its forms.
    """
    if after and stage != "ir":
        raise click.UsageError("`--after` needs `--stage ir`")
    lines: Iterator[str]
    if timings:
        from rulelang.apps.cli.tables import timed_text

        if stage not in ("ir", *CODE) or name or after:
            raise click.UsageError("`--timings` needs `--stage ir`, `python`, `c` or `js`, and takes no NAME")
        lines = iter(timed_text(game, mods, mode, stage, players, options))
    elif stage in ("ir", *CODE):
        from rulelang.apps.cli.tables import compiled_text

        text = compiled_text(game, mods, mode, stage, players, options, after)
        lines = iter(text.splitlines())
        lines = _named(lines, name, functions=stage != "ir") if name else lines
    else:
        lines = _stage(game, mods, mode, stage, name)
    shown = False
    for line in lines:
        say(line)
        shown = True
    if not shown:
        if not name:
            raise CannotRun("this stage is empty")
        hint = f"; this stage may merge rules of traits or cards into other parts: see `rulelang show {game} {name}`"
        raise CannotRun(f"no part of this stage is called `{name}`{hint if stage in ('ir', *CODE) else ''}")


def _stage(game: str, mods: tuple[str, ...], mode: str | None, stage: str, name: str | None) -> Iterator[str]:
    from rulelang.apps.cli.reading import read
    from rulelang.apps.cli.tree_text import lines_of

    reading = read(game, mods, mode)
    if reading.diagnostics.failed:
        say(f"(this game has errors: see `rulelang check {game}`)\n", err=True)
    if stage == "data":
        import json

        plain = reading.source.tree.plain()
        traits = {trait.id: trait.node.plain() for trait in reading.source.traits}
        data = {**plain, "traits of files": traits}
        found = data.get(name, traits.get(name)) if name else data
        yield from escape_json(json.dumps(found, ensure_ascii=False, indent=2)).split("\n")
    elif stage == "tree":
        for origin, declarations in reading.texts:
            for node in declarations:
                if name is None or name in (getattr(node, "name", ""), origin.name):
                    yield from lines_of(node)
    elif stage == "hooks":
        yield from _with_hooks(reading, game, name)
    else:
        for part in _fields(reading.model if stage == "model" else reading.program, name):
            yield from lines_of(*part)


def _with_hooks(reading: Reading, game: str, name: str | None) -> Iterator[str]:
    from rulelang.apps.editor.contributions import find, names, with_hooks
    from rulelang.base.wording import did_you_mean

    if name is None:
        yield from names(reading)
        return
    found = find(reading, name)
    if not found:
        known = name in reading.model.traits or any(
            name in (row.name for row in s.rows) for s in reading.model.sorts.values()
        )
        hint = f"`rulelang show {game} {name}` shows what it is" if known else did_you_mean(name, names(reading))
        raise CannotRun(f"no value, routine, phase or action is called `{name}`{'; ' + hint if hint else ''}")
    for number, item in enumerate(found):
        if number:
            yield ""
        yield from with_hooks(reading, item)


def _fields(root: object, name: str | None) -> Iterator[tuple[object, int, str]]:
    """The parts of a stage with their depth and label; with a name only the parts that have it."""
    from collections.abc import Mapping
    from dataclasses import fields

    for field in fields(root):  # type: ignore[arg-type]
        value = getattr(root, field.name)
        if name is None:
            yield value, 0, field.name
        elif isinstance(value, Mapping) and name in value:
            yield value[name], 0, ""
        elif isinstance(value, tuple):
            for item in value:
                origin = getattr(item, "origin", None)
                if getattr(item, "name", None) == name or (origin is not None and origin.name == name):
                    yield item, 0, ""


def _named(lines: Iterator[str], name: str, *, functions: bool) -> Iterator[str]:
    """The blocks of a text whose first line names it: a line at the left edge, and the indented ones below.

    Of code, only `functions`: tables of all rules stand in one line there. `d_call_deal` is one of `deal`.
    """
    import re

    word = re.compile(rf"(?<![A-Za-z0-9]){re.escape(name)}(?![A-Za-z0-9])")
    inside = False
    for line in lines:
        if line[:1].strip() and line[0] not in "}":
            head = line.partition("(")[0] if functions else line
            inside = word.search(head) is not None and (not functions or line.endswith((":", "{")))
        if inside:
            yield line
