"""Who is asked in rules, and whether what says `may` is done."""

from __future__ import annotations

from dataclasses import replace

from rulelang.base.layout import ActionInfo
from rulelang.base.source import NOWHERE
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import TRUE, Lowering, Scope, either, equal, negate
from rulelang.compiler.lower.expr.roles import bearer_kind
from rulelang.compiler.lower.expr.seats import first_player
from rulelang.compiler.lower.routines import questions, seeking
from rulelang.compiler.lower.state import loose
from rulelang.language.semantics import tree


def consent(
    hook: tree.Trigger, player: ir.Expr, body: list[ir.Stmt], scope: Scope, tag: str, args: tuple[ir.Expr, ...],
    bearer: ir.Expr = TRUE,
) -> list[ir.Stmt]:  # fmt: skip
    """`may`: a player decides whether it is done. `tag` is a fresh name; `args` are what patterns of the event see;
    `bearer` is shown if it is a thing."""
    low, whole = scope.low, option_of(hook, scope.low)
    kind = whole.types[0]
    info = replace(whole, types=(kind,), params=(whole.params[0],))
    question = questions.use(hook, info, bearer, args, scope)
    source = ir.Source(0, itself(low), (bearer if kind else TRUE,))
    pick = ir.Pick(question.site, player, (source,), TRUE, tag, (f"{tag}_x",), told=question.told)
    asks = seeking.unasked(hook, pick, [ir.Set(tag, ir.Const(0))], scope)
    return [*question.first, *asks, ir.Branch(equal(ir.Local(tag), ir.Const(0)), tuple(body))]


def option_of(hook: tree.Trigger, low: Lowering) -> ActionInfo:
    """How a hook looks as an option: by its trait or row; a trait that works on things also with its bearer.

    Where that fits several hooks they are told apart by their events.
    """
    name = low.source_of(hook.origin) or hook.pattern.event
    # A card that lies on nothing is its own bearer, and its trait or row is the name of the option.
    thing = not hook.always and loose.on_things(hook, low) and not loose.cards(hook, low)
    kind = bearer_kind(hook, low) if thing else ""
    return ActionInfo(
        f"{name}.{hook.pattern.event}", name, (kind, ""), ("self" if kind else "", "this"), name, hook.span
    )


def asked(scope: Scope) -> ir.Expr:
    """Who is asked in a rule: the bearer's owner; without one, or if that is `nobody`, the actor."""
    owner, now = scope.roles.get("owner"), actor(scope.low, scope)
    return now if owner is None else ir.If(nobodys(owner, scope.low), now, owner)


def instead_of_nobody(player: ir.Expr, scope: Scope) -> ir.Expr:
    """`nobody` is never asked: the actor answers for it."""
    low = scope.low
    if not low.plan.features.nobody:
        return player
    return ir.If(ir.Compare(">", player, ir.Const(low.plan.players)), actor(low, scope), player)


def nobodys(owner: ir.Expr, low: Lowering) -> ir.Expr:
    """The condition that an owner is no player: there is none, or it is `nobody`."""
    if isinstance(owner, ir.Const):
        return negate(owner)
    missing = ir.Not(owner)
    return either(missing, ir.Compare(">", owner, ir.Const(low.plan.players))) if low.plan.features.nobody else missing


def actor(low: Lowering, scope: Scope | None = None) -> ir.Expr:
    """Who acts; outside of turns, where nobody does, the player with whom natural order begins."""
    if scope is not None and scope.actor is not None:
        return scope.actor
    now = ir.Cell(low.cells.actor)
    return ir.If(now, now, ir.Table(_first_seat(low), first_player(low)))


def seat(player: ir.Expr, low: Lowering) -> ir.Expr:
    """The seat that turns from a player on begin with: in place of `nobody`, who has no turn, the first."""
    return ir.Table(_first_seat(low), player) if low.plan.features.nobody else player


def _first_seat(low: Lowering) -> str:
    return low.table("first_seat", [1, *range(1, low.plan.players + 1), 1])


def itself(low: Lowering) -> str:
    """Enumerator with its one argument as the only option."""
    if "itself" not in low.functions:
        low.function("itself", "enumerator", ("x",), (ir.Yield((ir.Local("x"),)),), "one option", NOWHERE)
    return "itself"
