"""Card files as text: every cell with its place, whatever sign is between cells; every mistake at its cell."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.limits import CELLS
from rulelang.base.node import record
from rulelang.base.source import Span
from rulelang.data.card_table import MAX_COLUMNS, MAX_ROWS, CardTable, Record, nothing, table_of
from rulelang.data.text import decode
from rulelang.data.yaml_nodes import YamlScalar

#: What may stand between cells, with its name for messages.
SEPARATORS = {",": "`,`", ";": "`;`", "\t": "a tab", "|": "`|`"}
_RECOGNISED = (",", ";", "\t")
#: Encodings that a card file may be said to have.
ENCODINGS = ("utf-8", "utf-16", "windows-1252", "shift_jis", "euc-jp", "gb18030", "big5", "euc-kr")
_SAYS = re.compile(r'"?sep=([,;|\t])"?\Z')


@record
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
        return nothing(path)
    lines = text.split("\n")
    first, separator = first_line(text, dialect)
    if not separator:
        _unclear(lines[first], first, path, diagnostics)
        return nothing(path, text, layer)
    before = len(diagnostics)
    records = list(_records(lines, first, path, separator, diagnostics, layer))
    if len(diagnostics) > before:  # a quote is open, or the file too long: what was read of it says nothing of the rest
        return nothing(path, text, layer)
    return table_of(records, path, text, diagnostics, layer, free=free)


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
