"""Questions about the cards on a bearer that its trait mask can often answer at once, without going over the cards."""

from __future__ import annotations

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import FALSE, Lowering, Scope, add, both, either
from rulelang.compiler.lower.expr.expressions import through, value
from rulelang.compiler.lower.expr.iteration import bare
from rulelang.compiler.lower.state import constant_columns, masks, pairs
from rulelang.compiler.lower.state.addresses import cell
from rulelang.language.semantics import tree
from rulelang.language.semantics.model import Trait
from rulelang.language.semantics.tree import conjuncts, locals_of

#: Traits up to which a sum is told by their bits rather than by going over the cards.
FEW = 6


def _bearer(binders: tuple[tree.Binder, ...], low: Lowering) -> tree.Expr | None:
    """The bearer, where a single binder goes over the cards on it and its mask tells of all of them."""
    if len(binders) != 1 or low.plan.silent:
        return None
    match binders[0].domain:
        case tree.OnBearer(bearer):
            return bearer if bearer.type.name in low.plan.masks else None
        case tree.InZones((tree.ZoneRef(zone=zone, owner=owner),)) if zone.in_force and owner is not None:
            kind = owner.type.name
            return owner if kind in low.plan.masks and len(masks.force_zones(low, kind)) == 1 else None
        case _:
            return None


def face_wanted(condition: tree.Expr | None, card: tree.Local) -> tree.Expr | None:
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


def may_exist(e: tree.Query, scope: Scope) -> ir.Expr:
    """A cheap condition without which no card on the bearer satisfies the query; true where there is none."""
    low = scope.low
    whose = _bearer(e.binders, low)
    wanted = face_wanted(e.binders[0].where, e.binders[0].local) if whose is not None else None
    if whose is None or wanted is None:
        return ir.Const(1)
    bearer, g1 = through(whose, scope)
    trait, g2 = value(wanted, scope)
    kind = whose.type.name
    own = masks.own_bit_of(low, kind, bearer, trait)
    # The masks of a directed pair's other end do not tell of it.
    joined = cell(pairs.laid(low).first, bearer) if pairs.kind_of_pairs(low) == kind else FALSE
    return both(*g1, *g2, either(own, joined))


def summed(e: tree.Query, scope: Scope, whole: ir.Expr) -> ir.Expr:
    """A sum over the cards on a bearer; `whole` goes over all of them. Its mask tells where it is 0, and where each
    card counts by what is printed for its trait, also what it comes to, unless there are several of one trait."""
    low = scope.low
    whose = _bearer(e.binders, low)
    counting = _traits_that_count(e.body, e.binders[0].local, low) if whose is not None else None
    if whose is None or counting is None or any(t.pair for t, _ in counting):
        return whole
    bearer, guards = through(whose, scope)
    kind = whose.type.name
    if bare(e.binders[0]) and len(counting) <= FEW and all(n is not None for _, n in counting):
        terms: list[ir.Expr] = [_term(low, kind, bearer, trait.number, n) for trait, n in counting if n is not None]
        total: ir.Expr = ir.Const(0)
        for term in terms:
            total = add(total, term)
        # Whether there are any is not asked first: a processor does not foretell it, and a sum of no bits is 0.
        told = ir.If(_any_of(low, kind, bearer, counting, multi=True), whole, total)
        return ir.If(both(*guards), told, ir.Const(0)) if guards else told
    return ir.If(both(*guards, _any_of(low, kind, bearer, counting)), whole, ir.Const(0))


def _term(low: Lowering, kind: str, bearer: ir.Expr, trait: int, number: int) -> ir.Expr:
    """A number if the bearer has the trait, else 0."""
    word, bit = masks.bit(trait)
    there = ir.Arith("&", masks.mask_cell(low, kind, bearer, word), ir.Const(bit))
    if bit == number:
        return there
    if number > 0 and not number & (number - 1):  # a power of two
        places = bit.bit_length() - number.bit_length()
        return ir.Arith(">>" if places > 0 else "<<", there, ir.Const(abs(places)))
    return ir.If(there, ir.Const(number), ir.Const(0))


def _any_of(
    low: Lowering, kind: str, bearer: ir.Expr, traits: list[tuple[Trait, int | None]], *, multi: bool = False
) -> ir.Expr:
    """Whether the bearer has one of the traits; `multi`: several cards of one."""
    words: dict[int, int] = {}
    for trait, _ in traits:
        word, bit = masks.bit(trait.number)
        words[word] = words.get(word, 0) | bit
    return either(
        *(
            ir.Arith("&", masks.mask_cell(low, kind, bearer, word, multi=multi), ir.Const(bits))
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
            cells = constant_columns.cells_of(low, body.kind, body.column)
            found: list[tuple[Trait, int | None]] = []
            for trait in low.model.traits.values():
                cell = cells[trait.number]
                if cell != 0:
                    found.append((trait, cell if isinstance(cell, int) and not body.type.maybe else None))
            return found
        case _:
            return None
