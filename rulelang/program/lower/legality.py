"""May it happen? `can_R` as a pure function, and `why_R`, which names every requirement and trait that refuses it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from rulelang.base.source import Span
from rulelang.meaning import tree
from rulelang.program import ir
from rulelang.program.facts import walk
from rulelang.program.lower import bearers
from rulelang.program.lower.context import FALSE, TRUE, Guards, Lowering, Scope, as_bool, both, negate, when
from rulelang.program.lower.expressions import arguments, cond
from rulelang.program.lower.roles import borne_by, routine_roles
from rulelang.program.lower.texts import text_parts
from rulelang.program.lower.wording import Said, Words
from rulelang.program.passes.walk import with_blocks

Parts = tuple[str | tuple[int, str], ...]


def event_params(event: str, low: Lowering) -> tuple[tree.Local, ...]:
    """The parameters that patterns and calls of an event name."""
    program = low.program
    if event in program.routines:
        return program.routines[event].params
    if event in program.actions:
        return tuple(b.local for b in program.actions[event].binders)
    return program.values[event].params


def seen_params(event: str, low: Lowering) -> tuple[tree.Local, ...]:
    """What patterns of an event see: its parameters, and behind them who bears it."""
    bearer = borne_by(event, low)
    return event_params(event, low) if bearer is None else (*event_params(event, low), bearer)


def seen_args(event: str, args: tuple[ir.Expr, ...], scope: Scope) -> tuple[ir.Expr, ...]:
    """The arguments for `seen_params`: the bearer is that of the rules at hand, or none."""
    return args if borne_by(event, scope.low) is None else (*args, scope.roles.get("self", ir.Const(0)))


def maybe_params(event: str, low: Lowering) -> tuple[bool, ...]:
    declared = low.program.actions.get(event)
    if declared is not None:
        return tuple(b.maybe for b in declared.binders)
    return tuple(p.type.maybe for p in event_params(event, low))


def role_args(event: str, scope: Scope) -> tuple[ir.Expr, ...]:
    if event not in scope.low.program.routines:
        return ()
    return tuple(scope.roles.get(r, ir.Const(0)) for r in routine_roles(event, scope.low))


def can_call(event: str, args: tuple[tree.Expr, ...], scope: Scope) -> ir.Expr:
    """The condition `can R(args)`: nothing missing, all requirements hold, nothing forbids it."""
    lowered, guards = arguments(args, scope, maybe=maybe_params(event, scope.low))
    if event in scope.low.program.actions:
        from rulelang.program.lower.permitted import can_action

        return both(*guards, can_action(event, lowered, scope))
    seen = seen_args(event, lowered, scope)
    return both(*guards, can_expr(event, (*role_args(event, scope), *seen), scope.low))


def can_expr(event: str, args: tuple[ir.Expr, ...], low: Lowering) -> ir.Expr:
    """The condition that an event can happen. `args`: the roles of a routine, then what patterns see."""
    name = can_function(event, low)
    return TRUE if name is None else ir.Call(name, args)


def _signature(event: str, low: Lowering, prefix: str) -> tuple[Scope, list[str], tuple[ir.Expr, ...]]:
    """A scope with an event's parameters bound: all IR parameters, and the arguments that patterns see."""
    scope = Scope(low, f"{prefix}_{event}")
    params: list[str] = []
    routine = low.program.routines.get(event)
    if routine is not None:
        for role in routine_roles(event, low):
            local = getattr(routine.bearer, role)
            params.append(scope.fresh(role))
            expr = ir.Local(params[-1])
            scope.names[local.name] = expr
            if role != "partner":
                scope.present.add(local.name)
            scope.roles[role] = expr
            low.local_kinds[local.name] = local.type.name
    own: list[ir.Expr] = []
    for p, maybe in zip(event_params(event, low), maybe_params(event, low), strict=True):
        low.local_kinds[p.name] = p.type.name
        params.append(scope.bind(p, present=not maybe))
        own.append(ir.Local(params[-1]))
    if borne_by(event, low) is not None:
        params.append(scope.fresh("self"))
        own.append(ir.Local(params[-1]))
    return scope, params, tuple(own)


def can_function(event: str, low: Lowering) -> str | None:
    """`can_EVENT(...)` (see `can_expr`), or None where it can always happen."""
    routine = low.program.routines.get(event)
    requires = routine.requires if routine is not None else ()
    forbids = low.facts.forbids_on.get(event, [])
    if not requires and not forbids:
        return None
    name = f"can_{event}".replace(".", "__")
    return low.later(name, lambda: _can(name, event, requires, forbids, low))


def _can(name: str, event: str, requires: Sequence[tree.Require], forbids: list[tree.Forbid], low: Lowering) -> None:
    scope, params, args = _signature(event, low, "can")
    body: list[ir.Stmt] = []
    for require in requires:
        body += when(cond(require.condition, scope), [], [ir.Return(FALSE)])
    for forbid in _cheap_first(forbids, args, low):
        body += bearers.matches(forbid, args, low, partial(_refuse, forbid))
    body.append(ir.Return(TRUE))
    routine = low.program.routines.get(event)
    span = routine.span if routine is not None else forbids[0].span
    low.function(name, "pure", params, _merge_returns(body), f"can {event}", span)


def _cheap_first(forbids: list[tree.Forbid], args: tuple[ir.Expr, ...], low: Lowering) -> list[tree.Forbid]:
    """Forbids that need no loop before those that do: the order does not matter to the answer."""
    return sorted(forbids, key=lambda f: bearers.simple(f, args, low) is None or bearers.uses_card(f, low))


def _merge_returns(body: list[ir.Stmt]) -> list[ir.Stmt]:
    """A run of `if not a: return 0` with a final `return 1` as one conjunction, so that it can be inlined."""
    parts: list[ir.Expr] = []
    for k, stmt in enumerate(body):
        if isinstance(stmt, ir.Branch) and stmt.then == (ir.Return(FALSE),) and not stmt.otherwise:
            parts.append(negate(stmt.test))
        elif k == len(body) - 1:
            return [ir.Return(as_bool(both(*parts)))] if parts else body
        else:
            head: list[ir.Stmt] = when(negate(both(*parts)), [ir.Return(FALSE)]) if parts else []
            return [*head, *body[k:]]
    return body


def _refuse(forbid: tree.Forbid, scope: Scope) -> list[ir.Stmt]:
    guard = cond(forbid.guard, scope) if forbid.guard is not None else TRUE
    return when(guard, [ir.Return(FALSE)])


# ---- why not


def why_function(event: str, low: Lowering) -> str:
    """`why_EVENT(args)`: blames every failing requirement (of routines that it rests on, too) and every forbid."""
    name = f"why_{event}".replace(".", "__")
    low.memo["why", name] = event
    return low.later(name, lambda: _why(name, event, low))


def _why(name: str, event: str, low: Lowering) -> None:
    params, body, span = _blaming(event, low)
    low.function(name, "why", params, body, f"why not {event}", span)


def _blaming(event: str, low: Lowering) -> tuple[list[str], list[ir.Stmt], Span]:
    if event in low.program.actions:
        from rulelang.program.lower.refusing import why_not_asked

        return why_not_asked(low.program.actions[event], low)
    scope, params, args = _signature(event, low, "why")
    routine = low.program.routines[event]
    body: list[ir.Stmt] = []
    for require in routine.requires:
        body += blame(require, scope)
    body += blame_forbids(event, args, low)
    return params, body, routine.span


def ensure_fact(e: tree.Expr, scope: Scope) -> list[ir.Stmt]:
    """`ensure` without `because`: the first thing that would be blamed for a false condition ends the trial."""
    words = Words(scope, values=False)
    otherwise = scope.low.reason(words.fact(e, False), "", e.span)
    failed = [*_ended(blame_fact(e, scope), scope.low), ir.Ensure(FALSE, otherwise, tuple(words.args))]
    return when(cond(e, scope), [], failed)


def _ended(body: Sequence[ir.Stmt], low: Lowering) -> tuple[ir.Stmt, ...]:
    """What blames, as statements of a trial."""

    def one(stmt: ir.Stmt) -> ir.Stmt:
        match stmt:
            case ir.Blame():
                return ir.Ensure(FALSE, stmt.reason, stmt.args)
            case ir.BlameCall():
                name = stmt.function.replace("why_", "ensure_", 1)
                event = str(low.memo["why", stmt.function])
                return ir.CallRoutine(low.later(name, lambda: _ensure(name, event, low)), stmt.args)
            case _:
                return with_blocks(stmt, lambda block: _ended(block, low))

    # Of a trial in a trial the words of what is asked have to do.
    return tuple(one(stmt) for stmt in body if not (isinstance(stmt, ir.BlameCall) and stmt.trial))


def _ensure(name: str, event: str, low: Lowering) -> None:
    params, body, span = _blaming(event, low)
    low.function(name, "routine", params, list(_ended(body, low)), f"ensure {event}", span)


def blame_forbids(event: str, args: tuple[ir.Expr, ...], low: Lowering) -> list[ir.Stmt]:
    out: list[ir.Stmt] = []
    for forbid in low.facts.forbids_on.get(event, ()):
        out += bearers.matches(forbid, args, low, partial(_blame_forbid, forbid))
    return out


def _blame_forbid(forbid: tree.Forbid, scope: Scope) -> list[ir.Stmt]:
    low = scope.low
    text, args = text_parts(forbid.because, scope)
    source = low.source_of(forbid.origin)
    if not text:
        text = (f"{source or 'a rule'} forbids it",)
    reason = low.reason(text, source, forbid.span)
    guard = cond(forbid.guard, scope) if forbid.guard is not None else TRUE
    return when(guard, [ir.Blame(reason, args)])


def blame(require: tree.Require, scope: Scope, source: str = "") -> list[ir.Stmt]:
    """Blames a failing requirement, in the author's words or, where he gave none, in words made of the condition."""
    if not require.because:
        return blame_fact(require.condition, scope, source)
    text, args = text_parts(require.because, scope)
    reason = scope.low.reason(text, source, require.span)
    return when(cond(require.condition, scope), [], [ir.Blame(reason, args)])


def blame_fact(e: tree.Expr, scope: Scope, source: str = "") -> list[ir.Stmt]:
    """Blames each part of a condition that fails; one that rests on `can R(..)` hands on to R's own reasons."""
    if isinstance(e, tree.Can):
        return _blame_can(e, scope, source)
    if isinstance(e, tree.Logic):
        left, right = blame_fact(e.left, scope, source), blame_fact(e.right, scope, source)
        if e.op == "and":
            # What is there is looked at only if it is there.
            asks = any(isinstance(n, tree.Present | tree.ZoneEmpty) for n in walk(e.left))
            return when(cond(e.left, scope), right, left) if asks else [*left, *right]
        if any(isinstance(n, tree.Can) for n in walk(e)):
            return when(cond(e, scope), [], [*left, *right])
    return when(cond(e, scope), [], blame_words(lambda words: words.fact(e, False), e.span, scope, source))


def blame_words(tell: Callable[[Words], Said], span: Span, scope: Scope, source: str = "") -> list[ir.Stmt]:
    """A reason in made words; where what they tell of is not there to be read, without values."""

    def blamed(values: bool) -> tuple[list[ir.Stmt], Guards]:
        words = Words(scope, values=values)
        said = tell(words)
        return [ir.Blame(scope.low.reason(said, source, span), tuple(words.args))], words.guards

    told, guards = blamed(True)
    readable = both(*guards)
    return told if readable == TRUE else when(readable, told, blamed(False)[0])


def _blame_can(part: tree.Can, scope: Scope, source: str) -> list[ir.Stmt]:
    low = scope.low
    args, guards = arguments(part.args, scope, maybe=maybe_params(part.event, low))
    words = Words(scope, values=False)
    missing = low.reason(words.fact(part, False), source, part.span)
    given = (*role_args(part.event, scope), *seen_args(part.event, args, scope))
    if part.event in low.program.actions:
        from rulelang.program.lower.permitted import asked_with

        given = asked_with(part.event, args, scope)
    calls = [ir.BlameCall(why_function(part.event, low), given)]
    return when(both(*guards), calls, [ir.Blame(missing, tuple(words.args))])


def conjuncts(e: tree.Expr) -> list[tree.Expr]:
    """The parts of a conjunction."""
    if isinstance(e, tree.Logic) and e.op == "and":
        return [*conjuncts(e.left), *conjuncts(e.right)]
    return [e]


def blame_text(text: str, span: Span, scope: Scope, args: tuple[tuple[ir.Expr, str], ...] = ()) -> ir.Stmt:
    """A reason of the tool's own wording: `{}` marks the arguments."""
    pieces = text.split("{}")
    parts: list[str | tuple[int, str]] = []
    for k, piece in enumerate(pieces):
        if piece:
            parts.append(piece)
        if k < len(pieces) - 1:
            parts.append((k, args[k][1]))
    return ir.Blame(scope.low.reason(tuple(parts), "", span), tuple(a for a, _ in args))
