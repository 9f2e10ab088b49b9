"""Expressions of the IR (see `ir`)."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from rulelang.base.node import node
from rulelang.base.source import Span

# ---- expressions


@node
class Const:
    value: int


@node
class Local:
    name: str


@node
class Cell:
    """`S[base + index]`, or `S[base]`."""

    base: int
    index: Expr | None = None


@node
class Table:
    """`table[index]` of a constant array (`Module.tables`); the index is in range by construction."""

    name: str
    index: Expr


@node
class Arith:
    """`//` and `%` round toward minus infinity.

    `span`: the author wrote it there, so it may divide by zero or come to too much; `passes.arithmetic` puts a tested
    function in its place wherever it cannot show that it does not. Without one it is known to be sound.
    """

    op: Literal["+", "-", "*", "//", "%", "&", "|", "^", "<<", ">>"]
    left: Expr
    right: Expr
    span: Span | None = field(default=None, compare=False)


@node
class MinMax:
    kind: Literal["min", "max"]
    args: tuple[Expr, ...]


@node
class Compare:
    op: Literal["==", "!=", "<", "<=", ">", ">="]
    left: Expr
    right: Expr


@node
class Logic:
    """Short-circuit; the result is only used as a truth value. No parts: true for and, false for or."""

    op: Literal["and", "or"]
    parts: tuple[Expr, ...]


@node
class Not:
    """0 or 1."""

    operand: Expr


@node
class If:
    test: Expr
    then: Expr
    otherwise: Expr


@node
class Call:
    """A pure function's value. Arguments may include list locals."""

    function: str
    args: tuple[Expr, ...]


@node
class Length:
    """Items in a list local."""

    list: str


@node
class Item:
    list: str
    index: Expr


@node
class ArrayHas:
    """1 if the array zone at address `zone` ([count, items...]) holds the value."""

    zone: Expr
    value: Expr


@node
class RowLength:
    """How many items a constant row has: `Module.rows[row][index]`."""

    row: str
    index: Expr


@node
class RowItem:
    """The item of a constant row with a number from 0; it has that many."""

    row: str
    index: Expr
    at: Expr


@node
class FirstLike:
    """1 if no item of the array zone before the item `value`, which is its `at`-th from 0, has the same entry as it in
    a table."""

    zone: Expr
    at: Expr
    value: Expr
    table: str


@node
class Trial:
    """1 if the routine runs on a copy of the state without failing an `Ensure`. The copy is thrown away."""

    function: str
    args: tuple[Expr, ...]


Expr = (
    Const | Local | Cell | Table | Arith | MinMax | Compare | Logic | Not | If | Call | Length | Item | ArrayHas
    | RowLength | RowItem | FirstLike | Trial
)  # fmt: skip
