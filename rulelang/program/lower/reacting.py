"""Reactions: defences that owners play one by one; they may stop the event or send it elsewhere.

A reaction's routine returns 0 (goes on), 1 (stopped) or 2 (redirected; the new arguments lie in words of the state).
"""

from __future__ import annotations

from rulelang.meaning import tree
from rulelang.program import ir
from rulelang.program.lower import seeking
from rulelang.program.lower.context import TRUE, Lowering, ReactFrame, Scope, both, either, equal, when
from rulelang.program.lower.domains import first_player, play_order
from rulelang.program.lower.legality import can_expr
from rulelang.program.lower.owners_order import _enabled_of, _listed
from rulelang.program.lower.triggers import Pool, bound_scope, call_hook, hook_title

Args = tuple[ir.Expr, ...]


def redirect_words(low: Lowering, count: int) -> int:
    """First of the words that hold the arguments of a redirection."""
    base = low.memo.get("redirect")
    if not isinstance(base, int):
        base = low.plan.claim(8)
        low.memo["redirect"] = base
    assert count <= 8
    return base


def react_function(hook: tree.Trigger, event: str, low: Lowering) -> str:
    """The routine of one reaction, with the result as above."""
    key = ("react", id(hook))
    known = low.memo.get(key)
    if isinstance(known, str):
        return known
    name = low.unique(f"{hook.origin.name or 'core'}_react_{event}")
    low.memo[key] = name
    scope, params = bound_scope(hook, low)
    scope.react = ReactFrame(event, redirect_words(low, len(params) - 2))
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
    from rulelang.program.lower.events import checked
    from rulelang.program.lower.expressions import arguments
    from rulelang.program.lower.legality import maybe_params

    assert scope.react is not None
    args, guards = arguments(s.args, scope, maybe=maybe_params(s.routine, scope.low))
    if s.routine != scope.react.event:
        return when(both(*guards), [*checked(s.routine, args, scope.low), *_leave(scope, 1)])
    stores = [ir.Store(scope.react.redirect_cells + k, None, arg) for k, arg in enumerate(args)]
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
    spent, outcome = "spent", "outcome"
    q, able, item = (scope.fresh(stem) for stem in ("q", "able", "item"))
    tag, bearer, card = (scope.fresh(stem) for stem in ("tag", "bearer", "card"))
    test = both(
        equal(pool.owner_of(ir.Local(item)), ir.Local(q)),
        ir.Not(ir.Call(holds(low), (ir.Local(spent), ir.Local(item)))),
        _enabled_of(pool, ir.Local(item), args),
    )
    gather = ir.ForList(item, pool.items, tuple(when(test, [ir.Append(able, ir.Local(item))])))
    site = low.site("react", pool.options(), "how do you react?", hooks[0].span)
    sources = tuple(ir.Source(k, _listed(pool, k), (ir.Local(able),)) for k in range(len(hooks)))
    must = [k for k, h in enumerate(hooks) if not h.may]
    pick = ir.Pick(site, ir.Local(q), sources, _all_may(pool, able, must, low), tag, (bearer, card))
    chosen = _pack(pool, tag, bearer, card)
    calls: list[ir.Stmt] = []
    for k, hook in enumerate(hooks):
        call = ir.CallRoutine(react_function(hook, event, low), (ir.Local(card), ir.Local(bearer), *args), outcome)
        calls += when(equal(ir.Local(tag), ir.Const(k)), [call])
    turn = ir.While(
        ir.Not(ir.Local(outcome)),
        (
            ir.NewList(able, 256),
            gather,
            ir.Branch(ir.Not(ir.Length(able)), (ir.Break(),)),
            pick,
            ir.Branch(ir.Compare("<", ir.Local(tag), ir.Const(0)), (ir.Break(),)),
            ir.Append(spent, chosen),
            *calls,
        ),
    )
    owners = ir.ForTable(q, play_order(low), first_player(low), (turn,))
    base = redirect_words(low, len(args))
    again: list[ir.Stmt] = [
        *(ir.Set(arg.name, ir.Cell(base + k)) for k, arg in enumerate(args) if isinstance(arg, ir.Local)),
        *([ir.LogEnd()] if opened else []),
        *when(can_expr(event, (*roles, *args), low), [], [ir.Return()]),
        *opened,
    ]
    leave: list[ir.Stmt] = [*([ir.LogEnd()] if opened else []), ir.Return()]
    loop: tuple[ir.Stmt, ...] = (
        ir.Set(outcome, ir.Const(0)),
        *opening,
        *pool.fix(scope, args),
        ir.Branch(both(seeking.playing(event, low), ir.Length(pool.items)), (owners,)),
        ir.Branch(equal(ir.Local(outcome), ir.Const(1)), tuple(leave)),
        ir.Branch(equal(ir.Local(outcome), ir.Const(0)), (ir.Break(),)),
        *again,
    )
    return [ir.NewList(spent, 64), ir.While(TRUE, loop, budget=True, span=hooks[0].span)]


def _pack(pool: Pool, tag: str, bearer: str, card: str) -> ir.Expr:
    from rulelang.program.lower.context import add, times

    first = add(times(ir.Local(tag), ir.Const(pool.bearers)), ir.Local(bearer))
    return add(times(first, ir.Const(pool.cards)), ir.Local(card))


def _all_may(pool: Pool, able: str, must: list[int], low: Lowering) -> ir.Expr:
    """Whether "none" is offered: only if no enabled reaction is mandatory."""
    if not must:
        return TRUE
    if len(must) == len(pool.hooks):
        return ir.Const(0)
    name = f"all_may_{pool.event}"
    if name not in low.functions:
        item = ir.Local("item")
        bad = either(*(equal(pool.hook_of(item), ir.Const(k)) for k in must))
        body = (ir.ForList("item", "items", (ir.Branch(bad, (ir.Return(ir.Const(0)),)),)), ir.Return(TRUE))
        low.function(name, "pure", ("items",), body, "reactions", pool.hooks[0].span, ("items",))
    return ir.Call(name, (ir.Local(able),))


def holds(low: Lowering) -> str:
    """`holds(list, x)`: whether a list local holds a value."""
    if "holds" not in low.functions:
        from rulelang.base.source import NOWHERE

        same = ir.Branch(equal(ir.Local("y"), ir.Local("x")), (ir.Return(TRUE),))
        body = (ir.ForList("y", "items", (same,)), ir.Return(ir.Const(0)))
        low.function("holds", "pure", ("items", "x"), body, "holds", NOWHERE, ("items",))
    return "holds"
