"""Zones in rules: `deck`, `p.hand`, `hand of p`, `s.traits + s.new_traits`, `box`."""

from __future__ import annotations

from rulelang.base.nearest import did_you_mean
from rulelang.base.source import Span
from rulelang.base.words import a_quoted
from rulelang.meaning import tree
from rulelang.meaning.check import expressions
from rulelang.meaning.check.desk import Desk, fit, known
from rulelang.meaning.check.symbols import short_name
from rulelang.meaning.model import Zone
from rulelang.meaning.types import ref
from rulelang.syntax import nodes


def looks_like_zone(desk: Desk, node: nodes.Expr) -> bool:
    """True if the expression is written as a zone, so that its mistakes are those of a zone."""
    if isinstance(node, nodes.ZoneOf):
        return True
    if isinstance(node, nodes.Name):
        return desk.scope.find(node.id) is None and (node.id == "box" or bool(desk.symbols.zones_named(node.id)))
    if isinstance(node, nodes.Attribute):
        return any(not zone.slot and zone.of is not None for zone in desk.symbols.zones_named(node.name))
    return isinstance(node, nodes.Arith) and node.op == "+" and looks_like_zone(desk, node.left)


def zones(desk: Desk, node: nodes.Expr) -> tuple[tree.AnyZone, ...]:
    """All zones that an expression joins; empty after a diagnostic."""
    if isinstance(node, nodes.Arith) and node.op == "+":
        return zones(desk, node.left) + zones(desk, node.right)
    if isinstance(node, nodes.Name) and desk.scope.find(node.id) is None:
        if node.id == "box":
            return (tree.BoxRef(node.span),)
        found = desk.symbols.zones_named(node.id)
        if found:
            return (tree.ZoneRef(node.span, found[0], None),)
        _no_zone(desk, node.id, node.span, desk.symbols.zone_names())
        return ()
    if isinstance(node, nodes.ZoneOf):
        return _zone_of(desk, node)
    if isinstance(node, nodes.Attribute):
        return _zone_attribute(desk, node)
    expr = expressions.expr(desk, node, None)
    if known(expr.type):
        _not_a_zone(desk, expr)
    return ()


def one_zone(desk: Desk, node: nodes.Expr, why: str) -> tree.AnyZone | None:
    """A single zone; T407 if it is not said whose, or several are joined."""
    found = zones(desk, node)
    if len(found) > 1:
        desk.error("T407", node.span, "these are several zones, and one is expected", because=why)
        return None
    if not found:
        return None
    zone = found[0]
    if isinstance(zone, tree.ZoneRef) and zone.owner is None and zone.zone.of is not None:
        name, of = short_name(zone.zone), zone.zone.of
        because = f"each `{of}` has a zone of this name, and {why}"
        desk.error("T407", node.span, f"whose `{name}` is meant?", because=because, hint=f"write `x.{name}`")
        return None
    return zone


def holds(zone: tree.AnyZone) -> str | None:
    """The sort that lies there; None for the box, which takes all."""
    return zone.zone.holds if isinstance(zone, tree.ZoneRef) else None


def _zone_of(desk: Desk, node: nodes.ZoneOf) -> tuple[tree.AnyZone, ...]:
    found = desk.symbols.zones_named(node.name)
    if not found:
        _no_zone(desk, node.name, node.name_span, desk.symbols.zone_names())
        return ()
    zone = found[0]
    if zone.of is None:
        expressions.expr(desk, node.owner, None)
        because = f"there is one `{node.name}`, which belongs to the game"
        desk.error("T407", node.span, f"`{node.name}` has no owner", because=because, hint=f"write `{node.name}`")
        return ()
    owner = expressions.expr(desk, node.owner, ref(zone.of))
    return (
        tree.ZoneRef(
            node.span, zone, fit(desk, owner, ref(zone.of), f"`{node.name}` is a zone of {a_quoted(zone.of)}")
        ),
    )


def _zone_attribute(desk: Desk, node: nodes.Attribute) -> tuple[tree.AnyZone, ...]:
    owner = expressions.expr(desk, node.object, None)
    if not known(owner.type):
        return ()
    of = owner.type.name if owner.type.tag == "ref" else ""
    zone = desk.symbols.zones_of(of).get(node.name)
    if zone is not None:
        return (tree.ZoneRef(node.span, zone, owner),)
    others = desk.symbols.zones_named(node.name)
    because = f"`{node.name}` is a zone of {_whose(others[0])}" if others else ""
    _no_zone(desk, node.name, node.name_span, list(desk.symbols.zones_of(of)), f"{owner.type}", because)
    return ()


def _whose(zone: Zone) -> str:
    return f"{a_quoted(zone.of)}" if zone.of is not None else "the game"


def _no_zone(desk: Desk, name: str, span: Span, names: list[str], of: str = "", because: str = "") -> None:
    message = f"{a_quoted(of)} has no zone `{name}`" if of else f"there is no zone `{name}`"
    because = because or "cards lie in zones, and one is expected here"
    desk.error("T407", span, message, because=because, hint=did_you_mean(name, names))


def _not_a_zone(desk: Desk, expr: tree.Expr) -> None:
    desk.error("T407", expr.span, "this is no zone", because="cards lie in zones, and one is expected here")
