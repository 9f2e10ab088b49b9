"""A bound on how deep nodes nest, so that every later pass may walk them by recursion."""

from __future__ import annotations

from dataclasses import fields

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.source import Span
from rulelang.syntax.nodes import If, Node

DEEPEST = 100
# a tree with fewer tokens than this cannot be deeper than the bound
SHALLOW = DEEPEST


def too_deep(root: Node, tokens: int, found: Diagnostics) -> bool:
    """True, with a diagnostic, if nodes nest deeper than the bound. Walks without recursion."""
    if tokens <= SHALLOW:
        return False
    level: list[object] = [root]
    for _ in range(DEEPEST):
        level = [child for node in level for child in _children(node)]
        if not level:
            return False
        if any(isinstance(node, If) and len(node.branches) > DEEPEST for node in level):
            break  # each `elif` stands in the `else` of the one before
    span = next((node.span for node in level if isinstance(node, Node)), root.span)
    found.error(
        "S220",
        span,
        "this is nested too deeply",
        because=f"at most {DEEPEST} forms may stand in each other; a long chain of operators nests too",
        hint="give a part of it a name with `let`, or make it a value of its own",
    )
    return True


def _children(node: object) -> list[object]:
    if isinstance(node, Node):
        values = [getattr(node, field.name) for field in fields(node)]
    elif isinstance(node, tuple) and not isinstance(node, Span):
        values = list(node)
    else:
        return []
    return [v for v in values if isinstance(v, (Node, tuple)) and not isinstance(v, Span)]
