"""Bound expressions by ranges, and check the arithmetic that may divide by zero or overflow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import Literal, assert_never

from rulelang.base.layout import Layout
from rulelang.base.numbers import ANY, WORD, Range, range_of
from rulelang.base.source import Span
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.analysis import failing_functions, may_fail
from rulelang.compiler.ir.walk import (
    all_exprs,
    all_statements,
    assigned_locals,
    rewrite_block,
    rewrite_exprs,
    with_blocks,
)
from rulelang.compiler.passes.intervals import Regions, bounded_interval, interval_arithmetic

# ---- ranges of expressions

TRUTH: Range = (0, 1)
#: More often than anything is added in one go; it would take longer than a turn may.
MOST_REPETITIONS = 2**28
#: Expressions within expressions, also of functions that call each other, after which it is not looked further.
MOST_DEPTH = 100


class Ranges:
    """The ranges of one module."""

    def __init__(self, module: ir.Module) -> None:
        self.module = module
        self.words = CellRanges(module.layout)
        self.given: dict[str, list[tuple[ir.Function, tuple[ir.Expr, ...]]]] = {}  # arguments, by function
        self.puts: dict[str, dict[str, list[ir.Stmt]]] = {}  # by function and local, the statements that set it
        self.results: dict[str, Range] = {}
        self.locals: dict[tuple[str, str], Range] = {}
        self.tables: dict[str, Range] = {}
        self.depth = 0
        self.asked: set[object] = set()  # what is being worked out: asked for again, it may be anything
        for function in module.functions.values():
            for name, args in _calls_of(function):
                self.given.setdefault(name, []).append((function, args))

    def of(self, expr: ir.Expr, function: ir.Function) -> Range:
        """Where an expression of a function lies; never beyond `ANY`, since what is would have failed."""
        if self.depth == MOST_DEPTH:
            return ANY
        self.depth += 1
        low, high = self._of(expr, function)
        self.depth -= 1
        return max(low, ANY[0]), min(high, ANY[1])

    def exact(self, expr: ir.Arith, function: ir.Function) -> Range | None:
        """Where `+ - *` of numbers would lie, if there were no largest one."""
        if expr.op not in ("+", "-", "*"):
            return None
        return range_arithmetic(expr.op, self.of(expr.left, function), self.of(expr.right, function))

    def _of(self, expr: ir.Expr, function: ir.Function) -> Range:
        match expr:
            case ir.Const(value):
                return value, value
            case ir.Local(name):
                return self.local(name, function)
            case ir.Cell(base, index):
                return self.words.of(base, index)
            case ir.Table(name):
                if name not in self.tables:
                    self.tables[name] = range_of(self.module.tables[name])
                return self.tables[name]
            case ir.Arith():
                return self._arith(expr, function)
            case ir.MinMax(kind, args):
                pick = min if kind == "min" else max
                found = [self.of(arg, function) for arg in args]
                return pick(low for low, _ in found), pick(high for _, high in found)
            case ir.If(_, then, otherwise):
                return _range_join(self.of(then, function), self.of(otherwise, function))
            case ir.Call(name):
                called = self.module.functions[name]
                if called.keeps is not None:
                    return called.keeps
                return self.result(called)
            case ir.Length() | ir.RowLength():
                return 0, WORD[1]
            case ir.Item() | ir.RowItem():
                return ANY
            case ir.Compare() | ir.Logic() | ir.Not() | ir.ArrayHas() | ir.FirstLike() | ir.Trial() | ir.Mode():
                return TRUTH
            case _:
                assert_never(expr)

    def _arith(self, expr: ir.Arith, function: ir.Function) -> Range:
        exact = self.exact(expr, function)
        if exact is not None:
            return exact
        a, b = self.of(expr.left, function), self.of(expr.right, function)
        match expr.op:
            case "//":
                most = max(abs(a[0]), abs(a[1]))
                if a[0] >= 0 and b[0] >= 0:
                    return 0, most
                return -most, most
            case "%":
                return min(0, b[0] + 1), max(0, b[1] - 1)
            case "&" | "|" | "^" | ">>":
                found = interval_arithmetic(expr.op, bounded_interval(*a), bounded_interval(*b))
                return found.low, found.high
            case _:
                return ANY

    # ---- functions

    def result(self, function: ir.Function) -> Range:
        """Where what a function answers lies."""
        if function.name not in self.results:
            if function.name in self.asked:
                return ANY
            self.asked.add(function.name)
            found: Range = (0, 0)
            for stmt in all_statements(function.body):
                if isinstance(stmt, ir.Return) and stmt.value is not None:
                    found = _range_join(found, self.of(stmt.value, function))
            self.asked.discard(function.name)
            self.results[function.name] = found
        return self.results[function.name]

    def local(self, name: str, function: ir.Function) -> Range:
        key = (function.name, name)
        if key not in self.locals:
            if key in self.asked:
                return ANY
            self.asked.add(key)
            found: Range = (0, 0)
            if name in function.params:
                found = self._param(function.params.index(name), function)
            grown: Range = (0, 0)
            for stmt in self._put(function).get(name, ()):
                if isinstance(stmt, ir.Set):
                    value, more = self._value(stmt.value, name, function)
                    found, grown = _range_join(found, value), _range_join(grown, more)
                else:
                    found = _range_join(found, self._set(stmt, function))
            found = _range_sum(found, grown)
            self.asked.discard(key)
            self.locals[key] = max(found[0], ANY[0]), min(found[1], ANY[1])
        return self.locals[key]

    def _param(self, at: int, function: ir.Function) -> Range:
        """What a host gives is a word."""
        found = WORD
        for caller, args in self.given.get(function.name, ()):
            if found == ANY:
                break
            found = _range_join(found, self.of(args[at], caller))
        return found

    def _put(self, function: ir.Function) -> dict[str, list[ir.Stmt]]:
        if function.name not in self.puts:
            found: dict[str, list[ir.Stmt]] = {}
            for stmt in all_statements(function.body):
                for name in assigned_locals(stmt):
                    found.setdefault(name, []).append(stmt)
            self.puts[function.name] = found
        return self.puts[function.name]

    def _set(self, stmt: ir.Stmt, function: ir.Function) -> Range:
        match stmt:
            case ir.ForRange(_, low, end):
                return _range_join(self.of(low, function), self.of(end, function))
            case ir.CallRoutine(called):
                return self.result(self.module.functions[called])
            case ir.Random(_, bound):
                return 0, max(self.of(bound, function)[1], 0)
            case ir.ForList():
                return ANY
            case _:
                return WORD

    def _value(self, value: ir.Expr, name: str, function: ir.Function) -> tuple[Range, Range]:
        """What an assignment to a local puts in, and what such assignments add to what is there."""
        nothing: Range = (0, 0)
        this = ir.Local(name)
        match value:
            case ir.Local() if value == this:
                return nothing, nothing
            case ir.If(_, then, otherwise):
                parts: tuple[ir.Expr, ...] = (then, otherwise)
            case ir.MinMax(_, args):
                parts = args
            case ir.Arith("+", more, right) if right == this:
                return nothing, self._often(more, function)
            case ir.Arith("+" | "-" as op, left, more) if _is_local_plus(left, this):
                put, grown = self._value(left, name, function)
                low, high = self._often(more, function)
                return put, _range_sum(grown, (low, high) if op == "+" else (-high, -low))
            case _:
                return self.of(value, function), nothing
        found, grown = nothing, nothing
        for part in parts:
            here, more_here = self._value(part, name, function)
            found, grown = _range_join(found, here), _range_join(grown, more_here)
        return found, grown

    def _often(self, expr: ir.Expr, function: ir.Function) -> Range:
        """What many times a number come to."""
        low, high = self.of(expr, function)
        return min(low, 0) * MOST_REPETITIONS, max(high, 0) * MOST_REPETITIONS


class CellRanges:
    """Between which numbers the words of a layout lie: handles and links by what they name, numbers by the bounds that
    they are declared with, which whatever is stored is tested against."""

    def __init__(self, layout: Layout) -> None:
        self.regions = Regions(layout, set(), set(), ())
        self.held = {k: (what.low, what.high) for k, what in self.regions.given.items()}
        declared = [(a.base, a.holds) for a in layout.attributes] + [(t.base, t.holds) for t in layout.tables.values()]
        for base, holds in declared:
            self.held.setdefault(self.regions.at(base), holds)
        self.known: dict[tuple[int, bool], Range] = {}

    def of(self, base: int, index: ir.Expr | None) -> Range:
        """Where `S[base + index]` lies."""
        key = base, index is None
        if key not in self.known:
            self.known[key] = self._of(base, index is None)
        return self.known[key]

    def _of(self, base: int, alone: bool) -> Range:
        if not alone and base not in self.regions.columns:
            return WORD
        found = [self.held.get(k, WORD) for k in self.regions.touched(base, None if alone else bounded_interval(*ANY))]
        low, high = min(low for low, _ in found), max(high for _, high in found)
        return max(low, WORD[0]), min(high, WORD[1])


def range_arithmetic(op: str, a: Range, b: Range) -> Range:
    """Where `+ - *` of numbers lie that lie there."""
    match op:
        case "+":
            return _range_sum(a, b)
        case "-":
            return a[0] - b[1], a[1] - b[0]
    found = [x * y for x in a for y in b]
    return min(found), max(found)


def _is_local_plus(expr: ir.Expr, name: ir.Local) -> bool:
    """Whether it is a local, or that with something added."""
    while isinstance(expr, ir.Arith) and expr.op in "+-":
        expr = expr.left
    return expr == name


def _range_sum(a: Range, b: Range) -> Range:
    return a[0] + b[0], a[1] + b[1]


def _range_join(a: Range, b: Range) -> Range:
    return min(a[0], b[0]), max(a[1], b[1])


def _calls_of(function: ir.Function) -> Iterator[tuple[str, tuple[ir.Expr, ...]]]:
    """Whom a function calls, with what."""
    for stmt in all_statements(function.body):
        if isinstance(stmt, ir.CallRoutine | ir.BlameCall):
            yield stmt.function, stmt.args
        elif isinstance(stmt, ir.Pick):
            for source in stmt.sources:
                yield source.enumerator, source.args
        for expr in all_exprs(stmt):
            if isinstance(expr, ir.Call | ir.Trial):
                yield expr.function, expr.args


# ---- checked arithmetic

_A, _B = ir.Local("a"), ir.Local("b")
_ZERO = ir.Const(0)
_WORDS = {"+": "plus", "-": "minus", "*": "times"}


def check_arithmetic(module: ir.Module) -> None:
    """Rewrite the module's functions."""
    work = _ArithmeticChecks(module)
    found = {f.name: work.block(f.body, f) for f in [*module.functions.values()] if _has_arithmetic(f, module)}
    for name, body in found.items():
        module.functions[name] = replace(module.functions[name], body=body)
    failing = failing_functions(module)
    for function in [*module.functions.values()]:
        if function.kind == "routine" and any(_logs_something(s, failing) for s in all_statements(function.body)):
            module.functions[function.name] = replace(function, body=_evaluate_logged(function.body, failing, count(1)))


def _logs_something(stmt: ir.Stmt, failing: set[str]) -> bool:
    return isinstance(stmt, ir.Log) and any(may_fail(arg, failing) for arg in stmt.args)


def _evaluate_logged(block: ir.Block, failing: set[str], number: Iterator[int]) -> ir.Block:
    """What a line of the log says is worked out also where nobody hears it, if that may fail."""
    found: list[ir.Stmt] = []
    for stmt in block:
        if isinstance(stmt, ir.Log) and _logs_something(stmt, failing):
            names = tuple(f"told_{next(number)}" for _ in stmt.args)
            found += [ir.Set(name, arg) for name, arg in zip(names, stmt.args, strict=True)]
            found.append(replace(stmt, args=tuple(map(ir.Local, names))))
        else:
            found.append(with_blocks(stmt, lambda inner: _evaluate_logged(inner, failing, number)))
    return tuple(found)


def _has_arithmetic(function: ir.Function, module: ir.Module) -> bool:
    return any(
        isinstance(stmt, ir.Add)
        or any(
            (isinstance(e, ir.Arith) and e.span is not None)
            or (isinstance(e, ir.Call) and module.functions[e.function].keeps is not None)
            for e in all_exprs(stmt)
        )
        for stmt in all_statements(function.body)
    )


class _ArithmeticChecks:
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
                down, up = (
                    ir.Compare("<", _A, _checked_difference(least, _B)),
                    ir.Compare(">", _A, _checked_difference(most, _B)),
                )
                beyond: ir.Expr = ir.If(ir.Compare("<", _B, _ZERO), down, up)
            case "-":
                down, up = ir.Compare("<", _A, _checked_sum(least, _B)), ir.Compare(">", _A, _checked_sum(most, _B))
                beyond = ir.If(ir.Compare("<", _B, _ZERO), up, down)
            case "*":
                a, b = (ir.MinMax("max", (x, _checked_difference(_ZERO, x))) for x in (_A, _B))
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


def _checked_sum(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    return ir.Arith("+", left, right)


def _checked_difference(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    return ir.Arith("-", left, right)
