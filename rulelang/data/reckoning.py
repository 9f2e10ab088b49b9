"""`add:` and `multiply:`: a number of the layers below made larger or smaller, whatever it is there."""

from __future__ import annotations

import re
from typing import TypeAlias

from rulelang.base.source import Span
from rulelang.data.history import Verb
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq

_FRACTION = re.compile(r"(-?[0-9]{1,9})\s*/\s*([1-9][0-9]{0,8})\Z")


#: What is above the line and what is below it, not shortened. (To import `fractions` takes 2.5 ms.)
Fraction: TypeAlias = tuple[int, int]


def by_which(verb: Verb, value: YamlNode) -> Fraction | None:
    """What is added, or with what is multiplied: a whole number, to multiply with also `3/2`. None if it is none."""
    if not isinstance(value, YamlScalar):
        return None
    if type(value.value) is int:
        return value.value, 1
    found = _FRACTION.match(value.text) if verb == "multiply" else None
    return (int(found[1]), int(found[2])) if found else None


def reckoned(verb: Verb, node: YamlNode, by: Fraction, span: Span, layer: int) -> YamlNode | None:
    """A whole number, or each of a list or map, with what is added to it or multiplied with it, rounded down: it stands
    where the layer says so. None if it is none."""
    if isinstance(node, YamlSeq):
        items = [reckoned(verb, item, by, span, layer) for item in node.items]
        known = tuple(item for item in items if item is not None)
        return YamlSeq(known, span, layer) if items and len(known) == len(items) else None
    if isinstance(node, YamlMap):
        pairs = [(key, reckoned(verb, value, by, span, layer)) for key, value in node.items]
        whole = tuple((key, value) for key, value in pairs if isinstance(value, YamlScalar))
        return YamlMap(whole, span, layer) if pairs and len(whole) == len(pairs) else None
    if type(node.value) is not int:
        return None
    above, below = by
    new = (node.value * below + above if verb == "add" else node.value * above) // below
    return YamlScalar(new, span, str(new), "plain", layer)


def commute(first: Verb, one: YamlNode | None, second: Verb, other: YamlNode | None) -> bool:
    """Whether two such patches come to the same in either order: sums do, and products of whole numbers."""
    if first != second or first not in ("add", "multiply") or one is None or other is None:
        return False
    parts = by_which(first, one), by_which(second, other)
    return all(part is not None and part[0] % part[1] == 0 for part in parts)
