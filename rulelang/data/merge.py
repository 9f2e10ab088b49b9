"""Merging the sections of a ruleset, its mods and its mode: maps unite, lists grow, the same leaf twice is an error."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from rulelang.base.diagnostics import Diagnostic, Diagnostics, Related
from rulelang.base.source import NOWHERE
from rulelang.data.history import ROW_SECTIONS
from rulelang.data.patches import Patch
from rulelang.data.patching import Clash, Patcher
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq, is_blank

EMPTY = YamlMap((), NOWHERE)


@dataclass(slots=True)
class Merger:
    """Folds one layer after the other into `tree` and `traits` (the files of traits, by id)."""

    diagnostics: Diagnostics
    patcher: Patcher
    tree: YamlMap = EMPTY
    traits: dict[str, YamlMap] = field(default_factory=dict)

    def lay(self, layer: int, patches: Sequence[Patch], sections: Sequence[YamlMap]) -> None:
        """One layer: what it removes and sets of the layers below, then what its files add (their `sections`)."""
        patches = [self._normal(patch) for patch in patches]
        if patches:
            self.tree, self.traits = self.patcher.carry_out(patches, self.tree, self.traits, sections)
        for new in sections:
            added = normal(new, self.diagnostics)
            self.tree = self._unite(self.tree, added, ())
            for place in _leaves(added, ()) if self.patcher.clashing else ():
                self.patcher.settle(layer, place)
        self.patcher.note_rows(self.tree, layer)

    def _normal(self, patch: Patch) -> Patch:
        """Rows that are set have the shape of all rows."""
        parts = patch.path.split(".")
        if patch.value is None or parts[0] not in ROW_SECTIONS:
            return patch
        if len(parts) == 2:
            return replace(patch, value=_normal_list(patch.value, self.diagnostics))
        if len(parts) == 3 and parts[2] == "rows":
            return replace(patch, value=_normal_rows(patch.value, self.diagnostics))
        return patch

    def _unite(self, old: YamlMap, new: YamlMap, path: tuple[str, ...]) -> YamlMap:
        if not old.items:
            return new
        merged = {_identity(key, i): (key, value) for i, (key, value) in enumerate(old.items)}
        for i, (key, value) in enumerate(new.items):
            name = _identity(key, len(old.items) + i)
            if name not in merged:
                merged[name] = (key, value)
                continue
            first, before = merged[name]
            merged[name] = (first, self._join(first, before, key, value, (*path, key.text)))
        return YamlMap(tuple(merged.values()), old.span, old.layer)

    def _join(
        self, first: YamlScalar, before: YamlNode, key: YamlScalar, value: YamlNode, path: tuple[str, ...]
    ) -> YamlNode:
        if is_blank(value):
            return before
        if is_blank(before):
            return value
        if isinstance(before, YamlMap) and isinstance(value, YamlMap):
            return self._unite(before, value, path)
        if _grows(path) and not isinstance(before, YamlMap) and not isinstance(value, YamlMap):
            return self._grow(before, value)
        word = ".".join(path)
        mistake = Diagnostic(
            "Y140",
            key.span if key.span != first.span else value.span,
            f"`{word}` has a value already",
            "what is merged may add, not change",
            f"to change it write `set: {{{word}: ...}}` in a mod",
            (Related(before.span if first.style == "csv" else first.span, "it is declared here"),),
        )
        layers = (before.layer, value.layer)
        if 0 in layers or self.patcher.ordered(*layers) or before.layer == value.layer:
            self.diagnostics.add(mistake)
        else:  # two mods that know nothing of each other; a third may settle it
            self.patcher.hold(Clash(path, layers, mistake))
        return before

    def _grow(self, before: YamlNode, value: YamlNode) -> YamlNode:
        items = list(_items(before))
        seen = {item.text: item for item in items if isinstance(item, YamlScalar)}
        for item in _items(value):
            if isinstance(item, YamlScalar) and item.text in seen:
                related = [Related(seen[item.text].span, "it stands here first")]
                self.diagnostics.error("Y140", item.span, f"`{item.text}` stands in this list already", related=related)
                continue
            items.append(item)
        return YamlSeq(tuple(items), before.span, before.layer)


def normal(sections: YamlMap, diagnostics: Diagnostics) -> YamlMap:
    """Give lists, ladders and card sorts one shape: a map whose `rows` is a map from name to row.

    `part: [head, body]` becomes `part: {rows: {head: {}, body: {}}}`; rows without a name get keys of value None.
    """
    items = []
    for key, section in sections.items:
        if key.text in ROW_SECTIONS and isinstance(section, YamlMap):
            lists = tuple((name, _normal_list(node, diagnostics)) for name, node in section.items)
            section = YamlMap(lists, section.span, section.layer)
        items.append((key, section))
    return YamlMap(tuple(items), sections.span, sections.layer)


def _normal_list(node: YamlNode, diagnostics: Diagnostics) -> YamlNode:
    if isinstance(node, YamlSeq):
        word = YamlScalar("rows", node.span, "rows", "plain", node.layer)
        return YamlMap(((word, _normal_rows(node, diagnostics)),), node.span, node.layer)
    if isinstance(node, YamlMap) and node.get("rows") is not None:
        items = tuple((k, _normal_rows(v, diagnostics) if k.text == "rows" else v) for k, v in node.items)
        return YamlMap(items, node.span, node.layer)
    return node


def _normal_rows(rows: YamlNode, diagnostics: Diagnostics) -> YamlNode:
    if isinstance(rows, YamlMap):
        return YamlMap(tuple((k, _empty(v) if _null(v) else v) for k, v in rows.items), rows.span, rows.layer)
    if isinstance(rows, YamlScalar):
        return _empty(rows)
    items: list[tuple[YamlScalar, YamlNode]] = []
    seen: dict[str, YamlScalar] = {}
    for item in rows.items:
        if not isinstance(item, YamlScalar):
            items.append((YamlScalar(None, item.span, "", "plain", item.layer), item))
        elif item.text in seen:
            related = [Related(seen[item.text].span, f"`{item.text}` stands here first")]
            diagnostics.error("Y103", item.span, f"the row `{item.text}` stands twice in one list", related=related)
        else:
            seen[item.text] = item
            items.append((item, _empty(item)))
    return YamlMap(tuple(items), rows.span, rows.layer)


def _empty(node: YamlNode) -> YamlMap:
    return YamlMap((), node.span, node.layer)


def _null(node: YamlNode) -> bool:
    return isinstance(node, YamlScalar) and node.value is None


def _identity(key: YamlScalar, index: int) -> str | int:
    return index if key.value is None and not key.text else key.text


def _items(node: YamlNode) -> tuple[YamlNode, ...]:
    return node.items if isinstance(node, YamlSeq) else (node,) if isinstance(node, YamlScalar) else ()


def _grows(path: tuple[str, ...]) -> bool:
    """Lists that later files may lengthen. Others (a cell, a range by players) are leaves."""
    return path[0] in ("cards", "options") and len(path) == 3 and path[2] in ("unused_columns", "from", "values")


def _leaves(node: YamlMap, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The places of all values in a map, as patches call them; rows without a name have none."""
    for key, value in node.items:
        if key.text and isinstance(value, YamlMap) and value.items:
            yield from _leaves(value, (*path, key.text))
        elif key.text:
            yield (*path, key.text)
