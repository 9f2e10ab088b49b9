"""What is constant is worked out when compiling."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Literal

from rulelang.base.numbers import is_representable
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import rewrite_exprs, with_blocks
from rulelang.compiler.passes.analysis.cost import expensive

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


def fold(expr: ir.Expr) -> ir.Expr:
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
            return ir.If(test, fold(ir.Arith("+", then, more)), fold(ir.Arith("+", otherwise, more)))
        case ir.Compare(op, ir.Arith("-", left, right), ir.Const(0)):
            return fold(ir.Compare(op, left, right))
        case ir.Compare(op, ir.If(test, then, ir.Const(a)), ir.Const(b) as least):
            compared = fold(ir.Compare(op, then, least))
            parts = (ir.Not(test), compared) if _COMPARE[op](a, b) else (test, compared)
            return _logic(ir.Logic("or" if _COMPARE[op](a, b) else "and", parts))
        case ir.Compare(op, ir.Const(a), ir.Const(b)):
            return YES if _COMPARE[op](a, b) else NO
        case ir.Compare(op, ir.MinMax("max", args), ir.Const(0)) if NO in args and op in _AT_LEAST_NONE:
            return _compared(_AT_LEAST_NONE[op], args)
        case ir.Not(ir.Const(value)):
            return NO if value else YES
        case ir.Not(ir.MinMax("max", args)) if NO in args:
            return _compared("<=", args)
        case ir.If(ir.Const(value), then, otherwise):
            return then if value else otherwise
        case ir.If(test, then, otherwise) if then == otherwise and not expensive(test):
            return then
        case ir.If(test, ir.If(again, then, _), otherwise) if test == again:
            return ir.If(test, then, otherwise)
        case ir.If(ir.If(test, ir.Const(1), ir.Const(0)), then, otherwise):
            return ir.If(test, then, otherwise)
        case ir.Logic():
            return _logic(expr)
        case ir.MinMax(kind, args) if all(isinstance(a, ir.Const) for a in args) and args:
            values = [a.value for a in args if isinstance(a, ir.Const)]
            return ir.Const(min(values) if kind == "min" else max(values))
        case _:
            return expr


def _compared(op: Literal["<=", ">"], args: tuple[ir.Expr, ...]) -> ir.Expr:
    """How the largest of some numbers and 0 compares with 0."""
    rest = tuple(arg for arg in args if arg != NO)
    parts = tuple(fold(ir.Compare(op, arg, NO)) for arg in rest)
    return parts[0] if len(parts) == 1 else _logic(ir.Logic("or" if op == ">" else "and", parts))


def _logic(expr: ir.Logic) -> ir.Expr:
    ends = expr.op == "or"  # the truth that settles it
    parts: list[ir.Expr] = []
    for part in expr.parts:
        if isinstance(part, ir.Logic) and part.op == expr.op:
            parts += part.parts
        elif not isinstance(part, ir.Const):
            parts.append(part)
        elif bool(part.value) == ends:
            settled = YES if ends else NO
            return ir.Logic(expr.op, (*parts, settled)) if any(map(expensive, parts)) else settled
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
            elif stmt.then or stmt.otherwise or expensive(stmt.test):
                found.append(_once(stmt))
        elif isinstance(stmt, ir.While) and stmt.test == NO:
            continue
        else:
            found.append(stmt)
        if found and isinstance(found[-1], (ir.Return, ir.Break, ir.Continue, ir.Fail)):
            break
    return tuple(found)


def _once(stmt: ir.Branch) -> ir.Branch:
    """A branch that tests the same again at once tests it once."""
    match stmt:
        case ir.Branch(test, (ir.Branch(again, then, ()),), ()) if test == again:
            return ir.Branch(test, then)
        case _:
            return stmt


def rewrite_folding(block: ir.Block, change: Callable[[ir.Expr], ir.Expr]) -> ir.Block:
    """Every expression of a block rewritten bottom up, and its branches and loops settled, the innermost first."""

    def inside(block: ir.Block) -> ir.Block:
        return fold_block(tuple(with_blocks(rewrite_exprs(stmt, change), inside) for stmt in block))

    return inside(block)
