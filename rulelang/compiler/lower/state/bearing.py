"""Which traits a bearer bears: by cards of its own, whose bits are in its mask, or by those that it copies."""

from __future__ import annotations

from rulelang.base.source import NOWHERE
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import Lowering, either
from rulelang.compiler.lower.state import copying, masks


def bears(low: Lowering, kind: str, bearer: ir.Expr, trait: int) -> ir.Expr:
    """The condition that the bearer bears the trait: by a card of its own, or by one that it copies."""
    if kind not in low.plan.masks:
        return ir.Const(0)
    own = masks.own_bit(low, kind, bearer, trait)
    if not low.graph.copies_on(kind):
        return own
    return either(own, ir.Call(copying.copied(kind, low), (bearer, ir.Const(trait))))


def bears_any_of(low: Lowering, kind: str, bearer: ir.Expr, trait: ir.Expr) -> ir.Expr:
    """As `bears`, for a trait that is computed."""
    if kind not in low.plan.masks:
        return ir.Const(0)
    own = masks.own_bit_of(low, kind, bearer, trait)
    if not low.graph.copies_on(kind) or own == ir.Const(0):
        return own
    return either(own, ir.Call(copying.copied(kind, low), (bearer, trait)))


def bears_many(low: Lowering, kind: str, bearer: ir.Expr, trait: int) -> ir.Expr:
    """The condition that more than one card of the trait may count (then they are counted)."""
    if low.graph.copies_on(kind):
        return ir.Const(1)
    word, b = masks.bit(trait)
    return ir.Arith("&", masks.mask_cell(low, kind, bearer, word, multi=True), ir.Const(b))


def copies(low: Lowering, kind: str) -> str:
    """`copies_KIND(o, t)`: how many working cards of a trait the bearer bears."""
    if not low.graph.copies_on(kind):
        return masks.own_copies(low, kind)
    name = f"copies_{kind}"
    if name not in low.functions and name not in low.pending:
        low.pending.add(name)
        own = masks.count_on(low, kind, ir.Local("o"))
        copied = copying.each_source(kind, ir.Local("o"), low, lambda x: masks.count_on(low, kind, x))
        body = (ir.Set("n", ir.Const(0)), *own, *copied, ir.Return(ir.Local("n")))
        low.function(name, "pure", ("o", "t"), body, "count cards", NOWHERE)
    return name
