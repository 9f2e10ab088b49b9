"""Which part of a file is rules, and the words in it."""

from __future__ import annotations

import re

from rulelang.apps.editor.analysis import Analysis, absolute
from rulelang.base.source import Span
from rulelang.data.ruleset_source import RulesText

_WORD = re.compile(r"owner's\b|[A-Za-z_][A-Za-z0-9_]*")


def rules_at(analysis: Analysis, path: str, line: int) -> RulesText | None:
    """The rules text in which a line of a file stands."""
    for text in analysis.source.rules:
        span = text.span
        if absolute(span.path) == path and not span.is_cell:
            first = text.placement.line + 1
            if first <= line <= first + text.text.rstrip("\n").count("\n"):
                return text
    return None


def in_rules(analysis: Analysis, path: str, line: int, column: int) -> bool:
    """Whether a place stands in rules, and not in a remark."""
    if rules_at(analysis, path, line) is None:
        return False
    lines = analysis.texts.get(path, "").split("\n")
    before = lines[line - 1][: column - 1] if line <= len(lines) else ""
    return "#" not in re.sub(r'"[^"]*"', "", before)


def word_at(text: str, path: str, line: int, column: int) -> tuple[str, Span] | None:
    """The word at a place (line and column from 1)."""
    lines = text.split("\n")
    if line > len(lines):
        return None
    for match in _WORD.finditer(lines[line - 1]):
        if match.start() + 1 <= column <= match.end() + 1:
            return match[0], Span(path, line, match.start() + 1, line, match.end() + 1)
    return None
