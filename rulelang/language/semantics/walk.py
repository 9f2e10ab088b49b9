"""Going over a piece of typed tree: its nodes, its variables, the parts of a condition."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache, lru_cache
from itertools import chain
from operator import attrgetter
from typing import Any, cast

from rulelang.base.memo import Same
from rulelang.language.semantics import tree

#: Annotations of fields that hold no nodes.
_PLAIN = frozenset({"Span", "Type", "str", "int", "bool"})


@cache
def _parts(kind: Hashable) -> Callable[[Any], Iterable[Any]] | None:
    """What gives the parts of an item of this class that may be nodes or hold some, the last first; None if it has
    none. Trees are gone over again and again, so it is looked up once for a class."""
    if not isinstance(kind, type):
        return None
    if issubclass(kind, tuple | list):
        return reversed
    if kind.__module__ != tree.__name__ or not is_dataclass(kind):
        return None
    names = [field.name for field in fields(kind) if field.type not in _PLAIN]
    if len(names) > 1:
        return attrgetter(*names)
    return (lambda node: (getattr(node, names[0]),)) if names else lambda node: ()


def walk(node: Any) -> Iterator[Any]:
    """Every node of a piece of typed tree, itself first."""
    if isinstance(node, list):
        return chain.from_iterable(map(walk, node))
    return iter(_kept(Same(node)) if isinstance(node, tuple | tree.Declared) else _nodes(node))


@lru_cache(4096)
def _kept(root: Same[Any]) -> list[Any]:
    """The same for a declaration or block: many ask for the nodes of these, for each mode and table anew."""
    return _nodes(root.item)


def _nodes(root: Any) -> list[Any]:
    found: list[Any] = []
    stack = [root]
    while stack:
        item = stack.pop()
        parts = _parts(cast(Hashable, type(item)))
        if parts is not None:
            if parts is not reversed:
                found.append(item)
            stack.extend(parts(item))
    return found


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
