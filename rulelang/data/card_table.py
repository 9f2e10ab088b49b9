"""Tables of cards, from text files and sheets: what the first row names, and the rows below it by their ids."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise

from rulelang.base.diagnostics import Diagnostic, Diagnostics, Related
from rulelang.base.english import counted, listed
from rulelang.base.nearest import nearest
from rulelang.base.source import Span
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, is_blank
from rulelang.data.yaml_reader import Citation

MAX_ROWS = 100_000
#: Columns of a table: the widest tables of real games have some dozens.
MAX_COLUMNS = 1_000
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.\-]*\Z")
#: A column of texts in one language: `text.en`.
_LANGUAGE = re.compile(r"(text|name)\.([a-z]{2,3}(?:-[A-Za-z0-9]+)*)\Z")
#: `Id`, `ids`, `_id`: what a longer word means is its own.
_SHORT = 3
_WORDS = ("id", "copies", "text", "rules", "name")


def language_of(column: str) -> tuple[str, str] | None:
    """`text` and `en` for a column `text.en`; None for others."""
    match = _LANGUAGE.match(column)
    return (match[1], match[2]) if match else None


#: A row as it was read: its cells from the left.
Record = list[YamlScalar]


@dataclass(frozen=True, slots=True)
class CardTable:
    """`columns` are the header cells; `rows` map a row's id to a map of column to cell.

    A row of a table without an `id` column stands under a nameless key (value None). Cells are scalars of style "csv":
    their text without outer blanks; an empty cell is the empty text. Texts in languages, whose columns are called
    `text.en`, are one map `text`. Not `whole`: a mistake keeps rows from being read. `odd`: what is to be said of the
    cells of style "odd" when they are read, by their places. `citations`: of numbered rules, in YAML.
    `records`: the cells of rows by their lines, where texts have columns for languages. `values`: of a YAML file, how
    many keys and values it has.
    """

    path: str
    text: str
    columns: tuple[YamlScalar, ...]
    rows: YamlNode
    whole: bool = True
    odd: Mapping[Span, Diagnostic] = field(default_factory=dict)
    citations: tuple[Citation, ...] = ()
    records: Mapping[int, Record] = field(default_factory=dict)
    values: int = 0

    @property
    def cells(self) -> int:
        """How many cells it has."""
        return len(self.columns) * len(self.rows.items) if isinstance(self.rows, YamlMap) else 0


def nothing(path: str, text: str = "", layer: int = 0) -> CardTable:
    """A table of which nothing could be read."""
    return CardTable(path, text, (), YamlMap((), Span(path, 1, 1, 1, 1), layer), False)


def table_of(
    records: list[Record],
    path: str,
    text: str,
    diagnostics: Diagnostics,
    layer: int = 0,
    odd: Mapping[Span, Diagnostic] | None = None,
    free: bool = False,
) -> CardTable:
    """The table that records make, the first of which names the columns. Mistakes are Y110 to Y112.

    `free`: ids may be missing, and of any form, as in a table that was exported from another kind of file.
    """
    odd = odd or {}
    start = Span(path, 1, 1, 1, 1)
    if not records:
        diagnostics.error("Y110", start, "this card file is empty", hint="name the columns in its first line")
        return nothing(path, text, layer)
    header = _widest(records)
    if not _header(header, len(records[0]), diagnostics, free):
        return CardTable(path, text, tuple(header), YamlMap((), start, layer), False)
    rows, lost = _rows(header, records[1:], start, diagnostics, layer, odd, free)
    languages = any(language_of(cell.text) for cell in header)
    kept = {record[0].span.line: record for record in records[1:]} if languages else {}
    return CardTable(path, text, tuple(header), rows, not lost, odd, records=kept)


def _widest(records: list[Record]) -> Record:
    """The cells of the first row. Columns at its right end that hold nothing, not even a name, are left out, as
    spreadsheets write them where a cell was once coloured; so are empty cells of rows beyond them."""
    header = records[0]
    width = len(header)
    while width > 1 and not header[width - 1].text and not any(r[width - 1].text for r in records if len(r) >= width):
        width -= 1
    for record in records:
        while len(record) > width and not record[-1].text:
            record.pop()
    return header


def _header(header: Record, width: int, diagnostics: Diagnostics, free: bool) -> bool:
    good = True
    seen: dict[str, YamlScalar] = {}
    if len(header) > 2 and sum(1 for cell in header if cell.text) == 1:
        cell = next(cell for cell in header if cell.text)
        because = f"the first row must name all {width} columns, and this is the only name in it"
        diagnostics.error(
            "Y110", cell.span, f"the first row has only the cell `{cell.text}`", because=because, hint=_TITLE
        )
        return False
    for cell in header:
        if cell.text in seen and cell.text:
            related = [Related(seen[cell.text].span, "the first one is here")]
            hint = "delete one of the two columns, or give it another name"
            diagnostics.error("Y110", cell.span, f"duplicate column `{cell.text}`", hint=hint, related=related)
            good = False
        elif not cell.text:
            diagnostics.error("Y110", cell.span, "this column has no name", hint="name each column in the first line")
            good = False
        seen[cell.text] = cell
    if "id" not in seen and not free:
        short = [name.lower() for name in seen if len(name) <= _SHORT]
        close = "id" if "id" in short else nearest("id", short)
        if close is not None:
            cell = next(c for c in header if c.text.lower() == close)
            diagnostics.error(
                "Y110",
                cell.span,
                f"unknown column `{cell.text}`",
                because="row names must be in a column called `id`",
                hint="write `id`",
            )
            good = False
    return good


_TITLE = "if it is a title, delete its row"


def _rows(
    header: Record,
    records: list[Record],
    start: Span,
    diagnostics: Diagnostics,
    layer: int,
    odd: Mapping[Span, Diagnostic],
    free: bool,
) -> tuple[YamlMap, bool]:
    """The rows, and whether one is lost that may be named elsewhere."""
    lost = False
    items: list[tuple[YamlScalar, YamlNode]] = []
    seen: dict[str, YamlScalar] = {}
    width = len(header)
    at = next((i for i, cell in enumerate(header) if cell.text == "id"), None)
    languages = any(_LANGUAGE.match(cell.text) for cell in header)
    words = [i for i, cell in enumerate(header) if cell.text.partition(".")[0] in _WORDS] if odd else []
    for record in records:
        span = record[0].span.to(record[-1].span)
        if len(record) != width:
            _ragged(header, record, diagnostics)
            lost = True
            continue
        for i in words:  # what no column is asked about is told here
            if record[i].style == "odd":
                diagnostics.add(odd[record[i].span])
                lost = lost or i == at
        if at is None:
            key = YamlScalar(None, span, "", "csv", layer)
        else:
            key = record[at]
            if key.style == "odd":
                continue
            if free and not key.text:
                key = YamlScalar(None, key.span, "", "csv", layer)
            elif not free and not _NAME.match(key.text):
                message = f"`{key.text}` is not a valid row name" if key.text else "this row has no id"
                hint = "begin it with a letter, and use only letters, digits, `_`, `.` and `-`"
                diagnostics.error("Y112", key.span, message, hint=hint)
                lost = True
                continue
            if key.text and key.text in seen:
                related = [Related(seen[key.text].span, f"the first `{key.text}` is here")]
                hint = "choose another name for one of them"
                diagnostics.error("Y112", key.span, f"two rows have the id `{key.text}`", hint=hint, related=related)
                continue
            seen[key.text] = key
        cells: list[tuple[YamlScalar, YamlNode]] = list(zip(header, record, strict=True))
        if at is not None:
            del cells[at]
        if languages:
            cells = _joined(cells, layer, diagnostics)
        items.append((key, YamlMap(tuple(cells), span, layer)))
    return YamlMap(tuple(items), start, layer), lost


def _ragged(header: Record, record: Record, diagnostics: Diagnostics) -> None:
    """Y111 for a row with more or fewer cells than there are columns."""
    width = len(header)
    where = record[width].span if len(record) > width else record[-1].span
    message = f"this row has {counted(len(record), 'cell')}, but the first line has {counted(width, 'column')}"
    related = [Related(header[0].span.to(header[-1].span), "the columns")]
    if len(record) < width:
        missing = listed([key.text for key in header[len(record) :]])
        hint = f"add a cell for {missing}; the cell can be empty"
        diagnostics.error("Y111", where, message, hint=hint, related=related)
        return
    hint = "put cells that contain a `,` in double quotes"
    pairs = pairwise(record)
    parts = [(a.text, b.text) for a, b in pairs if re.fullmatch(r"-?\d+", a.text) and re.fullmatch(r"\d+", b.text)]
    if len(record) == width + 1 and parts:
        first, second = parts[0]
        hint += f"; if `{first},{second}` is one number, write a whole number instead"
    diagnostics.error("Y111", where, message, hint=hint, related=related)


def _joined(
    cells: list[tuple[YamlScalar, YamlNode]], layer: int, diagnostics: Diagnostics
) -> list[tuple[YamlScalar, YamlNode]]:
    """The cells of a row; those of `text.en`, `text.ja` as one map `text`. Y111 for a row that has a text without a
    language besides."""
    found: dict[str, tuple[YamlScalar, YamlNode]] = {}
    texts: dict[str, list[tuple[YamlScalar, YamlNode]]] = {}
    for key, cell in cells:
        match = _LANGUAGE.match(key.text)
        if match is None:
            found[key.text] = (key, cell)
        else:
            texts.setdefault(match[1], []).append((replace(key, value=match[2], text=match[2]), cell))
    for word, items in texts.items():
        said = [item for item in items if not is_blank(item[1])]
        plain = found.get(word)
        if plain is not None and not is_blank(plain[1]):
            if said:
                message = f"this row has both `{word}` and `{word}.{said[0][0].text}`"
                hint = "give either one text without a language, or a text for each language"
                diagnostics.error("Y111", said[0][1].span, message, hint=hint)
            continue
        key = YamlScalar(word, items[0][0].span, word, "csv", layer)
        found[word] = (key, YamlMap(tuple(items), items[0][1].span, layer))
    return list(found.values())
