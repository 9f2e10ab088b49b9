"""Small straight routines are put where they are called; larger ones of the compiler's own too, if few places call.

Only routines that cannot pause, are not recursive and never return early; a few statements, loops not counted as small.
Their locals get names of their own in the caller.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any, TypeGuard

from rulelang.base.graphs import strongly_connected
from rulelang.base.source import NOWHERE
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.recursion import call_graph, mark_recursive
from rulelang.compiler.ir.walk import assigned, rewrite_exprs, statements, with_blocks
from rulelang.compiler.passes.suspend.suspension import mark_pausing

#: Statements of a routine that is still put in place (log lines do not count: the fast mode has none).
SIZE = 7
#: The same of one that no author wrote, so that no error has to name it, and places that call it at most: one in the
#: rules, one where scenarios lay out a position.
OWN_SIZE, OWN_PLACES = 40, 2


def inline_routines(module: ir.Module) -> None:
    """Rewrite the module's routines, callees first."""
    mark_pausing(module)
    mark_recursive(module)
    small: dict[str, ir.Function] = {}
    calls = Counter(s.function for f in module.functions.values() for s in statements(f.body) if _calls(s))
    work = _Work(small)
    for group in strongly_connected(call_graph(module)):
        for name in group:
            function = module.functions[name]
            if function.kind != "routine":
                continue
            work.number = 0
            function = replace(function, body=work.block(function.body))
            module.functions[name] = function
            size = OWN_SIZE if function.span == NOWHERE and calls[name] <= OWN_PLACES else SIZE
            if not function.pausing and not function.recursive and _is_small(function, size):
                small[name] = function


def _calls(stmt: ir.Stmt) -> TypeGuard[ir.CallRoutine]:
    return isinstance(stmt, ir.CallRoutine)


def _is_small(function: ir.Function, size: int) -> bool:
    inside = list(statements(function.body))
    if any(isinstance(s, (ir.Return, ir.Pick, ir.Ensure, ir.Break, ir.Continue)) for s in inside):
        return False
    if any(isinstance(s, ir.While) and s.budget for s in inside):
        return False
    if any(isinstance(s, ir.Random) and s.die for s in inside):
        return False
    return sum(not isinstance(s, (ir.Log, ir.LogEnd)) for s in inside) <= size


class _Work:
    """Puts callees in. `number`: so that every place has names of its own in its function."""

    def __init__(self, small: dict[str, ir.Function]) -> None:
        self.small = small
        self.number = 0

    def block(self, block: ir.Block) -> ir.Block:
        found: list[ir.Stmt] = []
        for stmt in block:
            if isinstance(stmt, ir.CallRoutine) and stmt.result is None and stmt.function in self.small:
                found += self.put(self.small[stmt.function], stmt.args)
            else:
                found.append(with_blocks(stmt, self.block))
        return tuple(found)

    def put(self, function: ir.Function, args: tuple[ir.Expr, ...]) -> list[ir.Stmt]:
        self.number += 1
        given: dict[str, ir.Expr] = {}
        head: list[ir.Stmt] = []
        changed = {name for s in statements(function.body) for name in assigned(s)}
        for param, arg in zip(function.params, args, strict=True):
            if isinstance(arg, (ir.Local, ir.Const)) and param not in changed:
                given[param] = arg
            else:
                name = f"{param}^{function.name}^{self.number}"
                head.append(ir.Set(name, arg))
                given[param] = ir.Local(name)
        for name in sorted(changed - set(function.params)):
            given[name] = ir.Local(f"{name}^{function.name}^{self.number}")
        return [*head, *(_renamed(s, given) for s in function.body)]


def _renamed(stmt: Any, given: dict[str, ir.Expr]) -> Any:
    def name(old: str) -> str:
        new = given.get(old)
        return new.name if isinstance(new, ir.Local) else old

    def change(expr: ir.Expr) -> ir.Expr:
        if isinstance(expr, ir.Local):
            return given.get(expr.name, expr)
        if isinstance(expr, (ir.Length, ir.Item)):
            return replace(expr, list=name(expr.list))
        return expr

    found: Any = rewrite_exprs(stmt, change)
    for field in ("name", "list", "result"):
        old = getattr(found, field, None)
        if isinstance(old, str):
            found = replace(found, **{field: name(old)})
    return with_blocks(found, lambda block: tuple(_renamed(s, given) for s in block))
