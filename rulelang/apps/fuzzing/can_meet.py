"""Which traits can meet: those of which rules can count in one resolution, by what its action may come to.

A resolution is an action with all that it causes, or what a phase causes by itself, without what it offers. A trait
can count in it if a rule of it hooks an event that may happen there, or a value or event that may be asked for there,
however far off; if it is named in a rule that may run there, or has a value of its own in a column that is read there.
What guards and `where` say is not looked at: so some pairs may be told that never meet.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import permutations
from typing import Any

from rulelang.base.graphs import strongly_connected
from rulelang.compiler.lower.program_graph import ProgramGraph
from rulelang.language.semantics import tree
from rulelang.language.semantics.model import TRAIT, Model
from rulelang.language.semantics.tree import walk

#: A trait and another, in this order.
Pair = tuple[str, str]


def counting(graph: ProgramGraph) -> dict[str, frozenset[str]]:
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
