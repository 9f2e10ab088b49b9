"""Built-in functions and names: what becomes of each, by the name of its row in `rulelang/language/semantics/builtins/`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

from rulelang.base.layout import KindLayout
from rulelang.base.source import NOWHERE
from rulelang.base.wording import with_article
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import (
    Lowered,
    Lowering,
    Scope,
    add,
    as_bool,
    both,
    either,
    join_guards,
    times,
    when,
)
from rulelang.compiler.lower.expr.expressions import cond, through
from rulelang.compiler.lower.expr.seats import next_player
from rulelang.compiler.lower.state import constant_columns
from rulelang.compiler.lower.state.addresses import cell
from rulelang.compiler.lower.state.zones import end_card
from rulelang.language.semantics import tree
from rulelang.language.semantics.model import Condition, Grid


class Set(NamedTuple):
    """A function that gives several: a loop over them (call, name of the variable, scope, body), and whether something
    is one of them (call, what, scope)."""

    loop: Callable[[tree.BuiltinCall, str, Scope, list[ir.Stmt]], list[ir.Stmt]]
    has: Callable[[tree.BuiltinCall, ir.Expr, Scope], Lowered]


def _side(e: tree.BuiltinCall, scope: Scope, column: Callable[[KindLayout], int]) -> Lowered:
    thing, guards = through(e.args[0], scope)
    return cell(column(scope.low.plan.kinds[e.args[0].type.name]), thing), guards


def _position(e: tree.BuiltinCall, scope: Scope) -> Lowered:
    thing, guards = through(e.args[0], scope)
    return ir.Call(position(scope.low, e.args[0].type.name), (thing,)), guards


def _adjacent(e: tree.BuiltinCall, scope: Scope) -> Lowered:
    (a, g1), (b, g2) = through(e.args[0], scope), through(e.args[1], scope)
    return is_neighbour(a, b, e.args[0].type.name, scope.low), join_guards(g1, g2)


def _next(e: tree.BuiltinCall, scope: Scope) -> Lowered:
    player, guards = through(e.args[0], scope)
    return ir.Table(next_player(scope.low), player), guards


def _stepped(e: tree.BuiltinCall, scope: Scope) -> Lowered:
    level, g1 = through(e.args[0], scope)
    by, g2 = through(e.args[1], scope)
    top = scope.low.plan.rows_of(e.args[0].type.name)
    return ir.Call(_step(scope.low, top), (level, by)), join_guards(g1, g2)


def _extreme(e: tree.BuiltinCall, scope: Scope, kind: Literal["min", "max"]) -> Lowered:
    args = [through(a, scope) for a in e.args]
    return ir.MinMax(kind, tuple(a for a, _ in args)), join_guards(*(g for _, g in args))


def _count(e: tree.BuiltinCall, scope: Scope) -> Lowered:
    total: ir.Expr = ir.Const(0)
    for arg in e.args:
        total = add(total, as_bool(cond(arg, scope)))
    return total, ()


def position(low: Lowering, kind: str) -> str:
    """`position_KIND(x)`: place along the owner's line, from 1 at the left; by slot for kinds without a line."""
    name = f"position_{kind}"
    if name not in low.functions:
        laid = low.plan.kinds[kind]
        if laid.prev:
            x, n = ir.Local("x"), ir.Local("n")
            body: list[ir.Stmt] = [
                ir.Set("n", ir.Const(0)),
                ir.While(x, (ir.Set("n", add(n, ir.Const(1))), ir.Set("x", ir.Cell(laid.prev, x)))),
                ir.Return(n),
            ]
        else:
            body = [ir.Return(ir.Local("x"))]
        low.function(name, "pure", ("x",), body, f"position of {with_article(kind)}", NOWHERE)
    return name


def _step(low: Lowering, top: int) -> str:
    name = f"step_{top}"
    if name not in low.functions:
        to = add(ir.Local("x"), ir.Local("by"))
        inside = both(ir.Compare(">=", to, ir.Const(1)), ir.Compare("<=", to, ir.Const(top)))
        low.function(name, "pure", ("x", "by"), [ir.Return(ir.If(inside, to, ir.Const(0)))], "step", NOWHERE)
    return name


def is_neighbour(a: ir.Expr, b: ir.Expr, kind: str, low: Lowering) -> ir.Expr:
    """Two things side by side in a line, two seats, or two adjacent spaces. Both are known to be present."""
    if low.plan.is_made(kind):
        laid = low.plan.kinds[kind]
        if not laid.next:
            return ir.Const(0)
        return either(ir.Compare("==", cell(laid.next, b), a), ir.Compare("==", cell(laid.prev, b), a))
    if kind in low.model.grids:
        near = neighbours_of(low.model.grids[kind], low)
        size = len(near)
        flat = [int(x in near[y]) for y in range(size) for x in range(size)]
        return ir.Table(low.table(f"adjacent_{kind}", flat), add(times(b, ir.Const(size)), a))
    n = low.plan.players
    flat = [
        int(x > 0 and y > 0 and x != y and (x - y) % n in (1, n - 1)) for y in range(n + 2) for x in range(n + 2)
    ]  # fmt: skip
    return ir.Table(low.table("adjacent_seats", flat), add(times(b, ir.Const(n + 2)), a))


def neighbours_of(grid: Grid, low: Lowering) -> list[tuple[int, ...]]:
    """By space: its neighbours, north first, then clockwise; [0] is empty."""
    corners, ring = low.plan.flag(grid.corners), low.plan.flag(grid.east_west)
    steps = [(0, -1), (1, 0), (0, 1), (-1, 0)]
    if corners:
        steps = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)]
    near: list[tuple[int, ...]] = [()]
    for y in range(grid.height):
        for x in range(grid.width):
            found: list[int] = []
            for dx, dy in steps:
                u, v = x + dx, y + dy
                if ring:
                    u %= grid.width
                if 0 <= u < grid.width and 0 <= v < grid.height and (u, v) != (x, y):
                    space = v * grid.width + u + 1
                    if space not in found:
                        found.append(space)
            near.append(tuple(found))
    return near


def _neighbours_loop(e: tree.BuiltinCall, name: str, scope: Scope, body: list[ir.Stmt]) -> list[ir.Stmt]:
    low = scope.low
    thing, guards = through(e.args[0], scope)
    kind = e.args[0].type.name
    if kind in low.model.grids:
        rows = low.row_table(f"near_{kind}", neighbours_of(low.model.grids[kind], low))
        return when(both(*guards), [ir.ForTable(name, rows, thing, tuple(body))])
    if kind == "player":
        n = low.plan.players
        seats = [tuple(dict.fromkeys(((p - 2) % n + 1, p % n + 1))) for p in range(1, n + 1)]
        rows = low.row_table("near_seats", [(), *(tuple(s for s in near if s != p) for p, near in enumerate(seats, 1))])
        return when(both(*guards), [ir.ForTable(name, rows, thing, tuple(body))])
    laid = low.plan.kinds[kind]
    near, item = scope.fresh("near"), scope.fresh("n")
    stmts: list[ir.Stmt] = [ir.NewList(near, 2)]
    for column in (laid.prev, laid.next):
        side = cell(column, thing)
        stmts.append(ir.Branch(side, (ir.Append(near, side),)))
    stmts.append(ir.ForList(item, near, (ir.Set(name, ir.Local(item)), *body)))
    return when(both(*guards), stmts)


def _is_near(e: tree.BuiltinCall, item: ir.Expr, scope: Scope) -> Lowered:
    thing, guards = through(e.args[0], scope)
    return is_neighbour(item, thing, e.args[0].type.name, scope.low), guards


def _forbids(e: tree.BuiltinCall, scope: Scope) -> Lowered:
    """`forbids(condition, measure)`: whether a term of the condition demands none of that measure."""
    low = scope.low
    column = e.args[0]
    assert isinstance(column, tree.ColumnRef)
    obj, g1 = through(column.object, scope)
    measure, g2 = through(e.args[1], scope)
    rows = low.plan.rows_of(e.args[1].type.name) + 1
    flat: list[int] = []
    for c in constant_columns.cells_of(low, column.kind, column.column):
        assert isinstance(c, Condition)
        flat += [
            int(any(m in t.measures and (t.op, t.number) in (("==", 0), ("<", 1), ("<=", 0)) for t in c.terms))
            for m in range(rows)
        ]
    table = low.table(f"forbids_{column.column.name}", flat)
    return ir.Table(table, add(times(obj, ir.Const(rows)), measure)), join_guards(g1, g2)


#: By name, what becomes of each function of `rulelang/language/semantics/builtins/functions.py` that gives one value ...
FUNCTIONS: Mapping[str, Callable[[tree.BuiltinCall, Scope], Lowered]] = {
    "left_of": lambda e, scope: _side(e, scope, lambda kind: kind.prev),
    "right_of": lambda e, scope: _side(e, scope, lambda kind: kind.next),
    "position": _position,
    "adjacent": _adjacent,
    "next": _next,
    "step": _stepped,
    "forbids": _forbids,
    "count": _count,
    "min": lambda e, scope: _extreme(e, scope, "min"),
    "max": lambda e, scope: _extreme(e, scope, "max"),
    "top": lambda e, scope: end_card(e.zones[0], scope, top=True),
    "bottom": lambda e, scope: end_card(e.zones[0], scope, top=False),
}

#: ... and of each that gives several.
SETS: Mapping[str, Set] = {"neighbours": Set(_neighbours_loop, _is_near)}

#: By name, what becomes of each name of `rulelang/language/semantics/builtins/names.py` that has a type.
NAMES: Mapping[str, Callable[[Scope], ir.Expr]] = {
    "players": lambda scope: ir.Const(scope.low.plan.players),
    "active": lambda scope: ir.Cell(scope.low.cells.active),
    "actor": lambda scope: scope.actor if scope.actor is not None else ir.Cell(scope.low.cells.actor),
    "round": lambda scope: ir.Cell(scope.low.cells.round),
    "phase": lambda scope: ir.Cell(scope.low.cells.phase),
    "nobody": lambda scope: ir.Const(scope.low.plan.players + 1),
}
