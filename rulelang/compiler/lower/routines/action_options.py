"""Offer actions: their enumerators, actions in steps, and why an action is refused."""

from __future__ import annotations

from collections.abc import Callable

from rulelang.base.layout import ActionInfo
from rulelang.base.phrases import Filling, Phrase, PlayerText, RuleName, Value, phrase
from rulelang.base.source import Span
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import (
    FALSE,
    TRUE,
    EnsureEvent,
    Lowering,
    OptionsOf,
    Scope,
    WhyNot,
    branch,
    conjunction,
    disjunction,
    equal,
    lower_condition,
    negate,
)
from rulelang.compiler.lower.expr.calls import pattern_args
from rulelang.compiler.lower.expr.iteration import nested_loops, things_of
from rulelang.compiler.lower.narration.nouns import name_of
from rulelang.compiler.lower.narration.questions import (
    Question,
    choosing_words,
    closed_scope,
    kind_noun,
    lower_text,
    plain_text,
)
from rulelang.compiler.lower.routines import hook_bearers, performing
from rulelang.compiler.lower.routines.hook_order import holds_function
from rulelang.compiler.lower.routines.legality import (
    belongs_to_other,
    blame_candidate,
    blame_fact,
    blame_forbids,
    blame_parts,
    blame_requirement,
    blame_text,
    end_trial,
)
from rulelang.compiler.lower.routines.performing import (
    LegalArguments,
    actor_scope,
    is_only_call,
    once_flag,
    single_card_types,
)
from rulelang.compiler.lower.state import bearers, trait_masks
from rulelang.compiler.lower.state.access import cell, owner_of
from rulelang.compiler.lower.state.bearers import (
    bearer_kind,
    bind_given,
    bind_roles,
    implied_roles,
    is_mutual,
    param_names,
    partner_at,
    role_params,
    roles_of,
    row_role,
    trait_number,
)
from rulelang.language.semantics import tree
from rulelang.language.semantics.model import BOOL
from rulelang.language.semantics.state_layout import type_name
from rulelang.language.semantics.tree import conjuncts, locals_of

# ---- actions in steps


def _bound_scope(action: tree.Action, count: int, stem: str, low: Lowering) -> tuple[Scope, list[str]]:
    """A scope with the actor, the bearer and the first `count` arguments as parameters."""
    scope, params, _ = actor_scope(action, stem, low)
    for b in action.binders[:count]:
        low.local_kinds[b.local.name] = b.local.type.name
        params.append(scope.bind(b.local, present=not b.maybe))
    return scope, params


def _later_tests(action: tree.Action, count: int) -> list[tree.Expr]:
    """Requirements that speak of arguments from the given one on."""
    before = {b.local.name for b in action.binders[:count]}
    later = {b.local.name for b in action.binders[count:]}
    parts = [p for r in action.requires for p in conjuncts(r.condition)]
    return [p for p in parts if locals_of(p) & later or (count == 0 and not locals_of(p) & before)]


def completable_function(action: tree.Action, count: int, low: Lowering) -> str:
    """`can_complete_ACTION_k(me, roles..., arguments...)`: some values of the other arguments make it legal."""
    name = f"complete_{action.id}_{count}".replace(".", "__")
    if name not in low.functions and name not in low.pending:
        low.pending.add(name)
        scope, params = _bound_scope(action, count, "complete", low)
        arguments = LegalArguments(action, low, [ir.Return(TRUE)])
        body = arguments.open(scope, action.binders[count:], _later_tests(action, count))
        low.function(name, "pure", params, [*body, ir.Return(FALSE)], f"complete {action.id}", action.span)
    return name


def _step_enumerator(action: tree.Action, k: int, low: Lowering) -> str:
    """Enumerator of the k-th argument's values that can be completed."""
    name = f"step_{action.id}_{k}".replace(".", "__")
    if name not in low.functions and name not in low.pending:
        low.pending.add(name)
        scope, params = _bound_scope(action, k, "step", low)
        b = action.binders[k]

        alike = isinstance(b.domain, tree.InZones) and not low.model.sorts[b.domain.sort].attributes
        looks = low.table("look", [c.look for c in low.plan.cards])

        def one(inner: Scope) -> list[ir.Stmt]:
            value = inner.names[b.local.name]
            known = {x.local.name for x in action.binders[: k + 1]}
            every = {x.local.name for x in action.binders}
            ready = [
                t
                for t in _later_tests(action, k)
                if not (locals_of(t) & every) - known and b.local.name in locals_of(t)
            ]
            rest = ir.Call(completable_function(action, k + 1, low), (*(ir.Local(p) for p in params), value))
            offered: list[ir.Stmt] = [ir.Yield((value,))]
            if alike:
                # Of equal cards that can be taken the first stands for all.
                look = ir.Table(looks, value)
                offered = branch(
                    ir.Not(ir.Call(holds_function(low), (ir.Local("seen"), look))), [ir.Append("seen", look), *offered]
                )
            return branch(conjunction(*(lower_condition(t, inner) for t in ready), rest), offered)

        body: list[ir.Stmt] = [ir.NewList("seen", len(low.plan.cards))] if alike else []
        body += nested_loops([b], scope, one)
        low.function(name, "enumerator", params, body, f"{action.id}: {b.local.text}", action.span)
    return name


def _step_question(action: tree.Action, k: int, info: ActionInfo, told: tuple[ir.Expr, ...], low: Lowering) -> Question:
    """The question for the k-th argument, with those that were chosen before it: `told` what they are."""
    b, asks = action.binders[k], action.asks[k] if action.asks else ()
    scope, params = _bound_scope(action, k, "question", low)
    doing: Filling = name_of(action.name)
    fallback = plain_text(_step_phrase(doing, choosing_words((b,), ())))
    words, values = lower_text(asks, scope)
    bearer, thing = action.bearer.self, scope.roles.get("self")
    if bearer is not None and thing is not None:
        said = Value(len(values), type_name(bearer.type))
        doing, values = phrase("{action} of {thing}", action=doing, thing=said), (*values, thing)
    whole = _step_phrase(doing, choosing_words((b,), words))
    body: list[ir.Stmt] = [ir.Blame(low.reason(whole, "", b.span), values)]
    for before in action.binders[:k]:
        value, name = scope.names[before.local.name], before.local.text
        held = Value(0, type_name(before.local.type))
        chosen = phrase("{value}", value=held)
        if len(name) > 2:
            chosen = phrase("{argument} {value}", argument=RuleName(name), value=held)
        blamed: list[ir.Stmt] = [blame_text(chosen, b.span, scope, value)]
        body += branch(value, blamed) if before.maybe and before.local.type.tag == "ref" else blamed
    title = low.function(low.unique(f"question_{action.id}_{k}"), "why", params, body, "question", b.span)
    refusing = _why_step_function(action, k, low)
    return Question(low.site("choose", (info,), fallback, b.span, title, refusing), told)


def _step_phrase(action: Filling, question: PlayerText) -> Phrase:
    return phrase("{action}: {question}", action=action, question=question)


def _why_step_function(action: tree.Action, k: int, low: Lowering) -> str:
    """What tells why a value is refused for the k-th argument: what it fails; or that nothing goes with it."""
    b = action.binders[k]
    scope, params = _bound_scope(action, k + 1, "refuse", low)
    body = blame_candidate(b, action.becauses[k], scope)
    given = scope.names[b.local.name]
    tests = (
        []
        if b.where is None
        else [disjunction(lower_condition(b.where, scope), *((equal(given, FALSE),) if b.maybe else ()))]
    )
    later = {x.local.name for x in action.binders[k + 1 :]}
    for r in action.requires:
        if b.local.name in locals_of(r.condition) and not locals_of(r.condition) & later:
            body += blame_requirement(r, scope, low.source_of(action.origin))
            tests.append(lower_condition(r.condition, scope))
    chosen = tuple(ir.Local(p) for p in params)
    if later:
        rest = ir.Call(completable_function(action, k + 1, low), chosen)
        body += branch(
            conjunction(*tests, ir.Not(rest)), [blame_text(phrase("nothing could be chosen after it"), b.span, scope)]
        )
    else:
        args = tuple(scope.names[x.local.name] for x in action.binders)
        body += blame_forbids(action.id, pattern_args(action.id, args, scope), low)
        if performing.needs_trial(action, low):
            body.append(ir.BlameCall(performing.trial_routine(action, low), chosen[1:], trial=True))
    return low.function(low.unique(f"refuse_{action.id}_{k}"), "why", params, body, "why not", b.span)


def ask_steps(action: tree.Action, roles: tuple[ir.Expr, ...], me: ir.Expr, scope: Scope) -> tuple[
    list[ir.Stmt], tuple[ir.Expr, ...]
]:  # fmt: skip
    """The choices that follow when the action is taken, and its arguments."""
    low = scope.low
    stmts: list[ir.Stmt] = []
    args: list[ir.Expr] = []
    for k, b in enumerate(action.binders):
        target = scope.fresh(b.local.text)
        info = ActionInfo("choose", "", (type_name(b.local.type),), (b.local.text,), "", b.span)
        question = _step_question(action, k, info, (me, *roles, *args), low)
        source = ir.Source(0, _step_enumerator(action, k, low), (me, *roles, *args))
        stmts.append(ir.Pick(question.site, me, (source,), FALSE, scope.fresh("tag"), (target,), told=question.told))
        args.append(ir.Local(target))
    return stmts, tuple(args)


# ---- enumerators

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
    inner, params, args = closed_scope(s.binders, scope, f"choose_{scope.prefix}")

    def one(deep: Scope) -> list[ir.Stmt]:
        return [ir.Yield(tuple(deep.names[b.local.name] for b in s.binders))]

    distinct = not s.at_random and single_card_types(s.binders)
    body = nested_loops(s.binders, inner, one, distinct=distinct, ordered=not s.at_random)
    name = low.unique(f"options_{scope.prefix}")
    return low.function(name, "enumerator", params, body, "choose", s.span), tuple(args)


# ---- actions


def action_source(action: tree.Action, tag: int, me: ir.Expr, main: ir.Expr | None, low: Lowering) -> ir.Source:
    """The enumerator of an action as a source of an offer; `main`: nothing is offered while that is true."""
    name = low.ask(OptionsOf(action.id, main is not None))
    return ir.Source(tag, name, (me, main) if main is not None else (me,))


def lower_enumerator(wanted: OptionsOf, low: Lowering) -> None:
    """The enumerator of an action."""
    ActionOptions(low.program.actions[wanted.action], low).enumerator(wanted.name, with_main=wanted.with_main)


class ActionOptions:
    """The options of one action: those of each of its bearers."""

    def __init__(self, action: tree.Action, low: Lowering) -> None:
        self.action = action
        self.low = low
        self.arguments = LegalArguments(action, low)

    def enumerator(self, name: str, *, with_main: bool) -> None:
        low = self.low
        scope = Scope(low, f"options_{self.action.id}")
        scope.actor = ir.Local("me")
        params = ("me", "main") if with_main else ("me",)
        body = self._bearers(scope, self._steps if self.action.in_steps else self._whole)
        # Requirements on nothing but the table are tested before anything is listed.
        now = [t for t in self.arguments.tests if not locals_of(t) and not implied_roles(t, low)]
        body = branch(conjunction(*(lower_condition(t, scope) for t in now)), body)
        if with_main:
            body = [ir.Branch(ir.Not(ir.Local("main")), tuple(body))]
        low.function(name, "enumerator", params, body, self.action.id, self.action.span)

    def _whole(self, scope: Scope) -> list[ir.Stmt]:
        return self.arguments.open(scope, self.action.binders, self.arguments.tests)

    def _steps(self, scope: Scope) -> list[ir.Stmt]:
        """An action in steps is one option, if there is any way to complete it."""
        roles = tuple(scope.roles[r] for r in roles_of(self.action.id, self.low))
        call = ir.Call(completable_function(self.action, 0, self.low), (ir.Local("me"), *roles))
        return branch(call, [ir.Yield(roles)])

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
        borne = self._borne(scope, run_body) if bearers.bears_on_things(action, low) else []
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
        each = branch(trait_masks.works_in_force(low, card, ir.Const(number)), list(run_body(deep)))

        def on(end: ir.Expr) -> list[ir.Stmt]:
            zones_ = trait_masks.active_zones(low, kind)
            lie = [ir.ForChain(this, cell(zone.first, end), low.plan.card_next, tuple(each)) for zone in zones_]
            mutual = bool(low.plan.card_partner) and is_mutual(action, low)
            return [*lie, *(trait_masks.each_partner(low, kind, end, this, each) if mutual else [])]

        found = [*on(self_), *bearers.each_copied(kind, self_, low, on)]
        borne = branch(bearers.bears(low, kind, self_, number), found)
        return branch(trait_masks.working_count(low, number), [things_of(kind, me, thing, low, inner, borne)])

    def _loose_cards(self, scope: Scope, run_body: Body) -> list[ir.Stmt]:
        """Actions of a trait's cards that lie on nothing: from a playable zone of the actor, or an ownerless one."""
        action, low = self.action, self.low
        if not bearers.unattached_cards(action, low):
            return []
        inner = scope.inner()
        this = inner.fresh("this")
        card = ir.Local(this)
        owner = owner_of("", card, low)
        self_ = ir.Const(0) if bearers.bears_on_things(action, low) else card
        bind_roles(action, inner, card, self_, owner, ir.Const(0))
        mine = conjunction(trait_masks.is_at_hand(low, card), disjunction(negate(owner), equal(owner, ir.Local("me"))))
        if not bearers.are_equivalent(action, low):
            return bearers.each_unattached(action, this, low, branch(mine, list(run_body(inner))))
        # Of equal cards the first that is at hand stands for all.
        look = ir.Table(low.table("look", [c.look for c in low.plan.cards]), card)
        new = conjunction(mine, ir.Not(ir.Call(holds_function(low), (ir.Local("seen"), look))))
        loop = bearers.each_unattached(action, this, low, branch(new, [ir.Append("seen", look), *run_body(inner)]))
        return [ir.NewList("seen", len(low.plan.cards)), *loop]

    def _cards_in_hand(self, scope: Scope, run_body: Body) -> list[ir.Stmt]:
        """Actions of a card row: from a playable zone of the actor, or from an ownerless zone in force."""
        action, low = self.action, self.low
        out: list[ir.Stmt] = []
        seen: dict[int, list[ir.Expr]] = {}
        apart = bool(low.model.sorts[action.origin.name].attributes)
        for handle in hook_bearers.row_cards(action.origin, low):
            card = ir.Const(handle)
            owner = owner_of(action.origin.name, card, low)
            mine = ir.Logic("or", (ir.Not(owner), ir.Compare("==", owner, ir.Local("me"))))
            there = conjunction(trait_masks.is_at_hand(low, card), mine)
            # Of equal cards the first that is at hand stands for all.
            equals = seen.setdefault(handle if apart else low.plan.cards[handle].look, [])
            first = conjunction(there, *(ir.Not(other) for other in equals))
            equals.append(there)
            inner = scope.inner()
            bind_roles(action, inner, card, card, owner)
            out += branch(first, list(run_body(inner)))
        return out


# ---- refusals


def why_action(action: tree.Action, low: Lowering) -> str:
    """`why_ACTION(roles..., args...)`: every reason why these arguments are refused, for the actor."""
    name = f"why_action_{action.id}".replace(".", "__")
    scope = Scope(low, f"why_{action.id}")
    scope.actor = ir.Cell(low.cells.actor)
    given = role_params(roles_of(action.id, low), scope)
    params = param_names(given)
    body: list[ir.Stmt] = []
    this = given.get("this")
    owner: ir.Expr = scope.actor
    if this is not None and "owner" in given:
        owner = owner_of("", this, low)  # whose it is now: an option that is read from a text does not say it
    bind_given(action, scope, {**given, **row_role(action)}, owner)
    if this is not None and "self" in scope.roles and not action.always:
        body += _blame_not_borne(action, scope, this, scope.roles["self"])
    if action.in_steps:
        return _why_steps(action, name, scope, params, body)
    for b in action.binders:
        low.local_kinds[b.local.name] = b.local.type.name
        params.append(scope.bind(b.local, present=not b.maybe))
    body += _argument_reasons(action, scope, tuple(given.values()))
    return low.function(name, "why", params, body, f"why not {action.id}", action.span)


def lower_why_not(wanted: WhyNot, low: Lowering) -> None:
    """Blames every reason why an event that is asked about cannot happen."""
    params, body, span = _blame_permission(wanted.event, low)
    low.function(wanted.name, "why", params, body, f"why not {wanted.event}", span)


def lower_ensure_event(wanted: EnsureEvent, low: Lowering) -> None:
    """The same in a trial."""
    params, body, span = _blame_permission(wanted.event, low)
    low.function(wanted.name, "routine", params, end_trial(body, low), f"ensure {wanted.event}", span)


def _blame_permission(event: str, low: Lowering) -> tuple[list[str], list[ir.Stmt], Span]:
    """The parameters, body and place of what blames for a `can R(..)` that does not hold."""
    action = low.program.actions.get(event)
    if action is None:
        return blame_parts(event, low)
    scope, params, given = actor_scope(action, "why_can", low)
    for b in action.binders:
        low.local_kinds[b.local.name] = b.local.type.name
        params.append(scope.bind(b.local, present=not b.maybe))
    return params, _argument_reasons(action, scope, tuple(given.values())), action.span


def _argument_reasons(action: tree.Action, scope: Scope, roles: tuple[ir.Expr, ...]) -> list[ir.Stmt]:
    """Blames what refuses the arguments that are bound in the scope, for its actor."""
    low, body = scope.low, list[ir.Stmt]()
    for b, because in zip(action.binders, action.becauses, strict=True):
        body += blame_candidate(b, because, scope)
    for r in action.requires:
        body += blame_requirement(r, scope, low.source_of(action.origin))
    args = tuple(scope.names[b.local.name] for b in action.binders)
    body += blame_forbids(action.id, pattern_args(action.id, args, scope), low)
    if is_only_call(action):
        call = action.body[0]
        assert isinstance(call, tree.CallRoutine)
        body += blame_fact(tree.Can(BOOL, call.span, call.routine, call.args), scope, low.source_of(action.origin))
    if action.once_per is not None:
        base, index = once_flag(action, roles, scope.actor or ir.Cell(low.cells.actor), low)
        scope_ = RuleName(action.once_per, "word")
        said = phrase("{action} has already been done this {scope}", action=name_of(action.name), scope=scope_)
        body += branch(ir.Cell(base, index), [blame_text(said, action.span, scope)])
    if performing.needs_trial(action, low):
        body.append(ir.BlameCall(performing.trial_routine(action, low), (*roles, *args), trial=True))
    return body


def _blame_not_borne(action: tree.Action, scope: Scope, this: ir.Expr, self_: ir.Expr) -> list[ir.Stmt]:
    """Why nothing brings the action to the actor: the thing lacks the trait, or the card is not at hand."""
    low = scope.low
    out: list[ir.Stmt] = []
    kind = bearer_kind(action, low)
    actor = scope.actor or ir.Cell(low.cells.actor)
    if action.origin.what == "trait" and bearers.bears_on_things(action, low):
        number = trait_number(action.origin, low)
        trait = RuleName(action.origin.name, "row", "trait")
        said = phrase("{thing} {n:has|have} no {name}", thing=Value(0, kind), n=1, name=trait)
        out += branch(bearers.bears(low, kind, self_, number), [], [blame_text(said, action.span, scope, self_)])
        holder = owner_of(kind, self_, low)
        foreign = _blame_foreign((self_, kind), holder, actor, action, scope)
        out += branch(equal(holder, actor), [], [foreign])
        if not bearers.unattached_cards(action, low):
            return out
        out = [ir.Branch(self_, tuple(out))]
    owner = owner_of("", this, low)
    assert action.bearer.this is not None
    sort = action.bearer.this.type.name
    said = phrase("{card} cannot be played from where it is", card=Value(0, sort))
    away = blame_text(said, action.span, scope, this)
    foreign = _blame_foreign((this, sort), owner, actor, action, scope)
    mine = branch(disjunction(negate(owner), equal(owner, actor)), [], [foreign])
    loose_card = branch(trait_masks.is_at_hand(low, this), mine, [away])
    return [*out, *branch(ir.Not(self_), loose_card)] if out else loose_card


def _blame_foreign(
    thing: tuple[ir.Expr, str], owner: ir.Expr, asked: ir.Expr, action: tree.Action, scope: Scope
) -> ir.Stmt:
    said = belongs_to_other(Value(0, thing[1]), Value(1, "player"), Value(2, "player"))
    return blame_text(said, action.span, scope, thing[0], owner, asked)


def _why_steps(action: tree.Action, name: str, scope: Scope, params: list[str], body: list[ir.Stmt]) -> str:
    """The option is the action alone: what refuses it before any argument, or that nothing completes it."""
    low = scope.low
    arguments = {b.local.name for b in action.binders}
    for r in action.requires:
        if not locals_of(r.condition) & arguments:
            body += blame_requirement(r, scope, low.source_of(action.origin))
    roles = tuple(ir.Local(p) for p in params)
    call = ir.Call(completable_function(action, 0, low), (ir.Cell(low.cells.actor), *roles))
    lacking: list[ir.Expr] = []
    for b, asks in zip(action.binders, action.asks, strict=True):
        purpose = all(isinstance(part, str) for part in asks)
        if asks and purpose and not b.maybe and not locals_of(b) & (arguments - {b.local.name}):
            none = ir.Not(lower_condition(tree.Query(BOOL, b.span, "any", (b,), None), scope))
            words, _ = lower_text(asks, scope)
            said = phrase("there is no {what} {purpose}", what=kind_noun(b), purpose=words)
            body += branch(none, [blame_text(said, b.span, scope)])
            lacking.append(none)
    body += branch(
        disjunction(call, *lacking), [], [blame_text(phrase("there is no way to complete it"), action.span, scope)]
    )
    return low.function(name, "why", params, body, f"why not {action.id}", action.span)
