"""Whether two nodes say the same, wherever they stand."""

from __future__ import annotations

from dataclasses import fields

from rulelang.base.source import Span
from rulelang.language.syntax.nodes import Attribute, Node, ZoneOf


def same(a: object, b: object) -> bool:
    """True if two nodes (or tuples of nodes) are equal but for spans and citations.

    `hand of p` and `p.hand` are two ways to write one thing, so they are the same.
    """
    if isinstance(a, ZoneOf):
        a = Attribute(a.span, a.owner, a.name, a.name_span)
    if isinstance(b, ZoneOf):
        b = Attribute(b.span, b.owner, b.name, b.name_span)
    if type(a) is not type(b):
        return False
    if isinstance(a, Span):
        return True
    if isinstance(a, Node):
        return all(same(getattr(a, f.name), getattr(b, f.name)) for f in fields(a) if f.name != "cites")
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    return a == b
