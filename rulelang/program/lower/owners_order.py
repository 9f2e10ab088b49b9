"""`in owner's order`: each owner picks the next among his enabled hooks.

Before-hooks are picked while the event waits. After-hooks go into one pool of the game; when the outermost such event
has ended it drains, and what is triggered meanwhile joins it. A pool entry is [site-wide hook number, bearer, card,
arguments...] in words of the state, so that a waiting game is still data.
"""

from __future__ import annotations

from rulelang.meaning import tree
from rulelang.program import ir
from rulelang.program.lower import loose
from rulelang.program.lower.context import TRUE, Lowering, Scope, add, both, either, equal, negate, times, when
from rulelang.program.lower.domains import first_player, play_order
from rulelang.program.lower.triggers import Pool, flag

Args = tuple[ir.Expr, ...]


def before(pool: Pool, scope: Scope, args: Args) -> list[ir.Stmt]:
    """Owners in play order; each runs his enabled hooks one by one in the order he likes, each item once."""
    low = pool.low
    q, able, item, at = (scope.fresh(stem) for stem in ("q", "able", "item", "at"))
    tag, bearer, card = (scope.fresh(stem) for stem in ("tag", "bearer", "card"))
    look = _enabled_of(pool, ir.Local(item), args)
    gather = ir.ForList(
        item, pool.items,
        tuple(when(both(equal(pool.owner_of(ir.Local(item)), ir.Local(q)), look), [ir.Append(able, ir.Local(item))])),
    )  # fmt: skip
    site = low.site("order", pool.options(), "which of your effects comes next?", pool.hooks[0].span)
    sources = tuple(ir.Source(k, _listed(pool, k), (ir.Local(able),)) for k in range(len(pool.hooks)))
    pick = ir.Pick(site, ir.Local(q), sources, ir.Const(0), tag, (bearer, card))
    chosen = add(
        times(add(times(ir.Local(tag), ir.Const(pool.bearers)), ir.Local(bearer)), ir.Const(pool.cards)),
        ir.Local(card),
    )
    spend: list[ir.Stmt] = [
        ir.Set(item, chosen),
        ir.Set(at, ir.Const(0)),
        ir.While(ir.Compare("!=", ir.Item(pool.items, ir.Local(at)), ir.Local(item)),
                 (ir.Set(at, add(ir.Local(at), TRUE)),)),
        ir.TakeAt(pool.items, ir.Local(at)),
    ]  # fmt: skip
    run = [w for k in range(len(pool.hooks)) for w in when(equal(ir.Local(tag), ir.Const(k)),
                                                           [pool.call(k, ir.Local(item), args)])]  # fmt: skip
    loop = ir.While(
        TRUE,
        (
            ir.NewList(able, 256),
            gather,
            ir.Branch(ir.Not(ir.Length(able)), (ir.Break(),)),
            pick,
            *spend,
            *run,
        ),
    )
    players = ir.ForTable(q, play_order(low), first_player(low), (loop,))
    ownerless = [h for h in pool.hooks if h.origin.what != "trait" or h.always or loose.cards(h, low)]
    tail: list[ir.Stmt] = []
    if ownerless:
        name = scope.fresh("rest")
        tail.append(ir.ForList(name, pool.items, tuple(when(equal(pool.owner_of(ir.Local(name)), ir.Const(0)),
                                                            pool.dispatch(ir.Local(name), args)))))  # fmt: skip
    return [ir.Branch(ir.Length(pool.items), (players, *tail))]


def _enabled_of(pool: Pool, item: ir.Expr, args: Args) -> ir.Expr:
    """Whether an item is enabled, whichever hook it is of."""
    result: ir.Expr = ir.Const(0)
    for k in reversed(range(len(pool.hooks))):
        test = pool.enabled(k, item, args)
        result = test if k == len(pool.hooks) - 1 else ir.If(equal(pool.hook_of(item), ir.Const(k)), test, result)
    return result


def _listed(pool: Pool, k: int) -> str:
    """Enumerator over a list of items: those of hook k, as (bearer, card)."""
    low = pool.low
    key = ("listed", pool.bearers, pool.cards, k)
    known = low.memo.get(key)
    if isinstance(known, str):
        return known
    name = low.unique(f"items_of_{k}")
    low.memo[key] = name
    item = ir.Local("item")
    body = ir.ForList(
        "item", "items",
        tuple(when(equal(pool.hook_of(item), ir.Const(k)), [ir.Yield((pool.bearer_of(item), pool.card_of(item)))])),
    )  # fmt: skip
    return low.function(name, "enumerator", ("items",), (body,), "effects", pool.hooks[0].span, ("items",))


# ---- after-hooks


def _all_pools(low: Lowering) -> list[Pool]:
    """The after-pools of every event in owner's order: their hooks share one numbering."""
    key = "owners pools"
    known = low.memo.get(key)
    if isinstance(known, list):
        return known
    pools: list[Pool] = []
    for event, routine in low.program.routines.items():
        hooks = [h for h in low.facts.hooks_on.get(event, ()) if h.kind == "after"]
        if routine.owners_order and hooks:
            pools.append(Pool(event, "after", hooks, low))
    low.memo[key] = pools
    return pools


def _room(low: Lowering) -> int:
    """Entries that the pool can hold: every card's effect, from either end of a pair, twice over."""
    return max(24, 2 * sum(pool.room() for pool in _all_pools(low)))


def _words(low: Lowering) -> tuple[int, int, int, int]:
    """Words: entry count, depth of events, first entry, width of an entry."""
    known = low.memo.get("owners words")
    if isinstance(known, tuple):
        return known
    from rulelang.program.lower.legality import event_params

    width = 3 + max((len(event_params(p.event, low)) for p in _all_pools(low)), default=0)
    words = (low.plan.claim(1), low.plan.claim(1), low.plan.claim(_room(low) * width), width)
    low.memo["owners words"] = words
    return words


#: How many events in owner's order an event lies in: it holds the word of the depth, for it comes back to that.
AROUND = ir.Local("around")


def enter(low: Lowering) -> list[ir.Stmt]:
    _, depth, _, _ = _words(low)
    return [ir.Set(AROUND.name, ir.Cell(depth)), ir.Store(depth, None, add(AROUND, ir.Const(1)))]


def leave(low: Lowering) -> list[ir.Stmt]:
    """The end of an event in owner's order: the outermost one drains the pool."""
    count, depth, _, _ = _words(low)
    drain = ir.Branch(both(negate(AROUND), ir.Cell(count)), (ir.CallRoutine(_drain(low), ()),))
    return [drain, ir.Store(depth, None, AROUND)]


def waits(low: Lowering) -> bool:
    """Whether anything ever waits in the pool."""
    return bool(_all_pools(low))


def _first_number(pool: Pool) -> int:
    number = 0
    for other in _all_pools(pool.low):
        if other.event == pool.event:
            return number
        number += len(other.hooks)
    return number


def after(pool: Pool, args: Args) -> list[ir.Stmt]:
    """Puts the due items into the pool; the outermost event drains it."""
    low = pool.low
    count, _, first, width = _words(low)
    item = ir.Local("joining")
    at = times(ir.Cell(count), ir.Const(width))
    full = ir.Fail("X604", pool.hooks[0].span, "too many effects wait for their owners")
    put: list[ir.Stmt] = [
        ir.Branch(ir.Compare(">=", ir.Cell(count), ir.Const(_room(low))), (full,)),
        ir.Store(first, at, add(pool.hook_of(item), ir.Const(_first_number(pool)))),
        ir.Store(first + 1, at, pool.bearer_of(item)),
        ir.Store(first + 2, at, pool.card_of(item)),
        *(ir.Store(first + 3 + k, at, arg) for k, arg in enumerate(args)),
        ir.Add(count, None, ir.Const(1)),
    ]
    joins = tuple(when(_may_join(pool), put))
    return [ir.ForList("joining", pool.items, joins), *leave(low)]


def _may_join(pool: Pool) -> ir.Expr:
    """What is possible once a turn (or round ...) joins only while its flag is free, and does not wait twice."""
    low = pool.low
    count, _, first, width = _words(low)
    item = ir.Local("joining")
    test: ir.Expr = TRUE
    for k, hook in enumerate(pool.hooks):
        if hook.once_per is None:
            continue
        base, index = flag(hook, "once", pool.card_of(item), low)
        name = "waits_in_pool"
        if name not in low.functions:
            at = times(ir.Local("e"), ir.Const(width))
            same = both(
                *(equal(ir.Cell(first + i, at), ir.Local(p)) for i, p in ((0, "n"), (1, "bearer"), (2, "card")))
            )
            found = ir.ForRange("e", ir.Const(0), ir.Cell(count), (ir.Branch(same, (ir.Return(TRUE),)),))
            low.function(
                name, "pure", ("n", "bearer", "card"), (found, ir.Return(ir.Const(0))), "effects that wait", hook.span
            )
        waits = ir.Call(name, (ir.Const(_first_number(pool) + k), pool.bearer_of(item), pool.card_of(item)))
        free = both(ir.Not(ir.Cell(base, index)), ir.Not(waits))
        test = both(test, either(negate(equal(pool.hook_of(item), ir.Const(k))), free))
    return test


def _drain(low: Lowering) -> str:
    """`drain()`: owners from the active player on; each picks the next of his enabled entries until none is left."""
    name = "drain"
    if name in low.functions or name in low.pending:
        return name
    low.pending.add(name)
    count, _, first, width = _words(low)
    e, q = ir.Local("e"), ir.Local("q")
    infos = [info for pool in _all_pools(low) for info in pool.options()]
    span = _all_pools(low)[0].hooks[0].span
    site = low.site("order", infos, "which of your effects comes next?", span)
    mine = both(equal(ir.Call(_entry_owner(low), (e,)), q), ir.Call(_entry_enabled(low), (e,)))
    gather = ir.ForRange("e", ir.Const(0), ir.Cell(count), tuple(when(mine, [ir.Append("able", e)])))
    sources = tuple(ir.Source(n, _entries_of(low, n, first, width), (ir.Local("able"),)) for n in range(len(infos)))
    remove = ir.ForRange(
        "w", times(add(ir.Local("x"), TRUE), ir.Const(width)), times(ir.Cell(count), ir.Const(width)),
        (ir.Store(first - width, ir.Local("w"), ir.Cell(first, ir.Local("w"))),),
    )  # fmt: skip
    copy = tuple(ir.Set(f"w{k}", ir.Cell(first + k, times(ir.Local("x"), ir.Const(width)))) for k in range(width))
    run: list[ir.Stmt] = []
    number = 0
    for pool in _all_pools(low):
        from rulelang.program.lower.legality import event_params
        from rulelang.program.lower.triggers import hook_function

        n_args = len(event_params(pool.event, low))
        for hook in pool.hooks:
            args = (ir.Local("w2"), ir.Local("w1"), *(ir.Local(f"w{3 + k}") for k in range(n_args)))
            run += when(equal(ir.Local("w0"), ir.Const(number)), [ir.CallRoutine(hook_function(hook, low), args)])
            number += 1
    pick = ir.Pick(site, q, sources, ir.Const(0), "tag", ("bearer", "x"))
    turn: tuple[ir.Stmt, ...] = (
        ir.NewList("able", _room(low)),
        gather,
        ir.Branch(ir.Length("able"), (pick, *copy, remove, ir.Add(count, None, ir.Const(-1)), *run,
                                      ir.Set("again", TRUE), ir.Break())),
    )  # fmt: skip
    owners = ir.ForTable("q", play_order(low), first_player(low), turn)
    body: list[ir.Stmt] = [
        ir.Set("again", TRUE),
        ir.While(ir.Local("again"), (ir.Set("again", ir.Const(0)), owners), budget=True, span=span),
        ir.Store(count, None, ir.Const(0)),
    ]
    low.function(name, "routine", (), body, "effects in owner's order", span)
    return name


def _entries_of(low: Lowering, number: int, first: int, width: int) -> str:
    name = f"entries_of_{number}"
    if name not in low.functions:
        e = ir.Local("e")
        at = times(e, ir.Const(width))
        test = equal(ir.Cell(first, at), ir.Const(number))
        body = ir.ForList("e", "able", tuple(when(test, [ir.Yield((ir.Cell(first + 1, at), e))])))
        low.function(name, "enumerator", ("able",), (body,), "effects", _all_pools(low)[0].hooks[0].span, ("able",))
    return name


def _entry_owner(low: Lowering) -> str:
    name = "entry_owner"
    if name not in low.functions:
        _, _, first, width = _words(low)
        at = times(ir.Local("e"), ir.Const(width))
        body: list[ir.Stmt] = []
        number = 0
        for pool in _all_pools(low):
            for hook in pool.hooks:
                owner: ir.Expr = ir.Const(0)
                if hook.origin.what in ("trait", "card") and not hook.always:
                    owner = loose.unpacked(hook, ir.Cell(first + 1, at), ir.Cell(first + 2, at), low)[1]
                body += when(equal(ir.Cell(first, at), ir.Const(number)), [ir.Return(owner)])
                number += 1
        body.append(ir.Return(ir.Const(0)))
        low.function(name, "pure", ("e",), body, "owner of an effect", _all_pools(low)[0].hooks[0].span)
    return name


def _entry_enabled(low: Lowering) -> str:
    name = "entry_enabled"
    if name in low.functions or name in low.pending:
        return name
    low.pending.add(name)
    from rulelang.program.lower.legality import event_params

    _, _, first, width = _words(low)
    at = times(ir.Local("e"), ir.Const(width))
    body: list[ir.Stmt] = []
    number = 0
    for pool in _all_pools(low):
        n_args = len(event_params(pool.event, low))
        for k in range(len(pool.hooks)):
            args = tuple(ir.Cell(first + 3 + a, at) for a in range(n_args))
            item = add(times(ir.Cell(first + 1, at), ir.Const(pool.cards)), ir.Cell(first + 2, at))
            body += when(equal(ir.Cell(first, at), ir.Const(number)), [ir.Return(pool.enabled(k, item, args))])
            number += 1
    body.append(ir.Return(ir.Const(0)))
    return low.function(name, "pure", ("e",), body, "an effect is enabled", _all_pools(low)[0].hooks[0].span)


__all__ = ["after", "before", "enter", "tree"]
