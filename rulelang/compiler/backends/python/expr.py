"""Expressions as Python text.

Three contexts: `cond` (only the truth counts), `num` (host booleans may stand for 0 and 1: operands), `value` (a true
integer: whatever may reach the state).
"""

from __future__ import annotations

from typing import assert_never

from rulelang.compiler.backends.statements import Calls
from rulelang.compiler.backends.unit import UniqueNames, Unit, is_truth
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.analysis import split_constant
from rulelang.compiler.passes.bit_tests import as_bit_table

# how tightly the text binds; operands that bind less tightly are put in parentheses
TERNARY, OR, AND, NOT, COMPARE, UNARY, ATOM = 1, 2, 3, 4, 5, 12, 14
_ARITH = {"|": 6, "^": 7, "&": 8, "<<": 9, ">>": 9, "+": 10, "-": 10, "*": 11, "//": 11, "%": 11}
_OPPOSITE: dict[str, str] = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}

Text = tuple[str, int]


class Exprs(Calls):
    """Emits the expressions of one function. `names`: its locals."""

    def __init__(self, unit: Unit, function: str, names: UniqueNames) -> None:
        self.unit, self.function, self.names = unit, function, names

    def cond(self, expr: ir.Expr, at: int = TERNARY) -> str:
        return _parenthesised(self._cond(expr), at)

    def num(self, expr: ir.Expr, at: int = TERNARY) -> str:
        return _parenthesised(self._number(expr, strict=False), at)

    def value(self, expr: ir.Expr, at: int = TERNARY) -> str:
        return _parenthesised(self._number(expr, strict=True), at)

    def values(self, values: tuple[ir.Expr, ...]) -> str:
        """A value, or a tuple of several."""
        texts = [self.value(value) for value in values]
        return texts[0] if len(texts) == 1 else f"({', '.join(texts)})"

    def row(self, values: tuple[ir.Expr, ...], first: int | None = None) -> str:
        parts = ([] if first is None else [str(first)]) + [self.value(v) for v in values]
        return f"({parts[0]},)" if len(parts) == 1 else f"({', '.join(parts)})"

    # ---- truth

    def _cond(self, expr: ir.Expr) -> Text:
        match expr:
            case ir.Compare("!=", left, ir.Const(0)):
                return self._cond(left)
            case ir.Compare("==", left, ir.Const(0)):
                return self._not(left)
            case ir.Not(operand):
                return self._not(operand)
            case ir.Logic(op, parts):
                if not parts:
                    return ("1" if op == "and" else "0"), ATOM
                if len(parts) == 1:
                    return self._cond(parts[0])
                own = AND if op == "and" else OR
                return f" {op} ".join(self.cond(p, own + 1 if isinstance(p, ir.Logic) else own) for p in parts), own
            case ir.If(test, ir.Const(then), ir.Const(otherwise)):
                if bool(then) == bool(otherwise):
                    return ("1" if then else "0"), ATOM
                return self._cond(test) if then else self._not(test)
            case ir.If(test, ir.Const(then), otherwise):
                parts = (test if then else ir.Not(test), otherwise)
                return self._cond(ir.Logic("or" if then else "and", parts))
            case ir.If(test, then, ir.Const(otherwise)):
                parts = (ir.Not(test) if otherwise else test, then)
                return self._cond(ir.Logic("or" if otherwise else "and", parts))
            case ir.If(test, then, otherwise):
                text = f"{self.cond(then, OR)} if {self.cond(test, OR)} else {self.cond(otherwise)}"
                return text, TERNARY
            case _:
                return self._raw(expr)

    def _not(self, operand: ir.Expr) -> Text:
        match operand:
            case ir.Compare("!=", left, ir.Const(0)):
                return self._not(left)
            case ir.Compare("==", left, ir.Const(0)):
                return self._cond(left)
            case ir.Compare(op, left, right):
                return self._compare(_OPPOSITE[op], left, right)
            case ir.Not(inner):
                return self._cond(inner)
            case ir.ArrayHas(zone, value):
                return f"{self.num(value, 6)} not in {self._items(zone)}", COMPARE
            case ir.Const(value):
                return ("0" if value else "1"), ATOM
            case ir.If(test, ir.Const(then), ir.Const(otherwise)):
                return self._cond(ir.If(test, ir.Const(int(not then)), ir.Const(int(not otherwise))))
            case _:
                return f"not {self.cond(operand, NOT)}", NOT

    def _compare(self, op: str, left: ir.Expr, right: ir.Expr) -> Text:
        return f"{self.num(left, 6)} {op} {self.num(right, 6)}", COMPARE

    # ---- numbers

    def _number(self, expr: ir.Expr, strict: bool) -> Text:
        match expr:
            case ir.Not(operand) if strict:
                return f"0 if {self.cond(operand, OR)} else 1", TERNARY
            case ir.Not(operand):
                return f"not {self.cond(operand, NOT)}", NOT
            case ir.Compare() if not strict:
                return self._raw(expr)
            case ir.If(ir.Compare() as test, ir.Const(1), ir.Const(0)) if not strict:
                return self._raw(test)
            case ir.If(test, then, otherwise):
                part = self.value if strict else self.num
                return f"{part(then, OR)} if {self.cond(test, OR)} else {part(otherwise)}", TERNARY
            case _ if is_truth(expr, self.unit.truths):
                return f"1 if {self.cond(expr, OR)} else 0", TERNARY
            case _:
                return self._raw(expr)

    def _raw(self, expr: ir.Expr) -> Text:
        """As it stands; a truth comes out as whatever the host makes of it."""
        match expr:
            case ir.Const(value):
                return str(value), (ATOM if value >= 0 else UNARY)
            case ir.Local(name):
                return self.names[name], ATOM
            case ir.Cell(base, index):
                return f"S[{self.address(base, index)}]", ATOM
            case ir.Table(name, index):
                return f"{self.unit.table(name)}[{self.num(index)}]", ATOM
            case ir.Arith():
                return self._arith(expr)
            case ir.MinMax():
                return self._minmax(expr)
            case ir.Compare(op, left, right):
                return self._compare(op, left, right)
            case ir.Call(function, args):
                return f"{self.unit.function(function, 'p_')}(S{self.args(args)}{self.depth(function)})", ATOM
            case ir.Length(name):
                return f"len({self.names[name]})", ATOM
            case ir.Item(name, index):
                return f"{self.names[name]}[{self.num(index)}]", ATOM
            case ir.ArrayHas(zone, value):
                return f"{self.num(value, 6)} in {self._items(zone)}", COMPARE
            case ir.RowLength(row, index):
                lengths = tuple(map(len, self.unit.module.rows[row]))
                return f"{self.unit.lookup(lengths)}[{self.num(index)}]", ATOM
            case ir.RowItem(row, index, at):
                return f"{self.constant_row(row, index)}[{self.num(at)}]", ATOM
            case ir.FirstLike():
                return self._first_like(expr)
            case ir.Mode("random"):
                return "H is A_", COMPARE
            case ir.Mode():
                return f"S[{self.unit.cells.stepping}] and H is not A_", AND
            case ir.Trial(function, args):
                name = self.unit.function(function, "d_")
                return f"trial_({name}, S{self.args(args)}{self.depth(function)})", ATOM
            case ir.Logic() | ir.Not() | ir.If():
                return self._number(expr, strict=True)
            case _:
                assert_never(expr)

    def _first_like(self, expr: ir.FirstLike) -> Text:
        item, start = self.num(expr.value), self.address(1, expr.zone)
        alone, at = f"{self.unit.table(self.unit.alone(expr.table))}[{item}]", self.num(expr.at, 10)
        before = f"S[{start}:{start} + {at}]"
        return f"(not {at} or {alone} or {self.unit.alike(expr.table)}[{item}].isdisjoint({before}))", ATOM

    def _arith(self, expr: ir.Arith) -> Text:
        own = _ARITH[expr.op]
        if expr.op in "+-":
            if (found := as_bit_table(expr)) is not None:
                word, mask, values = found
                return f"{self.unit.lookup(values)}[{self.num(word, 8)} & {mask}]", ATOM
            rest, constant = split_constant(expr)
            if rest is None:
                return str(constant), (ATOM if constant >= 0 else UNARY)
            match rest:
                case ir.If(test, then, otherwise) if constant and as_bit_table(otherwise) is not None:
                    more = ir.Const(constant)  # the table may hold it
                    return self._number(ir.If(test, ir.Arith("+", then, more), ir.Arith("+", otherwise, more)), True)
            if constant and rest is not expr:
                sign = "+" if constant > 0 else "-"
                return f"{self.num(rest, 10)} {sign} {abs(constant)}", 10
            if not constant and not isinstance(rest, ir.Arith):
                return self._number(rest, strict=True)
        part = self.value if expr.op in "&|^" else self.num
        return f"{part(expr.left, own)} {expr.op} {part(expr.right, own + 1)}", own

    def _minmax(self, expr: ir.MinMax) -> Text:
        if len(expr.args) == 1:
            return self._number(expr.args[0], strict=True)
        half = (len(expr.args) + 1) // 2  # halves, so that no number of arguments nests too deeply for Python
        left, right = (ir.MinMax(expr.kind, part) for part in (expr.args[:half], expr.args[half:]))
        first, again = self.twice(left)
        second, other = self.twice(right)
        op = "<=" if expr.kind == "min" else ">="
        return f"{again} if {first} {op} {second} else {other}", TERNARY

    def twice(self, expr: ir.Expr) -> tuple[str, str]:
        """Text for an operand's first and later uses: a temporary where it costs more than a name."""
        if isinstance(expr, ir.MinMax) and len(expr.args) == 1:
            return self.twice(expr.args[0])
        text, binds = self._number(expr, strict=True)
        if isinstance(expr, (ir.Local, ir.Const)):
            return _parenthesised((text, binds), 6), text
        name = self.names.temporary()
        return f"({name} := {text})", name

    def constant_row(self, row: str, index: ir.Expr) -> str:
        if isinstance(index, ir.Const):
            return repr(tuple(self.unit.module.rows[row][index.value]))
        return f"{self.unit.row(row)}[{self.num(index)}]"

    # ---- places

    def address(self, base: int, index: ir.Expr | None) -> str:
        """The text of `base + index`, constants added up. Large sums are looked up: Python keeps no large numbers, and
        makes each anew."""
        if isinstance(index, (ir.Local, ir.Table, ir.Cell)) and self.unit.places(base):
            return self.place(base, self.num(index))
        rest, constant = split_constant(index)
        base += constant
        if rest is None:
            return str(base)
        if not base:
            return self.num(rest)
        return f"{self.num(rest, 10)} {'+' if base > 0 else '-'} {abs(base)}"

    def place(self, base: int, index: str) -> str:
        """The address of a word of a column, by the text of a name."""
        places = self.unit.places(base)
        return f"{places}[{index}]" if places else f"{base} + {index}"

    def _items(self, zone: ir.Expr) -> str:
        """The slice of an array zone's items; the zone is evaluated once."""
        if split_constant(zone)[0] is None or isinstance(zone, ir.Local):
            return self.items(zone)
        name = self.names.temporary("z")
        return f"S[({name} := {self.num(zone)}) + 1:{name} + 1 + S[{name}]]"

    def items(self, zone: ir.Expr) -> str:
        """The same for an address that is cheap to tell twice."""
        return f"S[{self.address(1, zone)}:{self.address(1, zone)} + S[{self.address(0, zone)}]]"


def _parenthesised(text: Text, at: int) -> str:
    return text[0] if text[1] >= at else f"({text[0]})"
