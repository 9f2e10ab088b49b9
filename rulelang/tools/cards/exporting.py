"""Tables of cards written for other programs: as text, as a workbook, as JSON. What cannot be read back is refused."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rulelang.base.diagnostics import Diagnostics
from rulelang.data.yaml_nodes import YamlMap
from rulelang.language.semantics.model import Model
from rulelang.tools.cards.reading import Given, read_table
from rulelang.tools.cards.rows import Form, SortTable, canonical, cells_of

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

FORMATS = ("csv", "xlsx", "json")
_WHOLE = re.compile(r"-?(0|[1-9][0-9]{0,14})\Z")
_SPECIAL = re.compile(r"_x[0-9A-Fa-f]{4}_")
_UNREADABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_WIDEST = 60
_LONGEST_SHEET = 31


class CannotExport(Exception):
    """A table that this format cannot hold; the text says why."""


def to_csv(table: SortTable, separator: str = ",") -> str:
    """The table as text, with a line for each row."""
    lines = [separator.join(quoted(name, separator) for name in table.columns)]
    for row in table.rows:
        lines.append(separator.join(quoted(row.cells.get(name, ""), separator) for name in table.columns))
    return "\n".join(lines) + "\n"


def quoted(text: str, separator: str = ",") -> str:
    """A cell of a text file: in quotes where it would be read as something else without."""
    plain = not re.search(r'[",;|\t\n]', text) and text == text.strip(" ") and not text.startswith("sep=")
    return text if plain and separator not in text else '"' + text.replace('"', '""') + '"'


def to_json(tables: Mapping[str, SortTable], **about: str) -> str:
    """Tables as JSON: numbers, truth values, lists and maps as such; empty cells are left out."""
    cards = {name: [_json_row(table, row.cells) for row in table.rows] for name, table in tables.items()}
    text = json.dumps({**about, "cards": cards}, ensure_ascii=False, indent=1)
    return re.sub(_UNREADABLE, lambda found: f"\\u{ord(found[0]):04x}", text) + "\n"


def _json_row(table: SortTable, cells: Mapping[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for form in table.forms:
        text = cells.get(form.name, "")
        if not text:
            continue
        value = json_value(text, form)
        if form.part:
            found.setdefault(form.key, {})[form.part] = value
        else:
            found[form.key] = value
    return found


def json_value(text: str, form: Form) -> Any:
    """What a cell holds, as JSON and YAML have it."""
    if form.kind in ("number", "count") and _WHOLE.match(text):
        return int(text)
    if form.kind == "flag" and text in ("true", "false"):
        return text == "true"
    if form.kind == "set" and text:
        return text.split("+")
    if form.kind == "several":
        inner = Form(form.name, form.key, "number")
        words = text.split()
        return [json_value(word, inner) for word in words] if len(words) > 1 or form.labels else json_value(text, inner)
    if form.kind == "text" and form.key not in ("text", "name", "rules") and text[:1] in ("[", "{"):
        try:
            return json.loads(text)
        except ValueError:
            return text
    return text


def to_xlsx(tables: Mapping[str, SortTable], model: Model) -> bytes:
    """Tables as a workbook, a sheet for each; with the rows of lists to choose from. ImportError, CannotExport."""
    from openpyxl import Workbook

    book = Workbook()
    book.remove(book.active)
    for name, table in tables.items():
        _sheet(book.create_sheet(name[:_LONGEST_SHEET]), table, model)
    whole = io.BytesIO()
    book.save(whole)
    return whole.getvalue()


def _sheet(sheet: Worksheet, table: SortTable, model: Model) -> None:
    from openpyxl.styles import Font
    from openpyxl.utils import get_column_letter
    from openpyxl.utils.exceptions import IllegalCharacterError

    for column, form in enumerate(table.forms, 1):
        sheet.cell(1, column, form.name).font = Font(bold=True)
        width = max([len(form.name), *(len(row.cells.get(form.name, "")) for row in table.rows)])
        sheet.column_dimensions[get_column_letter(column)].width = min(width, _WIDEST) + 2
    for number, row in enumerate(table.rows, 2):
        for column, form in enumerate(table.forms, 1):
            text = row.cells.get(form.name, "")
            if text:
                try:
                    put(sheet, number, column, text, form)
                except IllegalCharacterError:
                    message = f"a workbook cannot contain the character in the column `{form.name}` of row {number}"
                    raise CannotExport(message) from None
    sheet.freeze_panes = "B2"
    sheet.auto_filter.ref = sheet.dimensions
    _choices(sheet, table, model)


def put(sheet: Worksheet, row: int, column: int, text: str, form: Form) -> None:
    """Write a cell: numbers and truth values as such, all else as text that no spreadsheet takes for a formula."""
    value = json_value(text, form) if form.kind in ("number", "count", "flag", "several") else text
    if isinstance(value, int):
        sheet.cell(row, column, value)
        return
    cell = sheet.cell(row, column)
    cell.value = _SPECIAL.sub(lambda found: f"_x005F{found[0]}", text)
    cell.data_type = "s"
    cell.number_format = "@"


def _choices(sheet: Worksheet, table: SortTable, model: Model) -> None:
    """What a spreadsheet offers in a cell: rows of a short list; numbers within a range."""
    from openpyxl.utils import get_column_letter
    from openpyxl.worksheet.datavalidation import DataValidation

    for number, form in enumerate(table.forms, 1):
        column = table.declared.get(form.key)
        if column is None or form.kind not in ("word", "number", "flag"):
            continue
        listing = model.lists.get(column.type.name)
        names = ",".join(row.name for row in listing.rows) if listing is not None and column.type.tag == "ref" else ""
        if names and len(names) < 255 and not re.search(r'["]', names):
            rule = DataValidation(type="list", formula1=f'"{names}"', allow_blank=True, showErrorMessage=False)
        elif form.kind == "number" and column.low is not None and column.high is not None:
            rule = DataValidation(
                type="whole", operator="between", formula1=str(column.low), formula2=str(column.high), allow_blank=True
            )
            rule.errorStyle = "warning"
        else:
            continue
        letter = get_column_letter(number)
        rule.add(f"{letter}2:{letter}{len(table.rows) + 200}")
        sheet.add_data_validation(rule)


def read_back(table: SortTable, data: bytes, kind: str) -> None:
    """CannotExport if what was written does not read as the same rows: the format cannot hold a text of it."""
    found = Diagnostics()
    sheet = table.sort[:_LONGEST_SHEET] if kind == "xlsx" else ""
    given = read_table(data, f"{table.sort}.{kind}", table.sort, sheet, found)
    if given is None:
        first = found.sorted()[0]
        raise CannotExport(f"{kind} cannot contain all texts of `{table.sort}`: {first.message} ({first.span})")
    _same(table, given, kind)


def _same(table: SortTable, given: Given, kind: str) -> None:
    rows = [(key, row) for key, row in given.rows if isinstance(row, YamlMap)]
    if len(rows) != len(table.rows):
        raise CannotExport(f"{kind} cannot contain empty rows of `{table.sort}`")
    for number, (old, (key, row)) in enumerate(zip(table.rows, rows, strict=True), 1):
        cells = cells_of(row, table.forms)
        if key.text:
            cells["id"] = key.text
        for form in table.forms:
            if cells.get(form.name, "") != canonical(old.cells.get(form.name, ""), form):
                whose = f"`{old.name}`" if old.name else f"row {number}"
                raise CannotExport(f"{kind} cannot contain the value in the column `{form.name}` of {whose}")
