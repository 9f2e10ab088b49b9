"""What mends values that are missing or out of range where things are declared."""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Callable, Iterator

from rulelang.apps.editor.analysis import absolute
from rulelang.apps.editor.recipes.place import Edit, Place, Recipe
from rulelang.base.source import Span
from rulelang.language.semantics.model import CardType, Column, Grid, Listing

_START = re.compile(r"write `(start: [^`]+)`")
_MISSING = re.compile(r"has no (?:value in the )?column `(\w+)`")
#: What stands behind a key: a flow map, or a plain value.
_FLOW = re.compile(r"\s*:\s*\{")
_PLAIN = re.compile(r"\s*:\s*(?P<value>[^\s,{}#][^,{}#]*?)\s*(?=[,}#]|\Z)")


def _begun(place: Place) -> Iterator[Recipe]:
    """A start where none is said, since it would be out of range."""
    said = _START.search(place.item.hint)
    end = place.item.span.end_column - 1
    if said is None:
        return
    flow, plain = _FLOW.match(place.row, end), _PLAIN.match(place.row, end)
    if flow is not None:
        yield Recipe(f"Write `{said[1]}`", (place.on(flow.end(), flow.end(), f"{said[1]}, "),))
    elif plain is not None:
        at, behind = plain.span("value")
        yield Recipe(f"Write `{said[1]}`", (place.on(at, behind, f"{{is: {plain['value']}, {said[1]}}}"),))


def _filled(place: Place) -> Iterator[Recipe]:
    """A value for the row; or none is needed in the column."""
    if "`copies: 1`" in place.item.hint:
        yield from _beside_from(place, "copies: 1", "Write `copies: 1`")
    name = _MISSING.search(place.item.message)
    said = [related.span for related in place.item.related]
    end = place.item.span.end_column - 1
    model = place.analysis.model
    tables: list[Listing | CardType | Grid] = [*model.lists.values(), *model.sorts.values(), *model.grids.values()]
    for column in (column for table in tables for column in table.columns.values()):
        named = name is not None and name[1] == column.name
        if not named and column.span not in said:
            continue
        flow = _FLOW.match(place.row, end)
        if flow is not None and named:
            comma = "" if place.row[flow.end() :].lstrip().startswith("}") else ", "
            given = f"{column.name}: {_some(place, column)}"
            yield Recipe(f"Write `{given}`", (place.on(flow.end(), flow.end(), f"{given}{comma}"),), (), True)
        needless = _needless(place, column)
        if needless is not None:
            yield needless


def _one_column_more(place: Place) -> Iterator[Recipe]:
    """A column of a file of rows: declared with the first type that all of its cells have, or left aside."""
    if "`unused_columns:" not in place.item.hint or not place.guilty.isidentifier():
        return
    model = place.analysis.model
    tables: list[Listing | CardType] = [*model.sorts.values(), *model.lists.values()]
    for table in tables:
        first = next(iter(table.columns.values()), None)
        if first is None or table.span.path != place.item.span.path:
            continue
        at = first.span.column - 1
        indent = place.analysis.texts.get(absolute(first.span.path), "").split("\n")[first.span.line - 1][:at]
        for type_ in _types_of(place):
            new = f"{place.guilty}: {type_}"
            edit = _put(first.span, at, f"{new}\n{indent}" if not indent.strip() else f"{new}, ")
            yield Recipe(f"Declare the column `{new}`", (edit,), (), True)
    said = f"Name it in `unused_columns: [{place.guilty}]`"
    for span, found in _standing(place, r"\bunused_columns:\s*\["):
        comma = "" if found.string[found.end() :].startswith("]") else ", "
        yield Recipe(said, (_put(span, found.end(), f"{place.guilty}{comma}"),), (), True)
    yield from _beside_from(place, f"unused_columns: [{place.guilty}]", said)


def _types_of(place: Place) -> Iterator[str]:
    """What the cells below the guilty one may be."""
    sign = next((sign for sign in (",", ";", "\t") if sign in place.row), ",")
    number = place.row[: place.item.span.column - 1].count(sign)
    lines = csv.reader(place.rows[place.item.span.line :], delimiter=sign)
    cells = {line[number].strip() for line in lines if number < len(line)} - {""}
    if all(re.fullmatch(r"-?\d+", cell) for cell in cells):
        yield "int"
    if cells <= {"true", "false"}:
        yield "bool"
    yield from (kind for kind in place.analysis.model.lists if cells <= {*place.analysis.symbols.rows_of(kind)})


def _said_of_cells(place: Place) -> Iterator[Recipe]:
    """What a cell means that is neither true nor false, said in its column."""
    named = re.search(r"the column `(\w+)`", place.item.because)
    model = place.analysis.model
    if named is None or "`cells: {" not in place.item.hint:
        return
    tables: list[Listing | CardType] = [*model.sorts.values(), *model.lists.values()]
    for table in tables:
        column = table.columns.get(named[1]) if table.span.path == place.item.span.path else None
        for word in ("true", "false") if column is not None else ():
            quoted = place.guilty if re.fullmatch(r"[A-Za-z]\w*", place.guilty) else f'"{place.guilty}"'
            said = f"cells: {{{quoted}: {word}}}"
            edits = _said_in(place, column, said) if column is not None else ()
            if edits:
                yield Recipe(f"Write `{said}`", edits, (), True)


def _beside_from(place: Place, text: str, title: str) -> Iterator[Recipe]:
    """One key more where the file in which the mistake stands is named."""
    stem = re.escape(os.path.basename(place.item.span.path))
    for span, found in _standing(place, rf"\bfrom:.*?(?<![\w.-]){stem}(?![\w.-])"):
        indent = found.string[: found.start()]
        new = f"{text}\n{indent}" if not indent.strip() else f"{text}, "
        yield Recipe(title, (_put(span, found.start(), new),), (), True)


def _standing(place: Place, pattern: str) -> Iterator[tuple[Span, re.Match[str]]]:
    """Where something stands in files of data: its line, and what was found there."""
    for path, text in place.analysis.texts.items():
        for number, row in enumerate(text.split("\n"), 1) if path.endswith((".yaml", ".yml")) else ():
            found = re.search(pattern, row)
            if found is not None:
                yield Span(place.analysis.display(path), number, 1, number, 1), found


def _some(place: Place, column: Column) -> str:
    if column.type.tag == "ref":
        return next(iter(place.analysis.symbols.rows_of(column.type.name)), "none")
    return "false" if column.type.tag == "bool" else str(column.low or 0)


def _needless(place: Place, column: Column) -> Recipe | None:
    """A column of which a row need say nothing: a row of a list may be missing, other values have a default."""
    rows = place.analysis.texts.get(absolute(column.span.path), "").split("\n")
    row = rows[column.span.line - 1] if column.span.line <= len(rows) else ""
    end = column.span.end_column - 1
    flow, plain = _FLOW.match(row, end), _PLAIN.match(row, end)
    kind = re.compile(r"\bis:\s*").search(row, end) if flow is not None else None
    at = plain.start("value") if plain is not None else kind.end() if kind is not None else -1
    if column.type.tag == "ref" and at >= 0:
        return Recipe(f"Allow `{column.name}` to be missing", (_put(column.span, at, "maybe "),), (), True)
    default = f"default: {_some(place, column)}"
    edits = _said_in(place, column, default)
    return Recipe(f"Write `{default}`", edits, (), True) if edits else None


def _said_in(place: Place, column: Column, text: str) -> tuple[Edit, ...]:
    """One key more in the declaration of a column; nothing where that has a line for each key."""
    rows = place.analysis.texts.get(absolute(column.span.path), "").split("\n")
    row = rows[column.span.line - 1] if column.span.line <= len(rows) else ""
    flow, plain = (one.match(row, column.span.end_column - 1) for one in (_FLOW, _PLAIN))
    if flow is not None:
        return (_put(column.span, flow.end(), f"{text}, "),)
    if plain is not None:
        at, behind = plain.span("value")
        return _put(column.span, at, "{is: "), _put(column.span, behind, f", {text}}}")
    return ()


def _put(span: Span, at: int, text: str) -> Edit:
    """Something more at a column (from 0) of a line."""
    return Span(span.path, span.line, at + 1, span.line, at + 1), text


VALUES: dict[str, Callable[[Place], Iterator[Recipe]]] = {
    "N304": _said_of_cells,
    "N315": _begun,
    "N318": _filled,
    "N319": _one_column_more,
}
