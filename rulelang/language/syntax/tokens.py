"""Tokens and lines, as the scanner hands them to the layout and the parser."""

from __future__ import annotations

from dataclasses import dataclass

from rulelang.base.source import Span


class Token:
    """A word, number, string or sign. `type` is the grammar's terminal; a NAME may become a keyword when parsed."""

    __slots__ = ("span", "text", "type")

    def __init__(self, type: str, text: str, span: Span) -> None:
        self.type = type
        self.text = text
        self.span = span

    def __repr__(self) -> str:
        return f"Token({self.type}, {self.text!r}, {self.span})"


@dataclass(slots=True)
class Line:
    """A line of the text that holds code. `indent` counts its leading blanks, `cites` are the ids in force there."""

    indent: int
    tokens: list[Token]
    cites: tuple[str, ...]


# Words that open a line which continues the one before.
JOINING = frozenset(("and", "or", "then", "otherwise", "when", "unless", "because", "where", "with", "sorted"))
OPENING = {"(": ")", "[": "]"}
CLOSING = {")": "(", "]": "["}
STRUCTURE = frozenset(("_NL", "_INDENT", "_DEDENT", "$END"))
# The queries, and what stands in the brackets of each.
QUERY_FORMS = {
    "any": "B where C", "no": "B where C", "first": "B where C", "count": "B where C",
    "all": "B: C", "sum": "B: E", "min": "B: E", "max": "B: E",
}  # fmt: skip
