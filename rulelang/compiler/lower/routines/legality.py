"""Decide whether an event may happen, and explain why not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Literal

from rulelang.base.phrases import Filling, Phrase, RuleName, Value, phrase
from rulelang.base.source import Span
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import with_blocks
from rulelang.compiler.lower.context import (
    FALSE,
    TRUE,
    CanHappen,
    EnsureEvent,
    Guards,
    Lowering,
    Scope,
    WhyFalse,
    WhyNot,
    as_bool,
    branch,
    conjunction,
    disjunction,
    equal,
    lower_arguments,
    lower_condition,
    lower_through,
    negate,
    once_per_table,
)
from rulelang.compiler.lower.expr.calls import (
    event_params,
    optional_params,
    pattern_args,
    permission_args,
    role_args,
    value_function,
)
from rulelang.compiler.lower.narration.conditions import ConditionWords
from rulelang.compiler.lower.narration.questions import closed_scope, lower_text
from rulelang.compiler.lower.routines import hook_bearers
from rulelang.compiler.lower.state import access
from rulelang.compiler.lower.state.bearers import (
    bind_taken,
    event_bearer,
    param_names,
    role_params,
    routine_roles,
    value_roles,
)
from rulelang.language.semantics import tree
from rulelang.language.semantics.model import BOOL, Condition, Term
from rulelang.language.semantics.tree import conjuncts, walk

# ---- details of a reason


def has_details(e: tree.Expr, low: Lowering) -> bool:
    """Whether there is anything to be told of a condition beyond its own words."""
    return any(
        isinstance(part, tree.Meets) or (isinstance(part, tree.ValueCall) and _is_explained(part.value, low))
        for part in conjuncts(e)
    )


@once_per_table
def _is_explained(value: str, low: Lowering) -> bool:
    declared = low.program.values[value]
    if value_roles(value, low):
        return False
    return any(m.op == "and" for m in low.graph.modifies_on.get(value, ())) or has_details(declared.body, low)


def blame_details(e: tree.Expr, scope: Scope) -> list[ir.Stmt]:
    """Blames what of a condition fails, where that can be told in detail."""
    low, out = scope.low, list[ir.Stmt]()
    for part in conjuncts(e):
        if isinstance(part, tree.Meets):
            subject, g1 = lower_through(part.subject, scope)
            assert isinstance(part.condition, tree.ColumnRef)
            row, g2 = lower_through(part.condition.object, scope)
            out += branch(conjunction(*g1, *g2), [ir.BlameCall(_why_meets_function(part, low), (subject, row))])
        elif isinstance(part, tree.ValueCall) and _is_explained(part.value, low):
            args, guards = lower_arguments(part.args, scope, maybe=optional_params(part.value, low))
            out += branch(conjunction(*guards), [ir.BlameCall(low.ask(WhyFalse(part.value)), args)])
    return out


def _why_meets_function(e: tree.Meets, low: Lowering) -> str:
    """`why_meets_COLUMN(subject, row)`: blames each term of the row's condition that fails."""
    assert isinstance(e.condition, tree.ColumnRef)
    column = e.condition.column
    key = ("why meets", e.condition.kind, column.name, e.counter)
    if key in low.names:
        return low.names[key]
    measures = low.model.lists[column.type.name].rows
    cells = access.column_values(low, e.condition.kind, column)
    subject, row = ir.Local("subject"), ir.Local("row")
    thing, place = Value(0, e.subject.type.name), Value(1, e.condition.object.type.name)
    different: list[Condition] = []
    numbers: list[int] = []
    for c in cells:
        assert isinstance(c, Condition)
        if c not in different:
            different.append(c)
        numbers.append(different.index(c))
    body: list[ir.Stmt] = [ir.Set("k", ir.Table(low.table(f"condition_{column.name}", numbers), row))]
    for k, c in enumerate(different):
        terms: list[ir.Stmt] = []
        for term in c.terms:
            total: ir.Expr = ir.Const(0)
            for n, m in enumerate(term.measures):
                one = ir.Call(value_function(low, e.counter), (subject, ir.Const(m)))
                total = one if n == 0 else ir.Arith("+", total, one)
            names = [RuleName(measures[m - 1].name or str(m), "row", column.type.name) for m in term.measures]
            said = _shortfall(place, names, term, thing)
            blamed = ir.Blame(low.reason(said, "", e.span), (subject, row, ir.Local("total")))
            failing = branch(negate(ir.Compare(term.op, ir.Local("total"), ir.Const(term.number))), [blamed])
            terms += [ir.Set("total", total), *failing]
        body.append(ir.Branch(equal(ir.Local("k"), ir.Const(k)), tuple(terms)))
    low.names[key] = name = low.unique(f"why_meets_{column.name}")
    return low.function(name, "why", ("subject", "row"), body, f"meets {column.name}", e.span)


def _shortfall(place: Value, measures: list[RuleName], term: Term, thing: Value) -> Phrase:
    """What a place asks for, and what the thing has of it (the third argument)."""
    number, count = term.number, Value(2, "int")
    some = (term.op, number) in ((">=", 1), (">", 0), ("!=", 0))
    wanted: Filling = measures[0]
    for other in measures[1:]:
        if some:
            wanted = phrase("{first} or {last}", first=wanted, last=other)
        else:
            wanted = phrase("{first} plus {second}", first=wanted, second=other)
    holes: dict[str, Filling] = {"place": place, "measure": wanted, "thing": thing}
    match term.op, number:
        case ("==", 0) | ("<=", 0) | ("<", 1):
            return phrase("{place} does not allow {measure}, but {thing} has {count}", **holes, count=count)
        case (">=", 1) | (">", 0) | ("!=", 0):
            return phrase("{place} requires {measure}, but {thing} has none", **holes)
        case ">=", _:
            said = phrase("at least {number}", number=number)
        case ">", _:
            said = phrase("more than {number}", number=number)
        case "<=", _:
            said = phrase("at most {number}", number=number)
        case "<", _:
            said = phrase("less than {number}", number=number)
        case "!=", _:
            said = phrase("other than {number}", number=number)
        case _:
            said = phrase("exactly {number}", number=number)
    return phrase("{place} requires {wanted} of {measure}, but {thing} has {count}", wanted=said, **holes, count=count)


# ---- trials


def ensure_details(
    e: tree.Expr,
    reason: int,
    told_: Sequence[ir.Expr],
    scope: Scope,
    others: Sequence[tree.Ensure],
    blame: Callable[[tree.Ensure, Scope], list[ir.Stmt]],
) -> tuple[ir.Expr, ...]:
    """What an `ensure` tells with its reason: for the text, and behind that for what it sums up, and for the `others`
    behind it, which `blame` tells if they fail."""
    low = scope.low
    if not has_details(e, low) and not others:
        return tuple(told_)
    inner, params, args = closed_scope((e, *others), scope, f"detail_{scope.prefix}")
    body = [*blame_details(e, inner), *(stmt for other in others for stmt in blame(other, inner))]
    name = low.function(low.unique(inner.prefix), "why", params, body, "why not", e.span)
    low.details.append((reason, len(told_), name))
    return (*told_, *args)


def lower_more_reasons(module: ir.Module, low: Lowering) -> None:
    """`more_reasons(number, values...)`: the details of a reason with which a trial ended."""
    if not low.details:
        return
    width = max(first + len(low.functions[name].params) for _, first, name in low.details)
    values = tuple(f"a{k}" for k in range(width))
    body: list[ir.Stmt] = []
    for reason, first, name in low.details:
        last = first + len(low.functions[name].params)
        call = ir.BlameCall(name, tuple(map(ir.Local, values[first:last])))
        body += branch(equal(ir.Local("number"), ir.Const(reason)), [call])
    span = low.reasons[low.details[0][0]].span
    module.why[ir.MORE] = low.function("more_reasons", "why", ("number", *values), body, "why not", span)


# ---- legality


def _signature(event: str, low: Lowering, prefix: str) -> tuple[Scope, list[str], tuple[ir.Expr, ...]]:
    """A scope with an event's parameters bound: all IR parameters, and the arguments that patterns see."""
    scope = Scope(low, f"{prefix}_{event}")
    routine = low.program.routines.get(event)
    params: list[str] = []
    if routine is not None:
        given = role_params(routine_roles(event, low), scope)
        bind_taken(routine, scope, given)
        params += param_names(given)
    own: list[ir.Expr] = []
    for p, maybe in zip(event_params(event, low), optional_params(event, low), strict=True):
        low.local_kinds[p.name] = p.type.name
        params.append(scope.bind(p, present=not maybe))
        own.append(ir.Local(params[-1]))
    if event_bearer(event, low) is not None:
        params.append(scope.fresh("self"))
        own.append(ir.Local(params[-1]))
    return scope, params, tuple(own)


def lower_can(wanted: CanHappen, low: Lowering) -> None:
    """`can_EVENT(...)`: 0 where a requirement fails, or something forbids the event."""
    event = wanted.event
    routine = low.program.routines.get(event)
    requires = routine.requires if routine is not None else ()
    forbids = low.graph.forbids_on.get(event, [])
    scope, params, args = _signature(event, low, "can")
    body: list[ir.Stmt] = []
    for require in requires:
        body += branch(lower_condition(require.condition, scope), [], [ir.Return(FALSE)])
    for forbid in _cheap_first(forbids, args, low):
        body += hook_bearers.loop_over_matches(forbid, args, low, partial(_return_forbidden, forbid))
    body.append(ir.Return(TRUE))
    span = routine.span if routine is not None else forbids[0].span
    low.function(wanted.name, "pure", params, _merge_returns(body), f"can {event}", span)


def _cheap_first(forbids: list[tree.Forbid], args: tuple[ir.Expr, ...], low: Lowering) -> list[tree.Forbid]:
    """Forbids that need no loop before those that do: the order does not matter to the answer."""
    return sorted(
        forbids, key=lambda f: hook_bearers.simple_match(f, args, low) is None or hook_bearers.uses_card(f, low)
    )


def _merge_returns(body: list[ir.Stmt]) -> list[ir.Stmt]:
    """A run of `if not a: return 0` with a final `return 1` as one conjunction, so that it can be inlined."""
    parts: list[ir.Expr] = []
    for k, stmt in enumerate(body):
        if isinstance(stmt, ir.Branch) and stmt.then == (ir.Return(FALSE),) and not stmt.otherwise:
            parts.append(negate(stmt.test))
        elif k == len(body) - 1:
            return [ir.Return(as_bool(conjunction(*parts)))] if parts else body
        else:
            head: list[ir.Stmt] = branch(negate(conjunction(*parts)), [ir.Return(FALSE)]) if parts else []
            return [*head, *body[k:]]
    return body


def _return_forbidden(forbid: tree.Forbid, scope: Scope) -> list[ir.Stmt]:
    guard = lower_condition(forbid.guard, scope) if forbid.guard is not None else TRUE
    return branch(guard, [ir.Return(FALSE)])


# ---- why not


def why_function(event: str, low: Lowering) -> str:
    """`why_EVENT(args)`: blames every failing requirement (of routines that it rests on, too) and every forbid."""
    return low.ask(WhyNot(event))


def blame_parts(event: str, low: Lowering) -> tuple[list[str], list[ir.Stmt], Span]:
    """The parameters, body and place of what blames for a routine that cannot happen."""
    scope, params, args = _signature(event, low, "why")
    routine = low.program.routines[event]
    body: list[ir.Stmt] = []
    for require in routine.requires:
        body += blame_requirement(require, scope)
    body += blame_forbids(event, args, low)
    return params, body, routine.span


def ensure_fact(e: tree.Expr, scope: Scope) -> list[ir.Stmt]:
    """`ensure` without `because`: the first thing that would be blamed for a false condition ends the trial."""
    words = ConditionWords(scope, values=False)
    otherwise = scope.low.reason(words.fact(e, False), "", e.span)
    failed = [*end_trial(blame_fact(e, scope), scope.low), ir.Ensure(FALSE, otherwise, tuple(words.args))]
    return branch(lower_condition(e, scope), [], failed)


def end_trial(body: Sequence[ir.Stmt], low: Lowering) -> tuple[ir.Stmt, ...]:
    """What blames, as statements of a trial. A trial in it stays as it is: `shorten_trials` knows what is run there."""

    def one(stmt: ir.Stmt) -> ir.Stmt:
        match stmt:
            case ir.Blame():
                return ir.Ensure(FALSE, stmt.reason, stmt.args)
            case ir.BlameCall() if not stmt.trial:
                asked = low.requests[stmt.function]
                assert isinstance(asked, WhyNot)
                return ir.CallRoutine(low.ask(EnsureEvent(asked.event)), stmt.args)
            case _:
                return with_blocks(stmt, lambda block: end_trial(block, low))

    return tuple(one(stmt) for stmt in body if not _blames_details(stmt, low))


def _blames_details(stmt: ir.Stmt, low: Lowering) -> bool:
    """Whether a statement blames details, behind the reason that ends a trial."""
    return isinstance(stmt, ir.BlameCall) and not stmt.trial and not isinstance(low.requests.get(stmt.function), WhyNot)


def blame_forbids(event: str, args: tuple[ir.Expr, ...], low: Lowering) -> list[ir.Stmt]:
    out: list[ir.Stmt] = []
    for forbid in low.graph.forbids_on.get(event, ()):
        out += hook_bearers.loop_over_matches(forbid, args, low, partial(_blame_forbid, forbid))
    return out


def _blame_forbid(forbid: tree.Forbid, scope: Scope) -> list[ir.Stmt]:
    low = scope.low
    text, args = lower_text(forbid.because, scope)
    source = low.source_of(forbid.origin)
    reason = low.reason(text or _forbidden_by(source), source, forbid.span)
    guard = lower_condition(forbid.guard, scope) if forbid.guard is not None else TRUE
    return branch(guard, [ir.Blame(reason, args)])


def _forbidden_by(source: str) -> Phrase:
    return phrase("{source} forbids it", source=RuleName(source, "word")) if source else phrase("a rule forbids it")


def blame_requirement(require: tree.Require | tree.Ensure, scope: Scope, source: str = "") -> list[ir.Stmt]:
    """Blames a failing requirement, in the author's words or, where he gave none, in words made of the condition."""
    if not require.because:
        return blame_fact(require.condition, scope, source)
    text, args = lower_text(require.because, scope)
    reason = scope.low.reason(text, source, require.span)
    blamed = [ir.Blame(reason, args), *blame_details(require.condition, scope)]
    return branch(lower_condition(require.condition, scope), [], blamed)


def lower_why_false(wanted: WhyFalse, low: Lowering) -> None:
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
        body += blame_details(declared.body, scope)
    for m in modifies:
        if m.op == "and":
            body += hook_bearers.loop_over_matches(m, args, low, partial(_blame_added, m))
    low.function(wanted.name, "why", params, body, f"why not {declared.id}", declared.span)


def _blame_added(m: tree.Modify, scope: Scope) -> list[ir.Stmt]:
    guard = lower_condition(m.guard, scope) if m.guard is not None else TRUE
    return branch(
        guard, blame_requirement(tree.Require(m.span, m.value, m.because), scope, scope.low.source_of(m.origin))
    )


def blame_fact(e: tree.Expr, scope: Scope, source: str = "") -> list[ir.Stmt]:
    """Blames each part of a condition that fails; one that rests on `can R(..)` hands on to R's own reasons."""
    if isinstance(e, tree.Can):
        return _blame_can(e, scope, source)
    if isinstance(e, tree.Logic):
        left, right = blame_fact(e.left, scope, source), blame_fact(e.right, scope, source)
        if e.op == "and":
            # What is there is looked at only if it is there.
            asks = any(isinstance(n, tree.Present | tree.ZoneEmpty) for n in walk(e.left))
            return branch(lower_condition(e.left, scope), right, left) if asks else [*left, *right]
        if any(isinstance(n, tree.Can) for n in walk(e)):
            return branch(lower_condition(e, scope), [], [*left, *right])
    said = blame_words(lambda words: words.fact(e, False), e.span, scope, source)
    return branch(lower_condition(e, scope), [], [*said, *blame_details(e, scope)])


def blame_words(tell: Callable[[ConditionWords], Phrase], span: Span, scope: Scope, source: str = "") -> list[ir.Stmt]:
    """A reason in made words; where what they tell of is not there to be read, without values."""

    def blamed(values: bool) -> tuple[list[ir.Stmt], Guards]:
        words = ConditionWords(scope, values=values)
        said = tell(words)
        return [ir.Blame(scope.low.reason(said, source, span), tuple(words.args))], words.guards

    told, guards = blamed(True)
    readable = conjunction(*guards)
    return told if readable == TRUE else branch(readable, told, blamed(False)[0])


def _blame_can(part: tree.Can, scope: Scope, source: str) -> list[ir.Stmt]:
    low = scope.low
    args, guards = lower_arguments(part.args, scope, maybe=optional_params(part.event, low))
    words = ConditionWords(scope, values=False)
    missing = low.reason(words.fact(part, False), source, part.span)
    given = (*role_args(part.event, scope), *pattern_args(part.event, args, scope))
    if part.event in low.program.actions:
        given = permission_args(part.event, args, scope)
    calls = [ir.BlameCall(why_function(part.event, low), given)]
    return branch(conjunction(*guards), calls, [ir.Blame(missing, tuple(words.args))])


def blame_text(said: Phrase, span: Span, scope: Scope, *args: ir.Expr) -> ir.Stmt:
    """A reason in a sentence of the program's own, over these arguments."""
    return ir.Blame(scope.low.reason(said, "", span), args)


# ---- candidates of a choice


def blame_choice(s: tree.Choose, scope: Scope) -> list[ir.Stmt]:
    """What is wrong with the values that are bound in a scope for the variables of a `choose`."""
    return [stmt for b, why in zip(s.binders, s.becauses, strict=True) for stmt in blame_candidate(b, why, scope)]


def blame_candidate(b: tree.Binder, because: tree.Words, scope: Scope) -> list[ir.Stmt]:
    """Why a value is none of the binder's: it is not of its group, or fails its `where`."""
    out: list[ir.Stmt] = []
    ref = tree.LocalRef(b.local.type, b.span, b.local)
    for of_group, tell in _domain_tests(b, ref):
        inside = disjunction(
            lower_condition(of_group, scope), *((equal(scope.names[b.local.name], ir.Const(0)),) if b.maybe else ())
        )
        out += branch(inside, [], blame_words(tell, b.span, scope))
    if b.where is not None:
        held = blame_requirement(tree.Require(b.span, b.where, because), scope)
        out += branch(scope.names[b.local.name], held) if b.maybe else held
    return out


def _domain_tests(b: tree.Binder, ref: tree.LocalRef) -> Iterator[tuple[tree.Expr, Callable[[ConditionWords], Phrase]]]:
    """What has to be true of a member of the binder's group, and how to say that it is not."""
    domain, span = b.domain, b.span

    def member(group: tree.Expr | tree.AnyZone) -> tree.Expr:
        return tree.MemberOfSet(BOOL, span, ref, group)

    def compare(left: tree.Expr, op: Literal["==", "<=", ">="], right: tree.Expr) -> tree.Expr:
        return tree.Compare(BOOL, span, op, left, right)

    tests: list[tree.Expr] = []
    match domain:
        case tree.Things():
            if domain.owner is not None:
                owner = tree.Property(domain.owner.type, span, ref, domain.kind, "owner")
                yield compare(owner, "==", domain.owner), partial(_owned_by_other, owner, domain.owner)
            if domain.place is not None:
                tests.append(
                    compare(tree.Property(domain.place.type, span, ref, domain.kind, "place"), "==", domain.place)
                )
        case tree.InZones():
            anywhere: tree.Expr = member(domain.zones[0])
            for zone in domain.zones[1:]:
                anywhere = tree.Logic(BOOL, span, "or", anywhere, member(zone))
            yield anywhere, lambda words: words.lies(words.noun(ref), words.places(domain.zones), False)
        case tree.OnBearer():
            bearer = domain.bearer
            lies_on = tree.Property(bearer.type, span, ref, domain.sort, "on")
            partner = tree.Property(bearer.type, span, ref, domain.sort, "partner")
            on = tree.Logic(BOOL, span, "or", compare(lies_on, "==", bearer), compare(partner, "==", bearer))
            yield on, lambda words: phrase("{card} is not on {thing}", card=words.noun(ref), thing=words.noun(bearer))
        case tree.Range():
            within = tree.Logic(BOOL, span, "and", compare(ref, ">=", domain.low), compare(ref, "<=", domain.high))
            yield within, partial(_not_in_domain, ref, domain)
        case tree.Members():
            tests.append(member(domain.group))
    for test in tests:
        yield test, partial(_test_phrase, test)


def belongs_to_other(thing: Filling, owner: Filling, asked: Filling) -> Phrase:
    """That something is another player's, where one's own is wanted."""
    return phrase("{thing} belongs to {owner}, not to {asked}", thing=thing, owner=owner, asked=asked)


def _owned_by_other(owner: tree.Property, wanted: tree.Expr, words: ConditionWords) -> Phrase:
    if isinstance(wanted, tree.BuiltinRef) and wanted.name == "actor" and words.values:
        thing, holder, actor = words.noun(owner.object), words.read(owner), words.read(wanted)
        return belongs_to_other(thing, holder, actor)
    return words.fact(tree.Compare(BOOL, owner.span, "==", owner, wanted), False)


def _not_in_domain(ref: tree.LocalRef, domain: tree.Range, words: ConditionWords) -> Phrase:
    value = words.read(ref) if words.values else words.unread(ref)
    low, high = words.measured(domain.low), words.measured(domain.high)
    return phrase("{value} is not a number from {low} to {high}", value=value, low=low, high=high)


def _test_phrase(test: tree.Expr, words: ConditionWords) -> Phrase:
    return words.fact(test, False)
