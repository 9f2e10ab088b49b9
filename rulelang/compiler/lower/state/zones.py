"""Zones in the array: where they are, how many cards they hold, and what lies in them.

A zone of a made kind is a linked list through its cards; every other zone is an array [count, card, ...]. The column
`where` holds each card's zone id, so that a card can be taken from wherever it lies.
"""

from __future__ import annotations

from rulelang.base.layout import ZoneLayout
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import Guards, Lowering, Scope, add, both, equal, times
from rulelang.compiler.lower.expr.expressions import through
from rulelang.compiler.lower.state.addresses import cell
from rulelang.language.semantics import tree


def laid(ref: tree.AnyZone, low: Lowering) -> ZoneLayout:
    return low.plan.zones["box" if isinstance(ref, tree.BoxRef) else ref.zone.name]


def owner(ref: tree.AnyZone, scope: Scope) -> tuple[ir.Expr | None, Guards]:
    """The owner's handle, or None for the zone of the game or all zones of that name."""
    if isinstance(ref, tree.BoxRef) or ref.owner is None:
        return None, ()
    return through(ref.owner, scope)


def address(zone: ZoneLayout, who: ir.Expr | None) -> ir.Expr:
    """Address of an array zone's count word."""
    if who is None:
        return ir.Const(zone.base)
    return add(times(who, ir.Const(zone.stride)), ir.Const(zone.base))


def zone_id(zone: ZoneLayout, who: ir.Expr | None) -> ir.Expr:
    return ir.Const(zone.first_id) if who is None else add(who, ir.Const(zone.first_id))


def at(where: ir.Expr) -> ir.Expr:
    """The word at a computed address."""
    if isinstance(where, ir.Const):
        return ir.Cell(where.value)
    if isinstance(where, ir.Arith) and where.op == "+" and isinstance(where.right, ir.Const):
        return ir.Cell(where.right.value, where.left)
    return ir.Cell(0, where)


def count(ref: tree.AnyZone, scope: Scope) -> tuple[ir.Expr, Guards]:
    """How many cards lie in a zone (or in all zones of that name)."""
    zone = laid(ref, scope.low)
    who, guards = owner(ref, scope)
    if who is None and zone.of:
        total: ir.Expr = ir.Const(0)
        for o in range(1, zone.owners + 1):
            total = add(total, lying(zone, ir.Const(o)))
        return total, guards
    return lying(zone, who), guards


def lying(zone: ZoneLayout, who: ir.Expr | None) -> ir.Expr:
    """How many cards lie in one zone."""
    if zone.array:
        return at(address(zone, who))
    assert who is not None
    return cell(zone.count, who)


def slot_read(ref: tree.ZoneRef, scope: Scope) -> tuple[ir.Expr, Guards]:
    """The card in a slot; an empty one is a run-time diagnostic (ask `is present`, or say `otherwise`)."""
    low = scope.low
    card, guards = slot_card(ref, scope)
    key = ("filled slot", ref.span)
    if key not in low.names:
        low.names[key] = name = low.unique(f"filled_{ref.zone.name}")
        fail = ir.Fail("X609", ref.span, f"the {ref.zone.name} slot is empty")
        body = (ir.Branch(ir.Not(ir.Local("c")), (fail,)), ir.Return(ir.Local("c")))
        low.function(name, "pure", ("c",), body, f"read the {ref.zone.name} slot", ref.span)
    return ir.Call(low.names[key], (card,)), guards


def slot_card(ref: tree.ZoneRef, scope: Scope) -> tuple[ir.Expr, Guards]:
    """The card in a slot, 0 if it is empty."""
    who, guards = owner(ref, scope)
    return _bottom(laid(ref, scope.low), who), guards


def end_card(ref: tree.ZoneRef, scope: Scope, *, top: bool) -> tuple[ir.Expr, Guards]:
    """The card on top of a zone or at its bottom, 0 if it is empty."""
    zone = laid(ref, scope.low)
    who, guards = owner(ref, scope)
    if not zone.array:
        assert who is not None
        return cell(zone.last if top else zone.first, who), guards
    if not top:
        return _bottom(zone, who), guards
    # The word that is so many behind the number of cards: of none that number itself, 0.
    cards = lying(zone, who)
    return ir.Cell(zone.base, cards if who is None else add(_offset(zone, who), cards)), guards


def _bottom(zone: ZoneLayout, who: ir.Expr | None) -> ir.Expr:
    where = address(zone, who)
    filled = at(where)
    card = at(add(where, ir.Const(1))) if isinstance(where, ir.Const) else ir.Cell(zone.base + 1, _offset(zone, who))
    return ir.If(filled, card, ir.Const(0))


def _offset(zone: ZoneLayout, who: ir.Expr | None) -> ir.Expr:
    assert who is not None
    return times(who, ir.Const(zone.stride))


def lies_in(card: ir.Expr, ref: tree.AnyZone, scope: Scope) -> tuple[ir.Expr, Guards]:
    """The condition that a card lies in a zone (or in any zone of that name)."""
    low = scope.low
    zone = laid(ref, low)
    who, guards = owner(ref, scope)
    where = cell(low.plan.where, card)
    if who is None and zone.of:
        return both(
            ir.Compare(">", where, ir.Const(zone.first_id)),
            ir.Compare("<=", where, ir.Const(zone.first_id + zone.owners)),
        ), guards
    return equal(where, zone_id(zone, who)), guards
