"""Frozen nodes of the rules language, one class a form. A node knows its place and nothing of names or types."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rulelang.base.source import Span

Way = Literal["most", "least"]


@dataclass(frozen=True, slots=True)
class Node:
    span: Span


# ---- expressions


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


# ---- statements


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


# ---- declarations


@dataclass(frozen=True, slots=True)
class TypeName(Node):
    """`int`, `bool`, `order`, `KIND` or `maybe KIND`"""

    name: str
    maybe: bool


@dataclass(frozen=True, slots=True)
class Param(Node):
    type: TypeName
    name: str


@dataclass(frozen=True, slots=True)
class Declaration(Node):
    """`cites` holds the rule ids of the `#:` line in force; `head` is the span of the declaration's first words."""

    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Game(Declaration):
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Phase(Declaration):
    name: str
    name_span: Span
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Action(Declaration):
    name: str
    name_span: Span
    always: bool
    binders: tuple[Binder, ...]
    during: tuple[Name, ...]
    free: bool
    once_per: str | None
    in_steps: bool
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Routine(Declaration):
    """`body` None: a bare event."""

    name: str
    name_span: Span
    params: tuple[Param, ...]
    owners_order: bool
    body: tuple[Stmt, ...] | None


@dataclass(frozen=True, slots=True)
class Value(Declaration):
    """`branches`: the (test, expression) of an if/elif ladder, the last with test None; nested ladders are IfElse."""

    name: str
    name_span: Span
    params: tuple[Param, ...]
    type: TypeName
    body: Expr


@dataclass(frozen=True, slots=True)
class Invariant(Declaration):
    name: str
    name_span: Span
    body: Expr


@dataclass(frozen=True, slots=True)
class Replace(Declaration):
    target: Phase | Action | Routine | Value


@dataclass(frozen=True, slots=True)
class Slot(Node):
    """One part of an event pattern: a name (`self`, a constant or a new name), or None for `any`."""

    name: str | None


@dataclass(frozen=True, slots=True)
class Event(Node):
    """`strike(hunter, self)`, `great_migration.migrate_again`; trailing slots may be left off."""

    path: tuple[str, ...]
    slots: tuple[Slot, ...]
    name_span: Span


@dataclass(frozen=True, slots=True)
class Guard(Node):
    unless: bool
    condition: Expr


ModifyOp = Literal["=", "+", "-", "*", "/", "%", "or", "and", "at least", "at most"]


@dataclass(frozen=True, slots=True)
class Modify(Declaration):
    always: bool
    event: Event
    op: ModifyOp
    value: Expr
    guards: tuple[Guard, ...]


@dataclass(frozen=True, slots=True)
class Forbid(Declaration):
    always: bool
    events: tuple[Event, ...]
    guards: tuple[Guard, ...]
    because: str | None


@dataclass(frozen=True, slots=True)
class Ignore(Declaration):
    """`ignore TRAIT in ...` (`binder_name` None) or `ignore card c in ...`."""

    always: bool
    what: str
    what_span: Span
    binder_name: str | None
    events: tuple[Event, ...]
    guards: tuple[Guard, ...]


@dataclass(frozen=True, slots=True)
class Trigger(Declaration):
    always: bool
    may: bool
    kind: Literal["before", "after", "instead of", "react to"]
    events: tuple[Event, ...]
    once_per: str | None
    guards: tuple[Guard, ...]
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class CopyCards(Declaration):
    always: bool
    on: Expr
    guards: tuple[Guard, ...]


Decl = (
    Game | Phase | Action | Routine | Value | Invariant | Replace | Modify | Forbid | Ignore | Trigger | CopyCards
)  # fmt: skip
