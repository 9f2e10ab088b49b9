"""Going over a piece of syntax: all nodes in it."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, cast

from rulelang.language.syntax import nodes


@cache
def _fields(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def walk(node: Any) -> Iterator[nodes.Node]:
    """Every node of a piece of syntax, itself first, in the order of the text."""
    stack = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, tuple):
            stack.extend(reversed(item))
        elif is_dataclass(item) and isinstance(item, nodes.Node):
            yield item
            names = _fields(cast(Hashable, type(item)))
            stack.extend(
                value for name in reversed(names) if isinstance(value := getattr(item, name), tuple | nodes.Node)
            )
