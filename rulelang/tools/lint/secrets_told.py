"""Where what a seat may not see decides over what it is given: options, questions, who is asked, lines of the log, and
what lies or stands where everyone sees it.

What happens is followed from the actions and from `game:`, call by call, with what each variable depends on and with
what it depends on that the block is run at all. What the rules lay open, they may tell: a card that a block moves to
where everyone sees it, or names in a `tells`, counts as open in that whole block, and so do the zones whose cards it
goes over to do that. To take an option is an act of the player: what was taken gives nothing away. Reasons are no
concern: they are worked out from what the asker sees. Neither are `score` and `tiebreak`, which are told at the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import assert_never

from rulelang.base.source import Span
from rulelang.language.semantics import tree
from rulelang.language.semantics.dataflow import Flows
from rulelang.language.semantics.model import Model
from rulelang.language.semantics.tree import walk
from rulelang.tools.lint.secrets_read import ACTOR, NONE, Label, Reading, Scope, Secret, Val

#: The owner of a roll that is written to somebody whom only what comes after it decides.
LATER = "the one who gets the roll"


@dataclass(frozen=True, slots=True)
class Told:
    """A place where a secret shows, and how: `how` in words, to which the secret is the object. `one`: to one who is
    asked; else to all."""

    span: Span
    how: str
    secret: Secret
    one: bool


class Flow:
    """Follow the rules of a program. `found` holds what shows where, and how, each secret once."""

    def __init__(self, model: Model, program: tree.Program) -> None:
        self.program = program
        self.read = Reading(model, program)
        self.found: dict[tuple[Span, str], dict[Secret, Told]] = {}
        self.flows = Flows(program, ())
        self.triggers: dict[str, list[tree.Trigger]] = {}
        for trigger in program.triggers:
            self.triggers.setdefault(trigger.pattern.event, []).append(trigger)
        self._done: set[tuple[str, tuple[Val, ...], Label]] = set()
        self._opens: dict[str, frozenset[int]] = {}
        if program.game is not None:
            self._body(program.game, Scope({}, frozenset(), "game"), program.game.body, NONE)
        for action in program.actions.values():
            self._action(action)

    # ---- what shows

    def _shows(self, label: Label, span: Span, how: str, to: str = "") -> None:
        """Note that secrets show at a place: to the player `to` alone, or to all."""
        hidden = [s for s in label if not to or s.owner != to]
        for secret in sorted(hidden, key=lambda s: s.span):
            self.found.setdefault((span, how), {}).setdefault(secret, Told(span, how, secret, bool(to)))

    # ---- actions

    def _action(self, action: tree.Action) -> None:
        scope = self.read.scope(action, action.id, ACTOR)
        for binder in action.binders:
            label = self.read.bind(binder, scope)
            self._shows(label, binder.span, "the options here depend on", ACTOR)
            self._shows(scope.names[binder.local.name].card, binder.span, "the options here are from", ACTOR)
        args = [scope.names[binder.local.name] for binder in action.binders]
        for require in action.requires:
            label = self.read.of(require.condition, scope).label
            self._shows(label, require.span, "whether this is possible depends on", ACTOR)
        bearer = Val(who=ACTOR)
        for forbid in self.read.forbids.get(action.id, ()):
            if forbid.guard is not None:
                label = self.read.of(forbid.guard, self.read.hook_scope(forbid, [*args, bearer])).label
                self._shows(label, forbid.span, "whether an action is possible depends on", ACTOR)
        if action.tells is not None:
            self._statement(action.tells, self._opened(scope, action.body, action.tells), NONE)
        self._body(action, scope, action.body, NONE)
        self._hooks(action.id, [*args, bearer], NONE)

    # ---- what happens

    def _body(self, declared: tree.Declared, scope: Scope, body: tree.Block, why: Label) -> None:
        tells = getattr(declared, "tells", None)
        opened = self._opened(scope, body, *([tells] if tells is not None else []))
        self._block(body, opened, why)

    def _opened(self, scope: Scope, body: tree.Block, *more: tree.Stmt) -> Scope:
        """The scope of a block that lays cards open: these tell nothing that is hidden."""
        opens = frozenset(self._laid_open((*more, *body)))
        names = {n: v._replace(card=NONE) if n in opens else v for n, v in scope.names.items()}
        return Scope(names, scope.open | opens, scope.key)

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

    def _routine(self, event: str, args: tuple[Val, ...], why: Label) -> None:
        key = (event, args, why)
        if key in self._done:
            return
        self._done.add(key)
        routine = self.program.routines[event]
        scope = self.read.scope(routine, event)
        scope.names.update({p.name: arg for p, arg in zip(routine.params, args, strict=False)})
        scope = self._opened(scope, routine.body, *([routine.tells] if routine.tells is not None else []))
        for require in routine.requires:
            why |= self.read.of(require.condition, scope).label
        why |= self.read.forbidden(event, args)
        if routine.tells is not None:
            self._statement(routine.tells, scope, why)
        self._block(routine.body, scope, why)
        self._hooks(event, args, why)

    def _hooks(self, event: str, args: Sequence[Val], why: Label) -> None:
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
            guard = self.read.of(hook.guard, scope).label if hook.guard is not None else NONE
            self._body(hook, scope, hook.body, why | guard)

    def _block(self, body: Iterable[tree.Stmt], scope: Scope, why: Label) -> None:
        scope = scope.inner()
        for s in body:
            self._statement(s, scope, why)

    def _statement(self, s: tree.Stmt, scope: Scope, why: Label) -> None:
        of = self.read.of
        match s:
            case tree.Let():
                found = of(s.value, scope)
                label = self.read.through(found.label, s.span, f"this copies it to `{s.local.text}`")
                card = NONE if s.local.name in scope.open else found.card
                scope.names[s.local.name] = found._replace(label=label, card=card)
            case tree.Assign():
                self._assigned(s, scope, why)
            case tree.CallRoutine() | tree.Redirect():
                args = tuple(of(arg, scope) for arg in s.args)
                step = s.span, f"this calls `{s.routine}`"
                told = tuple(arg._replace(label=self.read.through(arg.label, *step)) for arg in args)
                self._routine(s.routine, told, self.read.through(why, *step))
            case tree.Move() | tree.MoveAll():
                self._shows(why, s.span, "whether a card is moved depends on")
            case tree.Draw():
                self._shows(why | of(s.count, scope).label, s.span, "how many cards are drawn depends on")
            case tree.Create():
                if s.local is not None:
                    scope.names[s.local.name] = Val(who=of(s.owner, scope).who)
                self._shows(why, s.span, "whether this is created depends on")
            case tree.Remove():
                self._shows(why | of(s.thing, scope).label, s.span, "which thing is removed depends on")
            case tree.Choose():
                self._chosen(s, scope, why)
            case tree.Offer():
                self._shows(why, s.span, "whether somebody is asked depends on")
            case tree.Tells():
                label = self.read.all_of([part for part in s.parts if not isinstance(part, str)], scope)
                self._shows(label, s.span, "a line of the log shows")
                self._shows(why, s.span, "whether the log shows this line depends on")
            case tree.Ensure():
                self._shows(of(s.condition, scope).label, s.span, "whether this is possible depends on", ACTOR)
            case tree.If():
                test = self.read.through(of(s.test, scope).label, s.span, "the following statements depend on it")
                self._block(s.then, scope, why | test)
                self._block(s.otherwise, scope, why | test)
            case tree.For():
                inner = scope.inner()
                label = why
                for binder in s.binders:
                    label |= self.read.bind(binder, inner)
                self._block(s.body, inner, label)
            case tree.RepeatTimes():
                self._block(s.body, scope, why | of(s.times, scope).label)
            case tree.RepeatUntil() | tree.Rounds():
                self._block(s.body, scope, why | of(s.until, scope).label)
            case tree.Turns():
                inner = scope.inner()
                inner.names[s.local.name] = Val(who=ACTOR)
                self._block(s.body, inner, why)
            case tree.Roll():
                self._shows(why | of(s.count, scope).label, s.span, "which dice are rolled depends on")
                if isinstance(s.target, tree.Local):
                    scope.names[s.target.name] = Val(self._rolled(s, s.target, scope))
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

    def _rolled(self, s: tree.Roll, local: tree.Local, scope: Scope) -> Label:
        """Return the secret that a die is if it is written where not everyone sees it."""
        owners = {self._rolled_for(target, here, scope) for target, here in self.flows.of(s)}
        if not owners:
            return NONE
        known = owners - {LATER}
        owner = "" if len(known) > 1 else LATER if LATER in owners else known.pop()
        return frozenset({Secret(owner, f"the roll `{local.text}`", s.span)})

    def _rolled_for(self, target: tree.StateRef | tree.AttributeRef, here: bool, scope: Scope) -> str:
        """Return who sees what a roll is written into: "" for nobody, LATER if that is not known when it is rolled."""
        if self.read.seen(target.attribute.seen_by) != "owner" or not isinstance(target, tree.AttributeRef):
            return ""
        thing = target.object
        known = here and (not isinstance(thing, tree.LocalRef) or thing.local.name in scope.names)
        return self.read.of(thing, scope).who if known else LATER

    def _silenced(self, s: tree.Silence | tree.Restore, scope: Scope, why: Label) -> None:
        """Whether a card works is known to those who see the card."""
        card = self.read.of(s.card, scope)
        seen = {secret.owner for secret in card.card}
        label, how = why | card.label, "whether a card works depends on"
        if not seen:
            self._shows(label, s.span, how)
        elif len(seen) == 1 and "" not in seen:
            self._shows(label, s.span, how, seen.pop())

    def _assigned(self, s: tree.Assign, scope: Scope, why: Label) -> None:
        label = why | self.read.of(s.value, scope).label
        match s.target:
            case tree.AttributeRef(object=whole, attribute=attribute):
                seen, who = self.read.seen(attribute.seen_by), self.read.of(whole, scope).who
            case tree.StateRef(attribute=attribute):
                seen, who = self.read.seen(attribute.seen_by), ""
            case _:
                seen, who = "everyone", ""
        if seen == "everyone":
            self._shows(label, s.span, "a public value copies")
        elif seen == "owner" and who:
            known = frozenset(secret for secret in label if secret.owner != LATER)
            self._shows(known, s.span, "a value that its owner sees copies", who)

    def _chosen(self, s: tree.Choose, scope: Scope, why: Label) -> None:
        self._shows(why, s.span, "whether somebody is asked depends on")
        inner = scope.inner()
        who = self.read.of(s.by, scope).who if s.by is not None else self._asked(scope)
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
            inner.names[name] = before.names[name]._replace(card=NONE)
        self._block(s.body, inner, why)
        self._block(s.otherwise, scope, why)
        scope.names.update({b.local.name: inner.names[b.local.name] for b in s.binders})

    def _asked(self, scope: Scope) -> str:
        """Who chooses where nobody is named: the owner of a hook's bearer, else the actor."""
        return scope.names["owner"].who if "owner" in scope.names else ACTOR


__all__ = ["Flow", "Told"]
