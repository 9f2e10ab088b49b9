"""Know the bearer of a rule: unattached cards, roles such as `self`, and copied cards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from rulelang.base.source import NOWHERE
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import (
    FALSE,
    TRUE,
    Lowering,
    Scope,
    add,
    branch,
    conjunction,
    disjunction,
    equal,
    lower_condition,
    lower_through,
    once_per_table,
)
from rulelang.compiler.lower.state import trait_masks
from rulelang.compiler.lower.state.access import cell, face_of, is_unsilenced, owner_of, partner_of, thing_under
from rulelang.language.semantics import tree
from rulelang.language.semantics.tree import locals_of, walk

# ---- unattached cards

#: What is brought by a trait or a row, and so may have a bearer.
HasBearer = (
    tree.Modify | tree.Forbid | tree.Ignore | tree.Trigger | tree.Action | tree.Routine | tree.Value | tree.CopyCards
)


def bears_on_things(borne: HasBearer, low: Lowering) -> bool:
    """Whether `self` is a thing that cards lie on."""
    return borne.bearer.self is not None and low.plan.is_made(borne.bearer.self.type.name)


def unattached_cards(borne: HasBearer, low: Lowering) -> tuple[int, ...]:
    """Handles of the cards that bring a trait's rule and may work where they lie on nothing."""
    if borne.origin.what != "trait" or borne.bearer.this is None:
        return ()
    return _cards_showing(borne.origin.name, low)


@once_per_table
def _cards_showing(trait: str, low: Lowering) -> tuple[int, ...]:
    """Handles of the cards that may show a trait in force on nothing."""
    sorts = {z.holds for z in low.plan.zones.values() if z.in_force and not low.plan.is_made(z.of)}
    number = low.model.traits[trait].number
    return tuple(h for h, c in enumerate(low.plan.cards) if number in c.faces and c.sort in sorts)


def is_unattached(low: Lowering, card: ir.Expr) -> ir.Expr:
    """The condition that a card lies in force on nothing, and is not silenced."""
    zones = low.plan.zones
    there = [
        int(name in zones and zones[name].in_force and not low.plan.is_made(zones[name].of))
        for name in low.plan.zone_names
    ]
    if not any(there):
        return FALSE
    lying = ir.Table(low.table("loose", there), cell(low.plan.where, card))
    return conjunction(lying, is_unsilenced(card, low))


def works_unattached(low: Lowering, card: ir.Expr, trait: int) -> ir.Expr:
    """The condition that a card shows a trait, and works where it lies on nothing."""
    return conjunction(ir.Compare("==", face_of(card, low), ir.Const(trait)), is_unattached(low, card))


def each_unattached(borne: HasBearer, name: str, low: Lowering, body: list[ir.Stmt]) -> list[ir.Stmt]:
    """Over the cards that show the rule's trait and lie in force on nothing; the body reads the IR local `name`."""
    found = unattached_cards(borne, low)
    if not found or not body:
        return []
    number = low.model.traits[borne.origin.name].number
    there = ir.Branch(works_unattached(low, ir.Local(name), number), tuple(body))
    if found == tuple(range(found[0], found[-1] + 1)):
        return [ir.ForRange(name, ir.Const(found[0]), ir.Const(found[-1] + 1), (there,))]
    return [ir.ForTable(name, low.row_table(f"cards_{borne.origin.name}", [found]), ir.Const(0), (there,))]


# ---- one word for the bearer of a rule that is due: a thing, or the owner of a card without one


def are_equivalent(borne: tree.Action | tree.Trigger, low: Lowering) -> bool:
    """Whether cards that lie on nothing and look alike bring the same: nothing is kept for a card by itself."""
    found = unattached_cards(borne, low)
    if not found or low.model.traits[borne.origin.name].state or borne.once_per is not None:
        return False
    return not any(low.model.sorts[low.plan.cards[card].sort].attributes for card in found)


def pack_bearer(borne: HasBearer, self: ir.Expr, owner: ir.Expr, low: Lowering) -> ir.Expr:
    """The bearer as one word: the thing; or the player whose the card is now, behind the things. A row needs none."""
    if not bears_on_things(borne, low):
        return owner
    if self != ir.Const(0):
        return self
    assert borne.bearer.self is not None
    return add(owner, ir.Const(low.plan.rows_of(borne.bearer.self.type.name) + 1))


def unpack_bearer(borne: HasBearer, word: ir.Expr, card: ir.Expr, low: Lowering) -> tuple[ir.Expr, ir.Expr]:
    """`self` and its owner, from such a word and the card."""
    if not bears_on_things(borne, low):
        return card, word
    assert borne.bearer.self is not None
    kind = borne.bearer.self.type.name
    if not unattached_cards(borne, low):
        return word, owner_of(kind, word, low)
    things = low.plan.rows_of(kind)
    thing = ir.Compare("<=", word, ir.Const(things))
    per = low.plan.kinds[kind].per_owner
    owners = [0, *((h - 1) // per + 1 for h in range(1, things + 1)), *range(low.plan.players + 2)]
    return ir.If(thing, word, ir.Const(0)), ir.Table(low.table(f"owner_or_{kind}", owners), word)


def largest_packed_bearer(low: Lowering) -> int:
    """The greatest such word."""
    things = max((low.plan.rows_of(kind) for kind in low.model.made), default=-1)
    return things + 1 + low.plan.players + 1


# ---- roles

ROLES = ("this", "self", "partner", "owner")


@once_per_table
def value_roles(value_id: str, low: Lowering) -> tuple[str, ...]:
    """Those that a value of a trait or row needs; it takes them as leading parameters."""
    found: set[str] = set()
    seen, waiting = {value_id}, [value_id]
    while waiting:
        declared = low.program.values[waiting.pop()]
        own = _bearer_locals(declared.bearer)
        if not own:
            continue  # of the core, where only values of the core are called
        used = locals_of(declared.body)
        called, asked = _called_events(declared.body, low)
        found |= {role for role, local in own if local.name in used} | (asked & dict(own).keys())
        waiting += sorted(called - seen)
        seen |= called
    return tuple(role for role in ROLES if role in found)


def routine_roles(routine_id: str, low: Lowering) -> tuple[str, ...]:
    """Those that a routine of a trait or row takes as leading parameters: all that it has."""
    return tuple(role for role, _ in _bearer_locals(low.program.routines[routine_id].bearer))


def action_roles(action: tree.Action, low: Lowering) -> tuple[str, ...]:
    """Those that an action of a trait or row takes as leading parameters."""
    if action.always or action.origin.what == "core":
        return ()
    # Whose a card is that lies on nothing can change before its action is over: a played card leaves the hand.
    roles = (
        ("this", "self")
        if bears_on_things(action, low) and not unattached_cards(action, low)
        else ("this", "self", "owner")
    )
    return tuple(r for r in roles if getattr(action.bearer, r) is not None)


def event_bearer(event: str, low: Lowering) -> tree.Local | None:
    """Who bears an event, as patterns name it behind `of`: `self` of an action that has a bearer."""
    action = low.program.actions.get(event)
    return action.bearer.self if action is not None else None


def implied_roles(node: Any, low: Lowering) -> set[str]:
    """Those that a piece of tree needs without naming them: for values and routines of its own trait or row."""
    called, found = _called_events(node, low)
    return found.union(*(value_roles(value, low) for value in called))


def _called_events(node: Any, low: Lowering) -> tuple[set[str], set[str]]:
    """The values that a piece of tree calls, and what the events need that it asks about."""
    values: set[str] = set()
    asked: set[str] = set()
    for n in walk(node):
        if isinstance(n, tree.ValueCall):
            values.add(n.value)
        elif isinstance(n, tree.Can) and n.event in low.program.routines:
            asked |= set(routine_roles(n.event, low))
        elif isinstance(n, tree.Can) and n.event in low.program.actions:
            asked |= set(action_roles(low.program.actions[n.event], low))
        elif isinstance(n, tree.Affects) and event_bearer(n.event, low) is not None:
            asked.add("self")
    return values, asked


def _bearer_locals(bearer: tree.Bearer) -> list[tuple[str, tree.Local]]:
    return [(role, local) for role in ROLES if (local := getattr(bearer, role)) is not None]


# ---- what they stand for


def roles_of(event: str, low: Lowering) -> tuple[str, ...]:
    """Implicit variables that `do_EVENT` takes as leading parameters."""
    if event in low.program.routines:
        return routine_roles(event, low)
    return action_roles(low.program.actions[event], low)


def role_params(roles: Iterable[str], scope: Scope) -> dict[str, ir.Expr]:
    """A parameter of the function at hand for each of these names."""
    return {role: ir.Local(scope.fresh(role)) for role in roles}


def param_names(given: Mapping[str, ir.Expr]) -> list[str]:
    """The parameters again, as the function lists them."""
    return [param.name for param in given.values() if isinstance(param, ir.Local)]


def row_role(declared: HasBearer) -> dict[str, ir.Expr]:
    """The row that brings a rule, as its `self`; nothing for other rules."""
    return {"self": ir.Const(declared.origin.row)} if declared.origin.what == "row" else {}


def bind_given(declared: tree.Routine | tree.Action, scope: Scope, given: Mapping[str, ir.Expr],
               owner: ir.Expr | None) -> None:  # fmt: skip
    """Binds the roles of an event to what its function was given. A row bears its rules itself; the other end of a pair
    is that of its card."""
    this, self, partner = given.get("this"), given.get("self"), given.get("partner")
    if self is None:
        self = row_role(declared).get("self")
    if partner is None and this is not None and self is not None:
        partner = partner_at(declared, this, self, scope.low)
    bind_roles(declared, scope, this, self, owner, partner)


def bind_taken(declared: tree.Routine | tree.Value, scope: Scope, given: Mapping[str, ir.Expr]) -> None:
    """Binds the roles of what may be asked of any card, whether it shows the trait or not."""
    this, self, owner, partner = (given.get(role) for role in ("this", "self", "owner", "partner"))
    bind_roles(declared, scope, this, self, owner, partner, shows=False)


def bind_roles(hook: HasBearer, scope: Scope,
               this: ir.Expr | None, self: ir.Expr | None, owner: ir.Expr | None = None,
               partner: ir.Expr | None = None, *, shows: bool = True) -> None:  # fmt: skip
    """Gives the implicit variables of a trait's or row's rules their expressions. `shows`: the card is known to show
    the trait."""
    given = {"this": this, "self": self, "partner": partner, "owner": owner}
    for role, expr in given.items():
        local = getattr(hook.bearer, role)
        if local is None or expr is None:
            continue
        scope.names[local.name] = expr
        scope.low.local_kinds[local.name] = local.type.name
        scope.roles[role] = expr
        if role != "partner":  # a pair's other end may be gone
            scope.present.add(local.name)
        if shows and role == "this" and hook.origin.what == "trait":
            scope.faces[local.name] = trait_number(hook.origin, scope.low)


def partner_at(borne: HasBearer, this: ir.Expr, self: ir.Expr, low: Lowering) -> ir.Expr | None:
    """The other end of a pair's card as the bearer sees it; for one that copies it, the end to which the card leads.
    None for rules without one."""
    if borne.bearer.partner is None:
        return None
    end = partner_of(this, low)
    if not is_mutual(borne, low):
        return end
    on = thing_under(borne.bearer.partner.type.name, this, low)
    return ir.If(equal(end, self), on, end)


def is_mutual(borne: HasBearer, low: Lowering) -> bool:
    """Whether a rule is one of a pair that works for both ends."""
    return borne.origin.what == "trait" and low.model.traits[borne.origin.name].pair == "mutual"


def trait_number(origin: tree.Origin, low: Lowering) -> int:
    return low.model.traits[origin.name].number


def bearer_kind(hook: HasBearer, low: Lowering) -> str:
    return hook.bearer.self.type.name if hook.bearer.self is not None else ""


# ---- copied cards


def copier_count(kind: str, low: Lowering) -> int:
    """How many cards there are with which things of a kind copy others."""
    traits = {low.model.traits[rule.origin.name].number for rule in low.graph.copies_on(kind)}
    return sum(not traits.isdisjoint(card.faces) for card in low.plan.cards)


def each_copied(kind: str, bearer: ir.Expr, low: Lowering, body: Callable[[ir.Expr], list[ir.Stmt]]) -> list[ir.Stmt]:
    """Runs `body` for every other bearer whose cards this one copies now (copies of copies do not count)."""
    out: list[ir.Stmt] = []
    for rule in low.graph.copies_on(kind):
        number = trait_number(rule.origin, low)
        for zone in trait_masks.active_zones(low, kind):
            scope = Scope(low, f"copy_{rule.origin.name}")
            name = scope.fresh("copier")
            card = ir.Local(name)
            partner = partner_at(rule, card, bearer, low)
            bind_roles(rule, scope, card, bearer, owner_of(kind, bearer, low), partner)
            source, guards = lower_through(rule.on, scope)
            guard = lower_condition(rule.guard, scope) if rule.guard is not None else TRUE
            other = ir.Compare("!=", source, bearer)
            then = branch(
                conjunction(trait_masks.works_in_force(low, card, ir.Const(number)), guard, *guards, other),
                body(source),
            )
            own = trait_masks.bears_own(low, kind, bearer, number)
            out += branch(own, [ir.ForChain(name, cell(zone.first, bearer), low.plan.card_next, tuple(then))])
    return out


def copied_function(kind: str, low: Lowering) -> str:
    """`copied_KIND(o, t)`: 1 if the bearer copies a working card of trait t."""
    name = f"copied_{kind}"
    if name not in low.functions and name not in low.pending:
        low.pending.add(name)
        span = low.graph.copies_on(kind)[0].span
        body = each_copied(
            kind, ir.Local("o"), low,
            lambda x: branch(trait_masks.bears_own_computed(low, kind, x, ir.Local("t")), [ir.Return(TRUE)]),
        )  # fmt: skip
        low.function(name, "pure", ("o", "t"), [*body, ir.Return(FALSE)], "copied cards", span)
    return name


# ---- traits of a bearer


def bears(low: Lowering, kind: str, bearer: ir.Expr, trait: int) -> ir.Expr:
    """The condition that the bearer bears the trait: by a card of its own, or by one that it copies."""
    if kind not in low.plan.masks:
        return ir.Const(0)
    own = trait_masks.bears_own(low, kind, bearer, trait)
    if not low.graph.copies_on(kind):
        return own
    return disjunction(own, ir.Call(copied_function(kind, low), (bearer, ir.Const(trait))))


def bears_any_of(low: Lowering, kind: str, bearer: ir.Expr, trait: ir.Expr) -> ir.Expr:
    """As `bears`, for a trait that is computed."""
    if kind not in low.plan.masks:
        return ir.Const(0)
    own = trait_masks.bears_own_computed(low, kind, bearer, trait)
    if not low.graph.copies_on(kind) or own == ir.Const(0):
        return own
    return disjunction(own, ir.Call(copied_function(kind, low), (bearer, trait)))


def bears_many(low: Lowering, kind: str, bearer: ir.Expr, trait: int) -> ir.Expr:
    """The condition that more than one card of the trait may count (then they are counted)."""
    if low.graph.copies_on(kind):
        return ir.Const(1)
    word, b = trait_masks.trait_bit(trait)
    return ir.Arith("&", trait_masks.mask_cell(low, kind, bearer, word, multi=True), ir.Const(b))


def copies_function(low: Lowering, kind: str) -> str:
    """`copies_KIND(o, t)`: how many working cards of a trait the bearer bears."""
    if not low.graph.copies_on(kind):
        return trait_masks.own_copies_function(low, kind)
    name = f"copies_{kind}"
    if name not in low.functions and name not in low.pending:
        low.pending.add(name)
        own = trait_masks.count_traits_on(low, kind, ir.Local("o"))
        copied = each_copied(kind, ir.Local("o"), low, lambda x: trait_masks.count_traits_on(low, kind, x))
        body = (ir.Set("n", ir.Const(0)), *own, *copied, ir.Return(ir.Local("n")))
        low.function(name, "pure", ("o", "t"), body, "count cards", NOWHERE)
    return name
