"""Patches as data: renames, the record of every change, and a tree with some parts replaced."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from rulelang.base.node import record
from rulelang.base.source import NOWHERE, Span
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq

# ---- history of changes

Verb: TypeAlias = Literal["set", "add", "multiply", "extend", "remove", "disable", "rename", "like"]
#: The names that lead to a value, the same for every layer: keys, words or `#N` of items of lists (N from 1), and `#N`
#: for a row without a name, which is its place among all rows that ever were in its list (from 0).
Place: TypeAlias = tuple[str, ...]

ROW_SECTIONS = ("lists", "ladders", "cards")


@record
class Change:
    """One change that a layer made: `path` as it was written at `span`, `place` where it led.

    `before` is what stood there (None: nothing), `after` what stands there now; both keep their own spans and layers.
    What is `like` another has that one before it.
    """

    layer: int
    verb: Verb
    path: str
    place: Place
    span: Span
    before: YamlNode | None
    after: YamlNode | None


@record
class Entry:
    """A value of the merged ruleset: its place, the key it stands under (an item of a list has none), and itself."""

    place: Place
    key: YamlScalar | None
    value: YamlNode


@dataclass(slots=True)
class History:
    """All changes in the order in which they were made, and the names of rows by which their places are told.

    `ever` holds, for each list (section, name), the keys of all rows that were ever in it. Finding things here walks
    through them; it costs nothing while the ruleset is loaded.
    """

    changes: Sequence[Change] = ()
    ever: Mapping[tuple[str, str], Sequence[YamlScalar]] = field(default_factory=dict)

    def of(self, place: Place) -> list[Change]:
        """The changes of this place: of itself, of what it lies in, and of what lies in it."""
        return [c for c in self.changes if _one_in_other(c.place, place)]

    def row_name(self, section: str, name: str, key: YamlScalar) -> str:
        """The name of a row in a place: its own, or `#N`."""
        if key.text or key.value is not None:
            return key.text
        keys = self.ever.get((section, name), ())
        return next((f"#{n}" for n, other in enumerate(keys) if other is key), "#?")

    def entries(self, tree: YamlMap, traits: Mapping[str, YamlMap]) -> Iterator[Entry]:
        """Every map, list and leaf of a merged ruleset; what a trait's file says lies in `traits`, NAME."""
        for section, node in tree.items:
            yield from self._below((section.text,), section, node)
        for name, node in traits.items():
            yield from self._below(("traits", name), YamlScalar(name, NOWHERE, name, "plain", node.layer), node)

    def _below(self, place: Place, key: YamlScalar | None, node: YamlNode) -> Iterator[Entry]:
        yield Entry(place, key, node)
        if isinstance(node, YamlMap):
            rows = len(place) == 3 and place[0] in ROW_SECTIONS and place[2] == "rows"
            for inner, value in node.items:
                name = self.row_name(place[0], place[1], inner) if rows else inner.text
                yield from self._below((*place, name), inner, value)
        elif isinstance(node, YamlSeq):
            for step, item in zip(item_names(node), node.items, strict=True):
                yield from self._below((*place, step), None, item)


def item_names(node: YamlSeq) -> list[str]:
    """How each item of a list is called: by its text if that is a word that stands there once, or else `#N`."""
    words = [item.text if isinstance(item, YamlScalar) and isinstance(item.value, str) else "" for item in node]
    return [word if word and words.count(word) == 1 else f"#{number}" for number, word in enumerate(words, 1)]


def _one_in_other(a: Place, b: Place) -> bool:
    short = min(len(a), len(b))
    return a[:short] == b[:short]


# ---- patches


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
class LocatedPatch:
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


Changes = Sequence[tuple[tuple[int, ...], LocatedPatch]]


def _rebuilt_node(node: YamlNode, changes: Changes) -> YamlNode:
    if not changes or isinstance(node, YamlScalar):
        return node
    if isinstance(node, YamlMap):
        return rebuild(node, changes)
    items = tuple(_items(list(enumerate(node.items)), _by_step(changes)))
    return YamlSeq(items, node.span, node.layer)


def rebuild(node: YamlMap, changes: Changes) -> YamlMap:
    """The map with changes below it, each given by the steps that are left."""
    below = _by_step(changes)
    kept: list[tuple[YamlScalar, YamlNode]] = []
    for index, (key, child) in enumerate(node.items):
        kept.extend((key, new) for new in _items([(index, child)], below))
    for steps, found in changes:
        if steps[0] == len(node.items) and found.key is not None and found.after is not None:
            kept.append((found.key, found.after))
    return YamlMap(tuple(kept), node.span, node.layer)


def _by_step(changes: Changes) -> dict[int, list[tuple[tuple[int, ...], LocatedPatch]]]:
    below: dict[int, list[tuple[tuple[int, ...], LocatedPatch]]] = {}
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


# ---- renames

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
#: Under these keys stand texts for people, rules (which are renamed as they are parsed), and tests.
_PROSE = frozenset({"text", "name", "title", "rules", "scenarios", "names", "source", "from"})
#: What declares names below a section: rows of lists, columns and attributes.
_DECLARING = frozenset({"rows", "columns", "attributes", "state"})


@record
class Rename:
    """A layer's new word for an old one, and where it says so. `of_rules`: it names what rules declare, not data."""

    layer: int
    old: str
    new: str
    span: Span
    of_rules: bool = False

    @property
    def word(self) -> re.Pattern[str]:
        """The old name where it stands by itself: neither in a longer one nor beside a dot of a name with dots."""
        return re.compile(rf"(?<![\w\-])(?<!\w\.){re.escape(self.old)}(?![\w\-])(?!\.\w)")


def rename_in_map(node: YamlMap, renames: Sequence[Rename]) -> YamlMap:
    """The map with other words in it; its own keys count too."""
    for rename in renames:
        node = _map(node, rename, rename.word)
    return node


def _map(node: YamlMap, rename: Rename, word: re.Pattern[str]) -> YamlMap:
    items = []
    for key, value in node.items:
        new = value if key.text in _PROSE else _node(value, rename, word)
        items.append((_scalar(key, rename.new) if key.text == rename.old else key, new))
    return YamlMap(tuple(items), node.span, node.layer)


def _node(node: YamlNode, rename: Rename, word: re.Pattern[str]) -> YamlNode:
    if isinstance(node, YamlMap):
        return _map(node, rename, word)
    if isinstance(node, YamlSeq):
        return YamlSeq(tuple(_node(item, rename, word) for item in node.items), node.span, node.layer)
    if not isinstance(node.value, str):
        return node
    text = word.sub(rename.new, node.text)
    return node if text == node.text else _scalar(node, text)


def _scalar(node: YamlScalar, text: str) -> YamlScalar:
    return YamlScalar(text, node.span, text, node.style, node.layer, node.indent)


def renamed_path(path: str, renames: Sequence[Rename]) -> str:
    """The path of a patch, in words of today."""
    for rename in renames:
        path = re.sub(rf"(?<![\w\-]){re.escape(rename.old)}(?![\w\-])", rename.new, path)
    return path


def declared_places(tree: YamlMap, traits: Sequence[str], name: str) -> list[Place]:
    """The places in data where something is declared with this name."""
    found: list[Place] = [("traits", trait) for trait in traits if trait == name]
    for section, node in tree.items:
        if isinstance(node, YamlMap) and section.text not in ("scenarios", "look"):
            found.extend(_below(node, (section.text,), name))
    return found


def _below(node: YamlMap, place: Place, name: str) -> Iterator[Place]:
    for key, value in node.items:
        here = (*place, key.text)
        if key.text == name and (len(here) == 2 or here[-2] in _DECLARING):
            yield here
        inner = here[-1] in _DECLARING or len(here) == 2
        if isinstance(value, YamlMap) and inner and not (len(here) > 3 and place[0] in ROW_SECTIONS):
            yield from _below(value, here, name)
