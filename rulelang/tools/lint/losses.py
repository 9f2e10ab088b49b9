"""What a declaration may lose: all of it, or one of its bounds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rulelang.base.source import Span
from rulelang.language.syntax import nodes
from rulelang.language.syntax.nodes import walk_syntax


class Loss(NamedTuple):
    """A stretch of a file, and what stands there instead."""

    span: Span
    text: str  # `{}`: what stood there

    @property
    def whole(self) -> bool:
        """Whether a declaration goes wholly."""
        return not self.text

    def applied(self, text: str) -> str:
        """The file with it; all other lines stay where they are."""
        lines = text.split("\n")
        first, last = self.span.line - 1, self.span.end_line - 1
        before, after = lines[first][: self.span.column - 1], lines[last][self.span.end_column - 1 :]
        here = "\n".join(lines[first : last + 1])[len(before) :].removesuffix(after)
        new = before + self.text.replace("{}", here) + after
        blank = [""] * (last - first - new.count("\n"))
        return "\n".join([*lines[:first], new, *blank, *lines[last + 1 :]])


def losses(node: nodes.Declaration) -> Iterator[Loss]:
    """The whole declaration; then each condition as if it held, and each part of an event as if it could be anything.

    A scenario that shows how far a rule goes passes without the rule, and fails without the bound.
    """
    span = node.span
    yield Loss(Span(span.path, span.line, 1, span.end_line, 1 << 30), "")
    for part in walk_syntax(node):
        yield from _bounds(part)


def _bounds(part: nodes.Node) -> Iterator[Loss]:
    match part:
        case nodes.Guard():
            yield from _held(part.condition, not part.unless)
        case nodes.Require() | nodes.Ensure():
            yield from _held(part.condition, True)
        case nodes.Binder(where=where) if where is not None:
            yield from _held(where, True)
        case nodes.If():
            for condition, _ in part.branches:
                yield from _held(condition, True)
        case nodes.IfElse():
            yield from _held(part.test, True)
        case nodes.Slot(name=str()):
            yield Loss(part.span, "any")


def _held(condition: nodes.Expr, holds: bool) -> Iterator[Loss]:
    """A condition, and each part of it, as if it held (or did not)."""
    # What it names stays named: names that nothing uses are mistakes.
    yield Loss(condition.span, "(({}) or true)" if holds else "(({}) and false)")
    if isinstance(condition, nodes.Logic):
        yield from _held(condition.left, holds)
        yield from _held(condition.right, holds)
