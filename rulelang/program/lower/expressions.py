"""Expressions of the rules as pure IR.

A reference may be missing (language reference, "missing references"). Lowering an expression gives the IR expression
and its guards: conditions that must hold for it to be readable. A condition that reads through something missing is
false; a statement that does is skipped; the null record reads 0, so an unguarded read is harmless.
"""

from __future__ import annotations

from rulelang.meaning import tree
from rulelang.meaning.types import MISSING_INT, Type
from rulelang.program import ir
from rulelang.program.lower import printed
from rulelang.program.lower.context import (
    FALSE,
    TRUE,
    Guards,
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
    word,
)

#: Conditions with a way of their own (see `tests`).
TESTS = (tree.Has, tree.Working, tree.MemberOfSet, tree.Meets, tree.ZoneEmpty, tree.Can, tree.Affects)
Lowered = tuple[ir.Expr, Guards]


def plain(e: tree.Expr, scope: Scope) -> ir.Expr:
    """The expression without its guards: for places where the checker has excluded missing references."""
    return value(e, scope)[0]


def guarded(e: tree.Expr, scope: Scope) -> tuple[ir.Expr, ir.Expr]:
    """The expression, and one condition under which it is readable and present."""
    lowered, guards = value(e, scope)
    return lowered, both(*guards, present(e, lowered, scope))


def present(e: tree.Expr, lowered: ir.Expr, scope: Scope) -> ir.Expr:
    """The condition that a lowered reference refers to something."""
    if isinstance(e, tree.LocalRef) and e.local.name in scope.present and not e.type.maybe:
        return TRUE
    if e.type.tag == "int" and not _may_lack_number(e, scope.low):
        return TRUE
    return present_type(e.type, lowered, scope.low, slot=isinstance(e, tree.SlotRead))


def _may_lack_number(e: tree.Expr, low: Lowering) -> bool:
    """Whether a number itself may be missing, not only what it is read through (that is in the guards)."""
    match e:
        case tree.AttributeRef() | tree.StateRef():
            return e.attribute.type.maybe
        case tree.ColumnRef():
            return e.column.type.maybe
        case tree.ValueCall():
            return low.program.values[e.value].type.maybe
        case tree.Query() | tree.Arith() | tree.Property() | tree.TableRef() | tree.MinMax() | tree.Negative():
            return False
        case _:
            return e.type.maybe


def present_type(type_: Type, lowered: ir.Expr, low: Lowering, *, slot: bool = False) -> ir.Expr:
    if type_.tag == "int":
        return ir.Compare("!=", lowered, ir.Const(MISSING_INT)) if type_.maybe else TRUE
    if type_.tag != "ref":
        return TRUE
    if low.plan.is_made(type_.name):
        if isinstance(lowered, ir.Const):
            return FALSE if lowered.value == 0 else ir.Cell(low.plan.kinds[type_.name].alive, lowered)
        return ir.Cell(low.plan.kinds[type_.name].alive, lowered)
    if type_.maybe or slot:
        return ir.Compare("!=", lowered, ir.Const(0))
    return TRUE


def through(e: tree.Expr, scope: Scope) -> Lowered:
    """An object that is read through: its presence joins the guards. An empty slot is no object, but a mistake."""
    if isinstance(e, tree.SlotRead):
        from rulelang.program.lower.zones import slot_read

        return slot_read(e.zone, scope)
    lowered, guards = value(e, scope)
    return lowered, join_guards(guards, (present(e, lowered, scope),))


def cond(e: tree.Expr, scope: Scope) -> ir.Expr:
    """A condition: true or false also where something is missing."""
    if isinstance(e, tree.Logic):
        parts = (cond(e.left, scope), cond(e.right, scope))
        return both(*parts) if e.op == "and" else either(*parts)
    if isinstance(e, tree.Not):
        return negate(cond(e.operand, scope))
    if isinstance(e, tree.Present):
        return guarded(e.operand, scope)[1]
    if isinstance(e, tree.Compare):
        return _compare(e, scope)
    if isinstance(e, tree.IfElse):
        return _choice(cond(e.test, scope), cond(e.then, scope), cond(e.otherwise, scope))
    if isinstance(e, TESTS):
        from rulelang.program.lower.tests import test

        return test(e, scope)
    if isinstance(e, tree.Query) and e.kind in ("any", "no"):
        from rulelang.program.lower.queries import exists

        found = exists(e, scope)
        return found if e.kind == "any" else negate(found)
    lowered, guards = value(e, scope)
    return both(*guards, lowered)


def _choice(test: ir.Expr, then: ir.Expr, otherwise: ir.Expr) -> ir.Expr:
    if isinstance(test, ir.Const):
        return then if test.value else otherwise
    return ir.If(test, then, otherwise)


def _compare(e: tree.Compare, scope: Scope) -> ir.Expr:
    if e.left.type.tag == "order" or e.right.type.tag == "order":
        return _compare_orders(e, scope)
    left, left_guards = value(e.left, scope)
    right, right_guards = value(e.right, scope)
    guards = join_guards(left_guards, right_guards)
    if e.op in ("==", "!="):
        # What is missing equals nothing: only one side needs to be tested, the other is then equal to it.
        sides = [present(x, y, scope) for x, y in ((e.left, left), (e.right, right))]
        sure = TRUE if TRUE in sides else sides[0]
        same = both(sure, equal(left, right))
        if isinstance(e.left, tree.Const) and e.left.value == 0 and e.left.type.tag == "ref":
            same = negate(sides[1])
        elif isinstance(e.right, tree.Const) and e.right.value == 0 and e.right.type.tag == "ref":
            same = negate(sides[0])
        return both(*guards, same if e.op == "==" else negate(same))
    sides = [present(e.left, left, scope), present(e.right, right, scope)]
    return both(*guards, *sides, ir.Compare(e.op, left, right))


def _compare_orders(e: tree.Compare, scope: Scope) -> ir.Expr:
    left, left_guards = order_parts(e.left, scope)
    right, right_guards = order_parts(e.right, scope)
    pairs = list(zip(left, right, strict=True))
    same = both(*(equal(a, b) for a, b in pairs))
    if e.op == "==":
        return both(*left_guards, *right_guards, same)
    if e.op == "!=":
        return both(*left_guards, *right_guards, negate(same))
    strict = "<" if e.op[0] == "<" else ">"
    result: ir.Expr = TRUE if e.op in ("<=", ">=") else FALSE
    for a, b in reversed(pairs):
        step = ir.Compare(strict, a, b)  # type: ignore[arg-type]
        result = either(step, both(equal(a, b), result))
    return both(*left_guards, *right_guards, result)


def order_parts(e: tree.Expr, scope: Scope) -> tuple[list[ir.Expr], Guards]:
    """An order as the integers that are compared one after the other."""
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
            from rulelang.program.lower.values import order_width, value_function

            args, sure = arguments(e.args, scope)
            width = order_width(scope.low, e.value)
            return [
                ir.Call(value_function(scope.low, e.value, k), (*_bearer_args(e.value, scope), *args))
                for k in range(width)
            ], sure
        if isinstance(e, tree.IfElse):
            test = cond(e.test, scope)
            yes, g1 = order_parts(e.then, scope)
            no, g2 = order_parts(e.otherwise, scope)
            return [_choice(test, a, b) for a, b in zip(yes, no, strict=True)], join_guards(g1, g2)
        if isinstance(e, tree.Otherwise):
            yes, given = order_parts(e.value, scope)
            no, more = order_parts(e.default, scope)
            return [_choice(both(*given), a, b) for a, b in zip(yes, no, strict=True)], more
    one, more_guards = value(e, scope)
    return [one], more_guards


def arguments(
    args: tuple[tree.Expr, ...], scope: Scope, *, maybe: tuple[bool, ...] | None = None, kept: bool = False
) -> tuple[tuple[ir.Expr, ...], Guards]:
    """Arguments of a call; guards: those that may not be missing are present. `kept`: what is called may wait."""
    out: list[ir.Expr] = []
    guards: Guards = ()
    for k, arg in enumerate(args):
        lowered, more = value(arg, scope)
        if kept and arg.type.tag == "int":
            lowered = word(lowered, "the argument", arg.span, scope.low)
        out.append(as_bool(lowered) if arg.type.tag == "bool" and not _is_flat(lowered) else lowered)
        guards = join_guards(guards, more)
        if maybe is None or not (k < len(maybe) and maybe[k]):
            guards = join_guards(guards, (present(arg, lowered, scope),))
    return tuple(out), guards


def _is_flat(e: ir.Expr) -> bool:
    return isinstance(e, ir.Cell | ir.Local | ir.Const | ir.Call | ir.Table | ir.If)


def _bearer_args(value_id: str, scope: Scope) -> tuple[ir.Expr, ...]:
    from rulelang.program.lower.roles import value_roles

    return tuple(scope.roles.get(role, ir.Const(0)) for role in value_roles(value_id, scope.low))


def value(e: tree.Expr, scope: Scope) -> Lowered:
    """An expression and its guards."""
    from rulelang.program.lower import references

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
            return _builtin(e, scope), ()
        case tree.StateRef():
            return ir.Cell(low.plan.state[e.attribute.name]), ()
        case tree.AttributeRef():
            return references.attribute_cell(e, scope)
        case tree.ColumnRef():
            return printed.column(e, scope)
        case tree.TableRef():
            return references.table_cell(e, scope)
        case tree.Property():
            return references.property_of(e, scope)
        case tree.SlotRead():
            from rulelang.program.lower.zones import slot_card

            return slot_card(e.zone, scope)
        case tree.EndOf():
            from rulelang.program.lower.zones import end_card

            return end_card(e, scope)
        case tree.ValueCall():
            return _value_call(e, scope)
        case tree.BuiltinCall():
            from rulelang.program.lower.builtins import builtin_call

            return builtin_call(e, scope)
        case tree.MinMax():
            args = [value(a, scope) for a in e.args]
            return ir.MinMax(e.kind, tuple(a for a, _ in args)), join_guards(*(g for _, g in args))
        case tree.Arith():
            return _arith(e, scope)
        case tree.Negative():
            inner, guards = value(e.operand, scope)
            return ir.Arith("-", ir.Const(0), inner), guards
        case tree.IfElse():
            return _if_else(e, scope)
        case tree.Otherwise():
            inner, guards = value(e.value, scope)
            there = both(*guards, present(e.value, inner, scope))
            default, more = value(e.default, scope)
            if isinstance(there, ir.Const):
                return (inner, ()) if there.value else (default, more)
            return ir.If(there, inner, default), ()
        case tree.Query():
            from rulelang.program.lower.queries import query

            return query(e, scope)
        case tree.CountTrue():
            total: ir.Expr = ir.Const(0)
            for c in e.conditions:
                total = add(total, as_bool(cond(c, scope)))
            return total, ()
        case tree.Compare() | tree.Logic() | tree.Not() | tree.Present():
            return as_bool(cond(e, scope)), ()
        case tree.Has() | tree.Working() | tree.MemberOfSet() | tree.Meets():
            return as_bool(cond(e, scope)), ()
        case tree.ZoneEmpty() | tree.Can() | tree.Affects():
            return as_bool(cond(e, scope)), ()
        case tree.FacesRef() | tree.Neighbours() | tree.OrderOf():
            raise AssertionError(f"{type(e).__name__} has no single value")


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


def _builtin(e: tree.BuiltinRef, scope: Scope) -> ir.Expr:
    cells = scope.low.cells
    match e.name:
        case "players":
            return ir.Const(scope.low.plan.players)
        case "nobody":
            return ir.Const(scope.low.plan.players + 1)
        case "actor":
            return scope.actor if scope.actor is not None else ir.Cell(cells.actor)
        case "active":
            return ir.Cell(cells.active)
        case "round":
            return ir.Cell(cells.round)
        case "phase":
            return ir.Cell(cells.phase)


def _value_call(e: tree.ValueCall, scope: Scope) -> Lowered:
    from rulelang.program.lower.values import value_function

    declared = scope.low.program.values[e.value]
    maybe = tuple(p.type.maybe for p in declared.params)
    args, guards = arguments(e.args, scope, maybe=maybe)
    call = ir.Call(value_function(scope.low, e.value), (*_bearer_args(e.value, scope), *args))
    return call, guards


def _arith(e: tree.Arith, scope: Scope) -> Lowered:
    left, g1 = value(e.left, scope)
    right, g2 = value(e.right, scope)
    if e.op == "+":
        return add(left, right, e.span), join_guards(g1, g2)
    if e.op == "*":
        return times(left, right, e.span), join_guards(g1, g2)
    return ir.Arith("//" if e.op == "/" else e.op, left, right, e.span), join_guards(g1, g2)


def _if_else(e: tree.IfElse, scope: Scope) -> Lowered:
    test = cond(e.test, scope)
    then, g1 = value(e.then, scope)
    other, g2 = value(e.otherwise, scope)
    if isinstance(test, ir.Const):
        return (then, g1) if test.value else (other, g2)
    if e.type.tag == "bool":
        return ir.If(test, both(*g1, then), both(*g2, other)), ()
    guards = (ir.If(test, both(*g1), both(*g2)),) if g1 or g2 else ()
    return ir.If(test, then, other), guards
