"""What mends values that are missing or out of range where things are declared."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from rulelang.base.source import Span
from rulelang.editor.analysis import absolute
from rulelang.editor.recipes.place import Edit, Place, Recipe
from rulelang.semantics.model import CardSort, Column, Grid, Listing

_START = re.compile(r"write `(start: [^`]+)`")
_MISSING = re.compile(r"has no value in the column `(\w+)`")
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
    name = _MISSING.search(place.item.message)
    end = place.item.span.end_column - 1
    model = place.analysis.model
    tables: list[Listing | CardSort | Grid] = [*model.lists.values(), *model.sorts.values(), *model.grids.values()]
    for column in (table.columns[name[1]] for table in tables if name is not None and name[1] in table.columns):
        flow = _FLOW.match(place.row, end)
        if flow is not None:
            comma = "" if place.row[flow.end() :].lstrip().startswith("}") else ", "
            given = f"{column.name}: {_some(place, column)}"
            yield Recipe(f"Write `{given}`", (place.on(flow.end(), flow.end(), f"{given}{comma}"),), (), True)
        needless = _needless(place, column)
        if needless is not None:
            yield needless


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
        return Recipe(
            f"Let `{column.name}` be missing where nothing is said", (_put(column.span, at, "maybe "),), (), True
        )
    default = f"default: {_some(place, column)}"
    edits: tuple[Edit, ...] = ()
    if flow is not None:
        edits = (_put(column.span, flow.end(), f"{default}, "),)
    elif plain is not None:
        edits = (_put(column.span, at, "{is: "), _put(column.span, plain.end("value"), f", {default}}}"))
    return Recipe(f"Write `{default}`", edits, (), True) if edits else None


def _put(span: Span, at: int, text: str) -> Edit:
    """Something more at a column (from 0) of a line."""
    return Span(span.path, span.line, at + 1, span.line, at + 1), text


VALUES: dict[str, Callable[[Place], Iterator[Recipe]]] = {"N315": _begun, "N318": _filled}
