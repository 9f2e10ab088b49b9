"""The typed tree, which the checker makes and lowering reads; walks over it, and the order of hooks."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from functools import cache, lru_cache
from itertools import chain
from operator import attrgetter
from typing import Any, Literal, cast

from rulelang.base.memo import IdentityKey
from rulelang.base.node import node
from rulelang.base.source import Span
from rulelang.language.semantics.model import Attribute, Column, Table, Type, Zone

# ---- nodes

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
    """A name of `rulelang/language/semantics/builtins/names.py`."""

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


@node
class Property(Typed):
    """A built-in member: `name` is that of its row in `semantics/builtins/names.py`, `kind` the object's kind."""

    object: Expr
    kind: str
    name: str


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
    """A call of a function of `semantics/builtins/functions.py`; `zones`: those of its arguments that are
    zones.

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
    """`x in c.faces`: a row in a set-valued expression (a column, `.faces`, a BuiltinCall, or a zone for a card)."""

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
class Forms(Typed):
    """`{n:leaf|leaves}` in a text: the form of a word that a number takes. Stands in texts only."""

    number: Expr
    forms: str


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


Expr = (
    Const | LocalRef | NumberRef | OptionRef | BuiltinRef | StateRef | AttributeRef | ColumnRef | TableRef | Property
    | SlotRead | ZoneEmpty | ValueCall | BuiltinCall | Arith | Negative
    | Compare | Logic | Not | IfElse | OrderOf | MemberOfSet | Present | Working | Has | Meets | Affects | Otherwise
    | Can | Query | Forms
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


# ---- statements


@node
class Statement:
    span: Span


Block = tuple["Stmt", ...]
#: A text for players in pieces: what stood in braces is an expression.
Words = tuple["str | Expr", ...]


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
    """The sum of `count` dice into a new local, a state value, an attribute or a cell of a table."""

    count: Expr
    sides: int
    target: Local | StateRef | AttributeRef | TableRef


@node
class Clear(Statement):
    table: Table


@node
class Choose(Statement):
    """`by` None and not `at_random`: the actor chooses (the owner, in a hook). `otherwise` runs if nothing can be.

    `becauses`: by binder, why a value that fails its `where` is refused; `asks`: the words of the question. Empty ones
    are made. They stand beside the binders, so that what is chosen does not depend on them.
    """

    may: bool
    binders: tuple[Binder, ...]
    by: Expr | None
    at_random: bool
    body: Block
    otherwise: Block
    becauses: tuple[Words, ...] = ()
    asks: Words = ()


@node
class Offer(Statement):
    """Actions of the phase this stands in (`phase`: its name)."""

    one: bool
    to: Expr
    or_pass: bool
    phase: str
    asks: Words = ()


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
    `becauses`, `asks`: by binder, as those of `Choose`.
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
    becauses: tuple[Words, ...] = ()
    asks: tuple[Words, ...] = ()


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
    """An argument that must equal the expression (a constant, or one of self, owner, partner and this)."""

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
    because: Words = ()


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
class RuleChange:
    """What a layer changed of the rules below it: `verb` is the word it wrote at `span`, `place` what it named.

    `declared` is where that was first declared. `before` and `after` are the spans of what stood there and what stands
    there now; None where there is nothing. Hooks are no changes: they are listed with their origins.
    """

    layer: int
    verb: Literal["remove", "replace", "insert", "disable"]
    place: str
    span: Span
    declared: Span
    before: Span | None
    after: Span | None


@node
class Shown:
    """What `look:` shows of each thing of a kind ("": of the game): `this` is the thing, `name` what it is called."""

    kind: str
    name: str
    this: Local | None
    expr: Expr
    span: Span


@node
class Program:
    """The checked ruleset. Insertion order is declared order. Replaced bodies have already taken their place.

    `changes` tells of them, in the order in which they were made. `shown`: what `look:` has rules work out.
    """

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
    changes: tuple[RuleChange, ...] = ()
    shown: tuple[Shown, ...] = ()

    @property
    def hooks(self) -> tuple[Hook, ...]:
        """All hooks on events, kind by kind."""
        return (*self.modifies, *self.forbids, *self.ignores, *self.triggers)


# ---- walking

#: Annotations of fields that hold no nodes.
_PLAIN = frozenset({"Span", "Type", "str", "int", "bool"})


@cache
def _parts(kind: Hashable) -> Callable[[Any], Iterable[Any]] | None:
    """What gives the parts of an item of this class that may be nodes or hold some, the last first; None if it has
    none. Trees are gone over again and again, so it is looked up once for a class."""
    if not isinstance(kind, type):
        return None
    if issubclass(kind, tuple | list):
        return reversed
    if kind.__module__ != __name__ or not is_dataclass(kind):
        return None
    names = [field.name for field in fields(kind) if field.type not in _PLAIN]
    if len(names) > 1:
        return attrgetter(*names)
    return (lambda node: (getattr(node, names[0]),)) if names else lambda node: ()


def walk(node: Any) -> Iterator[Any]:
    """Every node of a piece of typed tree, itself first."""
    if isinstance(node, list):
        return chain.from_iterable(map(walk, node))
    return iter(_kept(IdentityKey(node)) if isinstance(node, tuple | Declared) else _nodes(node))


@lru_cache(4096)
def _kept(root: IdentityKey[Any]) -> list[Any]:
    """The same for a declaration or block: many ask for the nodes of these, for each mode and table anew."""
    return _nodes(root.item)


def _nodes(root: Any) -> list[Any]:
    found: list[Any] = []
    stack = [root]
    while stack:
        item = stack.pop()
        parts = _parts(cast(Hashable, type(item)))
        if parts is not None:
            if parts is not reversed:
                found.append(item)
            stack.extend(parts(item))
    return found


def locals_of(node: Any) -> set[str]:
    """Names of all variables that a piece of tree reads or binds."""
    return {n.local.name for n in walk(node) if isinstance(n, LocalRef)}


def free_locals(node: Any) -> list[Local]:
    """Variables that an expression reads but does not bind, in order of first use."""
    binders = {n.local.name for n in walk(node) if isinstance(n, Binder)}
    found: dict[str, Local] = {}
    for n in walk(node):
        if isinstance(n, LocalRef) and n.local.name not in binders:
            found.setdefault(n.local.name, n.local)
    return list(found.values())


def conjuncts(e: Expr | None) -> list[Expr]:
    """The parts of a conjunction; none of no condition."""
    if e is None:
        return []
    if isinstance(e, Logic) and e.op == "and":
        return [*conjuncts(e.left), *conjuncts(e.right)]
    return [e]


# ---- order of hooks

#: In a layer, what no player owns: rows of lists, then cards, then the rules themselves.
_WITHIN = {"row": 0, "card": 1, "core": 2}


def by_origin(hook: Trigger) -> tuple[int, int, str, int, int]:
    """Key: traits by id, then rows of lists and cards and the rules themselves, each layer by layer."""
    origin = hook.origin
    if origin.what == "trait":
        return (0, 0, origin.name, 0, 0)
    return (1 + origin.layer, _WITHIN[origin.what], origin.name, origin.row, hook.order)


def in_text_order(hooks: Iterable[Trigger]) -> list[Trigger]:
    """Hooks as meaning.md orders them where bearers make no difference."""

    def key(hook: Trigger) -> tuple[int, tuple[int, int, str, int, int]]:
        return 0 if hook.always else 1 if hook.origin.what == "trait" else 2, by_origin(hook)

    return sorted(hooks, key=key)


def outermost_first(hooks: Iterable[Trigger]) -> list[Trigger]:
    """The `instead of` hooks of an event: the later the layer, the further out."""
    return sorted(in_text_order(h for h in hooks if h.kind == "instead of"), key=lambda h: -h.origin.layer)


def is_borne(hook: Trigger) -> bool:
    """Whether a hook counts for each card that brings it, so that a player may own it."""
    return hook.origin.what in ("trait", "card") and not hook.always


def happens_at_most_once(hooks: Sequence[Trigger]) -> bool:
    """Whether of these hooks one at most can be due, and that once."""
    return len(hooks) == 1 and not is_borne(hooks[0])
