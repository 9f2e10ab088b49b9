"""Declarations of the typed tree (see `tree`)."""

from __future__ import annotations

from typing import Literal

from rulelang.base.node import node
from rulelang.base.source import Span
from rulelang.meaning.tree_expr import Binder, Expr, Local
from rulelang.meaning.tree_stmt import Block, Compulsory, Require, Tells
from rulelang.meaning.types import Type

# ---- declarations


@node
class Origin:
    """Whose rules: the base's core, a mod's core, a trait, or a row of a list or card sort.

    `name` is the trait, or the row's list or sort; `row` its number there. `layer` counts mods from the base (0).
    """

    what: Literal["core", "trait", "row", "card"]
    name: str = ""
    row: int = 0
    layer: int = 0


@node
class Bearer:
    """The implicit variables of rules that a trait, card row or list row brings; unused ones are None.

    `this` the card, `self` its bearer (or the card, or the list row), `partner` a pair's other end, `owner` the
    player whose it is.
    """

    this: Local | None
    self: Local | None
    partner: Local | None
    owner: Local | None


@node
class Declared:
    """`id` is unique: the name for core declarations, `row.name` for those of a trait or row."""

    id: str
    name: str
    span: Span
    origin: Origin
    cites: tuple[str, ...]


@node
class Routine(Declared):
    """A routine or phase. `requires` are its opening Require statements (not repeated in `body`)."""

    phase: bool
    params: tuple[Local, ...]
    bearer: Bearer
    owners_order: bool
    requires: tuple[Require, ...]
    tells: Tells | None  # an opening `tells`, said when it happens
    body: Block
    event_only: bool  # declared without a body
    number: int = 0  # of a phase, from 1: what `phase == NAME` compares


@node
class Action(Declared):
    """`requires` and `compulsory` are lifted out of the opening statements of the body.

    For a trait's or row's action the bearer comes before the binders; `always` actions have none.
    """

    binders: tuple[Binder, ...]
    bearer: Bearer
    always: bool
    during: tuple[str, ...]
    free: bool
    once_per: str | None
    in_steps: bool
    requires: tuple[Require, ...]
    compulsory: Compulsory | None
    tells: Tells | None
    body: Block


@node
class Value(Declared):
    params: tuple[Local, ...]
    bearer: Bearer
    type: Type
    body: Expr


@node
class Invariant(Declared):
    body: Expr


@node
class Game(Declared):
    body: Block


@node
class AnySlot:
    pass


@node
class EqualSlot:
    """This argument must equal the expression (a constant, or a variable of the bearer: self, owner, partner, this)."""

    expr: Expr


@node
class BindSlot:
    local: Local


PatternSlot = AnySlot | EqualSlot | BindSlot


@node
class EventPattern:
    """One slot for each parameter of the event (routine, phase, action or value with this id).

    `bearer` is the slot for who bears the event: the action of a trait or row.
    """

    span: Span
    event: str
    slots: tuple[PatternSlot, ...]
    bearer: PatternSlot


@node
class Hook(Declared):
    """Common to all hooks. One with several events is one Hook for each event with the same `group` number.

    `guard` is the conjunction of all `when` and negated `unless`. `order` counts hooks in text order of a layer.
    """

    pattern: EventPattern
    bearer: Bearer
    always: bool
    guard: Expr | None
    group: int
    order: int


@node
class Modify(Hook):
    op: Literal["=", "+", "-", "*", "/", "%", "or", "and", "at least", "at most"]
    value: Expr


@node
class Forbid(Hook):
    because: tuple[str | Expr, ...]


@node
class Ignore(Hook):
    """`trait`: the ignored trait's name; or `card`: a local bound to each hook's card in turn, tested by the guard."""

    trait: str | None
    card: Local | None


@node
class Trigger(Hook):
    kind: Literal["before", "after", "instead of", "react to"]
    may: bool
    once_per: str | None
    body: Block


@node
class CopyCards(Declared):
    on: Expr
    bearer: Bearer
    always: bool
    guard: Expr | None


@node
class Program:
    """The checked ruleset. Insertion order is declared order. Replaced bodies have already taken their place."""

    game: Game | None
    routines: dict[str, Routine]
    actions: dict[str, Action]
    values: dict[str, Value]
    invariants: dict[str, Invariant]
    modifies: tuple[Modify, ...]
    forbids: tuple[Forbid, ...]
    ignores: tuple[Ignore, ...]
    triggers: tuple[Trigger, ...]
    copies: tuple[CopyCards, ...]
