"""All names of a ruleset except locals: rows, kinds, zones, members, and the signatures of declarations."""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Concatenate, Literal, ParamSpec, TypeVar

from rulelang.base.diagnostics import Diagnostics, Related
from rulelang.base.memo import IdentityKey
from rulelang.base.node import record
from rulelang.base.source import Span
from rulelang.base.spaces import Spaces
from rulelang.base.wording import did_you_mean, with_article
from rulelang.data.mods import ORDER_MODS
from rulelang.language.semantics.builtins.functions import FUNCTIONS
from rulelang.language.semantics.builtins.names import BEARERS, LISTS, NAMES
from rulelang.language.semantics.cards import bearers_of, face_column
from rulelang.language.semantics.members import MemberInfo, members_of, printed_of
from rulelang.language.semantics.model import (
    BOOL,
    ERROR,
    INT,
    ORDER,
    PHASE,
    CardType,
    Column,
    Model,
    Row,
    Type,
    Zone,
    ref,
)
from rulelang.language.semantics.tree import Origin, RuleChange
from rulelang.language.syntax import nodes
from rulelang.language.syntax.nodes import same_syntax, walk_syntax

# ---- symbols

What = Literal["routine", "phase", "action", "value", "invariant"]

SCOPES = ("turn", "round", "phase", "game")


@record
class Parameter:
    name: str
    type: Type


@record
class Signature:
    """What a call or a pattern must know of a declaration. `result` is None but for values and invariants."""

    id: str
    name: str
    what: What
    params: tuple[Parameter, ...]
    result: Type | None
    span: Span
    origin: Origin
    always: bool = False
    number: int = 0

    @property
    def shape(self) -> str:
        """`eat` takes (species, food, source, int)"""
        return f"`{self.name}` takes ({', '.join(str(p.type) for p in self.params)})"


CROWD = 2_000
#: A method of `Symbols` and what it was called with.
Question = tuple[Hashable, ...]
P = ParamSpec("P")
T = TypeVar("T")


def recorded_question(method: Callable[Concatenate[Symbols, P], T]) -> Callable[Concatenate[Symbols, P], T]:
    """A question: while it is `recording`, that it was asked is written down, with what was answered."""
    name = method.__name__

    def ask(self: Symbols, /, *args: P.args, **more: P.kwargs) -> T:
        found = method(self, *args, **more)
        if self.asked is not None:
            self.asked[name, *args] = found
        return found

    ask.__doc__ = method.__doc__
    return ask


@lru_cache(16)
def _named(
    model: IdentityKey[Model],
) -> tuple[Mapping[str, Sequence[tuple[str, int]]], Mapping[str, Mapping[str, int]]]:
    """The rows of a model by name, as (kind, number), and their numbers by kind and name. Kept: rules, what is shown of
    things, and each scenario look names up in the same model."""
    rows: dict[str, list[tuple[str, int]]] = {}
    numbers: dict[str, dict[str, int]] = {}

    def index(kind: str, named: Iterable[tuple[str, int]]) -> None:
        known = numbers.setdefault(kind, {})
        for name, number in named:
            if name and name not in known:
                known[name] = number
                rows.setdefault(name, []).append((kind, number))

    for name, listing in model.item.lists.items():
        index(name, ((row.name, row.number) for row in listing.rows))
    index("trait", ((trait.name, trait.number) for trait in model.item.traits.values()))
    for built_in in LISTS.values():
        if built_in.name not in model.item.lists:
            index(built_in.name, ((name, number) for number, name in enumerate(built_in.rows, 1)))
    for name, sort in model.item.sorts.items():
        index(name, ((row.name, row.number) for row in sort.rows))
    for option in model.item.options.values():
        if option.type.tag == "ref":
            index(option.type.name, ((name, number) for number, name in enumerate(option.values, 1)))
    return rows, numbers


@dataclass(slots=True)
class Symbols:
    """The model with its names turned round, and the signatures in declared order.

    `outside`: it is not for rules but for a scenario, which may look at all that is printed. The model may be an
    outline of the `whole` one, the same for all who ask; of the signatures, and of what the outline leaves out, it is
    known who asked for which (`recording`).
    """

    model: Model
    whole: Model
    outside: bool = False
    #: What was asked since `recording` began, with what was answered; None: nobody wants to know.
    asked: dict[Question, object] | None = None
    _signatures: dict[str, Signature] = field(default_factory=dict)
    _own: dict[tuple[str, str, int], dict[str, Signature]] = field(default_factory=dict)
    _core: dict[str, Signature] = field(default_factory=dict)
    _rows: Mapping[str, Sequence[tuple[str, int]]] = field(init=False)
    _numbers: Mapping[str, Mapping[str, int]] = field(init=False)
    _members: dict[tuple[str, str], dict[str, MemberInfo]] = field(default_factory=dict)
    #: What is declared, as it is written, by id; empty where rules were checked before.
    bodies: dict[str, nodes.Decl] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._rows, self._numbers = _named(IdentityKey(self.whole))

    # ---- rows and kinds

    @recorded_question
    def rows_of(self, kind: str) -> Mapping[str, int]:
        """The named rows of a list, ladder, card sort or value set, or the spaces of a grid, by name."""
        grid = self.whole.grids.get(kind)
        return grid.spaces if grid is not None else self._numbers.get(kind, {})

    @recorded_question
    def row_number(self, kind: str, name: str) -> int | None:
        """The number of the row or space with this name, or None."""
        grid = self.whole.grids.get(kind)
        rows = grid.spaces if grid is not None else self._numbers.get(kind, {})
        return rows.get(name)

    @recorded_question
    def rows_named(self, name: str) -> Sequence[tuple[str, int]]:
        """(kind, number) of every row and space with this name, value sets of options left out."""
        rows = [found for found in self._rows.get(name, ()) if not found[0].startswith("option ")]
        return [*rows, *((grid.name, grid.spaces[name]) for grid in self.whole.grids.values() if name in grid.spaces)]

    @recorded_question
    def spaces(self, kind: str) -> Spaces | None:
        """The names of the spaces of a grid; None for another kind."""
        grid = self.whole.grids.get(kind)
        return grid.spaces if grid is not None else None

    def one_of(self, kind: str) -> str:
        """``a row of `city` ``, or for a grid ``a space of `board` ``."""
        what = "a space" if kind in self.model.grids else "a row"
        return f"{what} of `{kind}`"

    def declared(self, name: str, origin: Origin) -> bool:
        """Whether state, a number, a zone or a value without arguments has this name; it is then no space."""
        model, signature = self.model, self.find(name, origin)
        if name in model.state or name in model.numbers or self.zones_named(name):
            return True
        return signature is not None and signature.what in ("value", "invariant")

    @recorded_question
    def all_row_names(self) -> tuple[str, ...]:
        return tuple(self._rows)

    def kinds(self) -> list[str]:
        model = self.model
        found = [*model.lists, *model.grids, *model.sorts, *model.made, "player", "trait", *LISTS]
        return list(dict.fromkeys(found))

    def is_kind(self, name: str) -> bool:
        return name in self.kinds()

    def is_ladder(self, kind: str) -> bool:
        listing = self.model.lists.get(kind)
        return listing is not None and listing.ladder

    def is_line(self, kind: str) -> bool:
        made = self.model.made.get(kind)
        return made is not None and made.line

    # ---- members of a kind

    def members(self, kind: str, origin: Origin | None = None) -> Mapping[str, MemberInfo]:
        """What may follow the dot after something of a kind, for rules of this origin."""
        trait = origin.name if origin is not None and origin.what == "trait" else ""
        if kind not in self.model.sorts or trait not in self.model.traits or not self.model.traits[trait].state:
            trait = ""  # it sees what all see
        if (kind, trait) not in self._members:
            self._members[kind, trait] = members_of(self.model, kind, trait=trait, outside=self.outside)
        return self._members[kind, trait]

    def printed(self, kind: str) -> Mapping[str, Column]:
        """All that is printed, also what no rule can read."""
        return printed_of(self.model, kind)

    def zones_of(self, kind: str) -> dict[str, Zone]:
        """Zones that belong to a thing of this kind, by the name they are read with."""
        return {zone.short_name: zone for zone in self.model.zones.values() if zone.of == kind}

    def zones_named(self, name: str) -> list[Zone]:
        return [zone for zone in self.model.zones.values() if zone.short_name == name]

    def zone_names(self) -> list[str]:
        return [zone.short_name for zone in self.model.zones.values()]

    def bearers_of(self, sort: str, *, in_force: bool = False) -> list[str]:
        """Made kinds on which cards of the sort may lie (only in zones in force, if asked)."""
        return bearers_of(self.model, sort, in_force=in_force)

    def trait_sorts(self) -> list[CardType]:
        """Sorts whose cards bear traits: those with a column `face` or `faces`."""
        return [sort for sort in self.model.sorts.values() if face_column(sort) is not None]

    @recorded_question
    def copies(self, sort: str, number: int) -> int:
        """How many cards are made of what is written in one row."""
        rows = self.whole.sorts[sort].rows
        return sum(row.copies for row in rows if row.written == rows[number - 1].written)

    @recorded_question
    def is_row(self, number: str) -> bool:
        """Whether an entry of `numbers:` is a row of numbers."""
        return any(isinstance(value, tuple) for value in self.whole.numbers[number].by_players.values())

    @recorded_question
    def may_be_zero(self, number: str) -> bool:
        """Whether an entry of `numbers:` is 0 at some table."""
        return 0 in self.whole.numbers[number].by_players.values()

    # ---- what is declared

    def declare(self, signature: Signature) -> Signature | None:
        """Enter it; the earlier one with that name in that place if there is one (which then stays)."""
        room = self._room(signature.origin)
        if signature.name in room:
            return room[signature.name]
        room[signature.name] = signature
        self._signatures[signature.id] = signature
        return None

    def _room(self, origin: Origin) -> dict[str, Signature]:
        if origin.what == "core":
            return self._core
        return self._own.setdefault((origin.what, origin.name, origin.row), {})

    @property
    def signatures(self) -> Mapping[str, Signature]:
        """All, by id, in declared order."""
        self.everything()
        return self._signatures

    @recorded_question
    def everything(self) -> tuple[Signature, ...]:
        return tuple(self._signatures.values())

    @recorded_question
    def crowded(self) -> bool:
        """Whether there are too many declarations to compare each misspelt name with all of them."""
        return len(self._signatures) > CROWD

    @recorded_question
    def find(self, name: str, origin: Origin) -> Signature | None:
        """By bare name: what the own trait or row declares first, then the core's."""
        return self._room(origin).get(name) or self._core.get(name)

    @recorded_question
    def find_path(self, path: tuple[str, ...], origin: Origin) -> Signature | None:
        """The event named by a pattern: `strike`, or `row.action` of any trait or row."""
        return self.find(path[0], origin) if len(path) == 1 else self._signatures.get(".".join(path))

    @recorded_question
    def visible(self, origin: Origin) -> tuple[Signature, ...]:
        found = tuple(self._core.values())
        return found if origin.what == "core" else found + tuple(self._room(origin).values())

    @recorded_question
    def values_that_read(self, name: str, boolean: bool) -> tuple[str, ...]:
        """Find the values that mention a name: those that are true or false, or all others. For hints."""
        return tuple(
            s.name
            for s in self._core.values()
            if s.what == "value" and (s.result == BOOL) == boolean and _mentions(self.bodies.get(s.id), name)
        )

    @recorded_question
    def events_that_change(self, name: str) -> tuple[str, ...]:
        """Find the routines, phases and actions that change an attribute, a state value or a zone. For hints."""
        return tuple(
            s.name
            for s in self._core.values()
            if s.what in ("routine", "phase", "action")
            and any(_mentions(_changed(node), name) for node in walk_syntax(self.bodies.get(s.id)))
        )

    # ---- who asked for what

    @contextmanager
    def recording(self) -> Iterator[dict[Question, object]]:
        """Meanwhile, what is asked is written down."""
        found: dict[Question, object] = {}
        self.asked = found
        try:
            yield found
        finally:
            self.asked = None

    def answers_alike(self, asked: Mapping[Question, object]) -> bool:
        """Whether all questions would be answered as they were."""
        return all(getattr(self, str(name))(*args) == answer for (name, *args), answer in asked.items())

    @recorded_question
    def owner_name(self, origin: Origin) -> str:
        """The trait's or row's own name, as it stands before the dot; unnamed rows by their number."""
        if origin.what == "trait":
            return origin.name
        if origin.what == "row" and origin.name in self.whole.lists:
            rows: Sequence[Row] = self.whole.lists[origin.name].rows
        elif origin.what == "card" and origin.name in self.whole.sorts:
            rows = self.whole.sorts[origin.name].rows
        else:
            rows = ()
        name = next((row.name for row in rows if row.number == origin.row), "")
        return name or f"{origin.name}_{origin.row}"


def _changed(node: nodes.Node) -> tuple[nodes.Node, ...]:
    """The parts of a statement that name what it changes."""
    match node:
        case nodes.Assign(target=target):
            return (target,)
        case nodes.Move(to=to):
            return (to,)
        case nodes.MoveAll(source=source, to=to) | nodes.Draw(source=source, to=to):
            return (source, to)
    return ()


def _mentions(piece: nodes.Node | tuple[nodes.Node, ...] | None, name: str) -> bool:
    return any(
        (isinstance(node, nodes.Name) and node.id == name) or (isinstance(node, nodes.Attribute) and node.name == name)
        for node in walk_syntax(piece)
    )


#: Why a printed column is none of `Symbols.columns`.
APART = "its column has `tells_apart: false`: cards that differ only there count as equal"


# ---- signatures

Texts = Sequence[tuple[Origin, tuple[nodes.Decl, ...]]]
#: For each layer, the layers it is ordered after.
Ordered = Mapping[int, frozenset[int]]

_SIMPLE = {"int": INT, "bool": BOOL, "order": ORDER, "phase": PHASE}
#: What other languages, and YAML files, call the types.
_OTHER_NAMES = {"number": "int", "integer": "int", "boolean": "bool"}
Body = nodes.Phase | nodes.Routine | nodes.Action | nodes.Value | nodes.Invariant


@dataclass(slots=True)
class Unit:
    """A declaration to check: its signature, whose it is, and the body in force (the last layer's)."""

    signature: Signature
    origin: Origin
    node: Body


@dataclass(slots=True)
class Declarations:
    """`hooks` keep their text order; `game` is the one flow of the game."""

    units: dict[str, Unit] = field(default_factory=dict)
    hooks: list[tuple[Origin, nodes.Modify | nodes.Forbid | nodes.Ignore | nodes.Trigger | nodes.CopyCards]] = field(
        default_factory=list
    )
    game: tuple[Origin, nodes.Game] | None = None
    changes: list[RuleChange] = field(default_factory=list)


def gather_signatures(
    symbols: Symbols, texts: Texts, ordered: Ordered, lost: Container[str], out: Diagnostics
) -> Declarations:
    """Enter every signature; then put replacements in the place of what they replace."""
    found = Declarations()
    replacements: list[tuple[Origin, nodes.Replace]] = []
    phases = 0
    for origin, declarations in texts:
        for node in declarations:
            match node:
                case nodes.Game():
                    _game(found, origin, node, out)
                case nodes.Replace():
                    replacements.append((origin, node))
                case nodes.Patched():
                    what = (origin.layer, node.verb, node.place, node.span, node.declared, node.before, node.after)
                    found.changes.append(RuleChange(*what))
                case nodes.Phase() | nodes.Routine() | nodes.Action() | nodes.Value() | nodes.Invariant():
                    phases += isinstance(node, nodes.Phase)
                    _enter(symbols, found, origin, node, phases, out)
                case nodes.Modify() | nodes.Forbid() | nodes.Ignore() | nodes.Trigger() | nodes.CopyCards():
                    found.hooks.append((origin, node))
                case _:
                    raise AssertionError(f"{type(node).__name__} is no declaration when all is patched")
    replaced: dict[str, Unit] = {}
    readable = [item for item in replacements if item[1].target.name not in lost]
    for origin, change in sorted(readable, key=lambda item: item[0].layer):
        same = {o.layer for o, c in readable if c.target.name == change.target.name}
        _replace(symbols, found, replaced, origin, change, ordered, same, out)
    symbols.bodies.update((id_, unit.node) for id_, unit in found.units.items())
    return found


def _game(found: Declarations, origin: Origin, node: nodes.Game, out: Diagnostics) -> None:
    if found.game is None:
        found.game = (origin, node)
        return
    related = [Related(found.game[1].span, "the flow is declared here")]
    hint = "hook or replace the phases and routines it calls"
    out.error("N352", node.span, "`game:` is declared twice", because="", hint=hint, related=related)


def _enter(symbols: Symbols, found: Declarations, origin: Origin, node: Body, phase: int, out: Diagnostics) -> None:
    signature = signature_of(symbols, origin, node, phase, out)
    if node.name in {*NAMES, *FUNCTIONS, *BEARERS}:
        because = f"`{node.name}` is built in"
        message = f"{with_article(signature.what)} cannot have the name `{node.name}`"
        out.error("N353", node.name_span, message, because=because, hint="choose another name")
        return
    earlier = symbols.declare(signature)
    if earlier is not None:
        related = [Related(earlier.span, f"the {earlier.what} `{node.name}` is declared here")]
        because = "routines, phases, actions, values and invariants share one set of names"
        hint = f"to give it a new body, write `replace {signature.what} {node.name}...`" if origin.layer else ""
        message = f"`{node.name}` is declared twice"
        out.error("N352", node.name_span, message, because=because, hint=hint, related=related)
        return
    found.units[signature.id] = Unit(signature, origin, node)


def signature_of(symbols: Symbols, origin: Origin, node: Body, phase: int, out: Diagnostics) -> Signature:
    """The signature of a declaration; types that are not known are reported and become error types."""
    params: tuple[Parameter, ...] = ()
    result: Type | None = None
    if isinstance(node, nodes.Routine | nodes.Value):
        params = tuple(Parameter(p.name, type_named(symbols, p.type, out)) for p in node.params)
        _twice([(p.name, p.span) for p in node.params], out)
    elif isinstance(node, nodes.Action):
        params = tuple(Parameter(b.name, _binder_type(symbols, b)) for b in node.binders)
        _twice([(b.name, b.name_span) for b in node.binders], out)
    if isinstance(node, nodes.Value):
        result = type_named(symbols, node.type, out)
    elif isinstance(node, nodes.Invariant):
        result = BOOL
    what: What = _WHAT[type(node)]
    always = isinstance(node, nodes.Action) and node.always
    number = phase if isinstance(node, nodes.Phase) else 0
    id_ = _id(symbols, origin, node.name)
    return Signature(id_, node.name, what, params, result, node.name_span, origin, always, number)


_WHAT: dict[type[Body], What] = {
    nodes.Phase: "phase",
    nodes.Routine: "routine",
    nodes.Action: "action",
    nodes.Value: "value",
    nodes.Invariant: "invariant",
}


def _id(symbols: Symbols, origin: Origin, name: str) -> str:
    if origin.what == "core":
        return name
    short = f"{symbols.owner_name(origin)}.{name}"
    taken = symbols.signatures.get(short)
    return short if taken is None or taken.origin == origin else f"{origin.name}.{short}"


def _twice(names: Iterable[tuple[str, Span]], out: Diagnostics) -> None:
    seen: dict[str, Span] = {}
    for name, span in names:
        if name in seen:
            related = [Related(seen[name], "the first is here")]
            out.error("N364", span, f"the name `{name}` is used twice", related=related, hint="choose another name")
        seen.setdefault(name, span)


def type_named(symbols: Symbols, node: nodes.TypeName, out: Diagnostics) -> Type:
    """The type that a parameter or result says; N354 for an unknown kind."""
    found = _SIMPLE.get(node.name) or (ref(node.name) if symbols.is_kind(node.name) else None)
    if found is None:
        because = "a type is `int`, `bool`, `order`, `player`, a list, a card type or a kind of things"
        other = _OTHER_NAMES.get(node.name.lower())
        hint = f"write `{other}`" if other else did_you_mean(node.name, [*symbols.kinds(), *_SIMPLE])
        out.error("N354", node.span, f"there is no type `{node.name}`", because=because, hint=hint)
        return ERROR
    if node.maybe and found.tag in ("bool", "order"):
        because = "truth values and orders are never missing"
        out.error(
            "N354", node.span, f"there is no type `maybe {node.name}`", because=because, hint=f"write `{node.name}`"
        )
        return found
    return found.optional() if node.maybe else found


def _binder_type(symbols: Symbols, node: nodes.Binder) -> Type:
    """Without a report: the binder itself is checked with the body."""
    found = INT if node.kind == "int" else ref(node.kind) if symbols.is_kind(node.kind) else ERROR
    return found.optional() if node.maybe and found != ERROR else found


def _replace(
    symbols: Symbols,
    found: Declarations,
    replaced: dict[str, Unit],
    origin: Origin,
    change: nodes.Replace,
    ordered: Ordered,
    layers: Iterable[int],
    out: Diagnostics,
) -> None:
    """Give a declaration another body. `layers`: those that replace something of this name."""
    node = change.target
    old = symbols.find(node.name, origin)
    what = _WHAT[type(node)]
    if old is None:
        names = [s.name for s in symbols.visible(origin) if s.what == what]
        because = "`replace` changes an existing declaration"
        message, hint = f"there is no {what} `{node.name}` to replace", did_you_mean(node.name, names)
        out.error("W503", node.name_span, message, because=because, hint=hint)
        return
    related = [Related(old.span, f"the {old.what} `{old.name}` is declared here")]
    new = signature_of(symbols, origin, node, old.number, out)
    if old.what != what:
        out.error(
            "W503",
            node.name_span,
            f"expected {with_article(what)}, found the {old.what} `{old.name}`",
            related=related,
        )
        return
    if [p.type for p in old.params] != [p.type for p in new.params] or old.result != new.result:
        because = f"other rules use the old signature: {_shape(old)}, but the new one {_shape(new).partition('` ')[2]}"
        message = f"the new `{old.name}` has a different signature"
        out.error("W503", node.name_span, message, because=because, related=related)
        return
    if old.id in found.units and not _same_head(found.units[old.id].node, node, related, out):
        return
    earlier = replaced.get(old.id)
    if earlier is not None and earlier.origin.layer not in ordered.get(origin.layer, frozenset(range(origin.layer))):
        both = {earlier.origin.layer, origin.layer}
        if any(both <= ordered.get(layer, frozenset()) for layer in layers):
            return  # a mod that follows both has the last word
        place = earlier.node.name_span
        hint = "remove one of the two declarations" if len(both) == 1 else ORDER_MODS
        because = "rulelang cannot know which of the two bodies to use"
        related = [Related(place, "it is replaced here too"), *related]
        out.error(
            "W504", node.name_span, f"`{old.name}` is replaced twice", because=because, hint=hint, related=related
        )
        return
    if old.id in found.units:
        kept = Signature(
            old.id, old.name, old.what, new.params, old.result, old.span, old.origin, new.always, old.number
        )
        unit = Unit(kept, origin, node)
        if earlier is None and same_syntax(found.units[old.id].node, node):
            because = ""
            related = [Related(found.units[old.id].node.name_span, "it is here")]
            out.warning(
                "W534", node.name_span, f"this replaces `{node.name}` with itself", because=because, related=related
            )
        before = found.units[old.id].node.span
        found.changes.append(RuleChange(origin.layer, "replace", old.id, change.span, old.span, before, node.span))
        found.units[old.id] = replaced[old.id] = unit


def _same_head(old: Body, new: Body, related: Sequence[Related], out: Diagnostics) -> bool:
    """W503 if words of the head are gone or new: an error where they say how it runs, a warning where a limit goes."""
    before, now = _head(old), _head(new)
    for word in [word for word in _MANNERS if (word in before) != (word in now)]:
        said, hint = ("drops", f"write `{word}` again") if word in before else ("adds", f"remove `{word}`")
        because = "this word is part of the signature, which must stay the same"
        message = f"the new `{new.name}` {said} `{word}`"
        out.error("W503", new.name_span, message, because=because, hint=hint, related=related)
        return False
    for word in [word for word in before if word not in now]:
        because = "`replace` gives the whole first line, and this word is not in it"
        out.warning("W503", new.name_span, f"the new `{new.name}` is no longer `{word}`", because=because)
    return True


#: Words of a head that say how a routine or action runs.
_MANNERS = ("always", "in owner's order", "in steps")


def _head(node: Body) -> list[str]:
    """The words of a head beside names and types."""
    if isinstance(node, nodes.Routine):
        return ["in owner's order"] if node.owners_order else []
    if not isinstance(node, nodes.Action):
        return []
    said = {"always": node.always, "in steps": node.in_steps, "free": node.free}
    return [
        *(word for word, is_said in said.items() if is_said),
        *([f"once per {node.once_per}"] if node.once_per else []),
    ]


def _shape(signature: Signature) -> str:
    return signature.shape + (f" -> {signature.result}" if signature.result is not None else "")
