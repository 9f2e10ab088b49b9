"""Lower queries, with trait masks as a shortcut where they know the answer."""

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
    branch,
    conjunction,
    disjunction,
    guarded_value,
    lower_condition,
    lower_through,
    lower_value,
    negate,
)
from rulelang.compiler.lower.expr.iteration import is_unfiltered, nested_loops
from rulelang.compiler.lower.program_graph import HANDING_ON
from rulelang.compiler.lower.state import access, trait_masks
from rulelang.compiler.lower.state.access import cell
from rulelang.language.semantics import tree
from rulelang.language.semantics.model import Trait
from rulelang.language.semantics.tree import conjuncts, free_locals, locals_of, walk

# ---- shortcuts by trait masks

#: Traits up to which a sum is told by their bits rather than by going over the cards.
FEW = 6


def _bearer_of(binders: tuple[tree.Binder, ...], low: Lowering) -> tree.Expr | None:
    """The bearer, where a single binder goes over the cards on it and its mask tells of all of them."""
    if len(binders) != 1 or low.plan.silent:
        return None
    match binders[0].domain:
        case tree.OnBearer(bearer):
            return bearer if bearer.type.name in low.plan.masks else None
        case tree.InZones((tree.ZoneRef(zone=zone, owner=owner),)) if zone.in_force and owner is not None:
            kind = owner.type.name
            return owner if kind in low.plan.masks and len(trait_masks.active_zones(low, kind)) == 1 else None
        case _:
            return None


def wanted_face(condition: tree.Expr | None, card: tree.Local) -> tree.Expr | None:
    """X, if a conjunct of the condition says `card.face == X` and X does not speak of the card."""
    for part in conjuncts(condition) if condition is not None else ():
        if not isinstance(part, tree.Compare) or part.op != "==":
            continue
        for mine, other in ((part.left, part.right), (part.right, part.left)):
            if (
                isinstance(mine, tree.Property)
                and mine.name == "face"
                and isinstance(mine.object, tree.LocalRef)
                and mine.object.local == card
                and card.name not in locals_of(other)
            ):
                return other
    return None


def mask_precheck(e: tree.Query, scope: Scope) -> ir.Expr:
    """A cheap condition without which no card on the bearer satisfies the query; true where there is none."""
    low = scope.low
    whose = _bearer_of(e.binders, low)
    wanted = wanted_face(e.binders[0].where, e.binders[0].local) if whose is not None else None
    if whose is None or wanted is None:
        return ir.Const(1)
    bearer, g1 = lower_through(whose, scope)
    trait, g2 = lower_value(wanted, scope)
    kind = whose.type.name
    own = trait_masks.bears_own_computed(low, kind, bearer, trait)
    # The masks of a directed pair's other end do not tell of it.
    joined = cell(trait_masks.pair_layout(low).first, bearer) if trait_masks.kind_of_pairs(low) == kind else FALSE
    return conjunction(*g1, *g2, disjunction(own, joined))


def sum_by_mask(e: tree.Query, scope: Scope, whole: ir.Expr) -> ir.Expr:
    """A sum over the cards on a bearer; `whole` goes over all of them. Its mask tells where it is 0, and where each
    card counts by what is printed for its trait, also what it comes to, unless there are several of one trait."""
    low = scope.low
    whose = _bearer_of(e.binders, low)
    counting = _traits_that_count(e.body, e.binders[0].local, low) if whose is not None else None
    if whose is None or counting is None or any(t.pair for t, _ in counting):
        return whole
    bearer, guards = lower_through(whose, scope)
    kind = whose.type.name
    if is_unfiltered(e.binders[0]) and len(counting) <= FEW and all(n is not None for _, n in counting):
        terms: list[ir.Expr] = [
            _trait_term(low, kind, bearer, trait.number, n) for trait, n in counting if n is not None
        ]
        total: ir.Expr = ir.Const(0)
        for term in terms:
            total = add(total, term)
        # Whether there are any is not asked first: a processor does not foretell it, and a sum of no bits is 0.
        told = ir.If(_bears_any_of(low, kind, bearer, counting, multi=True), whole, total)
        return ir.If(conjunction(*guards), told, ir.Const(0)) if guards else told
    return ir.If(conjunction(*guards, _bears_any_of(low, kind, bearer, counting)), whole, ir.Const(0))


def _trait_term(low: Lowering, kind: str, bearer: ir.Expr, trait: int, number: int) -> ir.Expr:
    """A number if the bearer has the trait, else 0."""
    word, bit = trait_masks.trait_bit(trait)
    there = ir.Arith("&", trait_masks.mask_cell(low, kind, bearer, word), ir.Const(bit))
    if bit == number:
        return there
    if number > 0 and not number & (number - 1):  # a power of two
        places = bit.bit_length() - number.bit_length()
        return ir.Arith(">>" if places > 0 else "<<", there, ir.Const(abs(places)))
    return ir.If(there, ir.Const(number), ir.Const(0))


def _bears_any_of(
    low: Lowering, kind: str, bearer: ir.Expr, traits: list[tuple[Trait, int | None]], *, multi: bool = False
) -> ir.Expr:
    """Whether the bearer has one of the traits; `multi`: several cards of one."""
    words: dict[int, int] = {}
    for trait, _ in traits:
        word, bit = trait_masks.trait_bit(trait.number)
        words[word] = words.get(word, 0) | bit
    return disjunction(
        *(
            ir.Arith("&", trait_masks.mask_cell(low, kind, bearer, word, multi=multi), ir.Const(bits))
            for word, bits in sorted(words.items())
        )
    )


def _traits_that_count(
    body: tree.Expr | None, card: tree.Local, low: Lowering
) -> list[tuple[Trait, int | None]] | None:
    """The traits whose cards can make the summed value other than 0, each with that value where it is always the
    same; or None if that is not known."""
    match body:
        case tree.AttributeRef(object=tree.LocalRef(local=local), trait=str(name)) if local == card:
            return [(low.model.traits[name], None)]
        case tree.ColumnRef(object=tree.Property(object=tree.LocalRef(local=local), name="face")) if (
            local == card and body.column.by is None
        ):
            cells = access.column_values(low, body.kind, body.column)
            found: list[tuple[Trait, int | None]] = []
            for trait in low.model.traits.values():
                cell = cells[trait.number]
                if cell != 0:
                    found.append((trait, cell if isinstance(cell, int) and not body.type.maybe else None))
            return found
        case _:
            return None


# ---- queries

RESULT = "result"


def lower_query(e: tree.Query, scope: Scope) -> Lowered:
    e = _without_silence_tests(e, scope.low)
    if e.kind in ("any", "no"):
        return as_bool(lower_exists(e, scope) if e.kind == "any" else negate(lower_exists(e, scope))), ()
    quick = _stored_count(e, scope)
    if quick is not None:
        return quick
    name, args = _query_function(e, scope)
    call = ir.Call(name, args)
    if e.kind == "sum" and scope.low.dispatch.shortcuts:
        return sum_by_mask(e, scope, call), ()
    if e.kind in ("min", "max"):
        there, there_args = _query_function(tree.Query(e.type, e.span, "any", e.binders, e.body), scope)
        return call, (ir.Call(there, there_args),)
    return call, ()


def lower_exists(e: tree.Query, scope: Scope) -> ir.Expr:
    """The condition that something satisfies the binders."""
    e = _without_silence_tests(e, scope.low)
    quick = _stored_count(e, scope)
    if quick is not None:
        total, guards = quick
        return conjunction(*guards, ir.Compare(">", total, ir.Const(0)))
    if len(e.binders) == 1 and isinstance(e.binders[0].domain, tree.InZones):
        b, domain = e.binders[0], e.binders[0].domain
        if b.extreme is None and not b.sorted_by and not b.maybe and b.where is not None:
            return disjunction(*(_in_zone(e, b, ref, domain.sort, scope) for ref in domain.zones))
    name, args = _query_function(tree.Query(e.type, e.span, "any", e.binders, None), scope)
    call = ir.Call(name, args)
    return conjunction(mask_precheck(e, scope), call) if scope.low.dispatch.shortcuts else call


def _without_silence_tests(e: tree.Query, low: Lowering) -> tree.Query:
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
    asked = [p for p in parts if not (isinstance(p, tree.Working) and _is_local(p.card, b.local))]
    if len(asked) == len(parts):
        return b
    where: tree.Expr | None = None
    for part in asked:
        where = part if where is None else tree.Logic(part.type, b.where.span, "and", where, part)
    return replace(b, where=where)


def _is_local(e: tree.Expr, local: tree.Local) -> bool:
    return isinstance(e, tree.LocalRef) and e.local == local


def _in_zone(e: tree.Query, b: tree.Binder, ref: tree.AnyZone, sort: str, scope: Scope) -> ir.Expr:
    """`exists` for one zone. Where the question is for a trait that works on a bearer, its mask knows the answer."""
    low = scope.low
    trait = _wanted_face_of(b, ref, low)
    if trait is not None and isinstance(ref, tree.ZoneRef) and ref.owner is not None:
        bearer, g1 = lower_through(ref.owner, scope)
        number, g2 = lower_value(trait, scope)
        return conjunction(*g1, *g2, trait_masks.bears_own_computed(low, ref.zone.of or "", bearer, number))
    one = tree.Binder(b.span, b.local, False, tree.InZones((ref,), sort), b.where, None, ())
    name, args = _query_function(tree.Query(e.type, e.span, "any", (one,), None), scope)
    lying, guards = access.zone_count(ref, scope)
    if isinstance(lying, ir.Cell):
        return conjunction(*guards, lying, ir.Call(name, args))
    return ir.Call(name, args)


def _wanted_face_of(b: tree.Binder, ref: tree.AnyZone, low: Lowering) -> tree.Expr | None:
    """X, if the binder asks for a card with `face == X` in a made kind's only zone in force, and nothing else."""
    if not isinstance(ref, tree.ZoneRef) or not ref.zone.in_force or low.plan.silent or low.plan.card_partner:
        return None
    if not low.dispatch.shortcuts:
        return None
    if ref.zone.of not in low.plan.masks or len(trait_masks.active_zones(low, ref.zone.of)) != 1:
        return None
    return wanted_face(b.where, b.local) if isinstance(b.where, tree.Compare) else None


def _stored_count(e: tree.Query, scope: Scope) -> Lowered | None:
    """A count that the state holds already: cards of whole zones, things of one owner or all."""
    if e.kind not in ("count", "any", "no") or len(e.binders) != 1 or not is_unfiltered(e.binders[0]):
        return None
    domain = e.binders[0].domain
    low = scope.low
    if isinstance(domain, tree.InZones):
        if any(isinstance(z, tree.BoxRef) for z in domain.zones):
            return None
        total: ir.Expr = ir.Const(0)
        guards: tuple[ir.Expr, ...] = ()
        for ref in domain.zones:
            n, more = access.zone_count(ref, scope)
            total, guards = add(total, n), (*guards, *more)
        return (ir.If(conjunction(*guards), total, ir.Const(0)), ()) if guards else (total, ())
    if isinstance(domain, tree.Things) and domain.place is None:
        laid = low.plan.kinds[domain.kind]
        if domain.owner is not None:
            who, guards = lower_through(domain.owner, scope)
            n = ir.Cell(laid.count, who)
            return (ir.If(conjunction(*guards), n, ir.Const(0)), ()) if guards else (n, ())
        total = ir.Const(0)
        for o in range(1, laid.owners + 1):
            total = add(total, ir.Cell(laid.count + o))
        return total, ()
    return None


def _query_function(e: tree.Query, scope: Scope) -> tuple[str, tuple[ir.Expr, ...]]:
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
    low.function(name, "pure", params, _query_body(e, inner), f"{e.kind}(..)", e.span)
    return name, tuple(args)


def _query_body(e: tree.Query, inner: Scope) -> list[ir.Stmt]:
    result = ir.Local(RESULT)
    match e.kind:
        case "any" | "no":
            number = e.body
            found: list[ir.Stmt] = [ir.Return(ir.Const(1 if e.kind == "any" else 0))]
            # With a body: whether there is any number of which the least or largest is asked.
            body = nested_loops(
                e.binders,
                inner,
                lambda s: found if number is None else branch(guarded_value(number, s)[1], found),
                ordered=False,
            )
            return [*body, ir.Return(ir.Const(0 if e.kind == "any" else 1))]
        case "all":
            assert e.body is not None
            test = e.body
            body = nested_loops(
                e.binders, inner, lambda s: branch(lower_condition(test, s), [], [ir.Return(FALSE)]), ordered=False
            )
            return [*body, ir.Return(TRUE)]
        case "first":
            first = e.binders[0].local.name
            body = nested_loops(e.binders, inner, lambda s: [ir.Return(s.names[first])])
            return [*body, ir.Return(ir.Const(0))]
        case "count":
            body = nested_loops(e.binders, inner, lambda s: [ir.Set(RESULT, add(result, ir.Const(1)))], ordered=False)
            return [ir.Set(RESULT, ir.Const(0)), *body, ir.Return(result)]
        case "sum":
            assert e.body is not None
            term = e.body

            def step(s: Scope) -> list[ir.Stmt]:
                amount, guards = lower_value(term, s)
                return branch(conjunction(*guards), [ir.Set(RESULT, ir.Arith("+", result, amount, e.span))])

            return [
                ir.Set(RESULT, ir.Const(0)),
                *nested_loops(e.binders, inner, step, ordered=False),
                ir.Return(result),
            ]
        case "min" | "max":
            assert e.body is not None
            term, compare = e.body, "<" if e.kind == "min" else ">"

            def better(s: Scope) -> list[ir.Stmt]:
                amount, there = guarded_value(term, s)
                keep = (
                    ir.Set("v", amount),
                    ir.Branch(
                        ir.Logic("or", (ir.Not(ir.Local("seen")), ir.Compare(compare, ir.Local("v"), result))),  # type: ignore[arg-type]
                        (ir.Set(RESULT, ir.Local("v")), ir.Set("seen", TRUE)),
                    ),
                )
                return branch(there, keep)

            head: list[ir.Stmt] = [ir.Set(RESULT, ir.Const(0)), ir.Set("seen", ir.Const(0)), ir.Set("v", ir.Const(0))]
            return [*head, *nested_loops(e.binders, inner, better, ordered=False), ir.Return(result)]
