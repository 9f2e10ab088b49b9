"""Why an action is refused: every reason that holds against its bearer, its arguments, and the action itself."""

from __future__ import annotations

from rulelang.base.source import Span
from rulelang.meaning import tree
from rulelang.meaning.layout import type_name
from rulelang.program import ir
from rulelang.program.lower import bearers, loose, masks
from rulelang.program.lower.actions import once_flag, tries
from rulelang.program.lower.context import TRUE, Lowering, Scope, both, either, equal, negate, when
from rulelang.program.lower.events import roles_of
from rulelang.program.lower.expressions import cond
from rulelang.program.lower.facts import locals_of
from rulelang.program.lower.legality import blame, blame_forbids, blame_text, seen_args
from rulelang.program.lower.places import owner_of


def why_action(action: tree.Action, low: Lowering) -> str:
    """`why_ACTION(roles..., args...)`: every reason why these arguments are refused, for the actor."""
    name = f"why_action_{action.id}".replace(".", "__")
    scope = Scope(low, f"why_{action.id}")
    scope.actor = ir.Cell(low.cells.actor)
    params: list[str] = []
    given: dict[str, ir.Expr] = {}
    for role in roles_of(action.id, low):
        params.append(scope.fresh(role))
        given[role] = ir.Local(params[-1])
    body: list[ir.Stmt] = []
    self_ = given.get("self")
    if action.origin.what == "row":
        self_ = ir.Const(action.origin.row)
    this = given.get("this")
    partner = bearers.partner_at(action, this, self_, low) if this is not None and self_ is not None else None
    owner: ir.Expr = scope.actor
    if this is not None and "owner" in given:
        owner = owner_of("", this, low)  # whose it is now: an option that is read from a text does not say it
    bearers.bind_roles(action, scope, this, self_, owner, partner)
    if this is not None and self_ is not None and not action.always:
        body += _not_borne(action, scope, this, self_)
    if action.in_steps:
        return _why_steps(action, name, scope, params, body)
    for b in action.binders:
        low.local_kinds[b.local.name] = b.local.type.name
        params.append(scope.bind(b.local, present=not b.maybe))
    for b in action.binders:
        body += _blame_binder(b, scope)
    for r in action.requires:
        body += blame(r, scope, low.source_of(action.origin))
    args = tuple(scope.names[b.local.name] for b in action.binders)
    body += blame_forbids(action.id, seen_args(action.id, args, scope), low)
    if action.once_per is not None:
        base, index = once_flag(action, tuple(given.values()), ir.Cell(low.cells.actor), low)
        again = blame_text(f"it has been done this {action.once_per} already", action.span, scope)
        body += when(ir.Cell(base, index), [again])
    if tries(action, low):
        from rulelang.program.lower.events import do_function

        body.append(ir.BlameCall(do_function(action.id, low), (*given.values(), *args), trial=True))
    return low.function(name, "why", params, body, f"why not {action.id}", action.span)


def _not_borne(action: tree.Action, scope: Scope, this: ir.Expr, self_: ir.Expr) -> list[ir.Stmt]:
    """Why nothing brings the action to the actor: the thing lacks the trait, or the card is not at hand."""
    low = scope.low
    out: list[ir.Stmt] = []
    kind = bearers.bearer_kind(action, low)
    actor = scope.actor or ir.Cell(low.cells.actor)
    if action.origin.what == "trait" and loose.on_things(action, low):
        number = bearers.trait_number(action.origin, low)
        name = action.origin.name.replace("_", " ")
        lacking = blame_text(f"{{}} has no {name}", action.span, scope, ((self_, kind),))
        out += when(masks.bears(low, kind, self_, number), [], [lacking])
        foreign = blame_text("{} is not yours", action.span, scope, ((self_, kind),))
        out += when(equal(owner_of(kind, self_, low), actor), [], [foreign])
        if not loose.cards(action, low):
            return out
        out = [ir.Branch(self_, tuple(out))]
    owner = owner_of("", this, low)
    assert action.bearer.this is not None
    shown = ((this, action.bearer.this.type.name),)
    away = blame_text("{} cannot be played from where it lies", action.span, scope, shown)
    foreign = blame_text("{} is not yours", action.span, scope, shown)
    mine = when(either(negate(owner), equal(owner, actor)), [], [foreign])
    loose_card = when(masks.at_hand(low, this), mine, [away])
    return [*out, *when(ir.Not(self_), loose_card)] if out else loose_card


def _why_steps(action: tree.Action, name: str, scope: Scope, params: list[str], body: list[ir.Stmt]) -> str:
    """The option is the action alone: what refuses it before any argument, or that nothing completes it."""
    low = scope.low
    from rulelang.program.lower.steps import completable

    arguments = {b.local.name for b in action.binders}
    for r in action.requires:
        if not locals_of(r.condition) & arguments:
            body += blame(r, scope, low.source_of(action.origin))
    roles = tuple(ir.Local(p) for p in params)
    call = ir.Call(completable(action, 0, low), (ir.Cell(low.cells.actor), *roles))
    nothing = blame_text("there is no way to complete it", action.span, scope)
    body += when(call, [], [nothing])
    return low.function(name, "why", params, body, f"why not {action.id}", action.span)


def _blame_binder(b: tree.Binder, scope: Scope) -> list[ir.Stmt]:
    low = scope.low
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
