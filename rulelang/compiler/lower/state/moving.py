"""Moving cards: taking them out of the zone in which they lie, laying them in another, drawing and shuffling."""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.base.layout import ZoneLayout
from rulelang.base.source import NOWHERE, Span
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import Guards, Lowering, Scope, add, join_guards, when
from rulelang.compiler.lower.expr.iteration import zone_loop
from rulelang.compiler.lower.state import ages, joining, masks, shuffling
from rulelang.compiler.lower.state.addresses import cell, chained, face_of, unchain
from rulelang.compiler.lower.state.zones import address, at, laid, lying, owner, zone_id
from rulelang.language.semantics import tree


def take_out(card: ir.Expr, low: Lowering, first_of: tuple[ZoneLayout, ir.Expr] | None = None) -> list[ir.Stmt]:
    """Statements that take a card out of the zone it lies in. It has no links then; the next move says where it lies.

    `first_of`: the linked zone, and its owner, whose first card this is known to be.
    """
    plan = low.plan
    if first_of is not None:
        zone, who = first_of
        parted = [_parted(card, low)] if plan.card_partner else []
        return [*parted, *_unlink(low, zone, card, who, foremost=True)]
    lies = ir.Local("lying")
    bases = low.table("zone_base", _zone_bases(low))
    array = (ir.ArrayDrop(ir.Table(bases, lies), card),)
    where = ir.Set("lying", cell(plan.where, card))
    linked = [z for z in plan.zones.values() if not z.array]
    if not linked:
        return [where, *array]
    first = min(z.first_id for z in linked)
    unlink: tuple[ir.Stmt, ...] = (ir.CallRoutine(_unlink_any(low, linked), (card, lies)),)
    if plan.card_partner:  # only a card that lies on something can be joined to something
        unlink = (_parted(card, low), *unlink)
    return [where, ir.Branch(ir.Compare(">", lies, ir.Const(first)), unlink, array)]


def _parted(card: ir.Expr, low: Lowering) -> ir.Stmt:
    return ir.Branch(cell(low.plan.card_partner, card), (ir.CallRoutine(joining.part(low), (card,)),))


def _unlink_any(low: Lowering, linked: Sequence[ZoneLayout]) -> str:
    """`unlink(c, z)`: takes a card out of a linked zone."""
    if "unlink" not in low.functions:
        z, c, o = ir.Local("z"), ir.Local("c"), ir.Local("o")
        body: tuple[ir.Stmt, ...] = ()
        for zone in sorted(linked, key=lambda zone: -zone.first_id):  # behind the last array there are only these
            here = (ir.Set("o", add(z, ir.Const(-zone.first_id))), *_unlink(low, zone, c, o))
            last = ir.Const(zone.first_id + zone.owners)
            body = (ir.Branch(ir.Compare("<=", z, last), here, body),) if body else here
        low.function("unlink", "routine", ("c", "z"), body, "take a card", NOWHERE)
    return "unlink"


def _zone_bases(low: Lowering) -> Sequence[int]:
    bases = [0] * len(low.plan.zone_owner)
    for zone in low.plan.zones.values():
        if zone.array:
            for o in range(1, zone.owners + 1) if zone.of else (0,):
                bases[zone.first_id + o] = zone.base + o * zone.stride
    return bases


def _unlink(low: Lowering, zone: ZoneLayout, c: ir.Expr, o: ir.Expr, *, foremost: bool = False) -> list[ir.Stmt]:
    """`foremost`: the card is known to be the first of the zone."""
    plan = low.plan
    first, last = ir.Store(zone.first, o, ir.Local("n")), ir.Store(zone.last, o, ir.Local("p"))
    return [
        *unchain(plan.card_next, plan.card_prev, c, first, last, foremost=foremost),
        ir.Add(zone.count, o, ir.Const(-1)),
        *masks.card_left(low, zone, c, o, face_of(c, low)),
    ]


def attach(low: Lowering, zone: ZoneLayout, *, bottom: bool) -> str:
    """`put_ZONE(c, o)`: lays a card that lies nowhere onto (or under) a zone; no `o` for a zone of the game.

    Where traits work, `t` is the one that the card shows.
    """
    name = f"put_{'under' if bottom else 'on'}_{zone.name}"
    if name in low.functions:
        return name
    plan = low.plan
    c, o = ir.Local("c"), ir.Local("o")
    who = o if zone.of else None
    params = ("c", *(("o",) if zone.of else ()), *(("t",) if masks.counts(zone, low) else ()))
    if zone.array:
        stmts: list[ir.Stmt] = []
        if zone.slot:
            full = ir.Fail("X603", NOWHERE, f"the {zone.name} slot is full", ())
            stmts += when(at(address(zone, who)), [full])
        stmts += [
            ir.ArrayPush(address(zone, who), c, bottom),
            ir.Store(plan.where, c, zone_id(zone, who)),
        ]
    else:
        near, far = (zone.first, zone.last) if bottom else (zone.last, zone.first)
        toward, back = (plan.card_next, plan.card_prev) if bottom else (plan.card_prev, plan.card_next)
        stmts = [
            ir.Set("e", ir.Cell(near, o)),
            *chained(toward, back, c, ir.Local("e"), ir.Store(far, o, c)),
            ir.Store(near, o, c),
            ir.Add(zone.count, o, ir.Const(1)),
            ir.Store(plan.where, c, zone_id(zone, o)),
            *masks.card_came(low, zone, c, o, ir.Local("t")),
            *ages.laid(low, zone, c),
        ]
    return low.function(name, "routine", params, stmts, f"move to {zone.name}", NOWHERE)


def move_card(card: ir.Expr, zone: ZoneLayout, who: ir.Expr | None, low: Lowering, *, bottom: bool,
              face: ir.Expr | None = None, partner: ir.Expr | None = None,
              first_of: tuple[ZoneLayout, ir.Expr] | None = None) -> list[ir.Stmt]:  # fmt: skip
    """Statements that move one card to a zone; a card keeps a face and partner only where it is laid with one."""
    plan = low.plan
    stmts = take_out(card, low, first_of)
    if plan.card_face:
        stmts.append(ir.Store(plan.card_face, card, face if face is not None else printed_face(card, low)))
    shown: tuple[ir.Expr, ...] = ()
    if masks.counts(zone, low):
        shown = (face if isinstance(face, ir.Local) else face_of(card, low),)
    args = (card, *(() if who is None else (who,)), *shown)
    stmts.append(ir.CallRoutine(attach(low, zone, bottom=bottom), args))
    if partner is not None:
        stmts += [ir.Store(plan.card_partner, card, partner), ir.CallRoutine(joining.join(low), (card, partner))]
    return stmts


def printed_face(card: ir.Expr, low: Lowering) -> ir.Expr:
    """The face of a card that has one only, 0 for the others."""
    single = [c.faces[0] if len(c.faces) == 1 else 0 for c in low.plan.cards]
    return ir.Table(low.table("single_face", single), card)


def move_many(cards: str, zone: ZoneLayout, who: ir.Expr | None, scope: Scope, *, bottom: bool) -> list[ir.Stmt]:
    """Moves the cards of a list local one by one, so that they lie there in order: under a zone the last goes first."""
    name = scope.fresh("c")
    body = move_card(ir.Local(name), zone, who, scope.low, bottom=bottom)
    if not bottom:
        return [ir.ForList(name, cards, tuple(body))]
    last = add(ir.Length(cards), ir.Const(-1))
    return [ir.While(ir.Length(cards), (ir.Set(name, ir.Item(cards, last)), ir.TakeAt(cards, last), *body))]


def gather(ref: tree.AnyZone, scope: Scope, into: str) -> list[ir.Stmt]:
    """Appends the cards of a zone (or of all zones of that name) to a list local, bottom first."""
    name = scope.fresh("c")
    return zone_loop(ref, name, scope, [ir.Append(into, ir.Local(name))], distinct=None)


def capacity(zone: ZoneLayout, low: Lowering) -> int:
    """The most cards that can lie in zones of that name."""
    return len(low.plan.cards) if not zone.holds else low.plan.sorts[zone.holds][1] - low.plan.sorts[zone.holds][0] + 1


def move_all(s: tree.MoveAll, scope: Scope) -> tuple[list[ir.Stmt], Guards]:
    low = scope.low
    target = laid(s.to, low)
    who, guards = owner(s.to, scope)
    stmts: list[ir.Stmt] = []
    for ref in reversed(s.sources) if s.bottom else s.sources:
        source = laid(ref, low)
        mine, more = owner(ref, scope)
        guards = join_guards(guards, more)
        whole = source.array and target.array and (mine is not None or not source.of)
        if whole and not source.in_force:
            places = address(source, mine), address(target, who)
            stmt = ir.ArrayAppendAll(*places, low.plan.where, zone_id(target, who), s.bottom)
            stmts += _elsewhere(source, mine, target, who, (stmt,))
            continue
        if mine is not None and not source.array and source.name != target.name and not s.bottom:
            stmts += _empty(source, mine, target, who, scope)
            continue
        into = scope.fresh("moved")
        stmts += [
            ir.NewList(into, capacity(source, low)),
            *gather(ref, scope, into),
            *move_many(into, target, who, scope, bottom=s.bottom),
        ]
    return stmts, guards


def _elsewhere(
    source: ZoneLayout, mine: ir.Expr | None, target: ZoneLayout, who: ir.Expr | None, body: tuple[ir.Stmt, ...]
) -> list[ir.Stmt]:
    """What moves cards from the top of a zone on, in order, to another one; from a zone to itself it moves none."""
    if source.name != target.name:
        return list(body)
    return when(ir.Compare("!=", mine, who), list(body)) if mine is not None and who is not None else []


def _empty(source: ZoneLayout, owner: ir.Expr, target: ZoneLayout, who: ir.Expr | None, scope: Scope) -> list[ir.Stmt]:
    """Moves the cards of a linked zone, the first one each time, onto a zone of another name."""
    low = scope.low
    card, whose = ir.Local(scope.fresh("c")), ir.Local(scope.fresh("whose"))
    top = ir.Set(card.name, ir.Cell(source.first, whose))
    moved = move_card(card, target, who, low, bottom=False, first_of=(source, whose))
    return [ir.Set(whose.name, owner), top, ir.While(card, (*moved, top))]


def draw(s: tree.Draw, scope: Scope, amount: ir.Expr) -> tuple[list[ir.Stmt], Guards]:
    """Draws from the top one by one; where too few lie there, the refill is shuffled in first."""
    low = scope.low
    source, target = laid(s.source, low), laid(s.to, low)
    mine, g1 = owner(s.source, scope)
    who, g2 = owner(s.to, scope)
    args = [amount, *([mine] if mine is not None else []), *([who] if who is not None else [])]
    name = _draw_routine(low, source, target)
    return [ir.CallRoutine(name, tuple(args))], join_guards(g1, g2)


def _draw_routine(low: Lowering, source: ZoneLayout, target: ZoneLayout) -> str:
    name = f"draw_{source.name}_{target.name}"
    if name in low.functions:
        return name
    plan = low.plan
    mine = ir.Local("m") if source.of else None
    who = ir.Local("o") if target.of else None
    params = ["n", *(["m"] if source.of else []), *(["o"] if target.of else [])]
    there = lying(source, mine)
    body: list[ir.Stmt] = []
    declared = low.model.zones.get(source.name)
    if declared is not None and declared.refilled_from:
        refill = plan.zones[declared.refilled_from]
        theirs = mine if refill.of else None
        body += when(
            ir.Logic("and", (ir.Compare("<", there, ir.Local("n")), lying(refill, theirs))),
            [
                shuffling.refill(source, mine, refill, theirs, declared.span, low),
                ir.ArrayShuffle(address(refill, theirs)),
                ir.ArrayAppendAll(
                    address(refill, theirs), address(source, mine), plan.where, zone_id(source, mine), bottom=True
                ),
                ir.LogEnd(),
            ],
        )
    if source.array and target.array and not target.slot:
        places = (address(source, mine), address(target, who))

        def drawn(count: ir.Expr) -> tuple[ir.Stmt, ...]:
            return (ir.ArrayDraw(*places, count, plan.where, zone_id(target, who)),)

        one, number = ir.Branch(there, drawn(ir.Const(1))), ir.Local("number")
        many = (
            ir.Set("number", ir.MinMax("min", (ir.Local("n"), there))),
            ir.Branch(ir.Compare(">", number, ir.Const(0)), drawn(number)),
        )
        drawing = ir.Branch(ir.Compare("==", ir.Local("n"), ir.Const(1)), (one,), many)
        body += _elsewhere(source, mine, target, who, (drawing,))
    else:
        moved = move_card(ir.Local("c"), target, who, low, bottom=False)
        times_ = ir.MinMax("min", (ir.Local("n"), there))
        body.append(ir.ForRange("k", ir.Const(0), times_, (ir.Set("c", _top(source, mine)), *moved)))
    return low.function(name, "routine", params, body, f"draw from {source.name}", NOWHERE)


def _top(zone: ZoneLayout, who: ir.Expr | None) -> ir.Expr:
    if not zone.array:
        assert who is not None
        return cell(zone.last, who)
    where = address(zone, who)
    return ir.Cell(0, add(where, at(where)))


def shuffle(ref: tree.ZoneRef, span: Span, scope: Scope) -> tuple[list[ir.Stmt], Guards]:
    low = scope.low
    zone = laid(ref, low)
    who, guards = owner(ref, scope)
    told = shuffling.told(zone, who, span, low)
    if zone.array:
        return [told, ir.ArrayShuffle(address(zone, who))], guards
    # A linked zone: take the cards out and put them back in a random order.
    cards, k, c = scope.fresh("cards"), scope.fresh("k"), scope.fresh("c")
    body: list[ir.Stmt] = [
        ir.Random(k, ir.Length(cards)),
        ir.Set(c, ir.Item(cards, ir.Local(k))),
        ir.TakeAt(cards, ir.Local(k)),
        *move_card(ir.Local(c), zone, who, low, bottom=False, face=None),
    ]
    return [
        told,
        ir.NewList(cards, capacity(zone, low)),
        *gather(ref, scope, cards),
        ir.While(ir.Length(cards), tuple(body)),
    ], guards
