"""Write the log: who may see the arguments of a line, and when changes are flushed to it."""

from __future__ import annotations

from collections.abc import Iterable

from rulelang.base.layout import SecretArgument
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import with_blocks
from rulelang.compiler.lower.context import Lowering, Scope, lower_through, once_per_table
from rulelang.language.semantics import tree
from rulelang.language.semantics.dataflow import Flow, Flows
from rulelang.language.semantics.tree import walk

# ---- secret arguments


@once_per_table
def number_flows(low: Lowering) -> Flows:
    """Return where the numbers and choices of the program are kept."""
    return Flows(low.program, low.model.sorts)


def kept_arguments(
    found: Iterable[Flow], arguments: Iterable[int], first: int, scope: Scope, *, straight: bool = False
) -> tuple[tuple[SecretArgument, ...], tuple[ir.Expr, ...]]:
    """Return where these arguments of a line are kept, and whose attributes these are: further arguments from `first`.

    `straight`: the line is about what is written in the same statement.
    """
    low, arguments = scope.low, tuple(arguments)
    handles: list[ir.Expr] = []
    kept: dict[SecretArgument, None] = {}
    for target, here in found:
        number = _attribute_place(target, low)
        whose = _owner_handle(target, scope, straight=straight) if here else None
        # Where a card is decides who sees it: of a card that is not known yet, only its attribute counts.
        if whose is None and low.plan.attributes[number].seen_by == "everyone":
            continue
        if whose is not None and whose not in handles:
            handles.append(whose)
        of = -1 if whose is None else first + handles.index(whose)
        kept.update(dict.fromkeys(SecretArgument(argument, number, of) for argument in arguments))
    return tuple(kept), tuple(handles)


def _attribute_place(target: tree.StateRef | tree.AttributeRef, low: Lowering) -> int:
    """Return the place of an attribute in the layout."""
    if isinstance(target, tree.StateRef):
        base = low.plan.state[target.attribute.name]
    elif target.trait is not None:
        base = low.plan.trait_state[target.trait, target.attribute.name].base
    else:
        base = low.plan.columns[target.kind, target.attribute.name]
    return next(number for number, laid in enumerate(low.plan.attributes) if laid.base == base)


def _owner_handle(target: tree.StateRef | tree.AttributeRef, scope: Scope, *, straight: bool) -> ir.Expr | None:
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
    return lower_through(target.object, scope)[0] if known else None


# ---- log flush

FLUSH = ir.LogEnd(ends=False)

#: What comes and goes before numbers change, where both are told together.
_MOVING = (tree.Move, tree.MoveAll, tree.Draw, tree.Create, tree.Remove)
#: Around these the log notes what has changed by itself.
_LOGGED = (tree.CallRoutine, tree.Tells, tree.Offer, tree.Choose)


class LogFlush:
    """Goes along the statements of a block."""

    def __init__(self) -> None:
        self.changed = False  # and it is not noted yet

    def before(self, s: tree.Stmt) -> list[ir.Stmt]:
        """What stands before a statement."""
        moving = moves_something(s)
        noted: list[ir.Stmt] = [FLUSH] if moving and self.changed else []
        self.changed = not isinstance(s, _LOGGED) and (self.changed or moving or _writes_watched(s))
        return noted


def _writes_watched(s: tree.Stmt) -> bool:
    """Whether a statement, or one in its blocks, writes what the log watches."""
    return any(
        isinstance(node, tree.Assign | tree.Clear)
        or (isinstance(node, tree.Roll) and not isinstance(node.target, tree.Local))
        for node in walk(s)
    )


def moves_something(s: tree.Stmt | tree.Block) -> bool:
    """Whether a statement, or one of a block, moves, makes or removes something by itself."""
    return any(isinstance(node, _MOVING) for node in walk(s))


def logs_each_apart(s: tree.For) -> bool:
    """Whether what a loop does is told for one after the other: for players, not for cards."""
    return any(binder.local.type.name == "player" for binder in s.binders)


def flushed_at_once(block: tuple[ir.Stmt, ...]) -> tuple[ir.Stmt, ...]:
    """The same, noted at once."""
    return tuple(with_blocks(stmt, flushed_at_once) for stmt in block if stmt != FLUSH)
