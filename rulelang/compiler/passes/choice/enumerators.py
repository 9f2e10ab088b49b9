"""Enumerators as functions that only read: one counts the options, another finds the option with a number again.

Both go through the enumerator's own body. `E#count` (made by `fuse`) answers how many options there are, negated if one
compels. `E#nth` answers the values of the option `@k`. Both take the enumerator's parameters, and then lists of the
distinct items of zones that depend on these alone (`Shape.hoisted`): whoever asks makes them once for all the sources
of a decision. `E#nth` may also take the list `@q` in front of these, with a count and an item for each round of the
outermost loop that had options: it begins at the round that it wants.
"""

from __future__ import annotations

from dataclasses import replace

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import FOR_LOOPS, with_blocks
from rulelang.compiler.passes.choice.loops import (
    ONE,
    Fresh,
    Lists,
    bind,
    distinct_lists,
    inside,
    minus,
    plus,
    take_from,
    total,
)
from rulelang.compiler.passes.choice.shapes import Loop, Shape, is_length

Rows = dict[str, tuple[tuple[int, ...], ...]]

NUMBER, NOTES = "@k", "@q"


def count_name(enumerator: str) -> str:
    return f"{enumerator}#count"


def nth_name(enumerator: str, noted: bool = False) -> str:
    return f"{enumerator}#noted" if noted else f"{enumerator}#nth"


def list_params(shape: Shape) -> tuple[str, ...]:
    """The parameters that take the lists of distinct items."""
    return tuple(f"@h{at}" for at in range(len(shape.hoisted)))


def decoder(function: ir.Function, shape: Shape, rows: Rows, noted: bool, whole: bool) -> ir.Function:
    """`E#nth`. `noted`: it takes notes of rounds; `whole`: each round is noted that has options, however many."""
    work = _Decoder(shape, rows, shape.memo if noted else None, whole)
    body = (*work.block(function.body), ir.Unreachable())
    first = (NUMBER, NOTES) if noted else (NUMBER,)
    made = derived(function, shape, nth_name(function.name, noted), first, body)
    return replace(made, results=shape.arity)


def derived(function: ir.Function, shape: Shape, name: str, first: tuple[str, ...], body: ir.Block) -> ir.Function:
    """The function of this name with the parameters of an enumerator, others before them, and lists behind."""
    lists = list_params(shape)
    return replace(
        function, name=name, kind="pure", params=(*first, *function.params, *lists), body=body,
        lists=function.lists | frozenset(lists) | ({NOTES} & frozenset(first)),
    )  # fmt: skip


class _Decoder:
    """Goes through the body of an enumerator; loops over distinct items go over the lists that are handed over."""

    def __init__(self, shape: Shape, rows: Rows, memo: Loop | None, whole: bool) -> None:
        self.rows, self.memo, self.whole = rows, memo, whole
        self.lists: Lists = dict(zip(shape.hoisted, list_params(shape), strict=True))
        self.fresh = Fresh()

    def block(self, block: ir.Block) -> ir.Block:
        found: list[ir.Stmt] = []
        for stmt in block:
            if isinstance(stmt, FOR_LOOPS) and is_length(stmt):
                made, lists = distinct_lists((stmt,), self.lists, self.fresh)
                found += [*made, *self.by_length(stmt, lists)]
            else:
                found += self.statement(stmt)
        return tuple(found)

    def statement(self, stmt: ir.Stmt) -> ir.Block:
        match stmt:
            case ir.Yield():
                return (ir.Branch(ir.Not(ir.Local(NUMBER)), (answer(stmt.values),)), take_from(NUMBER, ONE))
            case ir.Return():
                return (ir.Unreachable(),)
        if stmt is self.memo:
            return self.recall(stmt)
        return self.deeper(stmt)

    def deeper(self, stmt: ir.Stmt) -> ir.Block:
        if isinstance(stmt, ir.ForArray) and (stmt.zone, stmt.distinct or "") in self.lists:
            return (ir.ForList(stmt.name, self.lists[stmt.zone, stmt.distinct or ""], self.block(stmt.body)),)
        return (with_blocks(stmt, self.block),)

    def recall(self, loop: Loop) -> ir.Block:
        """Go to the round of the option, if it is noted."""
        at, notes = self.fresh("i"), NOTES
        here, two = ir.Local(at), ir.Const(2)
        count = ir.Item(notes, here)
        found: ir.Block = (
            ir.Set(at, ir.Const(0)),
            ir.While(ir.Compare(">=", ir.Local(NUMBER), count), (ir.Set(at, plus(here, two)),)),
            ir.Set(loop.name, ir.Item(notes, plus(here, ONE))),
            ir.Branch(here, (take_from(NUMBER, ir.Item(notes, minus(here, two))),)),
            *self.block(loop.body),
        )
        if self.whole:
            return found
        last = ir.Item(notes, minus(ir.Length(notes), two))
        noted = ir.Logic("and", (ir.Length(notes), ir.Compare("<", ir.Local(NUMBER), last)))
        return (ir.Branch(noted, found, self.deeper(loop)),)

    def by_length(self, loop: Loop, lists: Lists) -> ir.Block:
        """A loop whose options are as many as its items."""
        size = self.fresh("j")
        number = ir.Local(NUMBER)
        inner, last = inside(loop), loop.body[-1]
        if inner is not None:  # the k-th of the pairs
            width, at = self.fresh("e"), self.fresh("i")
            body: ir.Block = (
                ir.Set(width, total(inner, lists, self.rows)),
                ir.Divide(at, NUMBER, number, ir.Local(width)),
                *bind(loop, at, lists),
                *self.block(loop.body),
            )
        else:
            assert isinstance(last, ir.Yield)
            body = (*bind(loop, NUMBER, lists), *loop.body[:-1], answer(last.values))
        return (
            ir.Set(size, total(loop, lists, self.rows)),
            ir.Branch(ir.Compare("<", number, ir.Local(size)), body),
            take_from(NUMBER, ir.Local(size)),
        )


def answer(values: tuple[ir.Expr, ...]) -> ir.Stmt:
    """What a decoder answers."""
    if not values:
        return ir.Return(ir.Const(0))
    return ir.Return(values[0]) if len(values) == 1 else ir.ReturnMany(values)


def when(tests: tuple[ir.Expr, ...], block: ir.Block) -> ir.Block:
    """The block under those of the tests that are not certain."""
    asked = tuple(test for test in tests if not isinstance(test, ir.Const) or not test.value)
    if not asked:
        return block
    return (ir.Branch(asked[0] if len(asked) == 1 else ir.Logic("and", asked), block),)
