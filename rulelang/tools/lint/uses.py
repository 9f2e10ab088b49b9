"""Collect the names that the rules of a ruleset call, read and write, and the parameters of declarations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from typing import assert_never

from rulelang.base.source import Span
from rulelang.language.semantics import tree
from rulelang.language.semantics.model import Attribute, Bound, CardType, Column, Grid, Listing, Made, Model, Type
from rulelang.language.semantics.tree import walk

# ---- uses of names


@dataclass(slots=True)
class Uses:
    """Names by what they are. State and columns are told apart by where they are declared.

    `kinds`: lists, kinds, sorts and grids that a type, a loop, a state or a zone mentions.
    """

    values: set[str] = field(default_factory=set)
    routines: set[str] = field(default_factory=set)
    numbers: set[str] = field(default_factory=set)
    options: set[str] = field(default_factory=set)
    read: set[Span] = field(default_factory=set)
    written: set[Span] = field(default_factory=set)
    columns: set[Span] = field(default_factory=set)
    zones: set[str] = field(default_factory=set)
    filled: set[str] = field(default_factory=set)
    kinds: set[str] = field(default_factory=set)
    cites: set[str] = field(default_factory=set)

    def add(self, other: Uses) -> None:
        """What is used in either."""
        for part in fields(self):
            getattr(self, part.name).update(getattr(other, part.name))


def uses_of(program: tree.Program, model: Model) -> Uses:
    """Everything that rules, and what is declared, say."""
    found = Uses()
    for declared in all_declarations(program):
        found.cites.update(declared.cites)
        targets: set[int] = set()  # `walk` comes past a statement before its target, which is not read by it
        for node in walk(declared):
            if isinstance(node, tree.Stmt):
                target = _written_target(node)
                if target is not None:
                    targets.add(id(target))
                    _note_written(target, found)
            if id(node) not in targets:
                _note_node(node, found)
    for shown in program.shown:
        for node in walk(shown.expr):
            _note_node(node, found)
    _note_declared(model, found)
    return found


def all_declarations(program: tree.Program) -> Iterator[tree.Declared]:
    """Everything that rules declare, hooks as often as they have events."""
    if program.game is not None:
        yield program.game
    for group in (program.routines, program.actions, program.values, program.invariants):
        yield from group.values()
    yield from (*program.hooks, *program.copies)


def _note_node(node: object, found: Uses) -> None:
    match node:
        case tree.ValueCall():
            found.values.add(node.value)
        case tree.Meets():
            found.values.add(node.counter)
        case tree.CallRoutine() | tree.Redirect():
            found.routines.add(node.routine)
        case tree.Can() | tree.Affects():
            found.routines.add(node.event)
        case tree.NumberRef():
            found.numbers.add(node.name)
        case tree.OptionRef():
            found.options.add(node.name)
        case tree.StateRef() | tree.AttributeRef():
            found.read.add(node.attribute.span)
        case tree.TableRef():
            found.read.add(node.table.span)
        case tree.Clear():
            found.written.add(node.table.span)
        case tree.ColumnRef():
            found.columns.add(node.column.span)
        case tree.ZoneRef():
            found.zones.add(node.zone.name)
        case tree.Rows():
            found.kinds.add(node.listing)
        case tree.AllCards() | tree.InZones() | tree.OnBearer():
            found.kinds.add(node.sort)
        case tree.Local():
            _note_type(node.type, found)
        case tree.Move() | tree.MoveAll() | tree.Draw():
            if isinstance(node.to, tree.ZoneRef):
                found.filled.add(node.to.zone.name)
    if isinstance(node, tree.Typed):
        _note_type(node.type, found)


def _written_target(s: tree.Stmt) -> tree.Expr | None:
    """What a statement writes to, as it stands there."""
    match s:
        case tree.Assign():
            return s.target
        case tree.Roll():
            return None if isinstance(s.target, tree.Local) else s.target
        case tree.Clear() | tree.Let() | tree.CallRoutine() | tree.Redirect() | tree.Silence() | tree.Restore():
            return None
        case tree.Move() | tree.MoveAll() | tree.Draw() | tree.Shuffle() | tree.Create() | tree.Remove():
            return None
        case tree.Choose() | tree.Offer() | tree.Tells() | tree.Require() | tree.Ensure() | tree.Compulsory():
            return None
        case tree.If() | tree.For() | tree.RepeatTimes() | tree.RepeatUntil() | tree.Turns() | tree.Rounds():
            return None
        case tree.Stop() | tree.Proceed() | tree.Nothing():
            return None
        case _:
            assert_never(s)


def _note_written(target: tree.Expr, found: Uses) -> None:
    if isinstance(target, tree.StateRef | tree.AttributeRef):
        found.written.add(target.attribute.span)
    elif isinstance(target, tree.TableRef):
        found.written.add(target.table.span)


def _note_type(of: Type, found: Uses) -> None:
    if of.name:
        found.kinds.add(of.name)


def _note_declared(model: Model, found: Uses) -> None:
    """What declarations name: bounds, who sees, what holds what, which value counts."""
    if model.first is not None and model.first in model.state:
        found.read.add(model.state[model.first].span)
    if model.teams is not None:
        found.options.add(model.teams.option)
    for attribute in all_attributes(model):
        _note_attribute(attribute, found)
    for kind in model.made.values():
        _note_bounds(found, kind.at_most)
        found.kinds.update(name for name in (kind.of, kind.place) if name)
    for listing in model.lists.values():
        _note_rows(listing, found)
    for sort in model.sorts.values():
        _note_rows(sort, found)
    for grid in model.grids.values():
        _note_bounds(
            found, *(f"option.{x}" for x in (grid.chosen_by, grid.corners, grid.east_west) if isinstance(x, str))
        )
        _note_columns(grid.columns.values(), found)
    for table in model.tables.values():
        _note_bounds(found, table.low, table.high)
        found.kinds.update(table.of)
    for zone in model.zones.values():
        _note_bounds(found, zone.seen_by)
        found.kinds.update(name for name in (zone.of, zone.holds) if name)
        found.zones.update(name for name in (zone.played_to, zone.refilled_from) if name)
        found.filled.update(name for name in (zone.played_to,) if name)


def all_attributes(model: Model) -> Iterator[Attribute]:
    """All state, of the game and of whatever has some."""
    yield from model.state.values()
    yield from model.player_attributes.values()
    holders: list[Made | CardType | Listing | Grid] = [*model.made.values(), *model.sorts.values()]
    for holder in (*holders, *model.lists.values(), *model.grids.values()):
        yield from holder.attributes.values()
    for trait in model.traits.values():
        yield from trait.state.values()


def _note_attribute(attribute: Attribute, found: Uses) -> None:
    _note_bounds(found, attribute.low, attribute.high, attribute.start, attribute.seen_by)
    _note_type(attribute.type, found)
    found.kinds.update(attribute.index)


def _note_rows(rows: Listing | CardType, found: Uses) -> None:
    if isinstance(rows, Listing):
        _note_bounds(found, rows.count)
    else:
        for low, high in rows.ends.values():
            _note_bounds(found, low, high)
    _note_columns(rows.columns.values(), found)


def _note_columns(columns: Iterable[Column], found: Uses) -> None:
    for column in columns:
        _note_type(column.type, found)
        if isinstance(column.by, str):
            found.kinds.add(column.by)
        if column.counted_by:
            found.values.add(column.counted_by)


def _note_bounds(found: Uses, *bounds: Bound | None) -> None:
    """Numbers and options that a declaration names."""
    for bound in bounds:
        if isinstance(bound, str):
            option = bound.removeprefix("option.")
            (found.options if option != bound else found.numbers).add(option)


# ---- parameters


def parameters_of(declared: tree.Declared) -> Sequence[tree.Local]:
    """Return the parameters of a routine or value, or the variables of an action."""
    if isinstance(declared, tree.Action):
        return [binder.local for binder in declared.binders]
    assert isinstance(declared, tree.Routine | tree.Value)
    return declared.params


def local_name(e: tree.Expr) -> str:
    """Return the name of a variable; "" for any other expression."""
    return e.local.name if isinstance(e, tree.LocalRef) else ""


def names_in_hook(hook: tree.Trigger, event: tree.Declared) -> Iterator[tuple[str, tree.Local]]:
    """Yield the name of each parameter of an event that the hook has a variable for, with that variable."""
    for param, slot in zip(parameters_of(event), hook.pattern.slots, strict=False):
        match slot:
            case tree.BindSlot(local=local) | tree.EqualSlot(expr=tree.LocalRef(local=local)):
                yield param.name, local
            case _:
                pass


def calls_clause(calls: Sequence[str]) -> str:
    """Return the end of a sentence about an event, for the calls by which it does something; "" for none."""
    return f", which calls `{'`, and that `'.join(calls)}`" if calls else ""
