"""What an expression takes to work out, as far as passes ask."""

from __future__ import annotations

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import with_inner


def size(expr: ir.Expr) -> int:
    """Its nodes."""
    return sum(1 for _ in with_inner(expr))


def expensive(expr: ir.Expr) -> bool:
    """Whether it takes more than a few words: it calls, tries, or looks through a zone."""
    return any(isinstance(e, (ir.Call, ir.Trial, ir.ArrayHas)) for e in with_inner(expr))
