"""Assignments: where something is written, and what may stand there."""

from __future__ import annotations

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import TRUE, Scope, as_bool, both, join_guards, when
from rulelang.compiler.lower.expr.expressions import cond, plain, present, through, value
from rulelang.compiler.lower.expr.references import attribute_place, table_place
from rulelang.compiler.lower.routines.resets import touch
from rulelang.language.semantics import tree
from rulelang.language.semantics.model import MISSING_INT, Attribute, Table


def limits(
    attribute: Attribute | Table, what: str, s: tree.Stmt, scope: Scope, given: tree.Expr | None = None
) -> ir.Limits | None:
    """What may be stored: the declared range, and for every number what fits a word of 32 bits. The least such word is
    `none`: only what may be missing (`given`) can be stored as that."""
    number = isinstance(attribute, Table) or attribute.type.tag == "int"
    if attribute.low is None and attribute.high is None and not number:
        return None
    plan = scope.low.plan
    least = MISSING_INT + (given is None or not given.type.maybe)
    low = plan.bound(attribute.low) if attribute.low is not None else least if number else None
    high = plan.bound(attribute.high) if attribute.high is not None else -MISSING_INT - 1 if number else None
    return ir.Limits(low, high, attribute.clamp, what, s.span)


def may_be_missing(target: tree.Expr) -> bool:
    """Whether `none` may be written there."""
    match target:
        case tree.StateRef() | tree.AttributeRef():
            return target.attribute.type.maybe
        case _:
            return False


def assign(s: tree.Assign, scope: Scope) -> list[ir.Stmt]:
    low = scope.low
    is_bool = s.target.type.tag == "bool"
    amount, guards = (as_bool(cond(s.value, scope)), ()) if is_bool else value(s.value, scope)
    if s.op != "=" or not may_be_missing(s.target):
        guards = join_guards(guards, (present(s.value, amount, scope),))
    nobody: ir.Expr = TRUE
    match s.target:
        case tree.StateRef():
            base, index, more = low.plan.state[s.target.attribute.name], None, ()
            bounds = limits(s.target.attribute, s.target.attribute.name, s, scope, s.value)
        case tree.AttributeRef():
            base, index, more = attribute_place(s.target, scope)  # type: ignore[assignment]
            bounds = limits(s.target.attribute, s.target.attribute.name, s, scope, s.value)
            if s.target.kind == "player" and low.plan.features.nobody:
                nobody = ir.Compare("<=", plain(s.target.object, scope), ir.Const(low.plan.players))
        case tree.TableRef():
            base, index, more = table_place(s.target, scope)  # type: ignore[assignment]
            bounds = limits(s.target.table, s.target.table.name, s, scope, s.value)
        case tree.Property():
            index, more = through(s.target.object, scope)  # type: ignore[assignment]
            base, bounds = low.plan.kinds[s.target.kind].place, None
        case _:
            raise AssertionError("no such target")
    if isinstance(index, ir.Const):
        base, index = base + index.value, None
    resets = s.target.table.resets if isinstance(s.target, tree.TableRef) else None
    if isinstance(s.target, tree.StateRef | tree.AttributeRef):
        resets = s.target.attribute.resets
    if s.op != "=" and may_be_missing(s.target):  # nothing is added to what is missing
        now = ir.Cell(base) if index is None else ir.Cell(base, index)
        guards = join_guards(guards, (present(s.target, now, scope),))
    store = _store(s.op, base, index, amount, bounds)
    return when(both(*join_guards(guards, more), nobody), [store, *touch(resets, low)])


def _store(op: str, base: int, index: ir.Expr | None, amount: ir.Expr, bounds: ir.Limits | None) -> ir.Stmt:
    if op == "=":
        return ir.Store(base, index, amount, bounds)
    if op == "-=":
        amount = ir.Const(-amount.value) if isinstance(amount, ir.Const) else ir.Arith("-", ir.Const(0), amount)
    return ir.Add(base, index, amount, bounds)
