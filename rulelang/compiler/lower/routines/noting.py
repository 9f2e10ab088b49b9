"""Where the log notes what has changed although nothing is told there, so that it tells of moves in the order in which
they happened. Between two such places what changes is told together: what `for card c in ...` does to all of them."""

from __future__ import annotations

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import with_blocks
from rulelang.language.semantics import tree
from rulelang.language.semantics.tree import walk

NOTED = ir.LogEnd(ends=False)

#: What comes and goes before numbers change, where both are told together.
_MOVES = (tree.Move, tree.MoveAll, tree.Draw, tree.Create, tree.Remove)
#: Around these the log notes what has changed by itself.
_TOLD = (tree.CallRoutine, tree.Tells, tree.Offer, tree.Choose)


class Order:
    """Goes along the statements of a block."""

    def __init__(self) -> None:
        self.changed = False  # and it is not noted yet

    def before(self, s: tree.Stmt) -> list[ir.Stmt]:
        """What stands before a statement."""
        moving = moves(s)
        noted: list[ir.Stmt] = [NOTED] if moving and self.changed else []
        self.changed = not isinstance(s, _TOLD) and (self.changed or moving or _changes(s))
        return noted


def _changes(s: tree.Stmt) -> bool:
    """Whether a statement, or one in its blocks, writes what the log watches."""
    return any(
        isinstance(node, tree.Assign | tree.Clear)
        or (isinstance(node, tree.Roll) and not isinstance(node.target, tree.Local))
        for node in walk(s)
    )


def moves(s: tree.Stmt | tree.Block) -> bool:
    """Whether a statement, or one of a block, moves, makes or removes something by itself."""
    return any(isinstance(node, _MOVES) for node in walk(s))


def each_apart(s: tree.For) -> bool:
    """Whether what a loop does is told for one after the other: for players, not for cards."""
    return any(binder.local.type.name == "player" for binder in s.binders)


def together(block: tuple[ir.Stmt, ...]) -> tuple[ir.Stmt, ...]:
    """The same, noted at once."""
    return tuple(with_blocks(stmt, together) for stmt in block if stmt != NOTED)
