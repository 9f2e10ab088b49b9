"""Values as pure functions, with every `modify` applied in the fixed order of operations."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import (
    TRUE,
    Guards,
    Lowering,
    Scope,
    add,
    as_bool,
    both,
    either,
    negate,
    times,
    when,
)
from rulelang.compiler.lower.expr.expressions import arguments, cond, nothing, through, value
from rulelang.compiler.lower.expr.orders import order_parts
from rulelang.compiler.lower.expr.roles import bearer_kind, bind_taken, named, taken, trait_number, value_roles
from rulelang.compiler.lower.requests import ValueOf
from rulelang.compiler.lower.routines import bearers
from rulelang.compiler.lower.state import bearing, loose
from rulelang.language.semantics import tree

ORDER_OF_OPS = (("=",), ("+", "-"), ("*", "/", "%"), ("or",), ("and",), ("at least",), ("at most",))


def lower(wanted: ValueOf, low: Lowering) -> None:
    declared = low.program.values[wanted.value]
    scope = Scope(low, declared.id)
    given = taken(value_roles(declared.id, low), scope)
    bind_taken(declared, scope, given)
    scope.roles.update(given)
    params = named(given)
    for p in declared.params:
        low.local_kinds[p.name] = p.type.name
        params.append(scope.bind(p, present=not p.type.maybe))
    args = tuple(scope.names[p.name] for p in declared.params)
    body: list[ir.Stmt]
    if wanted.part is not None:
        body = _part(wanted.part, declared, scope, args, low)
    else:
        if declared.type.tag == "bool":
            base: ir.Expr = as_bool(cond(declared.body, scope))
        else:
            base, guards = value(declared.body, scope)
            if declared.type.maybe and guards:
                base = ir.If(both(*guards), base, nothing(declared.type))
        body = modified(low, low.graph.modifies_on.get(declared.id, []), base, args, declared.type.tag == "bool")
    low.function(wanted.name, "pure", params, body, declared.id, declared.span)


def _part(k: int, declared: tree.Value, scope: Scope, args: tuple[ir.Expr, ...], low: Lowering) -> list[ir.Stmt]:
    """One of the numbers of an order. Of a shorter one that a `modify` puts in its place the rest is 0."""

    def part(e: tree.Expr, inner: Scope) -> tuple[ir.Expr, Guards]:
        parts, guards = order_parts(e, inner)
        return parts[k] if k < len(parts) else ir.Const(0), guards

    def put(m: tree.Modify, inner: Scope) -> list[ir.Stmt]:
        number, guards = part(m.value, inner)
        return when(both(_guard(m, inner), *guards), [ir.Set("acc", number)])

    number, _ = part(declared.body, scope)
    modifies = sorted(low.graph.modifies_on.get(declared.id, []), key=lambda m: m.origin.layer)
    if not modifies:
        return [ir.Return(number)]
    put_in_place = [stmt for m in modifies for stmt in bearers.matches(m, args, low, partial(put, m))]
    return [ir.Set("acc", number), *put_in_place, ir.Return(ir.Local("acc"))]


def modified(
    low: Lowering, modifies: list[tree.Modify], base: ir.Expr, args: tuple[ir.Expr, ...], truth: bool
) -> list[ir.Stmt]:
    """Applies the modifies to a base expression: one `Return` where all are expressions, else step by step."""
    groups = [[m for m in modifies if m.op in ops] for ops in ORDER_OF_OPS]
    acc = base
    stmts: list[ir.Stmt] = []
    for group in groups:
        for m in sorted(group, key=lambda m: m.origin.layer):
            found = bearers.simple(m, args, low) if not bearers.each_card(m, low) else None
            if found is not None and not stmts and m.op in ("+", "-", "or", "and", "*"):
                acc = _as_expression(m, acc, found[0], found[1], low)
            elif not stmts and m.op in ("+", "-"):
                acc = _apart(m, acc, args, low)
            else:
                if not stmts:
                    stmts.append(ir.Set("acc", acc))
                    acc = ir.Local("acc")
                stmts += bearers.matches(m, args, low, partial(_step, m, low))
    return [*stmts, ir.Return(as_bool(acc) if truth and not stmts else acc)]


def _guard(m: tree.Modify, scope: Scope) -> ir.Expr:
    return cond(m.guard, scope) if m.guard is not None else TRUE


def _multiplicity(m: tree.Modify, scope: Scope, low: Lowering) -> ir.Expr:
    """How often a modify counts for one bearer: once a card, where it does not look at the card."""
    if m.origin.what != "trait" or m.always or bearers.uses_card(m, low) or m.op not in ("+", "-", "*", "/", "%"):
        return TRUE
    kind = bearer_kind(m, low)
    bearer = scope.roles["self"]
    if not loose.on_things(m, low) or bearer == ir.Const(0):
        return TRUE  # a card that lies on nothing is a bearer by itself
    number = trait_number(m.origin, low)
    many = ir.Call(bearing.copies(low, kind), (bearer, ir.Const(number)))
    several = bearing.bears_many(low, kind, bearer, number)
    return many if isinstance(several, ir.Const) else ir.If(several, many, TRUE)


def _as_expression(m: tree.Modify, acc: ir.Expr, test: ir.Expr, scope: Scope, low: Lowering) -> ir.Expr:
    if m.op in ("or", "and"):
        holds = cond(m.value, scope)
        there = both(test, _guard(m, scope))
        return either(acc, both(there, holds)) if m.op == "or" else both(acc, either(negate(there), holds))
    amount, guards = through(m.value, scope)
    there = both(test, _guard(m, scope), *guards)
    if m.op == "*":
        return times(acc, amount if there == TRUE else ir.If(there, amount, TRUE), m.value.span)
    amount = times(amount, _multiplicity(m, scope, low), m.value.span)
    return _moved(m, acc, amount if there == TRUE else ir.If(there, amount, ir.Const(0)))


def _moved(m: tree.Modify, acc: ir.Expr, amount: ir.Expr) -> ir.Expr:
    """More or less by an amount."""
    return ir.Arith("-", acc, amount, m.value.span) if m.op == "-" else add(acc, amount, m.value.span)


def _apart(m: tree.Modify, acc: ir.Expr, args: tuple[ir.Expr, ...], low: Lowering) -> ir.Expr:
    """A sum over cards or bearers as a function of its own, called only where it can come to anything."""
    name = low.unique(f"sum_{m.origin.name or 'core'}_{m.pattern.event}")
    params = tuple(f"a{k}" for k in range(len(args)))
    inner = tuple(ir.Local(p) for p in params)
    plus: tree.Modify = replace(m, op="+")
    body = bearers.matches(m, inner, low, partial(_step, plus, low))
    low.function(name, "pure", params, [ir.Set("acc", ir.Const(0)), *body, ir.Return(ir.Local("acc"))], m.id, m.span)
    amount = ir.If(bearers.potential(m, args, low), ir.Call(name, args), ir.Const(0))
    return _moved(m, acc, amount)


def _step(m: tree.Modify, low: Lowering, scope: Scope) -> list[ir.Stmt]:
    acc = ir.Local("acc")
    if m.op in ("or", "and"):
        holds = cond(m.value, scope)
        new = either(acc, holds) if m.op == "or" else both(acc, holds)
        return when(_guard(m, scope), [ir.Set("acc", as_bool(new))])
    if m.op == "=" and m.value.type.tag == "bool":
        return when(_guard(m, scope), [ir.Set("acc", as_bool(cond(m.value, scope)))])
    # What is `= none` is missing from then on; all else needs a number or something that is there.
    declared = low.program.values.get(m.pattern.event)
    may_be_none = m.op == "=" and declared is not None and declared.type.maybe
    (amount,), guards = arguments((m.value,), scope, maybe=(may_be_none,))
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
    return when(both(_guard(m, scope), *guards), [ir.Set("acc", new)])
