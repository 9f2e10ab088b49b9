"""Actions and choices as enumerators: every legal combination of arguments, tested as early as it can be."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulelang.base.layout import ActionInfo
from rulelang.meaning import tree
from rulelang.meaning.layout import type_name
from rulelang.program import ir
from rulelang.program.facts import HANDING_ON, free_locals, locals_of, walk
from rulelang.program.lower import bearers, copying, loose, masks, pairs, triggers, trying, zones
from rulelang.program.lower.choosing import holds
from rulelang.program.lower.context import TRUE, Lowering, Scope, both, either, equal, negate, when
from rulelang.program.lower.domains import loops, things_of
from rulelang.program.lower.events import roles_of, run
from rulelang.program.lower.expressions import cond
from rulelang.program.lower.legality import conjuncts, seen_args
from rulelang.program.lower.places import cell, owner_of
from rulelang.program.lower.roles import implied

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


def one_card_sorts(binders: Sequence[tree.Binder]) -> bool:
    """Equal cards are offered once; but not where telling them apart may matter: where two variables range over
    cards, or a condition asks for a card's number or compares the card itself."""
    cards = [b.local for b in binders if isinstance(b.domain, tree.InZones)]
    if len(cards) != 1:
        return False
    card = cards[0]

    def itself(e: object) -> bool:
        return isinstance(e, tree.LocalRef) and e.local == card

    for n in walk(tuple(binders)):
        if isinstance(n, tree.Property) and n.name == "number":
            return False
        if isinstance(n, tree.Compare) and (itself(n.left) or itself(n.right)):
            return False
    return True


def choice_enumerator(s: tree.Choose, scope: Scope) -> tuple[str, tuple[ir.Expr, ...]]:
    """The enumerator of a `choose`, and its arguments."""
    low = scope.low
    free = [v for v in free_locals(s.binders) if v.name in scope.names]
    inner = Scope(low, f"choose_{scope.prefix}")
    params: list[str] = []
    args: list[ir.Expr] = []
    for v in free:
        low.local_kinds[v.name] = v.type.name
        params.append(inner.bind(v, present=v.name in scope.present))
        args.append(scope.names[v.name])
        if v.name in scope.faces:
            inner.faces[v.name] = scope.faces[v.name]
    for role, expr in scope.roles.items():
        if any(isinstance(n, HANDING_ON) for n in walk(s.binders)):
            params.append(inner.fresh(role))
            args.append(expr)
            inner.roles[role] = ir.Local(params[-1])
    if scope.actor is not None and any(isinstance(n, tree.BuiltinRef) and n.name == "actor" for n in walk(s.binders)):
        params.append(inner.fresh("actor"))
        args.append(scope.actor)
        inner.actor = ir.Local(params[-1])

    def one(deep: Scope) -> list[ir.Stmt]:
        return [ir.Yield(tuple(deep.names[b.local.name] for b in s.binders))]

    body = loops(s.binders, inner, one, distinct=not s.at_random and one_card_sorts(s.binders))
    name = low.unique(f"options_{scope.prefix}")
    return low.function(name, "enumerator", params, body, "choose", s.span), tuple(args)


# ---- actions


def action_source(action: tree.Action, tag: int, me: ir.Expr, main: ir.Expr | None, low: Lowering) -> ir.Source:
    """The enumerator of an action as a source of an offer; `main`: nothing is offered while that is true."""
    name = f"options_{action.id}".replace(".", "__") + ("_main" if main is not None else "")
    low.later(name, lambda: Options(action, low).enumerator(name, with_main=main is not None))
    return ir.Source(tag, name, (me, main) if main is not None else (me,))


def perform(action: tree.Action, args: tuple[ir.Expr, ...], low: Lowering) -> list[ir.Stmt]:
    """Does a legal action: its flag, its event. With a trial the body has been tried already."""
    n = len(roles_of(action.id, low))
    out: list[ir.Stmt] = []
    if action.once_per is not None:
        base, index = once_flag(action, args[:n], ir.Cell(low.cells.actor), low)
        from rulelang.program.lower.flow import touch

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
            out.append(ir.Branch(inside, tuple(zones.move_card(card, target, who, low, bottom=False))))
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
    base = low.memo.get(key)
    if not isinstance(base, int):
        base = low.plan.claim(words)
        low.memo[key] = base
        assert action.once_per is not None
        low.resets.setdefault(action.once_per, []).append((base, words, 0))
    return base, index


class Options:
    """The options of one action: its bearers, its arguments, its tests."""

    def __init__(self, action: tree.Action, low: Lowering) -> None:
        self.action = action
        self.low = low
        self.found: list[ir.Stmt] | None = None
        self.wanted: tuple[ir.Expr, ...] = ()
        self.tests = [part for r in action.requires for part in conjuncts(r.condition)]

    def enumerator(self, name: str, *, with_main: bool) -> None:
        low = self.low
        scope = Scope(low, f"options_{self.action.id}")
        scope.actor = ir.Local("me")
        params = ("me", "main") if with_main else ("me",)
        body = self._bearers(scope, self._steps if self.action.in_steps else self._whole)
        # Requirements on nothing but the table are tested before anything is listed.
        now = [t for t in self.tests if not locals_of(t) and not implied(t, low)]
        body = when(both(*(cond(t, scope) for t in now)), body)
        if with_main:
            body = [ir.Branch(ir.Not(ir.Local("main")), tuple(body))]
        low.function(name, "enumerator", params, body, self.action.id, self.action.span)

    def _whole(self, scope: Scope) -> list[ir.Stmt]:
        return self._binders(scope, list(self.action.binders), list(self.tests))

    def _steps(self, scope: Scope) -> list[ir.Stmt]:
        """An action in steps is one option, if there is any way to complete it."""
        from rulelang.program.lower.steps import completable

        roles = tuple(scope.roles[r] for r in roles_of(self.action.id, self.low))
        call = ir.Call(completable(self.action, 0, self.low), (ir.Local("me"), *roles))
        return when(call, [ir.Yield(roles)])

    def rest(
        self, scope: Scope, binders: list[tree.Binder], tests: list[tree.Expr], found: list[ir.Stmt]
    ) -> list[ir.Stmt]:
        """Loops over the arguments that are still open around `found`, with all tests."""
        self.found = found
        return self._binders(scope, binders, tests)

    def only(self, scope: Scope, wanted: tuple[ir.Expr, ...], found: list[ir.Stmt]) -> list[ir.Stmt]:
        """Runs `found` if the wanted arguments are among the options."""
        self.wanted = wanted
        return self.rest(scope, list(self.action.binders), list(self.tests), found)

    def _bearers(self, scope: Scope, run_body: Body) -> list[ir.Stmt]:
        action, low = self.action, self.low
        if action.always or action.origin.what == "core":
            return list(run_body(scope))
        if action.origin.what == "row":
            inner = scope.inner()
            bearers.bind_roles(action, inner, None, ir.Const(action.origin.row))
            return list(run_body(inner))
        if action.origin.what == "card":
            return self._cards_in_hand(scope, run_body)
        borne = self._borne(scope, run_body) if loose.on_things(action, low) else []
        return [*borne, *self._loose_cards(scope, run_body)]

    def _borne(self, scope: Scope, run_body: Body) -> list[ir.Stmt]:
        """Actions of a trait's cards that work on a thing of the actor, for each card."""
        action, low = self.action, self.low
        number = bearers.trait_number(action.origin, low)
        kind = bearers.bearer_kind(action, low)
        inner = scope.inner()
        thing, this = inner.fresh("self"), inner.fresh("this")
        me, self_, card = ir.Local("me"), ir.Local(thing), ir.Local(this)
        deep = inner.inner()
        bearers.bind_roles(action, deep, card, self_, me, bearers.partner_at(action, card, self_, low))
        each = when(masks.works(low, card, ir.Const(number)), list(run_body(deep)))

        def on(end: ir.Expr) -> list[ir.Stmt]:
            zones_ = masks.force_zones(low, kind)
            return [ir.ForChain(this, cell(zone.first, end), low.plan.card_next, tuple(each)) for zone in zones_]

        found = [*on(self_), *copying.each_source(kind, self_, low, on)]
        if low.plan.card_partner and bearers.is_mutual(action, low):
            found += pairs.chain(low, kind, self_, this, each)
        bearing = when(masks.bears(low, kind, self_, number), found)
        return when(masks.census(low, number), [things_of(kind, me, thing, low, inner, bearing)])

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
        bearers.bind_roles(action, inner, card, self_, owner, ir.Const(0))
        mine = both(masks.at_hand(low, card), either(negate(owner), equal(owner, ir.Local("me"))))
        if not self._alike():
            return loose.loop(action, this, low, when(mine, list(run_body(inner))))
        # Of equal cards the first that is at hand stands for all.
        look = ir.Table(low.table("look", [c.look for c in low.plan.cards]), card)
        new = both(mine, ir.Not(ir.Call(holds(low), (ir.Local("seen"), look))))
        loop = loose.loop(action, this, low, when(new, [ir.Append("seen", look), *run_body(inner)]))
        return [ir.NewList("seen", len(low.plan.cards)), *loop]

    def _alike(self) -> bool:
        """Whether cards that look alike have the same actions: nothing is kept for a card by itself."""
        action, model = self.action, self.low.model
        kept = model.traits[action.origin.name].state
        sorts = {self.low.plan.cards[h].sort for h in loose.cards(action, self.low)}
        return not kept and action.once_per is None and not any(model.sorts[s].attributes for s in sorts)

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
            bearers.bind_roles(action, inner, card, card, owner)
            out += when(first, list(run_body(inner)))
        return out

    def _binders(self, scope: Scope, binders: list[tree.Binder], tests: list[tree.Expr]) -> list[ir.Stmt]:
        """The next binder's loop; requirements are tested as soon as their names are bound."""
        waiting = {b.local.name for b in binders}
        ready = [t for t in tests if not (locals_of(t) & waiting)]
        later = [t for t in tests if locals_of(t) & waiting]
        distinct = not self.wanted and one_card_sorts(self.action.binders)

        def one(inner: Scope) -> list[ir.Stmt]:
            deep = self._binders(inner, binders[1:], later)
            if not self.wanted:
                return deep
            return when(equal(inner.names[binders[0].local.name], self.wanted[-len(binders)]), deep)

        def deeper() -> list[ir.Stmt]:
            return loops(binders[:1], scope, one, distinct=distinct) if binders else self._yield(scope)

        return when(both(*(cond(t, scope) for t in ready)), deeper())

    def _yield(self, scope: Scope) -> list[ir.Stmt]:
        action, low = self.action, self.low
        roles = tuple(scope.roles[r] for r in roles_of(action.id, low))
        args = tuple(scope.names[b.local.name] for b in action.binders)
        tests: list[ir.Expr] = []
        if action.once_per is not None:
            base, index = once_flag(action, roles, ir.Local("me"), low)
            tests.append(ir.Not(ir.Cell(base, index)))
        forbids = low.facts.forbids_on.get(action.id, [])
        if forbids:
            from rulelang.program.lower.legality import can_expr

            tests.append(can_expr(action.id, seen_args(action.id, args, scope), low))
        if trying.tries(action, low):
            tests.append(ir.Trial(trying.trial(action, low), (*roles, *args)))
        tests.append(triggers.possible(action.body, scope) if only_call(action) else TRUE)
        if self.found is not None:
            return when(both(*tests), self.found)
        compels: ir.Expr | None = None
        if action.compulsory is not None:
            compels = TRUE if action.compulsory.when is None else cond(action.compulsory.when, scope)
        return when(both(*tests), [ir.Yield((*roles, *args), compels)])


def only_call(action: tree.Action) -> bool:
    """An action that is nothing but one call is possible only if the call is."""
    return len(action.body) == 1 and isinstance(action.body[0], tree.CallRoutine) and not action.requires
