"""Expressions of the IR (see `ir`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

# ---- expressions


@dataclass(frozen=True, slots=True)
class Const:
    value: int


@dataclass(frozen=True, slots=True)
class Local:
    name: str


@dataclass(frozen=True, slots=True)
class Cell:
    """`S[base + index]`, or `S[base]`."""

    base: int
    index: Expr | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """`table[index]` of a constant array (`Module.tables`); the index is in range by construction."""

    name: str
    index: Expr


@dataclass(frozen=True, slots=True)
class Arith:
    """`//` and `%` round toward minus infinity; the divisor is checked before (see `Fail`)."""

    op: Literal["+", "-", "*", "//", "%", "&", "|", "^", "<<", ">>"]
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class MinMax:
    kind: Literal["min", "max"]
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Compare:
    op: Literal["==", "!=", "<", "<=", ">", ">="]
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Logic:
    """Short-circuit; the result is only used as a truth value. No parts: true for and, false for or."""

    op: Literal["and", "or"]
    parts: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """0 or 1."""

    operand: Expr


@dataclass(frozen=True, slots=True)
class If:
    test: Expr
    then: Expr
    otherwise: Expr


@dataclass(frozen=True, slots=True)
class Call:
    """A pure function's value. Arguments may include list locals."""

    function: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Length:
    """Items in a list local."""

    list: str


@dataclass(frozen=True, slots=True)
class Item:
    list: str
    index: Expr


@dataclass(frozen=True, slots=True)
class ArrayHas:
    """1 if the array zone at address `zone` ([count, items...]) holds the value."""

    zone: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class First:
    """1 if no item of the array zone that comes before the item `value` has the same entry in a table as it."""

    zone: Expr
    value: Expr
    table: str


@dataclass(frozen=True, slots=True)
class Trial:
    """1 if the routine runs on a copy of the state without failing an `Ensure`. The copy is thrown away."""

    function: str
    args: tuple[Expr, ...]


Expr = (
    Const | Local | Cell | Table | Arith | MinMax | Compare | Logic | Not | If | Call | Length | Item | ArrayHas | First
    | Trial
)  # fmt: skip
