"""`copy cards on X`: the bearer works as if it also bore the cards on X.

A bearer's own mask does not hold what it copies: that may change with every guard. So where a program copies at all,
asking for a trait also asks the copies, and going over the cards of a trait also goes over those on X.
"""

from __future__ import annotations

from collections.abc import Callable

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import FALSE, TRUE, Lowering, Scope, both, when
from rulelang.compiler.lower.expr.expressions import cond, through
from rulelang.compiler.lower.expr.roles import bind_roles, partner_at, trait_number
from rulelang.compiler.lower.state import masks
from rulelang.compiler.lower.state.addresses import cell, owner_of


def copiers(kind: str, low: Lowering) -> int:
    """How many cards there are with which things of a kind copy others."""
    traits = {low.model.traits[rule.origin.name].number for rule in low.graph.copies_on(kind)}
    return sum(not traits.isdisjoint(card.faces) for card in low.plan.cards)


def each_source(kind: str, bearer: ir.Expr, low: Lowering, body: Callable[[ir.Expr], list[ir.Stmt]]) -> list[ir.Stmt]:
    """Runs `body` for every other bearer whose cards this one copies now (copies of copies do not count)."""
    out: list[ir.Stmt] = []
    for rule in low.graph.copies_on(kind):
        number = trait_number(rule.origin, low)
        for zone in masks.force_zones(low, kind):
            scope = Scope(low, f"copy_{rule.origin.name}")
            name = scope.fresh("copier")
            card = ir.Local(name)
            partner = partner_at(rule, card, bearer, low)
            bind_roles(rule, scope, card, bearer, owner_of(kind, bearer, low), partner)
            source, guards = through(rule.on, scope)
            guard = cond(rule.guard, scope) if rule.guard is not None else TRUE
            other = ir.Compare("!=", source, bearer)
            then = when(both(masks.works(low, card, ir.Const(number)), guard, *guards, other), body(source))
            own = masks.own_bit(low, kind, bearer, number)
            out += when(own, [ir.ForChain(name, cell(zone.first, bearer), low.plan.card_next, tuple(then))])
    return out


def copied(kind: str, low: Lowering) -> str:
    """`copied_KIND(o, t)`: 1 if the bearer copies a working card of trait t."""
    name = f"copied_{kind}"
    if name not in low.functions and name not in low.pending:
        low.pending.add(name)
        span = low.graph.copies_on(kind)[0].span
        body = each_source(
            kind, ir.Local("o"), low,
            lambda x: when(masks.own_bit_of(low, kind, x, ir.Local("t")), [ir.Return(TRUE)]),
        )  # fmt: skip
        low.function(name, "pure", ("o", "t"), [*body, ir.Return(FALSE)], "copied cards", span)
    return name
