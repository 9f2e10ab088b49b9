"""Who picks among due hooks: each owner among his, in play order; what no player owns runs unpicked around them.

`always` hooks come before the owners, all else that no player owns behind them. A `may` of a player's is one option
among others; declining is offered when all that he could pick say `may`. Without an owner, or where that is `nobody`,
the actor is asked whether it happens.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulelang.base.layout import DecisionKind
from rulelang.base.phrases import Phrase
from rulelang.base.source import NOWHERE
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import FALSE, TRUE, Lowering, Scope, add, both, equal, safe, times, when
from rulelang.compiler.lower.expr.seats import first_player, play_order
from rulelang.compiler.lower.routines import questions
from rulelang.compiler.lower.routines.asking import actor, consent, nobodys
from rulelang.compiler.lower.routines.triggers import Pool
from rulelang.compiler.lower.state import loose

Args = tuple[ir.Expr, ...]
#: Statements that run hook number k of an item, asking nobody whether to.
Run = Callable[[int, ir.Expr], list[ir.Stmt]]


def in_turn(
    pool: Pool, scope: Scope, args: Args, spent: str, prompt: Phrase, run: Run, over: ir.Expr = FALSE
) -> list[ir.Stmt]:
    """Runs the due hooks of a pool, until `over` holds. `spent`: the list local of the items that have been run."""
    early = [k for k, hook in enumerate(pool.hooks) if hook.always]
    late = [k for k in range(len(pool.hooks)) if k not in early and pool.may_lack_owner(k)]
    owned = [k for k in range(len(pool.hooks)) if pool.may_have_owner(k)]
    out = _unpicked(pool, scope, args, spent, run, over, early)
    if owned:
        out.append(_owners(pool, scope, args, spent, prompt, run, over))
    return [*out, *_unpicked(pool, scope, args, spent, run, over, late)]


def _owners(
    pool: Pool, scope: Scope, args: Args, spent: str, prompt: Phrase, run: Run, over: ir.Expr
) -> ir.Stmt:  # fmt: skip
    """Each player picks the next of his enabled hooks until none is left or he declines."""
    low = pool.low
    q, able, item = (scope.fresh(stem) for stem in ("q", "able", "item"))
    tag, bearer, card = (scope.fresh(stem) for stem in ("tag", "bearer", "card"))
    test = both(
        equal(pool.owner_of(ir.Local(item)), ir.Local(q)),
        ir.Not(ir.Call(holds(low), (ir.Local(spent), ir.Local(item)))),
        enabled(pool, ir.Local(item), args),
        *_first_of_equals(pool, able, ir.Local(item)),
    )
    gather = ir.ForList(item, pool.items, tuple(when(test, [ir.Append(able, ir.Local(item))])))
    kind: DecisionKind = "react" if pool.when == "react" else "order"
    site = questions.on_event(kind, pool.event, pool.options(), prompt, pool.hooks[0].span, low)
    sources = tuple(ir.Source(k, _listed(pool, k), (ir.Local(able),)) for k in range(len(pool.hooks)))
    declines = may_decline(pool, able)
    pick = ir.Pick(site, ir.Local(q), sources, declines, tag, (bearer, card), told=args)
    first = add(times(ir.Local(tag), ir.Const(pool.bearers)), ir.Local(bearer))
    chosen = add(times(first, ir.Const(pool.cards)), ir.Local(card))
    calls = [w for k in range(len(pool.hooks)) for w in when(equal(ir.Local(tag), ir.Const(k)),
                                                             run(k, ir.Local(item)))]  # fmt: skip
    declined = [] if declines == FALSE else when(ir.Compare("<", ir.Local(tag), ir.Const(0)), [ir.Break()])
    turn = ir.While(
        ir.Not(over) if over != FALSE else TRUE,
        (
            ir.NewList(able, pool.capacity()),
            gather,
            ir.Branch(ir.Not(ir.Length(able)), (ir.Break(),)),
            pick,
            *declined,
            ir.Set(item, chosen),
            ir.Append(spent, ir.Local(item)),
            *calls,
        ),
    )
    return ir.ForTable(q, play_order(low), first_player(low), (turn,))


def _first_of_equals(pool: Pool, able: str, item: ir.Expr) -> list[ir.Expr]:
    """The condition that no item of the list is of a card that looks alike, lies on nothing and brings the same."""
    low = pool.low
    by_hook = [int(loose.alike(hook, low)) for hook in pool.hooks]
    if not any(by_hook):
        return []
    # Behind the things a bearer is the player whose the card is.
    things = [low.plan.rows_of(h.bearer.self.type.name) if loose.on_things(h, low) and h.bearer.self else -1
              for h in pool.hooks]  # fmt: skip
    name = f"equal_{safe(f'{pool.when}_{pool.event}')}"
    if name not in low.functions:
        x, y, look = ir.Local("x"), ir.Local("y"), low.table("look", [c.look for c in low.plan.cards])
        same = both(
            ir.Table(low.table("alike", by_hook), pool.hook_of(x)),
            ir.Compare(">", pool.bearer_of(x), ir.Table(low.table("things", things), pool.hook_of(x))),
            equal(ir.Arith("//", x, ir.Const(pool.cards)), ir.Arith("//", y, ir.Const(pool.cards))),
            equal(ir.Table(look, pool.card_of(x)), ir.Table(look, pool.card_of(y))),
        )
        body = (ir.ForList("y", "items", (ir.Branch(same, (ir.Return(TRUE),)),)), ir.Return(FALSE))
        low.function(name, "pure", ("items", "x"), body, "equal cards", NOWHERE, ("items",))
    return [ir.Not(ir.Call(name, (ir.Local(able), item)))]


def _unpicked(
    pool: Pool, scope: Scope, args: Args, spent: str, run: Run, over: ir.Expr, hooks: Sequence[int]
) -> list[ir.Stmt]:  # fmt: skip
    """In their order, the items of these hooks that no player owns."""
    low = pool.low
    if not hooks:
        return []
    name = scope.fresh("rest")
    item = ir.Local(name)
    body: list[ir.Stmt] = []
    for k in hooks:
        test = both(
            ir.Not(over) if over != FALSE else TRUE,
            equal(pool.hook_of(item), ir.Const(k)),
            nobodys(pool.owner_at(k, pool.bearer_of(item), pool.card_of(item)), low),
            ir.Not(ir.Call(holds(low), (ir.Local(spent), item))),
            pool.enabled(k, item, args),
        )
        mine: list[ir.Stmt] = [ir.Append(spent, item), *run(k, item)]
        if pool.hooks[k].may:
            mine = consent(pool.hooks[k], actor(low), mine, scope, scope.fresh("yes"), args)
        body += when(test, mine)
    return [pool.each(name, body)]


def enabled(pool: Pool, item: ir.Expr, args: Args) -> ir.Expr:
    """Whether an item is enabled, whichever hook it is of."""
    result: ir.Expr = ir.Const(0)
    for k in reversed(range(len(pool.hooks))):
        test = pool.enabled(k, item, args)
        result = test if k == len(pool.hooks) - 1 else ir.If(equal(pool.hook_of(item), ir.Const(k)), test, result)
    return result


def may_decline(pool: Pool, able: str) -> ir.Expr:
    """Whether "none" is offered beside the items of a list: only if none of them has to be."""
    forced = [0 if hook.may else 1 for hook in pool.hooks]
    return declining(pool.low, forced, f"{pool.when}_{pool.event}", pool.hook_of(ir.Local("item")), able)


def declining(low: Lowering, forced: Sequence[int], title: str, number: ir.Expr, able: str) -> ir.Expr:
    """Whether no `item` of the list is of a hook that has to be; `number` is the hook of the local `item`."""
    if all(forced):
        return FALSE
    if not any(forced):
        return TRUE
    name = f"all_may_{safe(title)}"
    if name not in low.functions:
        bad = ir.Table(low.table("forced", forced), number)
        body = (ir.ForList("item", "items", (ir.Branch(bad, (ir.Return(ir.Const(0)),)),)), ir.Return(TRUE))
        low.function(name, "pure", ("items",), body, "whether all may be declined", NOWHERE, ("items",))
    return ir.Call(name, (ir.Local(able),))


def _listed(pool: Pool, k: int) -> str:
    """Enumerator over a list of items: those of hook k, as (bearer, card)."""
    low = pool.low
    key = ("listed", pool.bearers, pool.cards, k)
    if key in low.names:
        return low.names[key]
    low.names[key] = name = low.unique(f"items_of_{k}")
    item = ir.Local("item")
    body = ir.ForList(
        "item", "items",
        tuple(when(equal(pool.hook_of(item), ir.Const(k)), [ir.Yield((pool.bearer_of(item), pool.card_of(item)))])),
    )  # fmt: skip
    return low.function(name, "enumerator", ("items",), (body,), "effects", pool.hooks[0].span, ("items",))


def holds(low: Lowering) -> str:
    """`holds(list, x)`: whether a list local holds a value."""
    if "holds" not in low.functions:
        same = ir.Branch(equal(ir.Local("y"), ir.Local("x")), (ir.Return(TRUE),))
        body = (ir.ForList("y", "items", (same,)), ir.Return(ir.Const(0)))
        low.function("holds", "pure", ("items", "x"), body, "holds", NOWHERE, ("items",))
    return "holds"
