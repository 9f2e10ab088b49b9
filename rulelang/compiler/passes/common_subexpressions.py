"""What is read twice is read once, where nothing can change in between: pure functions, and options being counted.

An expression that is surely worked out by a statement, and told again in it or behind it, gets a local of its own; so
does a word that a loop's first statement reads and the loop does not change. The C compiler does this by itself; in
Python a word costs about ten times a local.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

from rulelang.base.node import record
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.analysis import expression_size
from rulelang.compiler.ir.walk import (
    FOR_LOOPS,
    LOOPS,
    all_exprs,
    all_statements,
    assigned_locals,
    child_blocks,
    child_exprs,
    locals_read,
    rewrite_exprs,
    with_blocks,
    with_subexpressions,
)

#: Rounds over one block: each finds the expression that is worth most.
MOST_ROUNDS = 40


def eliminate_common(
    block: ir.Block, numbers: Iterator[int] | None = None, given: frozenset[str] = frozenset()
) -> ir.Block:
    """The block with such locals; their names start with `@`. `numbers`: for those of one function. `given`: locals
    that name what is there: words that they lead to may be read early."""
    found = count(1) if numbers is None else numbers
    return _Elimination(lambda: f"@{next(found)}", given).block(block)


def eliminate_common_in_runs(block: ir.Block, numbers: Iterator[int]) -> list[tuple[bool, ir.Block]]:
    """A block that may write, in parts: whether nothing is written in a part (but by its last statement), and the part,
    with such locals as far as nothing is written."""
    parts: list[tuple[bool, ir.Block]] = []
    run: list[ir.Stmt] = []
    for stmt in block:
        if _only_reads(stmt):
            run.append(stmt)
        elif isinstance(stmt, ir.Branch):
            head, branch = _before_writing(run, stmt, numbers)
            parts += [(True, head), (False, (branch,))]
            run = []
        elif run and isinstance(stmt, (ir.Store, ir.Add)):
            parts.append((True, eliminate_common((*run, stmt), numbers)))
            run = []
        else:
            parts += [(True, eliminate_common(tuple(run), numbers)), (False, (stmt,))]
            run = []
    return [*parts, (True, eliminate_common(tuple(run), numbers))]


def _before_writing(run: list[ir.Stmt], branch: ir.Branch, numbers: Iterator[int]) -> tuple[ir.Block, ir.Branch]:
    """Statements that only read and a branch behind them that does not: what it reads before it writes is shared
    too."""
    then, otherwise = (_reading_prefix(block) for block in (branch.then, branch.otherwise))
    surrogate = ir.Branch(branch.test, branch.then[:then], branch.otherwise[:otherwise])
    *head, shared = eliminate_common((*run, surrogate), numbers)
    assert isinstance(shared, ir.Branch)
    rest = branch.then[then:], branch.otherwise[otherwise:]
    return tuple(head), ir.Branch(shared.test, (*shared.then, *rest[0]), (*shared.otherwise, *rest[1]))


def _reading_prefix(block: ir.Block) -> int:
    """How many statements of a block stand before the first that writes."""
    return next((at for at, stmt in enumerate(block) if not _only_reads(stmt)), len(block))


def _only_reads(stmt: ir.Stmt) -> bool:
    """Whether a statement, with all inside, only reads the state."""
    return all(isinstance(s, (ir.Set, ir.Branch, ir.NewList, ir.Append, *FOR_LOOPS)) for s in all_statements((stmt,)))


class _Elimination:
    """One function's sharing. What is asked about a statement again and again is worked out once: statements are
    values, and one that a round leaves alone stays the same object."""

    def __init__(self, fresh: Callable[[], str], given: frozenset[str]) -> None:
        self.fresh, self.given = fresh, given
        self.known: dict[int, tuple[Any, _Summary]] = {}  # by identity, with the statement, which keeps that its own
        self.numbers: dict[ir.Expr, int] = {}  # hashing an expression means hashing all that is in it
        self.measured: dict[int, tuple[set[str], int]] = {}  # by number

    def block(self, block: ir.Block) -> ir.Block:
        found = list(block)
        for _ in range(MOST_ROUNDS):
            best = self.best(found)
            if best is None:
                break
            at, expr = best
            name, number = self.fresh(), self.number(expr)
            at = self.first(found, at, expr, number)
            local = ir.Local(name)
            rest = [_replace_expression(s, expr, local) if number in self.summary(s).uses else s for s in found[at:]]
            found[at:] = [ir.Set(name, expr), *rest]
        return tuple(map(self.inside, found))

    def inside(self, stmt: Any) -> Any:
        """A statement with its blocks done. What a loop goes over is there."""
        before = self.given
        if isinstance(stmt, (ir.ForChain, ir.ForArray)):
            self.given = before | {stmt.name}
        done = with_blocks(stmt, self.block)
        self.given = before
        return done

    def first(self, block: list[Any], at: int, expr: ir.Expr, number: int) -> int:
        """Where to work out an expression that the statement at `at` needs: before those that may need it earlier, if
        it is a word that is surely there."""
        if not _is_plain_cell(expr) or not locals_read(expr) <= self.given:
            return at
        reads, first = self.facts(number, expr)[0], at
        while at and reads.isdisjoint(self.summary(block[at - 1]).changed):
            at -= 1
            if number in self.summary(block[at]).uses:
                first = at
        return first

    def best(self, block: list[Any]) -> tuple[int, ir.Expr] | None:
        """The place and the expression that saves most."""
        summaries = [self.summary(stmt) for stmt in block]
        asked = {number for summary in summaries for _, number, _, _ in summary.candidates}
        if not asked:
            return None
        uses = dict.fromkeys(asked, 0)
        for summary in summaries:
            for number in asked & summary.uses.keys():
                uses[number] += summary.uses[number]
        found: tuple[int, ir.Expr] | None = None
        most = 0
        for at, summary in enumerate(summaries):  # what stands before `at` is taken off as it is passed
            for expr, number, reads, nodes in summary.candidates:
                worth = (uses[number] - 1) * nodes
                if worth > most and not any(not reads.isdisjoint(later.changed) for later in summaries[at:]):
                    found, most = (at, expr), worth
            for number in asked & summary.uses.keys():
                uses[number] -= summary.uses[number]
        return found

    def summary(self, stmt: Any) -> _Summary:
        known = self.known.get(id(stmt))
        if known is None:
            changed = set(assigned_locals(stmt))
            if isinstance(stmt, (ir.Append, ir.AppendTuple)):
                changed.add(stmt.list)
            uses: dict[int, int] = {}
            for expr in all_exprs(stmt):
                number = self.number(expr)
                uses[number] = uses.get(number, 0) + 1
            often = 2 if isinstance(stmt, LOOPS) else 1  # what is told in a loop counts twice
            for inner in (self.summary(s) for block in child_blocks(stmt) for s in block):
                changed |= inner.changed
                for number, times in inner.uses.items():
                    uses[number] = uses.get(number, 0) + often * times
            candidates = {self.number(expr): expr for expr in _candidates(stmt, self.given)}
            found = tuple([(expr, number, *self.facts(number, expr)) for number, expr in candidates.items()])
            known = self.known[id(stmt)] = stmt, _Summary(uses, changed, found)
        return known[1]

    def number(self, expr: ir.Expr) -> int:
        return self.numbers.setdefault(expr, len(self.numbers))

    def facts(self, number: int, expr: ir.Expr) -> tuple[set[str], int]:
        """The locals that an expression reads, and its size."""
        if number not in self.measured:
            self.measured[number] = locals_read(expr), expression_size(expr)
        return self.measured[number]


@record
class _Summary:
    """Of a statement with all inside."""

    uses: dict[int, int]  # how often each expression is told, by its number
    changed: set[str]  # locals and lists that it gives a value, or that grow
    candidates: tuple[tuple[ir.Expr, int, set[str], int], ...]  # with its number, the locals it reads, and its size


def _candidates(stmt: Any, given: frozenset[str]) -> Iterator[ir.Expr]:
    """What a statement surely works out first, words of what is given, and words that a loop's body reads at once."""
    if isinstance(stmt, (ir.Branch, ir.Set, ir.Return, ir.ForRange, ir.ForChain, ir.ForArray, ir.ForTable)):
        for expr in child_exprs(stmt):
            yield from (e for e in _certain_parts(expr) if _is_worth_sharing(e))
            if not isinstance(stmt, ir.Branch):
                yield from (e for e in with_subexpressions(expr) if _is_plain_cell(e) and locals_read(e) <= given)
    if isinstance(stmt, LOOPS) and stmt.body and not isinstance(stmt, ir.ForTable):  # constant rows are short
        yield from (e for e in _cells_read(stmt.body) if locals_read(e) <= given)
        first = stmt.body[0]
        if isinstance(first, (ir.Branch, *FOR_LOOPS)):
            for expr in child_exprs(first):
                yield from (e for e in with_subexpressions(expr) if _is_plain_cell(e))
        if isinstance(first, FOR_LOOPS):
            yield from (e for e in _candidates(first, given) if _is_plain_cell(e))


def _cells_read(block: ir.Block) -> Iterator[ir.Expr]:
    """Words that a block reads outside of its own loops, which it may not come to."""
    for stmt in block:
        for expr in child_exprs(stmt):
            yield from (e for e in with_subexpressions(expr) if _is_plain_cell(e))


def _certain_parts(expr: ir.Expr) -> Iterator[ir.Expr]:
    """The expression and those parts of it that are worked out whenever it is."""
    yield expr
    if isinstance(expr, ir.If):
        yield from _certain_parts(expr.test)
    elif isinstance(expr, ir.Logic):
        if expr.parts:
            yield from _certain_parts(expr.parts[0])
    else:
        for part in child_exprs(expr):
            yield from _certain_parts(part)


def _is_worth_sharing(expr: ir.Expr) -> bool:
    if isinstance(expr, (ir.Cell, ir.Table, ir.RowLength, ir.Call, ir.MinMax)):
        return True
    return isinstance(expr, (ir.Arith, ir.If)) and any(
        isinstance(e, (ir.Cell, ir.Call)) for e in with_subexpressions(expr)
    )


def _is_plain_cell(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Cell) and (expr.index is None or isinstance(expr.index, ir.Local))


def _replace_expression(stmt: Any, expr: ir.Expr, local: ir.Local) -> Any:
    changed: Any = rewrite_exprs(stmt, lambda e: local if e == expr else e)
    return with_blocks(changed, lambda block: tuple(_replace_expression(s, expr, local) for s in block))
