"""Order due hooks: each owner picks among theirs, also in `in owner's order`; reactions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from rulelang.base.layout import DecisionKind, QueueLayout
from rulelang.base.phrases import Phrase, phrase
from rulelang.base.source import NOWHERE
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import (
    FALSE,
    TRUE,
    Lowering,
    ReactFrame,
    Scope,
    add,
    branch,
    conjunction,
    disjunction,
    equal,
    identifier,
    lower_arguments,
    negate,
    once_per_table,
    times,
)
from rulelang.compiler.lower.expr.calls import (
    can_happen,
    event_params,
    optional_params,
    pattern_args,
    role_args,
    run_if_possible,
)
from rulelang.compiler.lower.narration import questions
from rulelang.compiler.lower.routines import fast_forward
from rulelang.compiler.lower.routines.hooks import (
    Pool,
    acting_player,
    ask_consent,
    belongs_to_nobody,
    call_hook,
    hook_flag,
    hook_function,
    hook_function_scope,
    hook_title,
)
from rulelang.compiler.lower.state import bearers
from rulelang.compiler.lower.state.access import first_player, play_order
from rulelang.compiler.lower.state.bearers import bearer_kind, roles_of
from rulelang.language.semantics import tree
from rulelang.language.semantics.state_layout import type_name
from rulelang.language.semantics.tree import walk

# ---- picking among due hooks

Args = tuple[ir.Expr, ...]
#: Statements that run hook number k of an item, asking nobody whether to.
Run = Callable[[int, ir.Expr], list[ir.Stmt]]


def run_in_turn(
    pool: Pool, scope: Scope, args: Args, spent: str, prompt: Phrase, run: Run, over: ir.Expr = FALSE
) -> list[ir.Stmt]:
    """Runs the due hooks of a pool, until `over` holds. `spent`: the list local of the items that have been run."""
    early = [k for k, hook in enumerate(pool.hooks) if hook.always]
    late = [k for k in range(len(pool.hooks)) if k not in early and pool.may_lack_owner(k)]
    owned = [k for k in range(len(pool.hooks)) if pool.may_have_owner(k)]
    out = _run_unpicked(pool, scope, args, spent, run, over, early)
    if owned:
        out.append(_owners_pick(pool, scope, args, spent, prompt, run, over))
    return [*out, *_run_unpicked(pool, scope, args, spent, run, over, late)]


def _owners_pick(
    pool: Pool, scope: Scope, args: Args, spent: str, prompt: Phrase, run: Run, over: ir.Expr
) -> ir.Stmt:  # fmt: skip
    """Each player picks the next of his enabled hooks until none is left or he declines."""
    low = pool.low
    q, able, item = (scope.fresh(stem) for stem in ("q", "able", "item"))
    tag, bearer, card = (scope.fresh(stem) for stem in ("tag", "bearer", "card"))
    test = conjunction(
        equal(pool.owner_of(ir.Local(item)), ir.Local(q)),
        ir.Not(ir.Call(holds_function(low), (ir.Local(spent), ir.Local(item)))),
        is_item_enabled(pool, ir.Local(item), args),
        *_is_first_of_equals(pool, able, ir.Local(item)),
    )
    gather = ir.ForList(item, pool.items, tuple(branch(test, [ir.Append(able, ir.Local(item))])))
    kind: DecisionKind = "react" if pool.when == "react" else "order"
    site = questions.event_question_site(kind, pool.event, pool.options(), prompt, pool.hooks[0].span, low)
    sources = tuple(ir.Source(k, _listed_items(pool, k), (ir.Local(able),)) for k in range(len(pool.hooks)))
    declines = can_decline(pool, able)
    pick = ir.Pick(site, ir.Local(q), sources, declines, tag, (bearer, card), told=args)
    first = add(times(ir.Local(tag), ir.Const(pool.bearers)), ir.Local(bearer))
    chosen = add(times(first, ir.Const(pool.cards)), ir.Local(card))
    calls = [w for k in range(len(pool.hooks)) for w in branch(equal(ir.Local(tag), ir.Const(k)),
                                                             run(k, ir.Local(item)))]  # fmt: skip
    declined = [] if declines == FALSE else branch(ir.Compare("<", ir.Local(tag), ir.Const(0)), [ir.Break()])
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


def _is_first_of_equals(pool: Pool, able: str, item: ir.Expr) -> list[ir.Expr]:
    """The condition that no item of the list is of a card that looks alike, lies on nothing and brings the same."""
    low = pool.low
    by_hook = [int(bearers.are_equivalent(hook, low)) for hook in pool.hooks]
    if not any(by_hook):
        return []
    # Behind the things a bearer is the player whose the card is.
    things = [low.plan.rows_of(h.bearer.self.type.name) if bearers.bears_on_things(h, low) and h.bearer.self else -1
              for h in pool.hooks]  # fmt: skip
    name = f"equal_{identifier(f'{pool.when}_{pool.event}')}"
    if name not in low.functions:
        x, y, look = ir.Local("x"), ir.Local("y"), low.table("look", [c.look for c in low.plan.cards])
        same = conjunction(
            ir.Table(low.table("alike", by_hook), pool.hook_of(x)),
            ir.Compare(">", pool.bearer_of(x), ir.Table(low.table("things", things), pool.hook_of(x))),
            equal(ir.Arith("//", x, ir.Const(pool.cards)), ir.Arith("//", y, ir.Const(pool.cards))),
            equal(ir.Table(look, pool.card_of(x)), ir.Table(look, pool.card_of(y))),
        )
        body = (ir.ForList("y", "items", (ir.Branch(same, (ir.Return(TRUE),)),)), ir.Return(FALSE))
        low.function(name, "pure", ("items", "x"), body, "equal cards", NOWHERE, ("items",))
    return [ir.Not(ir.Call(name, (ir.Local(able), item)))]


def _run_unpicked(
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
        test = conjunction(
            ir.Not(over) if over != FALSE else TRUE,
            equal(pool.hook_of(item), ir.Const(k)),
            belongs_to_nobody(pool.owner_at(k, pool.bearer_of(item), pool.card_of(item)), low),
            ir.Not(ir.Call(holds_function(low), (ir.Local(spent), item))),
            pool.enabled(k, item, args),
        )
        mine: list[ir.Stmt] = [ir.Append(spent, item), *run(k, item)]
        if pool.hooks[k].may:
            mine = ask_consent(pool.hooks[k], acting_player(low), mine, scope, scope.fresh("yes"), args)
        body += branch(test, mine)
    return [pool.each(name, body)]


def is_item_enabled(pool: Pool, item: ir.Expr, args: Args) -> ir.Expr:
    """Whether an item is enabled, whichever hook it is of."""
    result: ir.Expr = ir.Const(0)
    for k in reversed(range(len(pool.hooks))):
        test = pool.enabled(k, item, args)
        result = test if k == len(pool.hooks) - 1 else ir.If(equal(pool.hook_of(item), ir.Const(k)), test, result)
    return result


def can_decline(pool: Pool, able: str) -> ir.Expr:
    """Whether "none" is offered beside the items of a list: only if none of them has to be."""
    forced = [0 if hook.may else 1 for hook in pool.hooks]
    return decline_source(pool.low, forced, f"{pool.when}_{pool.event}", pool.hook_of(ir.Local("item")), able)


def decline_source(low: Lowering, forced: Sequence[int], title: str, number: ir.Expr, able: str) -> ir.Expr:
    """Whether no `item` of the list is of a hook that has to be; `number` is the hook of the local `item`."""
    if all(forced):
        return FALSE
    if not any(forced):
        return TRUE
    name = f"all_may_{identifier(title)}"
    if name not in low.functions:
        bad = ir.Table(low.table("forced", forced), number)
        body = (ir.ForList("item", "items", (ir.Branch(bad, (ir.Return(ir.Const(0)),)),)), ir.Return(TRUE))
        low.function(name, "pure", ("items",), body, "whether all may be declined", NOWHERE, ("items",))
    return ir.Call(name, (ir.Local(able),))


def _listed_items(pool: Pool, k: int) -> str:
    """Enumerator over a list of items: those of hook k, as (bearer, card)."""
    low = pool.low
    key = ("listed", pool.bearers, pool.cards, k)
    if key in low.names:
        return low.names[key]
    low.names[key] = name = low.unique(f"items_of_{k}")
    item = ir.Local("item")
    body = ir.ForList(
        "item", "items",
        tuple(branch(equal(pool.hook_of(item), ir.Const(k)), [ir.Yield((pool.bearer_of(item), pool.card_of(item)))])),
    )  # fmt: skip
    return low.function(name, "enumerator", ("items",), (body,), "effects", pool.hooks[0].span, ("items",))


def holds_function(low: Lowering) -> str:
    """`holds(list, x)`: whether a list local holds a value."""
    if "holds" not in low.functions:
        same = ir.Branch(equal(ir.Local("y"), ir.Local("x")), (ir.Return(TRUE),))
        body = (ir.ForList("y", "items", (same,)), ir.Return(ir.Const(0)))
        low.function("holds", "pure", ("items", "x"), body, "holds", NOWHERE, ("items",))
    return "holds"


# ---- owner's order

PROMPT = phrase("which of your effects comes next?")


def fix_and_run(pool: Pool, scope: Scope, args: Args) -> list[ir.Stmt]:
    """Hooks that run at once: where none can be due, nothing is done at all."""
    found, maybe = pool.due(scope, args)
    if not fast_forward.hooks_lead(pool.hooks, pool.low):
        maybe = conjunction(fast_forward.is_playing(pool.event, pool.low), maybe)
    return branch(maybe, [*pool.empty(), *found, *run_due(pool, scope, args)])


def run_due(pool: Pool, scope: Scope, args: Args) -> list[ir.Stmt]:
    """Runs what is due, in the order of the list or in that which its owners choose."""
    if not pool.owners_order:
        return pool.in_order(scope, args)
    chosen = run_before(pool, scope, args) if pool.when == "before" else queue_after(pool, args)
    led = pool.in_order(scope, args) if fast_forward.hooks_lead(pool.hooks, pool.low) else []
    if led and pool.when == "after":
        led += leave_event(pool.low)
    return branch(fast_forward.is_fast_forwarding(pool.low), led, chosen) if led else chosen


def run_before(pool: Pool, scope: Scope, args: Args) -> list[ir.Stmt]:
    """What is due runs in the order that the owners like, each item once."""
    spent = scope.fresh("spent")

    def run(k: int, item: ir.Expr) -> list[ir.Stmt]:
        return [pool.call(k, item, args, chosen=True)]

    body = run_in_turn(pool, scope, args, spent, PROMPT, run)
    return [ir.Branch(ir.Length(pool.items), (ir.NewList(spent, pool.capacity()), *body))]


# ---- after-hooks


@once_per_table
def _all_pools(low: Lowering) -> list[Pool]:
    """The after-pools of every event in owner's order: their hooks share one numbering."""
    pools: list[Pool] = []
    for event, routine in low.program.routines.items():
        hooks = [h for h in low.graph.hooks_on.get(event, ()) if h.kind == "after"]
        if routine.owners_order and hooks:
            pools.append(Pool(event, "after", hooks, low))
    return pools


def _numbered_pools(low: Lowering) -> list[tuple[Pool, int]]:
    """By the number of a hook in all pools: its pool, and its number there."""
    return [(pool, k) for pool in _all_pools(low) for k in range(len(pool.hooks))]


def _pool_capacity(low: Lowering) -> int:
    """Entries that the pool can hold: every card's effect, from either end of a pair, twice over."""
    return max(24, 2 * sum(pool.room() for pool in _all_pools(low)))


@once_per_table
def _column_kinds(low: Lowering) -> tuple[str, ...]:
    """The types of the columns that arguments wait in: of each as many as an event takes of it, so that handles never
    stand among numbers and what may stand in a column is known."""
    found = Counter[str]()
    for pool in _all_pools(low):
        found |= Counter(type_name(p.type) for p in event_params(pool.event, low))
    return tuple(found.elements())


def _columns(event: str, low: Lowering) -> list[int]:
    """In which columns of the queue the arguments of an event wait."""
    left, found = list(enumerate(_column_kinds(low), 3)), list[int]()
    for param in event_params(event, low):
        place = next(place for place in left if place[1] == type_name(param.type))
        left.remove(place)
        found.append(place[0])
    return found


def _queue_layout(low: Lowering) -> QueueLayout:
    """Where the pool lies."""
    if low.plan.queue is None:
        room, width = _pool_capacity(low), 3 + len(_column_kinds(low))
        hooks = tuple(_entry_types(pool, k) for pool, k in _numbered_pools(low))
        low.plan.queue = QueueLayout(low.plan.claim(1), low.plan.claim(room * width), room, width, hooks)
    return low.plan.queue


def _entry_types(pool: Pool, k: int) -> tuple[str, ...]:
    """Of an entry of a hook: what kind its bearer and its card are, and then what waits in each column."""
    hook, kinds = pool.hooks[k], _column_kinds(pool.low)
    used = _columns(pool.event, pool.low)
    card = hook.bearer.this.type.name if hook.bearer.this is not None else ""
    return (bearer_kind(hook, pool.low), card, *(kind if at in used else "" for at, kind in enumerate(kinds, 3)))


def _depth_word(low: Lowering) -> int:
    """The word that says how many events in owner's order are open."""
    return low.claimed("depth of events in owner's order")


def _entry_word(low: Lowering, k: int, number: ir.Expr) -> ir.Expr:
    """Word k of an entry."""
    return ir.Cell(_queue_layout(low).column(k), number)


#: How many events in owner's order an event lies in: it holds the word of the depth, for it comes back to that.
OUTER_DEPTH = ir.Local("around")


def enter_event(low: Lowering) -> list[ir.Stmt]:
    depth = _depth_word(low)
    return [ir.Set(OUTER_DEPTH.name, ir.Cell(depth)), ir.Store(depth, None, add(OUTER_DEPTH, ir.Const(1)))]


def leave_event(low: Lowering) -> list[ir.Stmt]:
    """The end of an event in owner's order: the outermost one drains the pool."""
    drain = ir.Branch(
        conjunction(negate(OUTER_DEPTH), ir.Cell(_queue_layout(low).count)), (ir.CallRoutine(_drain_routine(low), ()),)
    )
    return [drain, ir.Store(_depth_word(low), None, OUTER_DEPTH)]


def may_wait(low: Lowering) -> bool:
    """Whether anything ever waits in the pool."""
    return bool(_all_pools(low))


def _first_number(pool: Pool) -> int:
    number = 0
    for other in _all_pools(pool.low):
        if other.event == pool.event:
            return number
        number += len(other.hooks)
    return number


def queue_after(pool: Pool, args: Args) -> list[ir.Stmt]:
    """Puts the due items into the pool; the outermost event drains it."""
    low = pool.low
    queue = _queue_layout(low)
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
    joins = tuple(branch(_can_join(pool), put))
    return [ir.ForList("joining", pool.items, joins), *leave_event(low)]


def _can_join(pool: Pool) -> ir.Expr:
    """What is possible once a turn (or round ...) joins only while its flag is free, and does not wait twice."""
    low = pool.low
    item = ir.Local("joining")
    test: ir.Expr = TRUE
    for k, hook in enumerate(pool.hooks):
        if hook.once_per is None:
            continue
        base, index = hook_flag(hook, "once", pool.card_of(item), low)
        name = "waits_in_pool"
        if name not in low.functions:
            wanted = enumerate(("n", "bearer", "card"))
            same = conjunction(*(equal(_entry_word(low, k, ir.Local("e")), ir.Local(p)) for k, p in wanted))
            found = ir.ForRange(
                "e", ir.Const(0), ir.Cell(_queue_layout(low).count), (ir.Branch(same, (ir.Return(TRUE),)),)
            )
            low.function(
                name, "pure", ("n", "bearer", "card"), (found, ir.Return(ir.Const(0))), "effects that wait", hook.span
            )
        waits = ir.Call(name, (ir.Const(_first_number(pool) + k), pool.bearer_of(item), pool.card_of(item)))
        free = conjunction(ir.Not(ir.Cell(base, index)), ir.Not(waits))
        test = conjunction(test, disjunction(negate(equal(pool.hook_of(item), ir.Const(k))), free))
    return test


def _drain_routine(low: Lowering) -> str:
    """`drain()`: one entry after the other, until none is enabled.

    What is `always` comes first; then the first player, from the active one on, who has enabled entries picks one (or
    declines them, where none has to be); then what no player owns.
    """
    name = "drain"
    if name in low.functions or name in low.pending:
        return name
    low.pending.add(name)
    queue = _queue_layout(low)
    x, pools = ir.Local("x"), _all_pools(low)
    owned = any(pool.may_have_owner(k) for pool, k in _numbered_pools(low))
    following = _next_unpicked_routine(low)
    turn: tuple[ir.Stmt, ...] = (
        ir.Set("x", ir.Call(following, (TRUE,))),
        ir.Set("picked", ir.Const(0)),
        *(branch(ir.Not(x), _pick_next_entry(low)) if owned else []),
        *branch(ir.Not(x), [ir.Set("x", ir.Call(following, (ir.Const(0),)))]),
        *branch(ir.Not(x), [ir.Break()]),
        ir.Set("x", add(x, ir.Const(-1))),
        *(ir.Set(f"w{k}", _entry_word(low, k, x)) for k in range(queue.width)),
        ir.CallRoutine(_drop_routine(low), (x,)),
        *_run_entry(low),
    )
    span = pools[0].hooks[0].span
    body: list[ir.Stmt] = [ir.While(TRUE, turn, budget=True, span=span), ir.Store(queue.count, None, ir.Const(0))]
    low.function(name, "routine", (), body, "effects in owner's order", span)
    return name


def _pick_next_entry(low: Lowering) -> list[ir.Stmt]:
    """Sets `x` to the number (from 1) of the entry that its owner picks, and `picked`; 0 where nobody has any."""
    queue = _queue_layout(low)
    e, q, pools = ir.Local("e"), ir.Local("q"), _all_pools(low)
    infos = [replace(info, types=(*info.types, ""), params=(*info.params, ""))
             for pool in pools for info in pool.options()]  # fmt: skip
    site = low.site("order", infos, questions.plain_text(PROMPT), pools[0].hooks[0].span)
    gather = ir.ForRange("e", ir.Const(0), ir.Cell(queue.count), tuple(branch(_can_pick(low), [ir.Append("able", e)])))
    sources = tuple(ir.Source(n, _entries_of(low, n), (ir.Local("able"),)) for n in range(len(infos)))
    number = _entry_word(low, 0, ir.Local("item"))
    forced = [0 if hook.may else 1 for pool in pools for hook in pool.hooks]
    declines = decline_source(low, forced, "waiting", number, "able")
    pick = ir.Pick(site, q, sources, declines, "tag", ("bearer", "card", "x"))
    taken: tuple[ir.Stmt, ...] = (ir.Set("x", add(ir.Local("x"), TRUE)), ir.Set("picked", TRUE), ir.Break())
    if declines != ir.Const(0):
        none_of = (ir.CallRoutine(_decline_routine(low), (q,)),)
        taken = (ir.Branch(ir.Compare("<", ir.Local("tag"), ir.Const(0)), none_of, taken),)
    turn = (ir.NewList("able", queue.room), gather, ir.Branch(ir.Length("able"), (pick, *taken)))
    return [ir.ForTable("q", play_order(low), first_player(low), turn)]


def _can_pick(low: Lowering) -> ir.Expr:
    """The condition that player `q` may pick entry `e`."""
    e = ir.Local("e")
    return conjunction(equal(ir.Call(_entry_owner(low), (e,)), ir.Local("q")), ir.Call(_entry_enabled(low), (e,)))


def _run_entry(low: Lowering) -> list[ir.Stmt]:
    """Runs the entry in the locals `w0`...; what its owner has `picked` asks him nothing more."""
    out: list[ir.Stmt] = []
    for number, (pool, k) in enumerate(_numbered_pools(low)):
        args = (ir.Local("w2"), ir.Local("w1"), *(ir.Local(f"w{k}") for k in _columns(pool.event, low)))
        name = hook_function(pool.hooks[k], low, chosen=pool.may_have_owner(k))
        run: list[ir.Stmt] = [ir.CallRoutine(name, args)]
        if pool.hooks[k].may and pool.may_have_owner(k) and pool.may_lack_owner(k):
            run = branch(ir.Local("picked"), run, [ir.CallRoutine(hook_function(pool.hooks[k], low), args)])
        out += branch(equal(ir.Local("w0"), ir.Const(number)), run)
    return out


def _next_unpicked_routine(low: Lowering) -> str:
    """`next_unpicked(early)`: the number (from 1) of the first enabled entry that no player owns: one that is `always`
    or, with `early` 0, one that is not. 0 if there is none."""
    name = "next_unpicked"
    if name not in low.functions:
        e = ir.Local("e")
        always = [int(hook.always) for pool in _all_pools(low) for hook in pool.hooks]
        kind = ir.Table(low.table("entry_always", always), _entry_word(low, 0, e))
        test = conjunction(
            ir.Compare("==", kind, ir.Local("early")),
            belongs_to_nobody(ir.Call(_entry_owner(low), (e,)), low),
            ir.Call(_entry_enabled(low), (e,)),
        )
        body = ir.ForRange(
            "e", ir.Const(0), ir.Cell(_queue_layout(low).count), tuple(branch(test, [ir.Return(add(e, TRUE))]))
        )
        span = _all_pools(low)[0].hooks[0].span
        low.function(name, "pure", ("early",), (body, ir.Return(ir.Const(0))), "effects of no player", span)
    return name


def _drop_routine(low: Lowering) -> str:
    """`drop_entry(x)`: takes an entry out of the pool."""
    name = "drop_entry"
    if name not in low.functions:
        queue, e = _queue_layout(low), ir.Local("e")
        columns = [queue.column(k) for k in range(queue.width)]
        shift = tuple(ir.Store(base, e, ir.Cell(base, add(e, TRUE))) for base in columns)
        loop = ir.ForRange(e.name, ir.Local("x"), add(ir.Cell(queue.count), ir.Const(-1)), shift)
        low.function(name, "routine", ("x",), (loop, ir.Add(queue.count, None, ir.Const(-1))), "effects", NOWHERE)
    return name


def _decline_routine(low: Lowering) -> str:
    """`decline(q)`: a player will have none of what he may pick."""
    name = "decline_entries"
    if name not in low.functions:
        e = ir.Local("e")
        gone = branch(_can_pick(low), [ir.CallRoutine(_drop_routine(low), (e,))])
        loop = ir.While(e, (ir.Set("e", add(e, ir.Const(-1))), *gone))
        low.function(
            name, "routine", ("q",), (ir.Set("e", ir.Cell(_queue_layout(low).count)), loop), "effects declined", NOWHERE
        )
    return name


def _entries_of(low: Lowering, number: int) -> str:
    name = f"entries_of_{number}"
    if name not in low.functions:
        e = ir.Local("e")
        test = equal(_entry_word(low, 0, e), ir.Const(number))
        body = ir.ForList(
            "e", "able", tuple(branch(test, [ir.Yield((_entry_word(low, 1, e), _entry_word(low, 2, e), e))]))
        )
        low.function(name, "enumerator", ("able",), (body,), "effects", _all_pools(low)[0].hooks[0].span, ("able",))
    return name


def _entry_owner(low: Lowering) -> str:
    name = "entry_owner"
    if name not in low.functions:
        e = ir.Local("e")
        bearer, card = _entry_word(low, 1, e), _entry_word(low, 2, e)
        body: list[ir.Stmt] = []
        for number, (pool, k) in enumerate(_numbered_pools(low)):
            owner = pool.owner_at(k, bearer, card)
            if owner != ir.Const(0):
                body += branch(equal(_entry_word(low, 0, e), ir.Const(number)), [ir.Return(owner)])
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
    for number, (pool, k) in enumerate(_numbered_pools(low)):
        args = tuple(_entry_word(low, k, e) for k in _columns(pool.event, low))
        item = add(times(_entry_word(low, 1, e), ir.Const(pool.cards)), _entry_word(low, 2, e))
        body += branch(equal(_entry_word(low, 0, e), ir.Const(number)), [ir.Return(pool.enabled(k, item, args))])
    body.append(ir.Return(ir.Const(0)))
    return low.function(name, "pure", ("e",), body, "an effect is enabled", _all_pools(low)[0].hooks[0].span)


# ---- reactions

REACT = phrase("how do you react?")


@once_per_table
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
    scope, params = hook_function_scope(hook, low)
    scope.react = ReactFrame(event, redirect_words(low))
    args = tuple(ir.Local(p) for p in params[2:])
    body = [*call_hook(hook, scope, args, low), ir.Return(ir.Const(0))]
    low.function(name, "routine", params, body, hook_title(hook, low), hook.span)
    return name


def _return_outcome(scope: Scope, outcome: int) -> list[ir.Stmt]:
    assert scope.react is not None
    return [ir.LogEnd(), *scope.react.leave, ir.Return(ir.Const(outcome))]


def stop_event(scope: Scope) -> list[ir.Stmt]:
    return _return_outcome(scope, 1)


def redirect_event(s: tree.Redirect, scope: Scope) -> list[ir.Stmt]:
    assert scope.react is not None
    args, guards = lower_arguments(s.args, scope, maybe=optional_params(s.routine, scope.low), kept=True)
    # As with any call, the bearer of a trait's or row's own routine is that of the rules at hand.
    roles = role_args(s.routine, scope)
    if s.routine != scope.react.event:
        return branch(
            conjunction(*guards), [*run_if_possible(s.routine, args, scope.low, roles), *_return_outcome(scope, 1)]
        )
    stores = [ir.Store(scope.react.redirect_cells + k, None, arg) for k, arg in enumerate((*roles, *args))]
    return branch(conjunction(*guards), [*stores, *_return_outcome(scope, 2)])


def react_to_event(
    event: str, hooks: list[tree.Trigger], scope: Scope, args: Args, roles: Args, low: Lowering,
    opened: list[ir.Stmt], opening: list[ir.Stmt],
) -> list[ir.Stmt]:  # fmt: skip
    """Owners in play order react until none will.

    A redirection starts the event again (from its `can`, with `opening`: what fixes its hooks and runs those before
    it), what is spent staying spent. Only an `instead of` that has let the event happen is not asked again.
    """
    pool = Pool(event, "react", hooks, low)
    seen = pattern_args(event, args, scope)
    spent, outcome = "spent", "outcome"

    def run(k: int, item: ir.Expr) -> list[ir.Stmt]:
        args_of = (pool.card_of(item), pool.bearer_of(item), *seen)
        return [ir.CallRoutine(react_function(hooks[k], event, low), args_of, outcome)]

    played = run_in_turn(pool, scope, seen, spent, REACT, run, ir.Local(outcome))
    base = redirect_words(low)
    asked = roles if event in low.program.routines else ()
    again: list[ir.Stmt] = [
        *(ir.Set(x.name, ir.Cell(base + k)) for k, x in enumerate((*roles, *args)) if isinstance(x, ir.Local)),
        *([ir.LogEnd()] if opened else []),
        *branch(can_happen(event, (*asked, *seen), low), [], [ir.Return()]),
        *opened,
    ]
    leave: list[ir.Stmt] = [*([ir.LogEnd()] if opened else []), ir.Return()]
    through: tuple[ir.Stmt, ...] = (
        ir.Set(outcome, ir.Const(0)),
        *opening,
        *pool.fix(scope, seen),
        ir.Branch(conjunction(fast_forward.is_playing(event, low), ir.Length(pool.items)), tuple(played)),
        ir.Branch(equal(ir.Local(outcome), ir.Const(1)), tuple(leave)),
    )
    head = ir.NewList(spent, pool.capacity())
    if not any(isinstance(n, tree.Redirect) and n.routine == event for n in walk([hook.body for hook in hooks])):
        return [head, *through]
    loop = (*through, ir.Branch(equal(ir.Local(outcome), ir.Const(0)), (ir.Break(),)), *again)
    return [head, ir.While(TRUE, loop, budget=True, span=hooks[0].span)]
