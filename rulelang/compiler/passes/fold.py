"""Simplify functions: fold constants, drop tests that are settled, and remove dead code."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Literal, cast

from rulelang.base.numbers import is_representable
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.analysis import is_expensive, may_fail
from rulelang.compiler.ir.walk import (
    FOR_LOOPS,
    LOOPS,
    all_statements,
    assigned_locals,
    child_exprs,
    locals_read,
    rewrite_exprs,
    with_blocks,
)

# ---- constants

_ARITH: dict[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "//": operator.floordiv, "%": operator.mod,
    "&": operator.and_, "|": operator.or_, "^": operator.xor, "<<": operator.lshift, ">>": operator.rshift,
}  # fmt: skip
_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
YES, NO = ir.Const(1), ir.Const(0)
#: What a comparison with 0 comes to where nothing is less than 0.
_AT_LEAST_NONE: dict[str, Literal["<=", ">"]] = {"==": "<=", "<=": "<=", "!=": ">", ">": ">"}


def fold_expression(expr: ir.Expr) -> ir.Expr:
    """One node simplified; its parts have been."""
    match expr:
        case ir.Arith(op, ir.Const(a), ir.Const(b)):
            if (op in ("//", "%") and b == 0) or (op in ("<<", ">>") and not 0 <= b < 64):
                return expr
            found = _ARITH[op](a, b)
            return ir.Const(found) if is_representable(found) else expr
        case ir.Arith("+" | "-" | "|" | "^" | "<<" | ">>", left, ir.Const(0)) | ir.Arith("*" | "//", left, ir.Const(1)):
            return left
        case ir.Arith("+", ir.Const(0), right) | ir.Arith("*", ir.Const(1), right):
            return right
        case ir.Arith("+", left, ir.Arith("-", ir.Const(0), right)):
            return ir.Arith("-", left, right)
        case ir.Arith("-", left, ir.Arith("-", ir.Const(0), right)):
            return ir.Arith("+", left, right)
        case ir.Arith("+", ir.If(test, then, ir.Const() as otherwise), ir.Const() as more) | ir.Arith(
            "+", ir.Const() as more, ir.If(test, then, ir.Const() as otherwise)
        ):
            return ir.If(
                test, fold_expression(ir.Arith("+", then, more)), fold_expression(ir.Arith("+", otherwise, more))
            )
        case ir.Compare(op, ir.Arith("-", left, right), ir.Const(0)):
            return fold_expression(ir.Compare(op, left, right))
        case ir.Compare(op, ir.If(test, then, ir.Const(a)), ir.Const(b) as least):
            compared = fold_expression(ir.Compare(op, then, least))
            parts = (ir.Not(test), compared) if _COMPARE[op](a, b) else (test, compared)
            return _fold_logic(ir.Logic("or" if _COMPARE[op](a, b) else "and", parts))
        case ir.Compare(op, ir.Const(a), ir.Const(b)):
            return YES if _COMPARE[op](a, b) else NO
        case ir.Compare(op, ir.MinMax("max", args), ir.Const(0)) if NO in args and op in _AT_LEAST_NONE:
            return _compare_with_zero(_AT_LEAST_NONE[op], args)
        case ir.Not(ir.Const(value)):
            return NO if value else YES
        case ir.Not(ir.MinMax("max", args)) if NO in args:
            return _compare_with_zero("<=", args)
        case ir.If(ir.Const(value), then, otherwise):
            return then if value else otherwise
        case ir.If(test, then, otherwise) if then == otherwise and not is_expensive(test):
            return then
        case ir.If(test, ir.If(again, then, _), otherwise) if test == again:
            return ir.If(test, then, otherwise)
        case ir.If(ir.If(test, ir.Const(1), ir.Const(0)), then, otherwise):
            return ir.If(test, then, otherwise)
        case ir.Logic():
            return _fold_logic(expr)
        case ir.MinMax(kind, args) if all(isinstance(a, ir.Const) for a in args) and args:
            values = [a.value for a in args if isinstance(a, ir.Const)]
            return ir.Const(min(values) if kind == "min" else max(values))
        case _:
            return expr


def _compare_with_zero(op: Literal["<=", ">"], args: tuple[ir.Expr, ...]) -> ir.Expr:
    """How the largest of some numbers and 0 compares with 0."""
    rest = tuple(arg for arg in args if arg != NO)
    parts = tuple(fold_expression(ir.Compare(op, arg, NO)) for arg in rest)
    return parts[0] if len(parts) == 1 else _fold_logic(ir.Logic("or" if op == ">" else "and", parts))


def _fold_logic(expr: ir.Logic) -> ir.Expr:
    ends = expr.op == "or"  # the truth that settles it
    parts: list[ir.Expr] = []
    for part in expr.parts:
        if isinstance(part, ir.Logic) and part.op == expr.op:
            parts += part.parts
        elif not isinstance(part, ir.Const):
            parts.append(part)
        elif bool(part.value) == ends:
            settled = YES if ends else NO
            return ir.Logic(expr.op, (*parts, settled)) if any(map(is_expensive, parts)) else settled
    if not parts:
        return NO if ends else YES
    if len(parts) == 1 and isinstance(parts[0], (ir.Compare, ir.Not, ir.Logic, ir.ArrayHas)):
        return parts[0]  # 0 or 1 by itself
    return ir.Logic(expr.op, tuple(parts))


def fold_block(block: ir.Block) -> ir.Block:
    """Branches and loops whose test is constant are settled; what stands behind a return or a break goes."""
    found: list[ir.Stmt] = []
    for stmt in block:
        if isinstance(stmt, ir.Branch):
            if isinstance(stmt.test, ir.Const):
                found += stmt.then if stmt.test.value else stmt.otherwise
            elif stmt.then or stmt.otherwise or is_expensive(stmt.test):
                found.append(_merge_same_branch(stmt))
        elif isinstance(stmt, ir.While) and stmt.test == NO:
            continue
        else:
            found.append(stmt)
        if found and isinstance(found[-1], (ir.Return, ir.Break, ir.Continue, ir.Fail)):
            break
    return tuple(found)


def _merge_same_branch(stmt: ir.Branch) -> ir.Branch:
    """A branch that tests the same again at once tests it once."""
    match stmt:
        case ir.Branch(test, (ir.Branch(again, then, ()),), ()) if test == again:
            return ir.Branch(test, then)
        case _:
            return stmt


def fold_rewriting(block: ir.Block, change: Callable[[ir.Expr], ir.Expr]) -> ir.Block:
    """Every expression of a block rewritten bottom up, and its branches and loops settled, the innermost first."""

    def inside(block: ir.Block) -> ir.Block:
        return fold_block(tuple(with_blocks(rewrite_exprs(stmt, change), inside) for stmt in block))

    return inside(block)


# ---- redundant tests

#: Conditions, and whether they hold.
Facts = dict[ir.Expr, bool]


def drop_redundant_tests(block: ir.Block, facts: Facts | None = None) -> ir.Block:
    """The block without conditions whose answer is known."""
    known = dict(facts or {})
    found: list[ir.Stmt] = []
    for stmt in block:
        changed = {name for s in all_statements((stmt,)) for name in assigned_locals(s)}
        if isinstance(stmt, LOOPS):  # what a round sets, the next one meets
            known = _facts_without(known, changed)
        found.append(_without_known_tests(stmt, known))
        known = _facts_without(known, changed)
        if isinstance(stmt, ir.Branch) and stmt.then and isinstance(stmt.then[-1], (ir.Return, ir.Continue, ir.Break)):
            known |= _facts_without(_facts_of_test(stmt.test, False), changed)
    return fold_block(tuple(found))


def _without_known_tests(stmt: ir.Stmt, known: Facts) -> ir.Stmt:
    if isinstance(stmt, ir.Branch):
        test = _remaining_test(stmt.test, known)
        then = drop_redundant_tests(stmt.then, known | _facts_of_test(test, True))
        return ir.Branch(test, then, drop_redundant_tests(stmt.otherwise, known | _facts_of_test(test, False)))
    told: Any = rewrite_exprs(stmt, lambda e: _known_value(e, known))
    return with_blocks(told, lambda inner: drop_redundant_tests(inner, known))


def _known_value(expr: ir.Expr, known: Facts) -> ir.Expr:
    """One node, its parts done: a choice whose condition is known, and truths that are."""
    if isinstance(expr, ir.If):
        return fold_expression(ir.If(_remaining_test(expr.test, known), expr.then, expr.otherwise))
    if isinstance(expr, (ir.Compare, ir.Not)) and expr in known:
        return YES if known[expr] else NO
    return fold_expression(expr)


def _remaining_test(test: ir.Expr, known: Facts) -> ir.Expr:
    """A condition without the parts that are known."""
    if test in known:
        return YES if known[test] else NO
    match test:
        case ir.Not(operand):
            return fold_expression(ir.Not(_remaining_test(operand, known)))
        case ir.Logic(op, parts):
            return fold_expression(ir.Logic(op, tuple(_remaining_test(part, known) for part in parts)))
        case ir.If(asked, then, otherwise):
            return fold_expression(
                ir.If(_remaining_test(asked, known), _remaining_test(then, known), _remaining_test(otherwise, known))
            )
        case _:
            return test


def _facts_of_test(test: ir.Expr, holds: bool) -> Facts:
    """What a condition tells that holds or does not."""
    match test:
        case ir.Const():
            return {}
        case ir.Not(operand):
            return {test: holds, **_facts_of_test(operand, not holds)}
        case ir.Logic("and", parts) if holds:
            return {fact: truth for part in parts for fact, truth in _facts_of_test(part, True).items()}
        case ir.Logic("or", parts) if not holds:
            return {fact: truth for part in parts for fact, truth in _facts_of_test(part, False).items()}
        case ir.Logic():
            return {}
        case _:
            return {test: holds}


def _facts_without(known: Facts, changed: set[str]) -> Facts:
    return {fact: truth for fact, truth in known.items() if not locals_read(fact) & changed}


# ---- dead code

#: Statements that make or change a local and nothing else; the last four, a list that is there.
_LOCAL = (ir.Set, ir.NewList, ir.ArrayToList, ir.ArrayView, ir.Append, ir.TakeAt, ir.Sort, ir.KeepBest)


def without_log(function: ir.Function, failing: set[str]) -> ir.Function:
    """The function without its log. `failing`: functions that may fail, whose calls stay (see `ir.analysis`)."""
    body = _without_log(function.body)
    while True:
        shorter = _live_statements(body, set(_locals_read_in(body)), failing)
        if shorter == body:
            return replace(function, body=body)
        body = shorter


def _without_log(block: ir.Block) -> ir.Block:
    return tuple(with_blocks(stmt, _without_log) for stmt in block if not isinstance(stmt, (ir.Log, ir.LogEnd)))


def _locals_read_in(block: ir.Block) -> Iterator[str]:
    """The names of all locals that are read in a block. A list is not read by what only changes it."""
    for stmt in all_statements(block):
        yield from locals_read(stmt)
        if isinstance(stmt, ir.Given):
            yield from stmt.names
        elif not isinstance(stmt, _LOCAL) and isinstance(found := getattr(stmt, "list", None), str):
            yield found


def _live_statements(block: ir.Block, read: set[str], failing: set[str]) -> ir.Block:
    """The block without what makes only locals that nobody reads, and without what does nothing then."""
    found: list[ir.Stmt] = []
    for old in block:
        stmt = with_blocks(old, lambda inner: _live_statements(inner, read, failing))
        if any(may_fail(expr, failing) for expr in child_exprs(stmt)):
            found.append(stmt)
        elif isinstance(stmt, _LOCAL):
            if cast(str, getattr(stmt, "list", None) or getattr(stmt, "name", "")) in read:
                found.append(stmt)
        elif isinstance(stmt, ir.Branch):
            if stmt.then or stmt.otherwise:
                found.append(stmt)
        elif not isinstance(stmt, FOR_LOOPS) or stmt.body:
            found.append(stmt)
    return tuple(found)
