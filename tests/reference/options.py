"""What may be chosen: options of actions and choices; whether an action is possible (rules.md, statements.md)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from rulelang.language.semantics import tree
from rulelang.language.semantics.model import BOOL
from rulelang.language.semantics.tree import conjuncts, locals_of, walk
from tests.reference.hooks import Hooks, Roles
from tests.reference.world import RuleFailure, Scope, TrialEnds

#: A routine of the interpreter that may ask: it yields questions, and is sent the number of the option taken.
Run = Generator["Question", int, Any]


@dataclass(slots=True)
class Option:
    """`what`: pass, take (an action), choose, or do (a hook). `of`: the action or hook; `bearer`: whose it is."""

    what: str
    of: Any = None
    bearer: Roles = field(default_factory=dict)
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

    def ready(self, program: tree.Program) -> None:
        super().ready(program)
        bodies: dict[str, list[Any]] = defaultdict(list)
        for name, body in [*((name, event.body) for name, event in self.events.items()),
                           *((hook.pattern.event, hook.body) for hook in program.triggers)]:  # fmt: skip
            bodies[name] += walk(body)
        self.ensuring: set[str] = set()  # what may come to an `ensure`
        growing = True
        while growing:
            more = {name for name, nodes in bodies.items() for n in nodes
                    if isinstance(n, tree.Ensure) or getattr(n, "routine", None) in self.ensuring}  # fmt: skip
            growing, self.ensuring = more != self.ensuring, more

    def pass_or(self, options: list[Option], may_pass: bool) -> list[Option]:
        """With a pass behind them, where there is one."""
        return [*options, Option("pass")] if may_pass and not any(o.compels for o in options) else options

    # ---- a choice

    def alike(self, binders: Sequence[tree.Binder]) -> bool:
        """Whether equal cards are offered once: one variable ranges over cards in zones, and nothing tells them
        apart."""
        cards = [b.local for b in binders if isinstance(b.domain, tree.InZones)]
        nodes = list(walk(tuple(binders)))
        itself = [n for n in nodes if isinstance(n, tree.LocalRef) and n.local in cards]
        return len(cards) == 1 and not any(
            (isinstance(n, tree.Property) and n.name == "number")
            or (isinstance(n, tree.Compare) and (n.left in itself or n.right in itself))
            for n in nodes
        )

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
                for bearer in self.bearers(action, me):
                    options = self.arguments(action, bearer, me)
                    if not action.in_steps:
                        found += options
                    elif next(options, None) is not None:
                        found.append(Option("take", action, bearer))
        return found

    def arguments(self, action: tree.Action, bearer: Roles, me: int, fixed: Sequence[Any] = (), *,
                  distinct: bool = True) -> Iterator[Option]:  # fmt: skip
        """The legal combinations; the first arguments may be fixed. Requirements are tested as soon as they can be."""
        alike = distinct and self.alike(action.binders)

        def open_from(k: int, scope: Scope, tests: Sequence[tuple[tree.Expr, set[str]]]) -> Iterator[Option]:
            later = {b.local.name for b in action.binders[k:]}
            if not all(self.cond(test, scope) for test, of in tests if not of & later):
                return
            if k == len(action.binders):
                option = self.legal(action, scope, bearer, me)
                if option is not None:
                    yield option
                return
            b, tests = action.binders[k], [(test, of) for test, of in tests if of & later]
            for item in fixed[k : k + 1] if k < len(fixed) else self.bound_by(b, scope, distinct=alike):
                yield from open_from(k + 1, scope.inner([b.local], [item]), tests)

        tests = [(part, locals_of(part)) for r in action.requires for part in conjuncts(r.condition)]
        yield from open_from(0, self.scope_of(action, roles=bearer), tests)

    def legal(self, action: tree.Action, scope: Scope, bearer: Roles, me: int) -> Option | None:
        """The option, if its flag is free, nothing forbids it, and its trial or its one call goes well."""
        args = tuple(scope.names[b.local.name] for b in action.binders)
        if self.action_flag(action, bearer, me) in self.flags:
            return None
        if self.forbidden(action.id, self.seen(action.id, args, bearer)):
            return None
        option = Option("take", action, bearer, args)
        if action.id in self.ensuring and not self.tried(option):
            return None
        one_call = len(action.body) == 1 and isinstance(action.body[0], tree.CallRoutine) and not action.requires
        if one_call and not self.possible(action.body, scope):
            return None
        if action.compulsory is not None:
            option.compels = action.compulsory.when is None or self.cond(action.compulsory.when, scope)
        return option

    def action_flag(self, action: tree.Action, bearer: Roles, me: int | None) -> Any:
        """`once per`: for each player; of a trait or card for each card."""
        this = bearer.get("this")
        return action.once_per, action.id, me if this is None else this

    def can_choose(self, action: tree.Action, args: Sequence[Any], roles: Roles) -> bool:
        """`can ACTION(...)`: whether the actor could choose just that."""
        assert self.actor is not None
        roles = {"core": {}, "row": {"self": action.origin.row}}.get(action.origin.what, roles)
        for k, (b, arg) in enumerate(zip(action.binders, args, strict=True)):
            if arg not in self.bound_by(b, self.scope_of(action, args[:k], roles)):
                return False
        return next(self.arguments(action, roles, self.actor, args, distinct=False), None) is not None

    def possible(self, body: tree.Block, scope: Scope) -> bool:
        """Whether the first statement of a block can happen: a call can, a choice has candidates."""
        first = body[0] if body else None
        if isinstance(first, tree.CallRoutine):
            return self.cond(tree.Can(BOOL, first.span, first.routine, first.args), scope)
        if isinstance(first, tree.Choose) and not first.otherwise and not first.may:
            return any(True for _ in self.combinations(first.binders, scope))
        return True

    # ---- trials

    def tried(self, option: Option) -> bool:
        """Whether no `ensure` fails if it is done. What comes behind the last one does not matter."""
        saved = self.save()
        self.quiet = True
        try:
            next(self.perform(option), None)
        except EnsureFails:
            return False
        except (TrialEnds, RuleFailure):
            pass
        finally:
            self.restore(saved)
        return True
