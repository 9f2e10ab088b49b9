"""What a reason sums up, in detail: each term of a printed condition that fails, and each rule that adds to a value.

`because "it cannot live there"` is followed by what the place asks for and what the thing has of it. A trial ends with
one reason; what that sums up is told on the same copy of the state, by the function `ir.MORE`, which knows the reason
by its number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulelang.base.phrases import Filling, Phrase, RuleName, Value, phrase
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import Lowering, Scope, both, equal, negate, once, when
from rulelang.compiler.lower.expr.calls import maybe_params, value_function
from rulelang.compiler.lower.expr.expressions import arguments, through
from rulelang.compiler.lower.expr.roles import value_roles
from rulelang.compiler.lower.requests import WhyFalse
from rulelang.compiler.lower.routines.questions import closed
from rulelang.compiler.lower.state import constant_columns
from rulelang.language.semantics import tree
from rulelang.language.semantics.model import Condition, Term
from rulelang.language.semantics.tree import conjuncts


def told(e: tree.Expr, low: Lowering) -> bool:
    """Whether there is anything to be told of a condition beyond its own words."""
    return any(
        isinstance(part, tree.Meets) or (isinstance(part, tree.ValueCall) and _explained(part.value, low))
        for part in conjuncts(e)
    )


@once
def _explained(value: str, low: Lowering) -> bool:
    declared = low.program.values[value]
    if value_roles(value, low):
        return False
    return any(m.op == "and" for m in low.graph.modifies_on.get(value, ())) or told(declared.body, low)


def detail(e: tree.Expr, scope: Scope) -> list[ir.Stmt]:
    """Blames what of a condition fails, where that can be told in detail."""
    low, out = scope.low, list[ir.Stmt]()
    for part in conjuncts(e):
        if isinstance(part, tree.Meets):
            subject, g1 = through(part.subject, scope)
            assert isinstance(part.condition, tree.ColumnRef)
            row, g2 = through(part.condition.object, scope)
            out += when(both(*g1, *g2), [ir.BlameCall(_asks_for(part, low), (subject, row))])
        elif isinstance(part, tree.ValueCall) and _explained(part.value, low):
            args, guards = arguments(part.args, scope, maybe=maybe_params(part.value, low))
            out += when(both(*guards), [ir.BlameCall(low.ask(WhyFalse(part.value)), args)])
    return out


def _asks_for(e: tree.Meets, low: Lowering) -> str:
    """`why_meets_COLUMN(subject, row)`: blames each term of the row's condition that fails."""
    assert isinstance(e.condition, tree.ColumnRef)
    column = e.condition.column
    key = ("why meets", e.condition.kind, column.name, e.counter)
    if key in low.names:
        return low.names[key]
    measures = low.model.lists[column.type.name].rows
    cells = constant_columns.cells_of(low, e.condition.kind, column)
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
            said = _lacking(place, names, term, thing)
            blamed = ir.Blame(low.reason(said, "", e.span), (subject, row, ir.Local("total")))
            failing = when(negate(ir.Compare(term.op, ir.Local("total"), ir.Const(term.number))), [blamed])
            terms += [ir.Set("total", total), *failing]
        body.append(ir.Branch(equal(ir.Local("k"), ir.Const(k)), tuple(terms)))
    low.names[key] = name = low.unique(f"why_meets_{column.name}")
    return low.function(name, "why", ("subject", "row"), body, f"meets {column.name}", e.span)


def _lacking(place: Value, measures: list[RuleName], term: Term, thing: Value) -> Phrase:
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


def ensured(
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
    if not told(e, low) and not others:
        return tuple(told_)
    inner, params, args = closed((e, *others), scope, f"detail_{scope.prefix}")
    body = [*detail(e, inner), *(stmt for other in others for stmt in blame(other, inner))]
    name = low.function(low.unique(inner.prefix), "why", params, body, "why not", e.span)
    low.details.append((reason, len(told_), name))
    return (*told_, *args)


def more_reasons(module: ir.Module, low: Lowering) -> None:
    """`more_reasons(number, values...)`: the details of a reason with which a trial ended."""
    if not low.details:
        return
    width = max(first + len(low.functions[name].params) for _, first, name in low.details)
    values = tuple(f"a{k}" for k in range(width))
    body: list[ir.Stmt] = []
    for reason, first, name in low.details:
        last = first + len(low.functions[name].params)
        call = ir.BlameCall(name, tuple(map(ir.Local, values[first:last])))
        body += when(equal(ir.Local("number"), ir.Const(reason)), [call])
    span = low.reasons[low.details[0][0]].span
    module.why[ir.MORE] = low.function("more_reasons", "why", ("number", *values), body, "why not", span)
