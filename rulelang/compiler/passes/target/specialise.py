"""Pure functions for calls with constants: what these decide is not asked, what is never read is not passed.

A C compiler does this by itself; in Python an argument costs about as much as a test.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.recursion import mark_recursive
from rulelang.compiler.ir.walk import all_exprs, assigned, locals_read, rewrite_block, statements
from rulelang.compiler.passes.analysis.failing import failing_functions, may_fail
from rulelang.compiler.passes.simplify.fold import fold, rewrite_folding

#: Functions made of one.
MOST = 4


def specialise(module: ir.Module) -> ir.Module:
    """The module with such functions, called where they serve. Those that they were made of stay: the host calls
    them."""
    mark_recursive(module)
    work = _Work(dict(module.functions), failing_functions(module))
    for name in module.functions:
        work.waiting.append(name)
        while work.waiting:
            found = work.functions[work.waiting.pop()]
            work.functions[found.name] = replace(found, body=rewrite_block(found.body, work.change))
    return replace(module, functions=work.functions)


class _Work:
    def __init__(self, functions: dict[str, ir.Function], failing: set[str]) -> None:
        self.functions, self.failing = functions, failing
        self.known: dict[str, tuple[frozenset[str], frozenset[str]]] = {}
        self.made: dict[tuple[str, tuple[ir.Const | None, ...]], tuple[str, tuple[str, ...]] | None] = {}
        self.numbers: Counter[str] = Counter()  # how many were made of each
        self.waiting: list[str] = []  # functions whose calls are still to be looked at

    def change(self, expr: ir.Expr) -> ir.Expr:
        if not isinstance(expr, ir.Call):
            return expr
        function = self.functions[expr.function]
        if function.recursive or function.lists or "@" in function.name:
            return expr
        fixed, read = self.params(function)
        constants = tuple(
            arg if isinstance(arg, ir.Const) and param in fixed else None
            for param, arg in zip(function.params, expr.args, strict=True)
        )
        key = (function.name, constants)
        if key not in self.made:
            self.made[key] = self.make(function, constants, read)
        made = self.made[key]
        if made is None:
            return expr
        name, params = made
        left_out = [arg for param, arg in zip(function.params, expr.args, strict=True) if param not in params]
        if any(may_fail(arg, self.failing) for arg in left_out):
            return expr
        args = tuple(arg for param, arg in zip(function.params, expr.args, strict=True) if param in params)
        return ir.Call(name, args)

    def params(self, function: ir.Function) -> tuple[frozenset[str], frozenset[str]]:
        """The parameters that are read and never set, and those that are read."""
        if function.name not in self.known:
            changed = {name for stmt in statements(function.body) for name in assigned(stmt)}
            read = {name for stmt in statements(function.body) for name in locals_read(stmt)} | changed
            mine = frozenset(function.params)
            self.known[function.name] = mine & (read - changed), mine & read
        return self.known[function.name]

    def make(
        self, function: ir.Function, constants: tuple[ir.Const | None, ...], read: frozenset[str]
    ) -> tuple[str, tuple[str, ...]] | None:
        """The name of the function for such a call, and the parameters that it still has; None if it has no less to
        do."""
        given = {p: constant for p, constant in zip(function.params, constants, strict=True) if constant is not None}
        params = tuple(param for param in function.params if param in read and param not in given)
        body = _with(function.body, given)
        fewer = len(params) < len(function.params) - len(given)
        if self.numbers[function.name] >= MOST or not (fewer or _size(body) < _size(function.body) - len(given)):
            return None
        self.numbers[function.name] += 1
        name = f"{function.name}@{self.numbers[function.name]}"
        self.functions[name] = replace(function, name=name, params=params, body=body)
        self.waiting.append(name)
        return name, params


def _with(block: ir.Block, given: Mapping[str, ir.Expr]) -> ir.Block:
    def change(expr: ir.Expr) -> ir.Expr:
        return given.get(expr.name, expr) if isinstance(expr, ir.Local) else fold(expr)

    return rewrite_folding(block, change)


def _size(block: ir.Block) -> int:
    return sum(1 for stmt in statements(block) for _ in all_exprs(stmt))
