"""Actions `in steps`: asked argument by argument, and only values are offered that can be completed.

The offer lists the action alone (with its bearer). Once it is taken, one choice follows for each argument; a value is
offered if some values of the arguments after it make the action legal.
"""

from __future__ import annotations

from rulelang.base.layout import ActionInfo
from rulelang.base.phrases import Filling, Phrase, PlayerText, RuleName, Value, phrase
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import FALSE, TRUE, Lowering, Scope, both, either, equal, when
from rulelang.compiler.lower.expr.calls import seen_args
from rulelang.compiler.lower.expr.expressions import cond
from rulelang.compiler.lower.expr.iteration import loops
from rulelang.compiler.lower.expr.permitted import bound
from rulelang.compiler.lower.routines import trials
from rulelang.compiler.lower.routines.candidates import blame_candidate
from rulelang.compiler.lower.routines.choosing import holds
from rulelang.compiler.lower.routines.legality import blame, blame_forbids, blame_text
from rulelang.compiler.lower.routines.nouns import name_of
from rulelang.compiler.lower.routines.options import Arguments
from rulelang.compiler.lower.routines.questions import Question, choosing, text
from rulelang.compiler.lower.routines.texts import text_parts
from rulelang.language.semantics import tree
from rulelang.language.semantics.state_layout import type_name
from rulelang.language.semantics.tree import conjuncts, locals_of


def _bound_scope(action: tree.Action, count: int, stem: str, low: Lowering) -> tuple[Scope, list[str]]:
    """A scope with the actor, the bearer and the first `count` arguments as parameters."""
    scope, params, _ = bound(action, stem, low)
    for b in action.binders[:count]:
        low.local_kinds[b.local.name] = b.local.type.name
        params.append(scope.bind(b.local, present=not b.maybe))
    return scope, params


def _tests(action: tree.Action, count: int) -> list[tree.Expr]:
    """Requirements that speak of arguments from the given one on."""
    before = {b.local.name for b in action.binders[:count]}
    later = {b.local.name for b in action.binders[count:]}
    parts = [p for r in action.requires for p in conjuncts(r.condition)]
    return [p for p in parts if locals_of(p) & later or (count == 0 and not locals_of(p) & before)]


def completable(action: tree.Action, count: int, low: Lowering) -> str:
    """`can_complete_ACTION_k(me, roles..., arguments...)`: some values of the other arguments make it legal."""
    name = f"complete_{action.id}_{count}".replace(".", "__")
    if name not in low.functions and name not in low.pending:
        low.pending.add(name)
        scope, params = _bound_scope(action, count, "complete", low)
        arguments = Arguments(action, low, [ir.Return(TRUE)])
        body = arguments.open(scope, action.binders[count:], _tests(action, count))
        low.function(name, "pure", params, [*body, ir.Return(FALSE)], f"complete {action.id}", action.span)
    return name


def _step(action: tree.Action, k: int, low: Lowering) -> str:
    """Enumerator of the k-th argument's values that can be completed."""
    name = f"step_{action.id}_{k}".replace(".", "__")
    if name not in low.functions and name not in low.pending:
        low.pending.add(name)
        scope, params = _bound_scope(action, k, "step", low)
        b = action.binders[k]

        alike = isinstance(b.domain, tree.InZones) and not low.model.sorts[b.domain.sort].attributes
        looks = low.table("look", [c.look for c in low.plan.cards])

        def one(inner: Scope) -> list[ir.Stmt]:
            value = inner.names[b.local.name]
            known = {x.local.name for x in action.binders[: k + 1]}
            every = {x.local.name for x in action.binders}
            ready = [
                t for t in _tests(action, k) if not (locals_of(t) & every) - known and b.local.name in locals_of(t)
            ]
            rest = ir.Call(completable(action, k + 1, low), (*(ir.Local(p) for p in params), value))
            offered: list[ir.Stmt] = [ir.Yield((value,))]
            if alike:
                # Of equal cards that can be taken the first stands for all.
                look = ir.Table(looks, value)
                offered = when(
                    ir.Not(ir.Call(holds(low), (ir.Local("seen"), look))), [ir.Append("seen", look), *offered]
                )
            return when(both(*(cond(t, inner) for t in ready), rest), offered)

        body: list[ir.Stmt] = [ir.NewList("seen", len(low.plan.cards))] if alike else []
        body += loops([b], scope, one)
        low.function(name, "enumerator", params, body, f"{action.id}: {b.local.text}", action.span)
    return name


def _question(action: tree.Action, k: int, info: ActionInfo, told: tuple[ir.Expr, ...], low: Lowering) -> Question:
    """The question for the k-th argument, with those that were chosen before it: `told` what they are."""
    b, asks = action.binders[k], action.asks[k] if action.asks else ()
    scope, params = _bound_scope(action, k, "question", low)
    doing: Filling = name_of(action.name)
    fallback = text(_step_of(doing, choosing((b,), ())))
    words, values = text_parts(asks, scope)
    bearer, thing = action.bearer.self, scope.roles.get("self")
    if bearer is not None and thing is not None:
        said = Value(len(values), type_name(bearer.type))
        doing, values = phrase("{action} of {thing}", action=doing, thing=said), (*values, thing)
    whole = _step_of(doing, choosing((b,), words))
    body: list[ir.Stmt] = [ir.Blame(low.reason(whole, "", b.span), values)]
    for before in action.binders[:k]:
        value, name = scope.names[before.local.name], before.local.text
        held = Value(0, type_name(before.local.type))
        chosen = phrase("{value}", value=held)
        if len(name) > 2:
            chosen = phrase("{argument} {value}", argument=RuleName(name), value=held)
        blamed: list[ir.Stmt] = [blame_text(chosen, b.span, scope, value)]
        body += when(value, blamed) if before.maybe and before.local.type.tag == "ref" else blamed
    title = low.function(low.unique(f"question_{action.id}_{k}"), "why", params, body, "question", b.span)
    refusing = _refusing(action, k, low)
    return Question(low.site("choose", (info,), fallback, b.span, title, refusing), told)


def _step_of(action: Filling, question: PlayerText) -> Phrase:
    return phrase("{action}: {question}", action=action, question=question)


def _refusing(action: tree.Action, k: int, low: Lowering) -> str:
    """What tells why a value is refused for the k-th argument: what it fails; or that nothing goes with it."""
    b = action.binders[k]
    scope, params = _bound_scope(action, k + 1, "refuse", low)
    body = blame_candidate(b, action.becauses[k], scope)
    given = scope.names[b.local.name]
    tests = [] if b.where is None else [either(cond(b.where, scope), *((equal(given, FALSE),) if b.maybe else ()))]
    later = {x.local.name for x in action.binders[k + 1 :]}
    for r in action.requires:
        if b.local.name in locals_of(r.condition) and not locals_of(r.condition) & later:
            body += blame(r, scope, low.source_of(action.origin))
            tests.append(cond(r.condition, scope))
    chosen = tuple(ir.Local(p) for p in params)
    if later:
        rest = ir.Call(completable(action, k + 1, low), chosen)
        body += when(
            both(*tests, ir.Not(rest)), [blame_text(phrase("nothing could be chosen after it"), b.span, scope)]
        )
    else:
        args = tuple(scope.names[x.local.name] for x in action.binders)
        body += blame_forbids(action.id, seen_args(action.id, args, scope), low)
        if trials.tries(action, low):
            body.append(ir.BlameCall(trials.trial(action, low), chosen[1:], trial=True))
    return low.function(low.unique(f"refuse_{action.id}_{k}"), "why", params, body, "why not", b.span)


def ask(action: tree.Action, roles: tuple[ir.Expr, ...], me: ir.Expr, scope: Scope) -> tuple[
    list[ir.Stmt], tuple[ir.Expr, ...]
]:  # fmt: skip
    """The choices that follow when the action is taken, and its arguments."""
    low = scope.low
    stmts: list[ir.Stmt] = []
    args: list[ir.Expr] = []
    for k, b in enumerate(action.binders):
        target = scope.fresh(b.local.text)
        info = ActionInfo("choose", "", (type_name(b.local.type),), (b.local.text,), "", b.span)
        question = _question(action, k, info, (me, *roles, *args), low)
        source = ir.Source(0, _step(action, k, low), (me, *roles, *args))
        stmts.append(ir.Pick(question.site, me, (source,), FALSE, scope.fresh("tag"), (target,), told=question.told))
        args.append(ir.Local(target))
    return stmts, tuple(args)
