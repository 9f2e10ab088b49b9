"""Frozen nodes of declarations: what stands at the left edge of a rules text."""

from __future__ import annotations

from typing import Literal

from rulelang.base.node import node
from rulelang.base.source import Span
from rulelang.syntax.nodes_expr import Binder, Expr, Name, Node
from rulelang.syntax.nodes_stmt import Stmt


@node
class TypeName(Node):
    """`int`, `bool`, `order`, `KIND` or `maybe KIND`"""

    name: str
    maybe: bool


@node
class Param(Node):
    type: TypeName
    name: str


@node
class Declaration(Node):
    """`cites` holds the rule ids of the `#:` line in force; `head` is the span of the declaration's first words."""

    cites: tuple[str, ...]


@node
class Game(Declaration):
    body: tuple[Stmt, ...]


@node
class Phase(Declaration):
    name: str
    name_span: Span
    body: tuple[Stmt, ...]


@node
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


@node
class Routine(Declaration):
    """`body` None: a bare event."""

    name: str
    name_span: Span
    params: tuple[Param, ...]
    owners_order: bool
    body: tuple[Stmt, ...] | None


@node
class Value(Declaration):
    """`value NAME(params) -> TYPE: E`; a ladder `if C: E elif ... else: E` is a nested IfElse."""

    name: str
    name_span: Span
    params: tuple[Param, ...]
    type: TypeName
    body: Expr


@node
class Invariant(Declaration):
    name: str
    name_span: Span
    body: Expr


@node
class Replace(Declaration):
    target: Phase | Action | Routine | Value


@node
class Slot(Node):
    """One part of an event pattern: a name (`self`, a constant or a new name), or None for `any`."""

    name: str | None


@node
class Event(Node):
    """`strike(hunter, self)`, `great_migration.migrate_again of self`; trailing slots may be left off.

    `bearer` is what stands behind `of`.
    """

    path: tuple[str, ...]
    slots: tuple[Slot, ...]
    bearer: Slot | None
    name_span: Span


@node
class Guard(Node):
    unless: bool
    condition: Expr


ModifyOp = Literal["=", "+", "-", "*", "/", "%", "or", "and", "at least", "at most"]


@node
class Modify(Declaration):
    always: bool
    event: Event
    op: ModifyOp
    value: Expr
    guards: tuple[Guard, ...]


@node
class Forbid(Declaration):
    always: bool
    events: tuple[Event, ...]
    guards: tuple[Guard, ...]
    because: str | None


@node
class Ignore(Declaration):
    """`ignore TRAIT in ...` (`binder_name` None) or `ignore card c in ...`."""

    always: bool
    what: str
    what_span: Span
    binder_name: str | None
    events: tuple[Event, ...]
    guards: tuple[Guard, ...]


@node
class Trigger(Declaration):
    always: bool
    may: bool
    kind: Literal["before", "after", "instead of", "react to"]
    events: tuple[Event, ...]
    once_per: str | None
    guards: tuple[Guard, ...]
    body: tuple[Stmt, ...]


@node
class CopyCards(Declaration):
    always: bool
    on: Expr
    guards: tuple[Guard, ...]


Decl = (
    Game | Phase | Action | Routine | Value | Invariant | Replace | Modify | Forbid | Ignore | Trigger | CopyCards
)  # fmt: skip
