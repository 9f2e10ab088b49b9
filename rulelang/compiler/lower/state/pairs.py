"""Pair cards: they lie on one end, and are chained to the other end as well.

By bearer `first`, by card `next` and `prev`: the chain of cards whose partner is that thing. A mutual pair's card also
sets the partner's mask, so that hooks and `has` find it from either end.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.base.layout import PairLayout
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import Lowering, both, when
from rulelang.compiler.lower.state.addresses import cell, face_of


def kind_of_pairs(low: Lowering) -> str | None:
    """The made kind whose things pair cards join; None where no card is laid with a partner."""
    return next(iter(low.plan.masks), None) if low.plan.card_partner else None


def laid(low: Lowering) -> PairLayout:
    """Where the chains lie. Call it only where there are such cards."""
    if low.plan.pairs is None:
        kind, cards = kind_of_pairs(low), len(low.plan.cards)
        assert kind is not None
        low.plan.pairs = PairLayout(
            kind, low.plan.claim(low.plan.rows_of(kind) + 1), low.plan.claim(cards), low.plan.claim(cards)
        )
    return low.plan.pairs


def chain(low: Lowering, kind: str, bearer: ir.Expr, name: str, body: Sequence[ir.Stmt]) -> list[ir.Stmt]:
    """Over the cards whose partner the bearer is."""
    if kind_of_pairs(low) != kind:
        return []
    return [ir.ForChain(name, cell(laid(low).first, bearer), laid(low).next, tuple(body))]


def is_mutual(low: Lowering, card: ir.Expr) -> ir.Expr:
    mutual = [0, *(int(t.pair == "mutual") for t in low.model.traits.values())]
    return ir.Table(low.table("mutual", mutual), face_of(card, low))


def mutual_from(low: Lowering, kind: str, bearer: ir.Expr, name: str, test: ir.Expr, body: Sequence[ir.Stmt]) -> list[
    ir.Stmt
]:  # fmt: skip
    """Over the mutual pair cards that the bearer is the partner of, and that satisfy a test on the card `name`."""
    then = when(both(is_mutual(low, ir.Local(name)), test), body)
    return chain(low, kind, bearer, name, then)
