"""How cards and their figures are printed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import click

from rulelang.apps.cli.screen import CannotRun, coloured, counted, say, terminal_columns
from rulelang.base.terminal import display_width, escape_controls, wrap_text
from rulelang.base.wording import did_you_mean
from rulelang.language.semantics.card_questions import Card, printed_text
from rulelang.language.semantics.model import Model
from rulelang.tools.cards.review import Figures
from rulelang.tools.cards.tables import TableRow

_WIDEST = 28
_BAR = 30
_MOST_BARS = 16
_EIGHTHS = "▏▎▍▌▋▊▉█"


def cells_of(card: Card, rows: Sequence[TableRow], model: Model) -> dict[str, str]:
    """A card by columns: its row's name, the copies, what is printed, and what else the row says."""
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


def as_data(card: Card, rows: Sequence[TableRow], model: Model) -> dict[str, Any]:
    """A card for other programs, with the place of its row."""
    cells = cells_of(card, rows, model)
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

    lines = [cells_of(card, rows, model) for card in cards]
    known = list(dict.fromkeys(key for line in lines for key in line))
    if wanted is not None:
        for column in wanted:
            if known and column not in known:
                hint = did_you_mean(column, known) or f"there are {', '.join(known)}"
                raise CannotRun(f"`{name}` has no column `{column}`; {hint}")
    filled = [key for key in known if any(line.get(key) for line in lines)]
    if all(line.get("copies") == "1" for line in lines) and "copies" in filled:
        filled.remove("copies")
    columns, left = (wanted, []) if wanted is not None else _fitting(filled, lines)
    say(f"{name}: {counted(len({card.row.number for card in cards}), 'row')}, "
        f"{counted(sum(card.copies for card in cards), 'card')}", bold=True)  # fmt: skip
    if not lines:
        return
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold")
    for column in columns:
        number = all(line.get(column, "").lstrip("-").isdigit() for line in lines if line.get(column))
        table.add_column(
            escape_controls(column), justify="right" if number else "left", overflow="fold", max_width=_WIDEST
        )
    for line in lines:
        table.add_row(*(escape_controls(line.get(column, "")) for column in columns))
    console = Console(width=terminal_columns(), highlight=False, markup=False, emoji=False, record=False)
    with console.capture() as captured:
        console.print(table)
    text = captured.get()
    import sys

    click.echo("\n".join(line.rstrip() for line in text.rstrip("\n").split("\n")), color=coloured(sys.stdout))
    if left:
        hidden = f"(not shown: {', '.join(left)}; choose columns with --columns)"
        for part in wrap_text(hidden, terminal_columns(), "", " "):
            say(part)


def _fitting(columns: list[str], lines: Sequence[dict[str, str]]) -> tuple[list[str], list[str]]:
    """As many columns as fit, from the left; and the others."""
    room = terminal_columns()
    for number, column in enumerate(columns):
        widest = max([display_width(column), *(min(display_width(line.get(column, "")), _WIDEST) for line in lines)])
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
        bars = _ranges(figures.numbers)
    else:
        yield head if figures.counts else f"{head}: no values"
        bars = dict(list(figures.counts.items())[:_MOST_BARS])
    if figures.missing and (figures.numbers or figures.counts):
        bars["(none)"] = figures.missing
    most = max(bars.values(), default=1)
    label = max((display_width(text) for text in bars), default=0)
    number = max((len(str(times)) for times in bars.values()), default=1)
    for text, times in bars.items():
        pad = " " * (label - display_width(text))
        shown = f"{pad}{text}" if figures.numbers else f"{text}{pad}"
        yield f"    {shown}  {times:>{number}}  {_bar(times, most)}".rstrip()
    if not figures.numbers and len(figures.counts) > _MOST_BARS:
        yield f"    ... and {counted(len(figures.counts) - _MOST_BARS, 'value')} more"


def _ranges(numbers: dict[int, int]) -> dict[str, int]:
    low, high = min(numbers), max(numbers)
    if high - low < _MOST_BARS:
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
