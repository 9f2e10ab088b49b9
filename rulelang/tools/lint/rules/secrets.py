"""Lint rule about hidden information that players can infer: follow secrets through the rules.

A *secret* is a card in a zone, or an attribute, that not everyone sees. `SecretReader` works out which secrets the
value of an expression depends on. Players are known by symbols: `actor`, a variable, the owner of a thing. Two symbols
may be one player; the linter treats them as different players.

`LeakFinder` follows the actions and `game:`, call by call, and notes where a secret decides options, questions, who is
asked, lines of the log, or public values. A card that a block moves to a public zone or names in a `tells` counts as
open in that whole block. Options taken by a player, reasons, `score` and `tiebreak` reveal nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, assert_never

from rulelang.base.codes import Page
from rulelang.base.diagnostics import Related
from rulelang.base.source import Span
from rulelang.language.semantics import tree
from rulelang.language.semantics.dataflow import Flows
from rulelang.language.semantics.model import Model
from rulelang.language.semantics.tree import walk
from rulelang.tools.lint.rule import Finding, Rule, Subject

# ---- secrets of expressions

#: Who is asked in an action, and whose turn it is in `turns`.
ACTOR = "actor"
#: How many places of the way of a secret are told.
MOST_STEPS = 4


@dataclass(frozen=True, slots=True)
class Secret:
    """What only `owner` may know ("": nobody). `what`: which, in words; `span`: where it was read; `path`: the
    values and routines that it came through since, which say nothing of what it is."""

    owner: str
    what: str
    span: Span
    path: tuple[tuple[Span, str], ...] = field(default=(), compare=False)


Secrets = frozenset[Secret]
NO_SECRETS: Secrets = frozenset()


class SecretValue(NamedTuple):
    """What is known of a value: the secrets that it depends on; for a player the symbol, for what belongs to one that
    of its owner; for a card, what its face and columns tell."""

    label: Secrets = NO_SECRETS
    who: str = ""
    card: Secrets = NO_SECRETS


class SecretScope(NamedTuple):
    """Variables by name. `open`: cards and zones that the rules lay open in this block, `key`: what tells it apart."""

    names: dict[str, SecretValue]
    open: frozenset[str]
    key: str

    def inner(self) -> SecretScope:
        return self._replace(names=dict(self.names))


class SecretReader:
    """Works out values; what is called is read with the arguments that it is called with."""

    def __init__(self, model: Model, program: tree.Program) -> None:
        self.model, self.program = model, program
        self._values: dict[tuple[str, tuple[SecretValue, ...]], SecretValue] = {}
        self._deep: set[str] = set()
        self.modifies: dict[str, list[tree.Modify]] = {}
        self.forbids: dict[str, list[tree.Forbid]] = {}
        for modify in program.modifies:
            self.modifies.setdefault(modify.pattern.event, []).append(modify)
        for forbid in program.forbids:
            self.forbids.setdefault(forbid.pattern.event, []).append(forbid)

    # ---- what is hidden

    def seen(self, seen_by: str) -> str:
        """Who sees it: where an option says so, those of the strictest of its values."""
        if not seen_by.startswith("option."):
            return seen_by
        option = self.model.options.get(seen_by.removeprefix("option."))
        values = option.values if option is not None else ()
        return next((one for one in ("nobody", "owner") if one in values), "everyone")

    def zone(self, zone: tree.AnyZone, scope: SecretScope) -> tuple[Secrets, str]:
        """What the cards in a zone tell, and whose it is."""
        if isinstance(zone, tree.BoxRef):
            return NO_SECRETS, ""
        owner = (
            self.value_of(zone.owner, scope) if zone.owner is not None else SecretValue(who=f"{zone.zone.name} of all")
        )
        seen = self.seen(zone.zone.seen_by)
        if seen == "everyone" or zone.zone.name in scope.open:
            return owner.label, owner.who
        what = f"the cards in `{zone.zone.short_name}`"
        return owner.label | {Secret("" if seen == "nobody" else owner.who, what, zone.span)}, owner.who

    def zones(self, zones: Iterable[tree.AnyZone], scope: SecretScope) -> tuple[Secrets, str]:
        found = [self.zone(zone, scope) for zone in zones]
        whose = {who for _, who in found}
        return NO_SECRETS.union(*(label for label, _ in found)), whose.pop() if len(whose) == 1 else ""

    # ---- expressions

    def value_of(self, e: tree.Expr, scope: SecretScope) -> SecretValue:
        match e:
            case tree.LocalRef():
                return scope.names.get(e.local.name, SecretValue(who=f"{scope.key} {e.local.name}"))
            case tree.BuiltinRef():
                return SecretValue(who=ACTOR if e.name in ("actor", "active") else e.name)
            case tree.StateRef():
                return self._attribute_value(e.attribute.seen_by, e.attribute.name, "", e.span)._replace(
                    who=e.attribute.name
                )
            case tree.AttributeRef():
                whole = self.value_of(e.object, scope)
                kept = self._attribute_value(e.attribute.seen_by, e.attribute.name, whole.who, e.span)
                who = player_symbol(f"{whole.who}.{e.attribute.name}", e.span)
                return SecretValue(kept.label | whole.label | self.all_of(e.index, scope), who)
            case tree.ColumnRef():
                whole = self.value_of(e.object, scope)
                return SecretValue(
                    whole.label | whole.card | (self.value_of(e.index, scope).label if e.index else NO_SECRETS)
                )
            case tree.Property():
                whole = self.value_of(e.object, scope)
                told = e.name in ("face", "faces", "number")
                return SecretValue(whole.label | (whole.card if told else NO_SECRETS), whole.who, NO_SECRETS)
            case tree.SlotRead():
                card, who = self.zone(e.zone, scope)
                return SecretValue(NO_SECRETS, who, card)
            case tree.ValueCall():
                return self._call(e, scope)
            case tree.BuiltinCall():
                return self._built_in(e, scope)
            case tree.Can() | tree.Affects():
                args = tuple(self.value_of(arg, scope) for arg in e.args)
                return SecretValue(self.through(self.permission(e.event, args), e.span, f"this tests `can {e.event}`"))
            case tree.Query():
                return self._query(e, scope)
            case tree.IfElse():
                test, then, other = (
                    self.value_of(e.test, scope),
                    self.value_of(e.then, scope),
                    self.value_of(e.otherwise, scope),
                )
                who = then.who if then.who == other.who else ""
                return SecretValue(test.label | then.label | other.label, who, then.card | other.card)
            case tree.Otherwise():
                value, default = self.value_of(e.value, scope), self.value_of(e.default, scope)
                return SecretValue(value.label | default.label, value.who, value.card | default.card)
            case _:
                return SecretValue(self._parts(e, scope))

    def all_of(self, parts: Iterable[tree.Expr], scope: SecretScope) -> Secrets:
        return NO_SECRETS.union(*(self.value_of(part, scope).label for part in parts))

    def _attribute_value(self, seen_by: str, name: str, who: str, span: Span) -> SecretValue:
        seen = self.seen(seen_by)
        if seen == "everyone":
            return SecretValue()
        return SecretValue(frozenset({Secret("" if seen == "nobody" or not who else who, f"`{name}`", span)}))

    def _parts(self, e: tree.Expr, scope: SecretScope) -> Secrets:
        """Of all parts of an expression of which nothing else is known."""
        found = NO_SECRETS
        match e:
            case tree.Arith() | tree.Compare() | tree.Logic():
                found = self.all_of((e.left, e.right), scope)
            case tree.Negative() | tree.Not() | tree.Present():
                found = self.value_of(e.operand, scope).label
            case tree.OrderOf():
                found = self.all_of(e.parts, scope)
            case tree.Forms():
                found = self.value_of(e.number, scope).label
            case tree.TableRef():
                found = self.all_of(e.index, scope)
            case tree.Has():
                found = self.all_of((e.subject, e.trait), scope)
            case tree.Meets():
                found = self.all_of((e.subject, e.condition), scope)
            case tree.MemberOfSet():
                found = self.all_of(_inner_expressions(e), scope)
            case tree.Working():
                found = self.all_of(_inner_expressions(e), scope)
        return found

    def _built_in(self, e: tree.BuiltinCall, scope: SecretScope) -> SecretValue:
        args = [self.value_of(arg, scope) for arg in e.args]
        label = NO_SECRETS.union(*(arg.label for arg in args))
        if e.name in ("top", "bottom"):
            card, who = self.zones(e.zones, scope)
            return SecretValue(label, who, card | NO_SECRETS.union(*(arg.card for arg in args)))
        who = player_symbol(f"{e.name}({', '.join(arg.who for arg in args)})", e.span)
        return SecretValue(label, who, NO_SECRETS.union(*(arg.card for arg in args)))

    def _query(self, e: tree.Query, scope: SecretScope) -> SecretValue:
        inner = scope.inner()
        label = NO_SECRETS
        for binder in e.binders:
            label |= self.bind(binder, inner)
        body = self.value_of(e.body, inner) if e.body is not None else SecretValue()
        label |= body.label
        if e.kind == "first":
            taken = inner.names[e.binders[0].local.name]
            return SecretValue(label, taken.who, taken.card)
        return SecretValue(label)

    def bind(self, b: tree.Binder, scope: SecretScope) -> Secrets:
        """Bind a variable; the secrets on which it depends what it may be."""
        label, val = NO_SECRETS, SecretValue(who=f"{scope.key} {b.local.name}")
        match b.domain:
            case tree.InZones():
                card, who = self.zones(b.domain.zones, scope)
                val = SecretValue(NO_SECRETS, who, card)
            case tree.OnBearer():
                bearer = self.value_of(b.domain.bearer, scope)
                label, val = bearer.label, SecretValue(NO_SECRETS, bearer.who)
            case tree.Things():
                if b.domain.owner is not None:
                    owner = self.value_of(b.domain.owner, scope)
                    label, val = owner.label, SecretValue(NO_SECRETS, owner.who)
            case tree.Range():
                label = self.all_of((b.domain.low, b.domain.high), scope)
            case tree.Members():
                label = self.value_of(b.domain.group, scope).label
        if b.local.name in scope.open:
            val = val._replace(card=NO_SECRETS)
        scope.names[b.local.name] = val
        if b.where is not None:
            label |= self.value_of(b.where, scope).label
        for extreme in (*((b.extreme,) if b.extreme is not None else ()), *b.sorted_by):
            label |= self.value_of(extreme.key, scope).label
        return label

    # ---- what is called

    def _call(self, e: tree.ValueCall, scope: SecretScope) -> SecretValue:
        args = tuple(self.value_of(arg, scope) for arg in e.args)
        found = self.value(e.value, args)
        return found._replace(label=self.through(found.label, e.span, f"this computes `{e.value}`"))

    def through(self, label: Secrets, span: Span, what: str) -> Secrets:
        return frozenset(replace(s, path=((span, what), *s.path)[:MOST_STEPS]) for s in label)

    def value(self, name: str, args: tuple[SecretValue, ...]) -> SecretValue:
        """What a value comes to with these arguments, with all that modifies it."""
        key = (name, args)
        if key in self._values:
            return self._values[key]
        if name in self._deep:
            return SecretValue(NO_SECRETS.union(*(arg.label for arg in args)))
        self._deep.add(name)
        declared = self.program.values[name]
        scope = self.scope(declared, name)
        scope.names.update({p.name: arg for p, arg in zip(declared.params, args, strict=False)})
        found = self.value_of(declared.body, scope)
        label = found.label
        for modify in self.modifies.get(name, ()):
            inner = self.hook_scope(modify, args)
            label |= self.value_of(modify.value, inner).label
            label |= self.value_of(modify.guard, inner).label if modify.guard is not None else NO_SECRETS
        self._deep.discard(name)
        self._values[key] = found._replace(label=label)
        return self._values[key]

    def permission(self, event: str, args: tuple[SecretValue, ...]) -> Secrets:
        """What it depends on whether an event may happen."""
        if event in self._deep:
            return NO_SECRETS
        self._deep.add(event)
        declared = self.program.routines.get(event) or self.program.actions.get(event)
        label = NO_SECRETS
        if isinstance(declared, tree.Routine):
            scope = self.scope(declared, event)
            scope.names.update({p.name: arg for p, arg in zip(declared.params, args, strict=False)})
            for require in declared.requires:
                label |= self.value_of(require.condition, scope).label
        label |= self.forbidden(event, args)
        self._deep.discard(event)
        return label

    def forbidden(self, event: str, args: Sequence[SecretValue]) -> Secrets:
        found = NO_SECRETS
        for forbid in self.forbids.get(event, ()):
            if forbid.guard is not None:
                found |= self.value_of(forbid.guard, self.hook_scope(forbid, args)).label
        return found

    def scope(self, declared: tree.Declared, key: str, whose: str = "") -> SecretScope:
        """A scope with the variables of a bearer, who belongs to `whose`."""
        names: dict[str, SecretValue] = {}
        bearer: tree.Bearer | None = getattr(declared, "bearer", None)
        for role in ("this", "self", "partner", "owner"):
            local = getattr(bearer, role) if bearer is not None else None
            if local is not None:
                names[local.name] = SecretValue(who=whose or f"the owner of {key}")
        return SecretScope(names, frozenset(), key)

    def hook_scope(self, hook: tree.Hook, args: Sequence[SecretValue]) -> SecretScope:
        """The variables of a hook, bound to the arguments of its event."""
        slots = (*hook.pattern.slots, hook.pattern.bearer)
        whose = ""
        for slot, arg in zip(slots, args, strict=False):
            named = slot.expr if isinstance(slot, tree.EqualSlot) else None
            roles = [getattr(hook.bearer, role) for role in ("self", "owner")]
            if isinstance(named, tree.LocalRef) and named.local in roles:
                whose = arg.who
        scope = self.scope(hook, hook.name, whose)
        for slot, arg in zip(slots, args, strict=False):
            if isinstance(slot, tree.BindSlot):
                scope.names[slot.local.name] = arg
        return scope


def player_symbol(who: str, span: Span) -> str:
    """The symbol itself; for one made of too many others the place where it is made, as there is no end of them."""
    return who if who.count("(") + who.count(".") < 3 else f"{span.path}:{span.line}:{span.column}"


def _inner_expressions(e: tree.Expr) -> list[tree.Expr]:
    """The outermost expressions in an expression."""
    found: list[tree.Expr] = []
    inner: set[int] = set()
    for node in walk(e):
        if node is e or id(node) in inner or not isinstance(node, tree.Typed):
            continue
        found.append(node)  # type: ignore[arg-type]
        inner.update(map(id, walk(node)))
    return found


# ---- where secrets show

#: The owner of a roll that is written to somebody whom only what comes after it decides.
LATER_OWNER = "the one who gets the roll"


@dataclass(frozen=True, slots=True)
class Leak:
    """A place where a secret shows, and how: `how` in words, to which the secret is the object. `one`: to one who is
    asked; else to all."""

    span: Span
    how: str
    secret: Secret
    one: bool


class LeakFinder:
    """Follow the rules of a program. `found` holds what shows where, and how, each secret once."""

    def __init__(self, model: Model, program: tree.Program) -> None:
        self.program = program
        self.read = SecretReader(model, program)
        self.found: dict[tuple[Span, str], dict[Secret, Leak]] = {}
        self.flows = Flows(program, ())
        self.triggers: dict[str, list[tree.Trigger]] = {}
        for trigger in program.triggers:
            self.triggers.setdefault(trigger.pattern.event, []).append(trigger)
        self._done: set[tuple[str, tuple[SecretValue, ...], Secrets]] = set()
        self._opens: dict[str, frozenset[int]] = {}
        if program.game is not None:
            self._body(program.game, SecretScope({}, frozenset(), "game"), program.game.body, NO_SECRETS)
        for action in program.actions.values():
            self._action(action)

    # ---- what shows

    def _shows(self, label: Secrets, span: Span, how: str, to: str = "") -> None:
        """Note that secrets show at a place: to the player `to` alone, or to all."""
        hidden = [s for s in label if not to or s.owner != to]
        for secret in sorted(hidden, key=lambda s: s.span):
            self.found.setdefault((span, how), {}).setdefault(secret, Leak(span, how, secret, bool(to)))

    # ---- actions

    def _action(self, action: tree.Action) -> None:
        scope = self.read.scope(action, action.id, ACTOR)
        for binder in action.binders:
            label = self.read.bind(binder, scope)
            self._shows(label, binder.span, "the options here depend on", ACTOR)
            self._shows(scope.names[binder.local.name].card, binder.span, "the options here are from", ACTOR)
        args = [scope.names[binder.local.name] for binder in action.binders]
        for require in action.requires:
            label = self.read.value_of(require.condition, scope).label
            self._shows(label, require.span, "whether this is possible depends on", ACTOR)
        bearer = SecretValue(who=ACTOR)
        for forbid in self.read.forbids.get(action.id, ()):
            if forbid.guard is not None:
                label = self.read.value_of(forbid.guard, self.read.hook_scope(forbid, [*args, bearer])).label
                self._shows(label, forbid.span, "whether an action is possible depends on", ACTOR)
        if action.tells is not None:
            self._statement(action.tells, self._opened(scope, action.body, action.tells), NO_SECRETS)
        self._body(action, scope, action.body, NO_SECRETS)
        self._hooks(action.id, [*args, bearer], NO_SECRETS)

    # ---- what happens

    def _body(self, declared: tree.Declared, scope: SecretScope, body: tree.Block, why: Secrets) -> None:
        tells = getattr(declared, "tells", None)
        opened = self._opened(scope, body, *([tells] if tells is not None else []))
        self._block(body, opened, why)

    def _opened(self, scope: SecretScope, body: tree.Block, *more: tree.Stmt) -> SecretScope:
        """The scope of a block that lays cards open: these tell nothing that is hidden."""
        opens = frozenset(self._laid_open((*more, *body)))
        names = {n: v._replace(card=NO_SECRETS) if n in opens else v for n, v in scope.names.items()}
        return SecretScope(names, scope.open | opens, scope.key)

    def _laid_open(self, body: Sequence[tree.Stmt]) -> Iterator[str]:
        """Variables of cards, and names of zones, that a block lays open."""
        cards: set[str] = set()
        for node in walk(list(body)):
            match node:
                case tree.Move(card=tree.LocalRef(local=local), to=tree.ZoneRef(zone=zone)):
                    if self.read.seen(zone.seen_by) == "everyone":
                        cards.add(local.name)
                case tree.MoveAll(to=tree.ZoneRef(zone=zone)):
                    if self.read.seen(zone.seen_by) == "everyone":
                        yield from (s.zone.name for s in node.sources if isinstance(s, tree.ZoneRef))
                case tree.Tells():
                    named = (p.local for p in node.parts if isinstance(p, tree.LocalRef))
                    cards.update(local.name for local in named if local.type.name in self.read.model.sorts)
                case tree.CallRoutine():
                    for place in self._laid_by(node.routine):
                        arg = node.args[place]
                        if isinstance(arg, tree.LocalRef):
                            cards.add(arg.local.name)
        yield from cards
        for node in walk(list(body)):
            if isinstance(node, tree.For):
                for binder in node.binders:
                    if binder.local.name in cards and isinstance(binder.domain, tree.InZones) and binder.where is None:
                        yield from (z.zone.name for z in binder.domain.zones if isinstance(z, tree.ZoneRef))

    def _laid_by(self, event: str) -> frozenset[int]:
        """Which arguments of a routine it lays open."""
        if event not in self._opens:
            self._opens[event] = frozenset()  # of one that calls itself
            routine = self.program.routines[event]
            body = (*([routine.tells] if routine.tells is not None else []), *routine.body)
            opens = {*self._laid_open(body)}
            self._opens[event] = frozenset(k for k, p in enumerate(routine.params) if p.name in opens)
        return self._opens[event]

    def _routine(self, event: str, args: tuple[SecretValue, ...], why: Secrets) -> None:
        key = (event, args, why)
        if key in self._done:
            return
        self._done.add(key)
        routine = self.program.routines[event]
        scope = self.read.scope(routine, event)
        scope.names.update({p.name: arg for p, arg in zip(routine.params, args, strict=False)})
        scope = self._opened(scope, routine.body, *([routine.tells] if routine.tells is not None else []))
        for require in routine.requires:
            why |= self.read.value_of(require.condition, scope).label
        why |= self.read.forbidden(event, args)
        if routine.tells is not None:
            self._statement(routine.tells, scope, why)
        self._block(routine.body, scope, why)
        self._hooks(event, args, why)

    def _hooks(self, event: str, args: Sequence[SecretValue], why: Secrets) -> None:
        hooks = self.triggers.get(event, ())
        body = self.program.routines.get(event) or self.program.actions[event]
        zones = frozenset(self._laid_open(body.body)) & self.read.model.zones.keys() if hooks else frozenset()
        for hook in hooks:
            scope = self.read.hook_scope(hook, args)
            scope = scope._replace(open=scope.open | zones)
            key = (f"{hook.id} {hook.group}", tuple(args), why)
            if key in self._done:
                continue
            self._done.add(key)
            guard = self.read.value_of(hook.guard, scope).label if hook.guard is not None else NO_SECRETS
            self._body(hook, scope, hook.body, why | guard)

    def _block(self, body: Iterable[tree.Stmt], scope: SecretScope, why: Secrets) -> None:
        scope = scope.inner()
        for s in body:
            self._statement(s, scope, why)

    def _statement(self, s: tree.Stmt, scope: SecretScope, why: Secrets) -> None:
        value_of = self.read.value_of
        match s:
            case tree.Let():
                found = value_of(s.value, scope)
                label = self.read.through(found.label, s.span, f"this copies it to `{s.local.text}`")
                card = NO_SECRETS if s.local.name in scope.open else found.card
                scope.names[s.local.name] = found._replace(label=label, card=card)
            case tree.Assign():
                self._assigned(s, scope, why)
            case tree.CallRoutine() | tree.Redirect():
                args = tuple(value_of(arg, scope) for arg in s.args)
                step = s.span, f"this calls `{s.routine}`"
                told = tuple(arg._replace(label=self.read.through(arg.label, *step)) for arg in args)
                self._routine(s.routine, told, self.read.through(why, *step))
            case tree.Move() | tree.MoveAll():
                self._shows(why, s.span, "whether a card is moved depends on")
            case tree.Draw():
                self._shows(why | value_of(s.count, scope).label, s.span, "how many cards are drawn depends on")
            case tree.Create():
                if s.local is not None:
                    scope.names[s.local.name] = SecretValue(who=value_of(s.owner, scope).who)
                self._shows(why, s.span, "whether this is created depends on")
            case tree.Remove():
                self._shows(why | value_of(s.thing, scope).label, s.span, "which thing is removed depends on")
            case tree.Choose():
                self._chosen(s, scope, why)
            case tree.Offer():
                self._shows(why, s.span, "whether somebody is asked depends on")
            case tree.Tells():
                label = self.read.all_of([part for part in s.parts if not isinstance(part, str)], scope)
                self._shows(label, s.span, "a line of the log shows")
                self._shows(why, s.span, "whether the log shows this line depends on")
            case tree.Ensure():
                self._shows(value_of(s.condition, scope).label, s.span, "whether this is possible depends on", ACTOR)
            case tree.If():
                test = self.read.through(value_of(s.test, scope).label, s.span, "the following statements depend on it")
                self._block(s.then, scope, why | test)
                self._block(s.otherwise, scope, why | test)
            case tree.For():
                inner = scope.inner()
                label = why
                for binder in s.binders:
                    label |= self.read.bind(binder, inner)
                self._block(s.body, inner, label)
            case tree.RepeatTimes():
                self._block(s.body, scope, why | value_of(s.times, scope).label)
            case tree.RepeatUntil() | tree.Rounds():
                self._block(s.body, scope, why | value_of(s.until, scope).label)
            case tree.Turns():
                inner = scope.inner()
                inner.names[s.local.name] = SecretValue(who=ACTOR)
                self._block(s.body, inner, why)
            case tree.Roll():
                self._shows(why | value_of(s.count, scope).label, s.span, "which dice are rolled depends on")
                if isinstance(s.target, tree.Local):
                    scope.names[s.target.name] = SecretValue(self._rolled(s, s.target, scope))
            case tree.Shuffle():
                self._shows(why, s.span, "whether this is shuffled depends on")
            case tree.Clear():
                self._shows(why, s.span, "whether a public table is cleared depends on")
            case tree.Silence() | tree.Restore():
                self._silenced(s, scope, why)
            case tree.Require() | tree.Compulsory() | tree.Stop() | tree.Proceed() | tree.Nothing():
                pass
            case _:
                assert_never(s)

    def _rolled(self, s: tree.Roll, local: tree.Local, scope: SecretScope) -> Secrets:
        """Return the secret that a die is if it is written where not everyone sees it."""
        owners = {self._rolled_for(target, here, scope) for target, here in self.flows.of(s)}
        if not owners:
            return NO_SECRETS
        known = owners - {LATER_OWNER}
        owner = "" if len(known) > 1 else LATER_OWNER if LATER_OWNER in owners else known.pop()
        return frozenset({Secret(owner, f"the roll `{local.text}`", s.span)})

    def _rolled_for(self, target: tree.StateRef | tree.AttributeRef, here: bool, scope: SecretScope) -> str:
        """Return who sees what a roll is written into: "" for nobody, LATER if that is not known when it is rolled."""
        if self.read.seen(target.attribute.seen_by) != "owner" or not isinstance(target, tree.AttributeRef):
            return ""
        thing = target.object
        known = here and (not isinstance(thing, tree.LocalRef) or thing.local.name in scope.names)
        return self.read.value_of(thing, scope).who if known else LATER_OWNER

    def _silenced(self, s: tree.Silence | tree.Restore, scope: SecretScope, why: Secrets) -> None:
        """Whether a card works is known to those who see the card."""
        card = self.read.value_of(s.card, scope)
        seen = {secret.owner for secret in card.card}
        label, how = why | card.label, "whether a card works depends on"
        if not seen:
            self._shows(label, s.span, how)
        elif len(seen) == 1 and "" not in seen:
            self._shows(label, s.span, how, seen.pop())

    def _assigned(self, s: tree.Assign, scope: SecretScope, why: Secrets) -> None:
        label = why | self.read.value_of(s.value, scope).label
        match s.target:
            case tree.AttributeRef(object=whole, attribute=attribute):
                seen, who = self.read.seen(attribute.seen_by), self.read.value_of(whole, scope).who
            case tree.StateRef(attribute=attribute):
                seen, who = self.read.seen(attribute.seen_by), ""
            case _:
                seen, who = "everyone", ""
        if seen == "everyone":
            self._shows(label, s.span, "a public value copies")
        elif seen == "owner" and who:
            known = frozenset(secret for secret in label if secret.owner != LATER_OWNER)
            self._shows(known, s.span, "a value that its owner sees copies", who)

    def _chosen(self, s: tree.Choose, scope: SecretScope, why: Secrets) -> None:
        self._shows(why, s.span, "whether somebody is asked depends on")
        inner = scope.inner()
        who = self.read.value_of(s.by, scope).who if s.by is not None else self._default_chooser(scope)
        # Offered are more cards than the one that is laid open then.
        before = inner._replace(open=scope.open - {b.local.name for b in s.binders})
        for binder in s.binders:
            label = self.read.bind(binder, before)
            if not s.at_random:
                self._shows(label, binder.span, "the options here depend on", who)
                shown = before.names[binder.local.name].card
                self._shows(shown, binder.span, "the options here are from", who)
        if not s.at_random:
            words = [part for part in s.asks if not isinstance(part, str)]
            self._shows(self.read.all_of(words, before), s.span, "the question shows", who)
        for name in scope.open & before.names.keys():
            inner.names[name] = before.names[name]._replace(card=NO_SECRETS)
        self._block(s.body, inner, why)
        self._block(s.otherwise, scope, why)
        scope.names.update({b.local.name: inner.names[b.local.name] for b in s.binders})

    def _default_chooser(self, scope: SecretScope) -> str:
        """Who chooses where nobody is named: the owner of a hook's bearer, else the actor."""
        return scope.names["owner"].who if "owner" in scope.names else ACTOR


# ---- secret-told


def find_secret_told(subject: Subject) -> Iterator[Finding]:
    """Find one secret for each place where one shows. A mod may read it for a rule of the game that shows it."""
    for shown in LeakFinder(subject.model, subject.program).found.values():
        placed = ((told, place) for told in shown.values() if (place := _own_place(subject, told)) is not None)
        told, place = next(placed, (None, None))
        if told is None or place is None:
            continue
        secret = told.secret
        blind = "the player who is asked may not see this" if told.one else "not everyone can see this, but everyone"
        read = () if place == secret.span else (Related(secret.span, "this reads it"),)
        way = (*read, *(Related(*step) for step in reversed(secret.path) if step[0] != place))
        way = (*way, *(() if place == told.span else (Related(told.span, "it is revealed here"),)))
        yield Finding(
            place,
            f"{told.how} {secret.what}",
            f"{blind}, but can infer it" if told.one else f"{blind} can infer it",
            "use only visible information, reveal the cards, or write `# lint: allow "
            "secret-told` if players are allowed to know it",
            way,
            cause=(secret.span, secret.what),
        )


def _own_place(subject: Subject, told: Leak) -> Span | None:
    """Return the place where the author of what is checked can help: where it shows, or on the way there."""
    places = (told.span, told.secret.span, *(span for span, _ in told.secret.path))
    return next((span for span in places if subject.owns(span)), None)


SECRET_TOLD = Rule(
    "secret-told",
    Page(
        "L831",
        "hidden information that players can infer",
        "Here, hidden information decides something that a player sees: their options, a question, who is asked, a "
        "line of the log, or a public value. The information comes from cards that the player cannot see, or from "
        "an attribute with `seen_by`. A player who knows the rules can infer the secret. `docs/secrets.md` says how"
        " the linter follows secrets.",
        'forbid nibble(s) when any(card c in next(s.owner).hand where c.weight > 1) because "it fears a heavy card"\n',
        'forbid nibble(s) when any(card c in s.owner.hand where c.weight > 1) because "a heavy card is in the way"\n',
    ),
    find_secret_told,
)
