"""Frozen nodes of statements. A block is a tuple of them, never empty."""

from __future__ import annotations

from typing import Literal

from rulelang.base.node import node
from rulelang.base.source import Span
from rulelang.syntax.nodes_expr import Binder, Call, Expr, Node


@node
class Let(Node):
    name: str
    value: Expr
    name_span: Span


@node
class Assign(Node):
    target: Expr
    op: Literal["=", "+=", "-="]
    value: Expr


@node
class CallStatement(Node):
    """A routine (or phase) called by name; `()` may be left off."""

    call: Call


@node
class Move(Node):
    """`move CARD to [top of] ZONE [as FACE] [with PARTNER]`"""

    card: Expr
    to: Expr
    end: Literal["top", "bottom"] | None
    face: Expr | None
    partner: Expr | None


@node
class MoveAll(Node):
    source: Expr
    to: Expr
    end: Literal["top", "bottom"] | None


@node
class Draw(Node):
    count: Expr
    source: Expr
    to: Expr


@node
class Shuffle(Node):
    zone: Expr


@node
class Create(Node):
    kind: str
    name: str | None
    of: Expr
    place: Expr | None
    at: Expr | None
    like: Expr | None
    kind_span: Span


@node
class Remove(Node):
    thing: Expr


@node
class Roll(Node):
    """`roll 2d6 as x`, `roll N d6 as x`; `count` is an expression, `sides` a number."""

    count: Expr
    sides: int
    name: str
    name_span: Span


@node
class Clear(Node):
    table: str


@node
class Choose(Node):
    """Flat when `body` is None: the names stay bound, and nothing to choose skips the rest of the block."""

    may: bool
    binders: tuple[Binder, ...]
    by: Expr | None
    at_random: bool
    body: tuple[Stmt, ...] | None
    otherwise: tuple[Stmt, ...] | None


@node
class Offer(Node):
    mode: Literal["one", "any"]
    to: Expr
    or_pass: bool


@node
class Redirect(Node):
    call: Call


@node
class Silence(Node):
    card: Expr
    until: str | None


@node
class Restore(Node):
    card: Expr


@node
class Tells(Node):
    text: str


@node
class Require(Node):
    condition: Expr
    because: str | None


@node
class Ensure(Node):
    condition: Expr
    because: str | None


@node
class Compulsory(Node):
    when: Expr | None


@node
class Stop(Node):
    """`stop`"""


@node
class Proceed(Node):
    """`proceed`"""


@node
class Nothing(Node):
    """`nothing`"""


@node
class If(Node):
    branches: tuple[tuple[Expr, tuple[Stmt, ...]], ...]
    otherwise: tuple[Stmt, ...] | None


@node
class For(Node):
    secretly: bool
    binders: tuple[Binder, ...]
    body: tuple[Stmt, ...]


@node
class RepeatTimes(Node):
    times: Expr
    body: tuple[Stmt, ...]


@node
class RepeatUntil(Node):
    until: Expr
    body: tuple[Stmt, ...]


@node
class Turns(Node):
    name: str
    start: Expr
    mode: Literal["once each", "until all pass", "until all pass in a row"]
    body: tuple[Stmt, ...]
    name_span: Span


@node
class Rounds(Node):
    until: Expr
    body: tuple[Stmt, ...]


Stmt = (
    Let | Assign | CallStatement | Move | MoveAll | Draw | Shuffle | Create | Remove | Roll | Clear | Choose | Offer
    | Redirect | Silence | Restore | Tells | Require | Ensure | Compulsory | Stop | Proceed | Nothing | If | For
    | RepeatTimes | RepeatUntil | Turns | Rounds
)  # fmt: skip
