"""Lower built-in functions and the predicates of the language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

from rulelang.base.layout import KindLayout
from rulelang.base.source import NOWHERE
from rulelang.base.wording import with_article
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import (
    FALSE,
    TRUE,
    Affects,
    Guards,
    Lowered,
    Lowering,
    Scope,
    add,
    as_bool,
    branch,
    conjunction,
    disjunction,
    equal,
    join_guards,
    lower_arguments,
    lower_condition,
    lower_through,
    lower_value,
    times,
)
from rulelang.compiler.lower.expr.calls import can_call, pattern_args, value_function
from rulelang.compiler.lower.state import access, bearers, trait_masks
from rulelang.compiler.lower.state.access import cell, end_card, next_player
from rulelang.language.semantics import tree
from rulelang.language.semantics.model import Condition, Grid

# ---- built-in functions


class SetFunction(NamedTuple):
    """A function that gives several: a loop over them (call, name of the variable, scope, body), and whether something
    is one of them (call, what, scope)."""

    loop: Callable[[tree.BuiltinCall, str, Scope, list[ir.Stmt]], list[ir.Stmt]]
    has: Callable[[tree.BuiltinCall, ir.Expr, Scope], Lowered]


def _neighbour_at_side(e: tree.BuiltinCall, scope: Scope, column: Callable[[KindLayout], int]) -> Lowered:
    thing, guards = lower_through(e.args[0], scope)
    return cell(column(scope.low.plan.kinds[e.args[0].type.name]), thing), guards


def _position_of(e: tree.BuiltinCall, scope: Scope) -> Lowered:
    thing, guards = lower_through(e.args[0], scope)
    return ir.Call(position_function(scope.low, e.args[0].type.name), (thing,)), guards


def _are_adjacent(e: tree.BuiltinCall, scope: Scope) -> Lowered:
    (a, g1), (b, g2) = lower_through(e.args[0], scope), lower_through(e.args[1], scope)
    return is_neighbour(a, b, e.args[0].type.name, scope.low), join_guards(g1, g2)


def _next_in_line(e: tree.BuiltinCall, scope: Scope) -> Lowered:
    player, guards = lower_through(e.args[0], scope)
    return ir.Table(next_player(scope.low), player), guards


def _stepped_in_line(e: tree.BuiltinCall, scope: Scope) -> Lowered:
    level, g1 = lower_through(e.args[0], scope)
    by, g2 = lower_through(e.args[1], scope)
    top = scope.low.plan.rows_of(e.args[0].type.name)
    return ir.Call(_step_function(scope.low, top), (level, by)), join_guards(g1, g2)


def _end_of_line(e: tree.BuiltinCall, scope: Scope, kind: Literal["min", "max"]) -> Lowered:
    args = [lower_through(a, scope) for a in e.args]
    return ir.MinMax(kind, tuple(a for a, _ in args)), join_guards(*(g for _, g in args))


def _count_of(e: tree.BuiltinCall, scope: Scope) -> Lowered:
    total: ir.Expr = ir.Const(0)
    for arg in e.args:
        total = add(total, as_bool(lower_condition(arg, scope)))
    return total, ()


def position_function(low: Lowering, kind: str) -> str:
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


def _step_function(low: Lowering, top: int) -> str:
    name = f"step_{top}"
    if name not in low.functions:
        to = add(ir.Local("x"), ir.Local("by"))
        inside = conjunction(ir.Compare(">=", to, ir.Const(1)), ir.Compare("<=", to, ir.Const(top)))
        low.function(name, "pure", ("x", "by"), [ir.Return(ir.If(inside, to, ir.Const(0)))], "step", NOWHERE)
    return name


def is_neighbour(a: ir.Expr, b: ir.Expr, kind: str, low: Lowering) -> ir.Expr:
    """Two things side by side in a line, two seats, or two adjacent spaces. Both are known to be present."""
    if low.plan.is_made(kind):
        laid = low.plan.kinds[kind]
        if not laid.next:
            return ir.Const(0)
        return disjunction(ir.Compare("==", cell(laid.next, b), a), ir.Compare("==", cell(laid.prev, b), a))
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
    thing, guards = lower_through(e.args[0], scope)
    kind = e.args[0].type.name
    if kind in low.model.grids:
        rows = low.row_table(f"near_{kind}", neighbours_of(low.model.grids[kind], low))
        return branch(conjunction(*guards), [ir.ForTable(name, rows, thing, tuple(body))])
    if kind == "player":
        n = low.plan.players
        seats = [tuple(dict.fromkeys(((p - 2) % n + 1, p % n + 1))) for p in range(1, n + 1)]
        rows = low.row_table("near_seats", [(), *(tuple(s for s in near if s != p) for p, near in enumerate(seats, 1))])
        return branch(conjunction(*guards), [ir.ForTable(name, rows, thing, tuple(body))])
    laid = low.plan.kinds[kind]
    near, item = scope.fresh("near"), scope.fresh("n")
    stmts: list[ir.Stmt] = [ir.NewList(near, 2)]
    for column in (laid.prev, laid.next):
        side = cell(column, thing)
        stmts.append(ir.Branch(side, (ir.Append(near, side),)))
    stmts.append(ir.ForList(item, near, (ir.Set(name, ir.Local(item)), *body)))
    return branch(conjunction(*guards), stmts)


def _is_near(e: tree.BuiltinCall, item: ir.Expr, scope: Scope) -> Lowered:
    thing, guards = lower_through(e.args[0], scope)
    return is_neighbour(item, thing, e.args[0].type.name, scope.low), guards


def _is_forbidden_by(e: tree.BuiltinCall, scope: Scope) -> Lowered:
    """`forbids(condition, measure)`: whether a term of the condition demands none of that measure."""
    low = scope.low
    column = e.args[0]
    assert isinstance(column, tree.ColumnRef)
    obj, g1 = lower_through(column.object, scope)
    measure, g2 = lower_through(e.args[1], scope)
    rows = low.plan.rows_of(e.args[1].type.name) + 1
    flat: list[int] = []
    for c in access.column_values(low, column.kind, column.column):
        assert isinstance(c, Condition)
        flat += [
            int(any(m in t.measures and (t.op, t.number) in (("==", 0), ("<", 1), ("<=", 0)) for t in c.terms))
            for m in range(rows)
        ]
    table = low.table(f"forbids_{column.column.name}", flat)
    return ir.Table(table, add(times(obj, ir.Const(rows)), measure)), join_guards(g1, g2)


#: By name, what becomes of each function of `language/semantics/builtins/functions.py` that gives one value ...
BUILTIN_FUNCTIONS: Mapping[str, Callable[[tree.BuiltinCall, Scope], Lowered]] = {
    "left_of": lambda e, scope: _neighbour_at_side(e, scope, lambda kind: kind.prev),
    "right_of": lambda e, scope: _neighbour_at_side(e, scope, lambda kind: kind.next),
    "position": _position_of,
    "adjacent": _are_adjacent,
    "next": _next_in_line,
    "step": _stepped_in_line,
    "forbids": _is_forbidden_by,
    "count": _count_of,
    "min": lambda e, scope: _end_of_line(e, scope, "min"),
    "max": lambda e, scope: _end_of_line(e, scope, "max"),
    "top": lambda e, scope: end_card(e.zones[0], scope, top=True),
    "bottom": lambda e, scope: end_card(e.zones[0], scope, top=False),
}

#: ... and of each that gives several.
BUILTIN_SETS: Mapping[str, SetFunction] = {"neighbours": SetFunction(_neighbours_loop, _is_near)}

#: By name, what becomes of each name of `rulelang/language/semantics/builtins/names.py` that has a type.
BUILTIN_NAMES: Mapping[str, Callable[[Scope], ir.Expr]] = {
    "players": lambda scope: ir.Const(scope.low.plan.players),
    "active": lambda scope: ir.Cell(scope.low.cells.active),
    "actor": lambda scope: scope.actor if scope.actor is not None else ir.Cell(scope.low.cells.actor),
    "round": lambda scope: ir.Cell(scope.low.cells.round),
    "phase": lambda scope: ir.Cell(scope.low.cells.phase),
    "nobody": lambda scope: ir.Const(scope.low.plan.players + 1),
}


# ---- predicates


def lower_predicate(e: tree.Expr, scope: Scope) -> tuple[Guards, ir.Expr]:
    """Lower such a condition: when it can be read, and whether it is then true."""
    low = scope.low
    match e:
        case tree.Has():
            subject, g1 = lower_through(e.subject, scope)
            trait, g2 = lower_value(e.trait, scope)
            return join_guards(g1, g2), bearers.bears_any_of(low, e.subject.type.name, subject, trait)
        case tree.Working():
            card, guards = lower_through(e.card, scope)
            return guards, trait_masks.is_active(low, card)
        case tree.MemberOfSet():
            return _membership(e, scope)
        case tree.Meets():
            subject, g1 = lower_through(e.subject, scope)
            assert isinstance(e.condition, tree.ColumnRef)
            obj, g2 = lower_through(e.condition.object, scope)
            return join_guards(g1, g2), ir.Call(_meets_function(low, e, e.condition), (subject, obj))
        case tree.ZoneEmpty():
            counted = [access.zone_count(ref, scope) for ref in e.zones]
            empty = conjunction(*(ir.Compare("==", n, ir.Const(0)) for n, _ in counted))
            return join_guards(*(guards for _, guards in counted)), empty
        case tree.Can():
            return (), can_call(e.event, e.args, scope)  # with an argument that is missing it cannot happen
        case tree.Affects():
            trait, g1 = lower_value(e.trait, scope)
            args, g2 = lower_arguments(e.args, scope)
            return join_guards(g1, g2), _affects_condition(e.event, trait, pattern_args(e.event, args, scope), low)
        case _:
            raise AssertionError(f"{type(e).__name__} is no test")


def _affects_condition(event: str, trait: ir.Expr, args: tuple[ir.Expr, ...], low: Lowering) -> ir.Expr:
    """`t affects R(args)`: whether a rule of trait t would count in that event now."""
    if not any(hook.origin.what == "trait" for hook in low.graph.on(event)):
        return FALSE
    return ir.Call(low.ask(Affects(event)), (trait, *args))


def _membership(e: tree.MemberOfSet, scope: Scope) -> tuple[Guards, ir.Expr]:
    low = scope.low
    item, guards = lower_through(e.item, scope)
    match e.group:
        case tree.ZoneRef() | tree.BoxRef():
            there, more = access.lies_in(item, e.group, scope)
            return join_guards(guards, more), there
        case tree.BuiltinCall():
            there, more = BUILTIN_SETS[e.group.name].has(e.group, item, scope)
            return join_guards(guards, more), there
        case _:
            stem, sets, obj, more = access.constant_set(e.group, scope)
            rows = low.plan.rows_of(e.item.type.name)
            return join_guards(guards, more), access.is_member(item, rows, (stem, sets, obj), low)


def _meets_function(low: Lowering, e: tree.Meets, column: tree.ColumnRef) -> str:
    """`meets(subject, row)`: the terms of the row's condition, each different condition written once."""
    key = ("meets", column.kind, column.column.name, e.counter)
    if key in low.names:
        return low.names[key]
    conditions: list[Condition] = []
    numbers: list[int] = []
    for c in access.column_values(low, column.kind, column.column):
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
        body.append(ir.Branch(equal(ir.Local("k"), ir.Const(k)), (ir.Return(ir.If(conjunction(*terms), TRUE, FALSE)),)))
    body.append(ir.Return(TRUE))
    low.names[key] = name = low.unique(f"meets_{column.column.name}")
    return low.function(name, "pure", ("subject", "row"), body, f"meets {column.column.name}", e.span)
