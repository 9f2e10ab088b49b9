"""Which of a bearer's names (`this`, `self`, `partner`, `owner`) a piece of rules needs, also through what it asks."""

from __future__ import annotations

from typing import Any

from rulelang.meaning import tree
from rulelang.program.facts import locals_of, walk
from rulelang.program.lower import loose
from rulelang.program.lower.context import Lowering

ROLES = ("this", "self", "partner", "owner")


def value_roles(value_id: str, low: Lowering) -> tuple[str, ...]:
    """Those that a value of a trait or row needs; it takes them as leading parameters."""
    key = ("roles", value_id)
    known = low.memo.get(key)
    if isinstance(known, tuple):
        return known
    found: set[str] = set()
    seen, waiting = {value_id}, [value_id]
    while waiting:
        declared = low.program.values[waiting.pop()]
        own = _given(declared.bearer)
        if not own:
            continue  # of the core, where only values of the core are called
        used = locals_of(declared.body)
        called, asked = _called(declared.body, low)
        found |= {role for role, local in own if local.name in used} | (asked & dict(own).keys())
        waiting += sorted(called - seen)
        seen |= called
    result = tuple(role for role in ROLES if role in found)
    low.memo[key] = result
    return result


def routine_roles(routine_id: str, low: Lowering) -> tuple[str, ...]:
    """Those that a routine of a trait or row takes as leading parameters: all that it has."""
    return tuple(role for role, _ in _given(low.program.routines[routine_id].bearer))


def action_roles(action: tree.Action, low: Lowering) -> tuple[str, ...]:
    """Those that an action of a trait or row takes as leading parameters."""
    if action.always or action.origin.what == "core":
        return ()
    # Whose a card is that lies on nothing can change before its action is over: a played card leaves the hand.
    roles = (
        ("this", "self") if loose.on_things(action, low) and not loose.cards(action, low) else ("this", "self", "owner")
    )
    return tuple(r for r in roles if getattr(action.bearer, r) is not None)


def borne_by(event: str, low: Lowering) -> tree.Local | None:
    """Who bears an event, as patterns name it behind `of`: `self` of an action that has a bearer."""
    action = low.program.actions.get(event)
    return action.bearer.self if action is not None else None


def implied(node: Any, low: Lowering) -> set[str]:
    """Those that a piece of tree needs without naming them: for values and routines of its own trait or row."""
    called, found = _called(node, low)
    return found.union(*(value_roles(value, low) for value in called))


def _called(node: Any, low: Lowering) -> tuple[set[str], set[str]]:
    """The values that a piece of tree calls, and what the events need that it asks about."""
    values: set[str] = set()
    asked: set[str] = set()
    for n in walk(node):
        if isinstance(n, tree.ValueCall):
            values.add(n.value)
        elif isinstance(n, tree.Can) and n.event in low.program.routines:
            asked |= set(routine_roles(n.event, low))
        elif isinstance(n, tree.Can) and n.event in low.program.actions:
            asked |= set(action_roles(low.program.actions[n.event], low))
        elif isinstance(n, tree.Affects) and borne_by(n.event, low) is not None:
            asked.add("self")
    return values, asked


def _given(bearer: tree.Bearer) -> list[tuple[str, tree.Local]]:
    return [(role, local) for role in ROLES if (local := getattr(bearer, role)) is not None]
