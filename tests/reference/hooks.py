"""Who bears a rule now, and what rules do to values and events (hooks.md): modify, forbid, ignore, copy, patterns."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rulelang.language.semantics import tree
from tests.reference.expressions import Expressions
from tests.reference.world import Card, Missing, Scope, Thing, present

Roles = dict[str, Any]  # this, self, partner, owner
#: What a `modify` makes of a value, in the order in which they come; those of one rank come by layers.
MODIFY: dict[str, tuple[int, Callable[[Any, Any], Any] | None]] = {
    "=": (0, lambda value, amount: amount), "+": (1, None), "-": (1, None), "*": (2, None), "/": (2, None),
    "%": (2, None), "or": (3, lambda value, amount: value or amount),
    "and": (4, lambda value, amount: value and amount), "at least": (5, max), "at most": (6, min),
}  # fmt: skip


class Hooks(Expressions):
    """What traits, cards and rows add to the rules."""

    def ready(self, program: tree.Program) -> None:
        self.program = program
        self.events = {**program.routines, **program.actions}
        self.traits = list(self.model.traits.values())
        self.showing = {t.name: [card for card in self.cards if t.number in card.info.faces] for t in self.traits}
        self.hooks: dict[Any, list[Any]] = defaultdict(list)  # by what they do, and to what
        modifies = sorted(program.modifies, key=lambda m: (MODIFY[m.op][0], m.origin.layer))
        for hook in (*modifies, *program.forbids, *program.ignores, *program.triggers):
            self.hooks[getattr(hook, "kind", type(hook)), hook.pattern.event].append(hook)

    # ---- whose rules work, and for whom

    def works(self, card: Card) -> bool:
        return card.pile.zone.in_force and not card.silences

    def mutual(self, card: Card) -> bool:
        return card.face is not None and self.traits[card.face - 1].pair == "mutual"

    def working_on(self, thing: Thing) -> list[Card]:
        """The cards that work for a thing: those that lie on it, and pairs that work for both ends."""
        return [c for c in self.laid_on(thing) if not c.silences and (c.pile.owner is thing or self.mutual(c))]

    def borne(self, thing: Thing) -> list[Card]:
        """With those that it copies; what the copied ones copy does not count."""
        if thing not in self.bearing:
            self.bearing[thing] = self.working_on(thing)
        found = self.bearing[thing]
        for rule in self.program.copies:
            number = self.model.traits[rule.origin.name].number
            fits = rule.bearer.self is not None and rule.bearer.self.type.name == thing.kind
            for card in self.bearing[thing] if fits else ():
                if card.face != number or card.pile.owner is not thing:
                    continue
                scope = self.scope_of(rule, roles=self.roles(card, thing, thing.owner))
                other = self.maybe(rule.on, scope)
                if present(other) and other is not thing and self.guarded(rule, scope):
                    found = [*found, *self.working_on(other)]
        return found

    def bears(self, subject: Any, trait: int) -> bool:
        return isinstance(subject, Thing) and any(card.face == trait for card in self.borne(subject))

    def roles(self, this: Card | None = None, self_: Any = None, owner: int | None = None) -> Roles:
        partner: Any = None
        if this is not None and this.partner is not None:
            partner = this.pile.owner if this.partner is self_ and self.mutual(this) else this.partner
        return {"this": this, "self": self_, "partner": partner, "owner": owner}

    def scope_of(self, rule: Any, args: Sequence[Any] = (), roles: Roles | None = None) -> Scope:
        """What names mean in a value, event or hook: its arguments, and the implicit variables of whose rule it is."""
        roles = dict(roles or {}) if rule.origin.what != "core" or isinstance(rule, tree.Hook | tree.Action) else {}
        of = {role: getattr(rule.bearer, role) for role in ("this", "self", "partner", "owner")}
        names = {local.name: roles.get(role) for role, local in of.items() if local is not None}
        takes = [b.local for b in rule.binders] if isinstance(rule, tree.Action) else getattr(rule, "params", ())
        names.update({local.name: arg for local, arg in zip(takes, args, strict=False)})
        return Scope(names, roles, kinds=frozenset(p.type.name for p in getattr(rule, "params", ())))

    def bearers(self, rule: Any, me: int | None = None) -> Iterator[Roles]:
        """Whoever a rule works for, wherever it does, in natural order; `me`: for whom an action is offered to him."""
        origin, bearer = rule.origin, rule.bearer.self
        if rule.always or origin.what == "core":
            yield self.roles() if me is None else {}
            return
        if origin.what == "row":
            yield self.roles(self_=origin.row)
            return
        cards, of_things = self.by_row.get((origin.name, origin.row), []), False
        if origin.what == "trait":
            number = self.model.traits[origin.name].number
            cards = [card for card in self.showing[origin.name] if card.face == number]
            of_things = bearer is not None and bearer.type.name in self.model.made
            owners = self.owners() if me is None else [me]
            for thing in [t for owner in owners for t in self.line(bearer.type.name, owner)] if of_things else ():
                yield from (self.roles(c, thing, thing.owner) for c in self.borne(thing) if c.face == number)
        own = origin.what == "trait" and me is not None and (self.model.traits[origin.name].state or rule.once_per)
        seen: set[Any] = set()
        for card in cards:
            loose, like = self.lies_on(card) is None, card if own or me is None else self.look(card)
            works = self.works(card) if me is None else loose and self.at_hand(card, me)
            if works and (loose or origin.what == "card") and like not in seen:
                seen.add(like)
                yield self.roles(card, None if of_things else card, self.owner_of(card))

    def at_hand(self, card: Card, me: int) -> bool:
        """Of a card in a playable zone to whoever holds it, of an ownerless one in force to everyone."""
        zone, owner = card.pile.zone, self.owner_of(card)
        lies = zone.playable or (zone.in_force and zone.of not in ("player", *self.model.made))
        return lies and not card.silences and owner in (None, me)

    def matches(self, hook: Any, args: Sequence[Any], extra: Roles | None = None) -> Iterator[Scope]:
        """Everybody for whom a hook fits an event with these arguments (and its bearer behind them)."""
        slots = (*hook.pattern.slots, hook.pattern.bearer)
        for roles in list(self.bearers(hook)):
            scope = self.scope_of(hook, roles=roles)
            scope.hook = hook
            scope.names.update(extra or {})
            fits = True
            for slot, arg in zip(slots, args, strict=False):
                if isinstance(slot, tree.BindSlot):
                    scope.names[slot.local.name] = arg
                elif isinstance(slot, tree.EqualSlot):  # an argument that has gone is still the one that it names
                    fits = fits and arg is not None and self.value(slot.expr, scope) == arg
            if fits and not self.ignored(hook, roles["this"], args):
                yield scope

    def in_force(self, kind: Any, event: str, args: Sequence[Any]) -> Iterator[Scope]:
        """The hooks of a kind on an event whose guard holds."""
        for hook in self.hooks[kind, event]:
            yield from (due for due in self.matches(hook, args) if self.guarded(hook, due))

    def guarded(self, rule: Any, scope: Scope) -> bool:
        return rule.guard is None or self.cond(rule.guard, scope)

    def ignored(self, hook: Any, this: Card | None, args: Sequence[Any]) -> bool:
        """Whether for this event the rule does not exist."""
        if isinstance(hook, tree.Ignore) or hook.origin.what != "trait":
            return False
        for ignore in self.hooks[tree.Ignore, hook.pattern.event]:
            if ignore.trait in (None, hook.origin.name) and not (ignore.card is not None and hook.always):
                extra = {ignore.card.name: this} if ignore.card is not None else {}
                if any(self.guarded(ignore, due) for due in self.matches(ignore, args, extra)):
                    return True
        return False

    def affected(self, trait: int, event: str, args: Sequence[Any]) -> bool:
        name = self.traits[trait - 1].name
        hooks = [hook for hook in self.program.hooks if hook.pattern.event == event and hook.origin.what == "trait"]
        mine = [hook for hook in hooks if hook.origin.name == name and not isinstance(hook, tree.Ignore)]
        return any(self.guarded(hook, due) for hook in mine for due in self.matches(hook, args))

    # ---- values

    def call_value(self, name: str, args: Sequence[Any], roles: Roles) -> Any:
        """A value, with every `modify` in the order of its operation."""
        declared = self.program.values[name]
        value = self.result(declared.body, declared.type, self.scope_of(declared, args, roles))
        for due in self.in_force(tree.Modify, name, args):
            value = self.modified(due.hook, value, due, declared.type.maybe)
        return value

    def result(self, e: tree.Expr, type_: Any, scope: Scope) -> Any:
        if type_.tag == "bool":
            return self.cond(e, scope)
        return self.maybe(e, scope) if type_.maybe else self.value(e, scope)

    def modified(self, m: tree.Modify, value: Any, scope: Scope, may_be_none: bool) -> Any:
        try:
            amount = self.cond(m.value, scope) if m.value.type.tag == "bool" else self.value(m.value, scope)
        except Missing:
            return value
        if not present(amount) and not (m.op == "=" and may_be_none):
            return value
        change = MODIFY[m.op][1]
        return self.arithmetic(m.op, value, amount) if change is None else change(value, amount)

    # ---- what can happen

    def seen(self, event: str, args: Sequence[Any], roles: Roles) -> tuple[Any, ...]:
        """What patterns see of an event: its arguments, and who bears it."""
        action = self.program.actions.get(event)
        borne = action is not None and action.bearer.self is not None
        return (*args, roles.get("self")) if borne else tuple(args)

    def forbidden(self, event: str, seen: Sequence[Any]) -> bool:
        return any(True for _ in self.in_force(tree.Forbid, event, seen))

    def can(self, event: str, args: Sequence[Any], roles: Roles) -> bool:
        """Whether a routine or phase can happen with arguments that are there."""
        routine = self.program.routines[event]
        scope = self.scope_of(routine, args, roles)
        return all(self.cond(r.condition, scope) for r in routine.requires) and not self.forbidden(event, args)

    # ---- the order of hooks

    def in_order(self, due: Scope) -> Any:
        """meaning.md, "Order of hooks"."""
        hook, origin = due.hook, due.hook.origin
        this, bearer, owner = (due.roles[role] for role in ("this", "self", "owner"))
        source = (0, 0, origin.name, 0) if origin.what == "trait" else (
            1 + origin.layer, ("row", "card", "core").index(origin.what), origin.name, origin.row
        )  # fmt: skip
        if hook.always:
            return 0, 0, (), source, 0, hook.order
        owned = owner is not None and origin.what in ("trait", "card")
        seat = self.owners().index(owner) if owned else self.players + 1
        if isinstance(bearer, Thing):
            line = self.line(bearer.kind, bearer.owner)
            where = (1, list(self.model.made).index(bearer.kind), line.index(bearer) if bearer in line else 0)
            return 1, seat, where, source, this.laid if this else 0, hook.order
        return 1, seat, (0, 0, 0), source, this.handle if this else 0, hook.order
