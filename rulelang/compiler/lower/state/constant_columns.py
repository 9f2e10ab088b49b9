"""What is printed on rows, cards and spaces: constant tables of the module."""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import Lowered, Lowering, Scope, add, join_guards, times
from rulelang.compiler.lower.expr.expressions import through
from rulelang.language.semantics import tree
from rulelang.language.semantics.model import MISSING_INT, Column, ColumnValue, Condition


def default_of(column: Column) -> ColumnValue:
    if column.default is not None:
        return column.default
    if column.type.tag == "set":
        return ()
    if column.type.tag == "condition":
        return Condition(())
    return MISSING_INT if column.type.tag == "int" and column.type.maybe else 0


def cells_of(low: Lowering, kind: str, column: Column) -> list[ColumnValue]:
    """The column's value for every handle of the kind; [0] is what nothing has."""
    model, plan = low.model, low.plan
    default = default_of(column)
    if kind in model.sorts:
        printed = [c.columns.get(column.name, default) if c.sort == kind else default for c in plan.cards]
        return [c for c in printed if isinstance(c, int | tuple | Condition)]
    if kind in model.grids:
        grid = plan.grid_map(model.grids[kind])
        return [default, *grid[column.name]]
    rows = model.lists[kind].rows[: plan.rows_of(kind)]
    values: list[ColumnValue] = [default, *(row.columns.get(column.name, default) for row in rows)]
    return values + [default] * (plan.rows_of(kind) + 1 - len(values))


def by_rows(low: Lowering, column: Column) -> tuple[int, int]:
    """First index and number of indexes of a column that is kept `by` something."""
    if isinstance(column.by, tuple):
        return column.by[0], column.by[1] - column.by[0] + 1
    assert column.by is not None
    return 1, low.plan.rows_of(column.by)


def column(e: tree.ColumnRef, scope: Scope) -> Lowered:
    """A printed integer. Sets and conditions have tables of their own (`members_table`, `tests.meets`)."""
    low = scope.low
    obj, guards = through(e.object, scope)
    cells = cells_of(low, e.kind, e.column)
    if e.column.by is None or e.column.by == "copy":
        ints = [c if isinstance(c, int) else 0 for c in cells]
        table = low.table(f"{e.kind}_{e.column.name}", ints)
        if isinstance(obj, ir.Const):
            return ir.Const(ints[obj.value]), guards
        return ir.Table(table, obj), guards
    assert e.index is not None
    first, count = by_rows(low, e.column)
    missing = MISSING_INT if e.column.type.maybe else 0
    flat: list[int] = []
    for c in cells:
        row = c if isinstance(c, tuple) else (missing,) * count
        flat += [*row, *((missing,) * (count - len(row)))]
    table = low.table(f"{e.kind}_{e.column.name}", flat)
    index, more = through(e.index, scope)
    position = add(times(obj, ir.Const(count)), add(index, ir.Const(-first)))
    return ir.Table(table, position), join_guards(guards, more)


def set_of(e: tree.Expr, scope: Scope) -> tuple[str, list[ColumnValue], ir.Expr, tuple[ir.Expr, ...]]:
    """A set-valued expression: a stem for table names, the sets by handle, the handle, guards."""
    low = scope.low
    if isinstance(e, tree.Property):  # `.faces`, the only one that is a set
        obj, guards = through(e.object, scope)
        return "faces", [c.faces for c in low.plan.cards], obj, guards
    assert isinstance(e, tree.ColumnRef)
    obj, guards = through(e.object, scope)
    return f"{e.kind}_{e.column.name}", cells_of(low, e.kind, e.column), obj, guards


def member(item: ir.Expr, rows: int, group: tuple[str, list[ColumnValue], ir.Expr], low: Lowering) -> ir.Expr:
    """1 if the row is in the set of that handle."""
    stem, sets, obj = group
    flat: list[int] = []
    for members in sets:
        assert isinstance(members, tuple)
        flat += [int(r in members) for r in range(rows + 1)]
    return ir.Table(low.table(f"in_{stem}", flat), add(times(obj, ir.Const(rows + 1)), item))


def members_row(group: tuple[str, Sequence[ColumnValue]], low: Lowering) -> str:
    stem, sets = group
    return low.row_table(stem, [s if isinstance(s, tuple) else () for s in sets])
