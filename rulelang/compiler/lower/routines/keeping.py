"""What the log must not show to everyone: arguments that are written where not everyone sees them."""

from __future__ import annotations

from collections.abc import Iterable

from rulelang.base.layout import SecretArgument
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.lower.context import Lowering, Scope, once
from rulelang.compiler.lower.expr.expressions import through
from rulelang.language.semantics import tree
from rulelang.language.semantics.dataflow import Flow, Flows


@once
def flows(low: Lowering) -> Flows:
    """Return where the numbers and choices of the program are kept."""
    return Flows(low.program, low.model.sorts)


def kept_of(
    found: Iterable[Flow], arguments: Iterable[int], first: int, scope: Scope, *, straight: bool = False
) -> tuple[tuple[SecretArgument, ...], tuple[ir.Expr, ...]]:
    """Return where these arguments of a line are kept, and whose attributes these are: further arguments from `first`.

    `straight`: the line is about what is written in the same statement.
    """
    low, arguments = scope.low, tuple(arguments)
    handles: list[ir.Expr] = []
    kept: dict[SecretArgument, None] = {}
    for target, here in found:
        number = _attribute(target, low)
        whose = _whose(target, scope, straight=straight) if here else None
        # Where a card is decides who sees it: of a card that is not known yet, only its attribute counts.
        if whose is None and low.plan.attributes[number].seen_by == "everyone":
            continue
        if whose is not None and whose not in handles:
            handles.append(whose)
        of = -1 if whose is None else first + handles.index(whose)
        kept.update(dict.fromkeys(SecretArgument(argument, number, of) for argument in arguments))
    return tuple(kept), tuple(handles)


def _attribute(target: tree.StateRef | tree.AttributeRef, low: Lowering) -> int:
    """Return the place of an attribute in the layout."""
    if isinstance(target, tree.StateRef):
        base = low.plan.state[target.attribute.name]
    elif target.trait is not None:
        base = low.plan.trait_state[target.trait, target.attribute.name].base
    else:
        base = low.plan.columns[target.kind, target.attribute.name]
    return next(number for number, laid in enumerate(low.plan.attributes) if laid.base == base)


def _whose(target: tree.StateRef | tree.AttributeRef, scope: Scope, *, straight: bool) -> ir.Expr | None:
    """Return the handle of the thing whose attribute it is; None if it is not known when the dice are rolled.

    A variable is known if it has a value already, and so is `actor`. Other expressions may mean something else after
    the roll, so they count only for a roll `straight` into the attribute.
    """
    if isinstance(target, tree.StateRef):
        return None
    match target.object:
        case tree.LocalRef(local=local):
            known = local.name in scope.names
        case tree.BuiltinRef(name="actor"):
            known = True
        case _:
            known = straight
    return through(target.object, scope)[0] if known else None
