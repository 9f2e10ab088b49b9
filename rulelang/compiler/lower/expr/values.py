"""Lower declared values with their `modify` rules, `affects`, and invariants to pure functions."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from rulelang.base.source import Span
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import (
    FALSE,
    TRUE,
    Affects,
    Guards,
    Lowering,
    Scope,
    ValueOf,
    add,
    as_bool,
    branch,
    conjunction,
    disjunction,
    lower_arguments,
    lower_condition,
    lower_through,
    lower_value,
    missing_value,
    negate,
    times,
    unguarded_value,
)
from rulelang.compiler.lower.expr.calls import order_parts, pattern_params
from rulelang.compiler.lower.expr.iteration import nested_loops
from rulelang.compiler.lower.program_graph import Hook
from rulelang.compiler.lower.routines import hook_bearers
from rulelang.compiler.lower.state import bearers
from rulelang.compiler.lower.state.bearers import (
    bearer_kind,
    bind_taken,
    param_names,
    role_params,
    trait_number,
    value_roles,
)
from rulelang.language.semantics import tree
from rulelang.language.semantics.state_layout import type_name

# ---- values

ORDER_OF_OPS = (("=",), ("+", "-"), ("*", "/", "%"), ("or",), ("and",), ("at least",), ("at most",))


def lower_value_function(wanted: ValueOf, low: Lowering) -> None:
    declared = low.program.values[wanted.value]
    scope = Scope(low, declared.id)
    given = role_params(value_roles(declared.id, low), scope)
    bind_taken(declared, scope, given)
    scope.roles.update(given)
    params = param_names(given)
    for p in declared.params:
        low.local_kinds[p.name] = p.type.name
        params.append(scope.bind(p, present=not p.type.maybe))
    args = tuple(scope.names[p.name] for p in declared.params)
    body: list[ir.Stmt]
    if wanted.part is not None:
        body = _order_part(wanted.part, declared, scope, args, low)
    else:
        if declared.type.tag == "bool":
            base: ir.Expr = as_bool(lower_condition(declared.body, scope))
        else:
            base, guards = lower_value(declared.body, scope)
            if declared.type.maybe and guards:
                base = ir.If(conjunction(*guards), base, missing_value(declared.type))
        body = apply_modifies(low, low.graph.modifies_on.get(declared.id, []), base, args, declared.type.tag == "bool")
    low.function(wanted.name, "pure", params, body, declared.id, declared.span)


def _order_part(k: int, declared: tree.Value, scope: Scope, args: tuple[ir.Expr, ...], low: Lowering) -> list[ir.Stmt]:
    """One of the numbers of an order. Of a shorter one that a `modify` puts in its place the rest is 0."""

    def part(e: tree.Expr, inner: Scope) -> tuple[ir.Expr, Guards]:
        parts, guards = order_parts(e, inner)
        return parts[k] if k < len(parts) else ir.Const(0), guards

    def put(m: tree.Modify, inner: Scope) -> list[ir.Stmt]:
        number, guards = part(m.value, inner)
        return branch(conjunction(_modify_guard(m, inner), *guards), [ir.Set("acc", number)])

    number, _ = part(declared.body, scope)
    modifies = sorted(low.graph.modifies_on.get(declared.id, []), key=lambda m: m.origin.layer)
    if not modifies:
        return [ir.Return(number)]
    put_in_place = [stmt for m in modifies for stmt in hook_bearers.loop_over_matches(m, args, low, partial(put, m))]
    return [ir.Set("acc", number), *put_in_place, ir.Return(ir.Local("acc"))]


def apply_modifies(
    low: Lowering, modifies: list[tree.Modify], base: ir.Expr, args: tuple[ir.Expr, ...], truth: bool
) -> list[ir.Stmt]:
    """Applies the modifies to a base expression: one `Return` where all are expressions, else step by step."""
    groups = [[m for m in modifies if m.op in ops] for ops in ORDER_OF_OPS]
    acc = base
    stmts: list[ir.Stmt] = []
    for group in groups:
        for m in sorted(group, key=lambda m: m.origin.layer):
            found = hook_bearers.simple_match(m, args, low) if not hook_bearers.counts_each_card(m, low) else None
            if found is not None and not stmts and m.op in ("+", "-", "or", "and", "*"):
                acc = _as_expression(m, acc, found[0], found[1], low)
            elif not stmts and m.op in ("+", "-"):
                acc = _summing_function(m, acc, args, low)
            else:
                if not stmts:
                    stmts.append(ir.Set("acc", acc))
                    acc = ir.Local("acc")
                stmts += hook_bearers.loop_over_matches(m, args, low, partial(_modify_statements, m, low))
    return [*stmts, ir.Return(as_bool(acc) if truth and not stmts else acc)]


def _modify_guard(m: tree.Modify, scope: Scope) -> ir.Expr:
    return lower_condition(m.guard, scope) if m.guard is not None else TRUE


def _multiplicity(m: tree.Modify, scope: Scope, low: Lowering) -> ir.Expr:
    """How often a modify counts for one bearer: once a card, where it does not look at the card."""
    if m.origin.what != "trait" or m.always or hook_bearers.uses_card(m, low) or m.op not in ("+", "-", "*", "/", "%"):
        return TRUE
    kind = bearer_kind(m, low)
    bearer = scope.roles["self"]
    if not bearers.bears_on_things(m, low) or bearer == ir.Const(0):
        return TRUE  # a card that lies on nothing is a bearer by itself
    number = trait_number(m.origin, low)
    many = ir.Call(bearers.copies_function(low, kind), (bearer, ir.Const(number)))
    several = bearers.bears_many(low, kind, bearer, number)
    return many if isinstance(several, ir.Const) else ir.If(several, many, TRUE)


def _as_expression(m: tree.Modify, acc: ir.Expr, test: ir.Expr, scope: Scope, low: Lowering) -> ir.Expr:
    if m.op in ("or", "and"):
        holds = lower_condition(m.value, scope)
        there = conjunction(test, _modify_guard(m, scope))
        return (
            disjunction(acc, conjunction(there, holds))
            if m.op == "or"
            else conjunction(acc, disjunction(negate(there), holds))
        )
    amount, guards = lower_through(m.value, scope)
    there = conjunction(test, _modify_guard(m, scope), *guards)
    if m.op == "*":
        return times(acc, amount if there == TRUE else ir.If(there, amount, TRUE), m.value.span)
    amount = times(amount, _multiplicity(m, scope, low), m.value.span)
    return _added_to(m, acc, amount if there == TRUE else ir.If(there, amount, ir.Const(0)))


def _added_to(m: tree.Modify, acc: ir.Expr, amount: ir.Expr) -> ir.Expr:
    """More or less by an amount."""
    return ir.Arith("-", acc, amount, m.value.span) if m.op == "-" else add(acc, amount, m.value.span)


def _summing_function(m: tree.Modify, acc: ir.Expr, args: tuple[ir.Expr, ...], low: Lowering) -> ir.Expr:
    """A sum over cards or bearers as a function of its own, called only where it can come to anything."""
    name = low.unique(f"sum_{m.origin.name or 'core'}_{m.pattern.event}")
    params = tuple(f"a{k}" for k in range(len(args)))
    inner = tuple(ir.Local(p) for p in params)
    plus: tree.Modify = replace(m, op="+")
    body = hook_bearers.loop_over_matches(m, inner, low, partial(_modify_statements, plus, low))
    low.function(name, "pure", params, [ir.Set("acc", ir.Const(0)), *body, ir.Return(ir.Local("acc"))], m.id, m.span)
    amount = ir.If(hook_bearers.may_match(m, args, low), ir.Call(name, args), ir.Const(0))
    return _added_to(m, acc, amount)


def _modify_statements(m: tree.Modify, low: Lowering, scope: Scope) -> list[ir.Stmt]:
    acc = ir.Local("acc")
    if m.op in ("or", "and"):
        holds = lower_condition(m.value, scope)
        new = disjunction(acc, holds) if m.op == "or" else conjunction(acc, holds)
        return branch(_modify_guard(m, scope), [ir.Set("acc", as_bool(new))])
    if m.op == "=" and m.value.type.tag == "bool":
        return branch(_modify_guard(m, scope), [ir.Set("acc", as_bool(lower_condition(m.value, scope)))])
    # What is `= none` is missing from then on; all else needs a number or something that is there.
    declared = low.program.values.get(m.pattern.event)
    may_be_none = m.op == "=" and declared is not None and declared.type.maybe
    (amount,), guards = lower_arguments((m.value,), scope, maybe=(may_be_none,))
    if m.op in ("+", "-"):
        amount = times(amount, _multiplicity(m, scope, low), m.value.span)
    match m.op:
        case "=":
            new = amount
        case "at least":
            new = ir.MinMax("max", (acc, amount))
        case "at most":
            new = ir.MinMax("min", (acc, amount))
        case "/":
            new = ir.Arith("//", acc, amount, m.value.span)
        case _:
            new = ir.Arith(m.op, acc, amount, m.value.span)  # type: ignore[arg-type]
    return branch(conjunction(_modify_guard(m, scope), *guards), [ir.Set("acc", new)])


# ---- affects


def lower_affects(wanted: Affects, low: Lowering) -> None:
    """`affects_EVENT(t, args...)`."""
    event = wanted.event
    hooks = [hook for hook in low.graph.on(event) if hook.origin.what == "trait"]
    params = tuple(f"a{k}" for k in range(len(pattern_params(event, low))))
    inner = tuple(ir.Local(p) for p in params)
    body: list[ir.Stmt] = []
    for number, group in _by_trait(hooks, low).items():
        tests: list[ir.Stmt] = []
        for hook in group:
            tests += hook_bearers.loop_over_matches(hook, inner, low, partial(_return_true, hook))
        body.append(ir.Branch(ir.Compare("==", ir.Local("t"), ir.Const(number)), (*tests, ir.Return(FALSE))))
    body.append(ir.Return(FALSE))
    low.function(wanted.name, "pure", ("t", *params), body, f"affects {event}", hooks[0].span)


def _by_trait(hooks: list[Hook], low: Lowering) -> dict[int, list[Hook]]:
    groups: dict[int, list[Hook]] = {}
    for hook in hooks:
        groups.setdefault(trait_number(hook.origin, low), []).append(hook)
    return groups


def _return_true(hook: Hook, scope: Scope) -> list[ir.Stmt]:
    guard = lower_condition(hook.guard, scope) if hook.guard is not None else TRUE
    return branch(guard, [ir.Return(TRUE)])


# ---- invariants

#: By the number of each reason of a `why` function: the variables whose values come first, the conditions it is about.
Comparisons = dict[int, tuple[tuple[tree.Local, ...], tuple[tree.Expr, ...]]]
#: What a text can show.
_LOCALS_SHOWN = ("int", "bool", "ref")


def invariant_function(invariant: tree.Invariant, low: Lowering) -> str:
    """The function that answers whether it holds."""
    scope = Scope(low, f"invariant_{invariant.name}")
    base = lower_condition(invariant.body, scope)
    modifies = low.graph.modifies_on.get(invariant.id, [])
    body = apply_modifies(low, modifies, base, (), True)
    return low.function(f"invariant_{invariant.name}", "pure", (), body, invariant.name, invariant.span)


def why_invariant(invariant: tree.Invariant, low: Lowering, said: Comparisons | None = None) -> str:
    """The function that blames what it does not hold for: the first, or (with `said`, which is filled) everything."""
    body = _CounterexampleSearch(low, said).unless(invariant.body, Scope(low, f"why_{invariant.name}"), ())
    return low.function(f"why_invariant_{invariant.name}", "why", (), body, invariant.name, invariant.span)


def _always_there(e: tree.Expr, scope: Scope) -> bool:
    """Whether a condition reads through nothing that may be missing: then it is true or its denial is."""
    match e:
        case tree.Logic(left=left, right=right):
            return _always_there(left, scope) and _always_there(right, scope)
        case tree.Not(operand=operand):
            return _always_there(operand, scope)
        case tree.Query() | tree.Can():
            return True
    return lower_condition(tree.Not(e.type, e.span, e), scope) == negate(lower_condition(e, scope))


class _CounterexampleSearch:
    """`found`: the variables of the counterexample, in order."""

    def __init__(self, low: Lowering, said: Comparisons | None) -> None:
        self.low, self.said = low, said
        self.end: list[ir.Stmt] = [ir.Return()] if said is None else []

    def unless(self, e: tree.Expr, scope: Scope, found: tuple[tree.Local, ...], wanted: bool = True) -> list[ir.Stmt]:
        """Blames that a condition is not as wanted, where that is so."""
        match e:
            case tree.Not(operand=operand) if _always_there(operand, scope):
                return self.unless(operand, scope, found, not wanted)
            case tree.Logic(op=op, left=left, right=right):
                parts = [self.unless(part, scope, found, wanted) for part in (left, right)]
                if (op == "and") == wanted:  # one that is not as wanted is enough
                    return [*parts[0], *parts[1]]
                held = [lower_condition(part, scope) for part in (left, right)]
                if not wanted:
                    held = [ir.Not(part) for part in held]
                if isinstance(left, tree.Query):  # its counterexample ends the search
                    parts.reverse()
                return branch(held[0], [], branch(held[1], [], [*parts[0], *parts[1]]))
            case tree.Query(kind="all" as kind, binders=binders, body=body) if wanted and body is not None:
                return self.example(binders, body, scope, found, wanted=True)
            case tree.Query(kind="no" | "any" as kind, binders=binders) if (kind == "no") == wanted:
                return self.example(binders, None, scope, found, wanted=False)
            case _:
                blamed = [self.say([e], e.span, scope, found)]
                return branch(lower_condition(e, scope), [] if wanted else blamed, blamed if wanted else [])

    def example(
        self, binders: tuple[tree.Binder, ...], body: tree.Expr | None, scope: Scope, found: tuple[tree.Local, ...],
        *, wanted: bool,
    ) -> list[ir.Stmt]:  # fmt: skip
        """Blames the first combination of which a condition is not as wanted; None: the first there is."""
        mine = (*found, *(b.local for b in binders))

        def each(inner: Scope) -> list[ir.Stmt]:
            if body is not None:
                return branch(lower_condition(body, inner), [], [*self.unless(body, inner, mine), *self.end])
            tests = [b.where for b in binders if b.where is not None]
            return [self.say(tests, binders[0].span, inner, mine), *self.end]

        return nested_loops(binders, scope, each)

    def say(self, conditions: list[tree.Expr], span: Span, scope: Scope, found: tuple[tree.Local, ...]) -> ir.Stmt:
        """`c is wolf; p.points is -1`: the variables, then the values that the conditions compare."""
        parts: list[str | tuple[int, str]] = []
        args: list[ir.Expr] = []

        def add(text: str, kind: str, value: ir.Expr) -> None:
            parts.extend([f"{', ' if parts else ''}`{text}` is ", (len(args), kind)])
            args.append(value)

        for local in found:
            add(local.text, type_name(local.type), scope.names[local.name])
        for side in (side for e in conditions for side in _compared_values(e)):
            text = self.low.source_text(side.span)
            if side.type.tag in _LOCALS_SHOWN and text and not any(text == local.text for local in found):
                add(text, type_name(side.type), unguarded_value(side, scope))
        number = self.low.reason(tuple(parts), "", span)
        if self.said is not None:
            self.said[number] = (found, tuple(conditions))
        return ir.Blame(number, tuple(args))


def _compared_values(e: tree.Expr) -> list[tree.Expr]:
    """The values on which a condition hangs."""
    match e:
        case tree.Compare(left=left, right=right):
            return [side for side in (left, right) if not isinstance(side, tree.Const)]
        case tree.Logic(left=left, right=right):
            return [*_compared_values(left), *_compared_values(right)]
        case tree.Not(operand=operand):
            return _compared_values(operand)
        case _:
            return [e]
