"""Expressions and binders of the typed tree (see `tree`)."""

from __future__ import annotations

from typing import Literal

from rulelang.base.node import node
from rulelang.base.source import Span
from rulelang.meaning.model import Attribute, Column, Table, Zone
from rulelang.meaning.types import Type

Way = Literal["most", "least"]


@node
class Local:
    """A variable. `name` is unique within its declaration (shadowing and reuse are numbered: `s`, `s_2`)."""

    name: str
    type: Type
    text: str  # as the author wrote it


@node
class Typed:
    type: Type
    span: Span


# ---- expressions


@node
class Const(Typed):
    """A number, truth value (0/1), row, `none` (0, or MISSING_INT for `maybe int`) or phase number, by its type."""

    value: int


@node
class LocalRef(Typed):
    local: Local


@node
class NumberRef(Typed):
    """A constant of `numbers:`; `index` (from 1) for a row of numbers."""

    name: str
    index: Expr | None


@node
class OptionRef(Typed):
    name: str


@node
class BuiltinRef(Typed):
    """A name of `rulelang/meaning/builtins/names.py`."""

    name: str


@node
class StateRef(Typed):
    attribute: Attribute


@node
class AttributeRef(Typed):
    """`object.name` of a thing, player, card or list row (`kind` names whose attribute it is).

    For what is kept per card of a trait, `trait` is that trait's name and `index` the rows of the attribute's index.
    """

    object: Expr
    kind: str
    attribute: Attribute
    trait: str | None = None
    index: tuple[Expr, ...] = ()


@node
class ColumnRef(Typed):
    """A printed value of a row, card or space. `index` for a column `by` something other than copies."""

    object: Expr
    kind: str
    column: Column
    index: Expr | None = None


@node
class TableRef(Typed):
    table: Table
    index: tuple[Expr, ...]


PropertyName = Literal["owner", "number", "place", "face", "on", "partner"]


@node
class Property(Typed):
    """Built-in: `.owner` (things, cards by where they lie), `.number`, `.PLACE`, a card's `.face .on .partner`.

    `kind` is the object's kind. `.on` of a card is what it lies on; its type is given by context or is the one
    kind of made things whose zones hold it.
    """

    object: Expr
    kind: str
    name: PropertyName


@node
class FacesRef(Typed):
    """`c.faces`: the set of traits a card may be played as (one for a card with a single `face`)."""

    object: Expr


@node
class ZoneRef:
    """A zone: of `owner`, or (owner None) the one zone of the game, or all zones of that name."""

    span: Span
    zone: Zone
    owner: Expr | None


@node
class BoxRef:
    """`box`: what is out of the game (of one card sort where `holds` says so)."""

    span: Span


AnyZone = ZoneRef | BoxRef


@node
class SlotRead(Typed):
    """The card in a slot; reading an empty one is a run-time diagnostic unless under `is present` or `otherwise`."""

    zone: ZoneRef


@node
class ZoneEmpty(Typed):
    zones: tuple[AnyZone, ...]


@node
class ValueCall(Typed):
    """A call of the declared value with this id."""

    value: str
    args: tuple[Expr, ...]


@node
class BuiltinCall(Typed):
    """A call of a function of `rulelang/meaning/builtins/functions.py`; `zones`: those of its arguments that are zones.

    One whose type is a set stands as the group of a membership or the domain of a binder only.
    """

    name: str
    args: tuple[Expr, ...]
    zones: tuple[ZoneRef, ...] = ()


@node
class Arith(Typed):
    """Integers. `/` rounds toward minus infinity, `%` has the sign of the divisor; by zero is a run-time diagnostic."""

    op: Literal["+", "-", "*", "/", "%"]
    left: Expr
    right: Expr


@node
class Negative(Typed):
    operand: Expr


@node
class Compare(Typed):
    """On ints and ladders all six; on orders all six part by part; on other references and bools == and !=."""

    op: Literal["==", "!=", "<", "<=", ">", ">="]
    left: Expr
    right: Expr


@node
class Logic(Typed):
    op: Literal["and", "or"]
    left: Expr
    right: Expr


@node
class Not(Typed):
    operand: Expr


@node
class IfElse(Typed):
    test: Expr
    then: Expr
    otherwise: Expr


@node
class OrderOf(Typed):
    """`a then b`: parts are ints, bools, ladder levels or orders."""

    parts: tuple[Expr, ...]


@node
class MemberOfSet(Typed):
    """`x in c.faces`: a row in a set-valued expression (ColumnRef, FacesRef, a BuiltinCall, or a zone for a card)."""

    item: Expr
    group: Expr | AnyZone


@node
class Present(Typed):
    """`x is present`: a thing still in play, a reference that is not `none`."""

    operand: Expr


@node
class Working(Typed):
    """`c is working`"""

    card: Expr


@node
class Has(Typed):
    """`x has TRAIT`: a working card with that face lies on it. `trait` may be computed."""

    subject: Expr
    trait: Expr


@node
class Meets(Typed):
    """`c meets REQ`: every term holds, measures counted by the value `counter(subject, measure)`."""

    subject: Expr
    condition: Expr
    counter: str


@node
class Affects(Typed):
    trait: Expr
    event: str
    args: tuple[Expr, ...]


@node
class Otherwise(Typed):
    value: Expr
    default: Expr


@node
class Can(Typed):
    """`can R(args)`; R a routine, phase or action id."""

    event: str
    args: tuple[Expr, ...]


@node
class Query(Typed):
    """`count` without body counts; `first` gives a `maybe`; `min`/`max` of nothing are missing (need `otherwise`)."""

    kind: Literal["any", "no", "all", "count", "sum", "min", "max", "first"]
    binders: tuple[Binder, ...]
    body: Expr | None


@node
class CountTrue(Typed):
    conditions: tuple[Expr, ...]


Expr = (
    Const | LocalRef | NumberRef | OptionRef | BuiltinRef | StateRef | AttributeRef | ColumnRef | TableRef | Property
    | FacesRef | SlotRead | ZoneEmpty | ValueCall | BuiltinCall | Arith | Negative
    | Compare | Logic | Not | IfElse | OrderOf | MemberOfSet | Present | Working | Has | Meets | Affects | Otherwise
    | Can | Query | CountTrue
)  # fmt: skip


# ---- binders


@node
class Rows:
    """All rows of a list, ladder or grid, or all traits, in declared order."""

    listing: str


@node
class AllCards:
    """Every card of a sort wherever it lies (also in the box), in declared order."""

    sort: str


@node
class InZones:
    """Cards of a sort lying in these zones, in zone order, zone after zone."""

    zones: tuple[AnyZone, ...]
    sort: str


@node
class OnBearer:
    """Cards in the in-force zone(s) of the bearer."""

    bearer: Expr
    sort: str


@node
class Things:
    """Made things, of one owner or of all (by seat from the active player), perhaps only those in a place."""

    kind: str
    owner: Expr | None
    place: Expr | None


@node
class Players:
    """Players in play order, from the given one or (None) from the active player."""

    start: Expr | None


@node
class Range:
    low: Expr
    high: Expr


@node
class Members:
    """The members of a set-valued expression (`trait t in c.faces`, `species s in neighbours(x)`)."""

    group: Expr


Domain = Rows | AllCards | InZones | OnBearer | Things | Players | Range | Members


@node
class Extreme:
    way: Way
    key: Expr


@node
class Binder:
    """One bound variable. Filters in order: `where`, then `extreme` (keeps all that tie), then `sorted_by`."""

    span: Span
    local: Local
    maybe: bool
    domain: Domain
    where: Expr | None
    extreme: Extreme | None
    sorted_by: tuple[Extreme, ...]
