"""Actions and choices as enumerators: every legal combination of arguments, tested as early as it can be."""

from __future__ import annotations

from collections.abc import Callable

from rulelang.base.layout import ActionInfo
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import Lowering, Scope, both, either, equal, negate, when
from rulelang.compiler.lower.expr.expressions import cond
from rulelang.compiler.lower.expr.iteration import loops, things_of
from rulelang.compiler.lower.expr.roles import (
    bearer_kind,
    bind_roles,
    implied,
    is_mutual,
    partner_at,
    roles_of,
    trait_number,
)
from rulelang.compiler.lower.requests import OptionsOf
from rulelang.compiler.lower.routines import bearers
from rulelang.compiler.lower.routines.choosing import holds
from rulelang.compiler.lower.routines.options import Arguments, one_card_sorts
from rulelang.compiler.lower.routines.questions import closed
from rulelang.compiler.lower.routines.steps import completable
from rulelang.compiler.lower.state import bearing, copying, loose, masks, pairs
from rulelang.compiler.lower.state.addresses import cell, owner_of
from rulelang.language.semantics import tree
from rulelang.language.semantics.state_layout import type_name
from rulelang.language.semantics.tree import locals_of

Body = Callable[[Scope], list[ir.Stmt]]


def action_info(action: tree.Action, low: Lowering) -> ActionInfo:
    """The action as options show it: its bearer, then its arguments; a card that only tells copies apart is hidden."""
    types: list[str] = []
    params: list[str] = []
    for role in roles_of(action.id, low):
        local = getattr(action.bearer, role)
        hidden = role == "owner" or (role == "this" and action.bearer.self is not None)
        types.append("" if hidden else type_name(local.type))
        params.append(role)
    for b in () if action.in_steps else action.binders:
        types.append(type_name(b.local.type))
        params.append(b.local.text)
    source = low.source_of(action.origin)
    phases = tuple(low.program.routines[phase].name for phase in action.during)
    return ActionInfo(
        action.id, action.name, tuple(types), tuple(params), source, action.span, phases, action.free
    )  # fmt: skip


def choice_enumerator(s: tree.Choose, scope: Scope) -> tuple[str, tuple[ir.Expr, ...]]:
    """The enumerator of a `choose`, and its arguments."""
    low = scope.low
    inner, params, args = closed(s.binders, scope, f"choose_{scope.prefix}")

    def one(deep: Scope) -> list[ir.Stmt]:
        return [ir.Yield(tuple(deep.names[b.local.name] for b in s.binders))]

    distinct = not s.at_random and one_card_sorts(s.binders)
    body = loops(s.binders, inner, one, distinct=distinct, ordered=not s.at_random)
    name = low.unique(f"options_{scope.prefix}")
    return low.function(name, "enumerator", params, body, "choose", s.span), tuple(args)


# ---- actions


def action_source(action: tree.Action, tag: int, me: ir.Expr, main: ir.Expr | None, low: Lowering) -> ir.Source:
    """The enumerator of an action as a source of an offer; `main`: nothing is offered while that is true."""
    name = low.ask(OptionsOf(action.id, main is not None))
    return ir.Source(tag, name, (me, main) if main is not None else (me,))


def lower(wanted: OptionsOf, low: Lowering) -> None:
    """The enumerator of an action."""
    Options(low.program.actions[wanted.action], low).enumerator(wanted.name, with_main=wanted.with_main)


class Options:
    """The options of one action: those of each of its bearers."""

    def __init__(self, action: tree.Action, low: Lowering) -> None:
        self.action = action
        self.low = low
        self.arguments = Arguments(action, low)

    def enumerator(self, name: str, *, with_main: bool) -> None:
        low = self.low
        scope = Scope(low, f"options_{self.action.id}")
        scope.actor = ir.Local("me")
        params = ("me", "main") if with_main else ("me",)
        body = self._bearers(scope, self._steps if self.action.in_steps else self._whole)
        # Requirements on nothing but the table are tested before anything is listed.
        now = [t for t in self.arguments.tests if not locals_of(t) and not implied(t, low)]
        body = when(both(*(cond(t, scope) for t in now)), body)
        if with_main:
            body = [ir.Branch(ir.Not(ir.Local("main")), tuple(body))]
        low.function(name, "enumerator", params, body, self.action.id, self.action.span)

    def _whole(self, scope: Scope) -> list[ir.Stmt]:
        return self.arguments.open(scope, self.action.binders, self.arguments.tests)

    def _steps(self, scope: Scope) -> list[ir.Stmt]:
        """An action in steps is one option, if there is any way to complete it."""
        roles = tuple(scope.roles[r] for r in roles_of(self.action.id, self.low))
        call = ir.Call(completable(self.action, 0, self.low), (ir.Local("me"), *roles))
        return when(call, [ir.Yield(roles)])

    def _bearers(self, scope: Scope, run_body: Body) -> list[ir.Stmt]:
        action, low = self.action, self.low
        if action.always or action.origin.what == "core":
            return list(run_body(scope))
        if action.origin.what == "row":
            inner = scope.inner()
            bind_roles(action, inner, None, ir.Const(action.origin.row))
            return list(run_body(inner))
        if action.origin.what == "card":
            return self._cards_in_hand(scope, run_body)
        borne = self._borne(scope, run_body) if loose.on_things(action, low) else []
        return [*borne, *self._loose_cards(scope, run_body)]

    def _borne(self, scope: Scope, run_body: Body) -> list[ir.Stmt]:
        """Actions of a trait's cards that work on a thing of the actor, for each card."""
        action, low = self.action, self.low
        number = trait_number(action.origin, low)
        kind = bearer_kind(action, low)
        inner = scope.inner()
        thing, this = inner.fresh("self"), inner.fresh("this")
        me, self_, card = ir.Local("me"), ir.Local(thing), ir.Local(this)
        deep = inner.inner()
        bind_roles(action, deep, card, self_, me, partner_at(action, card, self_, low))
        each = when(masks.works(low, card, ir.Const(number)), list(run_body(deep)))

        def on(end: ir.Expr) -> list[ir.Stmt]:
            zones_ = masks.force_zones(low, kind)
            lie = [ir.ForChain(this, cell(zone.first, end), low.plan.card_next, tuple(each)) for zone in zones_]
            mutual = bool(low.plan.card_partner) and is_mutual(action, low)
            return [*lie, *(pairs.chain(low, kind, end, this, each) if mutual else [])]

        found = [*on(self_), *copying.each_source(kind, self_, low, on)]
        borne = when(bearing.bears(low, kind, self_, number), found)
        return when(masks.live_count(low, number), [things_of(kind, me, thing, low, inner, borne)])

    def _loose_cards(self, scope: Scope, run_body: Body) -> list[ir.Stmt]:
        """Actions of a trait's cards that lie on nothing: from a playable zone of the actor, or an ownerless one."""
        action, low = self.action, self.low
        if not loose.cards(action, low):
            return []
        inner = scope.inner()
        this = inner.fresh("this")
        card = ir.Local(this)
        owner = owner_of("", card, low)
        self_ = ir.Const(0) if loose.on_things(action, low) else card
        bind_roles(action, inner, card, self_, owner, ir.Const(0))
        mine = both(masks.at_hand(low, card), either(negate(owner), equal(owner, ir.Local("me"))))
        if not loose.alike(action, low):
            return loose.loop(action, this, low, when(mine, list(run_body(inner))))
        # Of equal cards the first that is at hand stands for all.
        look = ir.Table(low.table("look", [c.look for c in low.plan.cards]), card)
        new = both(mine, ir.Not(ir.Call(holds(low), (ir.Local("seen"), look))))
        loop = loose.loop(action, this, low, when(new, [ir.Append("seen", look), *run_body(inner)]))
        return [ir.NewList("seen", len(low.plan.cards)), *loop]

    def _cards_in_hand(self, scope: Scope, run_body: Body) -> list[ir.Stmt]:
        """Actions of a card row: from a playable zone of the actor, or from an ownerless zone in force."""
        action, low = self.action, self.low
        out: list[ir.Stmt] = []
        seen: dict[int, list[ir.Expr]] = {}
        apart = bool(low.model.sorts[action.origin.name].attributes)
        for handle in bearers.row_cards(action.origin, low):
            card = ir.Const(handle)
            owner = owner_of(action.origin.name, card, low)
            mine = ir.Logic("or", (ir.Not(owner), ir.Compare("==", owner, ir.Local("me"))))
            there = both(masks.at_hand(low, card), mine)
            # Of equal cards the first that is at hand stands for all.
            equals = seen.setdefault(handle if apart else low.plan.cards[handle].look, [])
            first = both(there, *(ir.Not(other) for other in equals))
            equals.append(there)
            inner = scope.inner()
            bind_roles(action, inner, card, card, owner)
            out += when(first, list(run_body(inner)))
        return out
