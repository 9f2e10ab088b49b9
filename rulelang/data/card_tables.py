"""Tables of cards: read CSV and similar text files, and turn records into rows by id, each cell with its place."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise

from rulelang.base import node
from rulelang.base.diagnostics import Diagnostic, Diagnostics, Related
from rulelang.base.limits import CELLS
from rulelang.base.source import Span
from rulelang.base.wording import counted, nearest_name, quoted_list
from rulelang.data.text import decode
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, is_blank
from rulelang.data.yaml_reader import Citation

# ---- tables of records

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


def empty_table(path: str, text: str = "", layer: int = 0) -> CardTable:
    """A table of which nothing could be read."""
    return CardTable(path, text, (), YamlMap((), Span(path, 1, 1, 1, 1), layer), False)


def table_from_records(
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
        return empty_table(path, text, layer)
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
        close = "id" if "id" in short else nearest_name("id", short)
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
        missing = quoted_list([key.text for key in header[len(record) :]])
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


# ---- text files

#: What may stand between cells, with its name for messages.
SEPARATORS = {",": "`,`", ";": "`;`", "\t": "a tab", "|": "`|`"}
_RECOGNISED = (",", ";", "\t")
#: Encodings that a card file may be said to have.
ENCODINGS = ("utf-8", "utf-16", "windows-1252", "shift_jis", "euc-jp", "gb18030", "big5", "euc-kr")
_SAYS = re.compile(r'"?sep=([,;|\t])"?\Z')


@node.record
class Dialect:
    """What is said of a text file. No separator: it is recognised by the first line."""

    separator: str = ""
    encoding: str = "utf-8"


RECOGNISED = Dialect()


def read_csv(
    data: bytes, path: str, diagnostics: Diagnostics, layer: int = 0, dialect: Dialect = RECOGNISED, free: bool = False
) -> CardTable:
    """Read a table whose first line names the columns. Mistakes become Y101, Y104, Y110 to Y113 and Y170."""
    text = _text(data, path, dialect.encoding, diagnostics)
    if text is None:
        return empty_table(path)
    lines = text.split("\n")
    first, separator = first_line(text, dialect)
    if not separator:
        _unclear(lines[first], first, path, diagnostics)
        return empty_table(path, text, layer)
    before = len(diagnostics)
    records = list(_records(lines, first, path, separator, diagnostics, layer))
    if len(diagnostics) > before:  # a quote is open, or the file too long: what was read of it says nothing of the rest
        return empty_table(path, text, layer)
    return table_from_records(records, path, text, diagnostics, layer, free=free)


def _text(data: bytes, path: str, encoding: str, diagnostics: Diagnostics) -> str | None:
    """The text in the encoding that was said. What is not UTF-8 is never guessed: the message says what it may be."""
    if encoding != "utf-8":
        try:
            data = codecs.decode(data, encoding).encode()
        except UnicodeDecodeError as mistake:
            line = data.count(b"\n", 0, mistake.start) + 1
            message = f"this file is not {encoding}: the byte 0x{data[mistake.start]:02x} is not valid in it"
            diagnostics.error("Y101", Span(path, line, 1, line, 2), message, hint="save it as UTF-8")
            return None
        return decode(data, path, diagnostics)
    return decode(data, path, diagnostics, hint=_otherwise)


def _otherwise(data: bytes, start: int) -> str:
    """What can be done about a file that is no UTF-8 from this byte on."""
    if start < 0:
        return "save it as UTF-8, or give its encoding in `from:`: `{file: ..., encoding: utf-16}`"
    first = max(data.rfind(sign, 0, start) for sign in (b",", b";", b"\t", b"\n", b'"')) + 1
    last = min(
        (at for sign in (b",", b";", b"\t", b"\r", b"\n", b'"') if (at := data.find(sign, start)) >= 0), default=None
    )
    try:
        word = data[first:last].decode("windows-1252").strip()
    except UnicodeDecodeError:
        return "save it as UTF-8, or give its encoding in `from:`, for example `{file: ..., encoding: shift_jis}`"
    said = "`{file: ..., encoding: windows-1252}`"
    return f"save it as UTF-8; or, if this word is `{word[:40]}`, give its encoding in `from:`: {said}"


def first_line(text: str, dialect: Dialect = RECOGNISED) -> tuple[int, str]:
    """The index of the first line of a table, and the sign between its cells; none if several could be meant."""
    lines = text.split("\n")
    first = next((i for i, line in enumerate(lines) if line.strip()), 0)
    if match := _SAYS.match(lines[first].strip(" ")):
        return first + 1, dialect.separator or match[1]
    found = _signs(lines[first])
    return first, dialect.separator or ("" if len(found) > 1 else next(iter(found), ","))


def _signs(line: str) -> dict[str, int]:
    """The signs outside of quotes that may separate cells, each with where it stands first."""
    plain = re.sub(r'"[^"]*"', lambda quoted: "_" * len(quoted[0]), line)
    return {sign: plain.index(sign) for sign in _RECOGNISED if sign in plain}


def _unclear(line: str, first: int, path: str, diagnostics: Diagnostics) -> None:
    found = _signs(line)
    at = sorted(found.values())[1]
    names = " and ".join(SEPARATORS[sign] for sign in found)
    name = path.rpartition("/")[2]
    diagnostics.error(
        "Y170",
        Span(path, first + 1, at + 1, first + 1, at + 2),
        f"ambiguous separator: the first line contains {names}",
        hint=f'name it in `from:`: `{{file: {name}, separator: "{line[min(found.values())]}"}}`',
    )


def _records(
    lines: list[str], number: int, path: str, separator: str, diagnostics: Diagnostics, layer: int
) -> Iterator[Record]:
    """The lines that hold something, from the index `number` on."""
    blank = f" {separator}"
    count = cells = 0
    while number < len(lines):
        line = lines[number]
        number += 1
        if not line.strip(blank):
            continue
        count += 1
        if count > MAX_ROWS:
            diagnostics.error("Y104", Span(path, number, 1, number, 2), f"this file has more than {MAX_ROWS:,} rows")
            return
        width = line.count(separator) + 1
        if '"' not in line and width > MAX_COLUMNS:
            _too_wide(width, path, number, diagnostics)
            return
        cells += width
        if cells > CELLS.most:
            place, because = (
                Span(path, number, 1, number, 2),
                "this limit keeps a malicious file from exhausting memory",
            )
            diagnostics.error("Y104", place, f"there are {CELLS.exceeded}", because=because, hint=CELLS.hint)
            return
        if '"' in line:
            record, number = _quoted(lines, number - 1, path, separator, diagnostics, layer)
            if len(record) > MAX_COLUMNS:
                _too_wide(len(record), path, number, diagnostics)
                return
            if record:
                yield record
            continue
        record = []
        column = 1
        for cell in line.split(separator):
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
        yield record


def _too_wide(width: int, path: str, number: int, diagnostics: Diagnostics) -> None:
    because = f"a table has at most {MAX_COLUMNS:,} columns"
    place = Span(path, number, 1, number, 2)
    diagnostics.error("Y104", place, f"this line has {width:,} cells", because=because, hint="remove the empty columns")


def _quoted(
    lines: list[str], row: int, path: str, separator: str, diagnostics: Diagnostics, layer: int
) -> tuple[Record, int]:
    """One record with quotes, beginning in line index `row`; its cells and the index of the line after it."""
    record: Record = []
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
                            "Y113",
                            span,
                            "this quote is not closed",
                            hint='to put a quote inside quoted text, double it: ""',
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
            comma = line.find(separator, at)
            rest = line[at : comma if comma >= 0 else len(line)]
            if rest.strip(" "):
                span = Span(path, row + 1, at + 1, row + 1, at + 1 + len(rest))
                diagnostics.error(
                    "Y113",
                    span,
                    "unexpected text after a closing quote",
                    hint='to put a quote inside quoted text, double it: ""',
                )
                return [], row + 1
            text = "".join(parts)
            record.append(YamlScalar(text, Span(path, first_row + 1, first + 1, row + 1, at + 1), text, "csv", layer))
            at += len(rest)
        else:
            comma = line.find(separator, at)
            end = comma if comma >= 0 else len(line)
            text = line[at:end].rstrip(" ")
            record.append(
                YamlScalar(text, Span(path, row + 1, at + 1, row + 1, at + 1 + len(text)), text, "csv", layer)
            )
            at = end
        if at >= len(line):
            return record, row + 1
        at += 1
