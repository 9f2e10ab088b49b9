"""Making and losing things: `create_KIND`, `remove_KIND`, `release` of given-up slots.

A removed thing reads as missing from then on. Its slot stays `used` until control is back where an outermost turn
begins, where its player chooses the next action, or in the block of the game, so that no variable of a waiting routine
can come to mean another thing; such slots wait in a chain. Where things may come meanwhile there are slots to spare
(`rulelang.compiler.lower.coming`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rulelang.base.source import NOWHERE, Span
from rulelang.base.wording import with_article
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import Lowering, add, both, times
from rulelang.compiler.lower.state import joining
from rulelang.compiler.lower.state.addresses import cell, chained, owner_of, unchain
from rulelang.compiler.lower.state.moving import move_card

S, OWNER, F = ir.Local("s"), ir.Local("o"), ir.Local("f")


def used(kind: str, low: Lowering) -> int:
    """Column: not 0 for slots that may not be given to a new thing yet. The alive column where nothing is ever
    removed."""
    laid = low.plan.kinds[kind]
    if not laid.used and any(kind in kinds for kinds in low.graph.removes.values()):
        laid = replace(laid, used=low.plan.claim(low.plan.rows_of(kind) + 1), waiting=low.plan.claim(1))
        low.plan.kinds[kind] = laid
    return laid.used or laid.alive


def create(kind: str, low: Lowering) -> str:
    """`create_KIND(owner, left)` -> handle of the new thing, 0 if the owner has all that he may have, or no slot left
    (`no_room`)."""
    name = f"create_{kind}"
    if name in low.functions:
        return name
    plan = low.plan
    taken = used(kind, low)
    laid = plan.kinds[kind]
    full = ir.Compare(">=", cell(laid.count, OWNER), ir.Const(laid.most))
    body: list[ir.Stmt] = [
        *([ir.Branch(full, (ir.Return(ir.Const(0)),))] if laid.per_owner > laid.most else []),
        ir.Set("s", add(times(OWNER, ir.Const(laid.per_owner)), ir.Const(1 - laid.per_owner))),
        ir.Set("e", add(S, ir.Const(laid.per_owner))),
        ir.While(both(ir.Compare("<", S, ir.Local("e")), ir.Cell(taken, S)), (ir.Set("s", add(S, ir.Const(1))),)),
        ir.Branch(ir.Compare(">=", S, ir.Local("e")), (ir.Return(ir.Const(0)),)),
        ir.Store(laid.alive, S, ir.Const(1)),
        ir.Add(laid.count, OWNER, ir.Const(1)),
    ]
    if taken != laid.alive:
        body.append(ir.Store(taken, S, ir.Const(1)))
    for attribute in low.model.made[kind].attributes.values():
        start = plan.start_of(attribute)
        base, width = plan.columns[kind, attribute.name], _width(kind, attribute.name, low)
        if width > 1 and start:
            body.append(ir.Fill(base, width, start, times(S, ir.Const(width))))
        elif start:
            body.append(ir.Store(base, S, ir.Const(start)))
    if laid.next:
        left = (
            ir.Set("f", cell(laid.first, OWNER)),
            *chained(laid.next, laid.prev, S, F, ir.Store(laid.last, OWNER, S)),
            ir.Store(laid.first, OWNER, S),
        )
        right = (
            ir.Set("f", cell(laid.last, OWNER)),
            *chained(laid.prev, laid.next, S, F, ir.Store(laid.first, OWNER, S)),
            ir.Store(laid.last, OWNER, S),
        )
        body.append(ir.Branch(ir.Local("left"), left, right))
    body.append(ir.Return(S))
    return low.function(name, "routine", ("o", "left"), body, f"create {with_article(kind)}", NOWHERE)


def no_room(kind: str, made: ir.Expr, owner: ir.Expr, span: Span, low: Lowering) -> list[ir.Stmt]:
    """After `create_KIND`: X612 where nothing was made although its owner may have more of them."""
    taken = used(kind, low)
    laid = low.plan.kinds[kind]
    if taken == laid.alive:
        return []
    room = ir.Compare("<", cell(laid.count, owner), ir.Const(laid.most))
    message = f"this removes and creates too many things of kind `{kind}` in one action"
    return [ir.Branch(both(ir.Not(made), room), (ir.Fail("X612", span, message),))]


def _width(kind: str, attribute: str, low: Lowering) -> int:
    width = 1
    for index in low.model.made[kind].attributes[attribute].index:
        width *= low.plan.rows_of(index) + 1
    return width


def remove(kind: str, low: Lowering) -> str:
    """`remove_KIND(s)`: takes a thing out of play; cards on it go to the box, references to it become missing."""
    name = f"remove_{kind}"
    if name in low.functions:
        return name
    plan = low.plan
    taken = used(kind, low)
    laid = plan.kinds[kind]
    body: list[ir.Stmt] = [
        ir.Set("o", owner_of(kind, S, low)),
        *joining.leave_all(low, kind, S),
        *_cards_to_box(kind, low),
        ir.Store(laid.alive, S, ir.Const(0)),
        ir.Add(laid.count, OWNER, ir.Const(-1)),
    ]
    if taken != laid.alive:
        behind = add(ir.Cell(laid.waiting), ir.Const(1))
        body += [ir.Store(taken, S, behind), ir.Store(laid.waiting, None, S)]
    if laid.next:
        first, last = ir.Store(laid.first, OWNER, ir.Local("n")), ir.Store(laid.last, OWNER, ir.Local("p"))
        body += unchain(laid.next, laid.prev, S, first, last)
    for attribute in low.model.made[kind].attributes.values():
        width = _width(kind, attribute.name, low)
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


def release(low: Lowering, kinds: Iterable[str]) -> list[ir.Stmt]:
    """Statements of an outermost turn loop: slots of removed things of these kinds may be used again. What is kept of
    such a thing in the state is cleared first, so that it does not come to speak of another."""
    stmts: list[ir.Stmt] = []
    for kind in kinds:
        taken = used(kind, low)
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
                *_forgotten(kind, low),
                ir.Set("s", ir.Cell(laid.waiting)),
                ir.Store(laid.waiting, None, ir.Const(0)),
                ir.While(S, loop),
            )
            low.function(name, "routine", (), body, f"release slots of {kind}", NOWHERE)
        stmts.append(ir.Branch(ir.Cell(laid.waiting), (ir.CallRoutine(name, ()),)))
    return stmts


def _forgotten(kind: str, low: Lowering) -> list[ir.Stmt]:
    """Clears the attributes and state values that refer to what has gone."""
    alive = low.plan.kinds[kind].alive
    out: list[ir.Stmt] = []
    for attribute in low.plan.attributes:
        if attribute.type == kind:
            word = ir.Cell(attribute.base, ir.Local("w"))
            gone = both(word, ir.Not(ir.Cell(alive, word)))
            clear = (ir.Branch(gone, (ir.Store(attribute.base, ir.Local("w"), ir.Const(0)),)),)
            first, words = (0, 1) if not attribute.kind else (attribute.width, (attribute.count + 1) * attribute.width)
            out.append(ir.ForRange("w", ir.Const(first), ir.Const(words), clear))
    return out
