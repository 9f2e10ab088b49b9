"""What happens around the body of a routine, phase or action (meaning.md): instead, before, reactions, body, after."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from rulelang.language.semantics import tree
from tests.reference.flow import Flow
from tests.reference.hooks import Roles
from tests.reference.options import Option, Run
from tests.reference.running import Redirected, Stopped
from tests.reference.world import Scope, Thing, present


class Events(Flow):
    """The order of hooks, and who chooses in it."""

    def ready(self, program: tree.Program) -> None:
        super().ready(program)
        self.text_order = {id(hook): k for k, hook in enumerate(program.triggers)}
        self.running: set[Any] = set()  # hooks, with their cards
        self.waits: list[Scope] = []  # effects that wait in owner's order
        self.depth = 0  # of events in owner's order

    def fixed(self, event: str, kind: str, seen: Sequence[Any]) -> list[Scope]:
        """Which rule, on which bearer, by which card: what comes into play later does not join."""
        found = [due for hook in self.hooks[kind, event] for due in self.matches(hook, seen)]
        return sorted(found, key=self.in_order)

    # ---- one event

    def happen(self, event: str, args: Sequence[Any], roles: Roles) -> Run:
        """An event that can happen: the outermost enabled `instead of` first; what it says in place of the event."""

        def outermost(hook: tree.Trigger) -> Any:
            source = 0 if hook.always else 1 if hook.origin.what == "trait" else 2
            return -hook.origin.layer, source, self.in_order(Scope(roles=self.roles(), hook=hook))

        return self.instead(event, args, roles, sorted(self.hooks["instead of", event], key=outermost))

    def instead(self, event: str, args: Sequence[Any], roles: Roles, left: Sequence[tree.Trigger]) -> Run:
        for k, hook in enumerate(left):
            for due in list(self.matches(hook, self.seen(event, args, roles))):
                if (yield from self.willing(due)):
                    proceed = partial(self.instead, event, args, roles, left[k + 1 :])
                    yield from self.run_hook(due, proceed=proceed, around=event)
                    return
        yield from self.core(event, args, roles)

    def core(self, event: str, args: Sequence[Any], roles: Roles) -> Run:
        declared = self.events[event]
        pooled = isinstance(declared, tree.Routine) and declared.owners_order
        spent: set[Any] = set()
        while True:  # once more for each redirection to the same event
            seen, scope = self.seen(event, args, roles), self.scope_of(declared, args, roles)
            self.announce(declared, scope, args)
            afters, befores = self.fixed(event, "after", seen), self.fixed(event, "before", seen)
            pool = partial(self.in_turn, spent=set(), kind="order", run=self.run_hook)
            yield from (pool if pooled else self.one_by_one)(befores)
            if self.gone(declared, args, roles):
                return
            try:
                react = partial(self.run_hook, event=event)
                yield from self.in_turn(self.fixed(event, "react to", seen), spent, "react", react)
                break
            except Stopped:
                return
            except Redirected as elsewhere:
                args, roles = elsewhere.args
                if event in self.program.routines and not self.can(event, args, roles):
                    return
                if event in self.program.actions and self.forbidden(event, self.seen(event, args, roles)):
                    return
        if self.gone(declared, args, roles):
            return
        self.depth += pooled
        phase = isinstance(declared, tree.Routine) and declared.phase
        yield from self.run_phase(declared, scope) if phase else self.block(declared.body, scope)
        if not pooled:
            yield from self.one_by_one(afters)
            return
        for due in afters:  # what an event in owner's order sets off waits until the outermost one has ended
            keys = [self.key(other) for other in self.waits] if due.hook.once_per is not None else []
            if self.once(due) not in self.flags and self.key(due) not in keys:
                self.waits.append(due)
        if self.depth == 1:
            yield from self.drain()
        self.depth -= 1

    def gone(self, declared: Any, args: Sequence[Any], roles: Roles) -> bool:
        """Whether an argument, or the bearer of an action, has gone."""
        bearer = roles.get("self") if isinstance(declared, tree.Action) else None
        return any(isinstance(x, Thing) and not x.alive for x in (*args, bearer))

    def announce(self, declared: Any, scope: Scope, args: Sequence[Any]) -> None:
        """The entry of the log: the words of the rules, or what happens to whom."""
        action = isinstance(declared, tree.Action)
        if declared.tells is not None:
            parts: Sequence[Any] = self.words(declared.tells.parts, scope)
        elif action:
            shown = [local for local in (declared.bearer.self, *(b.local for b in declared.binders)) if local]
            parts = [declared.name, *(part for p in shown for part in (" ", (p.type, scope.names[p.name])))]
        else:
            parts = [(p.type, arg) for p, arg in zip(declared.params, args, strict=True)]
        self.tell("action" if action else "routine", declared.id, parts)

    # ---- one hook

    def once(self, due: Scope) -> Any:
        """The flag of `once per`."""
        return due.hook.once_per, due.hook.group, due.hook.origin, due.roles["this"]

    def key(self, due: Scope) -> Any:
        return id(due.hook), due.roles["this"], due.roles["self"]

    def enabled(self, due: Scope) -> bool:
        """Whether a hook whose turn has come runs."""
        gone = due.roles["self"] is not None and not present(due.roles["self"])
        if (gone and due.hook.kind != "after") or not self.guarded(due.hook, due):
            return False
        if self.once(due) in self.flags or self.key(due)[:2] in self.running:
            return False
        return self.possible(due.hook.body, due)

    def willing(self, due: Scope) -> Run:
        """Whether it runs where nobody picks it: `may` asks the owner of the bearer."""
        return self.enabled(due) and (not due.hook.may or (yield from self.consent(due)))

    def consent(self, due: Scope) -> Run:
        options = [Option("do", due.hook, due.roles), Option("pass")]
        taken = yield from self.ask("consent", self.answering(due.roles["owner"]), lambda: options)
        return taken.what != "pass"

    def run_hook(self, due: Scope, **changes: Any) -> Run:
        if due.hook.once_per is not None:
            self.flags.add(self.once(due))
        running = self.key(due)[:2]
        self.running.add(running)
        self.tell("hook", f"{due.hook.kind} {due.hook.pattern.event}", ())
        try:
            yield from self.block(due.hook.body, due.inner(**changes))
        finally:
            self.running.discard(running)

    def one_by_one(self, due: Sequence[Scope]) -> Run:
        for item in due:
            if (yield from self.willing(item)):
                yield from self.run_hook(item)

    # ---- who picks

    def in_turn(self, due: Sequence[Scope], spent: set[Any], kind: str, run: Callable[[Scope], Run]) -> Run:
        """`always` ones as they come; then each owner in play order picks among his; then what no player owns."""

        def unpicked(always: bool) -> Run:
            for item in due:
                if self.unowned(item, always) and self.key(item) not in spent and (yield from self.willing(item)):
                    spent.add(self.key(item))
                    yield from run(item)

        yield from unpicked(True)
        for player in self.order():
            while True:
                able = [d for d in due if d.roles["owner"] == player and self.key(d) not in spent and self.enabled(d)]
                taken = yield from self.ask(kind, player, partial(self.pickable, self.unequal(able)))
                if taken is None or taken.what == "pass":
                    break
                spent.add(self.key(taken.entry))
                yield from run(taken.entry)
        yield from unpicked(False)

    def unowned(self, due: Scope, always: bool) -> bool:
        """Whether it is one of those that nobody picks, of the `always` ones or of the others."""
        owner = due.roles["owner"]
        return due.hook.always == always and (always or owner is None or owner > self.players)

    def pickable(self, able: Sequence[Scope]) -> list[Option]:
        """To be picked from, in the order of the rules; declining is offered where all of them say `may`."""
        options = [Option("do", due.hook, due.roles, entry=due) for due in able]
        options.sort(key=lambda option: self.text_order[id(option.of)])
        return self.pass_or(options, bool(able) and all(due.hook.may for due in able))

    def unequal(self, due: Sequence[Scope]) -> list[Scope]:
        """Of equal cards that lie on nothing and bring the same one is offered at a time."""
        found: dict[Any, Scope] = {}
        for item in due:
            hook, this, bearer, owner = item.hook, item.roles["this"], item.roles["self"], item.roles["owner"]
            own = hook.origin.what != "trait" or hook.once_per is not None or self.model.traits[hook.origin.name].state
            apart = own or this is None or isinstance(bearer, Thing)
            found.setdefault(item if apart else (id(hook), owner, self.look(this)), item)
        return list(found.values())

    def drain(self) -> Run:
        """What waits in owner's order: always the first that can run by now, as in `in_turn`."""
        while True:
            item = self.unpicked(True)
            picked = None if item is not None else (yield from self.pick())
            item = item or picked or self.unpicked(False)
            if item is None:
                break
            self.waits.remove(item)
            if item is picked or not item.hook.may or (yield from self.consent(item)):
                yield from self.run_hook(item)
        self.waits.clear()

    def unpicked(self, always: bool) -> Scope | None:
        return next((due for due in self.waits if self.unowned(due, always) and self.enabled(due)), None)

    def pick(self) -> Run:
        for player in self.order():
            able = [due for due in self.waits if due.roles["owner"] == player and self.enabled(due)]
            taken = yield from self.ask("order", player, partial(self.pickable, able))
            if taken is not None and taken.what != "pass":
                return taken.entry
            self.waits = [due for due in self.waits if taken is None or due not in able]
        return None
