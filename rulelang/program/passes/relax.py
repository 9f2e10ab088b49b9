"""Supersets of enumerators that are quickly counted, for decisions that are drawn at random (see `decisions/11`).

Of loops that stand in each other the innermost is freed of the tests inside it, if they are dear, so that lengths alone
tell how many options there are. An option drawn from the superset is legal if it passes the tests that were left out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from rulelang.program import ir
from rulelang.program.passes.walk import FOR_LOOPS, conjuncts, locals_read, with_inner


@dataclass(frozen=True, slots=True)
class Relaxed:
    """`function` yields a superset. `tests` were left out of it: expressions over the parameters and the `values`,
    locals that name what an option holds."""

    function: ir.Function
    tests: tuple[ir.Expr, ...]
    values: tuple[str, ...]


def relax(function: ir.Function) -> Relaxed | None:
    """The superset of an enumerator; None if it has another shape, or nothing would be gained."""
    path: list[Any] = []  # loops, tests and ticks, the outermost first
    block = function.body
    while True:
        while block and isinstance(block[0], ir.Tick):
            path.append(block[0])
            block = block[1:]
        if len(block) != 1:
            return None
        stmt: Any = block[0]
        if isinstance(stmt, ir.Branch) and not stmt.otherwise:
            path += conjuncts(stmt.test)
            block = stmt.then
        elif isinstance(stmt, FOR_LOOPS):
            path.append(stmt)
            block = stmt.body
        else:
            break
    if not isinstance(stmt, ir.Yield) or stmt.compels not in (None, ir.Const(0)):
        return None
    values = tuple(v.name for v in stmt.values if isinstance(v, ir.Local))
    if len(values) != len(stmt.values) or len(set(values)) < len(values):
        return None
    found = _freed(path, {*function.params, *values})
    if found is None:
        return None
    kept, tests = found
    return Relaxed(replace(function, name=f"{function.name}~", body=_nested(kept, stmt)), tests, values)


def _freed(path: list[Any], known: set[str]) -> tuple[list[Any], tuple[ir.Expr, ...]] | None:
    """The path with its innermost loops freed, and the tests left out; None if that cannot be done, or is no gain.

    The innermost loop is freed of what is dear to test; those around it only if they have no tests of their own.
    """
    places = [i for i, step in enumerate(path) if isinstance(step, FOR_LOOPS)]
    best: tuple[list[Any], tuple[ir.Expr, ...]] | None = None
    for start in reversed(places):
        loops = [step for step in path[start:] if isinstance(step, FOR_LOOPS)]
        own = {loop.name for loop in loops}
        if any(isinstance(loop, ir.ForChain) and loop.length is None for loop in loops):
            break
        if any(locals_read(replace(loop, body=())) & own for loop in loops):
            break
        # The steps of a freed loop need no budget: it is not gone through.
        inside = [step for step in path[start:] if not isinstance(step, (*FOR_LOOPS, ir.Tick))]
        left_out = tuple(test for test in inside if locals_read(test) & own)
        if best is not None and left_out != best[1]:
            break
        if not any(map(_dear, left_out)) or any(not locals_read(test) <= known for test in left_out):
            break
        fixed = [test for test in inside if not locals_read(test) & own]
        best = [*path[:start], *fixed, *loops], left_out
    return best


def _dear(test: ir.Expr) -> bool:
    return any(isinstance(e, (ir.Call, ir.Trial, ir.ArrayHas)) for e in with_inner(test))


def _nested(path: list[Any], last: ir.Yield) -> ir.Block:
    block: ir.Block = (last,)
    for step in reversed(path):
        if isinstance(step, ir.Tick):
            block = (step, *block)
        else:
            block = (replace(step, body=block) if isinstance(step, FOR_LOOPS) else ir.Branch(step, block),)
    return block
