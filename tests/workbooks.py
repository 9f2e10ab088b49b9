"""Excel workbooks for tests, from a text that can be read.

Rows are lines of CSV. `[Deck]` begins a sheet, `[Deck hidden]` one that is not seen. A cell is a whole number, a
number, `TRUE`, a date `2026-03-01`, a formula `=1+1` (without an outcome, as openpyxl writes it), an error `#REF!`,
or a text; `<` belongs to the cell on its left, `^` to the one above. A line that begins with `(hidden) ` is hidden.
"""

from __future__ import annotations

import csv
import io
import re
from datetime import date

from openpyxl import Workbook
from openpyxl.utils import get_column_letter


def workbook(text: str) -> bytes:
    """The bytes of a workbook."""
    book = Workbook()
    book.remove(book.active)
    sheet = None
    number = 0
    for line in text.splitlines():
        if match := re.fullmatch(r"\[(.+?)( hidden)?\]", line):
            sheet = book.create_sheet(match[1])
            sheet.sheet_state = "hidden" if match[2] else "visible"
            number = 0
            continue
        sheet = sheet or book.create_sheet("Sheet1")
        number += 1
        if line.startswith("(hidden) "):
            sheet.row_dimensions[number].hidden = True
            line = line.removeprefix("(hidden) ")
        for column, cell in enumerate(next(csv.reader([line])) if line else (), 1):
            if cell in ("<", "^"):
                before = (number, column - 1) if cell == "<" else (number - 1, column)
                sheet.merge_cells(f"{get_column_letter(before[1])}{before[0]}:{get_column_letter(column)}{number}")
            elif cell:
                value = _value(cell)
                made = sheet.cell(number, column, value)
                if cell.startswith("#"):
                    made.data_type = "e"
    whole = io.BytesIO()
    book.save(whole)
    return whole.getvalue()


def _value(cell: str) -> object:
    if re.fullmatch(r"-?\d+", cell):
        return int(cell)
    if re.fullmatch(r"-?\d+\.\d+", cell):
        return float(cell)
    if re.fullmatch(r"\d{4}-\d\d-\d\d", cell):
        return date.fromisoformat(cell)
    return {"TRUE": True, "FALSE": False}.get(cell, cell)
