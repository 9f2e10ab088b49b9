"""How the rules of a program hang together: which hooks join an event, and what an event may cause."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import fields, replace
from functools import cached_property, lru_cache
from typing import Any, TypeVar, cast

from rulelang.base.graphs import strongly_connected
from rulelang.base.memo import IdentityKey, NullCache
from rulelang.compiler.lower.coming import spare
from rulelang.language.semantics import tree
from rulelang.language.semantics.check.program import model_outline
from rulelang.language.semantics.model import Model
from rulelang.language.semantics.state_layout import Features
from rulelang.language.semantics.tree import walk

#: Expressions that hand on whose rules ask: to a value or routine of the same trait, or to the hooks on its action.
HANDING_ON = (tree.ValueCall, tree.Can, tree.Affects)
#: What rules hang on an event.
Hook = tree.Forbid | tree.Modify | tree.Trigger

T = TypeVar("T")
_BINDING = (tree.Let, tree.Create, tree.Binder)


class ProgramGraph:
    """The events of a program, the hooks that join them, and what each may cause, however far off.

    The same for every table; what takes time is worked out when first asked for."""

    def __init__(self, model: Model, program: tree.Program) -> None:
        self.model = model
        self.program = program
        # By identity; the node is kept with the answer, so that its number is not given to another.
        self._removed_by: dict[int, tuple[Any, set[str]]] = {}
        self._known: dict[Callable[[ProgramGraph], Any], Any] = {}
        self.hooks_on: dict[str, list[tree.Trigger]] = {}
        for trigger in program.triggers:
            self.hooks_on.setdefault(trigger.pattern.event, []).append(trigger)
        self.modifies_on: dict[str, list[tree.Modify]] = {}
        for modify in program.modifies:
            self.modifies_on.setdefault(modify.pattern.event, []).append(modify)
        self.forbids_on: dict[str, list[tree.Forbid]] = {}
        for forbid in program.forbids:
            self.forbids_on.setdefault(forbid.pattern.event, []).append(forbid)
        self.ignores_on: dict[str, list[tree.Ignore]] = {}
        for ignore in program.ignores:
            self.ignores_on.setdefault(ignore.pattern.event, []).append(ignore)

    def once(self, work_out: Callable[[ProgramGraph], T]) -> T:
        """What hangs on the program only: the same for every table, so worked out for the first that asks."""
        if work_out not in self._known:
            self._known[work_out] = work_out(self)
        return cast(T, self._known[work_out])

    @cached_property
    def features(self) -> Features:
        return replace(features_of(self.model, self.program), spare=spare(self))

    @cached_property
    def frees(self) -> bool:
        """Whether the places of what has gone are free again wherever the block `game:` calls something: no variable in
        it speaks of things."""
        return self.program.game is not None and not self.speaks_of_things(self.program.game.body)

    def speaks_of_things(self, block: tree.Block) -> bool:
        """Whether a block gives names to things."""
        bound = (n.local for n in walk(block) if isinstance(n, _BINDING))
        return any(local is not None and local.type.name in self.model.made for local in bound)

    @cached_property
    def pieces(self) -> dict[str, list[Any]]:
        """What happens in each event: its body and those of its hooks."""
        return {event: self._pieces(event) for event in (*self.program.routines, *self.program.actions)}

    @cached_property
    def causes(self) -> dict[str, list[str]]:
        """Which events an event may cause directly."""
        return {event: sorted(self.calls(piece) & self.pieces.keys()) for event, piece in self.pieces.items()}

    @cached_property
    def bits(self) -> dict[str, int]:
        return {event: bit for bit, event in enumerate(self.pieces)}

    @cached_property
    def groups(self) -> list[list[str]]:
        """Events that may cause each other, those that are caused before those that cause them."""
        return strongly_connected(self.causes)

    @cached_property
    def removes(self) -> dict[str, set[str]]:
        """Kinds of things that each event may remove, however far off."""
        return self._closure({event: self._removed(piece) for event, piece in self.pieces.items()})

    @cached_property
    def turning(self) -> set[str]:
        """Events in which players take turns, however far off."""
        own = {event: {event} if _turns(piece) else set() for event, piece in self.pieces.items()}
        return {event for event, found in self._closure(own).items() if found}

    @cached_property
    def ensuring(self) -> set[str]:
        """Events that may come to an `ensure`. What is offered meanwhile is not theirs: it is tried for itself."""
        callers: dict[str, set[str]] = {}
        for event, piece in self.pieces.items():
            for target in self.calls(piece) - self.program.actions.keys():
                callers.setdefault(target, set()).add(event)
        found = {event for event, piece in self.pieces.items() if any(isinstance(n, tree.Ensure) for n in walk(piece))}
        waiting = list(found)
        while waiting:
            more = callers.get(waiting.pop(), set()) - found
            found |= more
            waiting.extend(more)
        return found

    @cached_property
    def reach(self) -> dict[str, int]:
        return self._reach()

    def on(self, event: str) -> list[Hook]:
        """Bans, modifications and triggers of an event."""
        return [
            *self.forbids_on.get(event, ()), *self.modifies_on.get(event, ()), *self.hooks_on.get(event, ())
        ]  # fmt: skip

    def copies_on(self, kind: str) -> list[tree.CopyCards]:
        """The rules by which things of a kind work as if they also bore the cards on others."""
        borne = [rule for rule in self.program.copies if rule.origin.what == "trait" and not rule.always]
        return [rule for rule in borne if rule.bearer.self is not None and rule.bearer.self.type.name == kind]

    def body(self, event: str) -> tree.Routine | tree.Action | None:
        return self.program.routines.get(event) or self.program.actions.get(event)

    def _pieces(self, event: str) -> list[Any]:
        declared = self.body(event)
        pieces: list[Any] = [declared.body] if declared is not None else []
        pieces += [hook.body for hook in self.hooks_on.get(event, ())]
        return pieces

    def calls(self, node: Any) -> set[str]:
        """Events that a piece of tree may cause directly."""
        found: set[str] = set()
        for n in walk(node):
            if isinstance(n, tree.CallRoutine | tree.Redirect):
                found.add(n.routine)
            elif isinstance(n, tree.Offer):
                found |= {a.id for a in self.program.actions.values() if n.phase in a.during}
        return found

    def _removed(self, pieces: list[Any]) -> set[str]:
        return {n.kind for n in walk(pieces) if isinstance(n, tree.Remove)}

    def _closure(self, own: Mapping[str, set[str]]) -> dict[str, set[str]]:
        """For each event, the union of a property over itself and all events it may reach."""
        result: dict[str, set[str]] = {}
        for group in self.groups:
            spread = set().union(*(own[event] for event in group))
            spread.update(*(result[c] for event in group for c in self.causes[event] if c in result))
            result.update(dict.fromkeys(group, spread))
        return result

    def _reach(self) -> dict[str, int]:
        """For each event, all events it may cause, however far, as bits: there may be thousands."""
        result: dict[str, int] = {}
        for group in self.groups:
            spread = 0
            for event in group:
                for c in self.causes[event]:
                    spread |= 1 << self.bits[c] | result.get(c, 0)
            result.update(dict.fromkeys(group, spread))
        return result

    def caused_by(self, event: str) -> list[str]:
        """The event and all that it may cause, however far."""
        return [event, *(c for c, bit in self.bits.items() if self.reach.get(event, 0) >> bit & 1 and c != event)]

    def removed_by(self, node: Any) -> set[str]:
        """Kinds of things that running a piece of tree may remove."""
        if isinstance(node, list):
            return set().union(*map(self.removed_by, node)) if node else set()
        known = self._removed_by.get(id(node))
        if known is None:
            known = self._removed_by[id(node)] = (node, self._removed_anew(node))
        return known[1]

    def _removed_anew(self, node: Any) -> set[str]:
        found = {n.kind for n in walk(node) if isinstance(n, tree.Remove)}
        for event in self.calls(node):
            found |= self.removes.get(event, set())
        return found

    def may_cause(self, node: Any, event: str) -> bool:
        """Whether running a piece of tree may cause the event."""
        bit = self.bits.get(event)
        if bit is None:
            return False
        return any(event == c or self.reach.get(c, 0) >> bit & 1 for c in self.calls(node))


def _turns(pieces: list[Any]) -> bool:
    return any(isinstance(n, tree.Turns) for n in walk(pieces))


def graph_of(model: Model, program: tree.Program, memo: NullCache) -> ProgramGraph:
    """The graph; of models that differ in contents alone it is worked out once."""
    seen = memo.intern("outline", model_outline(model))
    shared = memo.get_or_compute(
        "graph", (IdentityKey(seen), IdentityKey(program)), lambda: ProgramGraph(seen, program)
    )
    shared.features  # noqa: B018  (whoever asks anything needs it)
    found = copy(shared)
    found.model = model
    return found


def features_of(model: Model, program: tree.Program) -> Features:
    parts = [getattr(program, f.name) for f in fields(program)]
    rooms = [list(part.values()) if isinstance(part, dict) else part for part in parts]
    pieces = [piece for room in rooms for piece in (room if isinstance(room, list | tuple) else [room])]
    used: frozenset[str] = frozenset().union(*(_uses(IdentityKey(piece)) for piece in pieces))
    # Scenarios may lay a pair too, where no rule does.
    pairs = any(trait.pair for trait in model.traits.values())
    on_things = any(zone.in_force and zone.of in model.made for zone in model.zones.values())
    return Features(
        nobody="nobody" in used,
        faces="faces" in used,
        partners="partners" in used or (pairs and on_things),
        silence="silence" in used,
        under="under" in used,
    )


@lru_cache(8192)
def _uses(piece: IdentityKey[Any]) -> frozenset[str]:
    """The features that a declaration makes use of. Kept, as modes of a ruleset share most declarations."""
    found: set[str] = set()
    for n in walk(piece.item):
        kind = type(n)
        if kind is tree.BuiltinRef:
            if n.name == "nobody":
                found.add("nobody")
        elif kind is tree.Silence:
            found.add("silence")
        elif kind is tree.Move or kind is tree.MoveAll:
            if n.bottom and _in_force(n.to):
                found.add("under")
            if kind is tree.Move:
                found.update(name for name, what in (("faces", n.face), ("partners", n.partner)) if what is not None)
    return frozenset(found)


def _in_force(zone: tree.AnyZone) -> bool:
    return isinstance(zone, tree.ZoneRef) and zone.zone.in_force
