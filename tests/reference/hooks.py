"""Who bears a rule now, and what rules do to values and events (hooks.md): modify, forbid, ignore, copy, patterns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rulelang.semantics import tree
from tests.reference.expressions import Expressions
from tests.reference.scope import Missing, Scope, present
from tests.reference.world import Card, Thing, World

ROLES = ("this", "self", "partner", "owner")
GROUPS = (("=",), ("+", "-"), ("*", "/", "%"), ("or",), ("and",), ("at least",), ("at most",))


@dataclass(slots=True)
class Due:
    """A hook with whom it works for: its card, its bearer, the player whose that is; `scope` binds all names."""

    hook: tree.Hook
    this: Card | None
    self: Any
    owner: int | None
    scope: Scope
    args: tuple[Any, ...] = ()

    @property
    def key(self) -> Any:
        return id(self.hook), self.this, self.self


class Hooks(Expressions):
    """What traits, cards and rows add to the rules."""

    def __init__(self, world: World, program: tree.Program) -> None:
        self.world, self.program = world, program
        self.showing: dict[int, list[Card]] = {}
        self.by_event: dict[Any, list[Any]] = {}

    def on(self, hooks: Sequence[Any], event: str) -> list[Any]:
        """Those of an event."""
        key = id(hooks), event
        if key not in self.by_event:
            self.by_event[key] = [hook for hook in hooks if hook.pattern.event == event]
        return self.by_event[key]

    # ---- whose rules work, and for whom

    def works(self, card: Card) -> bool:
        return card.pile.zone.in_force and not card.silences

    def mutual(self, card: Card) -> bool:
        return card.face is not None and self.trait(card.face).pair == "mutual"

    def trait(self, number: int) -> Any:
        return list(self.world.model.traits.values())[number - 1]

    def working_on(self, thing: Thing) -> list[Card]:
        """The cards that work for a thing: those that lie on it, and pairs that work for both ends."""
        return [c for c in self.world.laid_on(thing) if not c.silences and (c.pile.owner is thing or self.mutual(c))]

    def borne(self, thing: Thing) -> list[Card]:
        """With those that it copies; what the copied ones copy does not count."""
        found = self.working_on(thing)
        for rule in self.program.copies:
            number = self.world.model.traits[rule.origin.name].number
            for card in [c for c in self.working_on(thing) if c.face == number and c.pile.owner is thing]:
                if rule.bearer.self is None or rule.bearer.self.type.name != thing.kind:
                    continue
                scope = self.roles_bound(rule, Scope(), card, thing, thing.owner)
                try:
                    other = self.through(rule.on, scope)
                except Missing:
                    continue
                if other is not thing and (rule.guard is None or self.cond(rule.guard, scope)):
                    found = [*found, *self.working_on(other)]
        return found

    def bears(self, subject: Any, trait: int) -> bool:
        return isinstance(subject, Thing) and any(card.face == trait for card in self.borne(subject))

    def roles_bound(self, rule: Any, scope: Scope, this: Any, self_: Any, owner: Any) -> Scope:
        """The implicit variables of the rules of a trait, card or row."""
        partner = None
        if this is not None and this.partner is not None:
            partner = this.pile.owner if this.partner is self_ and self.mutual(this) else this.partner
        return self.given(rule.bearer, scope, {"this": this, "self": self_, "partner": partner, "owner": owner})

    @staticmethod
    def given(bearer: tree.Bearer, scope: Scope, roles: dict[str, Any]) -> Scope:
        scope.roles = dict(roles)
        for role in ROLES:
            local = getattr(bearer, role)
            if local is not None:
                scope.names[local.name] = roles.get(role)
        return scope

    def bearers(self, rule: Any, only: Any = None) -> Iterator[tuple[Card | None, Any, int | None]]:
        """(card, bearer, whose that is) of a rule, wherever it works, in natural order; of a thing `only` if given."""
        w, origin = self.world, rule.origin
        if rule.always or origin.what == "core":
            yield None, None, None
        elif origin.what == "row":
            yield None, origin.row, None
        elif origin.what == "card":
            for card in w.by_row[origin.name, origin.row]:
                if self.works(card):
                    yield card, card, w.owner_of(card)
        else:
            kind = rule.bearer.self.type.name if rule.bearer.self is not None else ""
            number = w.model.traits[origin.name].number
            showing = [card for card in self.cards_of(number) if card.face == number and self.works(card)]
            if kind in w.model.made:
                for thing in self.things_with(kind, showing, only):
                    yield from ((card, thing, thing.owner) for card in self.borne(thing) if card.face == number)
            for card in showing:
                if w.lies_on(card) is None:
                    yield card, (None if kind in w.model.made else card), w.owner_of(card)

    def cards_of(self, trait: int) -> list[Card]:
        """The cards that may show a trait."""
        if trait not in self.showing:
            self.showing[trait] = [card for card in self.world.cards if trait in card.info.faces]
        return self.showing[trait]

    def things_with(self, kind: str, showing: Sequence[Card], only: Any) -> list[Thing]:
        """The things of a kind that may bear one of these cards, in natural order; `only` that one, if it is one."""
        if isinstance(only, Thing):
            return [only] if only.kind == kind and only.alive else []
        if self.program.copies:
            return list(self.world.all_things(kind))
        found = {
            end
            for card in showing
            for end in (card.pile.owner, card.partner)
            if isinstance(end, Thing) and end.kind == kind
        }
        return [thing for thing in self.world.all_things(kind) if thing in found] if len(found) > 1 else list(found)

    def matches(self, hook: Any, args: Sequence[Any], extra: dict[str, Any] | None = None) -> Iterator[Due]:
        """Everybody for whom a hook fits an event with these arguments (and its bearer behind them)."""
        slots = (*hook.pattern.slots, hook.pattern.bearer)
        only = next((arg for slot, arg in zip(slots, args, strict=False) if self.is_self(hook, slot)), None)
        for this, self_, owner in list(self.bearers(hook, only)):
            scope = self.roles_bound(hook, Scope(names=dict(extra or {})), this, self_, owner)
            fits = True
            for slot, arg in zip(slots, args, strict=False):
                if isinstance(slot, tree.BindSlot):
                    scope.names[slot.local.name] = arg
                elif isinstance(slot, tree.EqualSlot):
                    # An argument that has gone is still the one that the pattern names.
                    wanted = self.value(slot.expr, scope)
                    fits = fits and wanted is not None and wanted == arg
            if fits and not self.ignored(hook, this, args):
                yield Due(hook, this, self_, owner, scope, tuple(args))

    @staticmethod
    def is_self(hook: Any, slot: tree.PatternSlot) -> bool:
        bearer = hook.bearer.self
        named = isinstance(slot, tree.EqualSlot) and isinstance(slot.expr, tree.LocalRef)
        return named and bearer is not None and slot.expr.local.name == bearer.name  # type: ignore[union-attr]

    def ignored(self, hook: Any, this: Card | None, args: Sequence[Any]) -> bool:
        """Whether for this event the rule does not exist."""
        if isinstance(hook, tree.Ignore) or hook.origin.what != "trait":
            return False
        for ignore in self.on(self.program.ignores, hook.pattern.event):
            if ignore.trait is not None and ignore.trait != hook.origin.name:
                continue
            if ignore.card is not None and hook.always:
                continue
            extra = {ignore.card.name: this} if ignore.card is not None else {}
            if any(self.guarded(due) for due in self.matches(ignore, args, extra)):
                return True
        return False

    def guarded(self, due: Due) -> bool:
        return due.hook.guard is None or self.cond(due.hook.guard, due.scope)

    def affected(self, trait: int, event: str, args: Sequence[Any]) -> bool:
        p = self.program
        for hook in (*self.on(p.forbids, event), *self.on(p.modifies, event), *self.on(p.triggers, event)):
            mine = hook.origin.what == "trait" and self.world.model.traits[hook.origin.name].number == trait
            if mine and any(self.guarded(due) for due in self.matches(hook, args)):
                return True
        return False

    # ---- values

    def call_value(self, value_id: str, args: Sequence[Any], roles: dict[str, Any]) -> Any:
        """A value, with every `modify` in the order of its operation."""
        declared = self.program.values[value_id]
        scope = self.given(declared.bearer, Scope(), roles if declared.origin.what != "core" else {})
        scope.names.update({p.name: arg for p, arg in zip(declared.params, args, strict=True)})
        if declared.type.tag == "bool":
            value: Any = self.cond(declared.body, scope)
        else:
            try:
                value = self.value(declared.body, scope)
            except Missing:
                if not declared.type.maybe:
                    raise
                value = None
        modifies = self.on(self.program.modifies, value_id)
        for group in GROUPS:
            for modify in sorted((m for m in modifies if m.op in group), key=lambda m: m.origin.layer):
                for due in self.matches(modify, args):
                    if self.guarded(due):
                        value = self.modified(modify, value, due.scope)
        return value

    def modified(self, m: tree.Modify, value: Any, scope: Scope) -> Any:
        if m.value.type.tag == "bool":
            holds = self.cond(m.value, scope)
            return holds if m.op == "=" else (value or holds) if m.op == "or" else (value and holds)
        try:
            amount = self.value(m.value, scope)
        except Missing:
            return value
        declared = self.program.values.get(m.pattern.event)
        may_be_none = m.op == "=" and declared is not None and declared.type.maybe
        if not present(amount) and not may_be_none:
            return value
        match m.op:
            case "=":
                return amount
            case "at least":
                return max(value, amount)
            case "at most":
                return min(value, amount)
        return self.arithmetic(m.op, value, amount)

    # ---- what can happen

    def seen(self, event: str, args: Sequence[Any], roles: dict[str, Any]) -> tuple[Any, ...]:
        """What patterns see of an event: its arguments, and who bears it."""
        action = self.program.actions.get(event)
        borne = action is not None and action.bearer.self is not None
        return (*args, roles.get("self")) if borne else tuple(args)

    def forbidden(self, event: str, seen: Sequence[Any]) -> bool:
        forbids = self.on(self.program.forbids, event)
        return any(self.guarded(due) for forbid in forbids for due in self.matches(forbid, seen))

    def can(self, event: str, args: Sequence[Any], roles: dict[str, Any]) -> bool:
        """Whether a routine or phase can happen with arguments that are there."""
        routine = self.program.routines[event]
        scope = self.routine_scope(routine, args, roles)
        return all(self.cond(r.condition, scope) for r in routine.requires) and not self.forbidden(event, tuple(args))

    def routine_scope(self, routine: tree.Routine, args: Sequence[Any], roles: dict[str, Any]) -> Scope:
        scope = self.given(routine.bearer, Scope(), roles if routine.origin.what != "core" else {})
        scope.names.update({p.name: arg for p, arg in zip(routine.params, args, strict=True)})
        return scope

    # ---- the order of hooks

    def in_order(self, due: Sequence[Due]) -> list[Due]:
        """meaning.md, "Order of hooks"."""
        return sorted(due, key=self.place_of)

    def place_of(self, due: Due) -> Any:
        w, hook = self.world, due.hook
        origin = hook.origin
        source = (0, 0, origin.name, 0) if origin.what == "trait" else (
            1 + origin.layer, ("row", "card", "core").index(origin.what), origin.name, origin.row
        )  # fmt: skip
        order = hook.order
        if hook.always:
            return 0, 0, (), source, 0, order
        borne = origin.what in ("trait", "card")
        if due.owner is not None and borne:
            owners = w.owners()
            seat = owners.index(due.owner)
        else:
            seat = w.players + 1
        if isinstance(due.self, Thing):
            line = w.line(due.self.kind, due.self.owner)
            where = (1, list(w.model.made).index(due.self.kind), line.index(due.self) if due.self in line else 0)
            return 1, seat, where, source, due.this.laid if due.this else 0, order
        return 1, seat, (0, 0, 0), source, due.this.handle if due.this else 0, order
