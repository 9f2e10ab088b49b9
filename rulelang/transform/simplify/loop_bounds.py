"""A loop over numbers of which only those up to a limit count ends at the limit: `for n in 1..7: if n <= x`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulelang.ir import nodes as ir
from rulelang.ir.recursion import call_graph, components
from rulelang.ir.walk import (
    all_exprs,
    all_of,
    assigned,
    conjuncts,
    locals_read,
    readers,
    statements,
    with_blocks,
    with_inner,
)
from rulelang.transform.simplify.fold import fold


def tighten_loops(module: ir.Module) -> None:
    """Rewrite the functions that only read. The limit is worked out where the loop would not have come to it, so it
    must be one that cannot fail."""
    failing: set[str] = set()
    for group in components(call_graph(module)):
        for name in group:
            function = module.functions[name]
            if function.recursive or _fails(function.body, failing):
                failing.add(name)
    for function in readers(module):
        module.functions[function.name] = replace(function, body=_block(function.body, failing))


def _fails(block: ir.Block, failing: set[str]) -> bool:
    return any(
        isinstance(stmt, (ir.Fail, ir.Tick, ir.Ensure)) or any(not _safe(e, failing) for e in all_exprs(stmt))
        for stmt in statements(block)
    )


def _safe(expr: ir.Expr, failing: set[str]) -> bool:
    return not isinstance(expr, ir.Trial) and not (isinstance(expr, ir.Call) and expr.function in failing)


def _block(block: ir.Block, failing: set[str]) -> ir.Block:
    return tuple(_loop(with_blocks(stmt, lambda inner: _block(inner, failing)), failing) for stmt in block)


def _loop(stmt: Any, failing: set[str]) -> Any:
    if not isinstance(stmt, ir.ForRange):
        return stmt
    *ticks, last = stmt.body or (None,)
    if not isinstance(last, ir.Branch) or last.otherwise or not all(isinstance(t, ir.Tick) for t in ticks):
        return stmt
    first, *rest = conjuncts(last.test)
    match first:
        case ir.Compare("<=", ir.Local(name), limit) if name == stmt.name:
            end = fold(ir.Arith("+", limit, ir.Const(1)))
        case ir.Compare("<", ir.Local(name), limit) if name == stmt.name:
            end = limit
        case _:
            return stmt
    made = {stmt.name, *(name for s in statements(stmt.body) for name in assigned(s))}
    if locals_read(limit) & made or not all(_safe(e, failing) for e in with_inner(limit)):
        return stmt
    body = (ir.Branch(all_of(tuple(rest)), last.then),) if rest else last.then
    return replace(stmt, end=ir.MinMax("min", (stmt.end, end)), body=(*ticks, *body))
