"""Actions `in steps`: asked argument by argument, and only values are offered that can be completed.

The offer lists the action alone (with its bearer). Once it is taken, one choice follows for each argument; a value is
offered if some values of the arguments after it make the action legal.
"""

from __future__ import annotations

from rulelang.base.layout import ActionInfo
from rulelang.ir import nodes as ir
from rulelang.lower.context import FALSE, TRUE, Lowering, Scope, both, when
from rulelang.lower.expr.expressions import cond
from rulelang.lower.expr.iteration import loops
from rulelang.lower.expr.permitted import bound
from rulelang.lower.routines.choosing import holds
from rulelang.lower.routines.options import Arguments
from rulelang.semantics import tree
from rulelang.semantics.state_layout import type_name
from rulelang.semantics.walk import conjuncts, locals_of


def _bound_scope(action: tree.Action, count: int, stem: str, low: Lowering) -> tuple[Scope, list[str]]:
    """A scope with the actor, the bearer and the first `count` arguments as parameters."""
    scope, params, _ = bound(action, stem, low)
    for b in action.binders[:count]:
        low.local_kinds[b.local.name] = b.local.type.name
        params.append(scope.bind(b.local, present=not b.maybe))
    return scope, params


def _tests(action: tree.Action, count: int) -> list[tree.Expr]:
    """Requirements that speak of arguments from the given one on."""
    before = {b.local.name for b in action.binders[:count]}
    later = {b.local.name for b in action.binders[count:]}
    parts = [p for r in action.requires for p in conjuncts(r.condition)]
    return [p for p in parts if locals_of(p) & later or (count == 0 and not locals_of(p) & before)]


def completable(action: tree.Action, count: int, low: Lowering) -> str:
    """`can_complete_ACTION_k(me, roles..., arguments...)`: some values of the other arguments make it legal."""
    name = f"complete_{action.id}_{count}".replace(".", "__")
    if name not in low.functions and name not in low.pending:
        low.pending.add(name)
        scope, params = _bound_scope(action, count, "complete", low)
        arguments = Arguments(action, low, [ir.Return(TRUE)])
        body = arguments.open(scope, action.binders[count:], _tests(action, count))
        low.function(name, "pure", params, [*body, ir.Return(FALSE)], f"complete {action.id}", action.span)
    return name


def _step(action: tree.Action, k: int, low: Lowering) -> str:
    """Enumerator of the k-th argument's values that can be completed."""
    name = f"step_{action.id}_{k}".replace(".", "__")
    if name not in low.functions and name not in low.pending:
        low.pending.add(name)
        scope, params = _bound_scope(action, k, "step", low)
        b = action.binders[k]

        alike = isinstance(b.domain, tree.InZones) and not low.model.sorts[b.domain.sort].attributes
        looks = low.table("look", [c.look for c in low.plan.cards])

        def one(inner: Scope) -> list[ir.Stmt]:
            value = inner.names[b.local.name]
            known = {x.local.name for x in action.binders[: k + 1]}
            every = {x.local.name for x in action.binders}
            ready = [
                t for t in _tests(action, k) if not (locals_of(t) & every) - known and b.local.name in locals_of(t)
            ]
            rest = ir.Call(completable(action, k + 1, low), (*(ir.Local(p) for p in params), value))
            offered: list[ir.Stmt] = [ir.Yield((value,))]
            if alike:
                # Of equal cards that can be taken the first stands for all.
                look = ir.Table(looks, value)
                offered = when(
                    ir.Not(ir.Call(holds(low), (ir.Local("seen"), look))), [ir.Append("seen", look), *offered]
                )
            return when(both(*(cond(t, inner) for t in ready), rest), offered)

        body: list[ir.Stmt] = [ir.NewList("seen", len(low.plan.cards))] if alike else []
        body += loops([b], scope, one)
        low.function(name, "enumerator", params, body, f"{action.id}: {b.local.text}", action.span)
    return name


def ask(action: tree.Action, roles: tuple[ir.Expr, ...], me: ir.Expr, scope: Scope) -> tuple[
    list[ir.Stmt], tuple[ir.Expr, ...]
]:  # fmt: skip
    """The choices that follow when the action is taken, and its arguments."""
    low = scope.low
    stmts: list[ir.Stmt] = []
    args: list[ir.Expr] = []
    for k, b in enumerate(action.binders):
        target = scope.fresh(b.local.text)
        info = ActionInfo("choose", "", (type_name(b.local.type),), (b.local.text,), "", b.span)
        prompt = f"{action.name.replace('_', ' ')}: choose {b.local.text.replace('_', ' ')}"
        site = low.site("choose", (info,), prompt, b.span)
        source = ir.Source(0, _step(action, k, low), (me, *roles, *args))
        stmts.append(ir.Pick(site, me, (source,), FALSE, scope.fresh("tag"), (target,)))
        args.append(ir.Local(target))
    return stmts, tuple(args)
