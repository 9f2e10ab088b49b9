"""Reactions: defences that owners play one by one; they may stop the event or send it elsewhere.

A reaction's routine returns 0 (goes on), 1 (stopped) or 2 (redirected; the new arguments lie in words of the state).
"""

from __future__ import annotations

from rulelang.base.phrases import phrase
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import TRUE, Lowering, ReactFrame, Scope, both, equal, once, when
from rulelang.compiler.lower.expr.calls import can_expr, checked, event_params, maybe_params, role_args, seen_args
from rulelang.compiler.lower.expr.expressions import arguments
from rulelang.compiler.lower.expr.roles import roles_of
from rulelang.compiler.lower.routines import choosing, seeking
from rulelang.compiler.lower.routines.triggers import Pool, bound_scope, call_hook, hook_title
from rulelang.language.semantics import tree
from rulelang.language.semantics.tree import walk

Args = tuple[ir.Expr, ...]
REACT = phrase("how do you react?")


@once
def redirect_words(low: Lowering) -> int:
    """First of the words that hold the bearer and the arguments of a redirection."""
    events = {hook.pattern.event for hook in low.program.triggers if hook.kind == "react to"}
    return low.plan.claim(max(1, *(len(roles_of(event, low)) + len(event_params(event, low)) for event in events)))


def react_function(hook: tree.Trigger, event: str, low: Lowering) -> str:
    """The routine of one reaction, with the result as above."""
    key = ("react", id(hook))
    if key in low.names:
        return low.names[key]
    low.names[key] = name = low.unique(f"{hook.origin.name or 'core'}_react_{event}")
    scope, params = bound_scope(hook, low)
    scope.react = ReactFrame(event, redirect_words(low))
    args = tuple(ir.Local(p) for p in params[2:])
    body = [*call_hook(hook, scope, args, low), ir.Return(ir.Const(0))]
    low.function(name, "routine", params, body, hook_title(hook, low), hook.span)
    return name


def _leave(scope: Scope, outcome: int) -> list[ir.Stmt]:
    assert scope.react is not None
    return [ir.LogEnd(), *scope.react.leave, ir.Return(ir.Const(outcome))]


def stop(scope: Scope) -> list[ir.Stmt]:
    return _leave(scope, 1)


def redirect(s: tree.Redirect, scope: Scope) -> list[ir.Stmt]:
    assert scope.react is not None
    args, guards = arguments(s.args, scope, maybe=maybe_params(s.routine, scope.low), kept=True)
    # As with any call, the bearer of a trait's or row's own routine is that of the rules at hand.
    roles = role_args(s.routine, scope)
    if s.routine != scope.react.event:
        return when(both(*guards), [*checked(s.routine, args, scope.low, roles), *_leave(scope, 1)])
    stores = [ir.Store(scope.react.redirect_cells + k, None, arg) for k, arg in enumerate((*roles, *args))]
    return when(both(*guards), [*stores, *_leave(scope, 2)])


def lower(
    event: str, hooks: list[tree.Trigger], scope: Scope, args: Args, roles: Args, low: Lowering,
    opened: list[ir.Stmt], opening: list[ir.Stmt],
) -> list[ir.Stmt]:  # fmt: skip
    """Owners in play order react until none will.

    A redirection starts the event again (from its `can`, with `opening`: what fixes its hooks and runs those before
    it), what is spent staying spent. Only an `instead of` that has let the event happen is not asked again.
    """
    pool = Pool(event, "react", hooks, low)
    seen = seen_args(event, args, scope)
    spent, outcome = "spent", "outcome"

    def run(k: int, item: ir.Expr) -> list[ir.Stmt]:
        args_of = (pool.card_of(item), pool.bearer_of(item), *seen)
        return [ir.CallRoutine(react_function(hooks[k], event, low), args_of, outcome)]

    played = choosing.in_turn(pool, scope, seen, spent, REACT, run, ir.Local(outcome))
    base = redirect_words(low)
    asked = roles if event in low.program.routines else ()
    again: list[ir.Stmt] = [
        *(ir.Set(x.name, ir.Cell(base + k)) for k, x in enumerate((*roles, *args)) if isinstance(x, ir.Local)),
        *([ir.LogEnd()] if opened else []),
        *when(can_expr(event, (*asked, *seen), low), [], [ir.Return()]),
        *opened,
    ]
    leave: list[ir.Stmt] = [*([ir.LogEnd()] if opened else []), ir.Return()]
    through: tuple[ir.Stmt, ...] = (
        ir.Set(outcome, ir.Const(0)),
        *opening,
        *pool.fix(scope, seen),
        ir.Branch(both(seeking.playing(event, low), ir.Length(pool.items)), tuple(played)),
        ir.Branch(equal(ir.Local(outcome), ir.Const(1)), tuple(leave)),
    )
    head = ir.NewList(spent, pool.capacity())
    if not any(isinstance(n, tree.Redirect) and n.routine == event for n in walk([hook.body for hook in hooks])):
        return [head, *through]
    loop = (*through, ir.Branch(equal(ir.Local(outcome), ir.Const(0)), (ir.Break(),)), *again)
    return [head, ir.While(TRUE, loop, budget=True, span=hooks[0].span)]
