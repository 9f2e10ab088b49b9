"""Loops over rows of words. One that does nothing for a number whose word is 0, or not above another word, leaves those
out, also where what says so is asked of each of some things (`for space x where any(species s where population[s, x]
> 0)`); one that adds up the words takes several at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from rulelang.base.numbers import WORD, range_of
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import LOOPS, all_of, assigned, conjuncts, locals_read, statements
from rulelang.compiler.passes.analysis.addresses import split_constant
from rulelang.compiler.passes.analysis.cost import expensive
from rulelang.compiler.passes.analysis.ranges import Words
from rulelang.compiler.passes.choice.placed import Placed
from rulelang.compiler.passes.simplify.fold import NO, YES, fold

#: Statements that change nothing that rules can read: locals, and what counts decisions.
_HARMLESS = (
    ir.Set, ir.Branch, *LOOPS, ir.Given, ir.Break, ir.Continue, ir.Return, ir.ReturnMany, ir.Divide, ir.CallPure,
    ir.NewList, ir.Append, ir.ArrayToList, ir.ArrayView, ir.TakeAt, ir.Sort, ir.KeepBest, ir.DistinctList,
    ir.NewTuples, ir.AppendTuple, ir.ReadTuple, ir.Decided, ir.Forced, ir.Fail, ir.Unreachable, ir.Ensure, ir.Ask,
)  # fmt: skip
#: Words of a row that are asked at once: those of less are as quickly asked one by one, and a word has bits for 64.
FEW, MANY = 8, 64
#: Rows of one loop that are asked so.
AT_ONCE = 2

Fails = Callable[[ir.Expr], bool]


@dataclass(frozen=True, slots=True)
class Row:
    """Words that lie behind each other, from that for a loop's first turn on. A loop does nothing where the word is 0;
    or, if `above` is given, not above that. `each`: the loops and tests, outer first, within which there is such a row
    for each of some things; what has such a word in one of them counts."""

    first: ir.Cell
    above: ir.Expr | None = None
    each: tuple[Any, ...] = ()

    def gathered(self, stmt: ir.Stmt) -> ir.Block:
        """A statement, done for each of the things."""
        block: ir.Block = (stmt,)
        for step in reversed(self.each):
            block = (replace(step, then=block) if isinstance(step, ir.Branch) else replace(step, body=block),)
        return block


@dataclass(frozen=True, slots=True)
class Rows:
    """Of a loop that does nothing where one of some words is of no use: their rows, of `count` words each."""

    rows: tuple[Row, ...]
    count: int


def total_of(loop: ir.ForRange, words: Words) -> tuple[str, ir.Cell, int] | None:
    """Of a loop that only adds up the words of a row, whose sum is a word: to which local, from where on, how many."""
    count = _length(loop)
    match loop.body:
        case (ir.Set(name, ir.Arith("+", ir.Local(same), ir.Cell(base, ir.Arith() as index))),) if (
            name == same and name != loop.name and count >= FEW
        ):
            beside = _without(index, loop.name)
            low, high = words.of(base, index)
            if beside is not None and name not in locals_read(index) and max(-low, high) * count <= WORD[1]:
                return name, ir.Cell(base, fold(ir.Arith("+", beside, loop.low))), count
    return None


def rows_of(loop: ir.ForRange, fails: Fails, module: ir.Module, few: int = FEW) -> Rows | None:
    """None where a loop does something for every number, or may change the words, or goes over less than `few`.
    `fails`: whether to work something out may fail."""
    count, found = _length(loop), list[Row]()
    match loop.body:
        case (ir.Branch(test, then, ()),) if few <= count <= MANY and not fails(loop.low):
            if not all(map(quiet, statements(then))):
                return None
            made = {name for stmt in statements(then) for name in assigned(stmt)}
            if made & {loop.name, *locals_read(loop.low)}:
                return None
            for part in conjuncts(test):
                if not made & locals_read(part):
                    if isinstance(part, ir.Call):
                        row = _row_of_each(part, loop, module)
                    else:
                        row = _row(part, loop, module)
                    if row is not None and not fails(part):
                        found.append(row)
                if fails(part):
                    break
    return Rows(tuple(dict.fromkeys(found))[:AT_ONCE], count) if found else None


def _row(part: ir.Expr, loop: ir.ForRange, module: ir.Module) -> Row | None:
    """The words without which a part of a condition does not hold."""
    cell, above = _wanted(part), None
    match part:
        case ir.Compare(">", ir.Cell() as word, other) | ir.Compare("<", other, ir.Cell() as word):
            if loop.name not in locals_read(other) and _is_word(other, module):
                cell, above = word, other
    beside = None if cell is None or cell.index is None else _without(cell.index, loop.name)
    if cell is None or beside is None:
        return None
    return Row(ir.Cell(cell.base, fold(ir.Arith("+", beside, loop.low))), above)


def _is_word(expr: ir.Expr, module: ir.Module) -> bool:
    """Whether it is a word of the state or of a table, found by what is at hand."""
    match expr:
        case ir.Table(name, index):
            low, high = range_of(module.tables[name])
            return WORD[0] <= low and high <= WORD[1] and (isinstance(index, ir.Local) or _is_word(index, module))
        case ir.Cell(_, index):
            return index is None or isinstance(index, ir.Local | ir.Const)
    return False


def _row_of_each(call: ir.Call, loop: ir.ForRange, module: ir.Module) -> Row | None:
    """The same of a function that asks whether there is a thing for which something holds."""
    function, item = module.functions[call.function], ir.Local(loop.name)
    if function.lists or any(loop.name in locals_read(arg) for arg in call.args if arg != item):
        return None
    place = Placed(function, call.args, lambda name: f"{name} of {call.function}")
    path = list[Any]()
    for step in map(place.own, _path(function.body)):
        if not isinstance(step, ir.Branch):
            if loop.name in locals_read(step):
                return None
            path.append(step)
            continue
        parts = conjuncts(step.test)
        beside = tuple(part for part in parts if loop.name not in locals_read(part) and not expensive(part))
        path += [ir.Branch(all_of(beside), ())] if beside else []
        rows = [row for part in parts if (row := _row(part, loop, module)) is not None]
        if rows:
            return replace(rows[0], each=tuple(path))
    return None


def _path(block: ir.Block) -> list[ir.Stmt]:
    """The loops and tests within which alone a function answers 1, each for itself; none if it has another shape."""
    found = list[ir.Stmt]()
    match block:
        case (first, ir.Return(nothing)) if nothing == NO:
            block = (first,)
    while block != (ir.Return(YES),):
        match block:
            case (ir.ForRange() | ir.ForTable() | ir.ForChain() as loop,):
                found.append(replace(loop, body=()))
                block = loop.body
            case (ir.Branch(test, then, ()),):
                found.append(ir.Branch(test, ()))
                block = then
            case _:
                return []
    return found


def _length(loop: ir.ForRange) -> int:
    """How many turns it has, or -1 where that is not always the same."""
    (low, first), (end, last) = split_constant(loop.low), split_constant(loop.end)
    return last - first if low == end else -1


def _wanted(test: ir.Expr) -> ir.Cell | None:
    """The word without which a test does not hold."""
    match test:
        case ir.Cell():
            return test
        case ir.Compare(op, ir.Cell() as cell, ir.Const() as other) if fold(ir.Compare(op, NO, other)) == NO:
            return cell
    return None


def _without(sum_: ir.Expr, name: str) -> ir.Expr | None:
    """What a sum comes to where a local that is added in it once is 0; None where that is not so."""
    match sum_:
        case ir.Local(same) if same == name:
            return ir.Const(0)
        case ir.Arith("+", left, right):
            for part, other in ((left, right), (right, left)):
                rest = _without(part, name)
                if rest is not None and name not in locals_read(other):
                    return fold(ir.Arith("+", rest, other))
    return None


def harmless(stmt: ir.Stmt) -> bool:
    """Whether a statement changes nothing that rules can read; those inside aside."""
    return isinstance(stmt, _HARMLESS) or (isinstance(stmt, ir.Random) and stmt.policy)


def quiet(stmt: ir.Stmt) -> bool:
    """The same, or it counts steps."""
    return harmless(stmt) or isinstance(stmt, ir.Tick)
