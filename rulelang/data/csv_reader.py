"""Card files of spreadsheets: every cell with its place, every mistake at its cell."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rulelang.base.diagnostics import Diagnostics, Related
from rulelang.base.nearest import nearest
from rulelang.base.source import Span
from rulelang.data.text import decode
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar

MAX_ROWS = 100_000
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.\-]*\Z")


@dataclass(frozen=True, slots=True)
class CsvFile:
    """`columns` are the header cells; `rows` map a row's id to a map of column to cell.

    A row of a file without an `id` column stands under a nameless key (value None). Cells are scalars of style "csv":
    their text without outer blanks; an empty cell is the empty text. Not `whole`: a mistake keeps rows from being read.
    """

    path: str
    text: str
    columns: tuple[YamlScalar, ...]
    rows: YamlMap
    whole: bool = True


def read_csv(data: bytes, path: str, diagnostics: Diagnostics, layer: int = 0) -> CsvFile:
    """Read a comma-separated file with one header line. Mistakes become Y101, Y104 and Y110 to Y113 diagnostics."""
    start = Span(path, 1, 1, 1, 1)
    nothing = CsvFile(path, "", (), YamlMap((), start, layer), False)
    text = decode(data, path, diagnostics)
    if text is None:
        return nothing
    before = len(diagnostics)
    records = _records(text, path, diagnostics, layer)
    whole = len(diagnostics) == before
    if not whole:  # a quote is open, or the file too long: what was read of it says nothing of the rest
        return CsvFile(path, text, (), nothing.rows, False)
    if not records:
        diagnostics.error("Y110", start, "this card file is empty", because="its first line names the columns")
        return CsvFile(path, text, (), nothing.rows, False)
    header = records[0]
    if not _header(header, diagnostics):
        return CsvFile(path, text, tuple(header), nothing.rows, False)
    rows, lost = _rows(header, records[1:], start, diagnostics, layer)
    return CsvFile(path, text, tuple(header), rows, not lost)


def _header(header: list[YamlScalar], diagnostics: Diagnostics) -> bool:
    good = True
    seen: dict[str, YamlScalar] = {}
    if len(header) == 1 and re.search(r"[;\t]", header[0].text):
        sign = "a tab" if "\t" in header[0].text else "`;`"
        because = "cells are separated by `,`"
        diagnostics.error(
            "Y110",
            header[0].span,
            f"this file separates its cells by {sign}",
            because=because,
            hint="export it with commas",
        )
        return False
    for cell in header:
        if not cell.text:
            diagnostics.error("Y110", cell.span, "this column has no name", because="the first line names every column")
            good = False
        elif cell.text in seen:
            related = [Related(seen[cell.text].span, "it stands here first")]
            diagnostics.error("Y110", cell.span, f"the column `{cell.text}` stands twice", related=related)
            good = False
        seen[cell.text] = cell
    if "id" not in seen:
        close = nearest("id", [name.lower() for name in seen])
        if close is not None:
            cell = next(c for c in header if c.text.lower() == close)
            diagnostics.error(
                "Y110",
                cell.span,
                f"the column `{cell.text}` is nearly `id`",
                because="rows are named by the column `id`",
                hint="write `id`",
            )
            good = False
    return good


def _rows(
    header: list[YamlScalar], records: list[list[YamlScalar]], start: Span, diagnostics: Diagnostics, layer: int
) -> tuple[YamlMap, bool]:
    """The rows, and whether one is lost that may be named elsewhere."""
    lost = False
    items: list[tuple[YamlScalar, YamlNode]] = []
    seen: dict[str, YamlScalar] = {}
    width = len(header)
    at = next((i for i, cell in enumerate(header) if cell.text == "id"), None)
    for record in records:
        span = record[0].span.to(record[-1].span)
        if len(record) != width:
            where = record[width].span if len(record) > width else record[-1].span
            message = f"this row has {len(record)} cells, and the first line names {width} columns"
            related = [Related(header[0].span.to(header[-1].span), "the columns")]
            diagnostics.error(
                "Y111", where, message, hint="put cells that hold a `,` in double quotes", related=related
            )
            lost = True
            continue
        if at is None:
            key = YamlScalar(None, span, "", "csv", layer)
        else:
            key = record[at]
            if not _NAME.match(key.text):
                message = f"`{key.text}` is no name for a row" if key.text else "this row has no id"
                because = "ids begin with a letter and hold letters, digits, `_`, `.` and `-`"
                diagnostics.error("Y112", key.span, message, because=because)
                lost = True
                continue
            if key.text in seen:
                related = [Related(seen[key.text].span, f"`{key.text}` stands here first")]
                diagnostics.error("Y112", key.span, f"two rows have the id `{key.text}`", related=related)
                continue
            seen[key.text] = key
        cells: list[tuple[YamlScalar, YamlNode]] = list(zip(header, record, strict=True))
        if at is not None:
            del cells[at]
        items.append((key, YamlMap(tuple(cells), span, layer)))
    return YamlMap(tuple(items), start, layer), lost


def _records(text: str, path: str, diagnostics: Diagnostics, layer: int) -> list[list[YamlScalar]]:
    records: list[list[YamlScalar]] = []
    lines = text.split("\n")
    number = 0
    while number < len(lines):
        line = lines[number]
        number += 1
        if not line.strip(" ,"):
            continue
        if len(records) > MAX_ROWS:
            diagnostics.error("Y104", Span(path, number, 1, number, 2), f"this file has more than {MAX_ROWS:,} rows")
            break
        if '"' in line:
            record, number = _quoted(lines, number - 1, path, diagnostics, layer)
            if record:
                records.append(record)
            continue
        record = []
        column = 1
        for cell in line.split(","):
            end = column + len(cell)
            if cell and (cell[0] == " " or cell[-1] == " "):
                left = len(cell) - len(cell.lstrip(" "))
                cell = cell.strip(" ")
                record.append(
                    YamlScalar(
                        cell, Span(path, number, column + left, number, column + left + len(cell)), cell, "csv", layer
                    )
                )
            else:
                record.append(YamlScalar(cell, Span(path, number, column, number, end), cell, "csv", layer))
            column = end + 1
        records.append(record)
    return records


def _quoted(
    lines: list[str], row: int, path: str, diagnostics: Diagnostics, layer: int
) -> tuple[list[YamlScalar], int]:
    """One record with quotes, beginning in line index `row`; its cells and the index of the line after it."""
    record: list[YamlScalar] = []
    at = 0
    while True:
        line = lines[row]
        while at < len(line) and line[at] == " ":
            at += 1
        first_row, first = row, at
        if at < len(line) and line[at] == '"':
            parts: list[str] = []
            at += 1
            while True:
                end = lines[row].find('"', at)
                if end < 0:
                    parts.append(lines[row][at:] + "\n")
                    row, at = row + 1, 0
                    if row == len(lines):
                        span = Span(path, first_row + 1, first + 1, first_row + 1, first + 2)
                        diagnostics.error(
                            "Y113", span, "this quote is not closed", hint='write a quote inside quotes twice: ""'
                        )
                        return [], row
                    continue
                parts.append(lines[row][at:end])
                if lines[row][end + 1 : end + 2] == '"':
                    parts.append('"')
                    at = end + 2
                    continue
                at = end + 1
                break
            line = lines[row]
            comma = line.find(",", at)
            rest = line[at : comma if comma >= 0 else len(line)]
            if rest.strip(" "):
                span = Span(path, row + 1, at + 1, row + 1, at + 1 + len(rest))
                diagnostics.error(
                    "Y113", span, "text stands after a closing quote", hint='write a quote inside quotes twice: ""'
                )
                return [], row + 1
            text = "".join(parts)
            record.append(YamlScalar(text, Span(path, first_row + 1, first + 1, row + 1, at + 1), text, "csv", layer))
            at += len(rest)
        else:
            comma = line.find(",", at)
            end = comma if comma >= 0 else len(line)
            text = line[at:end].rstrip(" ")
            record.append(
                YamlScalar(text, Span(path, row + 1, at + 1, row + 1, at + 1 + len(text)), text, "csv", layer)
            )
            at = end
        if at >= len(line):
            return record, row + 1
        at += 1
