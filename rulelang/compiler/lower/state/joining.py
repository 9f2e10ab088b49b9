"""Joining pair cards to the thing at their other end, and parting them from it (see `pairs`)."""

from __future__ import annotations

from rulelang.base.source import NOWHERE
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import Lowering, when
from rulelang.compiler.lower.state import masks, pairs
from rulelang.compiler.lower.state.addresses import cell, chained, face_of, unchain

C, OWNER, N = ir.Local("c"), ir.Local("o"), ir.Local("n")


def join(low: Lowering) -> str:
    """`join(c, o)`: chains a card to its partner, if it has one."""
    kind = pairs.kind_of_pairs(low)
    assert kind is not None
    name = "join_pair"
    if name not in low.functions:
        laid = pairs.laid(low)
        body: list[ir.Stmt] = [
            ir.Set("n", ir.Cell(laid.first, OWNER)),
            *chained(laid.next, laid.prev, C, N, None),
            ir.Store(laid.first, OWNER, C),
            ir.Branch(pairs.is_mutual(low, C), (ir.CallRoutine(masks.came(low, kind), (C, OWNER, face_of(C, low))),)),
        ]
        low.function(name, "routine", ("c", "o"), when(OWNER, body), "join a pair", NOWHERE)
    return name


def part(low: Lowering) -> str:
    """`part(c)`: takes a card from its partner's chain; it has no partner any more."""
    kind = pairs.kind_of_pairs(low)
    assert kind is not None
    name = "part_pair"
    if name not in low.functions:
        laid = pairs.laid(low)
        body: list[ir.Stmt] = [
            *unchain(laid.next, laid.prev, C, ir.Store(laid.first, OWNER, N), None),
            ir.Store(low.plan.card_partner, C, ir.Const(0)),
            ir.Branch(pairs.is_mutual(low, C), (ir.CallRoutine(masks.left(low, kind), (C, OWNER, face_of(C, low))),)),
        ]
        partner = ir.Set("o", ir.Cell(low.plan.card_partner, C))
        low.function(name, "routine", ("c",), [partner, *when(OWNER, body)], "part a pair", NOWHERE)
    return name


def leave_all(low: Lowering, kind: str, thing: ir.Expr) -> list[ir.Stmt]:
    """When a thing is removed: what was joined to it stays where it lies, alone."""
    if pairs.kind_of_pairs(low) != kind:
        return []
    top = cell(pairs.laid(low).first, thing)
    return [ir.While(top, (ir.CallRoutine(part(low), (top,)),))]
