"""Frozen nodes of expressions, binders and queries."""

from __future__ import annotations

from typing import Literal

from rulelang.base.node import node
from rulelang.base.source import Span

Way = Literal["most", "least"]


@node
class Node:
    span: Span


@node
class Number(Node):
    value: int


@node
class Bool(Node):
    value: bool


@node
class NoneValue(Node):
    """`none`"""


@node
class Name(Node):
    """A bare name: a local, a constant, a zone, a state value, a number, or a value called without arguments.

    `quoted`: it stands in quotes, as names must that are no single word of letters.
    """

    id: str
    quoted: bool = False


@node
class Call(Node):
    """`name(args)`; `name_span` is the name alone."""

    name: str
    args: tuple[Expr, ...]
    name_span: Span


@node
class Attribute(Node):
    """`object.name`"""

    object: Expr
    name: str
    name_span: Span


@node
class Index(Node):
    """`object[a, b]`"""

    object: Expr
    args: tuple[Expr, ...]


@node
class ZoneOf(Node):
    """`hand of p`"""

    name: str
    owner: Expr
    name_span: Span


@node
class Negative(Node):
    operand: Expr


@node
class Arith(Node):
    op: Literal["+", "-", "*", "/", "%"]
    left: Expr
    right: Expr


@node
class Compare(Node):
    op: Literal["==", "!=", "<", "<=", ">", ">="]
    left: Expr
    right: Expr


@node
class Logic(Node):
    op: Literal["and", "or"]
    left: Expr
    right: Expr


@node
class Not(Node):
    operand: Expr


@node
class IfElse(Node):
    """`then if test else otherwise` (Python's order)"""

    test: Expr
    then: Expr
    otherwise: Expr


@node
class Then(Node):
    """`a then b then c`: an order, compared part by part."""

    parts: tuple[Expr, ...]


@node
class Member(Node):
    """`item in group`, `item not in group`"""

    item: Expr
    group: Expr
    negated: bool


@node
class Is(Node):
    """`x is word`, `x is not word`; `present`, `missing`, `empty` and `working` are built in."""

    subject: Expr
    word: str
    negated: bool
    word_span: Span


@node
class Has(Node):
    subject: Expr
    trait: Expr


@node
class Meets(Node):
    subject: Expr
    condition: Expr


@node
class Affects(Node):
    """`trait affects R(args)`"""

    trait: Expr
    event: Call


@node
class Otherwise(Node):
    value: Expr
    default: Expr


@node
class Can(Node):
    call: Call


@node
class Query(Node):
    """`any no all count sum min max first (binders[: body])`; `all`, `sum`, `min`, `max` have a body."""

    kind: Literal["any", "no", "all", "count", "sum", "min", "max", "first"]
    binders: tuple[Binder, ...]
    body: Expr | None


@node
class CountTrue(Node):
    """`count(cond, cond, ...)`"""

    conditions: tuple[Expr, ...]


@node
class MinMax(Node):
    """`min(a, b, ...)`, `max(a, b, ...)`"""

    kind: Literal["min", "max"]
    args: tuple[Expr, ...]


Expr = (
    Number | Bool | NoneValue | Name | Call | Attribute | Index | ZoneOf | Negative | Arith | Compare | Logic | Not
    | IfElse | Then | Member | Is | Has | Meets | Affects | Otherwise | Can | Query | CountTrue | MinMax
)  # fmt: skip


@node
class SortKey(Node):
    way: Way
    key: Expr


@node
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
