"""Tests that are the same in every round of a loop are asked once, before it; tests are made plain for that."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import (
    FOR_LOOPS,
    all_of,
    assigned,
    conjuncts,
    locals_read,
    readers,
    statements,
    with_blocks,
    with_inner,
)
from rulelang.compiler.passes.simplify.merge_bit_tests import merge_bit_tests
from rulelang.compiler.passes.simplify.redundant_tests import drop_redundant_tests


def unswitch(module: ir.Module) -> None:
    """Rewrite the functions that only read: what a round does not change cannot change between rounds."""
    natural = frozenset(a.base for a in module.layout.attributes if a.holds[0] >= 0 and a.width == 1)
    for function in readers(module):
        given = frozenset(function.params) - function.lists
        body = merge_bit_tests(drop_redundant_tests(_block(function.body, given, natural)))
        module.functions[function.name] = replace(function, body=body)


def _block(block: ir.Block, given: frozenset[str], natural: frozenset[int]) -> ir.Block:
    return tuple(_statement(s, given, natural) for s in block)


def _statement(stmt: ir.Stmt, given: frozenset[str], natural: frozenset[int]) -> ir.Stmt:
    inner: Any = with_blocks(stmt, lambda block: _block(block, given, natural))
    if isinstance(inner, ir.Branch):
        return replace(inner, test=_bare(inner.test, natural))
    if not isinstance(inner, FOR_LOOPS) or len(inner.body) != 1:
        return inner
    branch = inner.body[0]
    if not isinstance(branch, ir.Branch) or branch.otherwise:
        return inner
    made = {name for s in statements((inner,)) for name in assigned(s)}
    parts = conjuncts(branch.test)
    fixed = tuple(p for p in parts if _plain(p, given) and not locals_read(p) & made)
    if not fixed:
        return inner
    rest = tuple(p for p in parts if p not in fixed)
    body = (ir.Branch(all_of(rest), branch.then),) if rest else branch.then
    return ir.Branch(all_of(fixed), (replace(inner, body=body),))


def _bare(test: ir.Expr, natural: frozenset[int]) -> ir.Expr:
    """A condition without what only makes it 0 or 1, its parts in one row. Words of `natural` columns are never less
    than 0: less than a number that is 0 unless something holds they are only if that holds."""
    while isinstance(test, ir.If) and (test.then, test.otherwise) == (ir.Const(1), ir.Const(0)):
        test = test.test
    match test:
        case ir.Logic("and", parts):
            return all_of(tuple(inner for part in parts for inner in conjuncts(_bare(part, natural))))
        case ir.Compare("<", ir.Cell(base) as word, ir.If(needed, number, ir.Const(0))) if base in natural:
            return all_of((*conjuncts(_bare(needed, natural)), ir.Compare("<", word, number)))
        case _:
            return test


def _plain(test: ir.Expr, given: frozenset[str]) -> bool:
    """Whether it may be asked where no round would have asked it: words that arguments lead to are always there."""
    match test:
        case ir.Compare(_, left, right):
            return _plain(left, given) and _plain(right, given)
        case ir.Not(operand):
            return _plain(operand, given)
        case ir.Cell(_, index):
            return index is None or all(
                isinstance(e, ir.Const)
                or (isinstance(e, ir.Local) and e.name in given)
                or (isinstance(e, ir.Arith) and e.op in ("+", "*"))
                for e in with_inner(index)
            )
        case _:
            return isinstance(test, (ir.Const, ir.Local))
