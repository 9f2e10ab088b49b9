"""Export, import and examine the cards of a game: `rulelang cards` and its verbs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulelang.apps.cli import completion
from rulelang.apps.cli.options import VerbGroup, takes_json, takes_mode, takes_mods, takes_sort
from rulelang.apps.cli.screen import (
    FAILED,
    FINE,
    MISTAKES,
    CannotRun,
    counted,
    is_not_installed,
    say,
    say_json,
    show_frames,
    tally,
    terminal_columns,
    uses_colour,
)
from rulelang.base.terminal import display_width, escape_controls, wrap_text
from rulelang.base.wording import did_you_mean
from rulelang.tools.cards.review import Figures
from rulelang.tools.cards.tables import TableRow

if TYPE_CHECKING:
    from rulelang.compiler.compilation import Compilation
    from rulelang.language.semantics.card_questions import Card
    from rulelang.language.semantics.model import Model
    from rulelang.tools.cards.changes import Changes
    from rulelang.tools.cards.plan_import import ImportPlan
    from rulelang.tools.cards.tables import CardTypeTable


# ---- Cards and their statistics as text

_WIDEST_COLUMN = 28
_BAR = 30
_MAX_BARS = 16
_EIGHTHS = "▏▎▍▌▋▊▉█"


def card_cells(card: Card, rows: Sequence[TableRow], model: Model) -> dict[str, str]:
    """A card by columns: its row's name, the copies, what is printed, and what else the row says."""
    from rulelang.language.semantics.card_questions import printed_text

    found = {"id": card.row.name, "copies": str(card.copies)}
    for name, column in card.sort.columns.items():
        if name not in card.sort.repeated:
            found[name] = printed_text(card.values[name], column, model)
    if card.row.written <= len(rows):
        row = rows[card.row.written - 1]
        printed = {form for form in row.cells if form in found}
        for name, text in row.cells.items():
            if name not in printed and name not in _labels(card, model):
                found[name] = " ".join(text.split())
    return found


def _labels(card: Card, model: Model) -> set[str]:
    """Columns of files that are parts of one column."""
    lists = [model.lists.get(c.by) for c in card.sort.columns.values() if isinstance(c.by, str)]
    return {row.name for listing in lists if listing is not None for row in listing.rows}


def card_data(card: Card, rows: Sequence[TableRow], model: Model) -> dict[str, Any]:
    """A card for other programs, with the place of its row."""
    cells = card_cells(card, rows, model)
    place = card.row.span
    return {**cells, "copies": card.copies, "file": place.file, "line": place.line} | (
        {"sheet": place.sheet, "cell": place.cell} if place.sheet else {}
    )


def show_cards(
    name: str, cards: Sequence[Card], rows: Sequence[TableRow], model: Model, wanted: list[str] | None
) -> None:
    """A table as wide as the terminal: columns that do not fit are named below."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    lines = [card_cells(card, rows, model) for card in cards]
    known = list(dict.fromkeys(key for line in lines for key in line))
    if wanted is not None:
        for column in wanted:
            if known and column not in known:
                hint = did_you_mean(column, known) or f"there are {', '.join(known)}"
                raise CannotRun(f"`{name}` has no column `{column}`; {hint}")
    filled = [key for key in known if any(line.get(key) for line in lines)]
    if all(line.get("copies") == "1" for line in lines) and "copies" in filled:
        filled.remove("copies")
    columns, left = (wanted, []) if wanted is not None else _fitting_columns(filled, lines)
    say(f"{name}: {counted(len({card.row.number for card in cards}), 'row')}, "
        f"{counted(sum(card.copies for card in cards), 'card')}", bold=True)  # fmt: skip
    if not lines:
        return
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold")
    for column in columns:
        number = all(line.get(column, "").lstrip("-").isdigit() for line in lines if line.get(column))
        table.add_column(
            escape_controls(column), justify="right" if number else "left", overflow="fold", max_width=_WIDEST_COLUMN
        )
    for line in lines:
        table.add_row(*(escape_controls(line.get(column, "")) for column in columns))
    console = Console(width=terminal_columns(), highlight=False, markup=False, emoji=False, record=False)
    with console.capture() as captured:
        console.print(table)
    text = captured.get()
    import sys

    click.echo("\n".join(line.rstrip() for line in text.rstrip("\n").split("\n")), color=uses_colour(sys.stdout))
    if left:
        hidden = f"(not shown: {', '.join(left)}; choose columns with --columns)"
        for part in wrap_text(hidden, terminal_columns(), "", " "):
            say(part)


def _fitting_columns(columns: list[str], lines: Sequence[dict[str, str]]) -> tuple[list[str], list[str]]:
    """As many columns as fit, from the left; and the others."""
    room = terminal_columns()
    for number, column in enumerate(columns):
        widest = max(
            [display_width(column), *(min(display_width(line.get(column, "")), _WIDEST_COLUMN) for line in lines)]
        )
        room -= widest + (3 if number else 0)
        if room < 0 and number:
            return columns[:number], columns[number:]
    return columns, []


# ---- figures


def histogram(figures: Figures) -> Iterator[str]:
    """What is known of a column, and a bar for each value, or for ranges of numbers where there are many."""
    head = f"  {figures.name} ({figures.type})"
    if figures.numbers:
        low, high = min(figures.numbers), max(figures.numbers)
        yield f"{head}: {low} to {high}, sum {figures.total}, mean {figures.mean:.1f}, median {figures.median:g}"
        bars = _range_counts(figures.numbers)
    else:
        yield head if figures.counts else f"{head}: no values"
        bars = dict(list(figures.counts.items())[:_MAX_BARS])
    if figures.missing and (figures.numbers or figures.counts):
        bars["(none)"] = figures.missing
    most = max(bars.values(), default=1)
    label = max((display_width(text) for text in bars), default=0)
    number = max((len(str(times)) for times in bars.values()), default=1)
    for text, times in bars.items():
        pad = " " * (label - display_width(text))
        shown = f"{pad}{text}" if figures.numbers else f"{text}{pad}"
        yield f"    {shown}  {times:>{number}}  {_bar(times, most)}".rstrip()
    if not figures.numbers and len(figures.counts) > _MAX_BARS:
        yield f"    ... and {counted(len(figures.counts) - _MAX_BARS, 'value')} more"


def _range_counts(numbers: dict[int, int]) -> dict[str, int]:
    low, high = min(numbers), max(numbers)
    if high - low < _MAX_BARS:
        return {str(number): numbers.get(number, 0) for number in range(low, high + 1)}
    step = -(-(high - low + 1) // 10)
    step = next(size for size in _steps() if size >= step)
    first = low // step * step
    bars: dict[str, int] = {}
    for start in range(first, high + 1, step):
        within = sum(times for number, times in numbers.items() if start <= number < start + step)
        bars[f"{start} to {start + step - 1}"] = within
    return bars


def _steps() -> Iterator[int]:
    size = 1
    while True:
        yield from (size, 2 * size, 5 * size)
        size *= 10


def _bar(times: int, most: int) -> str:
    eighths = round(times * _BAR * 8 / most) if most else 0
    whole, rest = divmod(max(eighths, 1 if times else 0), 8)
    return "█" * whole + (_EIGHTHS[rest - 1] if rest else "")


def figures_data(figures: Figures) -> dict[str, Any]:
    """A column's figures for other programs."""
    found: dict[str, Any] = {"column": figures.name, "type": figures.type, "missing": figures.missing}
    if figures.numbers:
        found |= {
            "min": min(figures.numbers), "max": max(figures.numbers), "sum": figures.total,
            "mean": round(figures.mean, 6), "median": figures.median,
        }  # fmt: skip
    return found | {"counts": {str(key): times for key, times in (figures.numbers or figures.counts).items()}}


# ---- `cards`

GAME = click.argument("game", shell_complete=completion.games)

_ROWS_SHOWN = 12
#: As `rulelang.data.csv_reader` has them.
ENCODINGS = ("utf-8", "utf-16", "windows-1252", "shift_jis", "euc-jp", "gb18030", "big5", "euc-kr")


@click.group(cls=VerbGroup)
def cards() -> None:
    """Export, import, search and summarize cards.

    The rows can be in YAML, CSV or a workbook. You can write the verb before or after the GAME: `rulelang cards stats
    GAME` and `rulelang cards GAME stats` do the same.
    """


def takes_game(command: Callable[..., Any]) -> Callable[..., Any]:
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


def chosen_tables(tables: dict[str, CardTypeTable], sort: str | None) -> dict[str, CardTypeTable]:
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
@takes_game
def export(
    ctx: click.Context, one: Compilation, kind: str | None, output: Path | None, sort: str | None, separator: str
) -> None:
    """Write the cards as a table for a spreadsheet."""
    from rulelang.tools.cards.plan_import import game_tables
    from rulelang.tools.cards.tables import CannotExport, check_read_back, to_csv, to_json, to_xlsx

    tables = chosen_tables(game_tables(one), sort)
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
            written = _export_targets(texts, output)
    except CannotExport as mistake:
        raise CannotRun(f"{mistake}; `--to json` keeps everything") from None
    except ImportError as problem:
        if not is_not_installed(problem, "openpyxl"):
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


def _export_targets(texts: dict[str, bytes], output: Path | None) -> dict[Path, bytes]:
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
@takes_game
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

        data = {name: _changes_data(changes) for name, changes in plan.every.items()}
        say_json({"changes": data, "written": paths, "diagnostics": [diagnostic_data(item) for item in found]})
        ctx.exit(MISTAKES if stopped else FINE)
    show_frames(found, plan.sources)
    for name, changes in plan.every.items():
        _print_changes(name, changes)
    _print_unchanged(plan, removing)
    if plan.diagnostics.failed:
        say(f"{file}: {tally(found)}; nothing was written")
    elif stopped:
        say("nothing was written")
    elif not plan.contents:
        say(f"{file}: no changes")
    else:
        say(f"{'would write' if dry_run else 'written'}: {', '.join(plan.contents)}")
    ctx.exit(MISTAKES if stopped else FINE)


def _print_changes(name: str, changes: Changes) -> None:
    kinds = {what: [row for row in changes.rows if row.what == what] for what in ("changed", "added", "removed")}
    parts = [f"{counted(len(rows), 'row')} {what}" for what, rows in kinds.items() if rows]
    if parts:
        say(f"{name}: {', '.join(parts)}", bold=True)
    signs = {"changed": "~", "added": "+", "removed": "-"}
    for number, row in enumerate(changes.rows):
        if number == _ROWS_SHOWN:
            say(f"  ... and {counted(len(changes.rows) - _ROWS_SHOWN, 'row')} more (--json lists all)")
            break
        called = row.name or (f"(row at {row.old.node.span})" if row.old is not None else "(new row)")
        cells = [
            f"{cell.form.name} {_one_line(cell.before)} -> {_one_line(cell.after)}" if row.old is not None and row.cells
            else f"{cell.form.name} {_one_line(cell.after)}"
            for cell in row.cells if cell.before or cell.after
        ]  # fmt: skip
        say(f"  {signs[row.what]} {called}{': ' if cells else ''}{', '.join(cells)}")


def _print_unchanged(plan: ImportPlan, removing: bool | None) -> None:
    """What is left as it is, and why."""
    for name, changes in plan.every.items():
        if changes.aside:
            say(f"{name}: the file lacks the columns {', '.join(changes.aside)}; these columns are unchanged")
        if changes.reordered:
            say(f"{name}: the file has its rows in a different order; the order in the game's files is unchanged")
    for name, rows in plan.missing.items():
        shown = ", ".join(rows[:_ROWS_SHOWN]) + (" ..." if len(rows) > _ROWS_SHOWN else "")
        if removing is None:
            say(f"{name}: the file lacks {counted(len(rows), 'row')} of the game ({shown}): give --remove or --keep")
        else:
            say(f"{name}: {counted(len(rows), 'row')} that the file lacks were kept ({shown})")


def _one_line(text: str) -> str:
    text = text.replace("\n", " ") or "(empty)"
    return text if len(text) <= 40 else f"{text[:37]}..."


def _changes_data(changes: Changes) -> list[dict[str, Any]]:
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
@takes_game
def table(ctx: click.Context, one: Compilation, sort: str | None, columns: str | None, json_: bool) -> None:
    """List the cards with their columns and counts."""
    _print_cards(one, sort, "", columns, json_)


@cards.command("find", context_settings={"ignore_unknown_options": True})
@GAME
@click.argument("where", nargs=-1, required=True)
@takes_sort()
@click.option("--columns", metavar="NAMES", help="Show these columns, separated by commas. (default: as many as fit)")
@takes_json()
@takes_game
def find(
    ctx: click.Context, one: Compilation, where: tuple[str, ...], sort: str | None, columns: str | None, json_: bool
) -> None:
    """List the cards that match a condition.

    WHERE is an expression as in the rules. Use column names; a trait by itself means the cards with that face. Quote
    the expression for the shell: `rulelang cards find evolution 'carnivore and food < 2'`.
    """
    found = _print_cards(one, sort, " ".join(where), columns, json_)
    ctx.exit(FINE if found else MISTAKES)


@cards.command("stats")
@GAME
@click.argument("where", nargs=-1)
@takes_sort()
@takes_json()
@takes_game
def stats(ctx: click.Context, one: Compilation, where: tuple[str, ...], sort: str | None, json_: bool) -> None:
    """Summarize the columns of the cards as histograms."""
    from rulelang.tools.cards.review import column_figures

    data = {}
    for name, cards_ in _matching_cards(one, sort, " ".join(where)).items():
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
@takes_game
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


def _matching_cards(one: Compilation, sort: str | None, where: str) -> dict[str, list[Card]]:
    """The cards of each sort that the condition holds for; of sorts that it has no meaning for, none."""
    from rulelang.compiler.compilation import LoadError
    from rulelang.language.semantics.card_questions import WHERE, cards_of, read_question
    from rulelang.tools.cards.plan_import import game_tables

    text = re.sub(r"^\s*where\b", " " * 5, where)
    names = list(chosen_tables(game_tables(one), sort))
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


def _print_cards(one: Compilation, sort: str | None, where: str, columns: str | None, json_: bool) -> bool:
    """Print cards; whether there are some."""
    found = _matching_cards(one, sort, where)
    texts = {name: table.rows for name, table in tables_by_sort(one).items()}
    wanted = [name.strip() for name in columns.split(",")] if columns else None
    if json_:
        say_json({name: [card_data(card, texts[name], one.model) for card in cards_] for name, cards_ in found.items()})
        return any(found.values())
    for name, cards_ in found.items():
        if cards_ or len(found) == 1:
            show_cards(name, cards_, texts[name], one.model, wanted)
    return any(found.values())


def tables_by_sort(one: Compilation) -> dict[str, CardTypeTable]:
    from rulelang.tools.cards.plan_import import game_tables

    return game_tables(one)
