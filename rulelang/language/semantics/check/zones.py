"""Zones in rules: `deck`, `p.hand`, `hand of p`, `s.traits + s.new_traits`, `box`."""

from __future__ import annotations

from rulelang.base.english import a_quoted
from rulelang.base.nearest import did_you_mean
from rulelang.base.source import Span
from rulelang.language.semantics import tree
from rulelang.language.semantics.check import expressions
from rulelang.language.semantics.check.checker import Checker, article, fit, known
from rulelang.language.semantics.model import Zone
from rulelang.language.semantics.types import ref
from rulelang.language.syntax import nodes


def looks_like_zone(checker: Checker, node: nodes.Expr) -> bool:
    """True if the expression is written as a zone, so that its mistakes are those of a zone."""
    if isinstance(node, nodes.ZoneOf):
        return True
    if isinstance(node, nodes.Name):
        return checker.scope.find(node.id) is None and (node.id == "box" or bool(checker.symbols.zones_named(node.id)))
    if isinstance(node, nodes.Attribute):
        return any(not zone.slot and zone.of is not None for zone in checker.symbols.zones_named(node.name))
    return isinstance(node, nodes.Arith) and node.op == "+" and looks_like_zone(checker, node.left)


def zones(checker: Checker, node: nodes.Expr) -> tuple[tree.AnyZone, ...]:
    """All zones that an expression joins; empty after a diagnostic."""
    if isinstance(node, nodes.Arith) and node.op == "+":
        return zones(checker, node.left) + zones(checker, node.right)
    if isinstance(node, nodes.Name) and checker.scope.find(node.id) is None:
        if node.id == "box":
            return (tree.BoxRef(node.span),)
        found = checker.symbols.zones_named(node.id)
        if found:
            return (tree.ZoneRef(node.span, found[0], None),)
        _no_zone(checker, node.id, node.span, checker.symbols.zone_names())
        return ()
    if isinstance(node, nodes.ZoneOf):
        return _zone_of(checker, node)
    if isinstance(node, nodes.Attribute):
        return _zone_attribute(checker, node)
    expr = expressions.expr(checker, node, None)
    if known(expr.type):
        _not_a_zone(checker, expr)
    return ()


def one_zone(checker: Checker, node: nodes.Expr, why: str) -> tree.AnyZone | None:
    """A single zone; T407 if it is not said whose, or several are joined."""
    found = zones(checker, node)
    if len(found) > 1:
        checker.error("T407", node.span, "expected one zone, found several", because=why)
        return None
    if not found:
        return None
    zone = found[0]
    if isinstance(zone, tree.ZoneRef) and zone.owner is None and zone.zone.of is not None:
        name, of = zone.zone.short_name, zone.zone.of
        because = f"each `{of}` has a zone of this name"
        checker.error(
            "T407", node.span, f"the owner of `{name}` is missing", because=because, hint=f"write `{of.upper()}.{name}`"
        )
        return None
    return zone


def holds(zone: tree.AnyZone) -> str | None:
    """The sort that lies there; None for the box, which takes all."""
    return zone.zone.holds if isinstance(zone, tree.ZoneRef) else None


def _zone_of(checker: Checker, node: nodes.ZoneOf) -> tuple[tree.AnyZone, ...]:
    found = checker.symbols.zones_named(node.name)
    if not found:
        _no_zone(checker, node.name, node.name_span, checker.symbols.zone_names())
        return ()
    zone = found[0]
    if zone.of is None:
        expressions.expr(checker, node.owner, None)
        because = "the zone belongs to the game"
        checker.error("T407", node.span, f"`{node.name}` has no owner", because=because, hint=f"write `{node.name}`")
        return ()
    owner = expressions.expr(checker, node.owner, ref(zone.of))
    return (
        tree.ZoneRef(
            node.span, zone, fit(checker, owner, ref(zone.of), f"`{node.name}` is a zone of {a_quoted(zone.of)}")
        ),
    )


def _zone_attribute(checker: Checker, node: nodes.Attribute) -> tuple[tree.AnyZone, ...]:
    owner = expressions.expr(checker, node.object, None)
    if not known(owner.type):
        return ()
    of = owner.type.name if owner.type.tag == "ref" else ""
    zone = checker.symbols.zones_of(of).get(node.name)
    if zone is not None:
        return (tree.ZoneRef(node.span, zone, owner),)
    others = checker.symbols.zones_named(node.name)
    because = f"`{node.name}` is a zone of {_whose(others[0])}" if others else ""
    _no_zone(checker, node.name, node.name_span, list(checker.symbols.zones_of(of)), f"{owner.type}", because)
    return ()


def _whose(zone: Zone) -> str:
    return f"{a_quoted(zone.of)}" if zone.of is not None else "the game"


def _no_zone(checker: Checker, name: str, span: Span, names: list[str], of: str = "", because: str = "") -> None:
    message = f"{a_quoted(of)} has no zone `{name}`" if of else f"there is no zone `{name}`"
    because = because or "expected a zone"
    checker.error("T407", span, message, because=because, hint=did_you_mean(name, names))


def _not_a_zone(checker: Checker, expr: tree.Expr) -> None:
    checker.error("T407", expr.span, f"expected a zone, found {article(expr.type)}")
