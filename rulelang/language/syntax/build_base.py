"""What both builders need: spans over children, and small carriers for parts that are no nodes of their own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from rulelang.base.source import Span
from rulelang.language.syntax.nodes import Binder, Expr, Stmt
from rulelang.language.syntax.tokens import STRUCTURE, Token

Children = list[Any]


class Part(NamedTuple):
    """A piece of a form: what it says and where it stands. `value` is of the kind that its one reader expects."""

    span: Span
    value: Any


class Block(NamedTuple):
    """The statements after a `:`, never empty."""

    span: Span
    statements: tuple[Stmt, ...]


def over(children: Iterable[Any]) -> Span:
    """From the first to the last of the children that stand in the text (not None, not a mark of layout)."""
    seen = [c for c in children if c is not None and not (type(c) is Token and c.type in STRUCTURE)]
    first: Span = seen[0].span
    last: Span = seen[-1].span
    return Span(first.path, first.line, first.column, last.end_line, last.end_column)


def parted(children: Children) -> tuple[Any, ...]:
    """The children without signs and marks: the items of a list with commas."""
    return tuple(c for c in children if type(c) is not Token)


def expressions(part: Part | None) -> tuple[Expr, ...]:
    """The arguments in `args`, or none."""
    return part.value if part is not None else ()


def binders_of(part: Part | None) -> tuple[Binder, ...]:
    """The binders in `binders`, or none."""
    return part.value if part is not None else ()


def unquoted(token: Token) -> str:
    """The text inside a STRING token."""
    return token.text[1:-1]
