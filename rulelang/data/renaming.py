"""`rename:`: another name for something, and the same word wherever the layers below it, or those that do not know of
the new name, speak of it. So nothing but the name changes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rulelang.base.node import record
from rulelang.base.source import Span
from rulelang.data.history import ROW_SECTIONS, Place
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq

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


def renamed(node: YamlMap, renames: Sequence[Rename]) -> YamlMap:
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


def declared(tree: YamlMap, traits: Sequence[str], name: str) -> list[Place]:
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
