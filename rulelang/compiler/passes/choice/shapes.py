"""Know the shape of an enumerator: its loops, how they are counted, and its body in the place of a decision."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rulelang.base.node import record
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import (
    FOR_LOOPS,
    LOOPS,
    all_statements,
    assigned_locals,
    conjunction_of,
    conjuncts,
    has_break,
    has_continue,
    locals_read,
    rewrite_expr,
    rewrite_exprs,
    substitute,
    with_subexpressions,
)

# ---- shapes

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


def shape_of(function: ir.Function) -> Shape:
    yields = [s for s in all_statements(function.body) if isinstance(s, ir.Yield)]
    compels = any(y.compels not in (None, ir.Const(0)) for y in yields)
    depth = _loop_depth(function.body)
    walked = any(isinstance(s, LOOPS) and not is_counted_by_length(s) for s in all_statements(function.body))
    return Shape(
        len(yields[0].values) if yields else 0,
        compels,
        tuple(_hoisted_expressions(function)),
        _memo_loop(function, function.body),
        depth <= 1 and walked and not compels,
        _one_loop(function) and all(y.values for y in yields),
    )


def may_compel(stmt: ir.Pick, shapes: Mapping[str, Shape]) -> bool:
    """Whether an option of a decision may forbid to pass, which else could be offered."""
    return stmt.may_pass != ir.Const(0) and any(shapes[source.enumerator].compels for source in stmt.sources)


def _one_loop(function: ir.Function) -> bool:
    """Whether there is one loop, gone through item by item. (Two over the same things would be counted as one.)"""
    loops = [s for s in all_statements(function.body) if isinstance(s, LOOPS)]
    return len(loops) == 1 and isinstance(loops[0], FOR_LOOPS) and not is_counted_by_length(loops[0])


def _loop_depth(block: ir.Block) -> int:
    found = 0
    for stmt in block:
        if isinstance(stmt, ir.Branch):
            found = max(found, _loop_depth(stmt.then), _loop_depth(stmt.otherwise))
        elif isinstance(stmt, LOOPS):
            found = max(found, 1 + _loop_depth(stmt.body))
    return found


def is_counted_by_length(stmt: ir.Stmt) -> bool:
    """True for a loop that has one option for each item, or for each pair of two loops, and so is counted by length."""
    if not isinstance(stmt, FOR_LOOPS) or not stmt.body or (isinstance(stmt, ir.ForChain) and stmt.length is None):
        return False
    *before, last = stmt.body
    own = {stmt.name, *(n for s in before for n in assigned_locals(s))}
    if not all(isinstance(s, ir.Set) for s in before):
        return False
    if isinstance(last, FOR_LOOPS):
        return not before and is_counted_by_length(last) and not own & _header_reads(last) and not _loop_compels(last)
    return isinstance(last, ir.Yield) and not (last.compels is not None and own & locals_read(last.compels))


def _header_reads(loop: Loop) -> set[str]:
    inner = loop.body[-1]
    return locals_read(loop) | (_header_reads(inner) if isinstance(inner, FOR_LOOPS) else set())


def _loop_compels(loop: Loop) -> bool:
    return any(isinstance(s, ir.Yield) and s.compels is not None for s in all_statements(loop.body))


def _hoisted_expressions(function: ir.Function) -> list[tuple[ir.Expr, str]]:
    changed = {name for s in all_statements(function.body) for name in assigned_locals(s)}
    fixed = set(function.params) - changed - function.lists
    found: list[tuple[ir.Expr, str]] = []
    for stmt in all_statements(function.body):
        if isinstance(stmt, ir.ForArray) and stmt.distinct is not None:
            simple = all(isinstance(e, (ir.Const, ir.Local, ir.Arith, ir.Cell)) for e in with_subexpressions(stmt.zone))
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
    if not isinstance(last, FOR_LOOPS) or not _is_costly_round(last.body):
        return None
    inside = list(all_statements(last.body))
    if has_break(last.body) or has_continue(last.body) or any(isinstance(s, ir.Return) for s in inside):
        return None
    lists = {s.list for s in inside if isinstance(s, (ir.Append, ir.TakeAt, ir.Sort, ir.KeepBest))}
    made = {n for s in inside for n in assigned_locals(s)}
    within = {id(s) for s in inside}
    outside = {n for s in all_statements(function.body) if id(s) not in within for n in assigned_locals(s)}
    if made & (outside | set(function.params)) or lists & (outside | function.lists):
        return None
    return last


def _is_costly_round(block: ir.Block) -> bool:
    """True if a round has a loop inside that does more than go along a few options: then its count is kept."""
    for stmt in block:
        if isinstance(stmt, ir.Branch) and (_is_costly_round(stmt.then) or _is_costly_round(stmt.otherwise)):
            return True
        if (
            isinstance(stmt, LOOPS)
            and not is_counted_by_length(stmt)
            and not all(isinstance(s, ir.Yield) for s in stmt.body)
        ):
            return True
    return False


def single_path(block: ir.Block) -> tuple[list[Any], ir.Yield] | None:
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


def total_owned(loop: ir.ForTable, inner: object, rows: Sequence[tuple[int, ...]]) -> ir.Expr | None:
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
    test = conjunction_of(parts) if parts else None
    return test, tuple(substitute(v, function.params, args) for v in block[0].values)


# ---- loops counted by length

#: By the zone and the table of looks, the list that holds its distinct items.
Lists = Mapping[tuple[ir.Expr, str], str]

ONE = ir.Const(1)


class FreshNames:
    """Names of locals of one function that the rules do not have."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, hint: str) -> str:
        self.count += 1
        return f"@{hint}{self.count}"


def sum_of(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    return right if left == ir.Const(0) else left if right == ir.Const(0) else ir.Arith("+", left, right)


def difference_of(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    return left if right == ir.Const(0) else ir.Arith("-", left, right)


def product_of(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    return right if left == ONE else left if right == ONE else ir.Arith("*", left, right)


def increase(name: str, by: ir.Expr) -> ir.Stmt:
    """Add to a local."""
    return ir.Set(name, ir.Arith("+", ir.Local(name), by))


def decrease(name: str, by: ir.Expr) -> ir.Stmt:
    """Take from a local."""
    return ir.Set(name, ir.Arith("-", ir.Local(name), by))


def loop_length(loop: Loop, lists: Lists, rows: Mapping[str, tuple[tuple[int, ...], ...]]) -> ir.Expr:
    """How many items a loop goes over. A loop over distinct items needs its list."""
    match loop:
        case ir.ForRange(_, ir.Const(low), ir.Const(end)):
            return ir.Const(max(end - low, 0))
        case ir.ForRange(_, low, end):
            return ir.MinMax("max", (difference_of(end, low), ir.Const(0)))
        case ir.ForArray(_, zone, _, None):
            return ir.Cell(0, zone)
        case ir.ForArray(_, zone, _, distinct):
            return ir.Length(lists[zone, distinct or ""])
        case ir.ForList(_, items):
            return ir.Length(items)
        case ir.ForTable(_, row, ir.Const(index)):
            return ir.Const(len(rows[row][index]))
        case ir.ForTable(_, row, index):
            return ir.RowLength(row, index)
        case ir.ForChain(length=long):
            assert long is not None, "a chain without a length is counted one by one"
            return long


def total_length(loop: Loop, lists: Lists, rows: Mapping[str, tuple[tuple[int, ...], ...]]) -> ir.Expr:
    """How many options a loop has that is counted by its length, and by the lengths of those inside."""
    own = loop_length(loop, lists, rows)
    inner = inner_loop(loop)
    return own if inner is None else product_of(own, total_length(inner, lists, rows))


def inner_loop(loop: Loop) -> Loop | None:
    """The inner one of two loops that are counted by their lengths."""
    last = loop.body[-1] if loop.body else None
    return last if isinstance(last, FOR_LOOPS) else None


def bind_nth_item(loop: Loop, at: str, lists: Lists) -> ir.Block:
    """Set the loop's local to its item with the number that the local `at` holds, which is used up."""
    number = ir.Local(at)
    match loop:
        case ir.ForRange(name, low):
            return (ir.Set(name, sum_of(low, number)),)
        case ir.ForArray(name, zone, _, None):
            return (ir.Set(name, ir.Cell(1, sum_of(zone, number))),)
        case ir.ForArray(name, zone, _, distinct):
            return (ir.Set(name, ir.Item(lists[zone, distinct or ""], number)),)
        case ir.ForList(name, items):
            return (ir.Set(name, ir.Item(items, number)),)
        case ir.ForTable(name, row, index):
            return (ir.Set(name, ir.RowItem(row, index, number)),)
        case ir.ForChain(name, first, following):
            step = (ir.Set(name, ir.Cell(following, ir.Local(name))), ir.Set(at, difference_of(number, ONE)))
            return (ir.Set(name, first), ir.While(number, step))


def distinct_lists(block: ir.Block, lists: Lists, fresh: FreshNames) -> tuple[ir.Block, Lists]:
    """What makes the lists of distinct items that loops counted by their length still need; all lists then."""
    made = dict(lists)
    found: list[ir.Stmt] = []
    for loop in block:
        while isinstance(loop, FOR_LOOPS):
            if isinstance(loop, ir.ForArray) and loop.distinct is not None and (loop.zone, loop.distinct) not in made:
                name = made[loop.zone, loop.distinct] = fresh("h")
                found.append(ir.DistinctList(name, loop.zone, loop.distinct))
            if not loop.body:
                break
            loop = loop.body[-1]
    return tuple(found), made


# ---- bodies in place


class PlacedBody:
    """What its statements and expressions become: arguments stand in the place of parameters, and locals have names of
    their own, which `name` gives."""

    def __init__(self, function: ir.Function, args: tuple[ir.Expr, ...], name: Callable[[str], str]) -> None:
        self.given: dict[str, ir.Expr] = dict(zip(function.params, args, strict=True))
        for local in dict.fromkeys(local for stmt in all_statements(function.body) for local in assigned_locals(stmt)):
            self.given[local] = ir.Local(name(local))

    def expr(self, expr: ir.Expr) -> ir.Expr:
        return rewrite_expr(expr, self._change)

    def own(self, stmt: Any) -> Any:
        """The statement itself; its blocks stay."""
        found: Any = rewrite_exprs(stmt, self._change)
        names = {field: self._name(getattr(found, field)) for field in ("name", "list") if hasattr(found, field)}
        return replace(found, **names)

    def _change(self, expr: ir.Expr) -> ir.Expr:
        if isinstance(expr, ir.Local):
            return self.given.get(expr.name, expr)
        return replace(expr, list=self._name(expr.list)) if isinstance(expr, (ir.Length, ir.Item)) else expr

    def _name(self, name: str) -> str:
        given = self.given.get(name)
        return given.name if isinstance(given, ir.Local) else name
