"""Expressions as JavaScript text. `value` is a number, `cond` only a truth. Operands always stand in parentheses.

Numbers are exact up to 2**53 - 1; `simplify.checked_arithmetic` was told so (`Module.limits`), and tests what the
author calculates. Bits are those of words: JavaScript takes 32 of them, also of a longer number, which is what `&` with
a word comes to.
"""

from __future__ import annotations

from typing import assert_never

from rulelang.backends.braces import LocalNames
from rulelang.backends.javascript.unit import JavaScriptUnit
from rulelang.backends.scripted import Calls
from rulelang.ir import nodes as ir
from rulelang.transform.analysis.addresses import split_constant

#: The largest number that JavaScript has with all its neighbours.
EXACT = 2**53 - 1


class Exprs(Calls):
    """Emits the expressions of one function. `names`: its locals; `widths`: of its lists of tuples."""

    def __init__(self, unit: JavaScriptUnit, function: str, names: LocalNames, widths: dict[str, int]) -> None:
        self.unit, self.function, self.names, self.widths = unit, function, names, widths

    def cond(self, expr: ir.Expr) -> str:
        """Text that is true or false in JavaScript's sense; a number counts as true unless it is 0."""
        match expr:
            case ir.Compare(op, left, right):
                text = {"==": "===", "!=": "!=="}.get(op, op)
                return f"({self.value(left)} {text} {self.value(right)})"
            case ir.Logic(op, parts):
                if not parts:
                    return "true" if op == "and" else "false"
                return f"({(' && ' if op == 'and' else ' || ').join(map(self.cond, parts))})"
            case ir.Not(operand):
                return f"!{self.cond(operand)}"
            case ir.If(test, ir.Const(then), ir.Const(otherwise)) if bool(then) != bool(otherwise):
                return self.cond(test) if then else f"!{self.cond(test)}"
            case ir.If(test, then, otherwise):
                return f"({self.cond(test)} ? {self.cond(then)} : {self.cond(otherwise)})"
            case ir.ArrayHas(zone, value):
                return f"has_(S, {self.value(zone)}, {self.value(value)})"
            case ir.FirstLike(zone, at, value, table):
                given = ", ".join(map(self.value, (zone, at, value)))
                return f"first_(S, {given}, {self.unit.table(table)})"
            case ir.Mode("random"):
                return "(H === AUTO_)"
            case ir.Mode():
                return f"(S[{self.unit.cells.stepping}] && H !== AUTO_)"
            case ir.Trial(function, args):
                return f"{self.unit.trial(function)}(S{self.args(args)}{self.depth(function)})"
            case _:
                return self.value(expr)

    def value(self, expr: ir.Expr) -> str:
        match expr:
            case ir.Const(value):
                if abs(value) > EXACT:
                    return f'beyond_("{value}")'
                return str(value) if value >= 0 else f"({value})"
            case ir.Local(name):
                return self.names[name]
            case ir.Cell(base, index):
                return f"S[{self.address(base, index)}]"
            case ir.Table(name, index):
                return f"{self.unit.table(name)}[{self.value(index)}]"
            case ir.Arith():
                return self.arith(expr)
            case ir.MinMax(kind, args):
                return self.value(args[0]) if len(args) == 1 else f"Math.{kind}({', '.join(map(self.value, args))})"
            case ir.If(test, then, otherwise):
                return f"({self.cond(test)} ? {self.value(then)} : {self.value(otherwise)})"
            case ir.Call(function, args):
                return f"{self.unit.function(function, 'p_')}(S{self.args(args)}{self.depth(function)})"
            case ir.Length(name):
                width = self.widths.get(name, 1)
                return f"{self.names[name]}.length" if width == 1 else f"({self.names[name]}.length / {width})"
            case ir.Item(name, index):
                return f"{self.names[name]}[{self.value(index)}]"
            case ir.RowLength(row, index):
                return f"{self.unit.row(row)}[{self.value(index)}].length"
            case ir.RowItem(row, index, at):
                return f"{self.unit.row(row)}[{self.value(index)}][{self.value(at)}]"
            case ir.Compare() | ir.Logic() | ir.Not() | ir.ArrayHas() | ir.FirstLike() | ir.Mode() | ir.Trial():
                return f"({self.cond(expr)} ? 1 : 0)"
            case _:
                assert_never(expr)

    def arith(self, expr: ir.Arith) -> str:
        left, right = self.value(expr.left), self.value(expr.right)
        match expr.op:
            case "//":
                return f"Math.floor({left} / {right})"
            case "%":
                return f"modulo_({left}, {right})"
            case ">>" if not isinstance(expr.left, ir.Cell) and not _is_mask(expr.left):
                return f"Math.floor({left} / {_power(expr.right, right)})"
            case "<<" if expr.left != ir.Const(1) and not _is_mask(expr.left):
                return f"({left} * {_power(expr.right, right)})"
            case _:
                return f"({left} {expr.op} {right})"

    # ---- parts of calls

    def row(self, values: tuple[ir.Expr, ...]) -> str:
        return f"[{', '.join(map(self.value, values))}]"

    def address(self, base: int, index: ir.Expr | None) -> str:
        """The text of `base + index`, constants added up. `| 0` tells V8 that it need not look for an overflow."""
        rest, constant = split_constant(index)
        if rest is None:
            return str(base + constant)
        return f"{base + constant} + {self.value(rest)} | 0"


def _is_mask(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Arith) and expr.op == "&"


def _power(places: ir.Expr, text: str) -> str:
    return str(2**places.value) if isinstance(places, ir.Const) else f"2 ** {text}"
