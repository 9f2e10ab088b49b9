"""`can ACTION(args)`: whether the actor could choose just that, as an offer would test it."""

from __future__ import annotations

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import FALSE, TRUE, Lowering, Scope
from rulelang.compiler.lower.expr.roles import bind_given, named, roles_of, row_of, taken
from rulelang.compiler.lower.requests import MayBeChosen
from rulelang.compiler.lower.routines.options import Arguments
from rulelang.language.semantics import tree


def bound(action: tree.Action, stem: str, low: Lowering) -> tuple[Scope, list[str], dict[str, ir.Expr]]:
    """A scope with the actor `me` and the bearer bound; its parameters; the roles."""
    scope = Scope(low, f"{stem}_{action.id}")
    scope.actor = ir.Local("me")
    given = taken(roles_of(action.id, low), scope)
    bind_given(action, scope, {**given, **row_of(action)}, given.get("owner", scope.actor))
    return scope, ["me", *named(given)], given


def lower(wanted: MayBeChosen, low: Lowering) -> None:
    action = low.program.actions[wanted.action]
    scope, params, _ = bound(action, "possible", low)
    args = [scope.fresh("a") for _ in action.binders]
    found = Arguments(action, low, [ir.Return(TRUE)]).only(scope, tuple(map(ir.Local, args)))
    low.function(wanted.name, "pure", (*params, *args), (*found, ir.Return(FALSE)), f"can {action.id}", action.span)
