"""Move `not` inward, to the conditions that read something.

A condition that reads through something missing is neither true nor false, and so is its denial. An evaluator must not
just negate the answer of the operand: it evaluates what `inward` returns.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from rulelang.language.semantics import tree

#: The comparison that is true where another one is false and both sides are there.
_OPPOSITE: Mapping[str, Literal["<", "<=", ">", ">="]] = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}


def inward(e: tree.Not) -> tree.Expr:
    """Return an equal condition. If that is a `not`, its operand neither joins conditions nor compares by order."""
    return _denial(e.operand)


def _denial(e: tree.Expr) -> tree.Expr:
    match e:
        case tree.Not(operand=operand):
            return inward(operand) if isinstance(operand, tree.Not) else operand
        case tree.Logic(op=op, left=left, right=right):
            return replace(e, op="or" if op == "and" else "and", left=_denial(left), right=_denial(right))
        case tree.IfElse(then=then, otherwise=otherwise):
            return replace(e, then=_denial(then), otherwise=_denial(otherwise))
        case tree.Compare(op=op) if op in _OPPOSITE:
            return replace(e, op=_OPPOSITE[op])
    return tree.Not(e.type, e.span, e)
