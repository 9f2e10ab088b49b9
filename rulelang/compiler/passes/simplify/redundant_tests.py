"""What a function that only reads has asked already, it does not ask again: inside a branch the parts of its condition
hold, and behind a branch that leaves its negation does."""

from __future__ import annotations

from typing import Any

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import LOOPS, assigned, locals_read, rewrite_exprs, statements, with_blocks
from rulelang.compiler.passes.simplify.fold import NO, YES, fold, fold_block

#: Conditions, and whether they hold.
Facts = dict[ir.Expr, bool]


def drop_redundant_tests(block: ir.Block, facts: Facts | None = None) -> ir.Block:
    """The block without conditions whose answer is known."""
    known = dict(facts or {})
    found: list[ir.Stmt] = []
    for stmt in block:
        changed = {name for s in statements((stmt,)) for name in assigned(s)}
        if isinstance(stmt, LOOPS):  # what a round sets, the next one meets
            known = _without(known, changed)
        found.append(_settled(stmt, known))
        known = _without(known, changed)
        if isinstance(stmt, ir.Branch) and stmt.then and isinstance(stmt.then[-1], (ir.Return, ir.Continue, ir.Break)):
            known |= _without(_learnt(stmt.test, False), changed)
    return fold_block(tuple(found))


def _settled(stmt: ir.Stmt, known: Facts) -> ir.Stmt:
    if isinstance(stmt, ir.Branch):
        test = _asked(stmt.test, known)
        then = drop_redundant_tests(stmt.then, known | _learnt(test, True))
        return ir.Branch(test, then, drop_redundant_tests(stmt.otherwise, known | _learnt(test, False)))
    told: Any = rewrite_exprs(stmt, lambda e: _known(e, known))
    return with_blocks(told, lambda inner: drop_redundant_tests(inner, known))


def _known(expr: ir.Expr, known: Facts) -> ir.Expr:
    """One node, its parts done: a choice whose condition is known, and truths that are."""
    if isinstance(expr, ir.If):
        return fold(ir.If(_asked(expr.test, known), expr.then, expr.otherwise))
    if isinstance(expr, (ir.Compare, ir.Not)) and expr in known:
        return YES if known[expr] else NO
    return fold(expr)


def _asked(test: ir.Expr, known: Facts) -> ir.Expr:
    """A condition without the parts that are known."""
    if test in known:
        return YES if known[test] else NO
    match test:
        case ir.Not(operand):
            return fold(ir.Not(_asked(operand, known)))
        case ir.Logic(op, parts):
            return fold(ir.Logic(op, tuple(_asked(part, known) for part in parts)))
        case ir.If(asked, then, otherwise):
            return fold(ir.If(_asked(asked, known), _asked(then, known), _asked(otherwise, known)))
        case _:
            return test


def _learnt(test: ir.Expr, holds: bool) -> Facts:
    """What a condition tells that holds or does not."""
    match test:
        case ir.Const():
            return {}
        case ir.Not(operand):
            return {test: holds, **_learnt(operand, not holds)}
        case ir.Logic("and", parts) if holds:
            return {fact: truth for part in parts for fact, truth in _learnt(part, True).items()}
        case ir.Logic("or", parts) if not holds:
            return {fact: truth for part in parts for fact, truth in _learnt(part, False).items()}
        case ir.Logic():
            return {}
        case _:
            return {test: holds}


def _without(known: Facts, changed: set[str]) -> Facts:
    return {fact: truth for fact, truth in known.items() if not locals_read(fact) & changed}
