"""`can ACTION(args)`: whether the actor could choose just that, as an offer would test it."""

from __future__ import annotations

from rulelang.meaning import tree
from rulelang.program import ir
from rulelang.program.lower import actions, bearers
from rulelang.program.lower.context import FALSE, TRUE, Lowering, Scope
from rulelang.program.lower.events import roles_of


def can_action(event: str, args: tuple[ir.Expr, ...], scope: Scope) -> ir.Expr:
    """The condition. The bearer is that of the rules at hand."""
    return ir.Call(_function(scope.low.program.actions[event], scope.low), asked_with(event, args, scope))


def asked_with(event: str, args: tuple[ir.Expr, ...], scope: Scope) -> tuple[ir.Expr, ...]:
    """Who is asked about, the roles of the action, and its arguments."""
    roles = (scope.roles.get(role, ir.Const(0)) for role in roles_of(event, scope.low))
    return (scope.actor or ir.Cell(scope.low.cells.actor), *roles, *args)


def bound(action: tree.Action, stem: str, low: Lowering) -> tuple[Scope, list[str], dict[str, ir.Expr]]:
    """A scope with the actor `me` and the bearer bound; its parameters; the roles."""
    scope = Scope(low, f"{stem}_{action.id}")
    scope.actor = ir.Local("me")
    params = ["me"]
    given: dict[str, ir.Expr] = {}
    for role in roles_of(action.id, low):
        params.append(scope.fresh(role))
        given[role] = ir.Local(params[-1])
    self_ = ir.Const(action.origin.row) if action.origin.what == "row" else given.get("self")
    this = given.get("this")
    partner = bearers.partner_at(action, this, self_, low) if this is not None and self_ is not None else None
    bearers.bind_roles(action, scope, this, self_, given.get("owner", scope.actor), partner)
    return scope, params, given


def _function(action: tree.Action, low: Lowering) -> str:
    name = f"possible_{action.id}".replace(".", "__")
    return low.later(name, lambda: _lower(name, action, low))


def _lower(name: str, action: tree.Action, low: Lowering) -> None:
    scope, params, _ = bound(action, "possible", low)
    wanted = [scope.fresh("a") for _ in action.binders]
    found = actions.Options(action, low).only(scope, tuple(map(ir.Local, wanted)), [ir.Return(TRUE)])
    body = (*found, ir.Return(FALSE))
    low.function(name, "pure", (*params, *wanted), body, f"can {action.id}", action.span)


__all__ = ["asked_with", "bound", "can_action"]
