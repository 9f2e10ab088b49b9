"""Merge maps deeply: lists grow, and a leaf that two files set is an error."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from rulelang.base.diagnostics import Diagnostic, Diagnostics, Related
from rulelang.base.memo import NULL_CACHE, IdentityKey, NullCache
from rulelang.base.node import record
from rulelang.data.patches import ROW_SECTIONS
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq, is_blank

# ---- clashes between layers


@record
class Clash:
    """Two layers of which neither follows the other change one place: a mistake, unless a third one settles it."""

    place: tuple[str, ...]
    layers: tuple[int, int]
    mistake: Diagnostic


@dataclass(slots=True)
class Clashes:
    """What layers that know nothing of each other change both, until all layers are laid.

    `ordered(a, b)` says whether layer b is meant to come after layer a (it depends on it, or says `after:`).
    """

    diagnostics: Diagnostics
    ordered: Callable[[int, int], bool]
    held: list[Clash] = field(default_factory=list)

    def add(self, place: tuple[str, ...], layers: tuple[int, int], mistake: Diagnostic) -> None:
        """Tell a mistake; or keep it until it is known whether a later layer settles it."""
        if 0 in layers or layers[0] == layers[1] or self.ordered(*layers):
            self.diagnostics.add(mistake)
        else:
            self.held.append(Clash(place, layers, mistake))

    def settle(self, layer: int, place: tuple[str, ...]) -> bool:
        """A layer decides what is at a place: of those that it follows nobody need do so. Whether somebody had to."""
        left = [
            clash
            for clash in self.held
            if clash.place[: len(place)] != place or not all(self.ordered(other, layer) for other in clash.layers)
        ]
        settled, self.held = len(left) < len(self.held), left
        return settled

    def tell(self) -> None:
        """Report what no layer has settled."""
        self.diagnostics.extend(clash.mistake for clash in self.held)


# ---- deep merge


def deep_merge(
    maps: Sequence[YamlMap], path: tuple[str, ...], clashes: Clashes, memo: NullCache = NULL_CACHE
) -> YamlMap:
    """Return the maps as one. `path` is where they are; a leaf that two have is a Y140.

    `memo` keeps whole trees and the entries of sections, where nothing is wrong: variants of a ruleset have the layers
    below in common, and the result of these is then the same object in all of them."""
    if not memo.keeps or len(path) not in (0, 2):
        return _merge_all(maps, path, clashes, memo)

    def work() -> tuple[YamlMap, bool]:
        before = len(clashes.diagnostics), len(clashes.held)
        made = _merge_all(maps, path, clashes, memo)
        return made, before == (len(clashes.diagnostics), len(clashes.held))

    return memo.get_or_compute("united", (path, tuple(map(IdentityKey, maps))), work, lambda known: known[1])[0]


def _merge_all(maps: Sequence[YamlMap], path: tuple[str, ...], clashes: Clashes, memo: NullCache) -> YamlMap:
    """All at once: two by two, thousands of files would take a time that grows with the square of their number."""
    filled = [one for one in maps if one.items]
    if len(filled) < 2:
        return filled[0] if filled else maps[-1]
    gathered: dict[object, list[tuple[YamlScalar, YamlNode]]] = {}
    for count, (key, value) in enumerate(item for one in filled for item in one.items):
        gathered.setdefault(_identity(key, count), []).append((key, value))
    items = tuple((found[0][0], _merge_values(found, path, clashes, memo)) for found in gathered.values())
    return YamlMap(items, filled[0].span, filled[0].layer)


def _merge_values(
    found: Sequence[tuple[YamlScalar, YamlNode]], path: tuple[str, ...], clashes: Clashes, memo: NullCache
) -> YamlNode:
    """Return the value of a key that several maps may have."""
    first, value = found[0]
    if len(found) == 1:
        return value
    given = [(key, value) for key, value in found if not is_blank(value)] or [found[0]]
    maps = [value for _, value in given if isinstance(value, YamlMap)]
    if len(maps) == len(given):
        return deep_merge(maps, (*path, first.text), clashes, memo)
    value = given[0][1]
    for key, other in given[1:]:
        value = _merge_pair(first, value, key, other, (*path, key.text), clashes, memo)
    return value


def _merge_pair(
    first: YamlScalar,
    before: YamlNode,
    key: YamlScalar,
    value: YamlNode,
    path: tuple[str, ...],
    clashes: Clashes,
    memo: NullCache,
) -> YamlNode:
    if is_blank(value):
        return before
    if is_blank(before):
        return value
    if isinstance(before, YamlMap) and isinstance(value, YamlMap):
        return deep_merge((before, value), path, clashes, memo)
    if _grows(path) and not isinstance(before, YamlMap) and not isinstance(value, YamlMap):
        return _grow(before, value, clashes.diagnostics)
    word = ".".join(path)
    mistake = Diagnostic(
        "Y140",
        key.span if key.span != first.span else value.span,
        f"`{word}` already has a value",
        "a file can add declarations but cannot change existing ones",
        f"to change it, write `set: {{{word}: {_short(value)}}}` in a mod",
        (Related(before.span if first.style == "csv" else first.span, "it is declared here"),),
    )
    clashes.add(path, (before.layer, value.layer), mistake)
    return before


def _short(value: YamlNode) -> str:
    """A number or word as a patch can give it; dots for all else."""
    simple = isinstance(value, YamlScalar) and re.fullmatch(r"[\w.-]{1,20}", value.text)
    return value.text if isinstance(value, YamlScalar) and simple else "..."


def _grow(before: YamlNode, value: YamlNode, diagnostics: Diagnostics) -> YamlNode:
    items = list(items_of(before))
    seen = {item.text: item for item in items if isinstance(item, YamlScalar)}
    for item in items_of(value):
        if isinstance(item, YamlScalar) and item.text in seen:
            related = [Related(seen[item.text].span, "the first one is here")]
            message = f"this list already contains `{item.text}`"
            diagnostics.error("Y140", item.span, message, hint="delete it", related=related)
            continue
        items.append(item)
    return YamlSeq(tuple(items), before.span, before.layer)


def normalize(sections: YamlMap, diagnostics: Diagnostics) -> YamlMap:
    """Give lists, ladders and card sorts one shape: a map whose `rows` is a map from name to row.

    `part: [head, body]` becomes `part: {rows: {head: {}, body: {}}}`; rows without a name get keys of value None.
    """
    items = []
    for key, section in sections.items:
        if key.text in ROW_SECTIONS and isinstance(section, YamlMap):
            lists = tuple((name, normalize_list(node, diagnostics)) for name, node in section.items)
            section = YamlMap(lists, section.span, section.layer)
        items.append((key, section))
    return YamlMap(tuple(items), sections.span, sections.layer)


def normalize_at(place: tuple[str, ...], value: YamlNode, diagnostics: Diagnostics) -> YamlNode:
    """What a patch puts in this place, in the shape that is usual there."""
    if place[0] in ROW_SECTIONS and len(place) == 2:
        return normalize_list(value, diagnostics)
    if place[0] in ROW_SECTIONS and len(place) == 3 and place[2] == "rows":
        return normalize_rows(value, diagnostics)
    return value


def normalize_list(node: YamlNode, diagnostics: Diagnostics) -> YamlNode:
    if isinstance(node, YamlSeq):
        word = YamlScalar("rows", node.span, "rows", "plain", node.layer)
        return YamlMap(((word, normalize_rows(node, diagnostics)),), node.span, node.layer)
    if isinstance(node, YamlMap) and node.get("rows") is not None:
        items = tuple((k, normalize_rows(v, diagnostics) if k.text == "rows" else v) for k, v in node.items)
        return YamlMap(items, node.span, node.layer)
    return node


def normalize_rows(rows: YamlNode, diagnostics: Diagnostics) -> YamlNode:
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
            related = [Related(seen[item.text].span, f"the first `{item.text}` is here")]
            diagnostics.error("Y103", item.span, f"duplicate row `{item.text}`", related=related)
        else:
            seen[item.text] = item
            items.append((item, _empty(item)))
    return YamlMap(tuple(items), rows.span, rows.layer)


def items_of(node: YamlNode) -> tuple[YamlNode, ...]:
    """The items of a list; a single value counts as a list of one."""
    return node.items if isinstance(node, YamlSeq) else (node,) if isinstance(node, YamlScalar) else ()


def leaf_paths(node: YamlMap, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The places of all values in a map, as patches call them; rows without a name have none."""
    for key, value in node.items:
        if key.text and isinstance(value, YamlMap) and value.items:
            yield from leaf_paths(value, (*path, key.text))
        elif key.text:
            yield (*path, key.text)


def same_value(a: YamlNode, b: YamlNode) -> bool:
    """Whether two values say the same, wherever they stand and however they are quoted."""
    if isinstance(a, YamlScalar) and isinstance(b, YamlScalar):
        return a.text == b.text and (a.style == "csv" or b.style == "csv" or a.value == b.value)
    if isinstance(a, YamlSeq) and isinstance(b, YamlSeq):
        return len(a) == len(b) and all(same_value(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, YamlMap) and isinstance(b, YamlMap):
        pairs = zip(a, b, strict=True) if len(a) == len(b) else ()
        return len(a) == len(b) and all(j.text == k.text and same_value(x, y) for (j, x), (k, y) in pairs)
    return False


def _empty(node: YamlNode) -> YamlMap:
    return YamlMap((), node.span, node.layer)


def _null(node: YamlNode) -> bool:
    return isinstance(node, YamlScalar) and node.value is None


def _identity(key: YamlScalar, index: int) -> str | int:
    return index if key.value is None and not key.text else key.text


def _grows(path: tuple[str, ...]) -> bool:
    """Lists that later files may lengthen. Others (a cell, a range by players) are leaves."""
    if path[0] == "look":
        return len(path) == 3 and path[2] in ("order", "hide")
    return path[0] in ("cards", "options") and len(path) == 3 and path[2] in ("unused_columns", "from", "values")
