"""Sheets of a workbook as tables of cards: every cell with its place; what is no value is told when it is read."""

from __future__ import annotations

import datetime
import io
import re
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree
from xml.parsers import expat

from rulelang.base.diagnostics import Diagnostic, Diagnostics
from rulelang.base.limits import CELLS
from rulelang.base.source import Span, column_letters, sheet_path
from rulelang.base.wording import did_you_mean, quoted_list
from rulelang.data.card_tables import MAX_COLUMNS, MAX_ROWS, CardTable, Record, empty_table, table_from_records
from rulelang.data.yaml_nodes import YamlScalar

if TYPE_CHECKING:
    from python_calamine import CalamineSheet, CalamineWorkbook

#: Bytes of all parts of a workbook, and cells of a sheet from its first to its last.
MOST_BYTES = 64 * 2**20
_CELL = re.compile(rb'<(?:\w+:)?c\b[^<>]*?\br="([A-Z]{1,3})([0-9]{1,7})"[^<>]*?(/?)>')
_ODD = re.compile(rb'\bt="e"|<(?:\w+:)?f[\s/>]|\bhidden="(?:1|true)"')
_SHOWN = 6

Values = list[list[Any]]


def read_xlsx(
    data: bytes, path: str, sheet: str, place: Span, diagnostics: Diagnostics, layer: int = 0, free: bool = False
) -> CardTable:
    """Read a sheet whose first row names the columns; the only visible one if `sheet` is empty. `place`: where the
    workbook is named. Mistakes become Y104, Y110 to Y112 and Y171 to Y175 diagnostics."""
    try:
        import python_calamine
    except ImportError:
        because = "this package is not installed"
        hint = "install it with `pip install 'rulelang[sheets]'`"
        diagnostics.error(
            "Y171", place, "rulelang cannot read workbooks without `python-calamine`", because=because, hint=hint
        )
        return empty_table(path)
    parts = _parts(data, path, diagnostics)
    if parts is None:
        return empty_table(path)
    try:
        book = python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(_stored(parts)))
        name = _chosen(book, sheet, place, path.rpartition("/")[2], diagnostics)
        if name is None:
            return empty_table(path)
        where = sheet_path(path, name)
        xml = _xml(parts, name)
        if not _check_extent(xml, where, diagnostics):
            return empty_table(where)
        found = book.get_sheet_by_name(name)
        values = found.to_python(skip_empty_area=False)
    except (python_calamine.CalamineError, ElementTree.ParseError, expat.ExpatError, KeyError, ValueError) as mistake:
        _no_workbook(path, f"it cannot be read: {mistake}", diagnostics)
        return empty_table(path)
    text = "\n".join("\t".join(_shown(value) for value in row) for row in values)
    odd = _odd_cells(xml, found, where, diagnostics)
    records = [record for number, row in enumerate(values, 1) if (record := _record(row, number, where, odd, layer))]
    return table_from_records(records, where, text, diagnostics, layer, odd, free)


def sheet_names(data: bytes) -> list[str]:
    """The names of a workbook's sheets; none of what is no workbook."""
    parts = _parts(data, "", Diagnostics())
    try:
        return [item.get("name", "") for item in _sheets(parts)] if parts is not None else []
    except ElementTree.ParseError:
        return []


# ---- the file


def _parts(data: bytes, path: str, diagnostics: Diagnostics) -> dict[str, bytes] | None:
    """The parts of a workbook, unpacked within bounds; None after Y104 or Y172."""
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        _no_workbook(path, "it is an old `.xls` workbook, or has a password", diagnostics)
        return None
    parts: dict[str, bytes] = {}
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
            if sum(member.file_size for member in members) > MOST_BYTES or len(members) > 10_000:
                because = (
                    f"the limit of {MOST_BYTES // 2**20} MiB unpacked keeps a malicious file from exhausting memory"
                )
                diagnostics.error("Y104", Span(path, 1, 1, 1, 2), "this workbook is too large", because=because)
                return None
            for member in members:
                if member.filename.endswith((".xml", ".rels")):
                    parts[member.filename] = archive.read(member)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError):
        _no_workbook(path, "an Excel workbook is a zip file, and rulelang cannot unpack this file", diagnostics)
        return None
    if "xl/workbook.xml" not in parts:
        _no_workbook(path, "it contains no `xl/workbook.xml`", diagnostics)
        return None
    return parts


def _no_workbook(path: str, why: str, diagnostics: Diagnostics) -> None:
    hint = "save it as an Excel workbook (.xlsx) without a password"
    diagnostics.error("Y172", Span(path, 1, 1, 1, 2), "this is not a workbook", because=why, hint=hint)


def _stored(parts: dict[str, bytes]) -> bytes:
    """A workbook of these parts, not packed: what reads it unpacks nothing that was not measured."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_STORED) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return whole.getvalue()


def _chosen(book: CalamineWorkbook, sheet: str, place: Span, file: str, diagnostics: Diagnostics) -> str | None:
    """The name of the sheet that is meant; None after Y173."""
    known = [item for item in book.sheets_metadata if str(item.typ).endswith("WorkSheet")]
    names = [item.name for item in known]
    if sheet in names:
        return sheet
    if sheet:
        hint = did_you_mean(sheet, names) or f"its sheets are {quoted_list(names)}"
        diagnostics.error("Y173", place, f"this workbook has no sheet `{sheet}`", hint=hint)
        return None
    visible = [item.name for item in known if str(item.visible).endswith(".Visible")]
    if len(visible) == 1:
        return visible[0]
    message = f"expected one sheet, found {quoted_list(visible)}" if visible else "this workbook has no visible sheet"
    hint = f"name the sheet: `{{file: {file}, sheet: {(visible or names or ['NAME'])[0]}}}`"
    diagnostics.error("Y173", place, message, because="rulelang reads the rows of only one sheet", hint=hint)
    return None


def _xml(parts: dict[str, bytes], sheet: str) -> bytes:
    """The part that holds a sheet, found as spreadsheets find it. KeyError, ParseError."""
    link = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
    wanted = next((item.get(link) for item in _sheets(parts) if item.get("name") == sheet), None)
    for item in ElementTree.fromstring(parts["xl/_rels/workbook.xml.rels"]):
        if item.get("Id") == wanted:
            target = item.get("Target", "")
            return parts[target.removeprefix("/") if target.startswith("/") else f"xl/{target}"]
    raise KeyError(sheet)


def _sheets(parts: dict[str, bytes]) -> Iterator[ElementTree.Element]:
    """What the workbook says of its sheets. ParseError."""
    main = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
    return ElementTree.fromstring(parts["xl/workbook.xml"]).iter(f"{main}sheet")


def _check_extent(xml: bytes, path: str, diagnostics: Diagnostics) -> bool:
    """Y104 for a sheet whose first and last cell lie too far apart to be read as a table."""
    cells = [(letters, int(row)) for letters, row, empty in _CELL.findall(xml) if not empty]
    rows = max((row for _, row in cells), default=0)
    widths = (sum((c - 64) * 26**i for i, c in enumerate(reversed(letters))) for letters in {name for name, _ in cells})
    width = max(widths, default=0)
    if rows <= MAX_ROWS and width <= MAX_COLUMNS and rows * width <= CELLS.most:
        return True
    because = f"a sheet may have at most {MAX_ROWS:,} rows, {MAX_COLUMNS:,} columns and {CELLS.most:,} cells"
    message = f"the last cell of this sheet is {column_letters(width)}{rows}"
    hint = f"delete cells far from the others; {CELLS.hint}"
    diagnostics.error("Y104", Span(path, 1, 1, 1, 2), message, because=because, hint=hint)
    return False


# ---- the cells


def _record(row: Sequence[Any], number: int, path: str, odd: dict[Span, Diagnostic], layer: int) -> Record | None:
    """A row with the places of its cells; None for an empty one."""
    record: Record = []
    filled = False
    for column, value in enumerate(row, 1):
        span = Span(path, number, column, number, column + 1)
        text = value.strip(" ") if type(value) is str else _text(value)
        if isinstance(value, _DATES):
            odd[span] = _date(span, text)
        strange = bool(odd) and span in odd
        filled = filled or strange or text != ""
        record.append(YamlScalar(text, span, text, "odd" if strange else "csv", layer))
    return record if filled else None


_DATES = (datetime.date, datetime.time, datetime.timedelta)


def _text(value: Any) -> str:
    """A value as a card file has it: truth values are words, whole numbers have no point."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    if isinstance(value, datetime.datetime) and not (value.hour or value.minute or value.second):
        return str(value.date())
    return str(value)


def _shown(value: Any) -> str:
    return _text(value).replace("\t", " ").replace("\r", "").replace("\n", "⏎")


def _date(span: Span, text: str) -> Diagnostic:
    because = "spreadsheets turn text such as `3-1` into dates, and cards cannot contain dates"
    hint = "format the column as text, then type the value again"
    return Diagnostic("Y174", span, f"this cell contains the date {text}", because, hint)


def _odd_cells(xml: bytes, sheet: CalamineSheet, path: str, diagnostics: Diagnostics) -> dict[Span, Diagnostic]:
    """What is to be said of cells without a value of their own, should they be read. Y175 for hidden rows."""
    found: dict[Span, Diagnostic] = {}
    merged = 0
    lowest, widest = sheet.end if sheet.end is not None else (0, 0)
    lowest, widest = lowest + 1, widest + 1  # what is beyond the last cell is not read
    for (top, left), (bottom, right) in sheet.merged_cell_ranges or ():
        whole = Span(path, top + 1, left + 1, bottom + 1, right + 2)
        last = f"{column_letters(right + 1)}{bottom + 1}"
        message = f"the cells {whole.cell} to {last} are merged"
        because = "only the first of merged cells has a value"
        told = Diagnostic("Y174", whole.head(), message, because, "unmerge them, and fill in each cell")
        for row in range(top + 1, min(bottom + 1, lowest) + 1):
            for column in range(left + 1, min(right + 1, widest) + 1):
                merged += 1
                if merged > CELLS.most:  # hostile ones overlap
                    return found
                if (row, column) != (top + 1, left + 1):
                    found[Span(path, row, column, row, column + 1)] = told
    if _ODD.search(xml):
        scan = _Scan(path)
        scan.read(xml)
        found.update(scan.odd)
        if scan.hidden:
            more = ", ".join(map(str, scan.hidden[:_SHOWN])) + (" ..." if len(scan.hidden) > _SHOWN else "")
            place = Span(path, scan.hidden[0], 1, scan.hidden[0], 2)
            message = "this row is hidden" if len(scan.hidden) == 1 else f"{len(scan.hidden)} rows are hidden ({more})"
            because = "rulelang also reads hidden rows"
            hint = "unhide the rows, or delete them if they are not cards"
            diagnostics.warning("Y175", place, message, because=because, hint=hint)
    return found


class _Scan:
    """Goes over the XML of a sheet for what a table of values does not tell: hidden rows, errors, and formulas whose
    outcome was not kept."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.hidden: list[int] = []
        self.odd: dict[Span, Diagnostic] = {}
        self.row = self.column = 0
        self.kind = self.into = ""
        self.cells = 0
        self.formula: str | None = None
        self.value = ""

    def read(self, xml: bytes) -> None:
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = self._begin
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._data
        parser.Parse(xml, True)

    def _begin(self, name: str, given: dict[str, str]) -> None:
        name = name.rpartition(":")[2]
        if name == "row":
            self.row = int(given.get("r", self.row + 1))
            self.column = 0
            self.cells = 0
            self.shut = given.get("hidden") in ("1", "true")
        elif name == "c":
            letters = given.get("r", "").rstrip("0123456789")
            self.column = sum((ord(c) - 64) * 26**i for i, c in enumerate(reversed(letters))) or self.column + 1
            self.kind, self.formula, self.value = given.get("t", ""), None, ""
        elif name == "f":
            self.formula, self.into = "", "f"
        elif name == "v" or name == "t":
            self.into = "v"

    def _data(self, text: str) -> None:
        if self.into == "f":
            self.formula = (self.formula or "") + text
        elif self.into == "v":
            self.value += text

    def _end(self, name: str) -> None:
        name = name.rpartition(":")[2]
        if name in ("f", "v", "t"):
            self.into = ""
        elif name == "c":
            self.cells += bool(self.value) or self.formula is not None
            span = Span(self.path, self.row, self.column, self.row, self.column + 1)
            if self.kind == "e":
                because = f"it is the result of the formula `={self.formula}`" if self.formula else ""
                self.odd[span] = Diagnostic(
                    "Y174",
                    span,
                    f"this cell contains the error `{self.value}`",
                    because,
                    "type the value that you mean",
                )
            elif self.formula is not None and not self.value and self.kind != "str":
                message = f"the formula `={self.formula[:60]}` has no saved result"
                because = "the program that wrote it does not compute formulas"
                self.odd[span] = Diagnostic("Y174", span, message, because, "save it with a spreadsheet program")
        elif name == "row" and self.shut and self.cells:
            self.hidden.append(self.row)
