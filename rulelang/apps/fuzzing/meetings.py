"""Which traits can meet in one move by the rules, and which ones did meet while a move ran."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from typing import Any

from rulelang.base.graphs import strongly_connected
from rulelang.compiler.lower.program_graph import ProgramGraph
from rulelang.language.semantics import tree
from rulelang.language.semantics.model import TRAIT, Model
from rulelang.language.semantics.tree import walk
from rulelang.runtime.hidden_information import zone_cards
from rulelang.runtime.table import Table
from rulelang.runtime.trace_recorder import SilentHost

# ---- traits that can meet

#: A trait and another, in this order.
Pair = tuple[str, str]


def counting_traits(graph: ProgramGraph) -> dict[str, frozenset[str]]:
    """By action and phase, the traits of which rules can count in its resolution."""
    program = graph.program
    declared: dict[str, tree.Declared] = {**program.routines, **program.actions, **program.values}
    pieces = {name: [item, *graph.on(name), *graph.ignores_on.get(name, ())] for name, item in declared.items()}
    asks = {name: sorted({*_asked(found)} & pieces.keys()) for name, found in pieces.items()}
    result: dict[str, frozenset[str]] = {}
    for group in strongly_connected(asks):
        own = {trait for name in group for trait in _own(graph.model, pieces[name])}
        further = (result[other] for name in group for other in asks[name] if other in result)
        result.update(dict.fromkeys(group, frozenset(own).union(*further)))
    roots = [*program.actions, *(name for name, routine in program.routines.items() if routine.phase)]
    return {name: result[name] for name in roots}


def can_meet(resolutions: Mapping[str, frozenset[str]]) -> frozenset[Pair]:
    """The ordered pairs of traits that can meet in any of them."""
    return frozenset(pair for traits in resolutions.values() for pair in permutations(traits, 2))


def _own(model: Model, pieces: list[Any]) -> Iterator[str]:
    """The traits whose the pieces are, that they name, or whose columns they read."""
    yield from (item.origin.name for item in pieces if item.origin.what == "trait")
    for n in walk(pieces):
        if isinstance(n, tree.Const) and n.type == TRAIT:
            yield from (name for name, trait in model.traits.items() if trait.number == n.value)
        elif isinstance(n, tree.ColumnRef) and n.kind == "trait":
            plain = n.column.default
            for name, trait in model.traits.items():
                if trait.columns.get(n.column.name, plain) != plain:
                    yield name


def _asked(pieces: list[Any]) -> Iterator[str]:
    """Events that pieces of tree may cause, and values and events that they ask for, directly."""
    for n in walk(pieces):
        match n:
            case tree.CallRoutine() | tree.Redirect():
                yield n.routine
            case tree.ValueCall():
                yield n.value
            case tree.Can() | tree.Affects():
                yield n.event
            case tree.Meets():
                yield n.counter


# ---- traits that met

#: The number of a template, and its arguments.
Heard = tuple[int, tuple[int, ...]]


@dataclass(slots=True)
class EventSink(SilentHost):
    """A host that notes what runs, in order: numbers of templates, with their arguments."""

    heard: list[Heard] = field(default_factory=list)

    def open(self, template: int, args: tuple[int, ...]) -> None:
        self.heard.append((template, args))

    def line(self, template: int, args: tuple[int, ...]) -> None:
        self.heard.append((template, args))


class Meetings:
    """Which traits meet in the moves at a table.

    Two traits have met, in this order, in a move in which a rule of the first ran before one of the second; or which
    named two things (the one that acts before the one that it acts on) of which the first bears the first and the
    second the second; or one thing that bears both, and then in both orders; or in which a rule of one ran before
    something happened to a thing that bears both, in both orders too.

    `counting`: by action, the traits that can count in it (`can_meet.counting`); others are not met there. None: all.
    """

    def __init__(self, table: Table, counting: Mapping[str, frozenset[str]] | None = None) -> None:
        self.table = table
        self.counting = counting
        layout = table.program.layout
        self.traits = layout.lists.get("trait", ("none",))
        self.known = frozenset(self.traits[1:])
        self.sources = [t.source if t.source in self.known else "" for t in table.program.templates]
        self.zones = {
            kind: [zone for zone in layout.zones.values() if zone.of == kind and zone.in_force] for kind in layout.kinds
        }

    def borne(self, words: Sequence[int], kind: str, thing: int) -> list[str]:
        """The traits in force on a thing."""
        layout = self.table.program.layout
        found = []
        for zone in self.zones[kind]:
            for card in zone_cards(zone, thing, words, layout.card_next):
                face = words[layout.card_face + card] if layout.card_face else 0
                faces = layout.cards[card].faces
                number = face or (faces[0] if faces else 0)
                if number:
                    found.append(self.traits[number])
        return found

    def of_move(self, words: Sequence[int], key: Sequence[int], heard: Sequence[Heard]) -> set[Pair]:
        """The pairs that met in a move: `words` before it, the key of its option, what ran."""
        found = self.met(words, key, [self.sources[template] for template, _ in heard if self.sources[template]])
        ran: set[str] = set()
        for template, args in heard:
            ran.add(self.sources[template])
            for part in self.table.program.templates[template].parts:
                if isinstance(part, str) or part[1] not in self.zones or not args[part[0]]:
                    continue
                borne = self.borne(words, part[1], args[part[0]])
                for source in ran.intersection(borne):
                    found.update(pair for b in borne if b != source for pair in ((source, b), (b, source)))
        return found

    def met(self, words: Sequence[int], key: Sequence[int], sources: Sequence[str]) -> set[Pair]:
        """The same, with the traits whose rules ran, in order."""
        found = set(_in_order(sources))
        if key[0] < 0:
            return found
        action = self.table.site(words).actions[key[0]]
        counts = self.known if self.counting is None else self.counting.get(action.id, frozenset())
        named = [
            [trait for trait in self.borne(words, kind, value) if trait in counts]
            for kind, value in zip(action.types, key[1:], strict=False)
            if kind in self.zones and value
        ]
        for place, first in enumerate(named):
            found.update((a, b) for a in first for b in first if a != b)
            found.update((a, b) for second in named[place + 1 :] for a in first for b in second)
        return found


def _in_order(sources: Sequence[str]) -> Iterator[Pair]:
    """Each trait with each that came after it."""
    before: list[str] = []
    for source in sources:
        yield from ((other, source) for other in before if other != source)
        if source not in before:
            before.append(source)
