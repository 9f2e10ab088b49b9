"""Loops over things and cards whose number is kept in the state: by slot, they may end with the last one that is there;
along a chain, the number tells the processor sooner than the chain that it ends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rulelang.base.layout import Layout
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import all_of, assigned, conjuncts, statements
from rulelang.compiler.passes.target.rows import quiet

#: What makes things, or loses them.
_CALLS = (ir.CallRoutine, ir.EnterRoutine, ir.Fill, ir.Point)


@dataclass(frozen=True, slots=True)
class Slots:
    """`count`: how many the owner has; `alive`: whether one lies in the slot; `body`: what is done with it; `most`: the
    last slot of all owners."""

    count: ir.Expr
    alive: ir.Expr
    body: ir.Block
    most: int


def links(layout: Layout) -> dict[tuple[int, int], int]:
    """By the columns of what comes first and next, the column of how many there are."""
    lines = {(kind.first, kind.next): kind.count for kind in layout.kinds.values() if kind.next}
    zones = (zone for zone in layout.zones.values() if not zone.array)
    return {**lines, **{(zone.first, layout.card_next): zone.count for zone in zones}}


def chained(loop: ir.ForChain, counts: Mapping[tuple[int, int], int]) -> ir.Expr | None:
    """How many a loop along a chain goes over; None where that is not known, or where it might change."""
    if not isinstance(loop.first, ir.Cell):
        return None
    if not all(map(quiet, statements(loop.body))):
        return None
    count = counts.get((loop.first.base, loop.next))
    return None if count is None else ir.Cell(count, loop.first.index)


def things_of(loop: ir.ForRange, layout: Layout) -> Slots | None:
    """None where a loop goes over something else, or might change what there is."""
    if len(loop.body) != 1 or not isinstance(branch := loop.body[0], ir.Branch) or branch.otherwise:
        return None
    alive, *tests = conjuncts(branch.test)
    if not isinstance(alive, ir.Cell) or alive.index != ir.Local(loop.name):
        return None
    kind = next((kind for kind in layout.kinds.values() if kind.alive == alive.base and not kind.next), None)
    if kind is None:
        return None
    match loop.low, loop.end:
        case ir.Const(low), ir.Const(end) if (low - 1) % kind.per_owner == 0 and end - low == kind.per_owner:
            owner: ir.Expr = ir.Const(low // kind.per_owner + 1)
        case ir.Arith("+", ir.Arith("*", owner, ir.Const(per)), ir.Const(first)), ir.Arith(
            "+", same, ir.Const(more)
        ) if same == loop.low and per == more == kind.per_owner == 1 - first:
            pass
        case _:
            return None
    kept = {kind.alive, kind.count}
    for stmt in statements(branch.then):
        if isinstance(stmt, _CALLS) or loop.name in assigned(stmt):
            return None
        if isinstance(stmt, ir.Store | ir.Add) and stmt.base in kept:
            return None
    body = (ir.Branch(all_of(tuple(tests)), branch.then),) if tests else branch.then
    return Slots(ir.Cell(kind.count, owner), alive, body, kind.owners * kind.per_owner)
