"""Queries: pure functions with loops, or plain reads where a count word answers them."""

from __future__ import annotations

from dataclasses import replace

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import (
    FALSE,
    TRUE,
    Lowered,
    Lowering,
    Scope,
    add,
    as_bool,
    both,
    either,
    negate,
    when,
)
from rulelang.compiler.lower.expr import mask_shortcuts
from rulelang.compiler.lower.expr.expressions import cond, guarded, through, value
from rulelang.compiler.lower.expr.iteration import bare, loops
from rulelang.compiler.lower.program_graph import HANDING_ON
from rulelang.compiler.lower.state import masks, zones
from rulelang.language.semantics import tree
from rulelang.language.semantics.tree import conjuncts, free_locals, walk

RESULT = "result"


def query(e: tree.Query, scope: Scope) -> Lowered:
    e = _sifted(e, scope.low)
    if e.kind in ("any", "no"):
        return as_bool(exists(e, scope) if e.kind == "any" else negate(exists(e, scope))), ()
    quick = _counted(e, scope)
    if quick is not None:
        return quick
    name, args = _function(e, scope)
    call = ir.Call(name, args)
    if e.kind == "sum" and scope.low.dispatch.shortcuts:
        return mask_shortcuts.summed(e, scope, call), ()
    if e.kind in ("min", "max"):
        there, there_args = _function(tree.Query(e.type, e.span, "any", e.binders, e.body), scope)
        return call, (ir.Call(there, there_args),)
    return call, ()


def exists(e: tree.Query, scope: Scope) -> ir.Expr:
    """The condition that something satisfies the binders."""
    e = _sifted(e, scope.low)
    quick = _counted(e, scope)
    if quick is not None:
        total, guards = quick
        return both(*guards, ir.Compare(">", total, ir.Const(0)))
    if len(e.binders) == 1 and isinstance(e.binders[0].domain, tree.InZones):
        b, domain = e.binders[0], e.binders[0].domain
        if b.extreme is None and not b.sorted_by and not b.maybe and b.where is not None:
            return either(*(_in_zone(e, b, ref, domain.sort, scope) for ref in domain.zones))
    name, args = _function(tree.Query(e.type, e.span, "any", e.binders, None), scope)
    call = ir.Call(name, args)
    return both(mask_shortcuts.may_exist(e, scope), call) if scope.low.dispatch.shortcuts else call


def _sifted(e: tree.Query, low: Lowering) -> tree.Query:
    """The query without asking of cards in zones in force whether they are working, where no rule silences any."""
    if low.plan.silent or not low.dispatch.shortcuts:
        return e
    binders = tuple(_working_all(b) for b in e.binders)
    return e if binders == e.binders else replace(e, binders=binders)


def _working_all(b: tree.Binder) -> tree.Binder:
    if b.where is None or not isinstance(b.domain, (tree.InZones, tree.OnBearer)):
        return b
    if isinstance(b.domain, tree.InZones) and not all(
        isinstance(ref, tree.ZoneRef) and ref.zone.in_force for ref in b.domain.zones
    ):
        return b
    parts = conjuncts(b.where)
    asked = [p for p in parts if not (isinstance(p, tree.Working) and _is(p.card, b.local))]
    if len(asked) == len(parts):
        return b
    where: tree.Expr | None = None
    for part in asked:
        where = part if where is None else tree.Logic(part.type, b.where.span, "and", where, part)
    return replace(b, where=where)


def _is(e: tree.Expr, local: tree.Local) -> bool:
    return isinstance(e, tree.LocalRef) and e.local == local


def _in_zone(e: tree.Query, b: tree.Binder, ref: tree.AnyZone, sort: str, scope: Scope) -> ir.Expr:
    """`exists` for one zone. Where the question is for a trait that works on a bearer, its mask knows the answer."""
    low = scope.low
    trait = _face_wanted(b, ref, low)
    if trait is not None and isinstance(ref, tree.ZoneRef) and ref.owner is not None:
        bearer, g1 = through(ref.owner, scope)
        number, g2 = value(trait, scope)
        return both(*g1, *g2, masks.own_bit_of(low, ref.zone.of or "", bearer, number))
    one = tree.Binder(b.span, b.local, False, tree.InZones((ref,), sort), b.where, None, ())
    name, args = _function(tree.Query(e.type, e.span, "any", (one,), None), scope)
    lying, guards = zones.count(ref, scope)
    if isinstance(lying, ir.Cell):
        return both(*guards, lying, ir.Call(name, args))
    return ir.Call(name, args)


def _face_wanted(b: tree.Binder, ref: tree.AnyZone, low: Lowering) -> tree.Expr | None:
    """X, if the binder asks for a card with `face == X` in a made kind's only zone in force, and nothing else."""
    if not isinstance(ref, tree.ZoneRef) or not ref.zone.in_force or low.plan.silent or low.plan.card_partner:
        return None
    if not low.dispatch.shortcuts:
        return None
    if ref.zone.of not in low.plan.masks or len(masks.force_zones(low, ref.zone.of)) != 1:
        return None
    return mask_shortcuts.face_wanted(b.where, b.local) if isinstance(b.where, tree.Compare) else None


def _counted(e: tree.Query, scope: Scope) -> Lowered | None:
    """A count that the state holds already: cards of whole zones, things of one owner or all."""
    if e.kind not in ("count", "any", "no") or len(e.binders) != 1 or not bare(e.binders[0]):
        return None
    domain = e.binders[0].domain
    low = scope.low
    if isinstance(domain, tree.InZones):
        if any(isinstance(z, tree.BoxRef) for z in domain.zones):
            return None
        total: ir.Expr = ir.Const(0)
        guards: tuple[ir.Expr, ...] = ()
        for ref in domain.zones:
            n, more = zones.count(ref, scope)
            total, guards = add(total, n), (*guards, *more)
        return (ir.If(both(*guards), total, ir.Const(0)), ()) if guards else (total, ())
    if isinstance(domain, tree.Things) and domain.place is None:
        laid = low.plan.kinds[domain.kind]
        if domain.owner is not None:
            who, guards = through(domain.owner, scope)
            n = ir.Cell(laid.count, who)
            return (ir.If(both(*guards), n, ir.Const(0)), ()) if guards else (n, ())
        total = ir.Const(0)
        for o in range(1, laid.owners + 1):
            total = add(total, ir.Cell(laid.count + o))
        return total, ()
    return None


def _function(e: tree.Query, scope: Scope) -> tuple[str, tuple[ir.Expr, ...]]:
    """The query as a pure function of the variables it reads; the same query is lowered once."""
    low = scope.low
    free = [v for v in free_locals((e.binders, e.body)) if v.name in scope.names]
    actor = scope.actor is not None and any(isinstance(n, tree.BuiltinRef) and n.name == "actor" for n in walk(e))
    roles = tuple(sorted(scope.roles)) if any(isinstance(n, HANDING_ON) for n in walk(e)) else ()
    present = frozenset(v.name for v in free if v.name in scope.present)
    faces = tuple(sorted((v.name, scope.faces[v.name]) for v in free if v.name in scope.faces))
    key = ("query", e, present, faces, roles, actor)
    args: list[ir.Expr] = [scope.names[v.name] for v in free]
    inner = Scope(low, scope.prefix)
    params: list[str] = []
    for v in free:
        low.local_kinds[v.name] = v.type.name
        params.append(inner.bind(v, present=v.name in present))
    inner.faces = dict(faces)
    for role in roles:
        match = next((i for i, a in enumerate(args) if a == scope.roles[role]), None)
        if match is None:
            args.append(scope.roles[role])
            params.append(inner.fresh(role))
            match = len(params) - 1
        inner.roles[role] = ir.Local(params[match])
    if actor and scope.actor is not None:
        args.append(scope.actor)
        params.append(inner.fresh("actor"))
        inner.actor = ir.Local(params[-1])
    if key in low.names:
        return low.names[key], tuple(args)
    low.names[key] = name = low.unique(f"q_{e.kind}_{scope.prefix}")
    low.function(name, "pure", params, _body(e, inner), f"{e.kind}(..)", e.span)
    return name, tuple(args)


def _body(e: tree.Query, inner: Scope) -> list[ir.Stmt]:
    result = ir.Local(RESULT)
    match e.kind:
        case "any" | "no":
            number = e.body
            found: list[ir.Stmt] = [ir.Return(ir.Const(1 if e.kind == "any" else 0))]
            # With a body: whether there is any number of which the least or largest is asked.
            body = loops(
                e.binders,
                inner,
                lambda s: found if number is None else when(guarded(number, s)[1], found),
                ordered=False,
            )
            return [*body, ir.Return(ir.Const(0 if e.kind == "any" else 1))]
        case "all":
            assert e.body is not None
            test = e.body
            body = loops(e.binders, inner, lambda s: when(cond(test, s), [], [ir.Return(FALSE)]), ordered=False)
            return [*body, ir.Return(TRUE)]
        case "first":
            first = e.binders[0].local.name
            body = loops(e.binders, inner, lambda s: [ir.Return(s.names[first])])
            return [*body, ir.Return(ir.Const(0))]
        case "count":
            body = loops(e.binders, inner, lambda s: [ir.Set(RESULT, add(result, ir.Const(1)))], ordered=False)
            return [ir.Set(RESULT, ir.Const(0)), *body, ir.Return(result)]
        case "sum":
            assert e.body is not None
            term = e.body

            def step(s: Scope) -> list[ir.Stmt]:
                amount, guards = value(term, s)
                return when(both(*guards), [ir.Set(RESULT, ir.Arith("+", result, amount, e.span))])

            return [ir.Set(RESULT, ir.Const(0)), *loops(e.binders, inner, step, ordered=False), ir.Return(result)]
        case "min" | "max":
            assert e.body is not None
            term, compare = e.body, "<" if e.kind == "min" else ">"

            def better(s: Scope) -> list[ir.Stmt]:
                amount, there = guarded(term, s)
                keep = (
                    ir.Set("v", amount),
                    ir.Branch(
                        ir.Logic("or", (ir.Not(ir.Local("seen")), ir.Compare(compare, ir.Local("v"), result))),  # type: ignore[arg-type]
                        (ir.Set(RESULT, ir.Local("v")), ir.Set("seen", TRUE)),
                    ),
                )
                return when(there, keep)

            head: list[ir.Stmt] = [ir.Set(RESULT, ir.Const(0)), ir.Set("seen", ir.Const(0)), ir.Set("v", ir.Const(0))]
            return [*head, *loops(e.binders, inner, better, ordered=False), ir.Return(result)]
