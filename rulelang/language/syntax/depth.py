"""Bounds on how deep nodes nest: every later pass may walk them by recursion, and loops and blocks of the code that is
made of them stay within what Python takes (20 and 100)."""

from __future__ import annotations

from dataclasses import fields

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.source import Span
from rulelang.language.syntax.nodes import Action, Choose, For, If, Node, Query, RepeatTimes, RepeatUntil, Rounds, Turns

DEEPEST = 100
#: Loops that may stand in each other; every binder is one.
LOOPS = 15
#: Blocks and loops that may stand in each other; what follows a flat `choose` stands in it.
BLOCKS = 50
#: A tree with no more tokens than this is within every bound.
SHALLOW = 2 * LOOPS


def too_deep(root: Node, tokens: int, found: Diagnostics) -> bool:
    """True, with a diagnostic at the first place, if something nests deeper than its bound. Walks without recursion."""
    if tokens <= SHALLOW:
        return False
    ahead: list[tuple[object, int, int, int]] = [(root, 0, 0, 0)]  # with forms, loops and blocks that it stands in
    place = root.span
    while ahead:
        node, forms, loops, blocks = ahead.pop()
        children = _children(node)
        inside = 0
        if isinstance(node, Node):
            place = node.span
            own = _loops(node)
            loops += own
            blocks += own > 0 or isinstance(node, (If, Choose))
            # options and what is asked for are looked through in functions of their own
            inside = len(node.binders) if isinstance(node, (Action, Choose, Query)) else loops
        wrong = ""
        if forms >= DEEPEST or (isinstance(node, If) and len(node.branches) > DEEPEST):  # each `elif` in an `else`
            wrong = f"at most {DEEPEST} levels can be nested; a long chain of operators counts as nested"
            hint = "name a part of it with `let`, or move it into a value"
        elif inside > LOOPS:
            wrong = f"at most {LOOPS} loops can be nested; each binder counts as a loop"
            hint = "move a part of it into a routine or value"
        elif blocks > BLOCKS:
            wrong = f"at most {BLOCKS} blocks can be nested; statements after a `choose` without a block count too"
            hint = "move a part of it into a routine"
        if wrong:
            found.error("S220", place, "this is nested too deeply", because=wrong, hint=hint)
            return True
        later = []
        for child in children:
            later.append((child, forms + 1, loops, blocks))
            blocks += isinstance(child, Choose) and child.body is None
        ahead += reversed(later)
    return False


def _loops(node: Node) -> int:
    """How many loops of a statement its body stands in."""
    if isinstance(node, For):
        return len(node.binders)
    return int(isinstance(node, (RepeatTimes, RepeatUntil, Turns, Rounds)))


def _children(node: object) -> list[object]:
    if isinstance(node, Node):
        values = [getattr(node, field.name) for field in fields(node)]
    elif isinstance(node, tuple) and not isinstance(node, Span):
        values = list(node)
    else:
        return []
    return [v for v in values if isinstance(v, (Node, tuple)) and not isinstance(v, Span)]
