"""Look into a ruleset: `rulelang show`, and `dump` for the stages of the compiler."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING

import click

from rulelang.apps.cli import completion
from rulelang.apps.cli.options import (
    label_language,
    load_game,
    parse_options,
    table_options,
    takes_mode,
    takes_mods,
    takes_options,
)
from rulelang.apps.cli.screen import FAILED, MISTAKES, CannotRun, say
from rulelang.base.node import record
from rulelang.base.source import Span
from rulelang.base.terminal import escape_json

if TYPE_CHECKING:
    from rulelang.apps.editor.declarations import Reading
    from rulelang.compiler.ir import nodes as ir


# ---- `show`


@click.command()
@click.argument("game", shell_complete=completion.games)
@takes_mods(name=True)
@takes_mode()
@click.option("--lang", metavar="CODE", help="Show labels in this language: en, zh, ja ... (default: en)")
@click.pass_context
def show(
    ctx: click.Context, game: str, name: str | None, mods: tuple[str, ...], mode: str | None, lang: str | None
) -> None:
    """Show a trait, card, value or routine.

    If the last argument is not a mod, it is a NAME: anything that the GAME or its MODS declare. Without a NAME, the
    command lists everything.
    """
    from rulelang.apps.cli.descriptions import contents_lines, lines_about, read_ruleset, similar_names

    reading = read_ruleset(game, mods, mode)
    _note_other_mistakes(game, reading)
    if name is None:
        for line in contents_lines(reading):
            say(line)
        ctx.exit(MISTAKES if reading.diagnostics.failed else 0)
    lines = lines_about(reading, name, label_language(lang, game, mods, mode))
    if not lines:
        like = similar_names(reading, name)
        hint = f"; similar names: {', '.join(like)}" if like else f"; `rulelang show {game}` lists what there is"
        say(f"{game} has no `{name}`{hint}", err=True)
        ctx.exit(FAILED)
    for number, line in enumerate(lines):
        say(line, bold=True) if number == 0 else say(line)


def _note_other_mistakes(game: str, reading: Reading) -> None:
    """Mistakes elsewhere do not keep one from looking, but one should know."""
    if reading.diagnostics.failed:
        say(f"(this game has errors, so some parts may be missing: see `rulelang check {game}`)\n", err=True)


# ---- Trees of dataclasses as text

#: Nodes whose text fits into so many characters stand on one line.
SHORT_WIDTH = 100
#: A text dump of deeper trees helps nobody.
DEEPEST_SHORT = 80


def tree_lines(value: object, indent: int = 0, label: str = "") -> Iterator[str]:
    """The lines for one value. Empty fields are left out; `label` is the name of the field that it is the value of."""
    head = f"{'  ' * indent}{label}{': ' if label else ''}"
    short = _one_line(value, SHORT_WIDTH - len(head))
    if short is not None or indent > DEEPEST_SHORT:
        yield head + (short if short is not None else "...") + _place_text(value)
        return
    if isinstance(value, Mapping):
        yield head.rstrip()
        for key, item in value.items():
            yield from tree_lines(item, indent + 1, str(key))
    elif isinstance(value, (tuple, list)):
        if label:
            yield head.rstrip()
        for item in value:
            yield from tree_lines(item, indent + bool(label))
    elif is_dataclass(value) and not isinstance(value, type):
        small, large = [], []
        for name, item in _node_fields(value):
            text = _one_line(item, SHORT_WIDTH // 2)
            (large.append((name, item)) if text is None else small.append(f"{name}={text}"))
        yield f"{head}{type(value).__name__} {' '.join(small)}".rstrip() + _place_text(value)
        for name, item in large:
            yield from tree_lines(item, indent + 1, name)
    else:
        yield head + repr(value)


def _one_line(value: object, room: int) -> str | None:
    """The text of a value on one line, or None if there is no room for it."""
    if room < 0:
        return None
    if isinstance(value, str):
        text = value if value.isidentifier() or (value and " " not in value) else repr(value)
        return text if len(text) <= room else None
    if value is None or isinstance(value, (int, float)):
        return str(value)
    if isinstance(value, Mapping):
        return "{}" if not value else None
    if isinstance(value, (tuple, list, frozenset, set)):
        items = sorted(value, key=str) if isinstance(value, (frozenset, set)) else value
        return _joined_parts(((_one_line(item, room), "") for item in items), "(", ")", room)
    if is_dataclass(value) and not isinstance(value, type):
        parts = ((_one_line(item, room), f"{name}=") for name, item in _node_fields(value))
        return _joined_parts(parts, f"{type(value).__name__}(", ")", room)
    return None


def _joined_parts(parts: Iterator[tuple[str | None, str]], first: str, last: str, room: int) -> str | None:
    words: list[str] = []
    used = len(first) + len(last)
    for text, name in parts:
        if text is None:
            return None
        words.append(name + text)
        used += len(words[-1]) + 2
        if used > room:
            return None
    return first + ", ".join(words) + last


def _node_fields(node: object) -> Iterator[tuple[str, object]]:
    """The fields of a node that say something."""
    for field in fields(node):  # type: ignore[arg-type]
        value = getattr(node, field.name)
        if field.name.startswith("_") or isinstance(value, Span) or value is None or value is False or value == ():
            continue
        yield field.name, value


def _place_text(value: object) -> str:
    span = getattr(value, "span", None)
    return f"   {span}" if isinstance(span, Span) and span.path else ""


# ---- Stages that are code

#: What a module of a table becomes.
CODE_STAGES = ("python", "c")


@record
class CodeStage:
    """A backend's code as text.

    Attributes:
        target: the name by which the passes know the backend.
        text: prints a module for it.

    """

    target: str
    text: Callable[[ir.Module], str]


def code_stage(name: str) -> CodeStage:
    """One of `CODE`; a backend is imported when it is asked for."""
    match name:
        case "python":
            from rulelang.compiler.backends.python.emit import emit as python

            return CodeStage("python", lambda module: python(module).source)
        case "c":
            from rulelang.compiler.backends.native_agents.program import with_agents

            return CodeStage("native", lambda module: with_agents(module).source)
    raise ValueError(f"the stage `{name}` is not code")


# ---- Timings of the stages


def stage_timings(
    where: str, mods: Sequence[str], mode: str | None, stage: str, players: int, options: Mapping[str, int]
) -> list[tuple[str, float]]:
    """Seconds of each stage up to the text of a table, in their order: reading, checking, lowering, every pass, and
    printing. Tables are compiled anew; the grammar and the schemas are read from the cache as ever."""
    from rulelang.compiler.compilation import Compilation

    found: list[tuple[str, float]] = []
    compilation = Compilation(where, mods, mode)
    begun = time.perf_counter()

    def note(name: str) -> None:
        nonlocal begun
        now = time.perf_counter()
        found.append((name, now - begun))
        begun = time.perf_counter()

    phases: dict[str, Callable[[], object]] = {
        "read": lambda: compilation.read,
        "declare": lambda: compilation.declared,
        "parse": lambda: compilation.parsed,
        "check": lambda: compilation.typed,
        "lower": lambda: compilation.lowered(players, options),
    }
    for name, phase in phases.items():
        phase()
        note(name)

    def watch(name: str, module: ir.Module) -> None:
        note(f"pass {name}")

    if stage == "ir":
        compilation.ready(players, options, watch=watch)
    else:
        code = code_stage(stage)
        module = compilation.ready(players, options, target=code.target, watch=watch)
        code.text(module)
        note(f"emit {stage}")
    return found


def timing_lines(found: Sequence[tuple[str, float]]) -> list[str]:
    """The same as a table, in milliseconds, with the sum."""
    whole = sum(seconds for _, seconds in found)
    rows = [*found, ("all", whole)]
    width = max(len(name) for name, _ in rows)
    return [f"{name:<{width}}  {seconds * 1000:8.1f} ms  {seconds / whole:4.0%}" for name, seconds in rows]


# ---- Text of a compiled table

#: Behind all passes: every routine in each of its forms, with its decisions and its waiting as plain statements.
FORMS_PASS = "forms"


def compiled_text(
    where: str, mods: Sequence[str], mode: str | None, stage: str, players: int, pairs: Sequence[str], after: str = ""
) -> str:
    """The IR (`ir`) of a table, or its code in one of `CODE_STAGES`: what is run, but for IR `after` an earlier
    pass, or as backends print it (`FORMS_PASS`)."""
    from rulelang.compiler.compilation import Compilation
    from rulelang.compiler.passes.pipeline import STAGES

    if after and after not in (*STAGES, FORMS_PASS):
        raise click.UsageError(f"there is no pass `{after}`; the passes are {', '.join((*STAGES, FORMS_PASS))}")
    compilation = Compilation(where, mods, mode)
    chosen = table_options(load_game(where, mods, mode), players, parse_options(pairs))
    if stage == "ir":
        from rulelang.compiler.ir.dump import dump

        if after == FORMS_PASS:
            from rulelang.compiler.backends.unit import Unit

            return dump(Unit(compilation.ready(players, chosen)).unfolded())
        return dump(compilation.ready(players, chosen, after))
    code = code_stage(stage)
    return code.text(compilation.ready(players, chosen, target=code.target))


def timing_table(
    where: str, mods: Sequence[str], mode: str | None, stage: str, players: int, pairs: Sequence[str]
) -> list[str]:
    """How long each stage takes to come to that text, as lines of a table."""
    game = load_game(where, mods, mode)
    chosen = table_options(game, players, parse_options(pairs))
    return timing_lines(stage_timings(where, mods, mode, stage, players, chosen))


# ---- `dump`

STAGES = ("data", "tree", "model", "program", "ir", *CODE_STAGES, "hooks")


@click.command()
@click.argument("game", shell_complete=completion.games)
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
        if stage not in ("ir", *CODE_STAGES) or name or after:
            raise click.UsageError("`--timings` needs `--stage ir`, `python`, `c` or `js`, and takes no NAME")
        lines = iter(timing_table(game, mods, mode, stage, players, options))
    elif stage in ("ir", *CODE_STAGES):
        text = compiled_text(game, mods, mode, stage, players, options, after)
        lines = iter(text.splitlines())
        lines = _named_blocks(lines, name, functions=stage != "ir") if name else lines
    else:
        lines = _stage_lines(game, mods, mode, stage, name)
    shown = False
    for line in lines:
        say(line)
        shown = True
    if not shown:
        if not name:
            raise CannotRun("this stage is empty")
        hint = f"; this stage may merge rules of traits or cards into other parts: see `rulelang show {game} {name}`"
        raise CannotRun(f"no part of this stage is called `{name}`{hint if stage in ('ir', *CODE_STAGES) else ''}")


def _stage_lines(game: str, mods: tuple[str, ...], mode: str | None, stage: str, name: str | None) -> Iterator[str]:
    from rulelang.apps.cli.descriptions import read_ruleset

    reading = read_ruleset(game, mods, mode)
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
                    yield from tree_lines(node)
    elif stage == "hooks":
        yield from _hook_lines(reading, game, name)
    else:
        for part in _stage_parts(reading.model if stage == "model" else reading.program, name):
            yield from tree_lines(*part)


def _hook_lines(reading: Reading, game: str, name: str | None) -> Iterator[str]:
    from rulelang.apps.editor.declarations import find_hookable, hookable_names, hooked_lines
    from rulelang.base.wording import did_you_mean

    if name is None:
        yield from hookable_names(reading)
        return
    found = find_hookable(reading, name)
    if not found:
        known = name in reading.model.traits or any(
            name in (row.name for row in s.rows) for s in reading.model.sorts.values()
        )
        hint = (
            f"`rulelang show {game} {name}` shows what it is" if known else did_you_mean(name, hookable_names(reading))
        )
        raise CannotRun(f"no value, routine, phase or action is called `{name}`{'; ' + hint if hint else ''}")
    for number, item in enumerate(found):
        if number:
            yield ""
        yield from hooked_lines(reading, item)


def _stage_parts(root: object, name: str | None) -> Iterator[tuple[object, int, str]]:
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


def _named_blocks(lines: Iterator[str], name: str, *, functions: bool) -> Iterator[str]:
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
