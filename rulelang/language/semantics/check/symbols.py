"""All names of a ruleset that are not locals: rows, kinds, zones, members, and the signatures of what is declared."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Concatenate, Literal, ParamSpec, TypeVar

from rulelang.base.memo import Same
from rulelang.base.node import record
from rulelang.base.source import Span
from rulelang.base.spaces import Spaces
from rulelang.language.semantics.builtins.lists import LISTS
from rulelang.language.semantics.cards import bearers_of, face_column
from rulelang.language.semantics.members import MemberInfo, members_of, printed_of
from rulelang.language.semantics.model import CardSort, Column, Model, Row, Zone
from rulelang.language.semantics.tree import Origin
from rulelang.language.semantics.types import BOOL, Type
from rulelang.language.syntax import nodes
from rulelang.language.syntax.walk import walk

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


def noted(method: Callable[Concatenate[Symbols, P], T]) -> Callable[Concatenate[Symbols, P], T]:
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
def _named(model: Same[Model]) -> tuple[Mapping[str, Sequence[tuple[str, int]]], Mapping[str, Mapping[str, int]]]:
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
        self._rows, self._numbers = _named(Same(self.whole))

    # ---- rows and kinds

    @noted
    def rows_of(self, kind: str) -> Mapping[str, int]:
        """The named rows of a list, ladder, card sort or value set, or the spaces of a grid, by name."""
        grid = self.whole.grids.get(kind)
        return grid.spaces if grid is not None else self._numbers.get(kind, {})

    @noted
    def row_number(self, kind: str, name: str) -> int | None:
        """The number of the row or space with this name, or None."""
        grid = self.whole.grids.get(kind)
        rows = grid.spaces if grid is not None else self._numbers.get(kind, {})
        return rows.get(name)

    @noted
    def rows_named(self, name: str) -> Sequence[tuple[str, int]]:
        """(kind, number) of every row and space with this name, value sets of options left out."""
        rows = [found for found in self._rows.get(name, ()) if not found[0].startswith("option ")]
        return [*rows, *((grid.name, grid.spaces[name]) for grid in self.whole.grids.values() if name in grid.spaces)]

    @noted
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

    @noted
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

    def trait_sorts(self) -> list[CardSort]:
        """Sorts whose cards bear traits: those with a column `face` or `faces`."""
        return [sort for sort in self.model.sorts.values() if face_column(sort) is not None]

    @noted
    def copies(self, sort: str, number: int) -> int:
        """How many cards are made of what is written in one row."""
        rows = self.whole.sorts[sort].rows
        return sum(row.copies for row in rows if row.written == rows[number - 1].written)

    @noted
    def is_row(self, number: str) -> bool:
        """Whether an entry of `numbers:` is a row of numbers."""
        return any(isinstance(value, tuple) for value in self.whole.numbers[number].by_players.values())

    @noted
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

    @noted
    def everything(self) -> tuple[Signature, ...]:
        return tuple(self._signatures.values())

    @noted
    def crowded(self) -> bool:
        """Whether there are too many declarations to compare each misspelt name with all of them."""
        return len(self._signatures) > CROWD

    @noted
    def find(self, name: str, origin: Origin) -> Signature | None:
        """By bare name: what the own trait or row declares first, then the core's."""
        return self._room(origin).get(name) or self._core.get(name)

    @noted
    def find_path(self, path: tuple[str, ...], origin: Origin) -> Signature | None:
        """The event named by a pattern: `strike`, or `row.action` of any trait or row."""
        return self.find(path[0], origin) if len(path) == 1 else self._signatures.get(".".join(path))

    @noted
    def visible(self, origin: Origin) -> tuple[Signature, ...]:
        found = tuple(self._core.values())
        return found if origin.what == "core" else found + tuple(self._room(origin).values())

    @noted
    def values_that_read(self, name: str, boolean: bool) -> tuple[str, ...]:
        """Find the values that mention a name: those that are true or false, or all others. For hints."""
        return tuple(
            s.name
            for s in self._core.values()
            if s.what == "value" and (s.result == BOOL) == boolean and _mentions(self.bodies.get(s.id), name)
        )

    @noted
    def events_that_change(self, name: str) -> tuple[str, ...]:
        """Find the routines, phases and actions that change an attribute, a state value or a zone. For hints."""
        return tuple(
            s.name
            for s in self._core.values()
            if s.what in ("routine", "phase", "action")
            and any(_mentions(_changed(node), name) for node in walk(self.bodies.get(s.id)))
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

    @noted
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
        for node in walk(piece)
    )


#: Why a printed column is none of `Symbols.columns`.
APART = "its column has `tells_apart: false`: cards that differ only there count as equal"
