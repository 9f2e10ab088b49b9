"""Each kind of expression, and which module lowers it. `value` and `cond` know all of them: everybody else asks for
them by way of `expressions`, so that a module may read an expression without importing those that read it."""

from __future__ import annotations

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import (
    TRUE,
    Guards,
    Lowered,
    Lowering,
    Scope,
    add,
    as_bool,
    both,
    either,
    equal,
    join_guards,
    negate,
    times,
)
from rulelang.compiler.lower.expr import builtins, calls, members, orders, predicates, queries, references
from rulelang.compiler.lower.expr.expressions import either_of, guarded, present, through
from rulelang.compiler.lower.state import constant_columns, zones
from rulelang.language.semantics import tree
from rulelang.language.semantics.denial import inward
from rulelang.language.semantics.model import MISSING_INT

#: Conditions with a way of their own (see `predicates`).
TESTS = (tree.Has, tree.Working, tree.MemberOfSet, tree.Meets, tree.ZoneEmpty, tree.Can, tree.Affects)


def cond(e: tree.Expr, scope: Scope) -> ir.Expr:
    """Lower a condition: true if it is true and everything that it reads through is there."""
    if isinstance(e, tree.Logic):
        known = scope.low.dispatch.cond
        parts = (known(e.left, scope), known(e.right, scope))
        return both(*parts) if e.op == "and" else either(*parts)
    if isinstance(e, tree.Not):
        denied = inward(e)
        if not isinstance(denied, tree.Not):
            return cond(denied, scope)
        guards, test = _split(denied.operand, scope)
        return both(*guards, negate(test))
    if isinstance(e, tree.IfElse):
        return either_of(scope.low.dispatch.cond(e.test, scope), cond(e.then, scope), cond(e.otherwise, scope))
    guards, test = _split(e, scope)
    return both(*guards, test)


def _split(e: tree.Expr, scope: Scope) -> tuple[Guards, ir.Expr]:
    """Lower a condition that joins no others: when it can be read, and whether it is then true."""
    if isinstance(e, tree.Present):
        return (), guarded(e.operand, scope)[1]
    if isinstance(e, tree.Compare):
        return _compare(e, scope)
    if isinstance(e, TESTS):
        return predicates.test(e, scope)
    if isinstance(e, tree.Query) and e.kind in ("any", "no"):
        found = queries.exists(e, scope)
        return (), found if e.kind == "any" else negate(found)
    lowered, guards = value(e, scope)
    return guards, lowered


def _compare(e: tree.Compare, scope: Scope) -> tuple[Guards, ir.Expr]:
    if e.left.type.tag == "order" or e.right.type.tag == "order":
        return orders.compare(e, scope)
    left, left_guards = value(e.left, scope)
    right, right_guards = value(e.right, scope)
    guards = join_guards(left_guards, right_guards)
    if e.op in ("==", "!="):
        # What is missing equals nothing: only one side needs to be tested, the other is then equal to it.
        sides = [present(x, y, scope) for x, y in ((e.left, left), (e.right, right))]
        sure = TRUE if TRUE in sides else sides[0]
        same = both(sure, equal(left, right))
        if _is_none(e.left):
            same = negate(sides[1])
        elif _is_none(e.right):
            same = negate(sides[0])
        return guards, same if e.op == "==" else negate(same)
    sides = [present(e.left, left, scope), present(e.right, right, scope)]
    return join_guards(guards, tuple(sides)), ir.Compare(e.op, left, right)


def _is_none(e: tree.Expr) -> bool:
    """Whether `none` is written there."""
    return isinstance(e, tree.Const) and (e.type.tag, e.value) in (("ref", 0), ("int", MISSING_INT))


def value(e: tree.Expr, scope: Scope) -> Lowered:
    """An expression and its guards."""
    low = scope.low
    match e:
        case tree.Const():
            if e.type.tag == "ref" and e.type.name in low.model.sorts and e.value:
                return ir.Const(card_of_row(e.type.name, e.value, low)), ()
            return ir.Const(e.value), ()
        case tree.LocalRef():
            return scope.names[e.local.name], ()
        case tree.NumberRef():
            return _number(e, scope)
        case tree.OptionRef():
            return ir.Const(low.plan.config.options[e.name]), ()
        case tree.BuiltinRef():
            return builtins.NAMES[e.name](scope), ()
        case tree.StateRef():
            return ir.Cell(low.plan.state[e.attribute.name]), ()
        case tree.AttributeRef():
            return references.attribute_cell(e, scope)
        case tree.ColumnRef():
            return constant_columns.column(e, scope)
        case tree.TableRef():
            return references.table_cell(e, scope)
        case tree.Property():
            return members.MEMBERS[e.name](e, scope)
        case tree.SlotRead():
            return zones.slot_card(e.zone, scope)
        case tree.ValueCall():
            return calls.value_call(e, scope)
        case tree.BuiltinCall():
            return builtins.FUNCTIONS[e.name](e, scope)
        case tree.Arith():
            return _arith(e, scope)
        case tree.Negative():
            inner, guards = through(e.operand, scope)
            return ir.Arith("-", ir.Const(0), inner), guards
        case tree.IfElse():
            return _if_else(e, scope)
        case tree.Forms():
            return value(e.number, scope)
        case tree.Otherwise():
            inner, guards = value(e.value, scope)
            there = both(*guards, present(e.value, inner, scope))
            default, more = value(e.default, scope)
            if isinstance(there, ir.Const):
                return (inner, ()) if there.value else (default, more)
            return ir.If(there, inner, default), ()
        case tree.Query():
            return queries.query(e, scope)
        case tree.Compare() | tree.Logic() | tree.Not() | tree.Present():
            return as_bool(cond(e, scope)), ()
        case tree.Has() | tree.Working() | tree.MemberOfSet() | tree.Meets():
            return as_bool(cond(e, scope)), ()
        case tree.ZoneEmpty() | tree.Can() | tree.Affects():
            return as_bool(cond(e, scope)), ()
        case tree.OrderOf():
            raise AssertionError("an order has no single value")


def card_of_row(sort: str, row: int, low: Lowering) -> int:
    """The handle of the one card of a row (the checker lets only single cards be named); 0 if it is not in play."""
    return next(iter(low.plan.card_rows[sort, row]), 0)


def _number(e: tree.NumberRef, scope: Scope) -> Lowered:
    number = scope.low.plan.number(e.name)
    if isinstance(number, int):
        return ir.Const(number), ()
    assert e.index is not None
    index, there = guarded(e.index, scope)
    guards = join_guards((there,))
    table = scope.low.table(e.name, (0, *number))
    inside = both(ir.Compare(">=", index, ir.Const(1)), ir.Compare("<=", index, ir.Const(len(number))))
    if isinstance(index, ir.Const):
        return ir.Const(number[index.value - 1] if 1 <= index.value <= len(number) else 0), guards
    return ir.If(inside, ir.Table(table, index), ir.Const(0)), guards


def _arith(e: tree.Arith, scope: Scope) -> Lowered:
    left, g1 = through(e.left, scope)
    right, g2 = through(e.right, scope)
    if e.op == "+":
        return add(left, right, e.span), join_guards(g1, g2)
    if e.op == "*":
        return times(left, right, e.span), join_guards(g1, g2)
    return ir.Arith("//" if e.op == "/" else e.op, left, right, e.span), join_guards(g1, g2)


def _if_else(e: tree.IfElse, scope: Scope) -> Lowered:
    test = scope.low.dispatch.cond(e.test, scope)
    then, g1 = value(e.then, scope)
    other, g2 = value(e.otherwise, scope)
    if isinstance(test, ir.Const):
        return (then, g1) if test.value else (other, g2)
    if e.type.tag == "bool":
        return ir.If(test, both(*g1, then), both(*g2, other)), ()
    guards = (ir.If(test, both(*g1), both(*g2)),) if g1 or g2 else ()
    return ir.If(test, then, other), guards
