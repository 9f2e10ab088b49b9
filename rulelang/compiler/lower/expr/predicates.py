"""Conditions of their own kind: has, working, membership, meets, empty, can, affects."""

from __future__ import annotations

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import FALSE, TRUE, Guards, Lowering, Scope, both, equal, join_guards
from rulelang.compiler.lower.expr.builtins import SETS
from rulelang.compiler.lower.expr.calls import can_call, seen_args, value_function
from rulelang.compiler.lower.expr.expressions import arguments, through, value
from rulelang.compiler.lower.requests import Affected
from rulelang.compiler.lower.state import bearing, constant_columns, masks, zones
from rulelang.language.semantics import tree
from rulelang.language.semantics.model import Condition


def test(e: tree.Expr, scope: Scope) -> tuple[Guards, ir.Expr]:
    """Lower such a condition: when it can be read, and whether it is then true."""
    low = scope.low
    match e:
        case tree.Has():
            subject, g1 = through(e.subject, scope)
            trait, g2 = value(e.trait, scope)
            return join_guards(g1, g2), bearing.bears_any_of(low, e.subject.type.name, subject, trait)
        case tree.Working():
            card, guards = through(e.card, scope)
            return guards, masks.in_force(low, card)
        case tree.MemberOfSet():
            return _member(e, scope)
        case tree.Meets():
            subject, g1 = through(e.subject, scope)
            assert isinstance(e.condition, tree.ColumnRef)
            obj, g2 = through(e.condition.object, scope)
            return join_guards(g1, g2), ir.Call(_meets(low, e, e.condition), (subject, obj))
        case tree.ZoneEmpty():
            counted = [zones.count(ref, scope) for ref in e.zones]
            empty = both(*(ir.Compare("==", n, ir.Const(0)) for n, _ in counted))
            return join_guards(*(guards for _, guards in counted)), empty
        case tree.Can():
            return (), can_call(e.event, e.args, scope)  # with an argument that is missing it cannot happen
        case tree.Affects():
            trait, g1 = value(e.trait, scope)
            args, g2 = arguments(e.args, scope)
            return join_guards(g1, g2), _affects(e.event, trait, seen_args(e.event, args, scope), low)
        case _:
            raise AssertionError(f"{type(e).__name__} is no test")


def _affects(event: str, trait: ir.Expr, args: tuple[ir.Expr, ...], low: Lowering) -> ir.Expr:
    """`t affects R(args)`: whether a rule of trait t would count in that event now."""
    if not any(hook.origin.what == "trait" for hook in low.graph.on(event)):
        return FALSE
    return ir.Call(low.ask(Affected(event)), (trait, *args))


def _member(e: tree.MemberOfSet, scope: Scope) -> tuple[Guards, ir.Expr]:
    low = scope.low
    item, guards = through(e.item, scope)
    match e.group:
        case tree.ZoneRef() | tree.BoxRef():
            there, more = zones.lies_in(item, e.group, scope)
            return join_guards(guards, more), there
        case tree.BuiltinCall():
            there, more = SETS[e.group.name].has(e.group, item, scope)
            return join_guards(guards, more), there
        case _:
            stem, sets, obj, more = constant_columns.set_of(e.group, scope)
            rows = low.plan.rows_of(e.item.type.name)
            return join_guards(guards, more), constant_columns.member(item, rows, (stem, sets, obj), low)


def _meets(low: Lowering, e: tree.Meets, column: tree.ColumnRef) -> str:
    """`meets(subject, row)`: the terms of the row's condition, each different condition written once."""
    key = ("meets", column.kind, column.column.name, e.counter)
    if key in low.names:
        return low.names[key]
    conditions: list[Condition] = []
    numbers: list[int] = []
    for c in constant_columns.cells_of(low, column.kind, column.column):
        assert isinstance(c, Condition)
        if c not in conditions:
            conditions.append(c)
        numbers.append(conditions.index(c))
    which = ir.Table(low.table(f"condition_{column.column.name}", numbers), ir.Local("row"))
    counter = value_function(low, e.counter)
    body: list[ir.Stmt] = [ir.Set("k", which)]
    for k, c in enumerate(conditions):
        terms: list[ir.Expr] = []
        for term in c.terms:
            total: ir.Expr = ir.Const(0)
            for n, m in enumerate(term.measures):
                one = ir.Call(counter, (ir.Local("subject"), ir.Const(m)))
                total = one if n == 0 else ir.Arith("+", total, one)
            terms.append(ir.Compare(term.op, total, ir.Const(term.number)))
        body.append(ir.Branch(equal(ir.Local("k"), ir.Const(k)), (ir.Return(ir.If(both(*terms), TRUE, FALSE)),)))
    body.append(ir.Return(TRUE))
    low.names[key] = name = low.unique(f"meets_{column.column.name}")
    return low.function(name, "pure", ("subject", "row"), body, f"meets {column.column.name}", e.span)
