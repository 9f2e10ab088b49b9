"""Routines, phases and actions as functions: what happens around a body (language reference, "activation").

A call site tests `can_R` and then runs `do_R`, which is the outermost layer of: instead of - before - reactions -
body - after. Layers that no hook uses are not there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from rulelang.base.layout import LogTemplate, SecretArgument
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import (
    TRUE,
    EventRun,
    Lowering,
    Scope,
    branch,
    conjunction,
    disjunction,
    is_present_type,
    lower_arguments,
    lower_condition,
    negate,
)
from rulelang.compiler.lower.expr.calls import event_params, optional_params, pattern_args
from rulelang.compiler.lower.narration.questions import lower_text
from rulelang.compiler.lower.routines import fast_forward, hook_bearers, hook_order, hooks
from rulelang.compiler.lower.routines.log import kept_arguments, number_flows
from rulelang.compiler.lower.routines.statements import lower_block, phase_body
from rulelang.compiler.lower.state import bearers
from rulelang.compiler.lower.state.access import owner_of
from rulelang.compiler.lower.state.bearers import (
    bearer_kind,
    bind_given,
    event_bearer,
    param_names,
    role_params,
    roles_of,
)
from rulelang.language.semantics import tree
from rulelang.language.semantics.state_layout import type_name
from rulelang.language.semantics.tree import conjuncts

Declared = tree.Routine | tree.Action


def event_declaration(event: str, low: Lowering) -> Declared:
    routine = low.program.routines.get(event)
    return routine if routine is not None else low.program.actions[event]


def lower_event(wanted: EventRun, low: Lowering) -> None:
    """`do_EVENT(roles..., args...)`."""
    _Event(wanted.event, low).lower(wanted.name)


class _Event:
    """Lowers one event."""

    def __init__(self, event: str, low: Lowering) -> None:
        self.event = event
        self.low = low
        self.declared = event_declaration(event, low)
        hooks = low.graph.hooks_on.get(event, [])
        self.instead = tree.outermost_first(hooks)
        self.before = [h for h in hooks if h.kind == "before"]
        self.after = [h for h in hooks if h.kind == "after"]
        self.react = [h for h in hooks if h.kind == "react to"]

    def scope(self, stem: str) -> tuple[Scope, list[str], tuple[ir.Expr, ...], tuple[ir.Expr, ...]]:
        """A fresh function scope: IR parameters, role arguments, event arguments."""
        low = self.low
        scope = Scope(low, f"{stem}_{self.event}", seeks=fast_forward.is_on_the_way(self.event, low))
        scope.source = low.source_of(self.declared.origin)
        given = role_params(roles_of(self.event, low), scope)
        bind_given(self.declared, scope, given, self._owner(given))
        params = param_names(given)
        args: list[ir.Expr] = []
        for p, maybe in zip(event_params(self.event, low), optional_params(self.event, low), strict=True):
            low.local_kinds[p.name] = p.type.name
            params.append(scope.bind(p, present=not maybe))
            args.append(ir.Local(params[-1]))
        return scope, params, tuple(given.values()), tuple(args)

    def _owner(self, given: dict[str, ir.Expr]) -> ir.Expr | None:
        """Whose the bearer is: a thing's owner is known by the thing."""
        declared, thing = self.declared, given.get("self")
        if (
            "owner" in given
            or declared.bearer.owner is None
            or thing is None
            or not bearers.bears_on_things(declared, self.low)
        ):
            return given.get("owner")
        return owner_of(bearer_kind(declared, self.low), thing, self.low)

    def lower(self, name: str) -> None:
        """The chain of layers: each `instead of` wraps the next; the core is innermost."""
        low = self.low
        inner = f"{name}__core" if self.instead else name
        self._core(inner)
        for k, hook in reversed(list(enumerate(self.instead))):
            outer = name if k == 0 else f"{name}__{k}"
            around, params, roles, args = self.scope("instead")
            proceed = ir.CallRoutine(inner, (*roles, *args))
            seen = pattern_args(self.event, args, around)
            body = hook_bearers.loop_over_matches(hook, seen, low, partial(self._instead, hook, proceed, seen))
            body.append(proceed)
            low.function(outer, "routine", params, body, self.event, hook.span)
            inner = outer
        if isinstance(self.declared, tree.Routine) and self.declared.phase:
            whole = low.functions[name]
            low.functions[name] = replace(whole, body=(*fast_forward.enter_phase(self.declared, low), *whole.body))

    def _instead(self, hook: tree.Trigger, proceed: ir.Stmt, args: tuple[ir.Expr, ...], scope: Scope) -> list[ir.Stmt]:
        low = self.low
        scope.seeks = fast_forward.is_on_the_way(self.event, low)
        guard = lower_condition(hook.guard, scope) if hook.guard is not None else TRUE
        call = [*hooks.call_hook(hook, scope, args, low, proceed), ir.Return()]
        if hook.may:
            bearer = scope.roles.get("self", TRUE)
            call = hooks.ask_consent(hook, hooks.asked_player(scope), call, scope, scope.fresh("yes"), args, bearer)
        free = hooks.may_hook_run(hook, scope, args, low)
        return branch(fast_forward.replaces_event(hook, conjunction(guard, free), low), call)

    def _core(self, name: str) -> None:
        low = self.low
        scope, params, roles, args = self.scope("do")
        seen = pattern_args(self.event, args, scope)
        body: list[ir.Stmt] = []
        opened = self._log(scope, args)
        body += opened
        inner: list[ir.Stmt] = []
        befores = hooks.Pool(self.event, "before", self.before, low) if self.before else None
        afters = hooks.Pool(self.event, "after", self.after, low) if self.after else None
        opening: list[ir.Stmt] = []
        if afters is not None:
            opening += afters.fix(scope, seen)
        if befores is not None:
            opening += hook_order.fix_and_run(befores, scope, seen)
            opening += self._gone(args, scope, low.graph.removed_by([h.body for h in self.before]), opened)
        if self.react:
            inner += afters.empty() if afters is not None else []
            inner += hook_order.react_to_event(self.event, self.react, scope, args, roles, low, opened, opening)
            inner += self._gone(args, scope, low.graph.removed_by([h.body for h in self.react]), opened)
        else:
            inner += opening
        pooled = self._owners_order and hook_order.may_wait(low)
        if pooled:
            inner += hook_order.enter_event(low)
        inner += self._body(scope)
        if afters is not None:
            inner += hook_order.run_due(afters, scope, seen)
        elif pooled:
            inner += hook_order.leave_event(low)
        body += inner
        if opened:
            body.append(ir.LogEnd())
        low.function(name, "routine", params, body, self.event, self.declared.span)

    @property
    def _owners_order(self) -> bool:
        return isinstance(self.declared, tree.Routine) and self.declared.owners_order

    def _body(self, scope: Scope) -> list[ir.Stmt]:
        if isinstance(self.declared, tree.Routine) and self.declared.phase:
            return phase_body(self.declared, scope)
        if isinstance(self.declared, tree.Action) and not (self.before or self.react or self.instead):
            scope.proved |= self._proved(self.declared, scope)
        return fast_forward.leading_body(self.declared.body, lower_block(self.declared.body, scope), scope)

    def _proved(self, action: tree.Action, scope: Scope) -> set[tuple[str, tuple[ir.Expr, ...]]]:
        """Calls that the action's requirements have shown to be possible: it is only done when it is legal."""
        found: set[tuple[str, tuple[ir.Expr, ...]]] = set()
        for require in action.requires:
            for part in conjuncts(require.condition):
                if isinstance(part, tree.Can):
                    args, _ = lower_arguments(part.args, scope, maybe=optional_params(part.event, self.low))
                    found.add((part.event, args))
        return found

    def _gone(self, args: tuple[ir.Expr, ...], scope: Scope, removed: set[str], opened: list[ir.Stmt]) -> list[ir.Stmt]:
        """An argument or bearer gone after before-hooks or reactions ends the event."""
        tests: list[ir.Expr] = []
        params = event_params(self.event, self.low)
        for p, arg, maybe in zip(params, args, optional_params(self.event, self.low), strict=True):
            if not maybe and p.type.tag == "ref" and p.type.name in removed:
                tests.append(is_present_type(p.type, arg, self.low))
        bearer = event_bearer(self.event, self.low)
        if bearer is not None and bearer.type.name in removed:
            there = is_present_type(bearer.type, scope.roles["self"], self.low)
            tests.append(disjunction(negate(scope.roles["self"]), there) if bearer.type.maybe else there)
        leave: list[ir.Stmt] = [*([ir.LogEnd()] if opened else []), ir.Return()]
        return branch(conjunction(*tests), [], leave) if tests else []

    def _log(self, scope: Scope, args: tuple[ir.Expr, ...]) -> list[ir.Stmt]:
        """The log entry that everything in the event hangs under."""
        low, declared = self.low, self.declared
        source = low.source_of(declared.origin)
        if declared.tells is not None:
            parts, log_args = lower_text(declared.tells.parts, scope)
        else:
            parts, log_args = (), args
        kept: tuple[tuple[SecretArgument, ...], tuple[ir.Expr, ...]] = (), ()
        what = "action" if isinstance(declared, tree.Action) else "routine"
        if not parts and isinstance(declared, tree.Action):
            bearer = () if declared.bearer.self is None or "self" not in scope.roles else (declared.bearer.self,)
            shown = [*bearer, *event_params(self.event, low)]
            parts = (declared.name, *_argument_places(tuple(type_name(p.type) for p in shown)))
            log_args = tuple(scope.names[p.name] for p in shown)
            kept = self._secret(declared, [p.name for p in shown], scope)
            log_args = (*log_args, *kept[1])
        template = low.template(LogTemplate(what, self.event, source, parts, declared.span, kept[0]))  # type: ignore[arg-type]
        return [ir.Log(template, log_args, opens=True)]

    def _secret(
        self, action: tree.Action, shown: Sequence[str], scope: Scope
    ) -> tuple[tuple[SecretArgument, ...], tuple[ir.Expr, ...]]:
        """Return which arguments the line must not show to everyone: the rules have no words of their own for it."""
        kept: list[SecretArgument] = []
        handles: list[ir.Expr] = []
        for place, name in enumerate(shown):
            found = number_flows(self.low).of_argument(action, name)
            more, whose = kept_arguments(found, (place,), len(shown) + len(handles), scope)
            kept, handles = [*kept, *more], [*handles, *whose]
        return tuple(kept), tuple(handles)


def _argument_places(types: tuple[str, ...]) -> tuple[str | tuple[int, str], ...]:
    out: list[str | tuple[int, str]] = []
    for k, t in enumerate(types):
        out += [" ", (k, t)]
    return tuple(out)
