"""The forms of a routine in which its decisions are plain statements.

* direct: every decision is taken on the spot, by counting: what playouts and trials run.
* drawn: the same with decisions drawn in whatever way is quickest: what random games from the start run.

Chance picks are plain in all forms, also where a routine waits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import with_blocks
from rulelang.compiler.passes.choice.alike import pick_card
from rulelang.compiler.passes.choice.counting import Choice, Enumerators, counting, on_the_spot
from rulelang.compiler.passes.choice.fuse import Room
from rulelang.compiler.passes.choice.listing import pick_listed
from rulelang.compiler.passes.choice.loops import Fresh
from rulelang.compiler.passes.choice.product import pick_product
from rulelang.compiler.passes.choice.strategy import Sampling
from rulelang.compiler.passes.choice.weighted import pick_weighted


class Forms:
    """Makes the forms of a module's routines, and the functions that these call. `inline`: whether the enumerators of a
    decision that is taken on the spot are counted in place."""

    def __init__(self, module: ir.Module, sampling: Sampling, room: Room) -> None:
        self.sampling = sampling
        lines = {kind.next: kind.per_owner for kind in module.layout.kinds.values() if kind.next and room.rounds}
        self.known = Enumerators(module.functions, sampling.shapes, module.rows, module.tables, room, lines)

    def direct(self, function: ir.Function) -> ir.Function:
        fresh = Fresh()
        return _each_pick(function, lambda stmt: on_the_spot(stmt, counting(stmt, self.known, fresh, True)))

    def drawn(self, function: ir.Function) -> ir.Function:
        fresh = Fresh()

        def pick(stmt: ir.Pick) -> ir.Block:
            found, known = self.sampling, self.known
            match found.strategies.get(stmt, ""):
                case "product":
                    return pick_product(stmt, found.nests, found.anything, known, fresh)
                case "weighted":
                    return pick_weighted(stmt, found.weighted, found.anything, known, fresh)
                case "listed":
                    return pick_listed(stmt, known, fresh)
                case "card":
                    return pick_card(stmt, found.nests, known.functions, fresh)
                case _:
                    return on_the_spot(stmt, counting(stmt, known, fresh, True))

        return _each_pick(function, pick)

    def chance(self, function: ir.Function) -> ir.Function:
        """What waits, or tells a host: only chance is plain."""
        fresh = Fresh()

        def pick(stmt: ir.Pick) -> ir.Block:
            return on_the_spot(stmt, counting(stmt, self.known, fresh, False)) if stmt.chance else (stmt,)

        return _each_pick(function, pick)

    def counted(self, stmt: ir.Pick) -> Choice:
        """A decision that is waited for, by the number of its option."""
        return counting(stmt, self.known, Fresh(), True)


def _each_pick(function: ir.Function, change: Callable[[ir.Pick], ir.Block]) -> ir.Function:
    def block(block: ir.Block) -> ir.Block:
        found: list[ir.Stmt] = []
        for stmt in block:
            if isinstance(stmt, ir.Pick):
                found += change(stmt)
            else:
                found.append(with_blocks(stmt, block_of))
        return tuple(found)

    block_of = block
    return replace(function, body=block(function.body))
