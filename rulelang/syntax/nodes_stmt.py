"""Frozen nodes of statements. A block is a tuple of them, never empty."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rulelang.base.source import Span
from rulelang.syntax.nodes_expr import Binder, Call, Expr, Node


@dataclass(frozen=True, slots=True)
class Let(Node):
    name: str
    value: Expr
    name_span: Span


@dataclass(frozen=True, slots=True)
class Assign(Node):
    target: Expr
    op: Literal["=", "+=", "-="]
    value: Expr


@dataclass(frozen=True, slots=True)
class CallStatement(Node):
    """A routine (or phase) called by name; `()` may be left off."""

    call: Call


@dataclass(frozen=True, slots=True)
class Move(Node):
    """`move CARD to [top of] ZONE [as FACE] [with PARTNER]`"""

    card: Expr
    to: Expr
    end: Literal["top", "bottom"] | None
    face: Expr | None
    partner: Expr | None


@dataclass(frozen=True, slots=True)
class MoveAll(Node):
    source: Expr
    to: Expr
    end: Literal["top", "bottom"] | None


@dataclass(frozen=True, slots=True)
class Draw(Node):
    count: Expr
    source: Expr
    to: Expr


@dataclass(frozen=True, slots=True)
class Shuffle(Node):
    zone: Expr


@dataclass(frozen=True, slots=True)
class Create(Node):
    kind: str
    name: str | None
    of: Expr
    place: Expr | None
    at: Expr | None
    like: Expr | None
    kind_span: Span


@dataclass(frozen=True, slots=True)
class Remove(Node):
    thing: Expr


@dataclass(frozen=True, slots=True)
class Roll(Node):
    """`roll 2d6 as x`, `roll N d6 as x`; `count` is an expression, `sides` a number."""

    count: Expr
    sides: int
    name: str
    name_span: Span


@dataclass(frozen=True, slots=True)
class Clear(Node):
    table: str


@dataclass(frozen=True, slots=True)
class Choose(Node):
    """Flat when `body` is None: the names stay bound, and nothing to choose skips the rest of the block."""

    may: bool
    binders: tuple[Binder, ...]
    by: Expr | None
    at_random: bool
    body: tuple[Stmt, ...] | None
    otherwise: tuple[Stmt, ...] | None


@dataclass(frozen=True, slots=True)
class Offer(Node):
    mode: Literal["one", "any"]
    to: Expr
    or_pass: bool


@dataclass(frozen=True, slots=True)
class Redirect(Node):
    call: Call


@dataclass(frozen=True, slots=True)
class Silence(Node):
    card: Expr
    until: str | None


@dataclass(frozen=True, slots=True)
class Restore(Node):
    card: Expr


@dataclass(frozen=True, slots=True)
class Tells(Node):
    text: str


@dataclass(frozen=True, slots=True)
class Require(Node):
    condition: Expr
    because: str | None


@dataclass(frozen=True, slots=True)
class Ensure(Node):
    condition: Expr
    because: str | None


@dataclass(frozen=True, slots=True)
class Compulsory(Node):
    when: Expr | None


@dataclass(frozen=True, slots=True)
class Stop(Node):
    """`stop`"""


@dataclass(frozen=True, slots=True)
class Proceed(Node):
    """`proceed`"""


@dataclass(frozen=True, slots=True)
class Nothing(Node):
    """`nothing`"""


@dataclass(frozen=True, slots=True)
class If(Node):
    branches: tuple[tuple[Expr, tuple[Stmt, ...]], ...]
    otherwise: tuple[Stmt, ...] | None


@dataclass(frozen=True, slots=True)
class For(Node):
    secretly: bool
    binders: tuple[Binder, ...]
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class RepeatTimes(Node):
    times: Expr
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class RepeatUntil(Node):
    until: Expr
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Turns(Node):
    name: str
    start: Expr
    mode: Literal["once each", "until all pass", "until all pass in a row"]
    body: tuple[Stmt, ...]
    name_span: Span


@dataclass(frozen=True, slots=True)
class Rounds(Node):
    until: Expr
    body: tuple[Stmt, ...]


Stmt = (
    Let | Assign | CallStatement | Move | MoveAll | Draw | Shuffle | Create | Remove | Roll | Clear | Choose | Offer
    | Redirect | Silence | Restore | Tells | Require | Ensure | Compulsory | Stop | Proceed | Nothing | If | For
    | RepeatTimes | RepeatUntil | Turns | Rounds
)  # fmt: skip
