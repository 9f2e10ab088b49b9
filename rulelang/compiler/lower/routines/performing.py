"""Taking an action that is legal: its flag, the card that is played with it, its event."""

from __future__ import annotations

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import TRUE, Lowering, both
from rulelang.compiler.lower.expr.calls import run
from rulelang.compiler.lower.expr.roles import roles_of
from rulelang.compiler.lower.routines import triggers
from rulelang.compiler.lower.routines.resets import touch
from rulelang.compiler.lower.state import loose, moving
from rulelang.compiler.lower.state.addresses import cell, owner_of
from rulelang.language.semantics import tree


def perform(action: tree.Action, args: tuple[ir.Expr, ...], low: Lowering) -> list[ir.Stmt]:
    """Does a legal action: its flag, its event. With a trial the body has been tried already."""
    n = len(roles_of(action.id, low))
    out: list[ir.Stmt] = []
    if action.once_per is not None:
        base, index = once_flag(action, args[:n], ir.Cell(low.cells.actor), low)
        out += [ir.Store(base, index, TRUE), *touch(action.once_per, low)]
    out += _played(action, args[:n], low)
    return [*out, run(action.id, args[n:], low, args[:n])]


def _played(action: tree.Action, roles: tuple[ir.Expr, ...], low: Lowering) -> list[ir.Stmt]:
    """A card whose own action is taken from a playable zone is played: it goes where that zone says, then acts."""
    given = dict(zip(roles_of(action.id, low), roles, strict=True))
    sorts = {low.plan.cards[card].sort for card in loose.cards(action, low)}
    if action.origin.what == "card" and not action.always:
        sorts = {action.origin.name}
    out: list[ir.Stmt] = []
    for zone in low.model.zones.values():
        if zone.playable and zone.played_to and zone.holds in sorts:
            laid, target = low.plan.zones[zone.name], low.plan.zones[zone.played_to]
            card = given["this"]
            where = cell(low.plan.where, card)
            first = laid.first_id + (1 if laid.of else 0)
            inside = both(
                ir.Compare(">=", where, ir.Const(first)),
                ir.Compare("<=", where, ir.Const(laid.first_id + laid.owners)),
            )
            who = None
            if target.of:
                who = owner_of("", card, low) if target.of == laid.of else ir.Cell(low.cells.actor)
            out.append(ir.Branch(inside, tuple(moving.move_card(card, target, who, low, bottom=False))))
    return out


def once_flag(action: tree.Action, roles: tuple[ir.Expr, ...], actor: ir.Expr, low: Lowering) -> tuple[int, ir.Expr]:
    """The flag of an action that is possible once a turn (or round ...): by card, or by player for core actions."""
    this = dict(zip(roles_of(action.id, low), roles, strict=True)).get("this")
    if this is None:
        words, index = low.plan.players + 2, actor
    elif action.origin.what == "trait":
        words, index = triggers.flags_of(action.origin, this, low)
    else:
        words, index = len(low.plan.cards), this
    key = ("once action", action.id)
    if key not in low.words:
        assert action.once_per is not None
        low.resets.setdefault(action.once_per, []).append((low.claimed(key, words), words, 0))
    return low.words[key], index
