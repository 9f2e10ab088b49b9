"""Loops that wait for decisions inside become While loops with their cursors as plain locals.

So all that a paused loop needs is a named local, and both backends write the same frames. Hidden locals are named
`x@at`, `x@end`, ...; the character `@` stands in no other name.
"""

from __future__ import annotations

from dataclasses import replace

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import FOR_LOOPS, with_blocks
from rulelang.compiler.passes.suspend.suspension import holds_pause


def open_loops(function: ir.Function, module: ir.Module) -> ir.Function:
    """The function with every counted loop that may pause inside opened. Rows used go to `Module.tables`, flat."""
    return replace(function, body=_Opener(module).block(function.body))


class _Opener:
    def __init__(self, module: ir.Module) -> None:
        self.module = module
        self.used: dict[str, int] = {}

    def block(self, block: ir.Block) -> ir.Block:
        found: list[ir.Stmt] = []
        for stmt in block:
            inner = with_blocks(stmt, self.block)
            if isinstance(inner, FOR_LOOPS) and holds_pause(inner.body, self.module):
                found += self.loop(inner)
            elif isinstance(inner, (ir.Pick, ir.Stop, ir.CallRoutine)):
                found.append(replace(inner))  # one object a place: frames tell pausing points apart by identity
            else:
                found.append(inner)
        return tuple(found)

    def loop(self, loop: ir.ForRange | ir.ForChain | ir.ForArray | ir.ForList | ir.ForTable) -> list[ir.Stmt]:
        name = loop.name
        self.used[name] = count = self.used.get(name, 0) + 1
        tag = name if count == 1 else f"{name}{count}"
        at, end = f"{tag}@at", f"{tag}@end"
        here, step = ir.Local(at), ir.Set(at, ir.Arith("+", ir.Local(at), ir.Const(1)))
        body = loop.body
        match loop:
            case ir.ForRange():
                start: list[ir.Stmt] = [ir.Set(at, loop.low), ir.Set(end, loop.end)]
                test: ir.Expr = ir.Compare("<", here, ir.Local(end))
                head: ir.Block = (ir.Set(name, here), step)
            case ir.ForChain():
                start = [ir.Set(at, loop.first)]
                test = here
                head = (ir.Set(name, here), ir.Set(at, ir.Cell(loop.next, here)))
            case ir.ForArray():
                start = [ir.Set(end, loop.zone), ir.Set(at, ir.Const(0))]
                test = ir.Compare("<", here, ir.Cell(0, ir.Local(end)))
                head = (step, ir.Set(name, ir.Cell(0, ir.Arith("+", ir.Local(end), here))))
            case ir.ForList():
                start = [ir.Set(at, ir.Const(0))]
                test = ir.Compare("<", here, ir.Length(loop.list))
                head = (ir.Set(name, ir.Item(loop.list, here)), step)
            case ir.ForTable():
                items, ends, width = self.row(loop.row)
                start = [
                    ir.Set(at, ir.Arith("*", loop.index, ir.Const(width))),
                    ir.Set(end, ir.Arith("+", here, ir.Table(ends, loop.index))),
                ]
                test = ir.Compare("<", here, ir.Local(end))
                head = (ir.Set(name, ir.Table(items, here)), step)
        return [*start, ir.While(test, (*head, *body))]

    def row(self, name: str) -> tuple[str, str, int]:
        """The rows as two flat tables (items at a fixed width, lengths), and that width."""
        rows = self.module.rows[name]
        width = max((len(row) for row in rows), default=0)
        items, ends = f"{name}@items", f"{name}@ends"
        if items not in self.module.tables:
            self.module.tables[items] = tuple(v for row in rows for v in (*row, *([0] * (width - len(row)))))
            self.module.tables[ends] = tuple(len(row) for row in rows)
        return items, ends, width
