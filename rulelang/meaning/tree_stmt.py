"""Statements of the typed tree (see `tree`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rulelang.base.source import Span
from rulelang.meaning.model import Table
from rulelang.meaning.tree_expr import AnyZone, Binder, Expr, Local, StateRef, ZoneRef

# ---- statements


@dataclass(frozen=True, slots=True)
class Statement:
    span: Span


Block = tuple["Stmt", ...]


@dataclass(frozen=True, slots=True)
class Let(Statement):
    local: Local
    value: Expr


@dataclass(frozen=True, slots=True)
class Assign(Statement):
    """The target is a StateRef, AttributeRef, TableRef or a `place` Property."""

    target: Expr
    op: Literal["=", "+=", "-="]
    value: Expr


@dataclass(frozen=True, slots=True)
class CallRoutine(Statement):
    """`routine` is the id of a routine or phase."""

    routine: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Move(Statement):
    card: Expr
    to: AnyZone
    bottom: bool
    face: Expr | None
    partner: Expr | None


@dataclass(frozen=True, slots=True)
class MoveAll(Statement):
    sources: tuple[AnyZone, ...]
    to: AnyZone
    bottom: bool


@dataclass(frozen=True, slots=True)
class Draw(Statement):
    count: Expr
    source: AnyZone
    to: AnyZone


@dataclass(frozen=True, slots=True)
class Shuffle(Statement):
    zone: ZoneRef


@dataclass(frozen=True, slots=True)
class Create(Statement):
    """`side`: an expression of type `side` (1 left, 2 right), None for right."""

    kind: str
    local: Local | None
    owner: Expr
    place: Expr | None
    side: Expr | None
    like: Expr | None


@dataclass(frozen=True, slots=True)
class Remove(Statement):
    kind: str
    thing: Expr


@dataclass(frozen=True, slots=True)
class Roll(Statement):
    """The sum of `count` dice into a new local or a state value."""

    count: Expr
    sides: int
    target: Local | StateRef


@dataclass(frozen=True, slots=True)
class Clear(Statement):
    table: Table


@dataclass(frozen=True, slots=True)
class Choose(Statement):
    """`by` None and not `at_random`: the actor chooses (the owner, in a hook). `otherwise` runs if nothing can be."""

    may: bool
    binders: tuple[Binder, ...]
    by: Expr | None
    at_random: bool
    body: Block
    otherwise: Block


@dataclass(frozen=True, slots=True)
class Offer(Statement):
    """Actions of the phase this stands in (`phase`: its name)."""

    one: bool
    to: Expr
    or_pass: bool
    phase: str


@dataclass(frozen=True, slots=True)
class Redirect(Statement):
    routine: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Silence(Statement):
    card: Expr
    until: str | None


@dataclass(frozen=True, slots=True)
class Restore(Statement):
    card: Expr


@dataclass(frozen=True, slots=True)
class Tells(Statement):
    """Log text; expressions stand for `{...}` parts."""

    parts: tuple[str | Expr, ...]


@dataclass(frozen=True, slots=True)
class Require(Statement):
    """`because` parts like `Tells`; empty: the condition's own text stands in."""

    condition: Expr
    because: tuple[str | Expr, ...]


@dataclass(frozen=True, slots=True)
class Ensure(Statement):
    condition: Expr
    because: tuple[str | Expr, ...]


@dataclass(frozen=True, slots=True)
class Compulsory(Statement):
    when: Expr | None


@dataclass(frozen=True, slots=True)
class Stop(Statement):
    pass


@dataclass(frozen=True, slots=True)
class Proceed(Statement):
    pass


@dataclass(frozen=True, slots=True)
class Nothing(Statement):
    pass


@dataclass(frozen=True, slots=True)
class If(Statement):
    test: Expr
    then: Block
    otherwise: Block


@dataclass(frozen=True, slots=True)
class For(Statement):
    secretly: bool
    binders: tuple[Binder, ...]
    body: Block


@dataclass(frozen=True, slots=True)
class RepeatTimes(Statement):
    times: Expr
    body: Block


@dataclass(frozen=True, slots=True)
class RepeatUntil(Statement):
    """Tested before each pass through the body."""

    until: Expr
    body: Block


TurnMode = Literal["once each", "until all pass", "until all pass in a row"]


@dataclass(frozen=True, slots=True)
class Turns(Statement):
    local: Local
    start: Expr
    mode: TurnMode
    body: Block


@dataclass(frozen=True, slots=True)
class Rounds(Statement):
    until: Expr
    body: Block


Stmt = (
    Let | Assign | CallRoutine | Move | MoveAll | Draw | Shuffle | Create | Remove | Roll | Clear | Choose | Offer
    | Redirect | Silence | Restore | Tells | Require | Ensure | Compulsory | Stop | Proceed | Nothing | If | For
    | RepeatTimes | RepeatUntil | Turns | Rounds
)  # fmt: skip
