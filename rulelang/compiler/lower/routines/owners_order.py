"""`in owner's order`: each owner picks the next among his enabled hooks.

Before-hooks are picked while the event waits. After-hooks go into one pool of the game; when the outermost such event
has ended it drains, and what is triggered meanwhile joins it. What no player owns has its place there, and is not
picked. A pool entry is [site-wide hook number, bearer, card, arguments...] in words of the state, so that a waiting
game is still data.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from rulelang.base.layout import QueueLayout
from rulelang.base.phrases import phrase
from rulelang.base.source import NOWHERE
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import TRUE, Lowering, Scope, add, both, either, equal, negate, once, times, when
from rulelang.compiler.lower.expr.calls import event_params
from rulelang.compiler.lower.expr.roles import bearer_kind
from rulelang.compiler.lower.expr.seats import first_player, play_order
from rulelang.compiler.lower.routines import choosing, questions, seeking
from rulelang.compiler.lower.routines.asking import nobodys
from rulelang.compiler.lower.routines.triggers import Pool, flag, hook_function
from rulelang.language.semantics.state_layout import type_name

Args = tuple[ir.Expr, ...]
PROMPT = phrase("which of your effects comes next?")


def fix_and_run(pool: Pool, scope: Scope, args: Args) -> list[ir.Stmt]:
    """Hooks that run at once: where none can be due, nothing is done at all."""
    found, maybe = pool.due(scope, args)
    if not seeking.hooks_lead(pool.hooks, pool.low):
        maybe = both(seeking.playing(pool.event, pool.low), maybe)
    return when(maybe, [*pool.empty(), *found, *run(pool, scope, args)])


def run(pool: Pool, scope: Scope, args: Args) -> list[ir.Stmt]:
    """Runs what is due, in the order of the list or in that which its owners choose."""
    if not pool.owners_order:
        return pool.in_order(scope, args)
    chosen = before(pool, scope, args) if pool.when == "before" else after(pool, args)
    led = pool.in_order(scope, args) if seeking.hooks_lead(pool.hooks, pool.low) else []
    if led and pool.when == "after":
        led += leave(pool.low)
    return when(seeking.seeking(pool.low), led, chosen) if led else chosen


def before(pool: Pool, scope: Scope, args: Args) -> list[ir.Stmt]:
    """What is due runs in the order that the owners like, each item once."""
    spent = scope.fresh("spent")

    def run(k: int, item: ir.Expr) -> list[ir.Stmt]:
        return [pool.call(k, item, args, chosen=True)]

    body = choosing.in_turn(pool, scope, args, spent, PROMPT, run)
    return [ir.Branch(ir.Length(pool.items), (ir.NewList(spent, pool.capacity()), *body))]


# ---- after-hooks


@once
def _all_pools(low: Lowering) -> list[Pool]:
    """The after-pools of every event in owner's order: their hooks share one numbering."""
    pools: list[Pool] = []
    for event, routine in low.program.routines.items():
        hooks = [h for h in low.graph.hooks_on.get(event, ()) if h.kind == "after"]
        if routine.owners_order and hooks:
            pools.append(Pool(event, "after", hooks, low))
    return pools


def _numbered(low: Lowering) -> list[tuple[Pool, int]]:
    """By the number of a hook in all pools: its pool, and its number there."""
    return [(pool, k) for pool in _all_pools(low) for k in range(len(pool.hooks))]


def _room(low: Lowering) -> int:
    """Entries that the pool can hold: every card's effect, from either end of a pair, twice over."""
    return max(24, 2 * sum(pool.room() for pool in _all_pools(low)))


@once
def _kinds(low: Lowering) -> tuple[str, ...]:
    """The types of the columns that arguments wait in: of each as many as an event takes of it, so that handles never
    stand among numbers and what may stand in a column is known."""
    found = Counter[str]()
    for pool in _all_pools(low):
        found |= Counter(type_name(p.type) for p in event_params(pool.event, low))
    return tuple(found.elements())


def _columns(event: str, low: Lowering) -> list[int]:
    """In which columns of the queue the arguments of an event wait."""
    left, found = list(enumerate(_kinds(low), 3)), list[int]()
    for param in event_params(event, low):
        place = next(place for place in left if place[1] == type_name(param.type))
        left.remove(place)
        found.append(place[0])
    return found


def _queue(low: Lowering) -> QueueLayout:
    """Where the pool lies."""
    if low.plan.queue is None:
        room, width = _room(low), 3 + len(_kinds(low))
        hooks = tuple(_held(pool, k) for pool, k in _numbered(low))
        low.plan.queue = QueueLayout(low.plan.claim(1), low.plan.claim(room * width), room, width, hooks)
    return low.plan.queue


def _held(pool: Pool, k: int) -> tuple[str, ...]:
    """Of an entry of a hook: what kind its bearer and its card are, and then what waits in each column."""
    hook, kinds = pool.hooks[k], _kinds(pool.low)
    used = _columns(pool.event, pool.low)
    card = hook.bearer.this.type.name if hook.bearer.this is not None else ""
    return (bearer_kind(hook, pool.low), card, *(kind if at in used else "" for at, kind in enumerate(kinds, 3)))


def _depth(low: Lowering) -> int:
    """The word that says how many events in owner's order are open."""
    return low.claimed("depth of events in owner's order")


def _entry(low: Lowering, k: int, number: ir.Expr) -> ir.Expr:
    """Word k of an entry."""
    return ir.Cell(_queue(low).column(k), number)


#: How many events in owner's order an event lies in: it holds the word of the depth, for it comes back to that.
AROUND = ir.Local("around")


def enter(low: Lowering) -> list[ir.Stmt]:
    depth = _depth(low)
    return [ir.Set(AROUND.name, ir.Cell(depth)), ir.Store(depth, None, add(AROUND, ir.Const(1)))]


def leave(low: Lowering) -> list[ir.Stmt]:
    """The end of an event in owner's order: the outermost one drains the pool."""
    drain = ir.Branch(both(negate(AROUND), ir.Cell(_queue(low).count)), (ir.CallRoutine(_drain(low), ()),))
    return [drain, ir.Store(_depth(low), None, AROUND)]


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
    queue = _queue(low)
    item, behind = ir.Local("joining"), ir.Cell(queue.count)
    full = ir.Fail("X604", pool.hooks[0].span, "too many effects are waiting for their owners")
    put: list[ir.Stmt] = [
        ir.Branch(ir.Compare(">=", behind, ir.Const(queue.room)), (full,)),
        ir.Store(queue.column(0), behind, add(pool.hook_of(item), ir.Const(_first_number(pool)))),
        ir.Store(queue.column(1), behind, pool.bearer_of(item)),
        ir.Store(queue.column(2), behind, pool.card_of(item)),
        *(ir.Store(queue.column(k), behind, arg) for k, arg in zip(_columns(pool.event, low), args, strict=True)),
        ir.Add(queue.count, None, ir.Const(1)),
    ]
    joins = tuple(when(_may_join(pool), put))
    return [ir.ForList("joining", pool.items, joins), *leave(low)]


def _may_join(pool: Pool) -> ir.Expr:
    """What is possible once a turn (or round ...) joins only while its flag is free, and does not wait twice."""
    low = pool.low
    item = ir.Local("joining")
    test: ir.Expr = TRUE
    for k, hook in enumerate(pool.hooks):
        if hook.once_per is None:
            continue
        base, index = flag(hook, "once", pool.card_of(item), low)
        name = "waits_in_pool"
        if name not in low.functions:
            wanted = enumerate(("n", "bearer", "card"))
            same = both(*(equal(_entry(low, k, ir.Local("e")), ir.Local(p)) for k, p in wanted))
            found = ir.ForRange("e", ir.Const(0), ir.Cell(_queue(low).count), (ir.Branch(same, (ir.Return(TRUE),)),))
            low.function(
                name, "pure", ("n", "bearer", "card"), (found, ir.Return(ir.Const(0))), "effects that wait", hook.span
            )
        waits = ir.Call(name, (ir.Const(_first_number(pool) + k), pool.bearer_of(item), pool.card_of(item)))
        free = both(ir.Not(ir.Cell(base, index)), ir.Not(waits))
        test = both(test, either(negate(equal(pool.hook_of(item), ir.Const(k))), free))
    return test


def _drain(low: Lowering) -> str:
    """`drain()`: one entry after the other, until none is enabled.

    What is `always` comes first; then the first player, from the active one on, who has enabled entries picks one (or
    declines them, where none has to be); then what no player owns.
    """
    name = "drain"
    if name in low.functions or name in low.pending:
        return name
    low.pending.add(name)
    queue = _queue(low)
    x, pools = ir.Local("x"), _all_pools(low)
    owned = any(pool.may_have_owner(k) for pool, k in _numbered(low))
    following = _unpicked(low)
    turn: tuple[ir.Stmt, ...] = (
        ir.Set("x", ir.Call(following, (TRUE,))),
        ir.Set("picked", ir.Const(0)),
        *(when(ir.Not(x), _owners(low)) if owned else []),
        *when(ir.Not(x), [ir.Set("x", ir.Call(following, (ir.Const(0),)))]),
        *when(ir.Not(x), [ir.Break()]),
        ir.Set("x", add(x, ir.Const(-1))),
        *(ir.Set(f"w{k}", _entry(low, k, x)) for k in range(queue.width)),
        ir.CallRoutine(_drop(low), (x,)),
        *_run(low),
    )
    span = pools[0].hooks[0].span
    body: list[ir.Stmt] = [ir.While(TRUE, turn, budget=True, span=span), ir.Store(queue.count, None, ir.Const(0))]
    low.function(name, "routine", (), body, "effects in owner's order", span)
    return name


def _owners(low: Lowering) -> list[ir.Stmt]:
    """Sets `x` to the number (from 1) of the entry that its owner picks, and `picked`; 0 where nobody has any."""
    queue = _queue(low)
    e, q, pools = ir.Local("e"), ir.Local("q"), _all_pools(low)
    infos = [replace(info, types=(*info.types, ""), params=(*info.params, ""))
             for pool in pools for info in pool.options()]  # fmt: skip
    site = low.site("order", infos, questions.text(PROMPT), pools[0].hooks[0].span)
    gather = ir.ForRange("e", ir.Const(0), ir.Cell(queue.count), tuple(when(_may_pick(low), [ir.Append("able", e)])))
    sources = tuple(ir.Source(n, _entries_of(low, n), (ir.Local("able"),)) for n in range(len(infos)))
    number = _entry(low, 0, ir.Local("item"))
    forced = [0 if hook.may else 1 for pool in pools for hook in pool.hooks]
    declines = choosing.declining(low, forced, "waiting", number, "able")
    pick = ir.Pick(site, q, sources, declines, "tag", ("bearer", "card", "x"))
    taken: tuple[ir.Stmt, ...] = (ir.Set("x", add(ir.Local("x"), TRUE)), ir.Set("picked", TRUE), ir.Break())
    if declines != ir.Const(0):
        none_of = (ir.CallRoutine(_decline(low), (q,)),)
        taken = (ir.Branch(ir.Compare("<", ir.Local("tag"), ir.Const(0)), none_of, taken),)
    turn = (ir.NewList("able", queue.room), gather, ir.Branch(ir.Length("able"), (pick, *taken)))
    return [ir.ForTable("q", play_order(low), first_player(low), turn)]


def _may_pick(low: Lowering) -> ir.Expr:
    """The condition that player `q` may pick entry `e`."""
    e = ir.Local("e")
    return both(equal(ir.Call(_entry_owner(low), (e,)), ir.Local("q")), ir.Call(_entry_enabled(low), (e,)))


def _run(low: Lowering) -> list[ir.Stmt]:
    """Runs the entry in the locals `w0`...; what its owner has `picked` asks him nothing more."""
    out: list[ir.Stmt] = []
    for number, (pool, k) in enumerate(_numbered(low)):
        args = (ir.Local("w2"), ir.Local("w1"), *(ir.Local(f"w{k}") for k in _columns(pool.event, low)))
        name = hook_function(pool.hooks[k], low, chosen=pool.may_have_owner(k))
        run: list[ir.Stmt] = [ir.CallRoutine(name, args)]
        if pool.hooks[k].may and pool.may_have_owner(k) and pool.may_lack_owner(k):
            run = when(ir.Local("picked"), run, [ir.CallRoutine(hook_function(pool.hooks[k], low), args)])
        out += when(equal(ir.Local("w0"), ir.Const(number)), run)
    return out


def _unpicked(low: Lowering) -> str:
    """`next_unpicked(early)`: the number (from 1) of the first enabled entry that no player owns: one that is `always`
    or, with `early` 0, one that is not. 0 if there is none."""
    name = "next_unpicked"
    if name not in low.functions:
        e = ir.Local("e")
        always = [int(hook.always) for pool in _all_pools(low) for hook in pool.hooks]
        kind = ir.Table(low.table("entry_always", always), _entry(low, 0, e))
        test = both(
            ir.Compare("==", kind, ir.Local("early")),
            nobodys(ir.Call(_entry_owner(low), (e,)), low),
            ir.Call(_entry_enabled(low), (e,)),
        )
        body = ir.ForRange("e", ir.Const(0), ir.Cell(_queue(low).count), tuple(when(test, [ir.Return(add(e, TRUE))])))
        span = _all_pools(low)[0].hooks[0].span
        low.function(name, "pure", ("early",), (body, ir.Return(ir.Const(0))), "effects of no player", span)
    return name


def _drop(low: Lowering) -> str:
    """`drop_entry(x)`: takes an entry out of the pool."""
    name = "drop_entry"
    if name not in low.functions:
        queue, e = _queue(low), ir.Local("e")
        columns = [queue.column(k) for k in range(queue.width)]
        shift = tuple(ir.Store(base, e, ir.Cell(base, add(e, TRUE))) for base in columns)
        loop = ir.ForRange(e.name, ir.Local("x"), add(ir.Cell(queue.count), ir.Const(-1)), shift)
        low.function(name, "routine", ("x",), (loop, ir.Add(queue.count, None, ir.Const(-1))), "effects", NOWHERE)
    return name


def _decline(low: Lowering) -> str:
    """`decline(q)`: a player will have none of what he may pick."""
    name = "decline_entries"
    if name not in low.functions:
        e = ir.Local("e")
        gone = when(_may_pick(low), [ir.CallRoutine(_drop(low), (e,))])
        loop = ir.While(e, (ir.Set("e", add(e, ir.Const(-1))), *gone))
        low.function(
            name, "routine", ("q",), (ir.Set("e", ir.Cell(_queue(low).count)), loop), "effects declined", NOWHERE
        )
    return name


def _entries_of(low: Lowering, number: int) -> str:
    name = f"entries_of_{number}"
    if name not in low.functions:
        e = ir.Local("e")
        test = equal(_entry(low, 0, e), ir.Const(number))
        body = ir.ForList("e", "able", tuple(when(test, [ir.Yield((_entry(low, 1, e), _entry(low, 2, e), e))])))
        low.function(name, "enumerator", ("able",), (body,), "effects", _all_pools(low)[0].hooks[0].span, ("able",))
    return name


def _entry_owner(low: Lowering) -> str:
    name = "entry_owner"
    if name not in low.functions:
        e = ir.Local("e")
        bearer, card = _entry(low, 1, e), _entry(low, 2, e)
        body: list[ir.Stmt] = []
        for number, (pool, k) in enumerate(_numbered(low)):
            owner = pool.owner_at(k, bearer, card)
            if owner != ir.Const(0):
                body += when(equal(_entry(low, 0, e), ir.Const(number)), [ir.Return(owner)])
        body.append(ir.Return(ir.Const(0)))
        low.function(name, "pure", ("e",), body, "owner of an effect", _all_pools(low)[0].hooks[0].span)
    return name


def _entry_enabled(low: Lowering) -> str:
    name = "entry_enabled"
    if name in low.functions or name in low.pending:
        return name
    low.pending.add(name)
    e = ir.Local("e")
    body: list[ir.Stmt] = []
    for number, (pool, k) in enumerate(_numbered(low)):
        args = tuple(_entry(low, k, e) for k in _columns(pool.event, low))
        item = add(times(_entry(low, 1, e), ir.Const(pool.cards)), _entry(low, 2, e))
        body += when(equal(_entry(low, 0, e), ir.Const(number)), [ir.Return(pool.enabled(k, item, args))])
    body.append(ir.Return(ir.Const(0)))
    return low.function(name, "pure", ("e",), body, "an effect is enabled", _all_pools(low)[0].hooks[0].span)
