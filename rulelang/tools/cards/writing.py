"""Changed rows written into the files where they stand: nothing else in these files becomes another."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.source import Span
from rulelang.data.card_sources import CardFile
from rulelang.data.card_tables import first_line
from rulelang.data.ruleset_source import RulesetSource
from rulelang.data.text import TextEdits
from rulelang.data.yaml_nodes import YamlMap, YamlScalar
from rulelang.data.yaml_reader import read_yaml_text
from rulelang.tools.cards.exporting import put, quoted
from rulelang.tools.cards.importing import Changes, RowChange
from rulelang.tools.cards.rows import Form, node_of
from rulelang.tools.cards.yaml_rows import YamlRows


class CannotWrite(Exception):
    """A change that has no place in the files; the text says why and what can be done."""


@dataclass(slots=True)
class Files:
    """The files of a game with what is to be written into them. `texts`: by path; `books`: cells by path and sheet."""

    source: RulesetSource
    texts: dict[str, TextEdits] = field(default_factory=dict)
    books: dict[str, list[Sheet]] = field(default_factory=dict)
    yamls: dict[tuple[str, str], YamlRows] = field(default_factory=dict)

    def text(self, path: str) -> TextEdits:
        """The edits of a text file."""
        if path not in self.texts:
            self.texts[path] = TextEdits(self.source.sources[path])
        return self.texts[path]

    def yaml(self, path: str, sort: str) -> YamlRows:
        """The rows of a sort in a YAML file."""
        if (path, sort) not in self.yamls:
            root = read_yaml_text(self.source.sources[path], path, Diagnostics()).root
            self.yamls[path, sort] = YamlRows(self.text(path), root, sort)
        return self.yamls[path, sort]

    def contents(self, read: Mapping[str, bytes]) -> dict[str, bytes]:
        """The new bytes of all files that change; `read` are the old ones."""
        found = {}
        encodings = {file.table.path: file.source.dialect.encoding for file in self.source.card_files}
        for path, edits in self.texts.items():
            if edits.changed:
                found[path] = _encoded(edits.result(), read[path], encodings.get(path, "utf-8"))
        for path, sheets in self.books.items():
            found[path] = _book(read[path], sheets)
        return found

    @property
    def paths(self) -> list[str]:
        return [*(path for path, edits in self.texts.items() if edits.changed), *self.books]


@dataclass(slots=True)
class Sheet:
    """What is to be written into a sheet of a workbook: texts by row and column, with their forms; rows that go."""

    name: str
    cells: dict[tuple[int, int], tuple[str, Form]] = field(default_factory=dict)
    gone: set[int] = field(default_factory=set)
    last: int = 1
    columns: dict[str, int] = field(default_factory=dict)


def write_changes(files: Files, changes: Changes) -> None:
    """Put the changes of a sort into its files. CannotWrite."""
    for change in changes.rows:
        if change.old is not None:
            _change(files, changes, change)
    new = [change for change in changes.rows if change.old is None]
    if new:
        _add(files, changes, new)
    for (_, sort), rows in files.yamls.items():
        if sort == changes.table.sort:
            rows.finish()


def _change(files: Files, changes: Changes, change: RowChange) -> None:
    old = change.old
    assert old is not None
    sort = changes.table.sort
    place = old.node.span
    if place.is_cell:
        _in_sheet(files, changes, change, place)
    elif (file := _table_at(files, sort, place)) is not None:
        _in_text(files, file, change)
    else:
        rows = files.yaml(place.path, sort)
        done = rows.remove(old.node) if not change.cells else rows.change(old.node, change.cells)
        if not done:
            what = "removed from" if not change.cells else "changed in"
            raise CannotWrite(f"the row at {place} cannot be {what} that file automatically: edit it by hand")


def _table_at(files: Files, sort: str, place: Span) -> CardFile | None:
    """The text file in which a row stands; None for YAML."""
    for file in files.source.card_files:
        if file.sort == sort and file.table.path == place.path and file.table.columns:
            return file
    return None


# ---- text files


def _separator(files: Files, file: CardFile) -> str:
    return first_line(files.source.sources[file.table.path], file.source.dialect)[1]


def _in_text(files: Files, file: CardFile, change: RowChange) -> None:
    edits = files.text(file.table.path)
    old = change.old
    assert old is not None
    if not change.cells:
        edits.drop_lines(old.node.span.line, old.node.span.end_line)
        return
    separator = _separator(files, file)
    more = []
    for cell in change.cells:
        node = _cell(old.node, cell.form, file)
        if node is None:
            more.append((cell.form, cell.after))
        else:
            edits.replace(node.span, quoted(cell.after, separator))
    for form, text in more:
        _column(edits, file, form, separator, {id(old.node): text})


def _cell(row: YamlMap, form: Form, file: CardFile) -> YamlScalar | None:
    """The cell of a table that has such a column."""
    node = node_of(row, form)
    if isinstance(node, YamlScalar) and node.span.path == file.table.path:
        return node
    record = file.table.records.get(row.span.line)
    at = next((i for i, cell in enumerate(file.table.columns) if cell.text == form.name), None)
    return record[at] if record is not None and at is not None else None


def _column(edits: TextEdits, file: CardFile, form: Form, separator: str, texts: Mapping[int, str]) -> None:
    """A new column at the right end of a table, once for all rows that need it."""
    assert isinstance(file.table.rows, YamlMap)
    added = edits.columns.setdefault(form.name, {})
    if not added:
        last = file.table.columns[-1].span
        edits.insert(last.end_line, last.end_column, separator + quoted(form.name, separator), len(edits.columns))
        for _, row in file.table.rows:
            added[id(row)] = edits.insert(row.span.end_line, row.span.end_column, separator, len(edits.columns))
    for row_id, text in texts.items():
        added[row_id].text = separator + quoted(text, separator)


def _add(files: Files, changes: Changes, new: Sequence[RowChange]) -> None:
    """New rows go where the last ones of the sort stand: a table that `from:` names before a list in YAML."""
    sort = changes.table.sort
    tables = [file for file in files.source.card_files if file.sort == sort]
    if tables and tables[-1].table.columns:
        file = tables[-1]
        if file.table.columns[0].span.is_cell:
            sheet = _sheet(files, file)
            for change in new:
                sheet.last += 1
                _fill(sheet, sheet.last, change, changes)
            return
        edits = files.text(file.table.path)
        separator = _separator(files, file)
        names = [*(cell.text for cell in file.table.columns), *edits.columns]
        for form in _unknown(new, names):
            _column(edits, file, form, separator, {})
            names.append(form.name)
        for change in new:
            cells = {cell.form.name: cell.after for cell in change.cells} | {"id": change.name}
            edits.append_line(separator.join(quoted(cells.get(name, ""), separator) for name in names))
        return
    paths = [file.table.path for file in tables] or [
        row.key.span.path if row.name else row.node.span.path for row in changes.table.rows[-1:]
    ]
    rows = files.yaml(paths[-1], sort) if paths and paths[-1] in files.source.sources else None
    if rows is None or not rows.add(new, changes.table):
        hint = f"write `from: {sort}s.csv` in the card type, and create that file with the columns in its first line"
        raise CannotWrite(f"there is no file for new rows of `{sort}`: {hint}")


def _unknown(new: Iterable[RowChange], names: Sequence[str]) -> list[Form]:
    """The forms of cells that have no column yet."""
    forms = {cell.form.name: cell.form for change in new for cell in change.cells if cell.after}
    return [form for name, form in forms.items() if name not in names]


# ---- workbooks


def _sheet(files: Files, file: CardFile) -> Sheet:
    place = file.table.columns[0].span
    sheets = files.books.setdefault(place.file, [])
    for sheet in sheets:
        if sheet.name == place.sheet:
            return sheet
    assert isinstance(file.table.rows, YamlMap)
    last = max((row.span.line for _, row in file.table.rows), default=place.line)
    columns = {cell.text: cell.span.column for cell in file.table.columns}
    made = Sheet(place.sheet, last=last, columns=columns)
    sheets.append(made)
    return made


def _in_sheet(files: Files, changes: Changes, change: RowChange, place: Span) -> None:
    file = _table_at(files, changes.table.sort, place)
    if file is None:
        raise CannotWrite(f"{place} is not in a workbook of `{changes.table.sort}`")
    sheet = _sheet(files, file)
    if not change.cells:
        sheet.gone.add(place.line)
    else:
        _fill(sheet, place.line, change, changes)


def _fill(sheet: Sheet, row: int, change: RowChange, changes: Changes) -> None:
    if change.old is None and change.name:
        sheet.cells[row, _at(sheet, Form("id", "id", "id"))] = (change.name, Form("id", "id", "id"))
    for cell in change.cells:
        sheet.cells[row, _at(sheet, cell.form)] = (cell.after, cell.form)


def _at(sheet: Sheet, form: Form) -> int:
    """The column of a form; a new one at the right end if the sheet has none."""
    if form.name not in sheet.columns:
        sheet.columns[form.name] = max(sheet.columns.values(), default=0) + 1
        sheet.cells[0, sheet.columns[form.name]] = (form.name, Form("", "", "text"))
    return sheet.columns[form.name]


def _book(data: bytes, sheets: Sequence[Sheet]) -> bytes:
    from openpyxl import load_workbook

    book = load_workbook(io.BytesIO(data))
    for edits in sheets:
        sheet = book[edits.name]
        first = next((row[0].row for row in sheet.iter_rows() if any(cell.value is not None for cell in row)), 1)
        for (row, column), (text, form) in edits.cells.items():
            if text:
                put(sheet, row or first, column, text, form)
            else:
                sheet.cell(row, column).value = None
        for row in sorted(edits.gone, reverse=True):
            sheet.delete_rows(row)
    whole = io.BytesIO()
    book.save(whole)
    return whole.getvalue()


def _encoded(text: str, before: bytes, encoding: str) -> bytes:
    """The text as its file was written: with its mark and its line ends."""
    if b"\r\n" in before:
        text = text.replace("\n", "\r\n")
    if encoding == "utf-8":
        return (b"\xef\xbb\xbf" if before.startswith(b"\xef\xbb\xbf") else b"") + text.encode()
    return text.encode(encoding)
