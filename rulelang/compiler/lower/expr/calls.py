"""Calls of what rules declare (values, routines, actions): with which arguments, and by which name.

The functions themselves are asked for (see `requests`); those who lower them are `values`, `legality` and `events`.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import TRUE, Lowered, Lowering, Scope, both, when
from rulelang.compiler.lower.expr.expressions import arguments
from rulelang.compiler.lower.expr.roles import borne_by, roles_of, routine_roles, value_roles
from rulelang.compiler.lower.requests import CanHappen, Doing, MayBeChosen, ValueOf
from rulelang.language.semantics import tree

# ---- values


def value_function(low: Lowering, value_id: str, part: int | None = None) -> str:
    """The function of a value; of one part of it where the value is an order."""
    return low.ask(ValueOf(value_id, part))


def value_call(e: tree.ValueCall, scope: Scope) -> Lowered:
    declared = scope.low.program.values[e.value]
    maybe = tuple(p.type.maybe for p in declared.params)
    args, guards = arguments(e.args, scope, maybe=maybe)
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


def seen_params(event: str, low: Lowering) -> tuple[tree.Local, ...]:
    """What patterns of an event see: its parameters, and behind them who bears it."""
    bearer = borne_by(event, low)
    return event_params(event, low) if bearer is None else (*event_params(event, low), bearer)


def seen_args(event: str, args: tuple[ir.Expr, ...], scope: Scope) -> tuple[ir.Expr, ...]:
    """The arguments for `seen_params`: the bearer is that of the rules at hand, or none."""
    return args if borne_by(event, scope.low) is None else (*args, scope.roles.get("self", ir.Const(0)))


def maybe_params(event: str, low: Lowering) -> tuple[bool, ...]:
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
    lowered, guards = arguments(args, scope, maybe=maybe_params(event, scope.low))
    if event in scope.low.program.actions:
        somebody = TRUE if scope.actor is not None else ir.Compare("!=", ir.Cell(scope.low.cells.actor), ir.Const(0))
        asked = ir.Call(scope.low.ask(MayBeChosen(event)), asked_with(event, lowered, scope))
        return both(*guards, somebody, asked)
    seen = seen_args(event, lowered, scope)
    return both(*guards, can_expr(event, (*role_args(event, scope), *seen), scope.low))


def asked_with(action: str, args: tuple[ir.Expr, ...], scope: Scope) -> tuple[ir.Expr, ...]:
    """For `can ACTION(args)`: who is asked about, the roles of the action, and its arguments. The bearer is that of the
    rules at hand."""
    roles = (scope.roles.get(role, ir.Const(0)) for role in roles_of(action, scope.low))
    return (scope.actor or ir.Cell(scope.low.cells.actor), *roles, *args)


def can_expr(event: str, args: tuple[ir.Expr, ...], low: Lowering) -> ir.Expr:
    """The condition that an event can happen. `args`: the roles of a routine, then what patterns see."""
    name = can_function(event, low)
    return TRUE if name is None else ir.Call(name, args)


def can_function(event: str, low: Lowering) -> str | None:
    """`can_EVENT(...)` (see `can_expr`), or None where it can always happen."""
    routine = low.program.routines.get(event)
    refusable = (routine is not None and routine.requires) or low.graph.forbids_on.get(event)
    return low.ask(CanHappen(event)) if refusable else None


def run(event: str, args: Sequence[ir.Expr], low: Lowering, roles: Sequence[ir.Expr] = ()) -> ir.Stmt:
    """The statement that makes an event happen that is known to be possible."""
    return ir.CallRoutine(do_function(event, low), (*roles, *args))


def checked(event: str, args: Sequence[ir.Expr], low: Lowering, roles: Sequence[ir.Expr] = ()) -> list[ir.Stmt]:
    """An event that happens if it can."""
    return when(can_expr(event, (*roles, *args), low), [run(event, args, low, roles)])


def do_function(event: str, low: Lowering) -> str:
    """`do_EVENT(roles..., args...)`."""
    return low.ask(Doing(event))
