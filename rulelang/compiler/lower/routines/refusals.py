"""Why an action is refused: every reason that holds against its bearer, its arguments, and the action itself."""

from __future__ import annotations

from rulelang.base.phrases import RuleName, Value, phrase
from rulelang.base.source import Span
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import Lowering, Scope, either, equal, negate, when
from rulelang.compiler.lower.expr.calls import seen_args
from rulelang.compiler.lower.expr.expressions import cond
from rulelang.compiler.lower.expr.permitted import bound
from rulelang.compiler.lower.expr.roles import bearer_kind, bind_given, named, roles_of, row_of, taken, trait_number
from rulelang.compiler.lower.requests import Ensuring, WhyNot
from rulelang.compiler.lower.routines import trials
from rulelang.compiler.lower.routines.candidates import blame_candidate, not_yours
from rulelang.compiler.lower.routines.legality import blame, blame_fact, blame_forbids, blame_text, blaming, ended
from rulelang.compiler.lower.routines.nouns import name_of
from rulelang.compiler.lower.routines.options import only_call
from rulelang.compiler.lower.routines.performing import once_flag
from rulelang.compiler.lower.routines.questions import kind_of
from rulelang.compiler.lower.routines.steps import completable
from rulelang.compiler.lower.routines.texts import text_parts
from rulelang.compiler.lower.state import bearing, loose, masks
from rulelang.compiler.lower.state.addresses import owner_of
from rulelang.language.semantics import tree
from rulelang.language.semantics.model import BOOL
from rulelang.language.semantics.tree import locals_of


def why_action(action: tree.Action, low: Lowering) -> str:
    """`why_ACTION(roles..., args...)`: every reason why these arguments are refused, for the actor."""
    name = f"why_action_{action.id}".replace(".", "__")
    scope = Scope(low, f"why_{action.id}")
    scope.actor = ir.Cell(low.cells.actor)
    given = taken(roles_of(action.id, low), scope)
    params = named(given)
    body: list[ir.Stmt] = []
    this = given.get("this")
    owner: ir.Expr = scope.actor
    if this is not None and "owner" in given:
        owner = owner_of("", this, low)  # whose it is now: an option that is read from a text does not say it
    bind_given(action, scope, {**given, **row_of(action)}, owner)
    if this is not None and "self" in scope.roles and not action.always:
        body += _not_borne(action, scope, this, scope.roles["self"])
    if action.in_steps:
        return _why_steps(action, name, scope, params, body)
    for b in action.binders:
        low.local_kinds[b.local.name] = b.local.type.name
        params.append(scope.bind(b.local, present=not b.maybe))
    body += _reasons(action, scope, tuple(given.values()))
    return low.function(name, "why", params, body, f"why not {action.id}", action.span)


def why(wanted: WhyNot, low: Lowering) -> None:
    """Blames every reason why an event that is asked about cannot happen."""
    params, body, span = _blaming(wanted.event, low)
    low.function(wanted.name, "why", params, body, f"why not {wanted.event}", span)


def ensure(wanted: Ensuring, low: Lowering) -> None:
    """The same in a trial."""
    params, body, span = _blaming(wanted.event, low)
    low.function(wanted.name, "routine", params, ended(body, low), f"ensure {wanted.event}", span)


def _blaming(event: str, low: Lowering) -> tuple[list[str], list[ir.Stmt], Span]:
    """The parameters, body and place of what blames for a `can R(..)` that does not hold."""
    action = low.program.actions.get(event)
    if action is None:
        return blaming(event, low)
    scope, params, given = bound(action, "why_can", low)
    for b in action.binders:
        low.local_kinds[b.local.name] = b.local.type.name
        params.append(scope.bind(b.local, present=not b.maybe))
    return params, _reasons(action, scope, tuple(given.values())), action.span


def _reasons(action: tree.Action, scope: Scope, roles: tuple[ir.Expr, ...]) -> list[ir.Stmt]:
    """Blames what refuses the arguments that are bound in the scope, for its actor."""
    low, body = scope.low, list[ir.Stmt]()
    for b, because in zip(action.binders, action.becauses, strict=True):
        body += blame_candidate(b, because, scope)
    for r in action.requires:
        body += blame(r, scope, low.source_of(action.origin))
    args = tuple(scope.names[b.local.name] for b in action.binders)
    body += blame_forbids(action.id, seen_args(action.id, args, scope), low)
    if only_call(action):
        call = action.body[0]
        assert isinstance(call, tree.CallRoutine)
        body += blame_fact(tree.Can(BOOL, call.span, call.routine, call.args), scope, low.source_of(action.origin))
    if action.once_per is not None:
        base, index = once_flag(action, roles, scope.actor or ir.Cell(low.cells.actor), low)
        scope_ = RuleName(action.once_per, "word")
        said = phrase("{action} has already been done this {scope}", action=name_of(action.name), scope=scope_)
        body += when(ir.Cell(base, index), [blame_text(said, action.span, scope)])
    if trials.tries(action, low):
        body.append(ir.BlameCall(trials.trial(action, low), (*roles, *args), trial=True))
    return body


def _not_borne(action: tree.Action, scope: Scope, this: ir.Expr, self_: ir.Expr) -> list[ir.Stmt]:
    """Why nothing brings the action to the actor: the thing lacks the trait, or the card is not at hand."""
    low = scope.low
    out: list[ir.Stmt] = []
    kind = bearer_kind(action, low)
    actor = scope.actor or ir.Cell(low.cells.actor)
    if action.origin.what == "trait" and loose.on_things(action, low):
        number = trait_number(action.origin, low)
        trait = RuleName(action.origin.name, "row", "trait")
        said = phrase("{thing} {n:has|have} no {name}", thing=Value(0, kind), n=1, name=trait)
        out += when(bearing.bears(low, kind, self_, number), [], [blame_text(said, action.span, scope, self_)])
        holder = owner_of(kind, self_, low)
        foreign = _foreign((self_, kind), holder, actor, action, scope)
        out += when(equal(holder, actor), [], [foreign])
        if not loose.cards(action, low):
            return out
        out = [ir.Branch(self_, tuple(out))]
    owner = owner_of("", this, low)
    assert action.bearer.this is not None
    sort = action.bearer.this.type.name
    said = phrase("{card} cannot be played from where it is", card=Value(0, sort))
    away = blame_text(said, action.span, scope, this)
    foreign = _foreign((this, sort), owner, actor, action, scope)
    mine = when(either(negate(owner), equal(owner, actor)), [], [foreign])
    loose_card = when(masks.at_hand(low, this), mine, [away])
    return [*out, *when(ir.Not(self_), loose_card)] if out else loose_card


def _foreign(thing: tuple[ir.Expr, str], owner: ir.Expr, asked: ir.Expr, action: tree.Action, scope: Scope) -> ir.Stmt:
    said = not_yours(Value(0, thing[1]), Value(1, "player"), Value(2, "player"))
    return blame_text(said, action.span, scope, thing[0], owner, asked)


def _why_steps(action: tree.Action, name: str, scope: Scope, params: list[str], body: list[ir.Stmt]) -> str:
    """The option is the action alone: what refuses it before any argument, or that nothing completes it."""
    low = scope.low
    arguments = {b.local.name for b in action.binders}
    for r in action.requires:
        if not locals_of(r.condition) & arguments:
            body += blame(r, scope, low.source_of(action.origin))
    roles = tuple(ir.Local(p) for p in params)
    call = ir.Call(completable(action, 0, low), (ir.Cell(low.cells.actor), *roles))
    lacking: list[ir.Expr] = []
    for b, asks in zip(action.binders, action.asks, strict=True):
        purpose = all(isinstance(part, str) for part in asks)
        if asks and purpose and not b.maybe and not locals_of(b) & (arguments - {b.local.name}):
            none = ir.Not(cond(tree.Query(BOOL, b.span, "any", (b,), None), scope))
            words, _ = text_parts(asks, scope)
            said = phrase("there is no {what} {purpose}", what=kind_of(b), purpose=words)
            body += when(none, [blame_text(said, b.span, scope)])
            lacking.append(none)
    body += when(either(call, *lacking), [], [blame_text(phrase("there is no way to complete it"), action.span, scope)])
    return low.function(name, "why", params, body, f"why not {action.id}", action.span)
