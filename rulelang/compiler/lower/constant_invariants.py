"""Invariants that read only what is printed: whether they hold is known of each table before any game.

What is printed: columns of rows, cards and spaces, `numbers:`, options, how many rows there are and how many play.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from math import prod
from typing import Any

from rulelang.base.node import record
from rulelang.language.semantics import tree
from rulelang.language.semantics.builtins.definitions import BESIDE
from rulelang.language.semantics.builtins.functions import FUNCTIONS
from rulelang.language.semantics.builtins.names import MEMBERS, NAMES
from rulelang.language.semantics.model import Bound, CardType, Listing, Model, Option
from rulelang.language.semantics.state_layout import Config
from rulelang.language.semantics.tree import walk

#: Tables that an invariant is tested on; where there are more, each option's values in turn.
MOST_TABLES = 64
#: Combinations that one is tested for, over all its binders; one of more is tested while games run only.
MOST_COMBINATIONS = 5_000_000

_CONSTANT_NODES = (
    tree.Const, tree.LocalRef, tree.NumberRef, tree.OptionRef, tree.ColumnRef, tree.ValueCall,
    tree.Arith, tree.Negative, tree.Compare, tree.Logic, tree.Not, tree.IfElse,
    tree.OrderOf, tree.MemberOfSet, tree.Present, tree.Meets, tree.Otherwise, tree.Query, tree.Binder,
    tree.Extreme, tree.Local, tree.Rows, tree.AllCards, tree.Players, tree.Range, tree.Members,
)  # fmt: skip


@dataclass(slots=True)
class Reads:
    """What an invariant reads that may be another at another table; `size`: combinations that it goes over; `pieces`:
    all that is worked out for it."""

    players: bool = False
    options: set[str] = field(default_factory=set)
    kinds: set[str] = field(default_factory=set)
    size: int = 1
    pieces: Sequence[Any] = ()


@record
class Evidence:
    """All that decides at a table whether an invariant holds: its rules, and what of the model these can read.

    In variants of a ruleset that differ elsewhere it is the same. Nothing else is said of those: where an invariant
    does not hold, the message names cards by what all of the table is like."""

    name: str
    pieces: Sequence[Any]
    declared: Sequence[object]


def constant_invariants(model: Model, program: tree.Program) -> dict[str, Reads]:
    """By id, those invariants that are tested before any game, with what they read."""
    found = {}
    for invariant in program.invariants.values():
        pieces = pieces_of(invariant, program)
        if pieces is not None and all(_is_constant(node) for node in walk(pieces)):
            reads = _reads(pieces, model)
            if reads.size <= MOST_COMBINATIONS:
                found[invariant.id] = reads
    return found


def evidence_of(name: str, reads: Reads, model: Model) -> Evidence:
    """What the invariant of this id stands on."""
    kinds, numbers = set(reads.kinds), set[str]()
    for node in walk(reads.pieces):
        if isinstance(node, tree.NumberRef):
            numbers.add(node.name)
        if isinstance(node, tree.Typed | tree.Local):
            kinds.add(node.type.name)
    waiting = [*kinds]
    while waiting:  # what a bound names may have bounds of its own
        bounds = {bound for bound in _bounds(waiting.pop(), model) if isinstance(bound, str)} - kinds
        kinds |= bounds
        waiting += bounds
    traits = tuple(model.traits.values()) if "trait" in kinds else ()
    rooms: tuple[Mapping[str, Listing | CardType], ...] = model.lists, model.sorts
    declared = [replace(room[kind], attributes={}) for kind in sorted(kinds) for room in rooms if kind in room]
    constants = [model.numbers[number] for number in sorted(numbers | kinds) if number in model.numbers]
    return Evidence(name, reads.pieces, (*declared, *constants, *model.grids.values(), *traits))


def checked_invariants(model: Model, program: tree.Program) -> set[str]:
    """Ids of the invariants that were tested on every table, so that no game has to."""
    if not program.invariants:
        return set()
    return {
        name for name, reads in constant_invariants(model, program).items() if _table_count(model, reads) <= MOST_TABLES
    }


def tables_to_check(model: Model, reads: Reads) -> list[Config]:
    """The tables on which what is read differs: all of them, or if these are too many each value of each option."""
    low, high = model.players
    seats = range(low, high + 1) if reads.players else (low,)
    chosen = [option for option in model.options.values() if option.name in reads.options]
    usual = {option.name: option.default.get(low, option.low) for option in model.options.values()}
    if _table_count(model, reads) <= MOST_TABLES:
        ways = product(*(_option_values(option) for option in chosen))
        combinations = [dict(zip((option.name for option in chosen), way, strict=True)) for way in ways]
        return [Config(players, {**usual, **said}) for said in combinations for players in seats]
    each = [Config(players, usual) for players in seats]
    return each + [Config(low, {**usual, option.name: value}) for option in chosen for value in _option_values(option)]


def pieces_of(declared: tree.Invariant | tree.Value | Any, program: tree.Program) -> list[Any] | None:
    """The bodies of a declaration, of all values it calls, and of what modifies these; None where traits, cards or rows
    modify one: whether they do is a matter of the state."""
    known: set[str] = set()
    pieces: list[Any] = []
    waiting = [declared]
    while waiting:
        node = waiting.pop()
        pieces.append(node.body if isinstance(node, tree.Declared) else node)  # type: ignore[attr-defined]
        if isinstance(node, tree.Declared):
            modifies = [modify for modify in program.modifies if modify.pattern.event == node.id]
            if any(modify.origin.what != "core" for modify in modifies):
                return None
            pieces.extend((modify.guard, modify.value, modify.pattern.slots) for modify in modifies)
        for name in sorted(_called_values(pieces) - known):
            known.add(name)
            waiting.append(program.values[name])
    return pieces


def _called_values(pieces: list[Any]) -> set[str]:
    return {
        node.value if isinstance(node, tree.ValueCall) else node.counter
        for node in walk(pieces)
        if isinstance(node, tree.ValueCall | tree.Meets)
    }


def _is_constant(node: Any) -> bool:
    match node:
        case tree.BuiltinRef(name=name):
            return NAMES[name].printed
        case tree.BuiltinCall(name=name):
            return FUNCTIONS[name].printed
        case tree.Property(name=name):
            return MEMBERS[name].printed
        case tree.AnySlot() | tree.EqualSlot() | tree.BindSlot():
            return True
        case _:
            return isinstance(node, _CONSTANT_NODES)


def _reads(pieces: list[Any], model: Model) -> Reads:
    reads = Reads(pieces=pieces)
    for node in walk(pieces):
        match node:
            case tree.NumberRef(name=name):
                _add_bound(name, model, reads)
            case tree.OptionRef(name=name):
                reads.options.add(name)
            case tree.BuiltinRef() | tree.Players():
                reads.players = True
            case tree.Rows(listing=kind) | tree.AllCards(sort=kind) | tree.ColumnRef(kind=kind):
                reads.kinds.add(kind)
            case tree.BuiltinCall(name=name) if BESIDE in FUNCTIONS[name].where.values():
                for grid in model.grids.values():
                    for flag in (grid.corners, grid.east_west):
                        _add_bound(flag, model, reads)
        if isinstance(node, tree.Query):
            reads.size = max(reads.size, prod(_domain_size(binder.domain, model) for binder in _binders(node)))
    for kind in reads.kinds:
        for bound in _bounds(kind, model):
            _add_bound(bound, model, reads)
    return reads


def _binders(query: tree.Query) -> Iterator[tree.Binder]:
    return (node for node in walk(query) if isinstance(node, tree.Binder))


def _domain_size(domain: tree.Domain, model: Model) -> int:
    match domain:
        case tree.Rows(listing=kind) if kind in model.grids:
            return model.grids[kind].width * model.grids[kind].height
        case tree.Rows(listing=kind):
            return max(1, len(model.lists[kind].rows))
        case tree.AllCards(sort=sort):
            return max(1, sum(row.copies for row in model.sorts[sort].rows))
        case tree.Players():
            return model.players[1]
        case tree.Range(low=tree.Const(value=low), high=tree.Const(value=high)):
            return max(1, high - low + 1)
        case _:
            return 100  # members of a set, and ranges whose ends are worked out


def _bounds(kind: str, model: Model) -> Iterator[Bound]:
    """What fixes at a table how many rows of a kind there are, and what is printed on them."""
    if kind in model.sorts:
        for ends in model.sorts[kind].ends.values():
            yield from ends
    elif kind in model.lists:
        yield model.lists[kind].count or 0
    elif kind in model.grids:
        chosen_by = model.grids[kind].chosen_by
        yield f"option.{chosen_by}" if chosen_by else 0


def _add_bound(bound: Bound, model: Model, reads: Reads) -> None:
    if not isinstance(bound, str):
        return
    if bound.startswith("option."):
        reads.options.add(bound.removeprefix("option."))
    elif bound in model.options:
        reads.options.add(bound)
    elif bound in model.numbers and len(set(model.numbers[bound].by_players.values())) > 1:
        reads.players = True
    elif bound in model.sorts and bound not in reads.kinds:
        for inner in _bounds(bound, model):
            _add_bound(inner, model, reads)


def _table_count(model: Model, reads: Reads) -> int:
    low, high = model.players
    values = (len(_option_values(model.options[name])) for name in reads.options)
    return prod(values) * (high - low + 1 if reads.players else 1)


def _option_values(option: Option) -> range:
    return range(option.low, option.high + 1)


def table_key(config: Config, reads: Reads) -> tuple[int, tuple[tuple[str, int], ...]]:
    """The table as far as what is read tells it apart."""
    return config.players if reads.players else 0, tuple(
        [(name, config.options[name]) for name in sorted(reads.options)]
    )


def table_text(config: Config, reads: Reads, model: Model) -> str:
    """`with 3 players, length 2`: a table as far as what is read tells it apart."""
    said = [f"{config.players} players"] if reads.players else []
    said += [f"`option.{name}` {_option_text(model.options[name], config.options)}" for name in sorted(reads.options)]
    return f"with {' and '.join(said)}" if said else ""


def _option_text(option: Option, chosen: Mapping[str, int]) -> str:
    value = chosen[option.name]
    if option.values:
        return option.values[value - option.low] if value - option.low < len(option.values) else str(value)
    return ("false", "true")[value] if option.type.tag == "bool" else str(value)
