"""Pair cards: they lie on one end, and are chained to the other end as well.

By bearer `first`, by card `next` and `prev`: the chain of cards whose partner is that thing. A mutual pair's card also
sets the partner's mask, so that hooks and `has` find it from either end.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.program import ir
from rulelang.program.lower.context import Lowering, both, once, when
from rulelang.program.lower.places import cell, face_of


@once
def columns(low: Lowering) -> tuple[int, int]:
    """Bases of the chain links by card."""
    return low.plan.claim(len(low.plan.cards)), low.plan.claim(len(low.plan.cards))


@once
def first(low: Lowering, kind: str) -> int:
    """Base of the chain starts by bearer."""
    return low.plan.claim(low.plan.rows_of(kind) + 1)


def kind_of_pairs(low: Lowering) -> str | None:
    """The made kind whose things pair cards join; None where no card is laid with a partner."""
    return next(iter(low.plan.masks), None) if low.plan.card_partner else None


def chain(low: Lowering, kind: str, bearer: ir.Expr, name: str, body: Sequence[ir.Stmt]) -> list[ir.Stmt]:
    """Over the cards whose partner the bearer is."""
    if kind_of_pairs(low) != kind:
        return []
    return [ir.ForChain(name, cell(first(low, kind), bearer), columns(low)[0], tuple(body))]


def is_mutual(low: Lowering, card: ir.Expr) -> ir.Expr:
    mutual = [0, *(int(t.pair == "mutual") for t in low.model.traits.values())]
    return ir.Table(low.table("mutual", mutual), face_of(card, low))


def mutual_from(low: Lowering, kind: str, bearer: ir.Expr, name: str, test: ir.Expr, body: Sequence[ir.Stmt]) -> list[
    ir.Stmt
]:  # fmt: skip
    """Over the mutual pair cards that the bearer is the partner of, and that satisfy a test on the card `name`."""
    then = when(both(is_mutual(low, ir.Local(name)), test), body)
    return chain(low, kind, bearer, name, then)
