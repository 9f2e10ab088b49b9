"""Which words of a file are what, for colours: rules by the scanner and by what names stand for, YAML by its names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from rulelang.apps.editor.analysis import Analysis, absolute
from rulelang.apps.editor.completing import rules_part
from rulelang.apps.editor.index import index_of
from rulelang.apps.editor.occurrences import What
from rulelang.base.source import Placement
from rulelang.language.syntax.grammar import shared_grammar
from rulelang.language.syntax.lexer import scan

TYPES = (
    "keyword", "comment", "string", "number", "operator", "function", "method", "event", "class", "enumMember",
    "property", "variable", "parameter", "type", "namespace", "macro",
)  # fmt: skip
_OF: dict[What, str] = {
    "value": "function", "invariant": "function", "routine": "method", "phase": "event", "action": "event",
    "trait": "class", "row": "enumMember", "list": "type", "kind": "type", "sort": "type", "grid": "type",
    "attribute": "property", "column": "property", "state": "variable", "table": "variable", "zone": "namespace",
    "number": "variable", "option": "property", "mode": "property", "local": "parameter", "rule": "macro",
    "built in": "keyword",
}  # fmt: skip
_HEAD = re.compile(r"[ \t]*(?:-[ \t]+)?rules:[ \t]*(\S)")
_REMARK = re.compile(r'^(?:[^"#]|"[^"]*")*(#.*)$')


class Colour(NamedTuple):
    """A stretch of one line (from 1): where it begins, how many characters it has, and one of `TYPES`."""

    line: int
    column: int
    length: int
    type: str


def colours(analysis: Analysis | None, path: str, text: str) -> list[Colour]:
    """The colours of a document, in the order of the text, none over another."""
    found: dict[tuple[int, int], Colour] = {}
    for rules, placement in _rules(path, text):
        for item in _scanned(rules, placement):
            found[item.line, item.column] = item
    lines = text.split("\n")
    if analysis is not None:
        for named in index_of(analysis).by_file.get(absolute(path), ()):
            span = named.span
            row = lines[span.line - 1] if span.line <= len(lines) else ""
            if row[span.column - 1 : span.end_column - 1] == named.thing.short:
                length = span.end_column - span.column
                found[span.line, span.column] = Colour(span.line, span.column, length, _OF[named.thing.what])
    end = (0, 0)
    kept = []
    for key in sorted(found):
        item = found[key]
        if key >= end:
            kept.append(item)
            end = (item.line, item.column + item.length)
    return kept


def _rules(path: str, text: str) -> Iterator[tuple[str, Placement]]:
    """The rules texts of a document."""
    if path.endswith(".rules"):
        yield text, Placement(path)
        return
    for number, row in enumerate(text.split("\n"), 1):
        match = _HEAD.match(row)
        part = rules_part(path, text, number + (match[1] == "|")) if match is not None else None
        if part is not None:
            yield part


def _scanned(text: str, placement: Placement) -> Iterator[Colour]:
    tables = shared_grammar()
    for line in scan(text, placement, tables.signs)[0]:
        for token in line.tokens:
            span = token.span
            kind = {"NAME": "variable", "NUMBER": "number", "DIE": "number", "STRING": "string"}.get(token.type)
            if token.type == "NAME" and token.text in tables.words:
                kind = "keyword"
            if kind is not None:
                yield Colour(span.line, span.column, span.end_column - span.column, kind)
    for number, row in enumerate(text.split("\n"), 1):
        match = _REMARK.match(row)
        if match is not None and not match[1].startswith("#:"):
            place = placement.span(number, match.start(1) + 1, number, match.end(1) + 1)
            yield Colour(place.line, place.column, len(match[1]), "comment")
