"""`t affects R(args)`: whether a rule of trait t would count in that event now."""

from __future__ import annotations

from functools import partial

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import FALSE, TRUE, Lowering, Scope, when
from rulelang.compiler.lower.expr.calls import seen_params
from rulelang.compiler.lower.expr.expressions import cond
from rulelang.compiler.lower.expr.roles import trait_number
from rulelang.compiler.lower.program_graph import Hook
from rulelang.compiler.lower.requests import Affected
from rulelang.compiler.lower.routines import bearers


def lower(wanted: Affected, low: Lowering) -> None:
    """`affects_EVENT(t, args...)`."""
    event = wanted.event
    hooks = [hook for hook in low.graph.on(event) if hook.origin.what == "trait"]
    params = tuple(f"a{k}" for k in range(len(seen_params(event, low))))
    inner = tuple(ir.Local(p) for p in params)
    body: list[ir.Stmt] = []
    for number, group in _by_trait(hooks, low).items():
        tests: list[ir.Stmt] = []
        for hook in group:
            tests += bearers.matches(hook, inner, low, partial(_yes, hook))
        body.append(ir.Branch(ir.Compare("==", ir.Local("t"), ir.Const(number)), (*tests, ir.Return(FALSE))))
    body.append(ir.Return(FALSE))
    low.function(wanted.name, "pure", ("t", *params), body, f"affects {event}", hooks[0].span)


def _by_trait(hooks: list[Hook], low: Lowering) -> dict[int, list[Hook]]:
    groups: dict[int, list[Hook]] = {}
    for hook in hooks:
        groups.setdefault(trait_number(hook.origin, low), []).append(hook)
    return groups


def _yes(hook: Hook, scope: Scope) -> list[ir.Stmt]:
    guard = cond(hook.guard, scope) if hook.guard is not None else TRUE
    return when(guard, [ir.Return(TRUE)])
