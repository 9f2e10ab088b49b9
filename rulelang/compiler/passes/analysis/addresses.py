"""Addresses as backends tell them: constants added up."""

from __future__ import annotations

from rulelang.compiler.ir import nodes as ir


def split_constant(expr: ir.Expr | None) -> tuple[ir.Expr | None, int]:
    """An expression as (rest, constant) with rest + constant its value."""
    match expr:
        case None:
            return None, 0
        case ir.Const(value):
            return None, value
        case ir.Arith("+", left, right):
            rest_l, c_l = split_constant(left)
            rest_r, c_r = split_constant(right)
            if not c_l and not c_r and rest_l is not None and rest_r is not None:
                return expr, 0
            if rest_l is None or rest_r is None:
                return rest_l or rest_r, c_l + c_r
            return ir.Arith("+", rest_l, rest_r), c_l + c_r
        case ir.Arith("-", left, ir.Const(value)):
            rest, constant = split_constant(left)
            return rest, constant - value
        case ir.Arith("*", left, ir.Const(factor)):
            rest, constant = split_constant(left)
            if rest is None:
                return None, constant * factor
            return (ir.Arith("*", rest, ir.Const(factor)), constant * factor) if constant else (expr, 0)
        case _:
            return expr, 0
