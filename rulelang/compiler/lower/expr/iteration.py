"""Loops over what a binder ranges over, in the order that the language defines.

`loops` nests the loops of several binders around a body and tests each `where` as soon as it can be; the body must not
change what is looped over. `collect` puts the combinations into a list first, for bodies that change things. Where
nobody can tell, as in sums, the cards on a thing come as they are found.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import (
    TRUE,
    Lowering,
    Scope,
    add,
    branch,
    checked_number,
    conditional,
    conjunction,
    equal,
    is_present_type,
    lower_condition,
    lower_through,
    lower_value,
    times,
)
from rulelang.compiler.lower.expr import builtins
from rulelang.compiler.lower.expr.calls import order_parts
from rulelang.compiler.lower.state import access, trait_masks
from rulelang.compiler.lower.state.access import cell, first_player, play_order
from rulelang.language.semantics import tree
from rulelang.language.semantics.model import MISSING_INT

#: Combinations that a list holds, and numbers of a range whose ends are not written there.
MOST, NUMBERS = 4096, 1000

Body = Callable[[Scope], list[ir.Stmt]]


def owners_loop(low: Lowering, scope: Scope, body: Callable[[ir.Expr], list[ir.Stmt]]) -> list[ir.Stmt]:
    """Every player by seat from the active player, then nobody (who may own things)."""
    q = scope.fresh("q")
    stmts: list[ir.Stmt] = [ir.ForTable(q, play_order(low), first_player(low), tuple(body(ir.Local(q))))]
    if low.plan.features.nobody:
        stmts += body(ir.Const(low.plan.players + 1))
    return stmts


def things_of(kind: str, who: ir.Expr, name: str, low: Lowering, scope: Scope, body: Sequence[ir.Stmt]) -> ir.Stmt:
    """One owner's things: along his line, or by slot."""
    laid = low.plan.kinds[kind]
    if laid.next:
        return ir.ForChain(name, cell(laid.first, who), laid.next, tuple(body), cell(laid.count, who))
    per = laid.per_owner
    base = add(times(who, ir.Const(per)), ir.Const(1 - per))
    alive = ir.Branch(cell(laid.alive, ir.Local(name)), tuple(body))
    return ir.ForRange(name, base, add(base, ir.Const(per)), (alive,))


def zone_loop(
    ref: tree.AnyZone, name: str, scope: Scope, body: Sequence[ir.Stmt], *, distinct: str | None, sort: str = ""
) -> list[ir.Stmt]:
    """Over the cards of a zone, bottom first; over all zones of that name, owner by owner."""
    low = scope.low
    zone = access.zone_layout(ref, low)
    who, guards = access.zone_owner(ref, scope)
    if not zone.holds and sort:
        first, last = low.plan.sorts[sort]
        if (first, last) != (1, len(low.plan.cards) - 1):
            c = ir.Local(name)
            inside = conjunction(ir.Compare(">=", c, ir.Const(first)), ir.Compare("<=", c, ir.Const(last)))
            body = [ir.Branch(inside, tuple(body))]

    def one(owner: ir.Expr | None) -> list[ir.Stmt]:
        if zone.array:
            return [ir.ForArray(name, access.zone_address(zone, owner), tuple(body), distinct)]
        assert owner is not None
        return [ir.ForChain(name, cell(zone.first, owner), low.plan.card_next, tuple(body), cell(zone.count, owner))]

    if who is not None or not zone.of:
        return branch(conjunction(*guards), one(who))
    if zone.of == "player":
        return owners_loop(low, scope, one)
    if low.plan.is_made(zone.of):
        of = zone.of
        thing = scope.fresh("b")
        return owners_loop(
            low, scope, lambda q: [things_of(of, q, thing, low, scope, one(ir.Local(thing)))]
        )  # fmt: skip
    row = scope.fresh("r")
    return [ir.ForRange(row, ir.Const(1), ir.Const(zone.owners + 1), tuple(one(ir.Local(row))))]


def domain_loop(d: tree.Domain, name: str, scope: Scope, body: list[ir.Stmt], *, distinct: bool) -> list[ir.Stmt]:
    """The bare loop of one domain around a body that reads the IR local `name`."""
    low, plan = scope.low, scope.low.plan
    match d:
        case tree.Rows():
            return [ir.ForRange(name, ir.Const(1), ir.Const(plan.rows_of(d.listing) + 1), tuple(body))]
        case tree.AllCards():
            first, last = plan.sorts[d.sort]
            return [ir.ForRange(name, ir.Const(first), ir.Const(last + 1), tuple(body))]
        case tree.InZones():
            looks = low.table("look", [c.look for c in plan.cards]) if distinct else None
            out: list[ir.Stmt] = []
            for ref in d.zones:
                table = looks if distinct and _are_equal_by_constants(d.sort, low) else None
                out += zone_loop(ref, name, scope, body, distinct=table, sort=d.sort)
            return out
        case tree.OnBearer():
            return _cards_on_bearer(d, name, scope, body)
        case tree.Things():
            return _things_loop(d, name, scope, body)
        case tree.Players():
            if d.start is None:
                return [ir.ForTable(name, play_order(low), first_player(low), tuple(body))]
            start, guards = lower_through(d.start, scope)
            return branch(conjunction(*guards), [ir.ForTable(name, play_order(low), start, tuple(body))])
        case tree.Range():
            # Numbers have no natural bound, so each counts as a step.
            (lo, g1), (hi, g2) = lower_value(d.low, scope), lower_value(d.high, scope)
            lo = checked_number(lo, "the first number", d.low.span, low)
            hi = checked_number(hi, "the last number", d.high.span, low)
            counted = body if _is_short_range(lo, hi) else [ir.Tick(d.low.span), *body]
            return branch(conjunction(*g1, *g2), [ir.ForRange(name, lo, add(hi, ir.Const(1)), tuple(counted))])
        case tree.Members():
            return _members_loop(d, name, scope, body)


def _is_short_range(low: ir.Expr, high: ir.Expr) -> bool:
    return isinstance(low, ir.Const) and isinstance(high, ir.Const) and high.value - low.value < 10


def _are_equal_by_constants(sort: str, low: Lowering) -> bool:
    """Cards of a sort without attributes of their own are alike if all that is printed agrees."""
    return not low.model.sorts[sort].attributes


def _cards_on_bearer(d: tree.OnBearer, name: str, scope: Scope, body: list[ir.Stmt]) -> list[ir.Stmt]:
    low = scope.low
    bearer, guards = lower_through(d.bearer, scope)
    out: list[ir.Stmt] = []
    for zone in low.plan.zones.values():
        if zone.in_force and zone.of == d.bearer.type.name and zone.holds == d.sort:
            if zone.array:
                out.append(ir.ForArray(name, access.zone_address(zone, bearer), tuple(body)))
            else:
                out.append(ir.ForChain(name, cell(zone.first, bearer), low.plan.card_next, tuple(body)))
    # A pair card lies on one end; it counts as lying on the other end too.
    out += trait_masks.each_partner(low, d.bearer.type.name, bearer, name, body)
    return branch(conjunction(*guards), out)


def _things_loop(d: tree.Things, name: str, scope: Scope, body: list[ir.Stmt]) -> list[ir.Stmt]:
    low = scope.low
    guards: tuple[ir.Expr, ...] = ()
    if d.place is not None:
        place, guards = lower_through(d.place, scope)
        here = equal(cell(low.plan.kinds[d.kind].place, ir.Local(name)), place)
        body = [ir.Branch(here, tuple(body))]
    if d.owner is None:
        kind = d.kind
        return branch(
            conjunction(*guards), owners_loop(low, scope, lambda q: [things_of(kind, q, name, low, scope, body)])
        )
    who, more = lower_through(d.owner, scope)
    return branch(conjunction(*guards, *more), [things_of(d.kind, who, name, low, scope, body)])


def _members_loop(d: tree.Members, name: str, scope: Scope, body: list[ir.Stmt]) -> list[ir.Stmt]:
    low = scope.low
    if isinstance(d.group, tree.BuiltinCall):
        return builtins.BUILTIN_SETS[d.group.name].loop(d.group, name, scope, body)
    stem, sets, obj, guards = access.constant_set(d.group, scope)
    rows = access.members_row((stem, sets), low)
    return branch(conjunction(*guards), [ir.ForTable(name, rows, obj, tuple(body))])


# ---- binders


def nested_loops(
    binders: Sequence[tree.Binder], scope: Scope, body: Body, *, distinct: bool = False, ordered: bool = True
) -> list[ir.Stmt]:
    """Nested loops, the first binder outermost. Not `ordered`: what is made of them is the same in any order."""
    if not binders:
        return body(scope)

    def deeper(inner: Scope) -> list[ir.Stmt]:
        return nested_loops(binders[1:], inner, body, distinct=distinct, ordered=ordered)

    return binder_loop(binders[0], scope, deeper, distinct=distinct, ordered=ordered)


def binder_loop(b: tree.Binder, scope: Scope, body: Body, *, distinct: bool, ordered: bool) -> list[ir.Stmt]:
    inner = scope.inner()
    scope.low.local_kinds[b.local.name] = b.local.type.name
    name = inner.bind(b.local, present=not b.maybe)
    by_age = ordered and isinstance(b.domain, tree.OnBearer) and _is_out_of_order(b.domain, scope.low)
    if b.extreme is None and not b.sorted_by and not b.maybe and not by_age:
        return domain_loop(b.domain, name, scope, _filtered_body(b, inner, body(inner)), distinct=distinct)
    items = scope.fresh("found")
    size = domain_capacity(b.domain, scope.low)
    stmts: list[ir.Stmt] = [ir.NewList(items, min(size, MOST) + 1)]
    keep = _filtered_body(b, inner, [*fail_if_full(items, size, (b,)), ir.Append(items, ir.Local(name))])
    stmts += domain_loop(b.domain, name, scope, keep, distinct=distinct)
    if by_age:
        laid = ir.Cell(trait_masks.age_column(scope.low), ir.Local(name))
        stmts.append(_sort_statement(items, name, (ir.SortKey(laid, False),)))
    stmts += best_or_sorted(b, items, scope)
    if b.maybe:
        # `where` sifts the members; none is always a candidate, after them.
        stmts.append(ir.Append(items, ir.Const(0)))
        inner.present.discard(b.local.name)
    final = scope.inner()
    final.names = dict(inner.names)
    loop = final.bind(b.local, present=not b.maybe)
    return [*stmts, ir.ForList(loop, items, tuple(body(final)))]


def _filtered_body(b: tree.Binder, inner: Scope, body: list[ir.Stmt]) -> list[ir.Stmt]:
    return branch(lower_condition(b.where, inner), body) if b.where is not None else body


def _is_out_of_order(d: tree.OnBearer, low: Lowering) -> bool:
    return trait_masks.may_be_out_of_age_order(d.bearer.type.name, d.sort, low)


def best_or_sorted(b: tree.Binder, items: str, scope: Scope) -> list[ir.Stmt]:
    """`with most/least` and `sorted by` on a list of the binder's values: what is missing comes before all numbers."""
    out: list[ir.Stmt] = []
    if b.extreme is not None:
        name, keys = _sort_keys(b, (b.extreme,), scope)
        out.append(ir.KeepBest(items, name, keys))
    if b.sorted_by:
        name, keys = _sort_keys(b, b.sorted_by, scope)
        out.append(_sort_statement(items, name, keys))
    return out


def _sort_statement(items: str, name: str, keys: tuple[ir.SortKey, ...]) -> ir.Stmt:
    """Sort a list, if it holds several: one alone has nothing to be compared with."""
    return ir.Branch(ir.Compare(">", ir.Length(items), ir.Const(1)), (ir.Sort(items, name, keys),))


def _sort_keys(b: tree.Binder, ways: Sequence[tree.Extreme], scope: Scope) -> tuple[str, tuple[ir.SortKey, ...]]:
    inner = scope.inner()
    name = inner.bind(b.local)
    keys: list[ir.SortKey] = []
    for way in ways:
        parts, guards = order_parts(way.key, inner)
        # KeepBest keeps the largest, Sort puts the smallest first.
        turned = (way.way == "most") != (way is b.extreme)
        keys += (ir.SortKey(conditional(conjunction(*guards), part, ir.Const(MISSING_INT)), turned) for part in parts)
    return name, tuple(keys)


def domain_capacity(d: tree.Domain, low: Lowering) -> int:
    """The most members that a domain can have."""
    plan = low.plan
    match d:
        case tree.Rows():
            return plan.rows_of(d.listing) + 1
        case tree.AllCards():
            return plan.sorts[d.sort][1] - plan.sorts[d.sort][0] + 2
        case tree.InZones() | tree.OnBearer():
            return plan.sorts[d.sort][1] - plan.sorts[d.sort][0] + 2
        case tree.Things():
            return (plan.rows_of(d.kind) if d.owner is None else plan.kinds[d.kind].per_owner) + 1
        case tree.Players():
            return plan.players + 1
        case tree.Range():
            written = _literal_size(d)
            return NUMBERS if written is None else written
        case tree.Members():
            return plan.rows_of(d.group.type.name) + 1 if d.group.type.name else len(plan.cards)


def is_unfiltered(b: tree.Binder) -> bool:
    """Whether a binder keeps every member of its domain."""
    return b.where is None and b.extreme is None and not b.sorted_by and not b.maybe


def is_still_there(b: tree.Binder, item: ir.Expr, low: Lowering) -> ir.Expr:
    """For a loop over fixed members: the condition that this one is not gone meanwhile."""
    if b.maybe or not low.plan.is_made(b.local.type.name):
        return TRUE
    return is_present_type(b.local.type, item, low)


def packing_radix(b: tree.Binder, low: Lowering) -> int:
    """One more than the largest value of the binder's variable, for packing several into one integer."""
    if isinstance(b.domain, tree.Range):
        return 1000
    return low.plan.rows_of(b.local.type.name) + 1


def collect_combinations(binders: Sequence[tree.Binder], scope: Scope, into: str) -> list[ir.Stmt]:
    """A list local of all combinations that hold now, packed into one integer each (see `unpack`)."""
    low = scope.low
    size = 1
    for b in binders:
        size *= domain_capacity(b.domain, low)

    def add_one(inner: Scope) -> list[ir.Stmt]:
        packed: ir.Expr = ir.Const(0)
        for b in binders:
            packed = add(times(packed, ir.Const(packing_radix(b, low))), inner.names[b.local.name])
        return [*fail_if_full(into, size, binders), ir.Append(into, packed)]

    return [ir.NewList(into, min(size, MOST)), *nested_loops(binders, scope, add_one)]


def fail_if_full(items: str, size: int, binders: Sequence[tree.Binder]) -> list[ir.Stmt]:
    """Before something joins a list that holds `size` at most: where that may be too much, X612 says so."""
    open_ended = any(isinstance(b.domain, tree.Range) and _literal_size(b.domain) is None for b in binders)
    if size <= MOST and not open_ended:
        return []
    room = min(size, MOST)
    fail = ir.Fail("X612", binders[0].span, f"this loops over more than {room:,} items")
    return [ir.Branch(ir.Compare(">=", ir.Length(items), ir.Const(room)), (fail,))]


def _literal_size(d: tree.Range) -> int | None:
    """How many numbers a range has, if its ends are written there."""
    match d.low, d.high:
        case tree.Const(value=first), tree.Const(value=last):
            return max(last - first + 1, 0)
        case _:
            return None


def unpack_combination(binders: Sequence[tree.Binder], item: str, scope: Scope) -> list[ir.Stmt]:
    """Binds the binders' variables from a packed integer; binds them in `scope`."""
    low = scope.low
    out: list[ir.Stmt] = []
    rest: ir.Expr = ir.Local(item)
    names = [scope.bind(b.local, present=not b.maybe) for b in binders]
    for k in range(len(binders) - 1, -1, -1):
        low.local_kinds[binders[k].local.name] = binders[k].local.type.name
        if k == 0:
            out.append(ir.Set(names[0], rest))
        else:
            base = ir.Const(packing_radix(binders[k], low))
            out.append(ir.Set(names[k], ir.Arith("%", rest, base)))
            rest = ir.Arith("//", rest, base)
    return out
