"""Between the places of the compiler (lines and code points from 1) and those of editors (from 0, in UTF-16 units)."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import unquote, urlsplit

from lsprotocol import types as lsp
from pygls.workspace import PositionCodec

from rulelang.apps.editor.analysis import absolute
from rulelang.apps.editor.workspace import Workspace
from rulelang.base.source import Span


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


class Places:
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
