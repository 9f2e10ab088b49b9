"""Actions and choices as enumerators: every legal combination of arguments, tested as early as it can be."""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.base.layout import ActionInfo
from rulelang.base.source import Span
from rulelang.meaning import tree
from rulelang.meaning.layout import type_name
from rulelang.program import ir
from rulelang.program.lower import bearers, copying, masks, triggers, zones
from rulelang.program.lower.context import TRUE, Lowering, Scope, both, when
from rulelang.program.lower.domains import loops, things_of
from rulelang.program.lower.events import roles_of, run
from rulelang.program.lower.expressions import cond
from rulelang.program.lower.facts import free_locals, locals_of, walk
from rulelang.program.lower.legality import blame, blame_forbids, blame_text, conjuncts
from rulelang.program.lower.places import cell, owner_of, partner_of


def action_info(action: tree.Action, low: Lowering) -> ActionInfo:
    """The action as options show it: its bearer, then its arguments; a card that only tells copies apart is hidden."""
    types: list[str] = []
    params: list[str] = []
    for role in roles_of(action.id, low):
        local = getattr(action.bearer, role)
        hidden = role == "this" and action.bearer.self is not None
        types.append("" if hidden else type_name(local.type))
        params.append("" if hidden else role)
    for b in () if action.in_steps else action.binders:
        types.append(type_name(b.local.type))
        params.append(b.local.text)
    source = low.source_of(action.origin)
    return ActionInfo(action.id, action.name, tuple(types), tuple(params), source, action.span)


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
        if any(isinstance(n, tree.ValueCall | tree.Can) for n in walk(s.binders)):
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
    if name not in low.functions and name not in low.pending:
        low.pending.add(name)
        Options(action, low).enumerator(name, with_main=main is not None)
    return ir.Source(tag, name, (me, main) if main is not None else (me,))


def perform(action: tree.Action, args: tuple[ir.Expr, ...], low: Lowering) -> list[ir.Stmt]:
    """Does a legal action: its flag, its event. With a trial the body has been tried already."""
    n = len(roles_of(action.id, low))
    out: list[ir.Stmt] = []
    if action.once_per is not None:
        base, index = _once(action, args[:n], ir.Cell(low.cells.actor), low)
        from rulelang.program.lower.flow import touch

        out += [ir.Store(base, index, TRUE), *touch(action.once_per, low)]
    out += _played(action, args[:n], low)
    return [*out, run(action.id, args[n:], low, args[:n])]


def _played(action: tree.Action, roles: tuple[ir.Expr, ...], low: Lowering) -> list[ir.Stmt]:
    """A card whose own action is taken from a playable zone is played: it goes where that zone says, then acts."""
    given = dict(zip(roles_of(action.id, low), roles, strict=True))
    out: list[ir.Stmt] = []
    for zone in low.model.zones.values():
        if action.origin.what == "card" and zone.playable and zone.played_to and "this" in given:
            if zone.holds != action.origin.name:
                continue
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


def _once(action: tree.Action, roles: tuple[ir.Expr, ...], actor: ir.Expr, low: Lowering) -> tuple[int, ir.Expr]:
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
        self.tests = [part for r in action.requires for part in conjuncts(r.condition)]

    def enumerator(self, name: str, *, with_main: bool) -> None:
        low = self.low
        scope = Scope(low, f"options_{self.action.id}")
        scope.actor = ir.Local("me")
        params = ("me", "main") if with_main else ("me",)
        bound: set[str] = {getattr(self.action.bearer, r).name for r in ("this", "self", "owner", "partner")
                           if getattr(self.action.bearer, r) is not None}  # fmt: skip
        body = self._bearers(scope, self._steps if self.action.in_steps else self._whole)
        free = [t for t in self.tests if not self._needs(t, bound)]
        if not self._bound_needs(free):
            # Requirements on nothing but the table are tested before anything is listed.
            now = [t for t in free if not locals_of(t)]
            if now:
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

    def _needs(self, test: tree.Expr, bound: set[str]) -> bool:
        return bool(locals_of(test) - bound)

    def _bound_needs(self, tests: list[tree.Expr]) -> bool:
        return False

    def _bearers(self, scope: Scope, body: object) -> list[ir.Stmt]:
        action, low = self.action, self.low
        run_body = body
        assert callable(run_body)
        if action.always or action.origin.what == "core":
            return list(run_body(scope))
        if action.origin.what == "row":
            inner = scope.inner()
            bearers.bind_roles(action, inner, None, ir.Const(action.origin.row))
            return list(run_body(inner))
        if action.origin.what == "card":
            return self._cards_in_hand(scope, run_body)
        number = bearers.trait_number(action.origin, low)
        kind = bearers.bearer_kind(action, low)
        inner = scope.inner()
        thing, this = inner.fresh("self"), inner.fresh("this")
        me = ir.Local("me")
        card = ir.Local(this)

        def with_card(expr: ir.Expr) -> list[ir.Stmt]:
            deep = inner.inner()
            partner = partner_of(expr, low) if action.bearer.partner is not None else None
            bearers.bind_roles(action, deep, expr, ir.Local(thing), me, partner)
            return list(run_body(deep))

        def on(end: ir.Expr) -> list[ir.Stmt]:
            out: list[ir.Stmt] = []
            for zone in masks.force_zones(low, kind):
                then = when(masks.works(low, card, ir.Const(number)), with_card(card))
                out.append(ir.ForChain(this, cell(zone.first, end), low.plan.card_next, tuple(then)))
            return out

        each = [*on(ir.Local(thing)), *copying.each_source(kind, ir.Local(thing), low, on)]
        bearing = when(masks.bears(low, kind, ir.Local(thing), number), each)
        return when(masks.census(low, number), [things_of(kind, me, thing, low, inner, bearing)])

    def _cards_in_hand(self, scope: Scope, run_body: object) -> list[ir.Stmt]:
        """Actions of a card row: from a playable zone of the actor, or from an ownerless zone in force."""
        assert callable(run_body)
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
            bearers.bind_roles(action, inner, card, card, ir.Local("me"))
            out += when(first, list(run_body(inner)))
        return out

    def _binders(self, scope: Scope, binders: list[tree.Binder], tests: list[tree.Expr]) -> list[ir.Stmt]:
        """The next binder's loop; requirements are tested as soon as their names are bound."""
        waiting = {b.local.name for b in binders}
        ready = [t for t in tests if not (locals_of(t) & waiting)]
        later = [t for t in tests if locals_of(t) & waiting]
        distinct = one_card_sorts(self.action.binders)

        def deeper() -> list[ir.Stmt]:
            if not binders:
                return self._yield(scope)
            return loops(
                binders[:1], scope, lambda inner: self._binders(inner, binders[1:], later), distinct=distinct
            )  # fmt: skip

        return when(both(*(cond(t, scope) for t in ready)), deeper())

    def _yield(self, scope: Scope) -> list[ir.Stmt]:
        action, low = self.action, self.low
        roles = tuple(scope.roles[r] for r in roles_of(action.id, low))
        args = tuple(scope.names[b.local.name] for b in action.binders)
        tests: list[ir.Expr] = []
        if action.once_per is not None:
            base, index = _once(action, roles, ir.Local("me"), low)
            tests.append(ir.Not(ir.Cell(base, index)))
        forbids = low.facts.forbids_on.get(action.id, [])
        if forbids:
            from rulelang.program.lower.legality import can_expr

            tests.append(can_expr(action.id, args, low))
        if _tries(action, low):
            from rulelang.program.lower.events import do_function

            tests.append(ir.Trial(do_function(action.id, low), (*roles, *args)))
        tests.append(triggers.possible(action.body, scope) if _only_call(action) else TRUE)
        if self.found is not None:
            return when(both(*tests), self.found)
        compels: ir.Expr | None = None
        if action.compulsory is not None:
            compels = TRUE if action.compulsory.when is None else cond(action.compulsory.when, scope)
        return when(both(*tests), [ir.Yield((*roles, *args), compels)])

    # ---- why not

    def why(self) -> str:
        """`why_ACTION(roles..., args...)`: every reason why these arguments are refused, for the actor."""
        action, low = self.action, self.low
        name = f"why_action_{action.id}".replace(".", "__")
        scope = Scope(low, f"why_{action.id}")
        scope.actor = ir.Cell(low.cells.actor)
        params: list[str] = []
        given: dict[str, ir.Expr] = {}
        for role in roles_of(action.id, low):
            params.append(scope.fresh(role))
            given[role] = ir.Local(params[-1])
        body: list[ir.Stmt] = []
        owner: ir.Expr | None = scope.actor if action.bearer.owner is not None else None
        self_ = given.get("self")
        if action.origin.what == "row":
            self_ = ir.Const(action.origin.row)
        bearers.bind_roles(action, scope, given.get("this"), self_, owner)
        if action.origin.what == "trait" and self_ is not None and not action.always:
            kind = bearers.bearer_kind(action, low)
            number = bearers.trait_number(action.origin, low)
            lacking = blame_text(
                f"{{}} has no {action.origin.name.replace('_', ' ')}", action.span, scope, ((self_, kind),)
            )
            body += when(masks.bears(low, kind, self_, number), [], [lacking])
            foreign = blame_text("{} is not yours", action.span, scope, ((self_, kind),))
            body += when(ir.Compare("==", owner_of(kind, self_, low), scope.actor), [], [foreign])
        if action.in_steps:
            return self._why_steps(name, scope, params, body)
        for b in action.binders:
            low.local_kinds[b.local.name] = b.local.type.name
            params.append(scope.bind(b.local, present=not b.maybe))
        for b in action.binders:
            body += self._blame_binder(b, scope)
        for r in action.requires:
            body += blame(r, scope, low.source_of(action.origin))
        args = tuple(scope.names[b.local.name] for b in action.binders)
        body += blame_forbids(action.id, args, low)
        if action.once_per is not None:
            base, index = _once(action, tuple(given.values()), ir.Cell(low.cells.actor), low)
            again = blame_text(f"it has been done this {action.once_per} already", action.span, scope)
            body += when(ir.Cell(base, index), [again])
        if _tries(action, low):
            from rulelang.program.lower.events import do_function

            body.append(ir.BlameCall(do_function(action.id, low), (*given.values(), *args), trial=True))
        return low.function(name, "why", params, body, f"why not {action.id}", action.span)

    def _why_steps(self, name: str, scope: Scope, params: list[str], body: list[ir.Stmt]) -> str:
        """The option is the action alone: what refuses it before any argument, or that nothing completes it."""
        from rulelang.program.lower.steps import completable

        action, low = self.action, self.low
        arguments = {b.local.name for b in action.binders}
        for r in action.requires:
            if not locals_of(r.condition) & arguments:
                body += blame(r, scope, low.source_of(action.origin))
        roles = tuple(ir.Local(p) for p in params)
        call = ir.Call(completable(action, 0, low), (ir.Cell(low.cells.actor), *roles))
        nothing = blame_text("there is no way to complete it", action.span, scope)
        body += when(call, [], [nothing])
        return low.function(name, "why", params, body, f"why not {action.id}", action.span)

    def _blame_binder(self, b: tree.Binder, scope: Scope) -> list[ir.Stmt]:
        low = self.low
        item = scope.names[b.local.name]
        kind = type_name(b.local.type)
        out: list[ir.Stmt] = []
        domain = b.domain
        if isinstance(domain, tree.Things) and domain.owner is not None:
            whose = cond(tree.Compare(b.local.type, b.span, "==", tree.Property(
                domain.owner.type, b.span, tree.LocalRef(b.local.type, b.span, b.local), domain.kind, "owner"
            ), domain.owner), scope)  # fmt: skip
            out += when(whose, [], [blame_text("{} is not yours", b.span, scope, ((item, kind),))])
        elif isinstance(domain, tree.InZones):
            ref = tree.LocalRef(b.local.type, b.span, b.local)
            from rulelang.program.lower.context import either

            there = either(*(cond(tree.MemberOfSet(b.local.type, b.span, ref, z), scope) for z in domain.zones))
            text = f"{{}} does not lie in {low.source_text(_zones_span(domain)) or 'that place'}"
            missing = blame_text(text, b.span, scope, ((item, kind),))
            out += when(both(there) if not b.maybe else TRUE, [], [missing])
        if b.where is not None:
            text = f"{{}} does not satisfy `{low.source_text(b.where.span)}`"
            out += when(cond(b.where, scope), [], [blame_text(text, b.where.span, scope, ((item, kind),))])
        return out


def _zones_span(domain: tree.InZones) -> Span:
    return domain.zones[0].span.to(domain.zones[-1].span)


def _only_call(action: tree.Action) -> bool:
    """An action that is nothing but one call is possible only if the call is."""
    return len(action.body) == 1 and isinstance(action.body[0], tree.CallRoutine) and not action.requires


def _tries(action: tree.Action, low: Lowering) -> bool:
    """Whether an `ensure` may be reached, so that the action must be tried first."""
    reached = {action.id, *low.facts.reach.get(action.id, ())}
    bodies = [b.body for e in reached if (b := low.facts.body(e)) is not None]
    bodies += [h.body for e in reached for h in low.facts.hooks_on.get(e, ())]
    return any(isinstance(n, tree.Ensure) for n in walk(bodies))


def why_action(action: tree.Action, low: Lowering) -> str:
    return Options(action, low).why()
