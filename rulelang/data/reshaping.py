"""Maps of YAML as layers want them: some keys left out, values put under a path, numbers of layers in each node."""

from __future__ import annotations

from rulelang.data.manifest import Manifest
from rulelang.data.records import Layer
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq

#: What a manifest says that is merged as the sections of files are.
MANIFEST_SECTIONS = ("players", "teams", "options")


def sections_of(manifest: Manifest, layer: Layer) -> YamlMap:
    root = _stamped(manifest.root, layer.index)
    return YamlMap(tuple(item for item in root.items if item[0].text in MANIFEST_SECTIONS), root.span, root.layer)


def without_sources(root: YamlMap) -> YamlMap:
    """The sections without the `from:` of sorts of cards."""
    cards = root.get("cards")
    if not isinstance(cards, YamlMap):
        return root
    sorts = tuple((key, without(sort, ("from",)) if isinstance(sort, YamlMap) else sort) for key, sort in cards.items)
    changed = YamlMap(sorts, cards.span, cards.layer)
    return YamlMap(tuple((k, changed if k.text == "cards" else v) for k, v in root.items), root.span, root.layer)


def without(root: YamlMap, names: tuple[str, ...]) -> YamlMap:
    return YamlMap(tuple(item for item in root.items if item[0].text not in names), root.span, root.layer)


def nest(path: tuple[str, ...], last: str, value: YamlNode) -> YamlMap:
    """`{a: {b: {last: value}}}` for path (a, b), all standing where `value` stands."""
    key = YamlScalar(last, value.span, last, "plain", value.layer)
    node = YamlMap(((key, value),), value.span, value.layer)
    for word in reversed(path):
        key = YamlScalar(word, value.span, word, "plain", value.layer)
        node = YamlMap(((key, node),), value.span, value.layer)
    return node


def _stamped(node: YamlMap, layer: int) -> YamlMap:
    """The same map with the index of the layer in every node (manifests are read before layers have numbers)."""
    if layer == 0:
        return node
    return YamlMap(tuple((_stamp_key(k, layer), _stamp(v, layer)) for k, v in node.items), node.span, layer)


def _stamp_key(key: YamlScalar, layer: int) -> YamlScalar:
    return YamlScalar(key.value, key.span, key.text, key.style, layer, key.indent)


def _stamp(node: YamlNode, layer: int) -> YamlNode:
    if isinstance(node, YamlMap):
        return _stamped(node, layer)
    if isinstance(node, YamlSeq):
        return YamlSeq(tuple(_stamp(item, layer) for item in node.items), node.span, layer)
    return _stamp_key(node, layer)
