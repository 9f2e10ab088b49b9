"""`rulelang cards`: the rows of a game's cards, exported, imported, shown, searched and summed up."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulelang.apps.cli import completing
from rulelang.apps.cli.mods import Verbs, takes_mods
from rulelang.apps.cli.options import takes_json, takes_mode, takes_sort
from rulelang.apps.cli.screen import (
    FAILED,
    FINE,
    MISTAKES,
    CannotRun,
    counted,
    not_installed,
    say,
    say_json,
    show_frames,
    tally,
)

if TYPE_CHECKING:
    from rulelang.compiler.compilation import Compilation
    from rulelang.language.semantics.card_questions import Card
    from rulelang.tools.cards.changes import Changes
    from rulelang.tools.cards.plan_import import ImportPlan
    from rulelang.tools.cards.tables import CardTypeTable

GAME = click.argument("game", shell_complete=completing.games)

_SHOWN = 12
#: As `rulelang.data.csv_reader` has them.
ENCODINGS = ("utf-8", "utf-16", "windows-1252", "shift_jis", "euc-jp", "gb18030", "big5", "euc-kr")


@click.group(cls=Verbs)
def cards() -> None:
    """Export, import, search and summarize cards.

    The rows can be in YAML, CSV or a workbook. You can write the verb before or after the GAME: `rulelang cards stats
    GAME` and `rulelang cards GAME stats` do the same.
    """


def of_game(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add mods and a mode to a command on a GAME, which gets the game with these as `one`."""

    @takes_mode()
    @takes_mods(behind=False)
    @click.pass_context
    def run(ctx: click.Context, /, game: str, mods: tuple[str, ...], mode: str | None, **rest: Any) -> Any:
        from rulelang.compiler.compilation import Compilation

        return command(ctx, Compilation(game, mods, mode), **rest)

    run.__doc__ = command.__doc__
    run.__name__ = command.__name__
    return run


def chosen(tables: dict[str, CardTypeTable], sort: str | None) -> dict[str, CardTypeTable]:
    """The table of the sort that is asked for, or all."""
    from rulelang.base.wording import did_you_mean, quoted_list

    if not tables:
        raise CannotRun("this game has no cards")
    if sort is None:
        return tables
    if sort not in tables:
        hint = did_you_mean(sort, tables) or f"it has {quoted_list(list(tables))}"
        raise CannotRun(f"the game has no card type `{sort}`; {hint}")
    return {sort: tables[sort]}


# ---- export


@cards.command("export")
@GAME
@click.option(
    "--to",
    "kind",
    type=click.Choice(["csv", "xlsx", "json"]),
    help="Write this format. (default: the file extension of --output)",
)
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="Write to this file. For CSV, you can name a folder instead.",
)
@takes_sort()
@click.option(
    "--separator",
    default=",",
    metavar="CHARACTER",
    help="Separate CSV cells with this character, for example `;` or `tab`.",
)
@of_game
def export(
    ctx: click.Context, one: Compilation, kind: str | None, output: Path | None, sort: str | None, separator: str
) -> None:
    """Write the cards as a table for a spreadsheet."""
    from rulelang.tools.cards.plan_import import game_tables
    from rulelang.tools.cards.tables import CannotExport, check_read_back, to_csv, to_json, to_xlsx

    tables = chosen(game_tables(one), sort)
    kind = kind or (output.suffix[1:] if output is not None and output.suffix in (".csv", ".xlsx", ".json") else "csv")
    separator = {"tab": "\t", "\\t": "\t"}.get(separator, separator)
    if separator not in (",", ";", "\t"):
        raise CannotRun("the separator is `,`, `;` or `tab`")
    try:
        if kind == "xlsx":
            if output is None:
                raise CannotRun("a workbook cannot be printed: give `--output cards.xlsx`")
            data = to_xlsx(tables, one.model)
            for table in tables.values():
                check_read_back(table, data, kind)
            written = {output: data}
        elif kind == "json":
            text = to_json(tables, game=one.source.id, version=one.source.version).encode()
            written = {output or Path("-"): text}
        else:
            texts = {name: to_csv(table, separator).encode() for name, table in tables.items()}
            for name, table in tables.items():
                check_read_back(table, texts[name], kind)
            written = _places(texts, output)
    except CannotExport as mistake:
        raise CannotRun(f"{mistake}; `--to json` keeps everything") from None
    except ImportError as problem:
        if not not_installed(problem, "openpyxl"):
            raise
        raise CannotRun("writing a workbook needs `openpyxl`: pip install 'rulelang[sheets]'") from None
    for path, data in written.items():
        if path == Path("-"):
            click.echo(data, nl=False)
        else:
            path.write_bytes(data)
    if output is not None:
        rows = ", ".join(f"{counted(len(table.rows), 'row')} of {name}" for name, table in tables.items())
        say(f"{', '.join(map(str, written))}: {rows}", err=True)
    for name, table in tables.items():
        if table.brought:
            more = counted(table.brought, "row")
            say(f"({more} of {name} come from traits; edit those in the traits' files)", err=True)


def _places(texts: dict[str, bytes], output: Path | None) -> dict[Path, bytes]:
    """Where the texts go: one to a file or the screen, several into a folder."""
    if output is not None and (output.is_dir() or len(texts) > 1):
        if output.suffix:
            raise CannotRun(f"there are {len(texts)} card types: give a folder, or choose one with `--sort`")
        output.mkdir(exist_ok=True)
        return {output / f"{name}.csv": data for name, data in texts.items()}
    if len(texts) > 1:
        names = ", ".join(texts)
        raise CannotRun(f"there are {len(texts)} card types ({names}): give `--sort` or `--output FOLDER`")
    return {output or Path("-"): data for data in texts.values()}


# ---- import


@cards.command("import")
@GAME
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option(
    "--sort", metavar="TYPE", help="Read the rows as this card type. (default: the name of the file or sheet)"
)
@click.option("--sheet", default="", metavar="NAME", help="Read this sheet of a workbook.")
@click.option(
    "--separator",
    default="",
    metavar="CHARACTER",
    help="Separate CSV cells with this character, for example `;` or `tab`.",
)
@click.option("--encoding", type=click.Choice(ENCODINGS), default="utf-8", help="Read CSV in this encoding.")
@click.option(
    "--remove/--keep", "removing", default=None, help="Choose whether to remove or keep rows that are not in FILE."
)
@click.option("--dry-run", "-n", is_flag=True, help="Show the changes without writing them.")
@takes_json()
@of_game
def import_(
    ctx: click.Context,
    one: Compilation,
    file: str,
    sort: str | None,
    sheet: str,
    separator: str,
    encoding: str,
    removing: bool | None,
    dry_run: bool,
    json_: bool,
) -> None:
    """Write the rows of a table back into the game's files.

    FILE is .csv, .tsv, .xlsx, .json or .yaml. The command matches rows by id. If the table contains an error, it
    writes nothing. Comments and everything else in the game's files stay unchanged.
    """
    from rulelang.data.card_tables import Dialect
    from rulelang.tools.cards.plan_import import CannotImport, carry_out, plan_import

    dialect = Dialect({"tab": "\t", "\\t": "\t"}.get(separator, separator), encoding)
    try:
        plan = plan_import(one, file, sort=sort or "", sheet=sheet, dialect=dialect, removing=bool(removing))
    except CannotImport as mistake:
        raise CannotRun(str(mistake)) from None
    found = plan.diagnostics.sorted()
    stopped = plan.diagnostics.failed or (bool(plan.missing) and removing is None)
    paths = [] if stopped or dry_run else carry_out(plan)
    if json_:
        from rulelang.tools.reports import diagnostic_data

        data = {name: _data(changes) for name, changes in plan.every.items()}
        say_json({"changes": data, "written": paths, "diagnostics": [diagnostic_data(item) for item in found]})
        ctx.exit(MISTAKES if stopped else FINE)
    show_frames(found, plan.sources)
    for name, changes in plan.every.items():
        _show(name, changes)
    _tell(plan, removing)
    if plan.diagnostics.failed:
        say(f"{file}: {tally(found)}; nothing was written")
    elif stopped:
        say("nothing was written")
    elif not plan.contents:
        say(f"{file}: no changes")
    else:
        say(f"{'would write' if dry_run else 'written'}: {', '.join(plan.contents)}")
    ctx.exit(MISTAKES if stopped else FINE)


def _show(name: str, changes: Changes) -> None:
    kinds = {what: [row for row in changes.rows if row.what == what] for what in ("changed", "added", "removed")}
    parts = [f"{counted(len(rows), 'row')} {what}" for what, rows in kinds.items() if rows]
    if parts:
        say(f"{name}: {', '.join(parts)}", bold=True)
    signs = {"changed": "~", "added": "+", "removed": "-"}
    for number, row in enumerate(changes.rows):
        if number == _SHOWN:
            say(f"  ... and {counted(len(changes.rows) - _SHOWN, 'row')} more (--json lists all)")
            break
        called = row.name or (f"(row at {row.old.node.span})" if row.old is not None else "(new row)")
        cells = [
            f"{cell.form.name} {_short(cell.before)} -> {_short(cell.after)}" if row.old is not None and row.cells
            else f"{cell.form.name} {_short(cell.after)}"
            for cell in row.cells if cell.before or cell.after
        ]  # fmt: skip
        say(f"  {signs[row.what]} {called}{': ' if cells else ''}{', '.join(cells)}")


def _tell(plan: ImportPlan, removing: bool | None) -> None:
    """What is left as it is, and why."""
    for name, changes in plan.every.items():
        if changes.aside:
            say(f"{name}: the file lacks the columns {', '.join(changes.aside)}; these columns are unchanged")
        if changes.reordered:
            say(f"{name}: the file has its rows in a different order; the order in the game's files is unchanged")
    for name, rows in plan.missing.items():
        shown = ", ".join(rows[:_SHOWN]) + (" ..." if len(rows) > _SHOWN else "")
        if removing is None:
            say(f"{name}: the file lacks {counted(len(rows), 'row')} of the game ({shown}): give --remove or --keep")
        else:
            say(f"{name}: {counted(len(rows), 'row')} that the file lacks were kept ({shown})")


def _short(text: str) -> str:
    text = text.replace("\n", " ") or "(empty)"
    return text if len(text) <= 40 else f"{text[:37]}..."


def _data(changes: Changes) -> list[dict[str, Any]]:
    return [
        {
            "what": row.what,
            "id": row.name,
            "cells": {cell.form.name: {"before": cell.before, "after": cell.after} for cell in row.cells},
        }
        for row in changes.rows
    ]


# ---- looking


@cards.command("table")
@GAME
@takes_sort()
@click.option("--columns", metavar="NAMES", help="Show these columns, separated by commas. (default: as many as fit)")
@takes_json()
@of_game
def table(ctx: click.Context, one: Compilation, sort: str | None, columns: str | None, json_: bool) -> None:
    """List the cards with their columns and counts."""
    _look(one, sort, "", columns, json_)


@cards.command("find", context_settings={"ignore_unknown_options": True})
@GAME
@click.argument("where", nargs=-1, required=True)
@takes_sort()
@click.option("--columns", metavar="NAMES", help="Show these columns, separated by commas. (default: as many as fit)")
@takes_json()
@of_game
def find(
    ctx: click.Context, one: Compilation, where: tuple[str, ...], sort: str | None, columns: str | None, json_: bool
) -> None:
    """List the cards that match a condition.

    WHERE is an expression as in the rules. Use column names; a trait by itself means the cards with that face. Quote
    the expression for the shell: `rulelang cards find evolution 'carnivore and food < 2'`.
    """
    found = _look(one, sort, " ".join(where), columns, json_)
    ctx.exit(FINE if found else MISTAKES)


@cards.command("stats")
@GAME
@click.argument("where", nargs=-1)
@takes_sort()
@takes_json()
@of_game
def stats(ctx: click.Context, one: Compilation, where: tuple[str, ...], sort: str | None, json_: bool) -> None:
    """Summarize the columns of the cards as histograms."""
    from rulelang.apps.cli.card_tables import figures_data, histogram
    from rulelang.tools.cards.review import column_figures

    data = {}
    for name, cards_ in _asked(one, sort, " ".join(where)).items():
        figures = column_figures(one.model.sorts[name], cards_, one.model)
        rows, copies = len({card.row.number for card in cards_}), sum(card.copies for card in cards_)
        if json_:
            data[name] = {"rows": rows, "cards": copies, "columns": [figures_data(item) for item in figures]}
            continue
        say(f"{name}: {counted(rows, 'row')}, {counted(copies, 'card')}", bold=True)
        for item in figures:
            for line in histogram(item):
                say(line)
    if json_:
        say_json(data)


@cards.command("check")
@GAME
@takes_json()
@of_game
def check_cards(ctx: click.Context, one: Compilation, json_: bool) -> None:
    """Check the game, and look for unusual cards.

    In addition to the errors that `rulelang check` finds, this command reports outliers, texts that are missing a
    translation, traits that no card has, and cards without an effect.
    """
    from rulelang.tools.cards.review import review_cards
    from rulelang.tools.reports import diagnostic_data

    found = one.diagnostics
    if not found.failed:
        found.extend(review_cards(one))
    if json_:
        say_json({"game": one.where, "diagnostics": [diagnostic_data(item) for item in found.sorted()]})
    else:
        show_frames(found.sorted(), {**one.source.sources, **one.checked.sources})
        counts = (
            f"{name} {counted(sum(r.copies for r in sort.rows), 'card')}" for name, sort in one.model.sorts.items()
        )
        say(f"{one.where}: {', '.join(counts)}: {tally(found)}")
    ctx.exit(MISTAKES if found.failed else FINE)


def _asked(one: Compilation, sort: str | None, where: str) -> dict[str, list[Card]]:
    """The cards of each sort that the condition holds for; of sorts that it has no meaning for, none."""
    from rulelang.compiler.compilation import LoadError
    from rulelang.language.semantics.card_questions import WHERE, cards_of, read_question
    from rulelang.tools.cards.plan_import import game_tables

    text = re.sub(r"^\s*where\b", " " * 5, where)
    names = list(chosen(game_tables(one), sort))
    if not text.strip():
        return {name: list(cards_of(one.model.sorts[name])) for name in names}
    if one.diagnostics.failed:
        raise LoadError(one.diagnostics, one.checked.sources)
    found, wrong = {}, []
    for name in names:
        question, told = read_question(text, one.model.sorts[name], one.model, one.program)
        if question is None:
            wrong.append(told)
        else:
            found[name] = [card for card in cards_of(one.model.sorts[name]) if question.of(card)]
    if not found:
        show_frames(min(wrong, key=len).sorted(), {WHERE: where}, err=True)
        raise click.exceptions.Exit(FAILED)
    return found


def _look(one: Compilation, sort: str | None, where: str, columns: str | None, json_: bool) -> bool:
    """Print cards; whether there are some."""
    from rulelang.apps.cli.card_tables import as_data, show_cards

    found = _asked(one, sort, where)
    texts = {name: table.rows for name, table in tables_by_sort(one).items()}
    wanted = [name.strip() for name in columns.split(",")] if columns else None
    if json_:
        say_json({name: [as_data(card, texts[name], one.model) for card in cards_] for name, cards_ in found.items()})
        return any(found.values())
    for name, cards_ in found.items():
        if cards_ or len(found) == 1:
            show_cards(name, cards_, texts[name], one.model, wanted)
    return any(found.values())


def tables_by_sort(one: Compilation) -> dict[str, CardTypeTable]:
    from rulelang.tools.cards.plan_import import game_tables

    return game_tables(one)
