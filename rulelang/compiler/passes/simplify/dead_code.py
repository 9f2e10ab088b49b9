"""What nobody hears of a routine is left out of its silent forms: lines of the log, and all that was worked out for
them alone (dead code elimination; names are looked at without regard to the order of statements)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import cast

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import FOR_LOOPS, child_exprs, locals_read, statements, with_blocks
from rulelang.compiler.passes.analysis.failing import may_fail

#: Statements that make or change a local and nothing else; the last four, a list that is there.
_LOCAL = (ir.Set, ir.NewList, ir.ArrayToList, ir.ArrayView, ir.Append, ir.TakeAt, ir.Sort, ir.KeepBest)


def silent(function: ir.Function, failing: set[str]) -> ir.Function:
    """The function without its log. `failing`: functions that may fail, whose calls stay (see `analysis.failing`)."""
    body = _without_log(function.body)
    while True:
        shorter = _live(body, set(_read(body)), failing)
        if shorter == body:
            return replace(function, body=body)
        body = shorter


def _without_log(block: ir.Block) -> ir.Block:
    return tuple(with_blocks(stmt, _without_log) for stmt in block if not isinstance(stmt, (ir.Log, ir.LogEnd)))


def _read(block: ir.Block) -> Iterator[str]:
    """The names of all locals that are read in a block. A list is not read by what only changes it."""
    for stmt in statements(block):
        yield from locals_read(stmt)
        if isinstance(stmt, ir.Given):
            yield from stmt.names
        elif not isinstance(stmt, _LOCAL) and isinstance(found := getattr(stmt, "list", None), str):
            yield found


def _live(block: ir.Block, read: set[str], failing: set[str]) -> ir.Block:
    """The block without what makes only locals that nobody reads, and without what does nothing then."""
    found: list[ir.Stmt] = []
    for old in block:
        stmt = with_blocks(old, lambda inner: _live(inner, read, failing))
        if any(may_fail(expr, failing) for expr in child_exprs(stmt)):
            found.append(stmt)
        elif isinstance(stmt, _LOCAL):
            if cast(str, getattr(stmt, "list", None) or getattr(stmt, "name", "")) in read:
                found.append(stmt)
        elif isinstance(stmt, ir.Branch):
            if stmt.then or stmt.otherwise:
                found.append(stmt)
        elif not isinstance(stmt, FOR_LOOPS) or stmt.body:
            found.append(stmt)
    return tuple(found)
