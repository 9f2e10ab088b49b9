"""What every layer did to what the layers below it declare: the record behind `rulelang mods why` and `diff`.

Who *declared* a value stands in the value itself: nodes keep their span and layer. The history holds what was
*changed*.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from rulelang.base.node import record
from rulelang.base.source import NOWHERE, Span
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq

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
