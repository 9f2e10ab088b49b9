"""Statements of the typed tree (see `tree`)."""

from __future__ import annotations

from typing import Literal

from rulelang.base.node import node
from rulelang.base.source import Span
from rulelang.meaning.model import Table
from rulelang.meaning.tree_expr import AnyZone, Binder, Expr, Local, StateRef, ZoneRef

# ---- statements


@node
class Statement:
    span: Span


Block = tuple["Stmt", ...]


@node
class Let(Statement):
    local: Local
    value: Expr


@node
class Assign(Statement):
    """The target is a StateRef, AttributeRef, TableRef or a `place` Property."""

    target: Expr
    op: Literal["=", "+=", "-="]
    value: Expr


@node
class CallRoutine(Statement):
    """`routine` is the id of a routine or phase."""

    routine: str
    args: tuple[Expr, ...]


@node
class Move(Statement):
    card: Expr
    to: AnyZone
    bottom: bool
    face: Expr | None
    partner: Expr | None


@node
class MoveAll(Statement):
    sources: tuple[AnyZone, ...]
    to: AnyZone
    bottom: bool


@node
class Draw(Statement):
    count: Expr
    source: AnyZone
    to: AnyZone


@node
class Shuffle(Statement):
    zone: ZoneRef


@node
class Create(Statement):
    """`side`: an expression of type `side` (1 left, 2 right), None for right."""

    kind: str
    local: Local | None
    owner: Expr
    place: Expr | None
    side: Expr | None
    like: Expr | None


@node
class Remove(Statement):
    kind: str
    thing: Expr


@node
class Roll(Statement):
    """The sum of `count` dice into a new local or a state value."""

    count: Expr
    sides: int
    target: Local | StateRef


@node
class Clear(Statement):
    table: Table


@node
class Choose(Statement):
    """`by` None and not `at_random`: the actor chooses (the owner, in a hook). `otherwise` runs if nothing can be."""

    may: bool
    binders: tuple[Binder, ...]
    by: Expr | None
    at_random: bool
    body: Block
    otherwise: Block


@node
class Offer(Statement):
    """Actions of the phase this stands in (`phase`: its name)."""

    one: bool
    to: Expr
    or_pass: bool
    phase: str


@node
class Redirect(Statement):
    routine: str
    args: tuple[Expr, ...]


@node
class Silence(Statement):
    card: Expr
    until: str | None


@node
class Restore(Statement):
    card: Expr


@node
class Tells(Statement):
    """Log text; expressions stand for `{...}` parts."""

    parts: tuple[str | Expr, ...]


@node
class Require(Statement):
    """`because` parts like `Tells`; empty: the condition's own text stands in."""

    condition: Expr
    because: tuple[str | Expr, ...]


@node
class Ensure(Statement):
    condition: Expr
    because: tuple[str | Expr, ...]


@node
class Compulsory(Statement):
    when: Expr | None


@node
class Stop(Statement):
    pass


@node
class Proceed(Statement):
    pass


@node
class Nothing(Statement):
    pass


@node
class If(Statement):
    test: Expr
    then: Block
    otherwise: Block


@node
class For(Statement):
    secretly: bool
    binders: tuple[Binder, ...]
    body: Block


@node
class RepeatTimes(Statement):
    times: Expr
    body: Block


@node
class RepeatUntil(Statement):
    """Tested before each pass through the body."""

    until: Expr
    body: Block


TurnMode = Literal["once each", "until all pass", "until all pass in a row"]


@node
class Turns(Statement):
    local: Local
    start: Expr
    mode: TurnMode
    body: Block


@node
class Rounds(Statement):
    until: Expr
    body: Block


Stmt = (
    Let | Assign | CallRoutine | Move | MoveAll | Draw | Shuffle | Create | Remove | Roll | Clear | Choose | Offer
    | Redirect | Silence | Restore | Tells | Require | Ensure | Compulsory | Stop | Proceed | Nothing | If | For
    | RepeatTimes | RepeatUntil | Turns | Rounds
)  # fmt: skip
