"""Loops whose options are counted by their length, and found again by their number."""

from __future__ import annotations

from collections.abc import Mapping

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import FOR_LOOPS
from rulelang.compiler.passes.choice.shapes import Loop

#: By the zone and the table of looks, the list that holds its distinct items.
Lists = Mapping[tuple[ir.Expr, str], str]

ONE = ir.Const(1)


class Fresh:
    """Names of locals of one function that the rules do not have."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, hint: str) -> str:
        self.count += 1
        return f"@{hint}{self.count}"


def plus(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    return right if left == ir.Const(0) else left if right == ir.Const(0) else ir.Arith("+", left, right)


def minus(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    return left if right == ir.Const(0) else ir.Arith("-", left, right)


def times(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    return right if left == ONE else left if right == ONE else ir.Arith("*", left, right)


def add_to(name: str, by: ir.Expr) -> ir.Stmt:
    """Add to a local."""
    return ir.Set(name, ir.Arith("+", ir.Local(name), by))


def take_from(name: str, by: ir.Expr) -> ir.Stmt:
    """Take from a local."""
    return ir.Set(name, ir.Arith("-", ir.Local(name), by))


def length(loop: Loop, lists: Lists, rows: Mapping[str, tuple[tuple[int, ...], ...]]) -> ir.Expr:
    """How many items a loop goes over. A loop over distinct items needs its list."""
    match loop:
        case ir.ForRange(_, ir.Const(low), ir.Const(end)):
            return ir.Const(max(end - low, 0))
        case ir.ForRange(_, low, end):
            return ir.MinMax("max", (minus(end, low), ir.Const(0)))
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


def total(loop: Loop, lists: Lists, rows: Mapping[str, tuple[tuple[int, ...], ...]]) -> ir.Expr:
    """How many options a loop has that is counted by its length, and by the lengths of those inside."""
    own = length(loop, lists, rows)
    inner = inside(loop)
    return own if inner is None else times(own, total(inner, lists, rows))


def inside(loop: Loop) -> Loop | None:
    """The inner one of two loops that are counted by their lengths."""
    last = loop.body[-1] if loop.body else None
    return last if isinstance(last, FOR_LOOPS) else None


def bind(loop: Loop, at: str, lists: Lists) -> ir.Block:
    """Set the loop's local to its item with the number that the local `at` holds, which is used up."""
    number = ir.Local(at)
    match loop:
        case ir.ForRange(name, low):
            return (ir.Set(name, plus(low, number)),)
        case ir.ForArray(name, zone, _, None):
            return (ir.Set(name, ir.Cell(1, plus(zone, number))),)
        case ir.ForArray(name, zone, _, distinct):
            return (ir.Set(name, ir.Item(lists[zone, distinct or ""], number)),)
        case ir.ForList(name, items):
            return (ir.Set(name, ir.Item(items, number)),)
        case ir.ForTable(name, row, index):
            return (ir.Set(name, ir.RowItem(row, index, number)),)
        case ir.ForChain(name, first, following):
            step = (ir.Set(name, ir.Cell(following, ir.Local(name))), ir.Set(at, minus(number, ONE)))
            return (ir.Set(name, first), ir.While(number, step))


def distinct_lists(block: ir.Block, lists: Lists, fresh: Fresh) -> tuple[ir.Block, Lists]:
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
