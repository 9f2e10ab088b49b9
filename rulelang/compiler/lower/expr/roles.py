"""A bearer's names (`this`, `self`, `partner`, `owner`): which of them a piece of rules needs, also through what it
asks, and what they stand for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import Lowering, Scope, equal, once
from rulelang.compiler.lower.state import loose
from rulelang.compiler.lower.state.addresses import lies_on, partner_of
from rulelang.language.semantics import tree
from rulelang.language.semantics.tree import locals_of, walk

ROLES = ("this", "self", "partner", "owner")


@once
def value_roles(value_id: str, low: Lowering) -> tuple[str, ...]:
    """Those that a value of a trait or row needs; it takes them as leading parameters."""
    found: set[str] = set()
    seen, waiting = {value_id}, [value_id]
    while waiting:
        declared = low.program.values[waiting.pop()]
        own = _given(declared.bearer)
        if not own:
            continue  # of the core, where only values of the core are called
        used = locals_of(declared.body)
        called, asked = _called(declared.body, low)
        found |= {role for role, local in own if local.name in used} | (asked & dict(own).keys())
        waiting += sorted(called - seen)
        seen |= called
    return tuple(role for role in ROLES if role in found)


def routine_roles(routine_id: str, low: Lowering) -> tuple[str, ...]:
    """Those that a routine of a trait or row takes as leading parameters: all that it has."""
    return tuple(role for role, _ in _given(low.program.routines[routine_id].bearer))


def action_roles(action: tree.Action, low: Lowering) -> tuple[str, ...]:
    """Those that an action of a trait or row takes as leading parameters."""
    if action.always or action.origin.what == "core":
        return ()
    # Whose a card is that lies on nothing can change before its action is over: a played card leaves the hand.
    roles = (
        ("this", "self") if loose.on_things(action, low) and not loose.cards(action, low) else ("this", "self", "owner")
    )
    return tuple(r for r in roles if getattr(action.bearer, r) is not None)


def borne_by(event: str, low: Lowering) -> tree.Local | None:
    """Who bears an event, as patterns name it behind `of`: `self` of an action that has a bearer."""
    action = low.program.actions.get(event)
    return action.bearer.self if action is not None else None


def implied(node: Any, low: Lowering) -> set[str]:
    """Those that a piece of tree needs without naming them: for values and routines of its own trait or row."""
    called, found = _called(node, low)
    return found.union(*(value_roles(value, low) for value in called))


def _called(node: Any, low: Lowering) -> tuple[set[str], set[str]]:
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
        elif isinstance(n, tree.Affects) and borne_by(n.event, low) is not None:
            asked.add("self")
    return values, asked


def _given(bearer: tree.Bearer) -> list[tuple[str, tree.Local]]:
    return [(role, local) for role in ROLES if (local := getattr(bearer, role)) is not None]


# ---- what they stand for


def roles_of(event: str, low: Lowering) -> tuple[str, ...]:
    """Implicit variables that `do_EVENT` takes as leading parameters."""
    if event in low.program.routines:
        return routine_roles(event, low)
    return action_roles(low.program.actions[event], low)


def taken(roles: Iterable[str], scope: Scope) -> dict[str, ir.Expr]:
    """A parameter of the function at hand for each of these names."""
    return {role: ir.Local(scope.fresh(role)) for role in roles}


def named(given: Mapping[str, ir.Expr]) -> list[str]:
    """The parameters again, as the function lists them."""
    return [param.name for param in given.values() if isinstance(param, ir.Local)]


def row_of(declared: loose.Borne) -> dict[str, ir.Expr]:
    """The row that brings a rule, as its `self`; nothing for other rules."""
    return {"self": ir.Const(declared.origin.row)} if declared.origin.what == "row" else {}


def bind_given(declared: tree.Routine | tree.Action, scope: Scope, given: Mapping[str, ir.Expr],
               owner: ir.Expr | None) -> None:  # fmt: skip
    """Binds the roles of an event to what its function was given. A row bears its rules itself; the other end of a pair
    is that of its card."""
    this, self, partner = given.get("this"), given.get("self"), given.get("partner")
    if self is None:
        self = row_of(declared).get("self")
    if partner is None and this is not None and self is not None:
        partner = partner_at(declared, this, self, scope.low)
    bind_roles(declared, scope, this, self, owner, partner)


def bind_taken(declared: tree.Routine | tree.Value, scope: Scope, given: Mapping[str, ir.Expr]) -> None:
    """Binds the roles of what may be asked of any card, whether it shows the trait or not."""
    this, self, owner, partner = (given.get(role) for role in ("this", "self", "owner", "partner"))
    bind_roles(declared, scope, this, self, owner, partner, shows=False)


def bind_roles(hook: loose.Borne, scope: Scope,
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


def partner_at(borne: loose.Borne, this: ir.Expr, self: ir.Expr, low: Lowering) -> ir.Expr | None:
    """The other end of a pair's card as the bearer sees it; for one that copies it, the end to which the card leads.
    None for rules without one."""
    if borne.bearer.partner is None:
        return None
    end = partner_of(this, low)
    if not is_mutual(borne, low):
        return end
    on = lies_on(borne.bearer.partner.type.name, this, low)
    return ir.If(equal(end, self), on, end)


def is_mutual(borne: loose.Borne, low: Lowering) -> bool:
    """Whether a rule is one of a pair that works for both ends."""
    return borne.origin.what == "trait" and low.model.traits[borne.origin.name].pair == "mutual"


def trait_number(origin: tree.Origin, low: Lowering) -> int:
    return low.model.traits[origin.name].number


def bearer_kind(hook: loose.Borne, low: Lowering) -> str:
    return hook.bearer.self.type.name if hook.bearer.self is not None else ""
