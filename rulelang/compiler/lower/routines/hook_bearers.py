"""Which cards a hook works for, given the arguments of its event.

`simple` answers with one condition where no loop is needed (the bearer is an argument, or there is none); `matches`
writes the loops in the general case. Guards are left to the caller: they are tested when the hook is due.
"""

from __future__ import annotations

from collections.abc import Callable

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import (
    FALSE,
    TRUE,
    Lowering,
    Scope,
    branch,
    conjunction,
    equal,
    lower_condition,
    negate,
    unguarded_value,
)
from rulelang.compiler.lower.expr.iteration import owners_loop, things_of
from rulelang.compiler.lower.state import bearers, trait_masks
from rulelang.compiler.lower.state.access import cell, face_of, owner_of, partner_of, thing_under
from rulelang.compiler.lower.state.bearers import bearer_kind, bind_roles, implied_roles, is_mutual, trait_number
from rulelang.language.semantics import tree
from rulelang.language.semantics.tree import locals_of, walk

Args = tuple[ir.Expr, ...]
Body = Callable[[Scope], list[ir.Stmt]]
AnyHook = tree.Modify | tree.Forbid | tree.Ignore | tree.Trigger


def uses_card(hook: AnyHook, low: Lowering) -> bool:
    """Whether the hook's rules speak of `this` or `partner`, so that each card counts by itself."""
    roles = {r.name for r in (hook.bearer.this, hook.bearer.partner) if r is not None}
    parts: list[object] = [hook.guard, hook.pattern]
    if isinstance(hook, tree.Modify):
        if hook.op in ("*", "/", "%"):
            return True
        parts += [hook.value, hook.because]
    elif isinstance(hook, tree.Trigger):
        return True
    elif isinstance(hook, tree.Forbid):
        parts.append(hook.because)
    if roles & locals_of(parts) or implied_roles(parts, low) & {"this", "partner"}:
        return True
    return _asked_by_card(hook, low)


def _asked_by_card(hook: AnyHook, low: Lowering) -> bool:
    """Whether an `ignore card c` looks at more of the hook's card than its face."""
    for ignore in low.graph.ignores_on.get(hook.pattern.event, ()) if hook.origin.what == "trait" else ():
        if ignore.card is None or isinstance(hook, tree.Ignore):
            continue
        reads = [n for n in walk(ignore.guard) if isinstance(n, tree.LocalRef) and n.local.name == ignore.card.name]
        faces = [
            n for n in walk(ignore.guard)
            if isinstance(n, tree.Property) and n.name == "face" and n.object in reads
        ]  # fmt: skip
        if len(reads) > len(faces):
            return True
    return False


def role_of(hook: AnyHook, expr: tree.Expr) -> str | None:
    """`self`, `owner`, `partner` or `this` if a pattern slot names one of the bearer's variables."""
    if isinstance(expr, tree.LocalRef):
        for role in ("self", "owner", "partner", "this"):
            local = getattr(hook.bearer, role)
            if local is not None and local.name == expr.local.name:
                return role
    return None


def hook_scope(hook: AnyHook, args: Args, low: Lowering) -> tuple[Scope, ir.Expr, dict[str, ir.Expr]]:
    """A scope with the pattern's names bound; the condition that constants agree; arguments that roles must equal."""
    # The count starts high: these names live in the function of the event, beside its own.
    scope = Scope(low, f"{hook.origin.name or 'core'}_{hook.pattern.event}", counter=[50])
    test: ir.Expr = TRUE
    wanted: dict[str, ir.Expr] = {}
    for slot, arg in zip((*hook.pattern.slots, hook.pattern.bearer), args, strict=False):
        if isinstance(slot, tree.BindSlot):
            scope.names[slot.local.name] = arg
            if not slot.local.type.maybe:
                scope.present.add(slot.local.name)
            low.local_kinds[slot.local.name] = slot.local.type.name
        elif isinstance(slot, tree.EqualSlot):
            role = role_of(hook, slot.expr)
            if role is None:
                test = conjunction(test, equal(arg, unguarded_value(slot.expr, scope)))
            elif role in wanted:
                test = conjunction(test, equal(wanted[role], arg))
            else:
                wanted[role] = arg
    return scope, test, wanted


def simple_match(hook: AnyHook, args: Args, low: Lowering) -> tuple[ir.Expr, Scope] | None:
    """One condition and a scope, where no loop over bearers or cards is needed."""
    scope, test, wanted = hook_scope(hook, args, low)
    if hook.always or hook.origin.what == "core":
        return conjunction(test, is_not_ignored(hook, args, None, low)), scope
    if hook.origin.what == "row":
        row = ir.Const(hook.origin.row)
        bind_roles(hook, scope, None, row)
        return conjunction(test, equal(wanted["self"], row) if "self" in wanted else TRUE), scope
    if hook.origin.what == "trait" and not bearers.bears_on_things(hook, low):
        card = wanted.get("self", wanted.get("this"))
        if card is None:
            return None
        there = _bind_unattached(hook, scope, card, wanted, args)
        return conjunction(test, there), scope
    if hook.origin.what == "trait" and "self" in wanted and not uses_card(hook, low):
        bearer = wanted["self"]
        kind = bearer_kind(hook, low)
        owner = owner_of(kind, bearer, low)
        bind_roles(hook, scope, None, bearer, owner)
        test = conjunction(test, bearers.bears(low, kind, bearer, trait_number(hook.origin, low)))
        if "owner" in wanted:
            test = conjunction(test, equal(owner, wanted["owner"]))
        return conjunction(test, is_not_ignored(hook, args, None, low)), scope
    return None


def _bind_unattached(hook: AnyHook, scope: Scope, card: ir.Expr, wanted: dict[str, ir.Expr], args: Args) -> ir.Expr:
    """Binds the roles to a card that lies on nothing; the condition that the hook works for it."""
    low = scope.low
    bearer = ir.Const(0) if bearers.bears_on_things(hook, low) else card
    bind_roles(hook, scope, card, bearer, owner_of("", card, low), ir.Const(0))
    test = (
        bearers.works_unattached(low, card, trait_number(hook.origin, low))
        if bearers.unattached_cards(hook, low)
        else FALSE
    )
    for role, arg in wanted.items():
        mine = scope.roles.get(role, ir.Const(0))
        if mine != arg:
            test = conjunction(test, mine, equal(mine, arg))  # what is missing equals nothing
    return conjunction(test, is_not_ignored(hook, args, card, low))


def may_match(hook: AnyHook, args: Args, low: Lowering) -> ir.Expr:
    """A cheap condition that is true whenever the hook could match at all."""
    if hook.origin.what == "trait" and not hook.always:
        _, test, wanted = hook_scope(hook, args, low)
        number = trait_number(hook.origin, low)
        if "self" in wanted:
            borne = bearers.bears(low, bearer_kind(hook, low), wanted["self"], number)
            return conjunction(
                test,
                borne if bearers.bears_on_things(hook, low) else bearers.works_unattached(low, wanted["self"], number),
            )
        return (
            test if bearers.unattached_cards(hook, low) else conjunction(test, trait_masks.working_count(low, number))
        )
    found = simple_match(hook, args, low)
    return found[0] if found is not None else TRUE


def loop_over_matches(hook: AnyHook, args: Args, low: Lowering, body: Body) -> list[ir.Stmt]:
    """Runs `body` for every bearer (and card, where cards count) that the hook works for."""
    found = simple_match(hook, args, low) if not counts_each_card(hook, low) else None
    if found is not None:
        return branch(found[0], body(found[1]))
    if hook.origin.what == "card":
        return _card_row_matches(hook, args, low, body)
    if hook.origin.what != "trait" or hook.always:
        single = simple_match(hook, args, low)
        assert single is not None
        return branch(single[0], body(single[1]))
    return _trait_card_matches(hook, args, low, body)


def counts_each_card(hook: AnyHook, low: Lowering) -> bool:
    return (
        hook.origin.what == "trait" and not hook.always and bearers.bears_on_things(hook, low) and uses_card(hook, low)
    )


def _trait_card_matches(hook: AnyHook, args: Args, low: Lowering, body: Body) -> list[ir.Stmt]:
    borne = _thing_matches(hook, args, low, body) if bearers.bears_on_things(hook, low) else []
    return [*borne, *_unattached_matches(hook, args, low, body)]


def _unattached_matches(hook: AnyHook, args: Args, low: Lowering, body: Body) -> list[ir.Stmt]:
    """For each card of the hook's trait that lies in force on nothing."""
    scope, test, wanted = hook_scope(hook, args, low)
    if (
        not bearers.unattached_cards(hook, low)
        or "partner" in wanted
        or ("self" in wanted and bearers.bears_on_things(hook, low))
    ):
        return []
    card = wanted.get("self", wanted.get("this"))
    if card is not None:
        there = _bind_unattached(hook, scope, card, wanted, args)
        return branch(conjunction(test, there), body(scope))
    name = scope.fresh("this")
    there = _bind_unattached(hook, scope, ir.Local(name), wanted, args)
    return branch(test, bearers.each_unattached(hook, name, low, branch(there, body(scope))))


def _thing_matches(hook: AnyHook, args: Args, low: Lowering, body: Body) -> list[ir.Stmt]:
    scope, test, wanted = hook_scope(hook, args, low)
    number = trait_number(hook.origin, low)
    kind = bearer_kind(hook, low)

    def with_self(bearer: ir.Expr) -> list[ir.Stmt]:
        return branch(
            bearers.bears(low, kind, bearer, number), _matches_on_bearer(hook, bearer, wanted, args, scope, low, body)
        )

    if "self" in wanted:
        return branch(test, with_self(wanted["self"]))
    if "this" in wanted and not _counts_elsewhere(hook, low):
        card, on = wanted["this"], thing_under(kind, wanted["this"], low)
        there = conjunction(test, on, trait_masks.is_active(low, card), equal(face_of(card, low), ir.Const(number)))
        inner_wanted = {k: v for k, v in wanted.items() if k != "this"}
        return branch(there, _bound_match(hook, card, on, inner_wanted, args, scope.inner(), low, body))
    thing = scope.fresh("b")
    if "owner" in wanted and "partner" not in wanted:
        loop = [things_of(kind, wanted["owner"], thing, low, scope, with_self(ir.Local(thing)))]
        return branch(conjunction(test, trait_masks.working_count(low, number)), loop)
    near = _neighbour_guard(hook, scope) if low.dispatch.shortcuts else None
    if near is not None:
        return branch(
            conjunction(test, trait_masks.working_count(low, number)),
            _loop_over_neighbours(near, kind, low, scope, with_self),
        )
    loops = owners_loop(low, scope, lambda q: [things_of(kind, q, thing, low, scope, with_self(ir.Local(thing)))])
    return branch(conjunction(test, trait_masks.working_count(low, number)), loops)


def _counts_elsewhere(hook: AnyHook, low: Lowering) -> bool:
    """Whether a card may count for another bearer than what it lies on: a pair's other end, or one that copies."""
    return is_mutual(hook, low) or bool(low.graph.copies_on(bearer_kind(hook, low)))


def _neighbour_guard(hook: AnyHook, scope: Scope) -> ir.Expr | None:
    """With a guard `x in neighbours(self)` only the neighbours of x need to be asked."""
    guard = hook.guard
    parts = [guard]
    while parts:
        part = parts.pop()
        if isinstance(part, tree.Logic) and part.op == "and":
            parts += [part.left, part.right]
        elif isinstance(part, tree.MemberOfSet) and isinstance(part.group, tree.BuiltinCall):
            thing, item = part.group.args[0], part.item
            if part.group.name != "neighbours":
                continue
            if role_of(hook, thing) == "self" and isinstance(item, tree.LocalRef) and item.local.name in scope.names:
                return scope.names[item.local.name]
    return None


def _loop_over_neighbours(
    of: ir.Expr, kind: str, low: Lowering, scope: Scope, with_self: Callable[[ir.Expr], list[ir.Stmt]]
) -> list[ir.Stmt]:
    laid = low.plan.kinds[kind]
    out: list[ir.Stmt] = []
    for column in (laid.prev, laid.next):
        side = scope.fresh("side")
        out += [ir.Set(side, cell(column, of)), *with_self(ir.Local(side))]
    return out


def _matches_on_bearer(
    hook: AnyHook, bearer: ir.Expr, wanted: dict[str, ir.Expr], args: Args, scope: Scope, low: Lowering, body: Body
) -> list[ir.Stmt]:
    """For each working card of the hook's trait on the bearer; once for the bearer where cards do not count."""
    number = ir.Const(trait_number(hook.origin, low))
    if not uses_card(hook, low):
        return _bound_match(hook, None, bearer, wanted, args, scope.inner(), low, body)
    kind = bearer_kind(hook, low)

    def along(card: ir.Expr, partner: ir.Expr | None, inner: Scope) -> list[ir.Stmt]:
        bound = _bound_match(hook, card, bearer, wanted, args, inner, low, body, partner)
        return branch(trait_masks.works_in_force(low, card, number), bound)

    def on(end: ir.Expr) -> list[ir.Stmt]:
        """What lies on a thing, and the pairs that join it to another."""
        found: list[ir.Stmt] = []
        for zone in trait_masks.active_zones(low, kind):
            inner = scope.inner()
            name = inner.fresh("this")
            then = along(ir.Local(name), None, inner)
            found.append(ir.ForChain(name, cell(zone.first, end), low.plan.card_next, tuple(then)))
        if low.plan.card_partner and is_mutual(hook, low):
            inner = scope.inner()
            name = inner.fresh("this")
            partner = thing_under(kind, ir.Local(name), low) if end == bearer else None
            found += trait_masks.each_partner(low, kind, end, name, along(ir.Local(name), partner, inner))
        return found

    return [*on(bearer), *bearers.each_copied(kind, bearer, low, on)]


def _bound_match(
    hook: AnyHook, card: ir.Expr | None, bearer: ir.Expr, wanted: dict[str, ir.Expr], args: Args, scope: Scope,
    low: Lowering, body: Body, partner: ir.Expr | None = None,
) -> list[ir.Stmt]:  # fmt: skip
    kind = bearer_kind(hook, low)
    owner = owner_of(kind, bearer, low)
    if card is not None and partner is None and hook.bearer.partner is not None:
        partner = partner_of(card, low)
    bind_roles(hook, scope, card, bearer, owner, partner)
    test: ir.Expr = TRUE
    for role, arg in wanted.items():
        mine = scope.roles.get(role)
        if mine is not None and mine != arg:
            test = conjunction(
                test, mine if role == "partner" else TRUE, equal(mine, arg)
            )  # what is missing equals nothing
    return branch(conjunction(test, is_not_ignored(hook, args, card, low)), body(scope))


def row_cards(origin: tree.Origin, low: Lowering) -> list[int]:
    """Handles of all copies of a card row, in ascending order."""
    return low.plan.card_rows[origin.name, origin.row]


def _card_row_matches(hook: AnyHook, args: Args, low: Lowering, body: Body) -> list[ir.Stmt]:
    scope, test, wanted = hook_scope(hook, args, low)
    handles = row_cards(hook.origin, low)
    arg = wanted.get("this", wanted.get("self"))
    out: list[ir.Stmt] = []
    for handle in handles:
        card = ir.Const(handle)
        inner = scope.inner()
        owner = owner_of(hook.origin.name, card, low)
        bind_roles(hook, inner, card, card, owner)
        there = conjunction(test, trait_masks.is_active(low, card), equal(arg, card) if arg is not None else TRUE)
        if "owner" in wanted:
            there = conjunction(there, owner, equal(owner, wanted["owner"]))  # what is missing equals nothing
        out += branch(conjunction(there, is_not_ignored(hook, args, card, low)), body(inner))
    return out


# ---- ignore


def is_not_ignored(hook: AnyHook, args: Args, card: ir.Expr | None, low: Lowering) -> ir.Expr:
    """The condition that no `ignore` makes this hook void for its event."""
    if isinstance(hook, tree.Ignore) or hook.origin.what != "trait":
        return TRUE
    result: ir.Expr = TRUE
    for ignore in low.graph.ignores_on.get(hook.pattern.event, ()):
        if ignore.trait is not None and ignore.trait != hook.origin.name:
            continue
        if ignore.card is not None and hook.always:
            continue  # what is `always` has no card
        result = conjunction(result, negate(_is_ignored_by(ignore, hook, args, card, low)))
    return result


def _is_ignored_by(ignore: tree.Ignore, hook: AnyHook, args: Args, card: ir.Expr | None, low: Lowering) -> ir.Expr:
    found = simple_match(ignore, args, low) if not counts_each_card(ignore, low) else None
    number = trait_number(hook.origin, low)
    if found is not None:
        test, scope = found
        _bind_card(ignore, scope, ir.Local("card") if card is None else card, number)
        return conjunction(test, lower_condition(ignore.guard, scope) if ignore.guard is not None else TRUE)
    name = low.unique(f"ignored_{hook.origin.name}_{ignore.origin.name}_{hook.pattern.event}")
    params = tuple(f"a{k}" for k in range(len(args)))
    inner_args = tuple(ir.Local(p) for p in params)

    def yes(scope: Scope) -> list[ir.Stmt]:
        _bind_card(ignore, scope, ir.Local("card"), number)
        guard = lower_condition(ignore.guard, scope) if ignore.guard is not None else TRUE
        return branch(guard, [ir.Return(TRUE)])

    key = ("ignored", id(ignore), number)
    if key not in low.names:
        body = [*loop_over_matches(ignore, inner_args, low, yes), ir.Return(FALSE)]
        low.function(name, "pure", ("card", *params), body, f"ignored by {ignore.origin.name}", ignore.span)
        low.names[key] = name
    call = ir.Call(low.names[key], (card if card is not None else ir.Const(0), *args))
    return conjunction(may_match(ignore, args, low), call)


def _bind_card(ignore: tree.Ignore, scope: Scope, card: ir.Expr, number: int) -> None:
    if ignore.card is not None:
        scope.names[ignore.card.name] = card
        scope.present.add(ignore.card.name)
        scope.faces[ignore.card.name] = number
