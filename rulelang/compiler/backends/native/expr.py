"""Expressions as C text. Every value is an `i64`; truths are 0 and 1. Operands are always put in parentheses."""

from __future__ import annotations

from typing import assert_never

from rulelang.compiler.backends.braces import LocalNames
from rulelang.compiler.backends.native.unit import NativeUnit
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import with_inner
from rulelang.compiler.passes.analysis.addresses import split_constant


class Exprs:
    """Emits the expressions of one function. `names`: its locals."""

    def __init__(self, unit: NativeUnit, function: str, names: LocalNames) -> None:
        self.unit, self.function, self.names = unit, function, names

    def fails(self, *exprs: ir.Expr | None) -> bool:
        """Whether the error record must be looked at when these have been worked out."""
        return any(
            (isinstance(e, ir.Call) and e.function in self.unit.fallible) or isinstance(e, ir.Trial)
            for expr in exprs
            if expr is not None
            for e in with_inner(expr)
        )

    def call(
        self,
        function: str,
        prefix: str,
        args: tuple[ir.Expr, ...],
        first: tuple[str, ...] = (),
        last: tuple[str, ...] = (),
        state: str = "S",
    ) -> str:
        """The call of a function in the form that the prefix tells. `first` and `last`: what that form takes before and
        behind the function's own arguments."""
        given = (*first, *self.args(function, args), *last, *self.depth(function))
        return self.unit.call(function, prefix, *given, state=state)

    def args(self, function: str, args: tuple[ir.Expr, ...]) -> list[str]:
        """The arguments after the state; a list is its items and their number."""
        callee = self.unit.module.functions[function]
        found = []
        for param, arg in zip(callee.params, args, strict=True):
            if param in callee.lists:
                assert isinstance(arg, ir.Local)
                found += [self.names[arg.name], f"{self.names[arg.name]}_n"]
            else:
                found.append(self(arg))
        return found

    def depth(self, callee: str) -> tuple[str, ...]:
        """The depth argument for a call of a function that may call itself."""
        inside = self.unit.same_group(self.function, callee)
        return ("depth_ + 1",) if inside else self.unit.outermost(callee)

    def __call__(self, expr: ir.Expr) -> str:
        match expr:
            case ir.Const(value):
                return str(value) if value >= 0 else f"({value}{'LL' if value < -(2**31) else ''})"
            case ir.Local(name):
                return self.names[name]
            case ir.Cell(base, index):
                return self.cell(base, index)
            case ir.Table(name, index):
                return f"{self.unit.table(name)}[T({self(index)}, {len(self.unit.module.tables[name])})]"
            case ir.Arith(op, left, right):
                if op in ("//", "%"):
                    return f"{'quotient' if op == '//' else 'modulo'}({self(left)}, {self(right)})"
                wide = "(i64)" if op in ("+", "-", "*", "<<") else ""
                return f"({wide}{self(left)} {op} {self(right)})"
            case ir.MinMax(kind, args):
                if len(args) == 1:
                    return self(args[0])
                half = (len(args) + 1) // 2  # halves, so that no number of arguments nests too deeply
                low, high = (self(ir.MinMax(kind, part)) for part in (args[:half], args[half:]))
                return f"{'least' if kind == 'min' else 'most'}({low}, {high})"
            case ir.Compare(op, left, right):
                return f"({self(left)} {op} {self(right)})"
            case ir.Logic(op, parts):
                if not parts:
                    return "1" if op == "and" else "0"
                joined = (" && " if op == "and" else " || ").join(map(self, parts))
                return f"({joined})" if len(parts) > 1 else f"!!{joined}"
            case ir.Not(operand):
                return f"!{self(operand)}"
            case ir.If(test, then, otherwise):
                return f"({self(test)} ? {self(then)} : {self(otherwise)})"
            case ir.Call(function, args):
                return self.call(function, "p_", args)
            case ir.Length(name):
                return f"{self.names[name]}_n"
            case ir.Item(name, index):
                return f"{self.names[name]}[T({self(index)}, {self.names[name]}_n)]"
            case ir.ArrayHas(zone, value):
                return f"has(C, S, {self(zone)}, {self(value)})"
            case ir.RowLength(row, index):
                return self.row_length(row, index)
            case ir.RowItem(row, index, at):
                return self.row_item(row, index, self(at))
            case ir.FirstLike(zone, _, value, table):
                self.unit.looks(table)
                return f"first{self.unit.table(table)}(C, S, {self(zone)}, {self(value)})"
            case ir.Mode("random"):
                return "RARE(C->random)"
            case ir.Mode():
                return f"RARE(S[{self.unit.cells.stepping}] && !C->counts)"
            case ir.Trial(function, args):
                self.unit.trials.add(function)
                return self.call(function, "t_", args)
            case _:
                assert_never(expr)

    def row_length(self, row: str, index: ir.Expr) -> str:
        """How long the constant row with that index is."""
        rows = self.unit.module.rows[row]
        alike = {len(r) for r in rows}
        name = self.unit.row(row)
        return str(alike.pop()) if len(alike) == 1 else f"{name}_n[T({self(index)}, {len(rows)})]"

    def row_item(self, row: str, index: ir.Expr, at: str) -> str:
        rows = self.unit.module.rows[row]
        width = max(max(map(len, rows), default=0), 1)
        return f"{self.unit.row(row)}[T({self(index)} * {width} + {at}, {width * len(rows)})]"

    def cells(self, base: int, index: ir.Expr | None, count: int) -> str:
        """The first of several words."""
        rest, constant = split_constant(index)
        return f"S[{base + constant}]" if rest is None else f"S[J({base + constant} + {self(rest)}, {count})]"

    def address(self, cell: ir.Cell) -> str:
        """Where a word lies."""
        rest, constant = split_constant(cell.index)
        return str(cell.base + constant) if rest is None else f"{cell.base + constant} + {self(rest)}"

    def cell(self, base: int, index: ir.Expr | None) -> str:
        rest, constant = split_constant(index)
        if rest is None:
            return f"S[{base + constant}]"
        return f"S[I({base + constant} + {self(rest)})]"
