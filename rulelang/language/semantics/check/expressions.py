"""Expressions: what all of the checker asks of them. `forms` knows each form.

`want` is the type that is hoped for; it tells rows of several lists apart.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.language.semantics import tree
from rulelang.language.semantics.builtins.names import NAMES
from rulelang.language.semantics.check.checker import Checker, article, fit
from rulelang.language.semantics.types import BOOL, INT, Type, ref
from rulelang.language.syntax import nodes


def expr(checker: Checker, node: nodes.Expr, want: Type | None) -> tree.Expr:
    """The typed expression; of type error (already reported) where the node makes no sense."""
    return checker.form(checker, node, want)


def typed(checker: Checker, node: nodes.Expr, want: Type, why: str, *, sure: bool = False) -> tree.Expr:
    """An expression of the given type, or T400 / T403."""
    return fit(checker, expr(checker, node, want), want, why, sure=sure)


def card(checker: Checker, node: nodes.Expr, sort: str | None) -> tree.Expr:
    """An expression where a card is expected, of this sort if one is said; of another type, if it is one.

    A bare name is that of a card, also if a list has a row of this name.
    """
    if sort is None and isinstance(node, nodes.Name):
        sorts = [kind for kind, _ in checker.symbols.rows_named(node.id) if kind in checker.symbols.model.sorts]
        sort = sorts[0] if len(sorts) == 1 else None
    return expr(checker, node, ref(sort) if sort is not None else None)


def number(checker: Checker, node: nodes.Expr, why: str) -> tree.Expr:
    return typed(checker, node, INT, why)


def condition(checker: Checker, node: nodes.Expr, why: str) -> tree.Expr:
    return typed(checker, node, BOOL, why)


def order_part(checker: Checker, part: tree.Expr) -> tree.Expr:
    """What may be compared by size: numbers, truth values, ladder levels and orders; else T406."""
    type_ = part.type
    if type_.tag in ("int", "bool", "order", "error") or (type_.tag == "ref" and checker.symbols.is_ladder(type_.name)):
        return part
    message = f"{article(type_)} cannot be part of an order"
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
            expr(checker, arg, None)
