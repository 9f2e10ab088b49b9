"""All names of a ruleset that are not locals: rows, kinds, zones, members, and the signatures of what is declared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

from rulelang.base.source import Span
from rulelang.semantics.builtins.lists import LISTS
from rulelang.semantics.cards import bearers_of, face_column
from rulelang.semantics.members import MemberInfo, members_of, printed_of
from rulelang.semantics.model import CardSort, Column, Model, Row, Zone
from rulelang.semantics.tree import Origin
from rulelang.semantics.types import Type

What = Literal["routine", "phase", "action", "value", "invariant"]

SCOPES = ("turn", "round", "phase", "game")


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    type: Type


@dataclass(frozen=True, slots=True)
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


#: What can be asked of the signatures, and what is answered.
Question = (
    tuple[Literal["name"], str, Origin]
    | tuple[Literal["path"], str]
    | tuple[Literal["visible"], Origin]
    | tuple[Literal["all"]]
)
Answer = Signature | tuple[Signature, ...] | None


@dataclass(slots=True)
class Symbols:
    """The model with its names turned round, and the signatures in declared order.

    `outside`: it is not for rules but for a scenario, which may look at all that is printed. The model is the same for
    all who ask; of the signatures it is known who asked for which (`recording`).
    """

    model: Model
    outside: bool = False
    #: What was asked of the signatures since `recording` began, with what was answered; None: nobody wants to know.
    asked: dict[Question, Answer] | None = None
    _signatures: dict[str, Signature] = field(default_factory=dict)
    _own: dict[tuple[str, str, int], dict[str, Signature]] = field(default_factory=dict)
    _core: dict[str, Signature] = field(default_factory=dict)
    _rows: dict[str, list[tuple[str, int]]] = field(default_factory=dict)
    _numbers: dict[str, dict[str, int]] = field(default_factory=dict)
    _members: dict[tuple[str, str], dict[str, MemberInfo]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, listing in self.model.lists.items():
            self._index(name, ((row.name, row.number) for row in listing.rows))
        for trait in self.model.traits.values():
            self._index("trait", ((trait.name, trait.number),))
        for built_in in LISTS.values():
            if built_in.name not in self.model.lists:
                self._index(built_in.name, ((name, number) for number, name in enumerate(built_in.rows, 1)))
        for name, sort in self.model.sorts.items():
            self._index(name, ((row.name, row.number) for row in sort.rows))
        for option in self.model.options.values():
            if option.type.tag == "ref":
                self._index(option.type.name, ((name, number) for number, name in enumerate(option.values, 1)))

    def _index(self, kind: str, rows: Iterable[tuple[str, int]]) -> None:
        numbers = self._numbers.setdefault(kind, {})
        for name, number in rows:
            if name and name not in numbers:
                numbers[name] = number
                self._rows.setdefault(name, []).append((kind, number))

    # ---- rows and kinds

    def rows_of(self, kind: str) -> Mapping[str, int]:
        """The named rows of a list, ladder, card sort or value set, by name."""
        return self._numbers.get(kind, {})

    def rows_named(self, name: str) -> Sequence[tuple[str, int]]:
        """(kind, number) of every row with this name, value sets of options left out."""
        return [found for found in self._rows.get(name, ()) if not found[0].startswith("option ")]

    def all_row_names(self) -> Iterable[str]:
        return self._rows

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

    def row(self, sort: str, number: int) -> Row | None:
        rows = self.model.sorts[sort].rows if sort in self.model.sorts else ()
        return next((row for row in rows if row.number == number), None)

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
        if self.asked is not None:
            self.asked["all",] = tuple(self._signatures.values())
        return self._signatures

    def find(self, name: str, origin: Origin) -> Signature | None:
        """By bare name: what the own trait or row declares first, then the core's."""
        found = self._room(origin).get(name) or self._core.get(name)
        if self.asked is not None:
            self.asked["name", name, origin] = found
        return found

    def find_path(self, path: tuple[str, ...], origin: Origin) -> Signature | None:
        """The event named by a pattern: `strike`, or `row.action` of any trait or row."""
        if len(path) == 1:
            return self.find(path[0], origin)
        found = self._signatures.get(".".join(path))
        if self.asked is not None:
            self.asked["path", ".".join(path)] = found
        return found

    def visible(self, origin: Origin) -> tuple[Signature, ...]:
        found = tuple(self._core.values())
        if origin.what != "core":
            found += tuple(self._room(origin).values())
        if self.asked is not None:
            self.asked["visible", origin] = found
        return found

    # ---- who asked for what

    @contextmanager
    def recording(self) -> Iterator[dict[Question, Answer]]:
        """Meanwhile, what is asked of the signatures is written down."""
        found: dict[Question, Answer] = {}
        self.asked = found
        try:
            yield found
        finally:
            self.asked = None

    def answers_alike(self, asked: Mapping[Question, Answer]) -> bool:
        """Whether all questions would be answered as they were."""
        return all(self._answer(question) == answer for question, answer in asked.items())

    def _answer(self, question: Question) -> Answer:
        match question:
            case ("name", name, origin):
                return self.find(name, origin)
            case ("path", path):
                return self._signatures.get(path)
            case ("visible", origin):
                return self.visible(origin)
            case _:
                return tuple(self._signatures.values())

    def owner_name(self, origin: Origin) -> str:
        """The trait's or row's own name, as it stands before the dot; unnamed rows by their number."""
        if origin.what == "trait":
            return origin.name
        if origin.what == "row" and origin.name in self.model.lists:
            rows: Sequence[Row] = self.model.lists[origin.name].rows
        elif origin.what == "card" and origin.name in self.model.sorts:
            rows = self.model.sorts[origin.name].rows
        else:
            rows = ()
        name = next((row.name for row in rows if row.number == origin.row), "")
        return name or f"{origin.name}_{origin.row}"


#: Why a printed column is none of `Symbols.columns`.
APART = "its column says `tells_apart: false`: cards are equal whatever is printed there"
