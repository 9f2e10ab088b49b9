"""Merging the sections of a ruleset, its mods and its mode: maps unite, lists grow, the same leaf twice is an error."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from rulelang.base.diagnostics import Diagnostics, Related
from rulelang.base.nearest import did_you_mean
from rulelang.base.source import NOWHERE, Span
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq, is_blank

ROW_SECTIONS = ("lists", "ladders", "cards")
EMPTY = YamlMap((), NOWHERE)


@dataclass(frozen=True, slots=True)
class Removed:
    """What a layer took out, so that a hook whose target is gone can say who removed it."""

    path: str
    span: Span
    layer: int


@dataclass(slots=True)
class Patch:
    """One `set:` or `remove:` entry: the dotted path, the new value (None removes), and whose it is."""

    path: str
    span: Span
    layer: int
    value: YamlNode | None


@dataclass(slots=True)
class Merger:
    """Folds the files of one layer after the other into `tree`.

    `ordered(a, b)` says whether layer b is meant to come after layer a (it depends on it, or says `after:`).
    """

    diagnostics: Diagnostics
    ordered: Callable[[int, int], bool]
    tree: YamlMap = EMPTY
    removed: list[Removed] = field(default_factory=list)
    patches: list[Patch] = field(default_factory=list)
    traits: dict[str, YamlMap] = field(default_factory=dict)

    def add(self, sections: YamlMap) -> None:
        """Unite the sections of one file with the tree."""
        self.tree = self._unite(self.tree, normal(sections, self.diagnostics), ())

    def patch(self, patch: Patch) -> None:
        """Carry out one `set:` or `remove:` entry; its path must exist."""
        for earlier in self.patches:
            if _overlap(earlier.path, patch.path) and not self.ordered(earlier.layer, patch.layer):
                self._clash(earlier, patch)
                return
        self.patches.append(patch)
        parts = patch.path.split(".")
        if patch.value is not None and parts[0] in ROW_SECTIONS:
            if len(parts) == 2:
                patch.value = _normal_list(patch.value, self.diagnostics)
            elif len(parts) == 3 and parts[2] == "rows":
                patch.value = _normal_rows(patch.value, self.diagnostics)
        if parts[0] == "traits" and len(parts) > 1 and parts[1] in self.traits:
            done = self._patch_trait(parts[1], parts[2:], patch)
        else:
            found = self._change(self.tree, parts, patch, "")
            done = isinstance(found, YamlMap)
            if isinstance(found, YamlMap):
                self.tree = found
        if done and patch.value is None:
            self.removed.append(Removed(patch.path, patch.span, patch.layer))

    def _patch_trait(self, trait: str, rest: list[str], patch: Patch) -> bool:
        """Patch a trait file's own keys; a column that the ruleset declares may be set where the file leaves it out."""
        node = self.traits[trait]
        if not rest and patch.value is None:
            del self.traits[trait]
            return True
        if (
            len(rest) == 1
            and patch.value is not None
            and node.get(rest[0]) is None
            and self.tree.map("traits").get(rest[0])
        ):
            key = YamlScalar(rest[0], patch.span, rest[0], "plain", patch.layer)
            self.traits[trait] = YamlMap((*node.items, (key, patch.value)), node.span, node.layer)
            return True
        found = self._change(node, rest or [""], patch, f"traits.{trait}")
        if isinstance(found, YamlMap):
            self.traits[trait] = found
        return found is not None

    def _clash(self, earlier: Patch, patch: Patch) -> None:
        word = "removes" if patch.value is None else "sets"
        if earlier.layer == patch.layer:
            because = "each path is changed once in a mod"
            hint = ""
        else:
            because = "neither of the two mods comes after the other, so the result would depend on chance"
            hint = "let one mod say `after:` the other"
        related = [Related(earlier.span, "this changes it too")]
        self.diagnostics.error(
            "Y142",
            patch.span,
            f"this {word} `{patch.path}`, which is changed elsewhere",
            because=because,
            hint=hint,
            related=related,
        )

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
        self.diagnostics.error(
            "Y140",
            key.span if key.span != first.span else value.span,
            f"`{word}` has a value already",
            because="what is merged may add, not change",
            hint=f"to change it write `set: {{{word}: ...}}` in a mod",
            related=[Related(before.span if first.style == "csv" else first.span, "it is declared here")],
        )
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

    def _change(self, node: YamlNode, parts: list[str], patch: Patch, walked: str) -> YamlNode | None:
        """The node with the patch applied below it; None (after a Y141) if the path leads nowhere."""
        if isinstance(node, YamlSeq):
            return self._change_item(node, parts, patch, walked)
        if isinstance(node, YamlMap):
            for size in range(1, len(parts) + 1):
                name = ".".join(parts[:size])
                if node.get(name) is not None or node.key(name) is not None:
                    return self._change_key(node, name, parts[size:], patch, walked)
            rows = node.get("rows")
            if isinstance(rows, YamlMap) and walked.count(".") == 1:
                return self._change_key(node, "rows", parts, patch, walked)
            if (
                parts[0].isdigit()
                and 1 <= int(parts[0][:6]) <= len(node)
                and node.items[int(parts[0]) - 1][0].value is None
            ):
                return self._change_at(node, int(parts[0]) - 1, parts[1:], patch, walked)
        known = node.keys() if isinstance(node, YamlMap) else ()
        place = f"in `{walked}`" if walked else "at the top"
        message = f"`{patch.path}` does not exist: there is no `{parts[0]}` {place}"
        because = "`set` and `remove` change what other files declare"
        self.diagnostics.error(
            "Y141", patch.span, message, because=because, hint=did_you_mean(parts[0], [k for k in known if k])
        )
        return None

    def _change_key(self, node: YamlMap, name: str, rest: list[str], patch: Patch, walked: str) -> YamlNode | None:
        index = next(i for i, (key, _) in enumerate(node.items) if key.text == name)
        return self._change_at(node, index, rest, patch, f"{walked}.{name}" if walked else name)

    def _change_at(self, node: YamlMap, index: int, rest: list[str], patch: Patch, walked: str) -> YamlNode | None:
        key, child = node.items[index]
        items = list(node.items)
        if rest:
            below = self._change(child, rest, patch, walked)
            if below is None:
                return None
            items[index] = (key, below)
        elif patch.value is None:
            del items[index]
        else:
            items[index] = (key, patch.value)
        return YamlMap(tuple(items), node.span, node.layer)

    def _change_item(self, node: YamlSeq, parts: list[str], patch: Patch, walked: str) -> YamlNode | None:
        """An item of a list is named by its text, or by its number from 1."""
        items = list(node.items)
        texts = [item.text if isinstance(item, YamlScalar) else "" for item in items]
        if parts[0] in texts:
            index = texts.index(parts[0])
        elif parts[0].isdigit() and 1 <= int(parts[0][:6]) <= len(items):
            index = int(parts[0]) - 1
        else:
            hint = did_you_mean(parts[0], [t for t in texts if t])
            self.diagnostics.error(
                "Y141", patch.span, f"`{patch.path}` does not exist: there is no `{parts[0]}` in `{walked}`", hint=hint
            )
            return None
        if len(parts) > 1:
            below = self._change(items[index], parts[1:], patch, f"{walked}.{parts[0]}")
            if below is None:
                return None
            items[index] = below
        elif patch.value is None:
            del items[index]
        else:
            items[index] = patch.value
        return YamlSeq(tuple(items), node.span, node.layer)


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


def _overlap(a: str, b: str) -> bool:
    return a == b or a.startswith(b + ".") or b.startswith(a + ".")
