"""Which locals surely have a value at each statement (definite assignment)."""

from __future__ import annotations

from collections.abc import Callable

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import LOOPS, assigned

Known = frozenset[str]


def flow(block: ir.Block, known: Known, visit: Callable[[ir.Stmt, Known], None]) -> Known | None:
    """Call `visit` for every statement that can be reached, with the locals that surely have a value before it.

    Answers the locals known at the end, or None if the end is never reached.
    """
    return _Flow(visit).block(block, known)


class _Flow:
    def __init__(self, visit: Callable[[ir.Stmt, Known], None]) -> None:
        self.visit = visit
        self.breaks: list[list[Known]] = []

    def block(self, block: ir.Block, known: Known | None) -> Known | None:
        for stmt in block:
            if known is None:
                break
            known = self.statement(stmt, known)
        return known

    def statement(self, stmt: ir.Stmt, known: Known) -> Known | None:
        self.visit(stmt, known)
        if isinstance(stmt, ir.Break):
            if self.breaks:
                self.breaks[-1].append(known)
            return None
        if isinstance(stmt, (ir.Return, ir.ReturnMany, ir.Unreachable, ir.Continue, ir.Fail, ir.Pause, ir.Exhausted)):
            return None
        if isinstance(stmt, ir.Branch):
            then, otherwise = self.block(stmt.then, known), self.block(stmt.otherwise, known)
            if then is None or otherwise is None:
                return otherwise if then is None else then
            return then & otherwise
        if isinstance(stmt, ir.Given):
            return self.block(stmt.body, known)
        if isinstance(stmt, ir.EnterRoutine):
            self.block(stmt.body, known)
            return known
        if isinstance(stmt, LOOPS):
            self.breaks.append([])
            self.block(stmt.body, known.union(assigned(stmt)))
            breaks = self.breaks.pop()
            if isinstance(stmt, ir.While) and isinstance(stmt.test, ir.Const) and stmt.test.value:
                return frozenset.intersection(*breaks) if breaks else None  # only its breaks lead on
            return known
        return known.union(assigned(stmt))
