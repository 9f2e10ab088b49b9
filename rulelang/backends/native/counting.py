"""Counting without jumps: whether something counts is hard to foretell for a processor."""

from __future__ import annotations

from typing import Any

from rulelang.backends.braces import Writer
from rulelang.backends.native.stmts import Body
from rulelang.backends.native.unit import NativeUnit
from rulelang.ir import nodes as ir
from rulelang.ir.walk import FOR_LOOPS, child_exprs

_PLAIN = (ir.Const, ir.Local, ir.Arith, ir.Compare, ir.Logic, ir.Not, ir.If, ir.MinMax)


class CountingBody(Body):
    """`p_f(S, args...)`: a pure function, and what others share with it that count."""

    def __init__(self, unit: NativeUnit, function: ir.Function, out: Writer) -> None:
        super().__init__(unit, function, out)
        self.items: set[str] = set()  # locals of loops

    def statement(self, stmt: Any) -> None:
        if isinstance(stmt, FOR_LOOPS):
            self.items.add(stmt.name)
        super().statement(stmt)

    def branch(self, stmt: ir.Branch) -> None:
        if stmt.otherwise or not stmt.then or not all(map(self.may_be_in_vain, stmt.then)):
            super().branch(stmt)
            return
        test = self.names.temporary("t")
        self.out(f"{test} = {self.bit(stmt.test)};")
        self.checked(stmt.test)
        for counting in stmt.then:
            self.bump(counting, test)

    def may_be_in_vain(self, stmt: ir.Stmt) -> bool:
        """Whether a statement counts something, and may do so by 0."""
        match stmt:
            case ir.Set(name, ir.Arith("+", ir.Local(same), by)) if name == same:
                return isinstance(by, ir.Length) or self.plain(by)
        return False

    def bump(self, stmt: ir.Stmt, test: str) -> None:
        """One of these, where the local `test` is 1, and nothing where it is 0."""
        match stmt:
            case ir.Set(name, ir.Arith("+", _, ir.Const(1))):
                self.out(f"{self.names[name]} += {test};")
            case ir.Set(name, ir.Arith("+", _, by)):
                self.out(f"{self.names[name]} += {self.ex(by)} & -{test};")

    def plain(self, expr: ir.Expr) -> bool:
        """Whether it is quickly worked out, and can be where it is not asked: what loops go over is always there."""
        if isinstance(expr, (ir.Cell, ir.Table)):
            index = expr.index
            return (
                index is None
                or isinstance(index, ir.Const)
                or (isinstance(index, ir.Local) and index.name in self.items)
            )
        if isinstance(expr, ir.Arith) and expr.op in ("//", "%", "<<", ">>"):
            return False
        return isinstance(expr, _PLAIN) and all(map(self.plain, child_exprs(expr)))

    def bit(self, test: ir.Expr) -> str:
        """A condition as 0 or 1, with as few jumps as possible."""
        if not isinstance(test, ir.Logic) or not test.parts:
            return f"!!{self.ex(test)}"
        sign = "&" if test.op == "and" else "|"
        text = self.bit(test.parts[0])
        for part in test.parts[1:]:
            text = f"({text} {sign if self.plain(part) else 2 * sign} {self.bit(part)})"
        return text
