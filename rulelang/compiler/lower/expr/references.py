"""What is read at a fixed place of the state: attributes and tables."""

from __future__ import annotations

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import Guards, Lowered, Scope, add, join_guards, times
from rulelang.compiler.lower.expr.expressions import through
from rulelang.compiler.lower.state.addresses import cell
from rulelang.language.semantics import tree


def attribute_place(e: tree.AttributeRef, scope: Scope) -> tuple[int, ir.Expr, Guards]:
    """Base and index of an attribute's word."""
    low = scope.low
    obj, guards = through(e.object, scope)
    if e.trait is not None:
        laid = low.plan.trait_state[e.trait, e.attribute.name]
        rows = laid.rows or {}
        name = low.table(f"row_{e.trait}", [rows.get(c, 0) for c in range(len(low.plan.cards))])
        index: ir.Expr = ir.Table(name, obj)
        base, dims, width = laid.base, laid.dims, laid.width
    else:
        base = low.plan.columns[e.kind, e.attribute.name]
        dims = tuple(low.plan.rows_of(k) + 1 for k in e.attribute.index)
        width = 1
        for d in dims:
            width *= d
        index = obj
    index = times(index, ir.Const(width)) if dims else index
    stride = width
    for sub, size in zip(e.index, dims, strict=False):
        stride //= size
        part, more = through(sub, scope)
        index = add(index, times(part, ir.Const(stride)))
        guards = join_guards(guards, more)
    return base, index, guards


def attribute_cell(e: tree.AttributeRef, scope: Scope) -> Lowered:
    base, index, guards = attribute_place(e, scope)
    return cell(base, index), guards


def table_place(e: tree.TableRef, scope: Scope) -> tuple[int, ir.Expr, Guards]:
    laid = scope.low.plan.tables[e.table.name]
    index: ir.Expr = ir.Const(0)
    guards: Guards = ()
    for sub, size in zip(e.index, laid.dims, strict=True):
        part, more = through(sub, scope)
        index = add(times(index, ir.Const(size)), part)
        guards = join_guards(guards, more)
    return laid.base, index, guards


def table_cell(e: tree.TableRef, scope: Scope) -> Lowered:
    base, index, guards = table_place(e, scope)
    return cell(base, index), guards
