"""Going over a piece of typed tree: its nodes, its variables, the parts of a condition."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, cast

from rulelang.semantics import tree


@cache
def _fields(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def walk(node: Any) -> Iterator[Any]:
    """Every node of a piece of typed tree, itself first."""
    stack = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, tuple | list):
            stack.extend(reversed(item))
        elif is_dataclass(item) and type(item).__module__ == tree.__name__:
            yield item
            for name in _fields(cast(Hashable, type(item))):
                value = getattr(item, name)
                if isinstance(value, tuple) or is_dataclass(value):
                    stack.append(value)


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
