"""Texts of `tells` and `because`: what stands in braces is an expression."""

from __future__ import annotations

from rulelang.base.source import Placement, Span
from rulelang.base.words import with_article
from rulelang.meaning import tree
from rulelang.meaning.check import expressions
from rulelang.meaning.check.desk import Desk
from rulelang.syntax.parse import parse_expression


def parts(desk: Desk, text: str | None, whole: Span) -> tuple[str | tree.Expr, ...]:
    """The text in pieces. The string is the last token of `whole`, so its place can be counted from the end."""
    if not text:
        return ()
    line, start = whole.end_line, whole.end_column - 1 - len(text)
    found: list[str | tree.Expr] = []
    at = 0
    while (opened := text.find("{", at)) >= 0:
        closed = text.find("}", opened)
        if closed < 0 or "{" in text[opened + 1 : closed]:
            place = Span(whole.path, line, start + opened, line, start + opened + 1)
            because = (
                "what stands in braces is replaced by its name or number; a text without braces is written as it is"
            )
            desk.error("T425", place, "this brace is not closed", because=because)
            return (*found, text[at:])
        if opened > at:
            found.append(text[at:opened])
        part = _part(desk, text[opened + 1 : closed], Span(whole.path, line, start + opened + 1, line, start + closed))
        if part is not None:
            found.append(part)
        at = closed + 1
    if at < len(text):
        found.append(text[at:])
    return tuple(found)


def _part(desk: Desk, text: str, span: Span) -> tree.Expr | None:
    if not text.strip():
        desk.error("T425", span, "nothing stands between these braces", because="`{s}` is replaced by what `s` is")
        return None
    node, mistakes = parse_expression(text, Placement(span.path, span.line - 1, 0, span.column - 1))
    desk.out.extend(mistakes)
    if node is None:
        return None
    found = expressions.expr(desk, node, None)
    if found.type.tag in ("set", "condition", "order"):
        because = "names, numbers and truth values can be told"
        return desk.error("T425", found.span, f"{with_article(found.type.tag)} cannot stand in a text", because=because)
    return found
