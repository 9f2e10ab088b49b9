"""`t affects R(args)`: whether a rule of trait t would count in that event now."""

from __future__ import annotations

from functools import partial

from rulelang.meaning import tree
from rulelang.program import ir
from rulelang.program.lower import bearers
from rulelang.program.lower.context import FALSE, TRUE, Lowering, Scope, when
from rulelang.program.lower.expressions import cond


def affects(event: str, trait: ir.Expr, args: tuple[ir.Expr, ...], low: Lowering) -> ir.Expr:
    facts = low.facts
    hooks: list[bearers.AnyHook] = [
        *facts.forbids_on.get(event, ()), *facts.modifies_on.get(event, ()), *facts.hooks_on.get(event, ())
    ]  # fmt: skip
    hooks = [h for h in hooks if h.origin.what == "trait"]
    if not hooks:
        return FALSE
    name = f"affects_{event}".replace(".", "__")
    low.later(name, lambda: _lower(name, event, len(args), hooks, low))
    return ir.Call(name, (trait, *args))


def _lower(name: str, event: str, arity: int, hooks: list[bearers.AnyHook], low: Lowering) -> None:
    params = tuple(f"a{k}" for k in range(arity))
    inner = tuple(ir.Local(p) for p in params)
    body: list[ir.Stmt] = []
    for number, group in _by_trait(hooks, low).items():
        tests: list[ir.Stmt] = []
        for hook in group:
            tests += bearers.matches(hook, inner, low, partial(_yes, hook))
        body.append(ir.Branch(ir.Compare("==", ir.Local("t"), ir.Const(number)), (*tests, ir.Return(FALSE))))
    body.append(ir.Return(FALSE))
    low.function(name, "pure", ("t", *params), body, f"affects {event}", hooks[0].span)


def _by_trait(hooks: list[bearers.AnyHook], low: Lowering) -> dict[int, list[bearers.AnyHook]]:
    groups: dict[int, list[bearers.AnyHook]] = {}
    for hook in hooks:
        groups.setdefault(bearers.trait_number(hook.origin, low), []).append(hook)
    return groups


def _yes(hook: bearers.AnyHook, scope: Scope) -> list[ir.Stmt]:
    guard = cond(hook.guard, scope) if hook.guard is not None else TRUE
    return when(guard, [ir.Return(TRUE)])


__all__ = ["affects", "tree"]
