"""Between which numbers expressions lie: what shows that a calculation of the rules cannot come to too much.

Worked out when asked, for whole functions: a local lies where anything that is put into it lies, a parameter where
anything that is given for it does. What depends on itself may be any number, but for sums: nothing is added `OFTEN`
while a function runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from rulelang.base.layout import Layout
from rulelang.base.numbers import ANY, WORD, Range, range_of
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import all_exprs, assigned, statements
from rulelang.compiler.passes.abstract.intervals import arith, span
from rulelang.compiler.passes.abstract.regions import Regions

TRUTH: Range = (0, 1)
#: More often than anything is added in one go; it would take longer than a turn may.
OFTEN = 2**28
#: Expressions within expressions, also of functions that call each other, after which it is not looked further.
DEEP = 100


class Ranges:
    """The ranges of one module."""

    def __init__(self, module: ir.Module) -> None:
        self.module = module
        self.words = Words(module.layout)
        self.given: dict[str, list[tuple[ir.Function, tuple[ir.Expr, ...]]]] = {}  # arguments, by function
        self.puts: dict[str, dict[str, list[ir.Stmt]]] = {}  # by function and local, the statements that set it
        self.results: dict[str, Range] = {}
        self.locals: dict[tuple[str, str], Range] = {}
        self.tables: dict[str, Range] = {}
        self.depth = 0
        self.asked: set[object] = set()  # what is being worked out: asked for again, it may be anything
        for function in module.functions.values():
            for name, args in _calls(function):
                self.given.setdefault(name, []).append((function, args))

    def of(self, expr: ir.Expr, function: ir.Function) -> Range:
        """Where an expression of a function lies; never beyond `ANY`, since what is would have failed."""
        if self.depth == DEEP:
            return ANY
        self.depth += 1
        low, high = self._of(expr, function)
        self.depth -= 1
        return max(low, ANY[0]), min(high, ANY[1])

    def exact(self, expr: ir.Arith, function: ir.Function) -> Range | None:
        """Where `+ - *` of numbers would lie, if there were no largest one."""
        if expr.op not in ("+", "-", "*"):
            return None
        return ends(expr.op, self.of(expr.left, function), self.of(expr.right, function))

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
                return _join(self.of(then, function), self.of(otherwise, function))
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
                found = arith(expr.op, span(*a), span(*b))
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
            for stmt in statements(function.body):
                if isinstance(stmt, ir.Return) and stmt.value is not None:
                    found = _join(found, self.of(stmt.value, function))
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
                    found, grown = _join(found, value), _join(grown, more)
                else:
                    found = _join(found, self._set(stmt, function))
            found = _sum(found, grown)
            self.asked.discard(key)
            self.locals[key] = max(found[0], ANY[0]), min(found[1], ANY[1])
        return self.locals[key]

    def _param(self, at: int, function: ir.Function) -> Range:
        """What a host gives is a word."""
        found = WORD
        for caller, args in self.given.get(function.name, ()):
            if found == ANY:
                break
            found = _join(found, self.of(args[at], caller))
        return found

    def _put(self, function: ir.Function) -> dict[str, list[ir.Stmt]]:
        if function.name not in self.puts:
            found: dict[str, list[ir.Stmt]] = {}
            for stmt in statements(function.body):
                for name in assigned(stmt):
                    found.setdefault(name, []).append(stmt)
            self.puts[function.name] = found
        return self.puts[function.name]

    def _set(self, stmt: ir.Stmt, function: ir.Function) -> Range:
        match stmt:
            case ir.ForRange(_, low, end):
                return _join(self.of(low, function), self.of(end, function))
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
            case ir.Arith("+" | "-" as op, left, more) if _leads_to(left, this):
                put, grown = self._value(left, name, function)
                low, high = self._often(more, function)
                return put, _sum(grown, (low, high) if op == "+" else (-high, -low))
            case _:
                return self.of(value, function), nothing
        found, grown = nothing, nothing
        for part in parts:
            here, more_here = self._value(part, name, function)
            found, grown = _join(found, here), _join(grown, more_here)
        return found, grown

    def _often(self, expr: ir.Expr, function: ir.Function) -> Range:
        """What many times a number come to."""
        low, high = self.of(expr, function)
        return min(low, 0) * OFTEN, max(high, 0) * OFTEN


class Words:
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
        found = [self.held.get(k, WORD) for k in self.regions.touched(base, None if alone else span(*ANY))]
        low, high = min(low for low, _ in found), max(high for _, high in found)
        return max(low, WORD[0]), min(high, WORD[1])


def ends(op: str, a: Range, b: Range) -> Range:
    """Where `+ - *` of numbers lie that lie there."""
    match op:
        case "+":
            return _sum(a, b)
        case "-":
            return a[0] - b[1], a[1] - b[0]
    found = [x * y for x in a for y in b]
    return min(found), max(found)


def _leads_to(expr: ir.Expr, name: ir.Local) -> bool:
    """Whether it is a local, or that with something added."""
    while isinstance(expr, ir.Arith) and expr.op in "+-":
        expr = expr.left
    return expr == name


def _sum(a: Range, b: Range) -> Range:
    return a[0] + b[0], a[1] + b[1]


def _join(a: Range, b: Range) -> Range:
    return min(a[0], b[0]), max(a[1], b[1])


def _calls(function: ir.Function) -> Iterator[tuple[str, tuple[ir.Expr, ...]]]:
    """Whom a function calls, with what."""
    for stmt in statements(function.body):
        if isinstance(stmt, ir.CallRoutine | ir.BlameCall):
            yield stmt.function, stmt.args
        elif isinstance(stmt, ir.Pick):
            for source in stmt.sources:
                yield source.enumerator, source.args
        for expr in all_exprs(stmt):
            if isinstance(expr, ir.Call | ir.Trial):
                yield expr.function, expr.args
