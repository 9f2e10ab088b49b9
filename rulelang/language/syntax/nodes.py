"""Frozen nodes of the rules language, one class for each form: they know their place, not names or types."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any, Literal, TypeVar, cast

from rulelang.base.node import node
from rulelang.base.source import Span

# ---- nodes

# ---- expressions


Way = Literal["most", "least"]


@node
class Node:
    span: Span


@node
class Text(Node):
    """A text for players that has no word in front: `span` is its place with the quotes."""

    text: str


@node
class Number(Node):
    value: int


@node
class Bool(Node):
    value: bool


@node
class NoneValue(Node):
    """`none`"""


@node
class Name(Node):
    """A bare name: a local, a constant, a zone, a state value, a number, or a value called without arguments.

    `quoted`: it stands in quotes, as names must that are no single word of letters.
    """

    id: str
    quoted: bool = False


@node
class Call(Node):
    """`name(args)`; `name_span` is the name alone."""

    name: str
    args: tuple[Expr, ...]
    name_span: Span


@node
class Attribute(Node):
    """`object.name`"""

    object: Expr
    name: str
    name_span: Span


@node
class Index(Node):
    """`object[a, b]`"""

    object: Expr
    args: tuple[Expr, ...]


@node
class ZoneOf(Node):
    """`hand of p`"""

    name: str
    owner: Expr
    name_span: Span


@node
class Negative(Node):
    operand: Expr


@node
class Arith(Node):
    op: Literal["+", "-", "*", "/", "%"]
    left: Expr
    right: Expr


@node
class Compare(Node):
    op: Literal["==", "!=", "<", "<=", ">", ">="]
    left: Expr
    right: Expr


@node
class Logic(Node):
    op: Literal["and", "or"]
    left: Expr
    right: Expr


@node
class Not(Node):
    operand: Expr


@node
class IfElse(Node):
    """`then if test else otherwise` (Python's order)"""

    test: Expr
    then: Expr
    otherwise: Expr


@node
class Then(Node):
    """`a then b then c`: an order, compared part by part."""

    parts: tuple[Expr, ...]


@node
class Member(Node):
    """`item in group`, `item not in group`"""

    item: Expr
    group: Expr
    negated: bool


@node
class Is(Node):
    """`x is word`, `x is not word`; `present`, `missing`, `empty` and `working` are built in."""

    subject: Expr
    word: str
    negated: bool
    word_span: Span


@node
class Has(Node):
    subject: Expr
    trait: Expr


@node
class Meets(Node):
    subject: Expr
    condition: Expr


@node
class Affects(Node):
    """`trait affects R(args)`"""

    trait: Expr
    event: Call


@node
class Otherwise(Node):
    value: Expr
    default: Expr


@node
class Can(Node):
    call: Call


@node
class Query(Node):
    """`any no all count sum min max first (binders[: body])`; `all`, `sum`, `min`, `max` have a body."""

    kind: Literal["any", "no", "all", "count", "sum", "min", "max", "first"]
    binders: tuple[Binder, ...]
    body: Expr | None


@node
class CountTrue(Node):
    """`count(cond, cond, ...)`"""

    conditions: tuple[Expr, ...]


@node
class MinMax(Node):
    """`min(a, b, ...)`, `max(a, b, ...)`"""

    kind: Literal["min", "max"]
    args: tuple[Expr, ...]


Expr = (
    Number | Bool | NoneValue | Name | Call | Attribute | Index | ZoneOf | Negative | Arith | Compare | Logic | Not
    | IfElse | Then | Member | Is | Has | Meets | Affects | Otherwise | Can | Query | CountTrue | MinMax
)  # fmt: skip


@node
class SortKey(Node):
    way: Way
    key: Expr


@node
class Binder(Node):
    """`[maybe] KIND NAME [of OWNER] [in ZONES] [on BEARER] [from A [to B]] [where C] [with most E] [sorted by ...]`

    `because`: why a value that fails the `where` is refused. `asks`: the words of the question for an argument.
    """

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
    because: Text | None = None
    asks: Text | None = None


# ---- statements


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
    """`roll 2d6 as x`, `roll N d6 as x`; `count` is an expression, `sides` a number.

    `name` is a new name or a state value; with `into` (an attribute, a cell of a table) it is "".
    """

    count: Expr
    sides: int
    name: str
    name_span: Span
    into: Expr | None = None


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
    asks: Text | None = None


@node
class Offer(Node):
    mode: Literal["one", "any"]
    to: Expr
    or_pass: bool
    asks: Text | None = None


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


@node
class Label(Node):
    """`label NAME: ...`: a name by which mods call these statements; it means nothing else."""

    name: str
    body: tuple[Stmt, ...]
    name_span: Span


Stmt = (
    Let | Assign | CallStatement | Move | MoveAll | Draw | Shuffle | Create | Remove | Roll | Clear | Choose | Offer
    | Redirect | Silence | Restore | Tells | Require | Ensure | Compulsory | Stop | Proceed | Nothing | If | For
    | RepeatTimes | RepeatUntil | Turns | Rounds | Label
)  # fmt: skip


# ---- declarations


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
    because: str | None = None


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


Hook = Modify | Forbid | Ignore | Trigger | CopyCards


# ---- what patches rules


@node
class Labelled(Declaration):
    """`label NAME: HOOK`: a hook with a name by which mods call it."""

    name: str
    hook: Hook
    name_span: Span


@node
class Step(Node):
    """One step of a place: `require`, `require["it is full"]`, `require[2]`, `forbid[eat]`. `pick` is in brackets."""

    name: str
    pick: str | int | None
    quoted: bool


@node
class TakeOut(Declaration):
    """`remove PLACE`"""

    place: tuple[Step, ...]
    place_span: Span


@node
class Insert(Declaration):
    """`insert before PLACE: ...`, `insert after PLACE: ...`"""

    before: bool
    place: tuple[Step, ...]
    body: tuple[Stmt, ...]
    place_span: Span


@node
class Rewrite(Declaration):
    """`replace PLACE: ...` with other statements, or with another hook. What stands in front of the `:` there stays.

    `disables`: a phase is to do nothing, as data say (`disable: [PHASE]`).
    """

    place: tuple[Step, ...]
    body: tuple[Stmt, ...] | Hook
    place_span: Span
    disables: bool = False


@node
class Patched(Declaration):
    """What a patch has done, in the place where it stood: see `RuleChange`. `names`: what it took away with it."""

    verb: Literal["remove", "replace", "insert", "disable"]
    place: str
    declared: Span
    before: Span | None
    after: Span | None
    names: tuple[str, ...]


Decl = (
    Game | Phase | Action | Routine | Value | Invariant | Replace | Modify | Forbid | Ignore | Trigger | CopyCards
    | Labelled | TakeOut | Insert | Rewrite | Patched
)  # fmt: skip


# ---- walking


@cache
def _fields(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def walk_syntax(node: Any) -> Iterator[Node]:
    """Every node of a piece of syntax, itself first, in the order of the text."""
    stack = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, tuple):
            stack.extend(reversed(item))
        elif is_dataclass(item) and isinstance(item, Node):
            yield item
            names = _fields(cast(Hashable, type(item)))
            stack.extend(value for name in reversed(names) if isinstance(value := getattr(item, name), tuple | Node))


# ---- comparing


def same_syntax(a: object, b: object) -> bool:
    """True if two nodes (or tuples of nodes) are equal but for spans and citations.

    `hand of p` and `p.hand` are two ways to write one thing, so they are the same.
    """
    if isinstance(a, ZoneOf):
        a = Attribute(a.span, a.owner, a.name, a.name_span)
    if isinstance(b, ZoneOf):
        b = Attribute(b.span, b.owner, b.name, b.name_span)
    if type(a) is not type(b):
        return False
    if isinstance(a, Span):
        return True
    if isinstance(a, Node):
        return all(same_syntax(getattr(a, f.name), getattr(b, f.name)) for f in fields(a) if f.name != "cites")
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(same_syntax(x, y) for x, y in zip(a, b, strict=True))
    return a == b


# ---- renaming

#: Fields that hold texts for people; names stand in their braces only.
_PROSE = frozenset({"because", "text"})
_BRACES = re.compile(r"\{[^{}]*\}")
_N = TypeVar("_N", bound=Node)


def rename_in_syntax(node: _N, old: str, new: str) -> _N:
    """The node with `new` wherever it says `old` as a name, of whatever sort: so what belongs together stays so."""
    word = re.compile(rf"(?<![\w\-])(?<!\w\.){re.escape(old)}(?![\w\-])")

    def in_prose(text: str) -> str:
        return _BRACES.sub(lambda braces: word.sub(new, braces.group()), text)

    return cast(_N, _changed(node, lambda text: new if text == old else text, in_prose))


def _changed(part: Any, name: Callable[[str], str], prose: Callable[[str], str]) -> Any:
    if isinstance(part, str):
        return name(part)
    if isinstance(part, Node):
        new = {}
        for field in fields(part):
            if field.name.endswith("span") or field.name == "cites":
                continue
            old = getattr(part, field.name)
            text = field.name in _PROSE and isinstance(old, str)
            changed = prose(old) if text else _changed(old, name, prose)
            if changed is not old:
                new[field.name] = changed
        return replace(cast(Any, part), **new) if new else part
    if isinstance(part, tuple) and type(part) is tuple:
        items = tuple(_changed(item, name, prose) for item in part)
        return items if any(a is not b for a, b in zip(items, part, strict=True)) else part
    return part
