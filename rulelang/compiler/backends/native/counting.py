"""Counting without jumps: whether something counts is hard to foretell for a processor."""

from __future__ import annotations

from typing import Any

from rulelang.base.numbers import ANY, WORD, Range, range_of
from rulelang.compiler.backends.braces import Writer
from rulelang.compiler.backends.native.stmts import Body
from rulelang.compiler.backends.native.unit import NativeUnit
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import FOR_LOOPS, child_exprs
from rulelang.compiler.passes.analysis.ranges import ends
from rulelang.compiler.passes.target.slots import Slots

_PLAIN = (ir.Const, ir.Local, ir.Arith, ir.Compare, ir.Logic, ir.Not, ir.If, ir.MinMax)


class CountingBody(Body):
    """`p_f(S, args...)`: a pure function, and what others share with it that count."""

    def __init__(self, unit: NativeUnit, function: ir.Function, out: Writer) -> None:
        super().__init__(unit, function, out)
        self.items: dict[str, Range] = {}  # locals of loops, and between which numbers each lies

    def statement(self, stmt: Any) -> None:
        if isinstance(stmt, FOR_LOOPS):
            self.items[stmt.name] = self.gone_over(stmt)
        super().statement(stmt)

    def gone_over(self, loop: Any) -> Range:
        """Between which numbers those lie that a loop goes over."""
        match loop:
            case ir.ForTable(_, row):
                return range_of([item for items in self.unit.module.rows[row] for item in items])
            case ir.ForRange(_, ir.Const(low), ir.Const(end)):
                return low, end - 1
        return WORD

    def for_things(self, stmt: ir.ForRange, slots: Slots) -> None:
        self.items[stmt.name] = 1, slots.most
        super().for_things(stmt, slots)

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
        """Whether it is quickly worked out, and can be where it is not asked: what loops go over is always there, and
        what is looked up by a sum lies in its table."""
        match expr:
            case ir.Cell(base, index):
                return self.there(index, -base, self.unit.module.layout.size - base)
            case ir.Table(name, index):
                return self.there(index, 0, len(self.unit.module.tables[name]))
            case ir.Arith("//" | "%" | "<<" | ">>"):
                return False
        return isinstance(expr, _PLAIN) and all(map(self.plain, child_exprs(expr)))

    def there(self, index: ir.Expr | None, low: int, end: int) -> bool:
        """Whether a word can be read by an index that has to lie between `low` and `end`."""
        if index is None or isinstance(index, ir.Const) or (isinstance(index, ir.Local) and index.name in self.items):
            return True
        least, most = self.between(index)
        return low <= least and most < end and self.plain(index)

    def between(self, expr: ir.Expr) -> Range:
        """Between which numbers something lies, as far as that is told by what is declared and gone over."""
        match expr:
            case ir.Const(value):
                return value, value
            case ir.Local(name):
                return self.items.get(name, ANY)
            case ir.Cell(base, index):
                return self.unit.words.of(base, index)
            case ir.Table(name):
                return range_of(self.unit.module.tables[name])
            case ir.Arith("+" | "-" | "*" as op, left, right):
                return ends(op, self.between(left), self.between(right))
        return ANY

    def bit(self, test: ir.Expr) -> str:
        """A condition as 0 or 1, with as few jumps as possible."""
        if not isinstance(test, ir.Logic) or not test.parts:
            return f"!!{self.ex(test)}"
        sign = "&" if test.op == "and" else "|"
        text = self.bit(test.parts[0])
        for part in test.parts[1:]:
            text = f"({text} {sign if self.plain(part) else 2 * sign} {self.bit(part)})"
        return text
