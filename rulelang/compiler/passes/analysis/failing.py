"""What may meet a mistake of the rules: passes leave it where it is, since whether it is worked out can be seen."""

from __future__ import annotations

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.recursion import coming_to
from rulelang.compiler.ir.walk import callees, statements, with_inner


def failing_functions(module: ir.Module) -> set[str]:
    """The functions that may fail, themselves or through others. (Budgets do not count: they bound all that runs.)"""
    found = {f.name for f in module.functions.values() if any(isinstance(s, ir.Fail) for s in statements(f.body))}
    return coming_to(found, {name: callees(f) for name, f in module.functions.items()})


def may_fail(expr: ir.Expr, failing: set[str]) -> bool:
    """Whether working out an expression may fail."""
    return any(isinstance(e, ir.Call) and e.function in failing for e in with_inner(expr))
