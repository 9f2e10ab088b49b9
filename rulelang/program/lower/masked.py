"""Questions about the cards on a bearer that its trait mask can often answer at once, without going over the cards."""

from __future__ import annotations

from rulelang.meaning import tree
from rulelang.meaning.model import Trait
from rulelang.program import ir
from rulelang.program.lower import masks, pairs, printed
from rulelang.program.lower.context import FALSE, Lowering, Scope, both, either
from rulelang.program.lower.expressions import through, value
from rulelang.program.lower.facts import locals_of
from rulelang.program.lower.places import cell


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
    from rulelang.program.lower.legality import conjuncts

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
    joined = cell(pairs.first(low, kind), bearer) if pairs.kind_of_pairs(low) == kind else FALSE
    return both(*g1, *g2, either(own, joined))


def may_sum(e: tree.Query, scope: Scope) -> ir.Expr:
    """A cheap condition without which the sum over the cards on a bearer is 0; true where there is none."""
    low = scope.low
    whose = _bearer(e.binders, low)
    traits = _traits_that_count(e.body, e.binders[0].local, low) if whose is not None else None
    if whose is None or traits is None or any(t.pair for t in traits):
        return ir.Const(1)
    bearer, guards = through(whose, scope)
    words: dict[int, int] = {}
    for trait in traits:
        word, bit = masks.bit(trait.number)
        words[word] = words.get(word, 0) | bit
    tests = [
        ir.Arith("&", masks.mask_cell(low, whose.type.name, bearer, word), ir.Const(bits))
        for word, bits in sorted(words.items())
    ]
    return both(*guards, either(*tests))


def _traits_that_count(body: tree.Expr | None, card: tree.Local, low: Lowering) -> list[Trait] | None:
    """The traits whose cards can make the summed value other than 0, or None if that is not known."""
    match body:
        case tree.AttributeRef(object=tree.LocalRef(local=local), trait=str(name)) if local == card:
            return [low.model.traits[name]]
        case tree.ColumnRef(object=tree.Property(object=tree.LocalRef(local=local), name="face")) if (
            local == card and body.column.by is None
        ):
            cells = printed.cells_of(low, body.kind, body.column)
            return [t for t in low.model.traits.values() if cells[t.number] != 0]
        case _:
            return None
