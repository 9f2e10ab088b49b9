"""Analyse a program before lowering: hooks of events, slot lifetime, what leads to a phase, static layout."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from copy import copy
from dataclasses import fields, replace
from functools import cached_property, lru_cache
from typing import Any, TypeVar, assert_never, cast

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.graphs import reaching, strongly_connected
from rulelang.base.layout import Layout
from rulelang.base.memo import IdentityKey, NullCache
from rulelang.base.node import record
from rulelang.language.semantics import state_layout, tree
from rulelang.language.semantics.check.program import model_outline
from rulelang.language.semantics.model import Model
from rulelang.language.semantics.state_layout import Config, Features, Plan
from rulelang.language.semantics.tree import walk

# ---- slot lifetime

Kinds = frozenset[str]
NO_KINDS: Kinds = frozenset()


@record
class Lifetimes:
    comes: Kinds = NO_KINDS
    goes: Kinds = NO_KINDS
    through: bool = True
    meets: Kinds = NO_KINDS

    def then(self, other: Lifetimes) -> Lifetimes:
        """One after the other."""
        if other is NO_LIFETIMES or self is NO_LIFETIMES:  # as most pieces are
            return self if other is NO_LIFETIMES else other
        return Lifetimes(
            self.comes | (other.comes if self.through else NO_KINDS),
            other.goes | (self.goes if other.through else NO_KINDS),
            self.through and other.through,
            self.meets | other.meets | (self.goes & other.comes),
        )

    def either(self, other: Lifetimes) -> Lifetimes:
        if other is self:
            return self
        return Lifetimes(
            self.comes | other.comes,
            self.goes | other.goes,
            self.through or other.through,
            self.meets | other.meets,
        )

    def again(self) -> Lifetimes:
        """As often as one likes, or not at all."""
        return NO_LIFETIMES.either(self).either(self.then(self))


NO_LIFETIMES = Lifetimes()
FREED = Lifetimes(through=False)
#: Nothing of this goes on: what a fixed point begins with.
NEVER = Lifetimes(through=False)


@record
class RulePlace:
    """Where a piece of the rules stands.

    `outermost`: no turns are around; those in it are such at whose beginning places become free. `plain`: no variable
    around it speaks of things. `game`: it is the block of the game, whose calls free places too, if it is plain.
    `turn`: the player of an outermost turn, between whose own actions places become free.
    """

    outermost: bool
    plain: bool = False
    game: bool = False
    turn: tree.Local | None = None
    proceed: Lifetimes = NO_LIFETIMES


def kinds_needing_spare_slots(graph: ProgramGraph) -> Kinds:
    """The kinds that need room for what has gone beside what lives."""
    program = graph.program
    if program.game is None or not any(graph.removes.values()):
        return NO_KINDS
    return _LifetimeAnalysis(graph).of(program.game.body, RulePlace(True, graph.frees, graph.frees)).meets


class _LifetimeAnalysis:
    def __init__(self, graph: ProgramGraph) -> None:
        self.graph = graph
        self.known: dict[tuple[str, bool], Lifetimes] = {}
        for group in graph.groups:
            for outermost in (False, True):
                if outermost and not graph.turning.intersection(group):  # nothing else asks what is around it
                    self.known.update({(event, True): self.known[event, False] for event in group})
                    break
                self.known.update(dict.fromkeys(((event, outermost) for event in group), NEVER))
                growing = True
                while growing:
                    growing = len(group) > 1 or group[0] in graph.causes[group[0]]  # else none asks for itself
                    found = {(event, outermost): self.event(event, outermost) for event in group}
                    growing = growing and any(self.known[key] != found[key] for key in found)
                    self.known.update(found)

    def event(self, event: str, outermost: bool) -> Lifetimes:
        hooks = self.graph.hooks_on.get(event, [])
        before, react, after = (
            self.hooks((h for h in hooks if h.kind == kind), outermost) for kind in ("before", "react to", "after")
        )
        result = before.then(react).again().then(self.body(event, outermost)).then(after)
        for hook in reversed(tree.outermost_first(hooks)):
            result = result.either(self.of(hook.body, RulePlace(outermost, proceed=result)))
        return result

    def body(self, event: str, outermost: bool) -> Lifetimes:
        routine = self.graph.program.routines.get(event)
        if routine is None:
            return self.of(self.graph.program.actions[event].body, RulePlace(outermost))
        params = any(p.type.name in self.graph.model.made for p in routine.params)
        plain = routine.origin.what == "core" and not params and not self.graph.speaks_of_things(routine.body)
        return self.of(routine.body, RulePlace(outermost, plain))

    def hooks(self, hooks: Iterable[tree.Trigger], outermost: bool) -> Lifetimes:
        """In any order, some of them."""
        found = NO_LIFETIMES
        for hook in hooks:
            found = found.either(self.of(hook.body, RulePlace(outermost)))
        return found.again()

    def of(self, block: tree.Block, at: RulePlace) -> Lifetimes:
        found = NO_LIFETIMES
        for s in block:
            found = found.then(self.statement(s, at))
        return found

    def statement(self, s: tree.Stmt, at: RulePlace) -> Lifetimes:
        match s:
            case tree.Create():
                return Lifetimes(comes=frozenset((s.kind,)))
            case tree.Remove():
                return Lifetimes(goes=frozenset((s.kind,)))
            case tree.CallRoutine() | tree.Redirect():
                called = self.known.get((s.routine, at.outermost), NO_LIFETIMES)
                return FREED.then(called) if at.game else called
            case tree.Proceed():
                return at.proceed
            case tree.Offer():
                own = isinstance(s.to, tree.LocalRef) and s.to.local == at.turn
                return self.offer(s.phase, FREED if own else NO_LIFETIMES)
            case tree.If(then=first) | tree.Choose(body=first):
                return self.of(first, at).either(self.of(s.otherwise, at))
            case tree.For() | tree.RepeatTimes() | tree.RepeatUntil() | tree.Rounds():
                return self.of(s.body, at).again()
            case tree.Turns() if at.outermost:
                turn = FREED.then(
                    self.of(s.body, RulePlace(False, turn=s.local if at.plain else None, proceed=at.proceed))
                )
                turns = turn.then(turn.again())
                return turns.either(NO_LIFETIMES) if s.start.type.maybe else turns
            case tree.Turns():
                return self.of(s.body, RulePlace(False, proceed=at.proceed)).again()
            case tree.Let() | tree.Assign() | tree.Clear() | tree.Roll() | tree.Silence() | tree.Restore():
                return NO_LIFETIMES
            case tree.Move() | tree.MoveAll() | tree.Draw() | tree.Shuffle():
                return NO_LIFETIMES
            case tree.Tells() | tree.Require() | tree.Ensure() | tree.Compulsory() | tree.Stop() | tree.Nothing():
                return NO_LIFETIMES
            case _:
                assert_never(s)

    def offer(self, phase: str, between: Lifetimes) -> Lifetimes:
        """What is offered is done once or more, in any order."""
        found = NO_LIFETIMES
        for action in self.graph.program.actions.values():
            if phase in action.during:
                found = found.either(self.known[action.id, False].then(between))
        return found.again()


__all__ = ["kinds_needing_spare_slots"]


# ---- program graph

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
        return replace(features_of(self.model, self.program), spare=kinds_needing_spare_slots(self))

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
        own = {event: {event} if _holds_turns(piece) else set() for event, piece in self.pieces.items()}
        return {event for event, found in self._closure(own).items() if found}

    @cached_property
    def ensuring(self) -> set[str]:
        """Events that may come to an `ensure`. What is offered meanwhile is not theirs: it is tried for itself."""
        called = {event: self.calls(piece) - self.program.actions.keys() for event, piece in self.pieces.items()}
        own = {event for event, piece in self.pieces.items() if any(isinstance(n, tree.Ensure) for n in walk(piece))}
        return reaching(own, called)

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


def _holds_turns(pieces: list[Any]) -> bool:
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
    used: frozenset[str] = frozenset().union(*(_features_used(IdentityKey(piece)) for piece in pieces))
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
def _features_used(piece: IdentityKey[Any]) -> frozenset[str]:
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
            if n.bottom and _is_active_zone(n.to):
                found.add("under")
            if kind is tree.Move:
                found.update(name for name, what in (("faces", n.face), ("partners", n.partner)) if what is not None)
    return frozenset(found)


def _is_active_zone(zone: tree.AnyZone) -> bool:
    return isinstance(zone, tree.ZoneRef) and zone.zone.in_force


# ---- what leads to a phase

Targets = frozenset[int]
NO_TARGETS: Targets = frozenset()


@lru_cache(4096)
def _calls_that_lead(node: IdentityKey[Any]) -> list[tree.CallRoutine | tree.Turns | tree.Proceed]:
    """What leads anywhere in a piece of tree. Kept, as it is asked for until nothing grows, and for each mode anew."""
    return [n for n in walk(node.item) if isinstance(n, tree.CallRoutine | tree.Turns | tree.Proceed)]


class Leads:
    """Which phases (by number) and turn loops (`turn`) each piece of the rules leads to, without anybody's choice.

    A turn loop belongs to the phase that runs it, itself or through routines, and not to the phases around that.
    """

    def __init__(self, graph: ProgramGraph) -> None:
        self.graph = graph
        self.program = graph.program
        phases = [routine for routine in self.program.routines.values() if routine.phase]
        self.turn = 1 + max((phase.number for phase in phases), default=0)
        self.inside: dict[str, Targets] = dict.fromkeys(self.program.routines, NO_TARGETS)
        growing = True
        while growing:
            found = {event: self._inside(event) for event in self.inside}
            growing = found != self.inside
            self.inside = found
        self.from_start = self.of(self.program.game.body) if self.program.game is not None else NO_TARGETS
        self.walked = self._walked()
        self.in_turns = self._in_turns()

    def of(self, node: Any, proceed: Targets = NO_TARGETS) -> Targets:
        """Where a piece of tree leads. `proceed`: where the statement of that name does."""
        found = NO_TARGETS
        for n in _calls_that_lead(IdentityKey(node)):
            if isinstance(n, tree.CallRoutine):
                found |= self.called(n.routine)
            elif isinstance(n, tree.Turns):
                found |= {self.turn}
            elif isinstance(n, tree.Proceed):
                found |= proceed
        return found

    def called(self, event: str) -> Targets:
        """Where a call of a routine or phase leads."""
        routine = self.program.routines[event]
        inside = self.inside.get(event, NO_TARGETS)
        return inside - {self.turn} | {routine.number} if routine.phase else inside

    def hook(self, hook: tree.Trigger) -> Targets:
        """Where a hook leads. The turn loops of a phase are not those of the hooks before and after it."""
        if hook.kind == "react to":
            return NO_TARGETS
        found = self.of(hook.body)
        routine = self.program.routines.get(hook.pattern.event)
        phase = routine is not None and routine.phase
        return found - {self.turn} if phase and hook.kind != "instead of" else found

    def loops(self, phase: str) -> bool:
        """Whether a phase has a turn loop of its own."""
        return self.turn in self.inside[phase]

    def reached(self, phase: str) -> bool:
        """Whether anything but what players choose leads to a phase."""
        return self.program.routines[phase].number in self.from_start

    def called_at_all(self, phase: str) -> bool:
        """Whether any rule runs a phase."""
        whole = [self.program.game, *self.program.routines.values(), *self.program.actions.values()]
        return any(isinstance(n, tree.CallRoutine | tree.Redirect) and n.routine == phase
                   for n in walk([*whole, *self.program.triggers]))  # fmt: skip

    def _inside(self, event: str) -> Targets:
        hooks = [hook for hook in self.graph.hooks_on.get(event, ()) if hook.kind != "react to"]
        return self.of(self.program.routines[event].body).union(*(self.hook(hook) for hook in hooks))

    def _walked(self) -> set[str]:
        """The routines and phases on the way to any of them: only these have to know what is sought."""
        waiting: list[Any] = [self.program.game.body] if self.program.game is not None else []
        found: set[str] = set()
        while waiting:
            for n in walk(waiting.pop()):
                if isinstance(n, tree.CallRoutine) and n.routine not in found:
                    found.add(n.routine)
                    waiting.append(self.program.routines[n.routine].body)
                    waiting += [h.body for h in self.graph.hooks_on.get(n.routine, ()) if h.kind != "react to"]
        return {event for event in found if self.inside[event]}

    def _in_turns(self) -> Targets:
        """The phases that are entered in turns of players."""
        whole = [self.program.game, *self.program.routines.values(), *self.program.triggers]
        return NO_TARGETS.union(*(self.of(n.body) for n in walk(whole) if isinstance(n, tree.Turns)))


# ---- static layout


@record
class StaticLayout:
    """`initial` are the words of a fresh table, without those that only code needs. `effects`: what hooks are called
    where somebody chooses among them, by id and by name."""

    layout: Layout
    initial: list[int]
    effects: frozenset[str]


def static_layout(graph: ProgramGraph, config: Config) -> tuple[StaticLayout | None, Diagnostics]:
    """The blueprint of one table, or N332 if it is too large. Call it only for a program without mistakes."""
    program = graph.program
    plan = layout_plan(graph.model, program, config, graph.features)
    found = state_too_large(plan)
    if found.failed:
        return None, found
    effects: set[str] = set()
    for hook in program.triggers:
        event = hook.pattern.event
        name = source_of(hook.origin, graph.model, plan) or event
        effects |= {name, f"{name}.{event}"}
    return StaticLayout(*plan.finish(), frozenset(effects)), found


def layout_plan(model: Model, program: tree.Program, config: Config, features: Features) -> Plan:
    """What lies where, before code claims any words."""
    numbered = sorted((r.number, r.name) for r in program.routines.values() if r.phase)
    return Plan(model, config, features, [name for _, name in numbered])


def state_too_large(plan: Plan) -> Diagnostics:
    """N332 for a table whose state is larger than may be."""
    found = Diagnostics()
    table = plan.too_large
    if table is not None:
        text = f"the state of a game for {plan.players} players would have {plan.size:,} integers"
        because = f"at most {state_layout.LARGEST:,} are possible, and most of these belong to `{table.name}`"
        found.error(
            "N332", table.span, text, because=because, hint="use fewer kinds in the table, or lower their numbers"
        )
    return found


def source_of(origin: tree.Origin, model: Model, plan: Plan) -> str:
    """How logs, reasons and options name whose rule it is: the trait, or the row; "" for core rules."""
    if origin.what == "core":
        return ""
    if origin.what == "trait":
        return origin.name
    if origin.what == "card":
        card = next(iter(plan.card_rows[origin.name, origin.row]), None)
        if card is not None:
            return plan.cards[card].label
    rows = model.sorts[origin.name].rows if origin.what == "card" else model.lists[origin.name].rows
    return rows[origin.row - 1].name or f"{origin.name} {origin.row}"
