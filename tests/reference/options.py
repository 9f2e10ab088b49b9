"""What may be chosen: options of actions and choices; whether an action is possible (rules.md, statements.md)."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from rulelang.semantics import tree
from rulelang.semantics.types import BOOL
from rulelang.semantics.walk import conjuncts, locals_of, walk
from tests.reference.hooks import Hooks
from tests.reference.scope import Scope
from tests.reference.world import Card, RuleFailure, TrialEnds

#: A routine of the interpreter that may ask: it yields questions, and is sent the number of the option taken.
Run = Generator["Question", int, Any]


@dataclass(slots=True)
class Option:
    """`what`: pass, take (an action), choose, or do (a hook). `of`: the action or hook; `bearer`: this, self, owner."""

    what: str
    of: Any = None
    bearer: dict[str, Any] = field(default_factory=dict)
    args: tuple[Any, ...] = ()
    compels: bool = False
    entry: Any = None  # what the asker wants to have back


@dataclass(slots=True)
class Question:
    """Somebody is asked; or (`kind` stop) something has ended, for scenarios, and nobody is."""

    kind: str
    player: int
    options: list[Option]
    again: Callable[[], list[Option]]  # what can be chosen by now


class EnsureFails(Exception):
    pass


class Options(Hooks):
    """Lists options; trials play on the table itself and take all back."""

    def pass_or(self, options: list[Option], may_pass: bool) -> list[Option]:
        """With a pass behind them, where there is one."""
        return [*options, Option("pass")] if may_pass and not any(o.compels for o in options) else options

    # ---- a choice

    def alike(self, binders: Sequence[tree.Binder]) -> bool:
        """Whether equal cards are offered once: one variable ranges over cards in zones, and nothing tells them
        apart."""
        cards = [b.local for b in binders if isinstance(b.domain, tree.InZones)]
        if len(cards) != 1:
            return False
        itself = [n for n in walk(tuple(binders)) if isinstance(n, tree.LocalRef) and n.local == cards[0]]
        for n in walk(tuple(binders)):
            if isinstance(n, tree.Property) and n.name == "number":
                return False
            if isinstance(n, tree.Compare) and (n.left in itself or n.right in itself):
                return False
        return True

    def choices(self, binders: Sequence[tree.Binder], s: Scope, at_random: bool) -> list[Option]:
        distinct = not at_random and self.alike(binders)
        return [
            Option("choose", args=tuple(inner.names[b.local.name] for b in binders))
            for inner in self.combinations(binders, s, distinct=distinct)
        ]

    # ---- actions

    def offered(self, phase: str, me: int, main: bool) -> list[Option]:
        """All that a player can do in a phase; `main`: he has done his one action, and may only do free ones."""
        found: list[Option] = []
        for action in self.program.actions.values():
            if phase in action.during and not (main and not action.free):
                for bearer in self.takers(action, me):
                    scope = self.given(action.bearer, Scope(), bearer)
                    if not action.in_steps:
                        found += self.arguments(action, scope, bearer, me)
                    elif next(self.arguments(action, scope, bearer, me), None) is not None:
                        found.append(Option("take", action, bearer))
        return found

    def takers(self, action: tree.Action, me: int) -> Iterator[dict[str, Any]]:
        """The bearers for whom an action is offered to a player."""
        origin = action.origin
        if action.always or origin.what == "core":
            yield {}
            return
        if origin.what == "row":
            yield {"self": origin.row}
            return
        kind = action.bearer.self.type.name if action.bearer.self is not None else ""
        on_things = origin.what == "trait" and kind in self.world.model.made
        seen: list[Card] = []
        if origin.what == "trait":
            number = self.world.model.traits[origin.name].number
            for thing in self.world.line(kind, me) if on_things else ():
                for card in self.borne(thing):
                    if card.face == number:
                        yield self.roles_bound(action, Scope(), card, thing, me).roles
            cards = [card for card in self.cards_of(number) if card.face == number]
        else:
            cards = self.world.by_row[origin.name, origin.row]
        for card in cards:
            if (
                self.world.lies_on(card) is not None
                or not self.at_hand(card, me)
                or self.stands_for(card, seen, action)
            ):
                continue
            seen.append(card)
            self_ = None if on_things else card
            yield self.roles_bound(action, Scope(), card, self_, self.world.owner_of(card)).roles

    def at_hand(self, card: Card, me: int) -> bool:
        """Of a card in a playable zone to whoever holds it, of an ownerless one in force to everyone."""
        zone, owner = card.pile.zone, self.world.owner_of(card)
        lies = zone.playable or (zone.in_force and zone.of not in ("player", *self.world.model.made))
        return lies and not card.silences and owner in (None, me)

    def stands_for(self, card: Card, seen: Sequence[Card], action: tree.Action) -> bool:
        """Whether an equal card is offered already: none that keeps something for itself is equal to another."""
        apart = self.world.model.sorts[card.info.sort].attributes
        if action.origin.what == "trait":
            apart = apart or self.world.model.traits[action.origin.name].state or action.once_per
        return not apart and any(other.info.look == card.info.look for other in seen)

    def arguments(self, action: tree.Action, scope: Scope, bearer: dict[str, Any], me: int,
                  fixed: Sequence[Any] = (), *, distinct: bool = True) -> Iterator[Option]:  # fmt: skip
        """The legal combinations; the first arguments may be fixed. Requirements are tested as soon as they can be."""
        tests = [part for r in action.requires for part in conjuncts(r.condition)]
        alike = distinct and self.alike(action.binders)

        def open_from(k: int, scope: Scope, tests: Sequence[tree.Expr]) -> Iterator[Option]:
            later = {b.local.name for b in action.binders[k:]}
            if not all(self.cond(t, scope) for t in tests if not locals_of(t) & later):
                return
            if k == len(action.binders):
                option = self.legal(action, scope, bearer, me)
                if option is not None:
                    yield option
                return
            b = action.binders[k]
            for item in fixed[k : k + 1] if k < len(fixed) else self.bound(b, scope, distinct=alike):
                inner = scope.inner()
                inner.names[b.local.name] = item
                yield from open_from(k + 1, inner, [t for t in tests if locals_of(t) & later])

        yield from open_from(0, scope, tests)

    def legal(self, action: tree.Action, scope: Scope, bearer: dict[str, Any], me: int) -> Option | None:
        """The option, if its flag is free, nothing forbids it, and its trial or its one call goes well."""
        args = tuple(scope.names[b.local.name] for b in action.binders)
        if action.once_per is not None and self.action_flag(action, bearer, me) in self.world.flags[action.once_per]:
            return None
        if self.forbidden(action.id, self.seen(action.id, args, bearer)):
            return None
        option = Option("take", action, bearer, args)
        if action.id in self.ensuring and not self.tried(action, option):
            return None
        one_call = len(action.body) == 1 and isinstance(action.body[0], tree.CallRoutine) and not action.requires
        if one_call and not self.possible(action.body, scope):
            return None
        if action.compulsory is not None:
            option.compels = action.compulsory.when is None or self.cond(action.compulsory.when, scope)
        return option

    def action_flag(self, action: tree.Action, bearer: dict[str, Any], me: int | None) -> Any:
        """`once per`: for each player; of a trait or card for each card."""
        return action.id, bearer["this"] if bearer.get("this") is not None else me

    def can_choose(self, action: tree.Action, args: Sequence[Any], roles: dict[str, Any]) -> bool:
        """`can ACTION(...)`: whether the actor could choose just that."""
        assert self.world.actor is not None
        roles = {"self": action.origin.row} if action.origin.what == "row" else roles
        scope = self.given(action.bearer, Scope(), roles if action.origin.what != "core" else {})
        for k, (b, arg) in enumerate(zip(action.binders, args, strict=True)):
            inner = scope.inner()
            inner.names.update({p.local.name: a for p, a in zip(action.binders[:k], args, strict=False)})
            if arg not in self.bound(b, inner):
                return False
        return next(self.arguments(action, scope, roles, self.world.actor, args, distinct=False), None) is not None

    def possible(self, body: tree.Block, scope: Scope) -> bool:
        """Whether the first statement of a block can happen: a call can, a choice has candidates."""
        first = body[0] if body else None
        if isinstance(first, tree.CallRoutine):
            return self.cond(tree.Can(BOOL, first.span, first.routine, first.args), scope)
        if isinstance(first, tree.Choose) and not first.otherwise and not first.may:
            return any(True for _ in self.combinations(first.binders, scope))
        return True

    # ---- trials

    @property
    def ensuring(self) -> set[str]:
        """Actions that may come to an `ensure`."""
        if self._ensuring is None:
            self._ensuring = self._reaching()
        return self._ensuring

    _ensuring: set[str] | None = None

    def _reaching(self) -> set[str]:
        p = self.program
        bodies: dict[str, list[Any]] = {name: [d.body] for name, d in (*p.routines.items(), *p.actions.items())}
        for hook in p.triggers:
            bodies.setdefault(hook.pattern.event, []).append(hook.body)
        nodes = {name: list(walk(body)) for name, body in bodies.items()}
        found = {name for name, all_ in nodes.items() if any(isinstance(n, tree.Ensure) for n in all_)}
        growing = True
        while growing:
            more = {
                name for name, all_ in nodes.items()
                if any(isinstance(n, tree.CallRoutine | tree.Redirect) and n.routine in found for n in all_)
            }  # fmt: skip
            growing = not more <= found
            found |= more
        return found

    def tried(self, action: tree.Action, option: Option) -> bool:
        """Whether no `ensure` fails if it is done. What comes behind the last one does not matter."""
        saved = self.world.save()
        self.world.quiet = True
        try:
            for _ in self.perform(action, option):
                return True
            return True
        except EnsureFails:
            return False
        except (TrialEnds, RuleFailure):
            return True
        finally:
            self.world.restore(saved)
