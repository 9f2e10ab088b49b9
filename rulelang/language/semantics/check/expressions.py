"""Check an expression of a wanted type. Expressions in texts are checked here too; `forms` knows each form."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rulelang.base.phrases import plural_categories
from rulelang.base.source import Placement, Span
from rulelang.base.wording import with_article
from rulelang.language.semantics import tree
from rulelang.language.semantics.builtins.names import NAMES
from rulelang.language.semantics.check.checker import Checker, a_type, fit_type
from rulelang.language.semantics.model import BOOL, INT, Type, ref
from rulelang.language.syntax import nodes
from rulelang.language.syntax.parse import parse_expression

# ---- expressions


def check_expr(checker: Checker, node: nodes.Expr, want: Type | None) -> tree.Expr:
    """The typed expression; of type error (already reported) where the node makes no sense."""
    return checker.form(checker, node, want)


def check_typed(checker: Checker, node: nodes.Expr, want: Type, why: str, *, sure: bool = False) -> tree.Expr:
    """An expression of the given type, or T400 / T403."""
    return fit_type(checker, check_expr(checker, node, want), want, why, sure=sure)


def check_card(checker: Checker, node: nodes.Expr, sort: str | None) -> tree.Expr:
    """An expression where a card is expected, of this sort if one is said; of another type, if it is one.

    A bare name is that of a card, also if a list has a row of this name.
    """
    if sort is None and isinstance(node, nodes.Name):
        sorts = [kind for kind, _ in checker.symbols.rows_named(node.id) if kind in checker.symbols.model.sorts]
        sort = sorts[0] if len(sorts) == 1 else None
    return check_expr(checker, node, ref(sort) if sort is not None else None)


def check_number(checker: Checker, node: nodes.Expr, why: str) -> tree.Expr:
    return check_typed(checker, node, INT, why)


def check_truth(checker: Checker, node: nodes.Expr, why: str) -> tree.Expr:
    return check_typed(checker, node, BOOL, why)


def order_part(checker: Checker, part: tree.Expr) -> tree.Expr:
    """What may be compared by size: numbers, truth values, ladder levels and orders; else T406."""
    type_ = part.type
    if type_.tag in ("int", "bool", "order", "error") or (type_.tag == "ref" and checker.symbols.is_ladder(type_.name)):
        return part
    message = f"{a_type(type_)} cannot be part of an order"
    because = "an order consists of numbers, conditions, levels of ladders and orders"
    return checker.error("T406", part.span, message, because=because)


def needs_company(checker: Checker, node: nodes.Expr) -> bool:
    """True if the node alone does not tell its type: `none`, or a name that is only a row."""
    if isinstance(node, nodes.NoneValue):
        return True
    if not isinstance(node, nodes.Name) or checker.scope.find(node.id) is not None:
        return False
    symbols, name = checker.symbols, node.id
    signature = symbols.find(name, checker.scope.origin)
    plain = name in symbols.model.state or name in symbols.model.numbers or name in NAMES
    return not plain and (signature is None or signature.what not in ("value", "invariant"))


def check_anyway(checker: Checker, args: Sequence[nodes.Expr]) -> None:
    """Report mistakes inside arguments although the call itself is wrong (names of rows alone tell nothing)."""
    for arg in args:
        if not needs_company(checker, arg):
            check_expr(checker, arg, None)


# ---- texts

#: `n:leaf|leaves`: the last colon that no bracket follows.
_FORMS = re.compile(r"(.*):([^:()\[\]{}]*)\Z", re.DOTALL)


def text_parts(checker: Checker, text: str | None, whole: Span) -> tuple[str | tree.Expr, ...]:
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
    found = check_expr(checker, node, INT if colon else None)
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
    wanted = plural_categories("en")
    if len(ways) != len(wanted) or not ways[-1]:
        because = "write the singular and the plural, as in `{n:leaf|leaves}`"
        return checker.error("T425", span, f"`{forms.strip()}` is not a singular and a plural", because=because)
    because = "a number chooses between singular and plural"
    return tree.Forms(INT, span, fit_type(checker, number, INT, because), "|".join(ways))
