"""Texts of `tells` and `because`: what stands in braces is an expression, or chooses the form of a word by a number."""

from __future__ import annotations

import re

from rulelang.base.english import with_article
from rulelang.base.source import Placement, Span
from rulelang.base.texts.plurals import categories
from rulelang.language.semantics import tree
from rulelang.language.semantics.check import expressions
from rulelang.language.semantics.check.checker import Checker, fit
from rulelang.language.semantics.types import INT
from rulelang.language.syntax.parse import parse_expression

#: `n:leaf|leaves`: the last colon that no bracket follows.
_FORMS = re.compile(r"(.*):([^:()\[\]{}]*)\Z", re.DOTALL)


def parts(checker: Checker, text: str | None, whole: Span) -> tuple[str | tree.Expr, ...]:
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
            because = "`{` begins a name, and `}` must end it"
            checker.error("T425", place, "this brace is not closed", because=because)
            return (*found, text[at:])
        if opened > at:
            found.append(text[at:opened])
        part = _part(
            checker, text[opened + 1 : closed], Span(whole.path, line, start + opened + 1, line, start + closed)
        )
        if part is not None:
            found.append(part)
        at = closed + 1
    if at < len(text):
        found.append(text[at:])
    return tuple(found)


def _part(checker: Checker, text: str, span: Span) -> tree.Expr | None:
    if not text.strip():
        checker.error("T425", span, "these braces are empty", because="write a name between the braces, as in `{s}`")
        return None
    text, colon, forms = _formed(text)
    node, mistakes = parse_expression(text, Placement(span.path, span.line - 1, 0, span.column - 1), checker.memo)
    checker.out.extend(mistakes)
    if node is None:
        return None
    found = expressions.expr(checker, node, INT if colon else None)
    if colon:
        return _forms(checker, found, forms, span)
    if found.type.tag in ("set", "condition", "order"):
        because = "a text can show names, numbers and truth values"
        return checker.error(
            "T425", found.span, f"{with_article(found.type.tag)} cannot be part of a text", because=because
        )
    return found


def _formed(text: str) -> tuple[str, str, str]:
    """What stands in braces: the expression, a colon if a word's forms follow, and these."""
    match = _FORMS.match(text)
    return (match[1], ":", match[2]) if match else (text, "", "")


def _forms(checker: Checker, number: tree.Expr, forms: str, span: Span) -> tree.Expr | None:
    ways = [form.strip() for form in forms.split("|")]
    wanted = categories("en")
    if len(ways) != len(wanted) or not ways[-1]:
        because = "write the singular and the plural, as in `{n:leaf|leaves}`"
        return checker.error("T425", span, f"`{forms.strip()}` is not a singular and a plural", because=because)
    because = "a number chooses between singular and plural"
    return tree.Forms(INT, span, fit(checker, number, INT, because), "|".join(ways))
