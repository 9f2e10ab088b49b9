"""What a backend must know of an enumerator to count its options and to find one of them again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rulelang.base.node import record
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import (
    FOR_LOOPS,
    LOOPS,
    all_of,
    assigned,
    conjuncts,
    has_break,
    has_continue,
    locals_read,
    statements,
    substitute,
    with_inner,
)

Loop = ir.ForRange | ir.ForChain | ir.ForArray | ir.ForList | ir.ForTable


@record
class Shape:
    """What a pick must know of an enumerator. `memo`: the outermost loop whose rounds the counter notes."""

    arity: int
    compels: bool
    hoisted: tuple[tuple[ir.Expr, str], ...]
    memo: Loop | None
    flat: bool  # at most one loop deep, and some loop must be gone through to be counted
    single: bool  # as `flat`, but an option may compel


def shape(function: ir.Function) -> Shape:
    yields = [s for s in statements(function.body) if isinstance(s, ir.Yield)]
    compels = any(y.compels not in (None, ir.Const(0)) for y in yields)
    depth = _depth(function.body)
    walked = any(isinstance(s, LOOPS) and not is_length(s) for s in statements(function.body))
    return Shape(
        len(yields[0].values) if yields else 0,
        compels,
        tuple(_hoisted(function)),
        _memo_loop(function, function.body),
        depth <= 1 and walked and not compels,
        _one_loop(function) and all(y.values for y in yields),
    )


def may_compel(stmt: ir.Pick, shapes: Mapping[str, Shape]) -> bool:
    """Whether an option of a decision may forbid to pass, which else could be offered."""
    return stmt.may_pass != ir.Const(0) and any(shapes[source.enumerator].compels for source in stmt.sources)


def _one_loop(function: ir.Function) -> bool:
    """Whether there is one loop, gone through item by item. (Two over the same things would be counted as one.)"""
    loops = [s for s in statements(function.body) if isinstance(s, LOOPS)]
    return len(loops) == 1 and isinstance(loops[0], FOR_LOOPS) and not is_length(loops[0])


def _depth(block: ir.Block) -> int:
    found = 0
    for stmt in block:
        if isinstance(stmt, ir.Branch):
            found = max(found, _depth(stmt.then), _depth(stmt.otherwise))
        elif isinstance(stmt, LOOPS):
            found = max(found, 1 + _depth(stmt.body))
    return found


def is_length(stmt: ir.Stmt) -> bool:
    """True for a loop that has one option for each item, or for each pair of two loops, and so is counted by length."""
    if not isinstance(stmt, FOR_LOOPS) or not stmt.body or (isinstance(stmt, ir.ForChain) and stmt.length is None):
        return False
    *before, last = stmt.body
    own = {stmt.name, *(n for s in before for n in assigned(s))}
    if not all(isinstance(s, ir.Set) for s in before):
        return False
    if isinstance(last, FOR_LOOPS):
        return not before and is_length(last) and not own & _header_reads(last) and not _compels(last)
    return isinstance(last, ir.Yield) and not (last.compels is not None and own & locals_read(last.compels))


def _header_reads(loop: Loop) -> set[str]:
    inner = loop.body[-1]
    return locals_read(loop) | (_header_reads(inner) if isinstance(inner, FOR_LOOPS) else set())


def _compels(loop: Loop) -> bool:
    return any(isinstance(s, ir.Yield) and s.compels is not None for s in statements(loop.body))


def _hoisted(function: ir.Function) -> list[tuple[ir.Expr, str]]:
    changed = {name for s in statements(function.body) for name in assigned(s)}
    fixed = set(function.params) - changed - function.lists
    found: list[tuple[ir.Expr, str]] = []
    for stmt in statements(function.body):
        if isinstance(stmt, ir.ForArray) and stmt.distinct is not None:
            simple = all(isinstance(e, (ir.Const, ir.Local, ir.Arith, ir.Cell)) for e in with_inner(stmt.zone))
            if simple and locals_read(stmt.zone) <= fixed and (stmt.zone, stmt.distinct) not in found:
                found.append((stmt.zone, stmt.distinct))
    return found


def _memo_loop(function: ir.Function, block: ir.Block) -> Loop | None:
    """The last loop of the body, if it has loops inside and its rounds do not depend on each other."""
    if not block:
        return None
    last = block[-1]
    if isinstance(last, ir.Branch) and not last.otherwise:
        return _memo_loop(function, last.then)
    if not isinstance(last, FOR_LOOPS) or not _costly(last.body):
        return None
    inside = list(statements(last.body))
    if has_break(last.body) or has_continue(last.body) or any(isinstance(s, ir.Return) for s in inside):
        return None
    lists = {s.list for s in inside if isinstance(s, (ir.Append, ir.TakeAt, ir.Sort, ir.KeepBest))}
    made = {n for s in inside for n in assigned(s)}
    within = {id(s) for s in inside}
    outside = {n for s in statements(function.body) if id(s) not in within for n in assigned(s)}
    if made & (outside | set(function.params)) or lists & (outside | function.lists):
        return None
    return last


def _costly(block: ir.Block) -> bool:
    """True if a round has a loop inside that does more than go along a few options: then its count is kept."""
    for stmt in block:
        if isinstance(stmt, ir.Branch) and (_costly(stmt.then) or _costly(stmt.otherwise)):
            return True
        if isinstance(stmt, LOOPS) and not is_length(stmt) and not all(isinstance(s, ir.Yield) for s in stmt.body):
            return True
    return False


def path(block: ir.Block) -> tuple[list[Any], ir.Yield] | None:
    """The loops, tests and ticks of an enumerator in which nothing stands beside another, the outermost first; its
    yield."""
    steps: list[Any] = []
    while True:
        while block and isinstance(block[0], ir.Tick):
            steps.append(block[0])
            block = block[1:]
        if len(block) != 1:
            return None
        stmt: Any = block[0]
        if isinstance(stmt, ir.Branch) and not stmt.otherwise:
            steps += conjuncts(stmt.test)
            block = stmt.then
        elif isinstance(stmt, FOR_LOOPS):
            steps.append(stmt)
            block = stmt.body
        elif isinstance(stmt, ir.Yield) and stmt.compels in (None, ir.Const(0)):
            return steps, stmt
        else:
            return None


def owned_by_all(loop: ir.ForTable, inner: object, rows: Sequence[tuple[int, ...]]) -> ir.Expr | None:
    """How many things two loops go over, the first over owners, the second over what each has: where every row has the
    same owners, in whatever order, the sum of what all have. None if words do not tell."""
    owners = {tuple(sorted(row)) for row in rows if row}
    match inner:
        case ir.ForChain(length=ir.Cell(base, ir.Local(name))) if name == loop.name and len(owners) == 1:
            first, *others = next(iter(owners))
            whole: ir.Expr = ir.Cell(base + first)
            for owner in others:
                whole = ir.Arith("+", whole, ir.Cell(base + owner))
            return whole
        case _:
            return None


def single_option(
    function: ir.Function, args: tuple[ir.Expr, ...]
) -> tuple[ir.Expr | None, tuple[ir.Expr, ...]] | None:
    """An enumerator with at most one option and no locals, as its condition and values, arguments put in."""
    tests: list[ir.Expr] = []
    block = function.body
    while len(block) == 1 and isinstance(block[0], ir.Branch) and not block[0].otherwise:
        tests.append(block[0].test)
        block = block[0].then
    if len(block) != 1 or not isinstance(block[0], ir.Yield) or block[0].compels is not None or function.lists:
        return None
    if not all(isinstance(a, (ir.Local, ir.Const, ir.Cell)) for a in args):
        return None
    parts = tuple(substitute(t, function.params, args) for t in tests)
    test = all_of(parts) if parts else None
    return test, tuple(substitute(v, function.params, args) for v in block[0].values)
