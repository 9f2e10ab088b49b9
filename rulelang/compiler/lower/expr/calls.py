"""Lower calls of declared values, routines and actions, and compare order values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import (
    FALSE,
    TRUE,
    CanBeChosen,
    CanHappen,
    EventRun,
    Guards,
    Lowered,
    Lowering,
    Scope,
    ValueOf,
    branch,
    conditional,
    conjunction,
    disjunction,
    equal,
    join_guards,
    lower_arguments,
    lower_condition,
    lower_value,
    negate,
)
from rulelang.compiler.lower.state.bearers import event_bearer, roles_of, routine_roles, value_roles
from rulelang.language.semantics import tree

# ---- calls

# ---- values


def value_function(low: Lowering, value_id: str, part: int | None = None) -> str:
    """The function of a value; of one part of it where the value is an order."""
    return low.ask(ValueOf(value_id, part))


def value_call(e: tree.ValueCall, scope: Scope) -> Lowered:
    declared = scope.low.program.values[e.value]
    maybe = tuple(p.type.maybe for p in declared.params)
    args, guards = lower_arguments(e.args, scope, maybe=maybe)
    call = ir.Call(value_function(scope.low, e.value), (*bearer_args(e.value, scope), *args))
    return call, guards


def bearer_args(value_id: str, scope: Scope) -> tuple[ir.Expr, ...]:
    return tuple(scope.roles.get(role, ir.Const(0)) for role in value_roles(value_id, scope.low))


# ---- events


def event_params(event: str, low: Lowering) -> tuple[tree.Local, ...]:
    """The parameters that patterns and calls of an event name."""
    program = low.program
    if event in program.routines:
        return program.routines[event].params
    if event in program.actions:
        return tuple(b.local for b in program.actions[event].binders)
    return program.values[event].params


def pattern_params(event: str, low: Lowering) -> tuple[tree.Local, ...]:
    """What patterns of an event see: its parameters, and behind them who bears it."""
    bearer = event_bearer(event, low)
    return event_params(event, low) if bearer is None else (*event_params(event, low), bearer)


def pattern_args(event: str, args: tuple[ir.Expr, ...], scope: Scope) -> tuple[ir.Expr, ...]:
    """The arguments for `seen_params`: the bearer is that of the rules at hand, or none."""
    return args if event_bearer(event, scope.low) is None else (*args, scope.roles.get("self", ir.Const(0)))


def optional_params(event: str, low: Lowering) -> tuple[bool, ...]:
    declared = low.program.actions.get(event)
    if declared is not None:
        return tuple(b.maybe for b in declared.binders)
    return tuple(p.type.maybe for p in event_params(event, low))


def role_args(event: str, scope: Scope) -> tuple[ir.Expr, ...]:
    if event not in scope.low.program.routines:
        return ()
    return tuple(scope.roles.get(r, ir.Const(0)) for r in routine_roles(event, scope.low))


def can_call(event: str, args: tuple[tree.Expr, ...], scope: Scope) -> ir.Expr:
    """The condition `can R(args)`: nothing missing, all requirements hold, nothing forbids it."""
    lowered, guards = lower_arguments(args, scope, maybe=optional_params(event, scope.low))
    if event in scope.low.program.actions:
        somebody = TRUE if scope.actor is not None else ir.Compare("!=", ir.Cell(scope.low.cells.actor), ir.Const(0))
        asked = ir.Call(scope.low.ask(CanBeChosen(event)), permission_args(event, lowered, scope))
        return conjunction(*guards, somebody, asked)
    seen = pattern_args(event, lowered, scope)
    return conjunction(*guards, can_happen(event, (*role_args(event, scope), *seen), scope.low))


def permission_args(action: str, args: tuple[ir.Expr, ...], scope: Scope) -> tuple[ir.Expr, ...]:
    """For `can ACTION(args)`: who is asked about, the roles of the action, and its arguments. The bearer is that of the
    rules at hand."""
    roles = (scope.roles.get(role, ir.Const(0)) for role in roles_of(action, scope.low))
    return (scope.actor or ir.Cell(scope.low.cells.actor), *roles, *args)


def can_happen(event: str, args: tuple[ir.Expr, ...], low: Lowering) -> ir.Expr:
    """The condition that an event can happen. `args`: the roles of a routine, then what patterns see."""
    name = can_function(event, low)
    return TRUE if name is None else ir.Call(name, args)


def can_function(event: str, low: Lowering) -> str | None:
    """`can_EVENT(...)` (see `can_expr`), or None where it can always happen."""
    routine = low.program.routines.get(event)
    refusable = (routine is not None and routine.requires) or low.graph.forbids_on.get(event)
    return low.ask(CanHappen(event)) if refusable else None


def run_event(event: str, args: Sequence[ir.Expr], low: Lowering, roles: Sequence[ir.Expr] = ()) -> ir.Stmt:
    """The statement that makes an event happen that is known to be possible."""
    return ir.CallRoutine(do_function(event, low), (*roles, *args))


def run_if_possible(event: str, args: Sequence[ir.Expr], low: Lowering, roles: Sequence[ir.Expr] = ()) -> list[ir.Stmt]:
    """An event that happens if it can."""
    return branch(can_happen(event, (*roles, *args), low), [run_event(event, args, low, roles)])


def do_function(event: str, low: Lowering) -> str:
    """`do_EVENT(roles..., args...)`."""
    return low.ask(EventRun(event))


# ---- order values


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
            args, sure = lower_arguments(e.args, scope)
            width = order_width(scope.low, e.value)
            return [
                ir.Call(value_function(scope.low, e.value, k), (*bearer_args(e.value, scope), *args))
                for k in range(width)
            ], sure
        if isinstance(e, tree.IfElse):
            test = lower_condition(e.test, scope)
            yes, g1 = order_parts(e.then, scope)
            no, g2 = order_parts(e.otherwise, scope)
            return [conditional(test, a, b) for a, b in _paired_integers(yes, no)], join_guards(g1, g2)
        if isinstance(e, tree.Otherwise):
            yes, given = order_parts(e.value, scope)
            no, more = order_parts(e.default, scope)
            return [conditional(conjunction(*given), a, b) for a, b in _paired_integers(yes, no)], more
    one, more_guards = lower_value(e, scope)
    return [one], more_guards


def _paired_integers(left: list[ir.Expr], right: list[ir.Expr]) -> Iterator[tuple[ir.Expr, ir.Expr]]:
    """Pair the integers of two orders; the shorter order continues with zeros."""
    return zip_longest(left, right, fillvalue=ir.Const(0))


def order_width(low: Lowering, value_id: str) -> int:
    """Count the integers of an order value: the most that its body, or a `modify` of it, has."""
    put = (m.value for m in low.graph.modifies_on.get(value_id, ()))
    return max(_expression_width(e, low) for e in (low.program.values[value_id].body, *put))


def _expression_width(e: tree.Expr, low: Lowering) -> int:
    if isinstance(e, tree.OrderOf):
        return sum(_expression_width(p, low) for p in e.parts)
    if e.type.tag == "order":
        if isinstance(e, tree.ValueCall):
            return order_width(low, e.value)
        if isinstance(e, tree.IfElse):
            return max(_expression_width(e.then, low), _expression_width(e.otherwise, low))
        if isinstance(e, tree.Otherwise):
            return max(_expression_width(e.value, low), _expression_width(e.default, low))
    return 1


def compare_orders(e: tree.Compare, scope: Scope) -> tuple[Guards, ir.Expr]:
    """Lower a comparison of two orders: when both can be read, and whether it is then true."""
    left, left_guards = order_parts(e.left, scope)
    right, right_guards = order_parts(e.right, scope)
    guards = join_guards(left_guards, right_guards)
    pairs = list(_paired_integers(left, right))
    same = conjunction(*(equal(a, b) for a, b in pairs))
    if e.op in ("==", "!="):
        return guards, same if e.op == "==" else negate(same)
    strict = "<" if e.op[0] == "<" else ">"
    result: ir.Expr = TRUE if e.op in ("<=", ">=") else FALSE
    for a, b in reversed(pairs):
        step = ir.Compare(strict, a, b)  # type: ignore[arg-type]
        result = disjunction(step, conjunction(equal(a, b), result))
    return guards, result
