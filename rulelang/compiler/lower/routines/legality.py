"""May it happen? `can_R` as a pure function, and `why_R`, which names every requirement and trait that refuses it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from rulelang.base.phrases import Phrase, RuleName, phrase
from rulelang.base.source import Span
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import with_blocks
from rulelang.compiler.lower.context import FALSE, TRUE, Guards, Lowering, Scope, as_bool, both, negate, when
from rulelang.compiler.lower.expr.calls import asked_with, event_params, maybe_params, role_args, seen_args
from rulelang.compiler.lower.expr.expressions import arguments, cond
from rulelang.compiler.lower.expr.roles import bind_taken, borne_by, named, routine_roles, taken
from rulelang.compiler.lower.requests import CanHappen, Ensuring, WhyFalse, WhyNot
from rulelang.compiler.lower.routines import bearers, details
from rulelang.compiler.lower.routines.texts import text_parts
from rulelang.compiler.lower.routines.wording import Words
from rulelang.language.semantics import tree
from rulelang.language.semantics.tree import walk


def _signature(event: str, low: Lowering, prefix: str) -> tuple[Scope, list[str], tuple[ir.Expr, ...]]:
    """A scope with an event's parameters bound: all IR parameters, and the arguments that patterns see."""
    scope = Scope(low, f"{prefix}_{event}")
    routine = low.program.routines.get(event)
    params: list[str] = []
    if routine is not None:
        given = taken(routine_roles(event, low), scope)
        bind_taken(routine, scope, given)
        params += named(given)
    own: list[ir.Expr] = []
    for p, maybe in zip(event_params(event, low), maybe_params(event, low), strict=True):
        low.local_kinds[p.name] = p.type.name
        params.append(scope.bind(p, present=not maybe))
        own.append(ir.Local(params[-1]))
    if borne_by(event, low) is not None:
        params.append(scope.fresh("self"))
        own.append(ir.Local(params[-1]))
    return scope, params, tuple(own)


def can(wanted: CanHappen, low: Lowering) -> None:
    """`can_EVENT(...)`: 0 where a requirement fails, or something forbids the event."""
    event = wanted.event
    routine = low.program.routines.get(event)
    requires = routine.requires if routine is not None else ()
    forbids = low.graph.forbids_on.get(event, [])
    scope, params, args = _signature(event, low, "can")
    body: list[ir.Stmt] = []
    for require in requires:
        body += when(cond(require.condition, scope), [], [ir.Return(FALSE)])
    for forbid in _cheap_first(forbids, args, low):
        body += bearers.matches(forbid, args, low, partial(_refuse, forbid))
    body.append(ir.Return(TRUE))
    span = routine.span if routine is not None else forbids[0].span
    low.function(wanted.name, "pure", params, _merge_returns(body), f"can {event}", span)


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
    return low.ask(WhyNot(event))


def blaming(event: str, low: Lowering) -> tuple[list[str], list[ir.Stmt], Span]:
    """The parameters, body and place of what blames for a routine that cannot happen."""
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
    failed = [*ended(blame_fact(e, scope), scope.low), ir.Ensure(FALSE, otherwise, tuple(words.args))]
    return when(cond(e, scope), [], failed)


def ended(body: Sequence[ir.Stmt], low: Lowering) -> tuple[ir.Stmt, ...]:
    """What blames, as statements of a trial. A trial in it stays as it is: `trials.shorten` knows what is run there."""

    def one(stmt: ir.Stmt) -> ir.Stmt:
        match stmt:
            case ir.Blame():
                return ir.Ensure(FALSE, stmt.reason, stmt.args)
            case ir.BlameCall() if not stmt.trial:
                asked = low.requests[stmt.function]
                assert isinstance(asked, WhyNot)
                return ir.CallRoutine(low.ask(Ensuring(asked.event)), stmt.args)
            case _:
                return with_blocks(stmt, lambda block: ended(block, low))

    return tuple(one(stmt) for stmt in body if not _details(stmt, low))


def _details(stmt: ir.Stmt, low: Lowering) -> bool:
    """Whether a statement blames details, behind the reason that ends a trial."""
    return isinstance(stmt, ir.BlameCall) and not stmt.trial and not isinstance(low.requests.get(stmt.function), WhyNot)


def blame_forbids(event: str, args: tuple[ir.Expr, ...], low: Lowering) -> list[ir.Stmt]:
    out: list[ir.Stmt] = []
    for forbid in low.graph.forbids_on.get(event, ()):
        out += bearers.matches(forbid, args, low, partial(_blame_forbid, forbid))
    return out


def _blame_forbid(forbid: tree.Forbid, scope: Scope) -> list[ir.Stmt]:
    low = scope.low
    text, args = text_parts(forbid.because, scope)
    source = low.source_of(forbid.origin)
    reason = low.reason(text or _forbidden(source), source, forbid.span)
    guard = cond(forbid.guard, scope) if forbid.guard is not None else TRUE
    return when(guard, [ir.Blame(reason, args)])


def _forbidden(source: str) -> Phrase:
    return phrase("{source} forbids it", source=RuleName(source, "word")) if source else phrase("a rule forbids it")


def blame(require: tree.Require | tree.Ensure, scope: Scope, source: str = "") -> list[ir.Stmt]:
    """Blames a failing requirement, in the author's words or, where he gave none, in words made of the condition."""
    if not require.because:
        return blame_fact(require.condition, scope, source)
    text, args = text_parts(require.because, scope)
    reason = scope.low.reason(text, source, require.span)
    blamed = [ir.Blame(reason, args), *details.detail(require.condition, scope)]
    return when(cond(require.condition, scope), [], blamed)


def why_false(wanted: WhyFalse, low: Lowering) -> None:
    """`why_false_VALUE(args...)`: blames what of a truth value fails: of its own condition, and what hooks add."""
    declared = low.program.values[wanted.value]
    scope = Scope(low, f"why_false_{declared.id}")
    params: list[str] = []
    for p in declared.params:
        low.local_kinds[p.name] = p.type.name
        params.append(scope.bind(p, present=not p.type.maybe))
    args = tuple(scope.names[p.name] for p in declared.params)
    modifies = low.graph.modifies_on.get(declared.id, [])
    body: list[ir.Stmt] = []
    if not any(m.op in ("=", "or") for m in modifies):
        body += details.detail(declared.body, scope)
    for m in modifies:
        if m.op == "and":
            body += bearers.matches(m, args, low, partial(_blame_added, m))
    low.function(wanted.name, "why", params, body, f"why not {declared.id}", declared.span)


def _blame_added(m: tree.Modify, scope: Scope) -> list[ir.Stmt]:
    guard = cond(m.guard, scope) if m.guard is not None else TRUE
    return when(guard, blame(tree.Require(m.span, m.value, m.because), scope, scope.low.source_of(m.origin)))


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
    said = blame_words(lambda words: words.fact(e, False), e.span, scope, source)
    return when(cond(e, scope), [], [*said, *details.detail(e, scope)])


def blame_words(tell: Callable[[Words], Phrase], span: Span, scope: Scope, source: str = "") -> list[ir.Stmt]:
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
        given = asked_with(part.event, args, scope)
    calls = [ir.BlameCall(why_function(part.event, low), given)]
    return when(both(*guards), calls, [ir.Blame(missing, tuple(words.args))])


def blame_text(said: Phrase, span: Span, scope: Scope, *args: ir.Expr) -> ir.Stmt:
    """A reason in a sentence of the program's own, over these arguments."""
    return ir.Blame(scope.low.reason(said, "", span), args)
