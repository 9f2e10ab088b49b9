"""Move, draw and shuffle cards, and create and remove things."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from rulelang.base.layout import ZONE, LogTemplate, ZoneLayout
from rulelang.base.source import NOWHERE, Span
from rulelang.base.wording import with_article
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import Guards, Lowering, Scope, add, branch, conjunction, join_guards, times
from rulelang.compiler.lower.expr.iteration import zone_loop
from rulelang.compiler.lower.state import trait_masks
from rulelang.compiler.lower.state.access import (
    cards_in_zone,
    cell,
    cell_at,
    face_of,
    link_into_chain,
    owner_of,
    unlink_from_chain,
    zone_address,
    zone_id,
    zone_layout,
    zone_owner,
)
from rulelang.language.semantics import tree

# ---- log of shuffles

#: What the log says, as catalogues of languages find it.
PHRASES = {
    "shuffled": "{zone} is shuffled",
    "refilled": "{zone} is refilled with {number} shuffled {number:card|cards} from {zone 2}",
}
_SHUFFLED: tuple[str | tuple[int, str], ...] = ((0, ZONE), " is shuffled")
_REFILLED: tuple[str | tuple[int, str], ...] = (
    (0, ZONE), " is refilled with ", (1, "int"), " shuffled ", (1, ":card|cards"), " from ", (2, ZONE),
)  # fmt: skip


def log_shuffle(zone: ZoneLayout, who: ir.Expr | None, span: Span, low: Lowering) -> ir.Stmt:
    """A zone is about to be shuffled; one in which nothing lies is not worth telling."""
    template = low.template(LogTemplate("shuffle", "shuffle", "", _SHUFFLED, span))
    return ir.Branch(cards_in_zone(zone, who), (ir.Log(template, (zone_id(zone, who),)),))


def log_refill(
    zone: ZoneLayout, who: ir.Expr | None, source: ZoneLayout, whose: ir.Expr | None, span: Span, low: Lowering
) -> ir.Stmt:
    """All cards of a zone are about to be shuffled and laid under another, in the course of this event, which
    `ir.LogEnd` ends."""
    template = low.template(LogTemplate("shuffle", "refill", "", _REFILLED, span))
    return ir.Log(template, (zone_id(zone, who), cards_in_zone(source, whose), zone_id(source, whose)), opens=True)


# ---- moving cards


def take_out(card: ir.Expr, low: Lowering, first_of: tuple[ZoneLayout, ir.Expr] | None = None) -> list[ir.Stmt]:
    """Statements that take a card out of the zone it lies in. It has no links then; the next move says where it lies.

    `first_of`: the linked zone, and its owner, whose first card this is known to be.
    """
    plan = low.plan
    if first_of is not None:
        zone, who = first_of
        parted = [_part_card(card, low)] if plan.card_partner else []
        return [*parted, *_unlink_from(low, zone, card, who, foremost=True)]
    lies = ir.Local("lying")
    bases = low.table("zone_base", _zone_bases(low))
    array = (ir.ArrayDrop(ir.Table(bases, lies), card),)
    where = ir.Set("lying", cell(plan.where, card))
    linked = [z for z in plan.zones.values() if not z.array]
    if not linked:
        return [where, *array]
    first = min(z.first_id for z in linked)
    unlink: tuple[ir.Stmt, ...] = (ir.CallRoutine(_unlink_function(low, linked), (card, lies)),)
    if plan.card_partner:  # only a card that lies on something can be joined to something
        unlink = (_part_card(card, low), *unlink)
    return [where, ir.Branch(ir.Compare(">", lies, ir.Const(first)), unlink, array)]


def _part_card(card: ir.Expr, low: Lowering) -> ir.Stmt:
    return ir.Branch(cell(low.plan.card_partner, card), (ir.CallRoutine(trait_masks.part_function(low), (card,)),))


def _unlink_function(low: Lowering, linked: Sequence[ZoneLayout]) -> str:
    """`unlink(c, z)`: takes a card out of a linked zone."""
    if "unlink" not in low.functions:
        z, c, o = ir.Local("z"), ir.Local("c"), ir.Local("o")
        body: tuple[ir.Stmt, ...] = ()
        for zone in sorted(linked, key=lambda zone: -zone.first_id):  # behind the last array there are only these
            here = (ir.Set("o", add(z, ir.Const(-zone.first_id))), *_unlink_from(low, zone, c, o))
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


def _unlink_from(low: Lowering, zone: ZoneLayout, c: ir.Expr, o: ir.Expr, *, foremost: bool = False) -> list[ir.Stmt]:
    """`foremost`: the card is known to be the first of the zone."""
    plan = low.plan
    first, last = ir.Store(zone.first, o, ir.Local("n")), ir.Store(zone.last, o, ir.Local("p"))
    return [
        *unlink_from_chain(plan.card_next, plan.card_prev, c, first, last, foremost=foremost),
        ir.Add(zone.count, o, ir.Const(-1)),
        *trait_masks.card_left(low, zone, c, o, face_of(c, low)),
    ]


def attach_function(low: Lowering, zone: ZoneLayout, *, bottom: bool) -> str:
    """`put_ZONE(c, o)`: lays a card that lies nowhere onto (or under) a zone; no `o` for a zone of the game.

    Where traits work, `t` is the one that the card shows.
    """
    name = f"put_{'under' if bottom else 'on'}_{zone.name}"
    if name in low.functions:
        return name
    plan = low.plan
    c, o = ir.Local("c"), ir.Local("o")
    who = o if zone.of else None
    params = ("c", *(("o",) if zone.of else ()), *(("t",) if trait_masks.counts_in_zone(zone, low) else ()))
    if zone.array:
        stmts: list[ir.Stmt] = []
        if zone.slot:
            full = ir.Fail("X603", NOWHERE, f"the {zone.name} slot is full", ())
            stmts += branch(cell_at(zone_address(zone, who)), [full])
        stmts += [
            ir.ArrayPush(zone_address(zone, who), c, bottom),
            ir.Store(plan.where, c, zone_id(zone, who)),
        ]
    else:
        near, far = (zone.first, zone.last) if bottom else (zone.last, zone.first)
        toward, back = (plan.card_next, plan.card_prev) if bottom else (plan.card_prev, plan.card_next)
        stmts = [
            ir.Set("e", ir.Cell(near, o)),
            *link_into_chain(toward, back, c, ir.Local("e"), ir.Store(far, o, c)),
            ir.Store(near, o, c),
            ir.Add(zone.count, o, ir.Const(1)),
            ir.Store(plan.where, c, zone_id(zone, o)),
            *trait_masks.card_came(low, zone, c, o, ir.Local("t")),
            *trait_masks.note_age(low, zone, c),
        ]
    return low.function(name, "routine", params, stmts, f"move to {zone.name}", NOWHERE)


def move_card(card: ir.Expr, zone: ZoneLayout, who: ir.Expr | None, low: Lowering, *, bottom: bool,
              face: ir.Expr | None = None, partner: ir.Expr | None = None,
              first_of: tuple[ZoneLayout, ir.Expr] | None = None) -> list[ir.Stmt]:  # fmt: skip
    """Statements that move one card to a zone; a card keeps a face and partner only where it is laid with one."""
    plan = low.plan
    stmts = take_out(card, low, first_of)
    if plan.card_face:
        stmts.append(ir.Store(plan.card_face, card, face if face is not None else only_face(card, low)))
    shown: tuple[ir.Expr, ...] = ()
    if trait_masks.counts_in_zone(zone, low):
        shown = (face if isinstance(face, ir.Local) else face_of(card, low),)
    args = (card, *(() if who is None else (who,)), *shown)
    stmts.append(ir.CallRoutine(attach_function(low, zone, bottom=bottom), args))
    if partner is not None:
        stmts += [
            ir.Store(plan.card_partner, card, partner),
            ir.CallRoutine(trait_masks.join_function(low), (card, partner)),
        ]
    return stmts


def only_face(card: ir.Expr, low: Lowering) -> ir.Expr:
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


def gather_cards(ref: tree.AnyZone, scope: Scope, into: str) -> list[ir.Stmt]:
    """Appends the cards of a zone (or of all zones of that name) to a list local, bottom first."""
    name = scope.fresh("c")
    return zone_loop(ref, name, scope, [ir.Append(into, ir.Local(name))], distinct=None)


def zone_capacity(zone: ZoneLayout, low: Lowering) -> int:
    """The most cards that can lie in zones of that name."""
    return len(low.plan.cards) if not zone.holds else low.plan.sorts[zone.holds][1] - low.plan.sorts[zone.holds][0] + 1


def move_all(s: tree.MoveAll, scope: Scope) -> tuple[list[ir.Stmt], Guards]:
    low = scope.low
    target = zone_layout(s.to, low)
    who, guards = zone_owner(s.to, scope)
    stmts: list[ir.Stmt] = []
    for ref in reversed(s.sources) if s.bottom else s.sources:
        source = zone_layout(ref, low)
        mine, more = zone_owner(ref, scope)
        guards = join_guards(guards, more)
        whole = source.array and target.array and (mine is not None or not source.of)
        if whole and not source.in_force:
            places = zone_address(source, mine), zone_address(target, who)
            stmt = ir.ArrayAppendAll(*places, low.plan.where, zone_id(target, who), s.bottom)
            stmts += _unless_same_zone(source, mine, target, who, (stmt,))
            continue
        if mine is not None and not source.array and source.name != target.name and not s.bottom:
            stmts += _move_linked_zone(source, mine, target, who, scope)
            continue
        into = scope.fresh("moved")
        stmts += [
            ir.NewList(into, zone_capacity(source, low)),
            *gather_cards(ref, scope, into),
            *move_many(into, target, who, scope, bottom=s.bottom),
        ]
    return stmts, guards


def _unless_same_zone(
    source: ZoneLayout, mine: ir.Expr | None, target: ZoneLayout, who: ir.Expr | None, body: tuple[ir.Stmt, ...]
) -> list[ir.Stmt]:
    """What moves cards from the top of a zone on, in order, to another one; from a zone to itself it moves none."""
    if source.name != target.name:
        return list(body)
    return branch(ir.Compare("!=", mine, who), list(body)) if mine is not None and who is not None else []


def _move_linked_zone(
    source: ZoneLayout, owner: ir.Expr, target: ZoneLayout, who: ir.Expr | None, scope: Scope
) -> list[ir.Stmt]:
    """Moves the cards of a linked zone, the first one each time, onto a zone of another name."""
    low = scope.low
    card, whose = ir.Local(scope.fresh("c")), ir.Local(scope.fresh("whose"))
    top = ir.Set(card.name, ir.Cell(source.first, whose))
    moved = move_card(card, target, who, low, bottom=False, first_of=(source, whose))
    return [ir.Set(whose.name, owner), top, ir.While(card, (*moved, top))]


def draw_cards(s: tree.Draw, scope: Scope, amount: ir.Expr) -> tuple[list[ir.Stmt], Guards]:
    """Draws from the top one by one; where too few lie there, the refill is shuffled in first."""
    low = scope.low
    source, target = zone_layout(s.source, low), zone_layout(s.to, low)
    mine, g1 = zone_owner(s.source, scope)
    who, g2 = zone_owner(s.to, scope)
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
    there = cards_in_zone(source, mine)
    body: list[ir.Stmt] = []
    declared = low.model.zones.get(source.name)
    if declared is not None and declared.refilled_from:
        refill = plan.zones[declared.refilled_from]
        theirs = mine if refill.of else None
        body += branch(
            ir.Logic("and", (ir.Compare("<", there, ir.Local("n")), cards_in_zone(refill, theirs))),
            [
                log_refill(source, mine, refill, theirs, declared.span, low),
                ir.ArrayShuffle(zone_address(refill, theirs)),
                ir.ArrayAppendAll(
                    zone_address(refill, theirs),
                    zone_address(source, mine),
                    plan.where,
                    zone_id(source, mine),
                    bottom=True,
                ),
                ir.LogEnd(),
            ],
        )
    if source.array and target.array and not target.slot:
        places = (zone_address(source, mine), zone_address(target, who))

        def drawn(count: ir.Expr) -> tuple[ir.Stmt, ...]:
            return (ir.ArrayDraw(*places, count, plan.where, zone_id(target, who)),)

        one, number = ir.Branch(there, drawn(ir.Const(1))), ir.Local("number")
        many = (
            ir.Set("number", ir.MinMax("min", (ir.Local("n"), there))),
            ir.Branch(ir.Compare(">", number, ir.Const(0)), drawn(number)),
        )
        drawing = ir.Branch(ir.Compare("==", ir.Local("n"), ir.Const(1)), (one,), many)
        body += _unless_same_zone(source, mine, target, who, (drawing,))
    else:
        moved = move_card(ir.Local("c"), target, who, low, bottom=False)
        times_ = ir.MinMax("min", (ir.Local("n"), there))
        body.append(ir.ForRange("k", ir.Const(0), times_, (ir.Set("c", _top_card(source, mine)), *moved)))
    return low.function(name, "routine", params, body, f"draw from {source.name}", NOWHERE)


def _top_card(zone: ZoneLayout, who: ir.Expr | None) -> ir.Expr:
    if not zone.array:
        assert who is not None
        return cell(zone.last, who)
    where = zone_address(zone, who)
    return ir.Cell(0, add(where, cell_at(where)))


def shuffle_zone(ref: tree.ZoneRef, span: Span, scope: Scope) -> tuple[list[ir.Stmt], Guards]:
    low = scope.low
    zone = zone_layout(ref, low)
    who, guards = zone_owner(ref, scope)
    told = log_shuffle(zone, who, span, low)
    if zone.array:
        return [told, ir.ArrayShuffle(zone_address(zone, who))], guards
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
        ir.NewList(cards, zone_capacity(zone, low)),
        *gather_cards(ref, scope, cards),
        ir.While(ir.Length(cards), tuple(body)),
    ], guards


# ---- creating and removing things

S, OWNER, F = ir.Local("s"), ir.Local("o"), ir.Local("f")


def used_slot_column(kind: str, low: Lowering) -> int:
    """Column: not 0 for slots that may not be given to a new thing yet. The alive column where nothing is ever
    removed."""
    laid = low.plan.kinds[kind]
    if not laid.used and any(kind in kinds for kinds in low.graph.removes.values()):
        laid = replace(laid, used=low.plan.claim(low.plan.rows_of(kind) + 1), waiting=low.plan.claim(1))
        low.plan.kinds[kind] = laid
    return laid.used or laid.alive


def create_function(kind: str, low: Lowering) -> str:
    """`create_KIND(owner, left)` -> handle of the new thing, 0 if the owner has all that he may have, or no slot left
    (`no_room`)."""
    name = f"create_{kind}"
    if name in low.functions:
        return name
    plan = low.plan
    taken = used_slot_column(kind, low)
    laid = plan.kinds[kind]
    full = ir.Compare(">=", cell(laid.count, OWNER), ir.Const(laid.most))
    body: list[ir.Stmt] = [
        *([ir.Branch(full, (ir.Return(ir.Const(0)),))] if laid.per_owner > laid.most else []),
        ir.Set("s", add(times(OWNER, ir.Const(laid.per_owner)), ir.Const(1 - laid.per_owner))),
        ir.Set("e", add(S, ir.Const(laid.per_owner))),
        ir.While(
            conjunction(ir.Compare("<", S, ir.Local("e")), ir.Cell(taken, S)), (ir.Set("s", add(S, ir.Const(1))),)
        ),
        ir.Branch(ir.Compare(">=", S, ir.Local("e")), (ir.Return(ir.Const(0)),)),
        ir.Store(laid.alive, S, ir.Const(1)),
        ir.Add(laid.count, OWNER, ir.Const(1)),
    ]
    if taken != laid.alive:
        body.append(ir.Store(taken, S, ir.Const(1)))
    for attribute in low.model.made[kind].attributes.values():
        start = plan.start_of(attribute)
        base, width = plan.columns[kind, attribute.name], _attribute_width(kind, attribute.name, low)
        if width > 1 and start:
            body.append(ir.Fill(base, width, start, times(S, ir.Const(width))))
        elif start:
            body.append(ir.Store(base, S, ir.Const(start)))
    if laid.next:
        left = (
            ir.Set("f", cell(laid.first, OWNER)),
            *link_into_chain(laid.next, laid.prev, S, F, ir.Store(laid.last, OWNER, S)),
            ir.Store(laid.first, OWNER, S),
        )
        right = (
            ir.Set("f", cell(laid.last, OWNER)),
            *link_into_chain(laid.prev, laid.next, S, F, ir.Store(laid.first, OWNER, S)),
            ir.Store(laid.last, OWNER, S),
        )
        body.append(ir.Branch(ir.Local("left"), left, right))
    body.append(ir.Return(S))
    return low.function(name, "routine", ("o", "left"), body, f"create {with_article(kind)}", NOWHERE)


def fail_without_room(kind: str, made: ir.Expr, owner: ir.Expr, span: Span, low: Lowering) -> list[ir.Stmt]:
    """After `create_KIND`: X612 where nothing was made although its owner may have more of them."""
    taken = used_slot_column(kind, low)
    laid = low.plan.kinds[kind]
    if taken == laid.alive:
        return []
    room = ir.Compare("<", cell(laid.count, owner), ir.Const(laid.most))
    message = f"this removes and creates too many things of kind `{kind}` in one action"
    return [ir.Branch(conjunction(ir.Not(made), room), (ir.Fail("X612", span, message),))]


def _attribute_width(kind: str, attribute: str, low: Lowering) -> int:
    width = 1
    for index in low.model.made[kind].attributes[attribute].index:
        width *= low.plan.rows_of(index) + 1
    return width


def remove_function(kind: str, low: Lowering) -> str:
    """`remove_KIND(s)`: takes a thing out of play; cards on it go to the box, references to it become missing."""
    name = f"remove_{kind}"
    if name in low.functions:
        return name
    plan = low.plan
    taken = used_slot_column(kind, low)
    laid = plan.kinds[kind]
    body: list[ir.Stmt] = [
        ir.Set("o", owner_of(kind, S, low)),
        *trait_masks.unjoin_all(low, kind, S),
        *_cards_to_box(kind, low),
        ir.Store(laid.alive, S, ir.Const(0)),
        ir.Add(laid.count, OWNER, ir.Const(-1)),
    ]
    if taken != laid.alive:
        behind = add(ir.Cell(laid.waiting), ir.Const(1))
        body += [ir.Store(taken, S, behind), ir.Store(laid.waiting, None, S)]
    if laid.next:
        first, last = ir.Store(laid.first, OWNER, ir.Local("n")), ir.Store(laid.last, OWNER, ir.Local("p"))
        body += unlink_from_chain(laid.next, laid.prev, S, first, last)
    for attribute in low.model.made[kind].attributes.values():
        width = _attribute_width(kind, attribute.name, low)
        base = plan.columns[kind, attribute.name]
        if width > 1:
            body.append(ir.Fill(base, width, 0, times(S, ir.Const(width))))
        else:
            body.append(ir.Store(base, S, ir.Const(0)))
    if laid.place:
        body.append(ir.Store(laid.place, S, ir.Const(0)))
    body += _clear_tables(kind, low)
    gone = [ir.Branch(cell(laid.alive, S), tuple(body))]
    return low.function(name, "routine", ("s",), gone, f"remove {with_article(kind)}", NOWHERE)


def _cards_to_box(kind: str, low: Lowering) -> list[ir.Stmt]:
    """What still lies on a removed thing leaves the game (a card is always somewhere)."""
    out: list[ir.Stmt] = []
    box = low.plan.zones["box"]
    for zone in low.plan.zones.values():
        if zone.of == kind and not zone.array:
            top = cell(zone.last, S)
            move = (ir.Set("c", top), *move_card(ir.Local("c"), box, None, low, bottom=False))
            out.append(ir.While(cell(zone.count, S), move))
        elif zone.of == kind and zone.slot:
            where = times(S, ir.Const(zone.stride))
            move = (
                ir.Set("c", ir.Cell(zone.base + 1, where)),
                *move_card(ir.Local("c"), box, None, low, bottom=False),
            )
            out.append(ir.Branch(ir.Cell(zone.base, where), move))
    return out


def _clear_tables(kind: str, low: Lowering) -> list[ir.Stmt]:
    """The rows of tables that are kept by the removed thing."""
    out: list[ir.Stmt] = []
    for table in low.plan.tables.values():
        if table.of and table.of[0] == kind:
            width = 1
            for d in table.dims[1:]:
                width *= d
            out.append(ir.Fill(table.base, width, 0, times(S, ir.Const(width))))
        elif kind in table.of[1:] and len(table.of) == 2:
            at = add(times(ir.Local("r"), ir.Const(table.dims[1])), S)
            loop = ir.ForRange("r", ir.Const(0), ir.Const(table.dims[0]), (ir.Store(table.base, at, ir.Const(0)),))
            out.append(loop)
    return out


def release_slots(low: Lowering, kinds: Iterable[str]) -> list[ir.Stmt]:
    """Statements of an outermost turn loop: slots of removed things of these kinds may be used again. What is kept of
    such a thing in the state is cleared first, so that it does not come to speak of another."""
    stmts: list[ir.Stmt] = []
    for kind in kinds:
        taken = used_slot_column(kind, low)
        laid = low.plan.kinds[kind]
        if taken == laid.alive:
            continue
        name = f"release_{kind}"
        if name not in low.functions:
            loop = (
                ir.Set("n", add(ir.Cell(taken, S), ir.Const(-1))),
                ir.Store(taken, S, ir.Const(0)),
                ir.Set("s", ir.Local("n")),
            )
            body = (
                *_clear_references(kind, low),
                ir.Set("s", ir.Cell(laid.waiting)),
                ir.Store(laid.waiting, None, ir.Const(0)),
                ir.While(S, loop),
            )
            low.function(name, "routine", (), body, f"release slots of {kind}", NOWHERE)
        stmts.append(ir.Branch(ir.Cell(laid.waiting), (ir.CallRoutine(name, ()),)))
    return stmts


def _clear_references(kind: str, low: Lowering) -> list[ir.Stmt]:
    """Clears the attributes and state values that refer to what has gone."""
    alive = low.plan.kinds[kind].alive
    out: list[ir.Stmt] = []
    for attribute in low.plan.attributes:
        if attribute.type == kind:
            word = ir.Cell(attribute.base, ir.Local("w"))
            gone = conjunction(word, ir.Not(ir.Cell(alive, word)))
            clear = (ir.Branch(gone, (ir.Store(attribute.base, ir.Local("w"), ir.Const(0)),)),)
            first, words = (0, 1) if not attribute.kind else (attribute.width, (attribute.count + 1) * attribute.width)
            out.append(ir.ForRange("w", ir.Const(first), ir.Const(words), clear))
    return out
