"""How long cards have lain in force on things: `card c on s` lists the oldest first, and of two cards of one trait on
one bearer the older acts first.

What a thing's zone holds stands in it oldest first. But a card may also lie at the other end of a pair, in another zone
or under older ones, and a bearer may work through what it copies. So where cards have to be told apart by age, each
that is laid in force is given the next number.
"""

from __future__ import annotations

from rulelang.base.layout import ZoneLayout
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import Lowering, once
from rulelang.compiler.lower.state import masks, pairs
from rulelang.language.semantics import tree


@once
def matters(low: Lowering) -> bool:
    """Whether the order in which cards lie may not tell which of them is older.

    Whether anything lists the cards on a thing is not asked: scenarios do that too, and of states that are laid out
    already.
    """
    listed = any(scattered(kind, sort, low) for kind in low.plan.masks for sort in low.plan.sorts)
    return listed or any(_apart(hook, low) for hook in low.program.triggers)


@once
def scattered(kind: str, sort: str, low: Lowering) -> bool:
    """Whether cards of a sort on a thing may not be found oldest first."""
    first, last = low.plan.sorts[sort]
    zones = [zone for zone in low.plan.zones.values() if zone.in_force and zone.of == kind and zone.holds == sort]
    elsewhere = len(zones) > 1 or pairs.kind_of_pairs(low) == kind or low.plan.features.under
    return bool(zones) and last > first and elsewhere


def _apart(hook: tree.Trigger, low: Lowering) -> bool:
    """Whether several cards of the trait may act together that are not found one after the other, oldest first."""
    if hook.origin.what != "trait" or hook.always or hook.bearer.self is None or hook.kind == "instead of":
        return False
    trait, kind = low.model.traits[hook.origin.name], hook.bearer.self.type.name
    if sum(trait.number in card.faces for card in low.plan.cards) < 2:
        return False
    alike = [h for h in low.graph.hooks_on[hook.pattern.event] if h.origin == hook.origin and h.kind == hook.kind]
    return (
        len(alike) > 1  # each card sets off all of its hooks before the next one
        or trait.pair == "mutual"
        or low.plan.features.under
        or len(masks.force_zones(low, kind)) > 1
        or bool(low.graph.copies_on(kind))
    )


@once
def column(low: Lowering) -> int:
    """Base of the words that say, by card, when it was laid. The word of handle 0 counts the cards that were."""
    return low.plan.claim(len(low.plan.cards))


def laid(low: Lowering, zone: ZoneLayout, card: ir.Expr) -> list[ir.Stmt]:
    """After a card was laid in a zone."""
    if not zone.in_force or zone.of not in low.plan.masks or not matters(low):
        return []
    count = ir.Cell(column(low))
    return [ir.Add(column(low), None, ir.Const(1)), ir.Store(column(low), card, count)]
