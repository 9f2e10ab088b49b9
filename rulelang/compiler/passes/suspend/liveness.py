"""Which locals may still be read after a statement: only those need a place in the frame of a routine that waits."""

from __future__ import annotations

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import LOOPS, blocks, locals_read, statements

Live = frozenset[str]


def live_after(function: ir.Function) -> dict[int, Live]:
    """By the identity of each statement: the locals that it reads itself or that anything reads that may run after it.

    It may be asked again for its options, so its own reads count. Inside a loop everything in the loop may run after.
    """
    found: dict[int, Live] = {}
    _block(function.body, frozenset(), found)
    return found


def _block(block: ir.Block, after: Live, found: dict[int, Live]) -> Live:
    """Answers what the block and all after it may read."""
    for stmt in reversed(block):
        inside = _reads(stmt)
        if isinstance(stmt, LOOPS):
            whole = after.union(*(_reads(s) for s in statements((stmt,))))
            for inner in blocks(stmt):
                _block(inner, whole, found)
            after = whole
        else:
            parts = [_block(inner, after, found) for inner in blocks(stmt)]
            after = after.union(inside, *parts)
        found[id(stmt)] = after
    return after


def _reads(stmt: ir.Stmt) -> Live:
    own = locals_read(stmt)
    name = getattr(stmt, "list", None)
    return frozenset(own | {name} if isinstance(name, str) else own)
