"""Sections that stand too far in: `  zones:` below `kinds:`. Read as they were meant, they are one mistake each."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace

from rulelang.base.diagnostics import Diagnostics
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar

_Way = tuple[tuple[YamlMap, int], ...]
_MOST = 4


def put_in_place(
    text: str, root: YamlMap, words: Collection[str], wrong: Callable[[YamlMap], int], out: Diagnostics
) -> YamlMap | None:
    """The tree with all sections (`words`) at the left edge, after Y153 for each that stands elsewhere; None where none
    does. `wrong`: so many mistakes a tree has; one that has more of them was not meant."""
    if not re.search(rf"^[ ]+(?:{'|'.join(words)}):[ \t]*(?:#.*)?$", text, re.MULTILINE):
        return None
    now: YamlMap | None = None
    for _ in range(_MOST):
        meant = next(_moved(now or root, words, wrong), None)
        if meant is None:
            break
        now, key, below = meant
        message = f"`{key.text}:` is indented" + (f", so it belongs to `{below.text}`" if below is not None else "")
        because = "it is a section, and a section must begin at the left edge"
        out.error("Y153", key.span, message, because=because, hint="move it to the left edge")
    return now


def _moved(
    root: YamlMap, words: Collection[str], wrong: Callable[[YamlMap], int]
) -> Iterator[tuple[YamlMap, YamlScalar, YamlScalar | None]]:
    known = -1
    for way in _nested(root, ()):
        node, at = way[-1]
        key, value = node.items[at]
        if len(way) < 2 or key.text not in words or root.get(key.text) is not None:
            continue
        if key.span.line == way[-2][0].items[way[-2][1]][0].span.line:
            continue  # in braces
        empty = isinstance(value, YamlScalar) and value.value is None and not value.text
        meant = _with_what_follows(root, way) if empty else _as_it_is(root, way) if isinstance(value, YamlMap) else None
        if meant is None:
            continue
        known = wrong(root) if known < 0 else known
        if wrong(meant) < known + empty:
            parent = way[-2][0].items[way[-2][1]][0]
            yield meant, key, parent


def _nested(node: YamlNode, way: _Way) -> Iterator[_Way]:
    """The way to each key of a map, in the order written."""
    if isinstance(node, YamlMap):
        for at, (_, value) in enumerate(node.items):
            here = (*way, (node, at))
            yield here
            yield from _nested(value, here)


def _with_what_follows(root: YamlMap, way: _Way) -> YamlMap | None:
    """What stands behind an empty section, no further in than it, is what was meant to be in it."""
    for depth in range(len(way) - 1, 0, -1):
        node, at = way[depth]
        inside = node.items[at + 1 :]
        if inside:
            kept = _without(way, depth)
            key = way[-1][0].items[way[-1][1]][0]
            section = YamlMap(inside, key.span.to(node.span), root.layer)
            return _at_the_top(kept, key, section)
    return None


def _as_it_is(root: YamlMap, way: _Way) -> YamlMap:
    key, value = way[-1][0].items[way[-1][1]]
    return _at_the_top(_without(way, 0), key, value)


def _without(way: _Way, cut: int) -> YamlMap:
    """The root without the last key of the way; and, with a depth, without all that follows there."""
    last, at = way[-1]
    rest = () if cut else last.items[at + 1 :]
    made = YamlMap((*last.items[:at], *rest), last.span, last.layer)
    for depth in range(len(way) - 2, -1, -1):
        node, at = way[depth]
        behind = () if cut and depth >= cut else node.items[at + 1 :]
        made = YamlMap((*node.items[:at], (node.items[at][0], made), *behind), node.span, node.layer)
    return made


def _at_the_top(root: YamlMap, key: YamlScalar, value: YamlNode) -> YamlMap:
    return replace(root, items=(*root.items, (key, value)))
