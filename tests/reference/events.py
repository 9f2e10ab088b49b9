"""What happens around the body of a routine, phase or action (meaning.md): instead, before, reactions, body, after."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from rulelang.semantics import tree
from tests.reference.flow import Flow
from tests.reference.hooks import Due
from tests.reference.options import Option, Run
from tests.reference.running import Redirected, Stopped
from tests.reference.scope import Scope
from tests.reference.world import Thing


class Events(Flow):
    """The order of hooks, and who chooses in it."""

    def hooks(self, event: str, kind: str) -> list[tree.Trigger]:
        return [hook for hook in self.on(self.program.triggers, event) if hook.kind == kind]

    def fixed(self, event: str, kind: str, seen: Sequence[Any]) -> list[Due]:
        """Which rule, on which bearer, by which card: what comes into play later does not join."""
        return self.in_order([due for hook in self.hooks(event, kind) for due in self.matches(hook, seen)])

    # ---- one event

    def happen(self, event: str, args: Sequence[Any], roles: dict[str, Any]) -> Run:
        """An event that can happen: the outermost enabled `instead of` first; what it says in place of the event."""
        if event in self.program.routines and self.program.routines[event].phase:
            self.entered(self.program.routines[event])
        hooks = self.hooks(event, "instead of")
        text = sorted(hooks, key=lambda h: self.place_of(Due(h, None, None, None, Scope())))
        text = [h for k in range(3) for h in text if (0 if h.always else 1 if h.origin.what == "trait" else 2) == k]
        yield from self.instead(event, args, roles, sorted(text, key=lambda h: -h.origin.layer))

    def instead(self, event: str, args: Sequence[Any], roles: dict[str, Any], left: Sequence[tree.Trigger]) -> Run:
        seen = self.seen(event, args, roles)
        for k, hook in enumerate(left):
            for due in list(self.matches(hook, seen)):
                own = self.world.sought is not None and self.leads_on(hook.body)
                if self.world.sought is not None and not own and not self.leads_on(hook.body, event):
                    continue
                if not own and not self.enabled(due):
                    continue
                if hook.may and not own and not (yield from self.consent(due)):
                    continue

                def proceed(rest: Sequence[tree.Trigger] = left[k + 1 :]) -> Run:
                    yield from self.instead(event, args, roles, rest)

                yield from self.run_hook(due, proceed=proceed, around=event)
                return
        yield from self.core(event, args, roles)

    def core(self, event: str, args: Sequence[Any], roles: dict[str, Any]) -> Run:
        declared = self.declared(event)
        pooled = isinstance(declared, tree.Routine) and declared.owners_order
        spent: set[Any] = set()
        while True:  # once more for each redirection to the same event
            seen = self.seen(event, args, roles)
            scope = self.event_scope(declared, args, roles)
            self.announce(declared, scope, args)
            afters = self.fixed(event, "after", seen)
            befores = self.fixed(event, "before", seen)
            if pooled and self.world.sought is None:
                yield from self.in_turn(befores, set(), "order", lambda due: self.run_hook(due))
            else:
                yield from self.one_by_one(befores)
            if self.gone(declared, args, roles):
                return
            try:
                if self.world.sought is None:
                    reactions = self.fixed(event, "react to", seen)
                    yield from self.in_turn(reactions, spent, "react", lambda due: self.run_hook(due, event=event))
            except Stopped:
                return
            except Redirected as elsewhere:
                args, roles = elsewhere.args
                if event in self.program.routines and not self.can(event, args, roles):
                    return
                if event in self.program.actions and self.forbidden(event, self.seen(event, args, roles)):
                    return
                continue
            break
        if self.gone(declared, args, roles):
            return
        if pooled:
            self.world.depth += 1
        if isinstance(declared, tree.Routine) and declared.phase:
            yield from self.phase(declared, scope)
        else:
            yield from self.block(declared.body, scope)
        if not pooled:
            yield from self.one_by_one(afters)
            return
        self.wait(afters)
        if self.world.depth == 1:
            yield from self.drain()
        self.world.depth -= 1

    def one_by_one(self, due: Sequence[Due]) -> Run:
        for item in due:
            hook: Any = item.hook
            if self.world.sought is not None:
                if self.world.sought in self.leads.hook(hook):
                    yield from self.run_hook(item)
            elif self.enabled(item) and (not hook.may or (yield from self.consent(item))):
                yield from self.run_hook(item)

    def declared(self, event: str) -> Any:
        return self.program.routines.get(event) or self.program.actions[event]

    def event_scope(self, declared: Any, args: Sequence[Any], roles: dict[str, Any]) -> Scope:
        if isinstance(declared, tree.Routine):
            scope = self.routine_scope(declared, args, roles)
            kinds = [p.type.name for p in declared.params]
        else:
            scope = self.given(declared.bearer, Scope(), roles)
            scope.names.update({b.local.name: arg for b, arg in zip(declared.binders, args, strict=True)})
            kinds = []
        for kind in kinds:
            self.note(scope, kind)
        return scope

    def gone(self, declared: Any, args: Sequence[Any], roles: dict[str, Any]) -> bool:
        """Whether an argument, or the bearer of an action, has gone."""
        bearer = roles.get("self") if isinstance(declared, tree.Action) else None
        return any(isinstance(x, Thing) and not x.alive for x in (*args, bearer))

    def announce(self, declared: Any, scope: Scope, args: Sequence[Any]) -> None:
        """The entry of the log: the words of the rules, or what happens to whom."""
        what = "routine" if isinstance(declared, tree.Routine) else "action"
        if declared.tells is not None:
            parts: Sequence[Any] = self.words(declared.tells.parts, scope)
        elif what == "routine":
            parts = [(p.type, arg) for p, arg in zip(declared.params, args, strict=True)]
        else:
            shown = [b.local for b in declared.binders]
            shown = [declared.bearer.self, *shown] if declared.bearer.self is not None else shown
            parts = [declared.name, *(part for p in shown for part in (" ", (p.type, scope.names[p.name])))]
        self.tell(what, declared.id, parts)

    # ---- one hook

    def flag(self, hook: tree.Trigger, this: Any) -> Any:
        return hook.group, hook.origin, this

    def enabled(self, due: Due) -> bool:
        """Whether a hook whose turn has come runs."""
        hook: Any = due.hook
        if hook.kind != "after" and isinstance(due.self, Thing) and not due.self.alive:
            return False
        if not self.guarded(due):
            return False
        if hook.once_per is not None and self.flag(hook, due.this) in self.world.flags[hook.once_per]:
            return False
        if (id(hook), due.this) in self.world.running:
            return False
        return self.possible(hook.body, due.scope)

    def consent(self, due: Due) -> Run:
        """`may`: the owner of the bearer is asked whether it happens."""
        player = self.answering(due.owner)
        taken = yield from self.ask("consent", player, lambda: [self.option(due), Option("pass")])
        return taken.what != "pass"

    def option(self, due: Due, entry: Any = None) -> Option:
        return Option("do", due.hook, {"this": due.this, "self": due.self}, entry=entry)

    def run_hook(self, due: Due, proceed: Callable[[], Run] | None = None, event: str = "", around: str = "") -> Run:
        hook: Any = due.hook
        if hook.once_per is not None:
            self.world.flags[hook.once_per].add(self.flag(hook, due.this))
        running = id(hook), due.this
        self.world.running.add(running)
        self.tell("hook", f"{hook.kind} {hook.pattern.event}", ())
        try:
            yield from self.block(hook.body, due.scope.inner(proceed=proceed, event=event, around=around))
        finally:
            self.world.running.discard(running)

    # ---- who picks

    def in_turn(self, due: Sequence[Due], spent: set[Any], kind: str, run: Callable[[Due], Run]) -> Run:
        """`always` ones as they come; then each owner in play order picks among his; then what no player owns."""

        def unpicked(always: bool) -> Run:
            for item in due:
                late = item.hook.always == always and self.nobodys(item)
                if not late or item.key in spent or not self.enabled(item):
                    continue
                if item.hook.may and not (yield from self.consent(item)):
                    continue
                spent.add(item.key)
                yield from run(item)

        yield from unpicked(True)
        for player in self.world.order():
            while True:
                able = [d for d in due if d.owner == player and d.key not in spent and self.enabled(d)]
                taken = yield from self.ask(kind, player, partial(self.pickable, self.unequal(able)))
                if taken is None or taken.what == "pass":
                    break
                spent.add(taken.entry.key)
                yield from run(taken.entry)
        yield from unpicked(False)

    def pickable(self, able: Sequence[Any]) -> list[Option]:
        """To be picked from; declining is offered where all of them say `may`."""
        options = [self.option(due, due) for due in self.by_hook(able)]
        return self.pass_or(options, bool(able) and all(due.hook.may for due in able))

    def nobodys(self, due: Due) -> bool:
        return due.hook.always or due.owner is None or due.owner > self.world.players

    def by_hook(self, due: Sequence[Any]) -> list[Any]:
        """Options stand hook by hook, in the order of the rules."""
        hooks = [id(hook) for hook in self.program.triggers]
        return sorted(due, key=lambda item: hooks.index(id(item.hook)))

    def unequal(self, due: Sequence[Due]) -> list[Due]:
        """Of equal cards that lie on nothing and bring the same one is offered at a time."""
        found: list[Due] = []
        for item in due:
            if not any(self.equal(item, other) for other in found):
                found.append(item)
        return found

    def equal(self, one: Due, other: Due) -> bool:
        hook: Any = one.hook
        if hook is not other.hook or one.this is None or other.this is None or isinstance(one.self, Thing):
            return False
        model = self.world.model
        if hook.origin.what != "trait" or hook.once_per is not None or model.traits[hook.origin.name].state:
            return False
        same = one.owner == other.owner and one.this.info.look == other.this.info.look
        return same and not model.sorts[one.this.info.sort].attributes

    # ---- in owner's order

    def wait(self, due: Sequence[Due]) -> None:
        """What an event in owner's order sets off waits until the outermost one has ended."""
        for item in due:
            hook: Any = item.hook
            if hook.once_per is not None:
                spent = self.flag(hook, item.this) in self.world.flags[hook.once_per]
                if spent or any(other.key == item.key for other in self.world.waits):
                    continue
            self.world.waits.append(item)

    def drain(self) -> Run:
        waits = self.world.waits
        while True:
            item, picked = self.unpicked(True), False
            if item is None:
                item = yield from self.pick()
                picked = item is not None
            if item is None:
                item = self.unpicked(False)
            if item is None:
                break
            waits[:] = [other for other in waits if other is not item]
            if picked or not item.hook.may or (yield from self.consent(item)):
                yield from self.run_hook(item)
        waits.clear()

    def unpicked(self, always: bool) -> Any:
        fits = [d for d in self.world.waits if d.hook.always == always and self.nobodys(d) and self.enabled(d)]
        return fits[0] if fits else None

    def pick(self) -> Run:
        waits = self.world.waits
        for player in self.world.order():
            able = [d for d in waits if d.owner == player and self.enabled(d)]
            taken = yield from self.ask("order", player, partial(self.pickable, able))
            if taken is None:
                continue
            if taken.what != "pass":
                return taken.entry
            waits[:] = [d for d in waits if d not in able]
        return None
