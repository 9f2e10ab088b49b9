"""Pair cards: they lie on one end, and are chained to the other end as well.

By bearer `first`, by card `next` and `prev`: the chain of cards whose partner is that thing. A mutual pair's card also
sets the partner's mask, so that hooks and `has` find it from either end.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.base.source import NOWHERE
from rulelang.program import ir
from rulelang.program.lower.context import Lowering, both, when
from rulelang.program.lower.places import cell, chained, face_of, unchain

C, OWNER, N = ir.Local("c"), ir.Local("o"), ir.Local("n")


def columns(low: Lowering) -> tuple[int, int]:
    """Bases of the chain links by card."""
    known = low.memo.get("pair links")
    if not isinstance(known, tuple):
        known = (low.plan.claim(len(low.plan.cards)), low.plan.claim(len(low.plan.cards)))
        low.memo["pair links"] = known
    return known


def first(low: Lowering, kind: str) -> int:
    """Base of the chain starts by bearer."""
    key = ("pair first", kind)
    base = low.memo.get(key)
    if not isinstance(base, int):
        base = low.plan.claim(low.plan.rows_of(kind) + 1)
        low.memo[key] = base
    return base


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


def join(low: Lowering) -> str:
    """`join(c, o)`: chains a card to its partner, if it has one."""
    from rulelang.program.lower import masks

    kind = kind_of_pairs(low)
    assert kind is not None
    name = "join_pair"
    if name not in low.functions:
        following, before = columns(low)
        start = first(low, kind)
        body: list[ir.Stmt] = [
            ir.Set("n", ir.Cell(start, OWNER)),
            *chained(following, before, C, N, None),
            ir.Store(start, OWNER, C),
            ir.Branch(is_mutual(low, C), (ir.CallRoutine(masks.came(low, kind), (C, OWNER, face_of(C, low))),)),
        ]
        low.function(name, "routine", ("c", "o"), when(OWNER, body), "join a pair", NOWHERE)
    return name


def part(low: Lowering) -> str:
    """`part(c)`: takes a card from its partner's chain; it has no partner any more."""
    from rulelang.program.lower import masks

    kind = kind_of_pairs(low)
    assert kind is not None
    name = "part_pair"
    if name not in low.functions:
        following, before = columns(low)
        start = first(low, kind)
        body: list[ir.Stmt] = [
            *unchain(following, before, C, ir.Store(start, OWNER, N), None),
            ir.Store(low.plan.card_partner, C, ir.Const(0)),
            ir.Branch(is_mutual(low, C), (ir.CallRoutine(masks.left(low, kind), (C, OWNER, face_of(C, low))),)),
        ]
        partner = ir.Set("o", ir.Cell(low.plan.card_partner, C))
        low.function(name, "routine", ("c",), [partner, *when(OWNER, body)], "part a pair", NOWHERE)
    return name


def leave_all(low: Lowering, kind: str, thing: ir.Expr) -> list[ir.Stmt]:
    """When a thing is removed: what was joined to it stays where it lies, alone."""
    if kind_of_pairs(low) != kind:
        return []
    top = cell(first(low, kind), thing)
    return [ir.While(top, (ir.CallRoutine(part(low), (top,)),))]


def mutual_from(low: Lowering, kind: str, bearer: ir.Expr, name: str, test: ir.Expr, body: Sequence[ir.Stmt]) -> list[
    ir.Stmt
]:  # fmt: skip
    """Over the mutual pair cards that the bearer is the partner of, and that satisfy a test on the card `name`."""
    then = when(both(is_mutual(low, ir.Local(name)), test), body)
    return chain(low, kind, bearer, name, then)
