"""Card tables: the rows of a card type as one table of texts, read from and exported to CSV, XLSX and JSON."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Literal

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.source import Span
from rulelang.data.card_sources import KINDS, Source, read_source, rows_of
from rulelang.data.card_tables import RECOGNISED, CardTable, Dialect, language_of
from rulelang.data.ruleset_source import RulesetSource
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq, is_blank
from rulelang.data.yaml_reader import read_yaml
from rulelang.language.semantics.declare.cells import ROW_WORDS, as_list
from rulelang.language.semantics.model import CardType, Column, Model

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet


# ---- rows as a table

#: id and count: what they say. number, flag, set: the column's type. several: values with blanks between. word: a row's
#: name or a condition. text: words for people. data: a list or map that no column declares, as JSON.
CellKind = Literal["id", "count", "number", "flag", "set", "several", "word", "text"]


@dataclass(frozen=True, slots=True)
class ColumnForm:
    """A column of the table: the key of a row under which its cells stand, and what they hold.

    `part`: of a column `by` a list, the row of that list; of texts, the language.
    """

    name: str
    key: str
    kind: CellKind
    part: str = ""
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row: its name (empty if it has none), its cells by column (none where they are empty), and where it stands."""

    name: str
    cells: Mapping[str, str]
    key: YamlScalar
    node: YamlMap


@dataclass(frozen=True, slots=True)
class CardTypeTable:
    """All written rows of a sort. `brought`: so many more stand in the files of traits."""

    sort: str
    forms: tuple[ColumnForm, ...]
    rows: tuple[TableRow, ...]
    brought: int = 0
    declared: Mapping[str, Column] = field(default_factory=dict)

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(form.name for form in self.forms)

    def form(self, name: str) -> ColumnForm | None:
        return next((form for form in self.forms if form.name == name), None)


def tables_of(source: RulesetSource, model: Model) -> dict[str, CardTypeTable]:
    """The tables of all sorts of cards, by the sorts' names."""
    found = {}
    for key, node in source.tree.map("cards"):
        sort = model.sorts.get(key.text)
        if sort is not None and isinstance(node, YamlMap):
            found[key.text] = table_of(sort, node, model)
    return found


def table_of(sort: CardType, node: YamlMap, model: Model) -> CardTypeTable:
    """The table of one sort; `node` is what `cards:` says of it."""
    rows = [(key, row) for key, row in node.map("rows") if isinstance(row, YamlMap)]
    usual = node.text("copies") or "1"
    forms = table_forms(sort, rows, model)
    counted = any(form.kind == "count" for form in forms)
    lists = [column.name for column in sort.columns.values() if column.by == "copy"]
    found = []
    for key, row in rows:
        cells = row_cells(row, forms)
        if key.text:
            cells["id"] = key.text
        if counted and "copies" not in cells and not any(" " in cells.get(name, "") for name in lists):
            cells["copies"] = usual
        found.append(TableRow(key.text, cells, key, row))
    written = max((row.written for row in sort.rows), default=0)
    return CardTypeTable(sort.name, forms, tuple(found), written - len(rows), sort.columns)


def table_forms(sort: CardType, rows: Sequence[tuple[YamlScalar, YamlMap]], model: Model) -> tuple[ColumnForm, ...]:
    """The columns of a table: id, copies, what is declared, texts, and what rows have besides."""
    forms: dict[str, ColumnForm] = {}

    def add(form: ColumnForm) -> None:
        forms.setdefault(form.name, form)

    keys: dict[str, None] = {}
    said: list[YamlMap] = [row for _, row in rows]
    for row in said:
        keys.update(dict.fromkeys(key.text for key, _ in row))
    named = any(key.text for key, _ in rows) or not rows
    if named:
        add(ColumnForm("id", "id", "id"))
    if "copies" in keys or not (named or any(column.by == "copy" for column in sort.columns.values())):
        add(ColumnForm("copies", "copies", "count"))
    for column in sort.columns.values():
        if column.name not in sort.repeated:
            for form in _forms_of_column(column, sort, model):
                add(form)
    for word in ("name", "text"):
        for row in said:
            node = row.get(word)
            if isinstance(node, YamlMap):
                for tag, _ in node:
                    add(ColumnForm(f"{word}.{tag.text}", word, "text", tag.text))
            elif node is not None and not is_blank(node):
                add(ColumnForm(word, word, "text"))
    known = {form.key for form in forms.values()}
    for name in keys:
        if name not in forms and name not in known:
            add(ColumnForm(name, name, "text"))
    return tuple(forms.values())


def _forms_of_column(column: Column, sort: CardType, model: Model) -> Iterable[ColumnForm]:
    tag = column.type.tag
    kind: CellKind = "number" if tag == "int" else "flag" if tag == "bool" else "set" if tag == "set" else "word"
    if column.by is None:
        yield ColumnForm(column.name, column.name, kind)
        return
    labels = column_labels(column, model)
    if not labels or not _have_own_columns(column, labels, sort, model):
        yield ColumnForm(column.name, column.name, "several", labels=labels)
        return
    yield from (ColumnForm(label, column.name, kind, label, labels) for label in labels)


def column_labels(column: Column, model: Model) -> tuple[str, ...]:
    """The rows of the list that a column is `by`; none for copies and ranges."""
    listing = model.lists.get(column.by) if isinstance(column.by, str) else None
    return tuple(row.name for row in listing.rows) if listing is not None else ()


def _have_own_columns(column: Column, labels: Sequence[str], sort: CardType, model: Model) -> bool:
    """Whether each label can have a column of its own: nothing else is called so."""
    others = [c for c in sort.columns.values() if c is not column]
    taken = {*sort.columns, *ROW_WORDS, "id", "copies"}
    for other in others:
        taken.update(column_labels(other, model))
    return not any(label in taken for label in labels)


# ---- cells


def row_cells(row: YamlMap, forms: Iterable[ColumnForm]) -> dict[str, str]:
    """The texts of a row's cells by column, without the empty ones."""
    found = {}
    for form in forms:
        text = canonical_text(cell_text(cell_node(row, form), form), form)
        if text:
            found[form.name] = text
    return found


def cell_node(row: YamlMap, form: ColumnForm) -> YamlNode | None:
    """What a row says under a column; None if nothing."""
    if not form.part:
        node = row.get(form.key)
        return None if form.kind == "text" and isinstance(node, YamlMap) and form.key in ("text", "name") else node
    own = row.get(form.name)
    if own is not None:
        return own
    node = as_list(row.get(form.key), form.key)
    if isinstance(node, YamlMap):
        return node.get(form.part)
    if isinstance(node, YamlSeq) and form.labels:
        at = form.labels.index(form.part)
        return node.items[at] if at < len(node.items) else None
    return None


def cell_text(node: YamlNode | None, form: ColumnForm) -> str:
    """What stands in a cell, as a table has it."""
    if node is None:
        return ""
    if isinstance(node, YamlScalar):
        return _scalar_text(node)
    words = (
        [_scalar_text(item) for item in node.items if isinstance(item, YamlScalar)] if isinstance(node, YamlSeq) else []
    )
    if form.kind in ("set", "several") and isinstance(node, YamlSeq) and len(words) == len(node.items):
        return ("+" if form.kind == "set" else " ").join(words)
    if isinstance(node, YamlMap) and form.labels:
        return " ".join(cell_text(node.get(label), form) for label in form.labels)
    return json.dumps(node.plain(), ensure_ascii=False)


def _scalar_text(node: YamlScalar) -> str:
    if node.value is None:
        return ""
    if isinstance(node.value, bool):
        return "true" if node.value else "false"
    return str(node.value) if isinstance(node.value, int) else node.text


def canonical_text(text: str, form: ColumnForm) -> str:
    """The text that stands for all that mean the same in every kind of file."""
    text = text.replace("\r\n", "\n").strip(" ")
    if form.kind == "several":
        return " ".join(text.split())
    if form.kind == "set":
        return "+".join(part.strip() for part in text.split("+"))
    if form.kind == "flag" and text.lower() in ("true", "false"):
        return text.lower()
    return text


def form_for(name: str, table: CardTypeTable, unused: Iterable[str]) -> ColumnForm | None:
    """The form of a column that a table read from outside has; None for one that the sort does not know."""
    found = table.form(name)
    if found is not None:
        return found
    if name == "id":
        return ColumnForm("id", "id", "id")
    if name == "copies":
        return ColumnForm("copies", "copies", "count")
    language = language_of(name)
    if language is not None:
        return ColumnForm(name, language[0], "text", language[1])
    return ColumnForm(name, name, "text") if name in (*ROW_WORDS, *unused) else None


# ---- reading tables

TABLE_SUFFIXES = (*KINDS, ".json")


@dataclass(frozen=True, slots=True)
class ReadTable:
    """A table as it was read: its columns (None in JSON and YAML, where rows leave out what is empty) and its rows."""

    table: CardTable
    columns: tuple[YamlScalar, ...] | None

    @property
    def rows(self) -> YamlMap:
        assert isinstance(self.table.rows, YamlMap)
        return self.table.rows


def read_table(
    data: bytes, path: str, sort: str, sheet: str, diagnostics: Diagnostics, dialect: Dialect = RECOGNISED
) -> ReadTable | None:
    """The rows that a file has for a sort of cards; None after diagnostics. Ids may be missing or of any form."""
    suffix = PurePath(path).suffix.lower()
    name = YamlScalar(path, Span(path, 1, 1, 1, 2), path)
    if suffix == ".json":
        table = _read_json(data, path, sort, diagnostics)
    else:
        table = read_source(Source(name, sheet, dialect, free=True), data, path, diagnostics, 0)
    if table is None or not table.whole or not isinstance(table.rows, YamlMap):
        return None
    return ReadTable(table, table.columns if suffix not in (".json", ".yaml") else None)


def _read_json(data: bytes, path: str, sort: str, diagnostics: Diagnostics) -> CardTable | None:
    """JSON as `export` writes it: a map `cards` from sort to rows; or a list of rows."""
    file = read_yaml(data, path, diagnostics)
    root = file.root
    if isinstance(root, YamlMap) and isinstance(cards := root.get("cards"), YamlMap):
        root = cards.get(sort)
    if root is None:
        if not diagnostics.failed:
            message = f"this file contains no rows of `{sort}`"
            because = "rows must be in a list, or in a map `cards` under the name of their card type"
            diagnostics.error("Y182", Span(path, 1, 1, 1, 2), message, because=because)
        return None
    return rows_of(root, file, diagnostics)


# ---- exporting tables

FORMATS = ("csv", "xlsx", "json")
_WHOLE = re.compile(r"-?(0|[1-9][0-9]{0,14})\Z")
_SPECIAL = re.compile(r"_x[0-9A-Fa-f]{4}_")
_UNREADABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_WIDEST = 60
_LONGEST_SHEET = 31


class CannotExport(Exception):
    """A table that this format cannot hold; the text says why."""


def to_csv(table: CardTypeTable, separator: str = ",") -> str:
    """The table as text, with a line for each row."""
    lines = [separator.join(quoted_cell(name, separator) for name in table.columns)]
    for row in table.rows:
        lines.append(separator.join(quoted_cell(row.cells.get(name, ""), separator) for name in table.columns))
    return "\n".join(lines) + "\n"


def quoted_cell(text: str, separator: str = ",") -> str:
    """A cell of a text file: in quotes where it would be read as something else without."""
    plain = not re.search(r'[",;|\t\n]', text) and text == text.strip(" ") and not text.startswith("sep=")
    return text if plain and separator not in text else '"' + text.replace('"', '""') + '"'


def to_json(tables: Mapping[str, CardTypeTable], **about: str) -> str:
    """Tables as JSON: numbers, truth values, lists and maps as such; empty cells are left out."""
    cards = {name: [_json_row(table, row.cells) for row in table.rows] for name, table in tables.items()}
    text = json.dumps({**about, "cards": cards}, ensure_ascii=False, indent=1)
    return re.sub(_UNREADABLE, lambda found: f"\\u{ord(found[0]):04x}", text) + "\n"


def _json_row(table: CardTypeTable, cells: Mapping[str, str]) -> dict[str, Any]:
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


def json_value(text: str, form: ColumnForm) -> Any:
    """What a cell holds, as JSON and YAML have it."""
    if form.kind in ("number", "count") and _WHOLE.match(text):
        return int(text)
    if form.kind == "flag" and text in ("true", "false"):
        return text == "true"
    if form.kind == "set" and text:
        return text.split("+")
    if form.kind == "several":
        inner = ColumnForm(form.name, form.key, "number")
        words = text.split()
        return [json_value(word, inner) for word in words] if len(words) > 1 or form.labels else json_value(text, inner)
    if form.kind == "text" and form.key not in ("text", "name", "rules") and text[:1] in ("[", "{"):
        try:
            return json.loads(text)
        except ValueError:
            return text
    return text


def to_xlsx(tables: Mapping[str, CardTypeTable], model: Model) -> bytes:
    """Tables as a workbook, a sheet for each; with the rows of lists to choose from. ImportError, CannotExport."""
    from openpyxl import Workbook

    book = Workbook()
    book.remove(book.active)
    for name, table in tables.items():
        _write_sheet(book.create_sheet(name[:_LONGEST_SHEET]), table, model)
    whole = io.BytesIO()
    book.save(whole)
    return whole.getvalue()


def _write_sheet(sheet: Worksheet, table: CardTypeTable, model: Model) -> None:
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
                    write_cell(sheet, number, column, text, form)
                except IllegalCharacterError:
                    message = f"a workbook cannot contain the character in the column `{form.name}` of row {number}"
                    raise CannotExport(message) from None
    sheet.freeze_panes = "B2"
    sheet.auto_filter.ref = sheet.dimensions
    _add_choices(sheet, table, model)


def write_cell(sheet: Worksheet, row: int, column: int, text: str, form: ColumnForm) -> None:
    """Write a cell: numbers and truth values as such, all else as text that no spreadsheet takes for a formula."""
    value = json_value(text, form) if form.kind in ("number", "count", "flag", "several") else text
    if isinstance(value, int):
        sheet.cell(row, column, value)
        return
    cell = sheet.cell(row, column)
    cell.value = _SPECIAL.sub(lambda found: f"_x005F{found[0]}", text)
    cell.data_type = "s"
    cell.number_format = "@"


def _add_choices(sheet: Worksheet, table: CardTypeTable, model: Model) -> None:
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


def check_read_back(table: CardTypeTable, data: bytes, kind: str) -> None:
    """CannotExport if what was written does not read as the same rows: the format cannot hold a text of it."""
    found = Diagnostics()
    sheet = table.sort[:_LONGEST_SHEET] if kind == "xlsx" else ""
    given = read_table(data, f"{table.sort}.{kind}", table.sort, sheet, found)
    if given is None:
        first = found.sorted()[0]
        raise CannotExport(f"{kind} cannot contain all texts of `{table.sort}`: {first.message} ({first.span})")
    _check_same_rows(table, given, kind)


def _check_same_rows(table: CardTypeTable, given: ReadTable, kind: str) -> None:
    rows = [(key, row) for key, row in given.rows if isinstance(row, YamlMap)]
    if len(rows) != len(table.rows):
        raise CannotExport(f"{kind} cannot contain empty rows of `{table.sort}`")
    for number, (old, (key, row)) in enumerate(zip(table.rows, rows, strict=True), 1):
        cells = row_cells(row, table.forms)
        if key.text:
            cells["id"] = key.text
        for form in table.forms:
            if cells.get(form.name, "") != canonical_text(old.cells.get(form.name, ""), form):
                whose = f"`{old.name}`" if old.name else f"row {number}"
                raise CannotExport(f"{kind} cannot contain the value in the column `{form.name}` of {whose}")
