"""Arithmetic of the rules that may divide by zero or come to too much is put into functions that test it.

It goes first: whatever stands as plain `ir.Arith` behind it is sound, so other passes may turn it round as they like. A
call may fail, and they know that of calls.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import Literal

from rulelang.base.numbers import ANY, Range
from rulelang.base.source import Span
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import all_exprs, rewrite_block, rewrite_exprs, statements, with_blocks
from rulelang.compiler.passes.analysis.failing import failing_functions, may_fail
from rulelang.compiler.passes.analysis.ranges import Ranges

_A, _B = ir.Local("a"), ir.Local("b")
_ZERO = ir.Const(0)
_WORDS = {"+": "plus", "-": "minus", "*": "times"}


def check_arithmetic(module: ir.Module) -> None:
    """Rewrite the module's functions."""
    work = _Work(module)
    found = {f.name: work.block(f.body, f) for f in [*module.functions.values()] if _calculates(f, module)}
    for name, body in found.items():
        module.functions[name] = replace(module.functions[name], body=body)
    failing = failing_functions(module)
    for function in [*module.functions.values()]:
        if function.kind == "routine" and any(_tells(s, failing) for s in statements(function.body)):
            module.functions[function.name] = replace(function, body=_told(function.body, failing, count(1)))


def _tells(stmt: ir.Stmt, failing: set[str]) -> bool:
    return isinstance(stmt, ir.Log) and any(may_fail(arg, failing) for arg in stmt.args)


def _told(block: ir.Block, failing: set[str], number: Iterator[int]) -> ir.Block:
    """What a line of the log says is worked out also where nobody hears it, if that may fail."""
    found: list[ir.Stmt] = []
    for stmt in block:
        if isinstance(stmt, ir.Log) and _tells(stmt, failing):
            names = tuple(f"told_{next(number)}" for _ in stmt.args)
            found += [ir.Set(name, arg) for name, arg in zip(names, stmt.args, strict=True)]
            found.append(replace(stmt, args=tuple(map(ir.Local, names))))
        else:
            found.append(with_blocks(stmt, lambda inner: _told(inner, failing, number)))
    return tuple(found)


def _calculates(function: ir.Function, module: ir.Module) -> bool:
    return any(
        isinstance(stmt, ir.Add)
        or any(
            (isinstance(e, ir.Arith) and e.span is not None)
            or (isinstance(e, ir.Call) and module.functions[e.function].keeps is not None)
            for e in all_exprs(stmt)
        )
        for stmt in statements(function.body)
    )


class _Work:
    def __init__(self, module: ir.Module) -> None:
        self.functions = module.functions
        self.ranges = Ranges(module)
        self.largest = module.limits["number"]
        self.names: dict[tuple[str, Span], str] = {}  # of the functions that were made, by what they do and where

    def block(self, block: ir.Block, function: ir.Function) -> ir.Block:
        return tuple(part for stmt in block for part in self.statement(stmt, function))

    def statement(self, stmt: ir.Stmt, function: ir.Function) -> list[ir.Stmt]:
        if isinstance(stmt, ir.Add) and stmt.limits is not None:
            # The sum is tested against its limits: it has to be the right one.
            whole = ir.Arith("+", ir.Cell(stmt.base, stmt.index), stmt.value, stmt.limits.span)
            if not self.sound(self.ranges.exact(whole, function)):
                stmt = ir.Store(stmt.base, stmt.index, whole, stmt.limits)
        changed = rewrite_exprs(stmt, lambda e: self.change(e, function))
        match changed:
            case ir.Set(name, ir.Call(called, (number,))) if self.functions[called].keeps is not None:
                # In place: it costs less than a call.
                kept = self.functions[called]
                here: dict[str, ir.Expr] = {kept.params[0]: ir.Local(name)}
                test = rewrite_block(kept.body[:1], lambda e: here.get(e.name, e) if isinstance(e, ir.Local) else e)
                return [ir.Set(name, number), *test]
        return [with_blocks(changed, lambda inner: self.block(inner, function))]

    def change(self, expr: ir.Expr, function: ir.Function) -> ir.Expr:
        """One node; its parts are done."""
        match expr:
            case ir.Arith("//" | "%" as op, left, right, span) if span is not None:
                low, high = self.ranges.of(right, function)
                return ir.Arith(op, left, right if low > 0 or high < 0 else ir.Call(self.divisor(span), (right,)))
            case ir.Arith("+" | "-" | "*" as op, left, right, span) if span is not None:
                plain = ir.Arith(op, left, right)
                if self.sound(self.ranges.exact(plain, function)):
                    return plain
                return ir.Call(self.tested(op, span), (left, right))
            case ir.Call(name, (number,)) if (keeps := self.functions[name].keeps) is not None:
                low, high = self.ranges.of(number, function)
                return number if keeps[0] <= low and high <= keeps[1] else expr
            case _:
                return expr

    def sound(self, exact: Range | None) -> bool:
        return exact is not None and -self.largest <= exact[0] and exact[1] <= self.largest

    def divisor(self, span: Span) -> str:
        """The function that answers a number that is not 0."""
        fail = ir.Fail("X602", span, "division by zero")
        return self.made("divisor", span, ("a",), ir.Compare("==", _A, _ZERO), fail, _A)

    def tested(self, op: Literal["+", "-", "*"], span: Span) -> str:
        """The function of two numbers that fails where they come to too much. Its test never leaves the numbers."""
        most, least = ir.Const(self.largest), ir.Const(-self.largest)
        match op:
            case "+":
                down, up = ir.Compare("<", _A, _minus(least, _B)), ir.Compare(">", _A, _minus(most, _B))
                beyond: ir.Expr = ir.If(ir.Compare("<", _B, _ZERO), down, up)
            case "-":
                down, up = ir.Compare("<", _A, _plus(least, _B)), ir.Compare(">", _A, _plus(most, _B))
                beyond = ir.If(ir.Compare("<", _B, _ZERO), up, down)
            case "*":
                a, b = (ir.MinMax("max", (x, _minus(_ZERO, x))) for x in (_A, _B))
                beyond = ir.Logic("and", (_A, ir.Compare(">", b, ir.Arith("//", most, a))))
        message = f"{{0}} {op} {{1}} is too large"
        return self.made(_WORDS[op], span, ("a", "b"), beyond, ir.Fail("X610", span, message, (_A, _B)),
                         ir.Arith(op, _A, _B))  # fmt: skip

    def made(
        self, word: str, span: Span, params: tuple[str, ...], test: ir.Expr, fail: ir.Fail, answer: ir.Expr
    ) -> str:
        name = self.names.get((word, span), "")
        if not name:  # a number: what is compiled does not hang on where the game lies, nor on lines above
            name = self.names[word, span] = f"{word} {len(self.names) + 1}"
            assert name not in self.functions, name
            body = (ir.Branch(test, (fail,)), ir.Return(answer))
            self.functions[name] = ir.Function(name, "pure", params, body, "calculation", span)
            self.ranges.results[name] = ANY
        return name


def _plus(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    return ir.Arith("+", left, right)


def _minus(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    return ir.Arith("-", left, right)
