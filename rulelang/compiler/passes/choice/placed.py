"""The body of an enumerator in the place where a decision asks it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import assigned, rewrite_expr, rewrite_exprs, statements


class Placed:
    """What its statements and expressions become: arguments stand in the place of parameters, and locals have names of
    their own, which `name` gives."""

    def __init__(self, function: ir.Function, args: tuple[ir.Expr, ...], name: Callable[[str], str]) -> None:
        self.given: dict[str, ir.Expr] = dict(zip(function.params, args, strict=True))
        for local in dict.fromkeys(local for stmt in statements(function.body) for local in assigned(stmt)):
            self.given[local] = ir.Local(name(local))

    def expr(self, expr: ir.Expr) -> ir.Expr:
        return rewrite_expr(expr, self._change)

    def own(self, stmt: Any) -> Any:
        """The statement itself; its blocks stay."""
        found: Any = rewrite_exprs(stmt, self._change)
        names = {field: self._name(getattr(found, field)) for field in ("name", "list") if hasattr(found, field)}
        return replace(found, **names)

    def _change(self, expr: ir.Expr) -> ir.Expr:
        if isinstance(expr, ir.Local):
            return self.given.get(expr.name, expr)
        return replace(expr, list=self._name(expr.list)) if isinstance(expr, (ir.Length, ir.Item)) else expr

    def _name(self, name: str) -> str:
        given = self.given.get(name)
        return given.name if isinstance(given, ir.Local) else name
