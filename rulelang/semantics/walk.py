"""Going over a piece of typed tree: its nodes, its variables, the parts of a condition."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, cast

from rulelang.semantics import tree

#: Annotations of fields that hold no nodes.
_PLAIN = frozenset({"Span", "Type", "str", "int", "bool"})


@cache
def _parts(kind: Hashable) -> tuple[str, ...] | None:
    """The fields of a class of nodes that may hold others; None for another class."""
    if not (isinstance(kind, type) and kind.__module__ == tree.__name__ and is_dataclass(kind)):
        return None
    return tuple(field.name for field in fields(kind) if field.type not in _PLAIN)


def walk(node: Any) -> Iterator[Any]:
    """Every node of a piece of typed tree, itself first."""
    stack = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, tuple | list):
            stack.extend(reversed(item))
        elif (names := _parts(cast(Hashable, type(item)))) is not None:
            yield item
            stack.extend([getattr(item, name) for name in names])


def locals_of(node: Any) -> set[str]:
    """Names of all variables that a piece of tree reads or binds."""
    return {n.local.name for n in walk(node) if isinstance(n, tree.LocalRef)}


def free_locals(node: Any) -> list[tree.Local]:
    """Variables that an expression reads but does not bind, in order of first use."""
    binders = {n.local.name for n in walk(node) if isinstance(n, tree.Binder)}
    found: dict[str, tree.Local] = {}
    for n in walk(node):
        if isinstance(n, tree.LocalRef) and n.local.name not in binders:
            found.setdefault(n.local.name, n.local)
    return list(found.values())


def conjuncts(e: tree.Expr | None) -> list[tree.Expr]:
    """The parts of a conjunction; none of no condition."""
    if e is None:
        return []
    if isinstance(e, tree.Logic) and e.op == "and":
        return [*conjuncts(e.left), *conjuncts(e.right)]
    return [e]
