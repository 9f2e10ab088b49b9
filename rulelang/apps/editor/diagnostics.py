"""Convert places and mistakes of the compiler to those of the language server protocol."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

from lsprotocol import types as lsp
from pygls.workspace import PositionCodec

from rulelang.apps.editor.analysis import Workspace, absolute
from rulelang.base.diagnostics import Diagnostic
from rulelang.base.source import Span
from rulelang.data.folders import docs_dir

# ---- Places


def path_of(uri: str) -> str:
    """The absolute path of a document; a document that is no file has its address for one."""
    parts = urlsplit(uri)
    if parts.scheme != "file":
        return uri
    path = unquote(parts.path)
    return os.path.abspath(path[1:] if os.name == "nt" else path)


def uri_of(path: str) -> str:
    path = absolute(path)
    return Path(path).as_uri()


class PlaceConverter:
    """Translates for one client. `codec`: how it counts the characters of a line."""

    def __init__(self, workspace: Workspace, codec: PositionCodec) -> None:
        self.workspace, self.codec = workspace, codec
        self._lines: tuple[str, str, list[str]] = ("", "", [])

    def lines(self, path: str) -> list[str]:
        text = self.workspace.text(path)
        if self._lines[:2] != (path, text):
            self._lines = (path, text, text.replace("\r\n", "\n").split("\n"))
        return self._lines[2]

    def point(self, path: str, position: lsp.Position) -> tuple[int, int]:
        """Line and column, from 1."""
        lines = self.lines(path)
        if position.line >= len(lines):
            return len(lines), len(lines[-1]) + 1
        # What lies behind the end of a line is its end.
        line = lines[position.line]
        units = min(position.character, self.codec.client_num_units(line))
        found = self.codec.position_from_client_units([line], lsp.Position(0, units))
        return position.line + 1, found.character + 1

    def position(self, path: str, line: int, column: int) -> lsp.Position:
        lines = self.lines(path)
        if line > len(lines):
            return lsp.Position(len(lines) - 1, self.codec.client_num_units(lines[-1]))
        return lsp.Position(max(line, 1) - 1, self.codec.client_num_units(lines[line - 1][: max(column, 1) - 1]))

    def range(self, span: Span) -> lsp.Range:
        """Of a span of text; of a cell of a sheet, the beginning of its file."""
        path = absolute(span.file)
        if span.within or span.is_cell:
            return lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
        begin = self.position(path, span.line, span.column)
        end = self.position(path, span.end_line, span.end_column)
        return lsp.Range(begin, max(begin, end))

    def location(self, span: Span) -> lsp.Location:
        return lsp.Location(uri_of(span.file), self.range(span))


# ---- Diagnostics

#: What is said of a mistake with a hint that no editor can carry out.
IN_A_WORKBOOK = (
    "\nthis cell is in a workbook, which a text editor cannot change: edit it there. "
    "For CSV tables, the editor offers fixes (`rulelang cards GAME export --to csv`)"
)
_HEADING = re.compile(r"^##+ ([A-Z]\d{3})\b.*$", re.MULTILINE)


def diagnostics_by_file(items: Iterable[Diagnostic], places: PlaceConverter) -> dict[str, list[lsp.Diagnostic]]:
    """By URI, what is to be shown in each file, each once."""
    found: dict[str, list[lsp.Diagnostic]] = {}
    for item in dict.fromkeys(items):
        if item.span.path:
            found.setdefault(uri_of(item.span.file), []).append(as_lsp_diagnostic(item, places))
    return found


def as_lsp_diagnostic(item: Diagnostic, places: PlaceConverter) -> lsp.Diagnostic:
    """One mistake. What spans several lines is marked on the first."""
    within = f"{item.span.within}: " if item.span.within else ""
    span = item.span
    if span.line != span.end_line and not span.is_cell:
        lines = places.lines(absolute(span.file))
        end = len(lines[span.line - 1]) + 1 if span.line <= len(lines) else span.column
        span = span._replace(end_line=span.line, end_column=max(end, span.column + 1))
    return lsp.Diagnostic(
        places.range(span),
        within + diagnostic_text(item) + (IN_A_WORKBOOK if span.is_cell and item.hint else ""),
        lsp.DiagnosticSeverity.Error if item.severity == "error" else lsp.DiagnosticSeverity.Warning,
        item.code,
        _code_page(item.code),
        "rulelang",
        related_information=[
            lsp.DiagnosticRelatedInformation(places.location(related.span), related.note)
            for related in item.related
            if related.span.path
        ],
    )


def diagnostic_text(item: Diagnostic) -> str:
    """What is wrong, why, and what helps, as frames say it."""
    notes = [f"{word}: {text}" for word, text in (("because", item.because), ("hint", item.hint)) if text]
    return "\n".join((item.message, *notes))


def _code_page(code: str) -> lsp.CodeDescription | None:
    """Where the reference tells more of a code."""
    address = _page_anchors().get(code)
    return lsp.CodeDescription(address) if address else None


@cache
def _page_anchors() -> dict[str, str]:
    """By code, the address of its heading."""
    found = {}
    for file in (docs_dir() / "reference" / name for name in ("diagnostics.md", "lint.md")):
        text = file.read_text(encoding="utf-8") if file.is_file() else ""
        for heading in _HEADING.finditer(text):
            anchor = re.sub(r"[^\w\- ]", "", heading[0].lstrip("# ").lower()).replace(" ", "-")
            found[heading[1]] = f"{file.as_uri()}#{anchor}"
    return found
