"""Frozen nodes of expressions, binders and queries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rulelang.base.source import Span

Way = Literal["most", "least"]


@dataclass(frozen=True, slots=True)
class Node:
    span: Span


@dataclass(frozen=True, slots=True)
class Number(Node):
    value: int


@dataclass(frozen=True, slots=True)
class Bool(Node):
    value: bool


@dataclass(frozen=True, slots=True)
class NoneValue(Node):
    """`none`"""


@dataclass(frozen=True, slots=True)
class Name(Node):
    """A bare name: a local, a constant, a zone, a state value, a number, or a value called without arguments."""

    id: str


@dataclass(frozen=True, slots=True)
class Call(Node):
    """`name(args)`; `name_span` is the name alone."""

    name: str
    args: tuple[Expr, ...]
    name_span: Span


@dataclass(frozen=True, slots=True)
class Attribute(Node):
    """`object.name`"""

    object: Expr
    name: str
    name_span: Span


@dataclass(frozen=True, slots=True)
class Index(Node):
    """`object[a, b]`"""

    object: Expr
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class ZoneOf(Node):
    """`hand of p`"""

    name: str
    owner: Expr
    name_span: Span


@dataclass(frozen=True, slots=True)
class Negative(Node):
    operand: Expr


@dataclass(frozen=True, slots=True)
class Arith(Node):
    op: Literal["+", "-", "*", "/", "%"]
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Compare(Node):
    op: Literal["==", "!=", "<", "<=", ">", ">="]
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Logic(Node):
    op: Literal["and", "or"]
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Not(Node):
    operand: Expr


@dataclass(frozen=True, slots=True)
class IfElse(Node):
    """`then if test else otherwise` (Python's order)"""

    test: Expr
    then: Expr
    otherwise: Expr


@dataclass(frozen=True, slots=True)
class Then(Node):
    """`a then b then c`: an order, compared part by part."""

    parts: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Member(Node):
    """`item in group`, `item not in group`"""

    item: Expr
    group: Expr
    negated: bool


@dataclass(frozen=True, slots=True)
class Is(Node):
    """`x is word`, `x is not word`; `present`, `missing`, `empty` and `working` are built in."""

    subject: Expr
    word: str
    negated: bool
    word_span: Span


@dataclass(frozen=True, slots=True)
class Has(Node):
    subject: Expr
    trait: Expr


@dataclass(frozen=True, slots=True)
class Meets(Node):
    subject: Expr
    condition: Expr


@dataclass(frozen=True, slots=True)
class Affects(Node):
    """`trait affects R(args)`"""

    trait: Expr
    event: Call


@dataclass(frozen=True, slots=True)
class Otherwise(Node):
    value: Expr
    default: Expr


@dataclass(frozen=True, slots=True)
class Can(Node):
    call: Call


@dataclass(frozen=True, slots=True)
class Query(Node):
    """`any no all count sum min max first (binders[: body])`; `all`, `sum`, `min`, `max` have a body."""

    kind: Literal["any", "no", "all", "count", "sum", "min", "max", "first"]
    binders: tuple[Binder, ...]
    body: Expr | None


@dataclass(frozen=True, slots=True)
class CountTrue(Node):
    """`count(cond, cond, ...)`"""

    conditions: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class MinMax(Node):
    """`min(a, b, ...)`, `max(a, b, ...)`"""

    kind: Literal["min", "max"]
    args: tuple[Expr, ...]


Expr = (
    Number | Bool | NoneValue | Name | Call | Attribute | Index | ZoneOf | Negative | Arith | Compare | Logic | Not
    | IfElse | Then | Member | Is | Has | Meets | Affects | Otherwise | Can | Query | CountTrue | MinMax
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class SortKey(Node):
    way: Way
    key: Expr


@dataclass(frozen=True, slots=True)
class Binder(Node):
    """`[maybe] KIND NAME [of OWNER] [in ZONES] [on BEARER] [from A [to B]] [where C] [with most E] [sorted by ...]`"""

    kind: str
    name: str
    maybe: bool
    of: Expr | None
    zones: tuple[Expr, ...]
    on: Expr | None
    from_: Expr | None
    to: Expr | None
    where: Expr | None
    extreme: SortKey | None
    sorted_by: tuple[SortKey, ...]
    kind_span: Span
    name_span: Span
