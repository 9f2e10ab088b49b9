"""Orders: several integers that are compared one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import (
    FALSE,
    TRUE,
    Guards,
    Lowering,
    Scope,
    both,
    either,
    equal,
    join_guards,
    negate,
)
from rulelang.compiler.lower.expr.calls import bearer_args, value_function
from rulelang.compiler.lower.expr.expressions import arguments, cond, either_of, value
from rulelang.language.semantics import tree


def order_parts(e: tree.Expr, scope: Scope) -> tuple[list[ir.Expr], Guards]:
    """List the integers of an order that are compared one after the other: always as many as its width."""
    if isinstance(e, tree.OrderOf):
        parts: list[ir.Expr] = []
        guards: Guards = ()
        for part in e.parts:
            pieces, their_guards = order_parts(part, scope)
            parts += pieces
            guards = join_guards(guards, their_guards)
        return parts, guards
    if e.type.tag == "order":
        if isinstance(e, tree.ValueCall):
            args, sure = arguments(e.args, scope)
            width = order_width(scope.low, e.value)
            return [
                ir.Call(value_function(scope.low, e.value, k), (*bearer_args(e.value, scope), *args))
                for k in range(width)
            ], sure
        if isinstance(e, tree.IfElse):
            test = cond(e.test, scope)
            yes, g1 = order_parts(e.then, scope)
            no, g2 = order_parts(e.otherwise, scope)
            return [either_of(test, a, b) for a, b in _pairs(yes, no)], join_guards(g1, g2)
        if isinstance(e, tree.Otherwise):
            yes, given = order_parts(e.value, scope)
            no, more = order_parts(e.default, scope)
            return [either_of(both(*given), a, b) for a, b in _pairs(yes, no)], more
    one, more_guards = value(e, scope)
    return [one], more_guards


def _pairs(left: list[ir.Expr], right: list[ir.Expr]) -> Iterator[tuple[ir.Expr, ir.Expr]]:
    """Pair the integers of two orders; the shorter order continues with zeros."""
    return zip_longest(left, right, fillvalue=ir.Const(0))


def order_width(low: Lowering, value_id: str) -> int:
    """Count the integers of an order value: the most that its body, or a `modify` of it, has."""
    put = (m.value for m in low.graph.modifies_on.get(value_id, ()))
    return max(_width(e, low) for e in (low.program.values[value_id].body, *put))


def _width(e: tree.Expr, low: Lowering) -> int:
    if isinstance(e, tree.OrderOf):
        return sum(_width(p, low) for p in e.parts)
    if e.type.tag == "order":
        if isinstance(e, tree.ValueCall):
            return order_width(low, e.value)
        if isinstance(e, tree.IfElse):
            return max(_width(e.then, low), _width(e.otherwise, low))
        if isinstance(e, tree.Otherwise):
            return max(_width(e.value, low), _width(e.default, low))
    return 1


def compare(e: tree.Compare, scope: Scope) -> tuple[Guards, ir.Expr]:
    """Lower a comparison of two orders: when both can be read, and whether it is then true."""
    left, left_guards = order_parts(e.left, scope)
    right, right_guards = order_parts(e.right, scope)
    guards = join_guards(left_guards, right_guards)
    pairs = list(_pairs(left, right))
    same = both(*(equal(a, b) for a, b in pairs))
    if e.op in ("==", "!="):
        return guards, same if e.op == "==" else negate(same)
    strict = "<" if e.op[0] == "<" else ">"
    result: ir.Expr = TRUE if e.op in ("<=", ">=") else FALSE
    for a, b in reversed(pairs):
        step = ir.Compare(strict, a, b)  # type: ignore[arg-type]
        result = either(step, both(equal(a, b), result))
    return guards, result
