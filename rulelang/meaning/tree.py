"""The typed tree: what the checker makes of the syntax, and the only thing lowering reads.

Every name is resolved, every expression carries its type and place, sugar is gone:
* `no(..)` is kept as a query, `unless c` is `not c`, `x is hungry` is a call of the value `hungry`;
* a flat `choose` has the rest of its block as its body;
* a bare name that is a value or routine without arguments is a call;
* left-off trailing arguments of an event pattern are `AnySlot`s;
* zones are always `ZoneRef`s; a bare zone name that belongs to something has `owner` None: all of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rulelang.base.source import Span
from rulelang.meaning.model import Attribute, Column, Table, Zone
from rulelang.meaning.types import Type

Way = Literal["most", "least"]


@dataclass(frozen=True, slots=True)
class Local:
    """A variable. `name` is unique within its declaration (shadowing and reuse are numbered: `s`, `s_2`)."""

    name: str
    type: Type
    text: str  # as the author wrote it


@dataclass(frozen=True, slots=True)
class Typed:
    type: Type
    span: Span


# ---- expressions


@dataclass(frozen=True, slots=True)
class Const(Typed):
    """A number, truth value (0/1), row, `none` (0, or MISSING_INT for `maybe int`) or phase number, by its type."""

    value: int


@dataclass(frozen=True, slots=True)
class LocalRef(Typed):
    local: Local


@dataclass(frozen=True, slots=True)
class NumberRef(Typed):
    """A constant of `numbers:`; `index` (from 1) for a row of numbers."""

    name: str
    index: Expr | None


@dataclass(frozen=True, slots=True)
class OptionRef(Typed):
    name: str


Builtin = Literal["players", "active", "actor", "round", "phase", "nobody"]


@dataclass(frozen=True, slots=True)
class BuiltinRef(Typed):
    name: Builtin


@dataclass(frozen=True, slots=True)
class StateRef(Typed):
    attribute: Attribute


@dataclass(frozen=True, slots=True)
class AttributeRef(Typed):
    """`object.name` of a thing, player, card or list row (`kind` names whose attribute it is).

    For what is kept per card of a trait, `trait` is that trait's name and `index` the rows of the attribute's index.
    """

    object: Expr
    kind: str
    attribute: Attribute
    trait: str | None = None
    index: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class ColumnRef(Typed):
    """A printed value of a row, card or space. `index` for a column `by` something other than copies."""

    object: Expr
    kind: str
    column: Column
    index: Expr | None = None


@dataclass(frozen=True, slots=True)
class TableRef(Typed):
    table: Table
    index: tuple[Expr, ...]


PropertyName = Literal["owner", "number", "place", "face", "on", "partner"]


@dataclass(frozen=True, slots=True)
class Property(Typed):
    """Built-in property: `.owner` (things, cards by where they lie), `.number`, `.PLACE`, a card's `.face .on .partner`.

    `kind` is the object's kind. `.on` of a card is what it lies on; its type is given by context or is the one
    kind of made things whose zones hold it.
    """

    object: Expr
    kind: str
    name: PropertyName


@dataclass(frozen=True, slots=True)
class FacesRef(Typed):
    """`c.faces`: the set of traits a card may be played as (one for a card with a single `face`)."""

    object: Expr


@dataclass(frozen=True, slots=True)
class ZoneRef:
    """A zone: of `owner`, or (owner None) the one zone of the game, or all zones of that name."""

    span: Span
    zone: Zone
    owner: Expr | None


@dataclass(frozen=True, slots=True)
class BoxRef:
    """`box`: what is out of the game (of one card sort where `holds` says so)."""

    span: Span


AnyZone = ZoneRef | BoxRef


@dataclass(frozen=True, slots=True)
class SlotRead(Typed):
    """The card in a slot; reading an empty one is a run-time diagnostic unless under `is present` or `otherwise`."""

    zone: ZoneRef


@dataclass(frozen=True, slots=True)
class ZoneEmpty(Typed):
    zones: tuple[AnyZone, ...]


@dataclass(frozen=True, slots=True)
class ValueCall(Typed):
    """A call of the declared value with this id."""

    value: str
    args: tuple[Expr, ...]


BuiltinFunction = Literal["left_of", "right_of", "position", "adjacent", "next", "step", "forbids"]


@dataclass(frozen=True, slots=True)
class BuiltinCall(Typed):
    name: BuiltinFunction
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Neighbours(Typed):
    """`neighbours(x)`, only as the group of a membership or the domain of a binder."""

    thing: Expr


@dataclass(frozen=True, slots=True)
class MinMax(Typed):
    kind: Literal["min", "max"]
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Arith(Typed):
    """Integers. `/` rounds toward minus infinity, `%` has the sign of the divisor; by zero is a run-time diagnostic."""

    op: Literal["+", "-", "*", "/", "%"]
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Negative(Typed):
    operand: Expr


@dataclass(frozen=True, slots=True)
class Compare(Typed):
    """On ints and ladders all six; on orders all six part by part; on other references and bools == and !=."""

    op: Literal["==", "!=", "<", "<=", ">", ">="]
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Logic(Typed):
    op: Literal["and", "or"]
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Not(Typed):
    operand: Expr


@dataclass(frozen=True, slots=True)
class IfElse(Typed):
    test: Expr
    then: Expr
    otherwise: Expr


@dataclass(frozen=True, slots=True)
class OrderOf(Typed):
    """`a then b`: parts are ints, bools, ladder levels or orders."""

    parts: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class MemberOfSet(Typed):
    """`x in c.faces`: a row in a set-valued expression (ColumnRef, FacesRef, Neighbours, or a zone for a card)."""

    item: Expr
    group: Expr | AnyZone


@dataclass(frozen=True, slots=True)
class Present(Typed):
    """`x is present`: a thing still in play, a reference that is not `none`."""

    operand: Expr


@dataclass(frozen=True, slots=True)
class Working(Typed):
    """`c is working`"""

    card: Expr


@dataclass(frozen=True, slots=True)
class Has(Typed):
    """`x has TRAIT`: a working card with that face lies on it. `trait` may be computed."""

    subject: Expr
    trait: Expr


@dataclass(frozen=True, slots=True)
class Meets(Typed):
    """`c meets REQ`: every term holds, measures counted by the value `counter(subject, measure)`."""

    subject: Expr
    condition: Expr
    counter: str


@dataclass(frozen=True, slots=True)
class Affects(Typed):
    trait: Expr
    event: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Otherwise(Typed):
    value: Expr
    default: Expr


@dataclass(frozen=True, slots=True)
class Can(Typed):
    """`can R(args)`; R a routine, phase or action id."""

    event: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Query(Typed):
    """`count` without body counts; `first` gives a `maybe`; `min`/`max` of nothing are missing (need `otherwise`)."""

    kind: Literal["any", "no", "all", "count", "sum", "min", "max", "first"]
    binders: tuple[Binder, ...]
    body: Expr | None


@dataclass(frozen=True, slots=True)
class CountTrue(Typed):
    conditions: tuple[Expr, ...]


Expr = (
    Const | LocalRef | NumberRef | OptionRef | BuiltinRef | StateRef | AttributeRef | ColumnRef | TableRef | Property
    | FacesRef | SlotRead | ZoneEmpty | ValueCall | BuiltinCall | Neighbours | MinMax | Arith | Negative | Compare
    | Logic | Not | IfElse | OrderOf | MemberOfSet | Present | Working | Has | Meets | Affects | Otherwise | Can | Query
    | CountTrue
)  # fmt: skip


# ---- binders


@dataclass(frozen=True, slots=True)
class Rows:
    """All rows of a list, ladder or grid, or all traits, in declared order."""

    listing: str


@dataclass(frozen=True, slots=True)
class AllCards:
    """Every card of a sort wherever it lies (also in the box), in declared order."""

    sort: str


@dataclass(frozen=True, slots=True)
class InZones:
    """Cards of a sort lying in these zones, in zone order, zone after zone."""

    zones: tuple[AnyZone, ...]
    sort: str


@dataclass(frozen=True, slots=True)
class OnBearer:
    """Cards in the in-force zone(s) of the bearer."""

    bearer: Expr
    sort: str


@dataclass(frozen=True, slots=True)
class Things:
    """Made things, of one owner or of all (by seat from the active player), perhaps only those in a place."""

    kind: str
    owner: Expr | None
    place: Expr | None


@dataclass(frozen=True, slots=True)
class Players:
    """Players in play order, from the given one or (None) from the active player."""

    start: Expr | None


@dataclass(frozen=True, slots=True)
class Range:
    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class Members:
    """The members of a set-valued expression (`trait t in c.faces`, `species s in neighbours(x)`)."""

    group: Expr


Domain = Rows | AllCards | InZones | OnBearer | Things | Players | Range | Members


@dataclass(frozen=True, slots=True)
class Extreme:
    way: Way
    key: Expr


@dataclass(frozen=True, slots=True)
class Binder:
    """One bound variable. Filters in order: `where`, then `extreme` (keeps all that tie), then `sorted_by`."""

    span: Span
    local: Local
    maybe: bool
    domain: Domain
    where: Expr | None
    extreme: Extreme | None
    sorted_by: tuple[Extreme, ...]


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


# ---- declarations


@dataclass(frozen=True, slots=True)
class Origin:
    """Whose rules: the base's core, a mod's core, a trait, or a row of a list or card sort.

    `name` is the trait, or the row's list or sort; `row` its number there. `layer` counts mods from the base (0).
    """

    what: Literal["core", "trait", "row", "card"]
    name: str = ""
    row: int = 0
    layer: int = 0


@dataclass(frozen=True, slots=True)
class Bearer:
    """The implicit variables of rules that a trait, card row or list row brings; unused ones are None.

    `this` the card, `self` its bearer (or the card, or the list row), `partner` a pair's other end, `owner` the
    player whose it is.
    """

    this: Local | None
    self: Local | None
    partner: Local | None
    owner: Local | None


@dataclass(frozen=True, slots=True)
class Declared:
    """`id` is unique: the name for core declarations, `row.name` for those of a trait or row."""

    id: str
    name: str
    span: Span
    origin: Origin
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class Value(Declared):
    params: tuple[Local, ...]
    bearer: Bearer
    type: Type
    body: Expr


@dataclass(frozen=True, slots=True)
class Invariant(Declared):
    body: Expr


@dataclass(frozen=True, slots=True)
class Game(Declared):
    body: Block


@dataclass(frozen=True, slots=True)
class AnySlot:
    pass


@dataclass(frozen=True, slots=True)
class EqualSlot:
    """This argument must equal the expression (a constant, or a variable of the bearer: self, owner, partner, this)."""

    expr: Expr


@dataclass(frozen=True, slots=True)
class BindSlot:
    local: Local


PatternSlot = AnySlot | EqualSlot | BindSlot


@dataclass(frozen=True, slots=True)
class EventPattern:
    """One slot for each parameter of the event (routine, phase, action or value with this id)."""

    span: Span
    event: str
    slots: tuple[PatternSlot, ...]


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class Modify(Hook):
    op: Literal["=", "+", "-", "*", "/", "%", "or", "and", "at least", "at most"]
    value: Expr


@dataclass(frozen=True, slots=True)
class Forbid(Hook):
    because: tuple[str | Expr, ...]


@dataclass(frozen=True, slots=True)
class Ignore(Hook):
    """`trait`: the ignored trait's name; or `card`: a local bound to each hook's card in turn, tested by the guard."""

    trait: str | None
    card: Local | None


@dataclass(frozen=True, slots=True)
class Trigger(Hook):
    kind: Literal["before", "after", "instead of", "react to"]
    may: bool
    once_per: str | None
    body: Block


@dataclass(frozen=True, slots=True)
class CopyCards(Declared):
    on: Expr
    bearer: Bearer
    always: bool
    guard: Expr | None


@dataclass(frozen=True, slots=True)
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
