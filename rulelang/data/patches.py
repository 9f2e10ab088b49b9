"""Patches as data, and a tree with some of its parts exchanged, taken out or added."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rulelang.base.node import record
from rulelang.base.source import Span
from rulelang.data.history import Place, Verb
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq


@record
class Removed:
    """What a layer took out, so that whoever misses it can say who removed it. `place` is told without brackets."""

    path: str
    span: Span
    layer: int
    place: Place


@record
class Patch:
    """One entry of `set:`, `extend:`, `remove:` and the like: its path, the value (None takes away), and whose it is.

    `quiet`: the layer did not write it so; that it changes nothing is not told.
    """

    verb: Verb
    path: str
    span: Span
    layer: int
    value: YamlNode | None
    quiet: bool = False


@record
class Found:
    """A patch and where it leads: the index of each step (the length of a map for a key that is added to it).

    `place` is the same place for every layer, however it was written; `counted` is the list in which an item was found
    by its number, so that the place depends on what was taken out of that list. `before` is what stands there, `after`
    what will (None: nothing).
    """

    patch: Patch
    steps: tuple[int, ...]
    place: Place
    key: YamlScalar | None = None
    counted: Place | None = None
    before: YamlNode | None = None
    after: YamlNode | None = None


@record
class Disabled:
    """A phase that a layer has do nothing, by its name."""

    name: str
    span: Span
    layer: int


Changes = Sequence[tuple[tuple[int, ...], Found]]


def _rebuilt_node(node: YamlNode, changes: Changes) -> YamlNode:
    if not changes or isinstance(node, YamlScalar):
        return node
    if isinstance(node, YamlMap):
        return rebuilt(node, changes)
    items = tuple(_items(list(enumerate(node.items)), _by_step(changes)))
    return YamlSeq(items, node.span, node.layer)


def rebuilt(node: YamlMap, changes: Changes) -> YamlMap:
    """The map with changes below it, each given by the steps that are left."""
    below = _by_step(changes)
    kept: list[tuple[YamlScalar, YamlNode]] = []
    for index, (key, child) in enumerate(node.items):
        kept.extend((key, new) for new in _items([(index, child)], below))
    for steps, found in changes:
        if steps[0] == len(node.items) and found.key is not None and found.after is not None:
            kept.append((found.key, found.after))
    return YamlMap(tuple(kept), node.span, node.layer)


def _by_step(changes: Changes) -> dict[int, list[tuple[tuple[int, ...], Found]]]:
    below: dict[int, list[tuple[tuple[int, ...], Found]]] = {}
    for steps, found in changes:
        below.setdefault(steps[0], []).append((steps[1:], found))
    return below


def _items(items: Sequence[tuple[int, YamlNode]], below: Mapping[int, Changes]) -> Iterator[YamlNode]:
    for index, child in items:
        changes = below.get(index, ())
        ended = next((found for steps, found in changes if not steps), None)
        if ended is None:
            yield _rebuilt_node(child, changes)
        elif ended.after is not None:
            yield ended.after
