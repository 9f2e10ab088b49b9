"""Write changed rows into the files of a game, and leave everything else in these files as it is."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.source import Span
from rulelang.data.card_sources import CardFile
from rulelang.data.card_tables import first_line
from rulelang.data.ruleset_source import RulesetSource
from rulelang.data.text import TextEdits
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq, is_blank
from rulelang.data.yaml_reader import plain_value, read_yaml_text
from rulelang.tools.cards.changes import CellChange, Changes, RowChange
from rulelang.tools.cards.tables import CardTypeTable, ColumnForm, cell_node, json_value, quoted_cell, write_cell

# ---- rows in YAML files

_PLAIN = re.compile(r"[^\W\d_][\w .+/†-]*[\w†]\Z|[^\W\d_]\Z")
_ROW_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*\Z")
_UNPRINTED = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


class YamlRows:
    """The rows of a sort in one file. Each method says whether it could do what was asked."""

    def __init__(self, edits: TextEdits, root: YamlNode | None, sort: str) -> None:
        self.edits = edits
        self.rows = _rows_node(root, sort)
        self.gone: set[int] = set()  # places of rows that go

    # ---- cells

    def change(self, row: YamlMap, cells: Sequence[CellChange]) -> bool:
        """Put other texts into cells of a row."""
        new: dict[str, Any] = {}
        parts: dict[str, dict[str, Any]] = {}
        gone: set[str] = set()
        for cell in cells:
            form, node = cell.form, cell_node(row, cell.form)
            if node is not None and cell.after and not (isinstance(node, YamlScalar) and node.value is None):
                self.edits.replace(node.span, self._text(node, cell))
            elif not cell.after:
                gone.add(form.name)
            elif form.part:
                parts.setdefault(form.key, {})[form.part] = json_value(cell.after, form)
            else:
                new[form.key] = json_value(cell.after, form)
        lost = {name for name in gone if row.get(name) is not None}
        for key in {cell.form.key for cell in cells if cell.form.part}:
            inner = row.get(key)
            dropped = {cell.form.part for cell in cells if cell.form.key == key and cell.form.name in gone}
            if not isinstance(inner, YamlMap):
                if inner is not None and key not in gone and not is_blank(inner):
                    return False  # a list, or a text without languages that stays
                new |= {key: parts[key]} if key in parts else {}
            elif set(inner.keys()) <= dropped:
                lost.add(key)
                new |= {key: parts[key]} if key in parts else {}
            else:
                self._drop(inner, dropped)
                self._put(inner, parts.get(key, {}), dropped)
        for key in [key for key in new if row.get(key) is not None]:
            node = row.get(key)
            assert node is not None
            lead = "" if self._blank_before(node.span) else " "
            self.edits.replace(node.span, f"{lead}{yaml_value(new.pop(key))}")
            lost.discard(key)
        if lost >= set(row.keys()):
            if row.items:
                self.edits.replace(row.span, yaml_value(new))
                return True
        else:
            self._drop(row, lost)
        return self._put(row, new, lost)

    def _text(self, node: YamlNode, cell: CellChange) -> str:
        """The new text in the style of the old one."""
        if isinstance(node, YamlSeq) or not isinstance(node, YamlScalar):
            return yaml_value(json_value(cell.after, cell.form))
        if cell.form.kind in ("set", "several") and isinstance(node.value, str):
            return yaml_value(cell.after)  # as it was: `a+b`
        value = json_value(cell.after, cell.form)
        if not isinstance(value, str):
            return yaml_value(value)
        block = self._block(node, value)
        if block is not None:
            return block
        if node.style == "double" or node.style == "single":
            return _yaml_quoted(value, node.style)
        return yaml_value(value)

    def _block(self, node: YamlScalar, value: str) -> str | None:
        """A text of several lines as `|` has it, where one stood before."""
        if node.style != "literal" or value[:1] in (" ", "\n") or not value.strip() or _UNPRINTED.search(value):
            return None
        if value.endswith("\n\n") or any(ord(c) < 32 and c != "\n" for c in value):
            return None
        lines = value.removesuffix("\n").split("\n")
        head = "|" if value.endswith("\n") else "|-"
        indent = " " * node.indent
        return "\n".join([head, *(indent + line if line else "" for line in lines)])

    def _put(self, row: YamlMap, values: dict[str, Any], gone: Collection[str]) -> bool:
        """New keys at the end of a map, of which some are `gone`."""
        if not values:
            return True
        said = [f"{_yaml_key(key)}: {yaml_value(value)}" for key, value in values.items()]
        text = self.edits.part(row.span)
        kept = [(key, value) for key, value in row.items if key.text not in gone]
        if not kept:
            if not text.startswith("{") and text.strip() not in ("", "~", "null"):
                return False
            self.edits.replace(row.span, f"{'' if self._blank_before(row.span) else ' '}{{{', '.join(said)}}}")
            return True
        key, last = kept[-1][0].span, kept[-1][1].span
        if text.startswith("{"):
            self.edits.insert(last.end_line, last.end_column, "".join(f", {part}" for part in said))
        else:
            indent = " " * (row.items[0][0].span.column - 1)
            self.edits.insert_line(max(last.end_line, key.line), "\n".join(indent + part for part in said))
        return True

    def _blank_before(self, span: Span) -> bool:
        return self.edits.line(span.line)[: span.column - 1].endswith(" ")

    def _drop(self, row: YamlMap, keys: Collection[str]) -> None:
        """Take keys with their values out of a map that keeps others."""
        places = [(k.span, v.span if v.span.line >= k.span.line else k.span) for k, v in row.items]
        self._drop_items(places, [i for i, (key, _) in enumerate(row.items) if key.text in keys], row.span)

    def _drop_items(self, places: Sequence[tuple[Span, Span]], which: Sequence[int], whole: Span) -> None:
        """Take some of the items of a map or list out; each has the places of its beginning and of its value."""
        flow = self.edits.part(whole)[:1] in ("{", "[")
        runs: list[list[int]] = []
        for at in which:
            if runs and runs[-1][-1] == at - 1:
                runs[-1].append(at)
            else:
                runs.append([at])
        for run in runs:
            first, last = places[run[0]][0], places[run[-1]][1]
            start, end = self.edits.at(first.line, first.column), self.edits.at(last.end_line, last.end_column)
            if run[0] > 0 and flow:
                before = places[run[0] - 1][1]
                self.edits.cut(self.edits.at(before.end_line, before.end_column), end)
            elif run[0] == 0 and (flow or self.edits.line(first.line)[: first.column - 1].strip()):
                following = places[run[-1] + 1][0]
                self.edits.cut(start, self.edits.at(following.line, following.column))
            else:
                self.edits.drop_lines(first.line, max(last.end_line, places[run[-1]][0].line))

    # ---- rows

    def remove(self, row: YamlMap) -> bool:
        """Take out a row, and the lines `#: ID` above it."""
        rows = self.rows
        if rows is None:
            return False
        places = _row_places(rows)
        at = next((i for i, (key, value) in enumerate(places) if row.span in (value, key)), None)
        if at is None or len(self.gone) + 1 >= len(places):
            return False
        if self.edits.part(rows.span)[:1] in ("{", "["):
            self.gone.add(at)
            return True
        first, value = places[at]
        self.gone.add(at)
        line = first.line
        while line > 1 and self.edits.line(line - 1).lstrip().startswith("#:"):
            line -= 1
        self.edits.drop_lines(line, max(value.end_line, first.line))
        return True

    def finish(self) -> None:
        """Take out the rows that go, where they share lines with others."""
        rows = self.rows
        if rows is not None and self.gone and self.edits.part(rows.span)[:1] in ("{", "["):
            self._drop_items(_row_places(rows), sorted(self.gone), rows.span)

    def add(self, new: Sequence[RowChange], table: CardTypeTable) -> bool:
        """New rows behind the last one."""
        rows = self.rows
        if not isinstance(rows, (YamlMap, YamlSeq)):
            return False
        text = self.edits.part(rows.span)
        flow = text[:1] in ("{", "[")
        if isinstance(rows, YamlMap) and not all(change.name for change in new):
            return False
        said = [_row_line(change, table, isinstance(rows, YamlMap)) for change in new]
        if not len(rows):
            brackets = "{}" if isinstance(rows, YamlMap) else "[]"
            if not flow:
                return False
            self.edits.replace(rows.span, f"{brackets[0]}{', '.join(said)}{brackets[1]}")
            return True
        last = rows.items[max(i for i in range(len(rows)) if i not in self.gone)]
        end = last[1].span if isinstance(last, tuple) else last.span
        if flow:
            self.edits.insert(end.end_line, end.end_column, "".join(f", {row}" for row in said))
            return True
        first = rows.items[0]
        if isinstance(first, tuple):
            lead = " " * (first[0].span.column - 1)
            line = max(end.end_line, last[0].span.line) if isinstance(last, tuple) else end.end_line
        else:
            before = self.edits.line(first.span.line)[: first.span.column - 1]
            lead = before[: before.rindex("-")] + "- "
            line = end.end_line
        self.edits.insert_line(line, "\n".join(lead + row for row in said))
        return True


def _rows_node(root: YamlNode | None, sort: str) -> YamlNode | None:
    """Where the rows of a sort stand in a file: in its section `cards:`, or all of it."""
    if isinstance(root, YamlMap) and isinstance(cards := root.get("cards"), YamlMap):
        node = cards.get(sort)
        return node.get("rows") if isinstance(node, YamlMap) else None
    return root


def _row_places(rows: YamlNode) -> list[tuple[Span, Span]]:
    """Where each row begins, and where its value stands."""
    if isinstance(rows, YamlMap):
        return [(key.span, node.span if node.span.end_line >= key.span.line else key.span) for key, node in rows]
    return [(node.span, node.span) for node in rows] if isinstance(rows, YamlSeq) else []


def _row_line(change: RowChange, table: CardTypeTable, named: bool) -> str:
    """A new row, as one line."""
    values: dict[str, Any] = {} if named or not change.name else {"id": change.name}
    for cell in change.cells:
        value = json_value(cell.after, cell.form)
        if cell.form.part:
            values.setdefault(cell.form.key, {})[cell.form.part] = value
        else:
            values[cell.form.key] = value
    return f"{_yaml_key(change.name)}: {yaml_value(values)}" if named else yaml_value(values)


# ---- words of YAML


def yaml_value(value: Any) -> str:
    """A value on one line, so that it reads as the same."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_yaml_key(key)}: {yaml_value(item)}' for key, item in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(yaml_value, value))}]"
    text = str(value)
    return text if _PLAIN.match(text) and plain_value(text) == text else _yaml_quoted(text, "double")


def _yaml_key(text: str) -> str:
    return text if _ROW_KEY.match(text) and plain_value(text) == text else _yaml_quoted(text, "double")


def _yaml_quoted(text: str, style: str) -> str:
    if style == "single" and text.isprintable():
        return "'" + text.replace("'", "''") + "'"
    said = json.dumps(text, ensure_ascii=False)
    return _UNPRINTED.sub(lambda found: f"\\u{ord(found[0]):04x}", said)


# ---- rows in all files of a game


class CannotWrite(Exception):
    """A change that has no place in the files; the text says why and what can be done."""


@dataclass(slots=True)
class GameFiles:
    """The files of a game with what is to be written into them. `texts`: by path; `books`: cells by path and sheet."""

    source: RulesetSource
    texts: dict[str, TextEdits] = field(default_factory=dict)
    books: dict[str, list[SheetEdits]] = field(default_factory=dict)
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
                found[path] = _encoded_text(edits.result(), read[path], encodings.get(path, "utf-8"))
        for path, sheets in self.books.items():
            found[path] = _written_book(read[path], sheets)
        return found

    @property
    def paths(self) -> list[str]:
        return [*(path for path, edits in self.texts.items() if edits.changed), *self.books]


@dataclass(slots=True)
class SheetEdits:
    """What is to be written into a sheet of a workbook: texts by row and column, with their forms; rows that go."""

    name: str
    cells: dict[tuple[int, int], tuple[str, ColumnForm]] = field(default_factory=dict)
    gone: set[int] = field(default_factory=set)
    last: int = 1
    columns: dict[str, int] = field(default_factory=dict)


def write_changes(files: GameFiles, changes: Changes) -> None:
    """Put the changes of a sort into its files. CannotWrite."""
    for change in changes.rows:
        if change.old is not None:
            _write_change(files, changes, change)
    new = [change for change in changes.rows if change.old is None]
    if new:
        _add_rows(files, changes, new)
    for (_, sort), rows in files.yamls.items():
        if sort == changes.table.sort:
            rows.finish()


def _write_change(files: GameFiles, changes: Changes, change: RowChange) -> None:
    old = change.old
    assert old is not None
    sort = changes.table.sort
    place = old.node.span
    if place.is_cell:
        _change_sheet(files, changes, change, place)
    elif (file := _text_table_at(files, sort, place)) is not None:
        _change_text(files, file, change)
    else:
        rows = files.yaml(place.path, sort)
        done = rows.remove(old.node) if not change.cells else rows.change(old.node, change.cells)
        if not done:
            what = "removed from" if not change.cells else "changed in"
            raise CannotWrite(f"the row at {place} cannot be {what} that file automatically: edit it by hand")


def _text_table_at(files: GameFiles, sort: str, place: Span) -> CardFile | None:
    """The text file in which a row stands; None for YAML."""
    for file in files.source.card_files:
        if file.sort == sort and file.table.path == place.path and file.table.columns:
            return file
    return None


# ---- text files


def _separator(files: GameFiles, file: CardFile) -> str:
    return first_line(files.source.sources[file.table.path], file.source.dialect)[1]


def _change_text(files: GameFiles, file: CardFile, change: RowChange) -> None:
    edits = files.text(file.table.path)
    old = change.old
    assert old is not None
    if not change.cells:
        edits.drop_lines(old.node.span.line, old.node.span.end_line)
        return
    separator = _separator(files, file)
    more = []
    for cell in change.cells:
        node = _table_cell(old.node, cell.form, file)
        if node is None:
            more.append((cell.form, cell.after))
        else:
            edits.replace(node.span, quoted_cell(cell.after, separator))
    for form, text in more:
        _add_column(edits, file, form, separator, {id(old.node): text})


def _table_cell(row: YamlMap, form: ColumnForm, file: CardFile) -> YamlScalar | None:
    """The cell of a table that has such a column."""
    node = cell_node(row, form)
    if isinstance(node, YamlScalar) and node.span.path == file.table.path:
        return node
    record = file.table.records.get(row.span.line)
    at = next((i for i, cell in enumerate(file.table.columns) if cell.text == form.name), None)
    return record[at] if record is not None and at is not None else None


def _add_column(edits: TextEdits, file: CardFile, form: ColumnForm, separator: str, texts: Mapping[int, str]) -> None:
    """A new column at the right end of a table, once for all rows that need it."""
    assert isinstance(file.table.rows, YamlMap)
    added = edits.columns.setdefault(form.name, {})
    if not added:
        last = file.table.columns[-1].span
        edits.insert(last.end_line, last.end_column, separator + quoted_cell(form.name, separator), len(edits.columns))
        for _, row in file.table.rows:
            added[id(row)] = edits.insert(row.span.end_line, row.span.end_column, separator, len(edits.columns))
    for row_id, text in texts.items():
        added[row_id].text = separator + quoted_cell(text, separator)


def _add_rows(files: GameFiles, changes: Changes, new: Sequence[RowChange]) -> None:
    """New rows go where the last ones of the sort stand: a table that `from:` names before a list in YAML."""
    sort = changes.table.sort
    tables = [file for file in files.source.card_files if file.sort == sort]
    if tables and tables[-1].table.columns:
        file = tables[-1]
        if file.table.columns[0].span.is_cell:
            sheet = _sheet_at(files, file)
            for change in new:
                sheet.last += 1
                _fill_row(sheet, sheet.last, change, changes)
            return
        edits = files.text(file.table.path)
        separator = _separator(files, file)
        names = [*(cell.text for cell in file.table.columns), *edits.columns]
        for form in _unknown_forms(new, names):
            _add_column(edits, file, form, separator, {})
            names.append(form.name)
        for change in new:
            cells = {cell.form.name: cell.after for cell in change.cells} | {"id": change.name}
            edits.append_line(separator.join(quoted_cell(cells.get(name, ""), separator) for name in names))
        return
    paths = [file.table.path for file in tables] or [
        row.key.span.path if row.name else row.node.span.path for row in changes.table.rows[-1:]
    ]
    rows = files.yaml(paths[-1], sort) if paths and paths[-1] in files.source.sources else None
    if rows is None or not rows.add(new, changes.table):
        hint = f"write `from: {sort}s.csv` in the card type, and create that file with the columns in its first line"
        raise CannotWrite(f"there is no file for new rows of `{sort}`: {hint}")


def _unknown_forms(new: Iterable[RowChange], names: Sequence[str]) -> list[ColumnForm]:
    """The forms of cells that have no column yet."""
    forms = {cell.form.name: cell.form for change in new for cell in change.cells if cell.after}
    return [form for name, form in forms.items() if name not in names]


# ---- workbooks


def _sheet_at(files: GameFiles, file: CardFile) -> SheetEdits:
    place = file.table.columns[0].span
    sheets = files.books.setdefault(place.file, [])
    for sheet in sheets:
        if sheet.name == place.sheet:
            return sheet
    assert isinstance(file.table.rows, YamlMap)
    last = max((row.span.line for _, row in file.table.rows), default=place.line)
    columns = {cell.text: cell.span.column for cell in file.table.columns}
    made = SheetEdits(place.sheet, last=last, columns=columns)
    sheets.append(made)
    return made


def _change_sheet(files: GameFiles, changes: Changes, change: RowChange, place: Span) -> None:
    file = _text_table_at(files, changes.table.sort, place)
    if file is None:
        raise CannotWrite(f"{place} is not in a workbook of `{changes.table.sort}`")
    sheet = _sheet_at(files, file)
    if not change.cells:
        sheet.gone.add(place.line)
    else:
        _fill_row(sheet, place.line, change, changes)


def _fill_row(sheet: SheetEdits, row: int, change: RowChange, changes: Changes) -> None:
    if change.old is None and change.name:
        sheet.cells[row, _column_number(sheet, ColumnForm("id", "id", "id"))] = (
            change.name,
            ColumnForm("id", "id", "id"),
        )
    for cell in change.cells:
        sheet.cells[row, _column_number(sheet, cell.form)] = (cell.after, cell.form)


def _column_number(sheet: SheetEdits, form: ColumnForm) -> int:
    """The column of a form; a new one at the right end if the sheet has none."""
    if form.name not in sheet.columns:
        sheet.columns[form.name] = max(sheet.columns.values(), default=0) + 1
        sheet.cells[0, sheet.columns[form.name]] = (form.name, ColumnForm("", "", "text"))
    return sheet.columns[form.name]


def _written_book(data: bytes, sheets: Sequence[SheetEdits]) -> bytes:
    from openpyxl import load_workbook

    book = load_workbook(io.BytesIO(data))
    for edits in sheets:
        sheet = book[edits.name]
        first = next((row[0].row for row in sheet.iter_rows() if any(cell.value is not None for cell in row)), 1)
        for (row, column), (text, form) in edits.cells.items():
            if text:
                write_cell(sheet, row or first, column, text, form)
            else:
                sheet.cell(row, column).value = None
        for row in sorted(edits.gone, reverse=True):
            sheet.delete_rows(row)
    whole = io.BytesIO()
    book.save(whole)
    return whole.getvalue()


def _encoded_text(text: str, before: bytes, encoding: str) -> bytes:
    """The text as its file was written: with its mark and its line ends."""
    if b"\r\n" in before:
        text = text.replace("\n", "\r\n")
    if encoding == "utf-8":
        return (b"\xef\xbb\xbf" if before.startswith(b"\xef\xbb\xbf") else b"") + text.encode()
    return text.encode(encoding)
