"""Words of the state by handle: a column's cell, a card's face and partner, whose a thing is."""

from __future__ import annotations

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import TRUE, Lowering, once


def cell(base: int, index: ir.Expr) -> ir.Expr:
    return ir.Cell(base + index.value) if isinstance(index, ir.Const) else ir.Cell(base, index)


def face_of(card: ir.Expr, low: Lowering) -> ir.Expr:
    plan = low.plan
    if plan.card_face:
        return cell(plan.card_face, card)
    return ir.Table(low.table("face", [c.faces[0] if len(c.faces) == 1 else 0 for c in plan.cards]), card)


def unsilenced(card: ir.Expr, low: Lowering) -> ir.Expr:
    """The condition that a card is not silenced."""
    return ir.Not(cell(low.plan.silent, card)) if low.plan.silent else TRUE


def partner_of(card: ir.Expr, low: Lowering) -> ir.Expr:
    return cell(low.plan.card_partner, card) if low.plan.card_partner else ir.Const(0)


def lies_on(kind: str, card: ir.Expr, low: Lowering) -> ir.Expr:
    """The thing of a kind that a card lies on, 0 if it lies elsewhere: a card in a player's hand lies on nothing."""
    return ir.Table(_lying(kind, low), cell(low.plan.where, card))


@once
def _lying(kind: str, low: Lowering) -> str:
    """The table of the things of a kind that zones belong to."""
    plan = low.plan
    kinds = {z.name: z.of for z in plan.zones.values()}
    on = [o if kinds.get(name) == kind else 0 for o, name in zip(plan.zone_owner, plan.zone_names, strict=True)]
    return low.table(f"on_{kind}", on)


def owner_of(kind: str, obj: ir.Expr, low: Lowering) -> ir.Expr:
    """The player whose a thing or card is."""
    plan = low.plan
    if kind == "player":
        return obj
    if plan.is_made(kind):
        return ir.Table(_owners(kind, low), obj)
    return ir.Table(low.table("zone_player", plan.zone_player), cell(plan.where, obj))


@once
def _owners(kind: str, low: Lowering) -> str:
    """The table of the players whose things of a kind are."""
    per = low.plan.kinds[kind].per_owner
    return low.table(f"owner_{kind}", [0, *((h - 1) // per + 1 for h in range(1, low.plan.rows_of(kind) + 1))])


def chained(toward: int, back: int, item: ir.Expr, end: ir.Expr, alone: ir.Stmt | None) -> list[ir.Stmt]:
    """Link an item that is in no chain to what was the `end` of one, in such columns; `alone` if there was nothing."""
    links = (ir.Store(toward, item, end), ir.Store(back, end, item))
    return [ir.Branch(end, links, () if alone is None else (alone,))]


def unchain(next_: int, prev: int, item: ir.Expr, first: ir.Stmt, last: ir.Stmt | None, *,
            foremost: bool = False) -> list[ir.Stmt]:  # fmt: skip
    """Take an item out of a chain with such columns. `first` stores the local `n`, which comes behind it, as the
    chain's first; `last` the local `p`, which comes before it, as its last. `foremost`: nothing comes before it."""
    p, n, none = ir.Local("p"), ir.Local("n"), ir.Const(0)
    joined: ir.Stmt = ir.Branch(p, (ir.Store(next_, p, n), ir.Store(prev, item, none)), (first,))
    return [
        ir.Set("p", none if foremost else ir.Cell(prev, item)),
        ir.Set("n", ir.Cell(next_, item)),
        first if foremost else joined,
        ir.Branch(n, (ir.Store(prev, n, p), ir.Store(next_, item, none)), () if last is None else (last,)),
    ]
