"""YAML values that remember where they stand: what every reader of data files hands on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import Literal, TypeAlias

from rulelang.base.node import node
from rulelang.base.source import Placement, Span

Value: TypeAlias = str | int | float | bool | None
#: csv: a cell of a table, in a text file or a sheet. odd: one that holds no value; why stands in `RulesetSource.odd`.
Style: TypeAlias = Literal["plain", "single", "double", "literal", "folded", "csv", "odd"]


@node
class YamlScalar:
    """One word, number or text. `value` is what the YAML 1.2 core schema makes of `text` (CSV cells stay text)."""

    value: Value
    span: Span
    text: str
    style: Style = "plain"
    layer: int = 0
    indent: int = 0

    def plain(self) -> Value:
        return self.value

    @property
    def exact(self) -> bool:
        """True if `placement` translates every column exactly: a `|` block, a cell, other text on one line."""
        if self.style == "literal":
            return True
        if self.style == "csv" and self.span.is_cell:
            return False
        if self.style == "csv" and self._quoted:
            return '"' not in self.text  # one that is written twice shifts what stands behind it
        one_line = self.span.line == self.span.end_line and self.style != "folded"
        quotes = 2 if self.style in ("single", "double") else 0
        return one_line and self.span.end_column - self.span.column == len(self.text) + quotes

    @property
    def _quoted(self) -> bool:
        """A cell in quotes takes two columns more than its text, or several lines."""
        span = self.span
        return span.line != span.end_line or span.end_column - span.column > len(self.text)

    def placement(self) -> Placement:
        """Where the text of this scalar stands in its file; see `exact` for when that is true to the column."""
        span = self.span
        if self.style in ("literal", "folded"):
            return Placement(span.path, span.line, self.indent)
        if span.is_cell:
            return Placement(span.inside())
        quote = 1 if self.style in ("single", "double") or (self.style == "csv" and self._quoted) else 0
        return Placement(span.path, span.line - 1, self.indent, span.column - 1 + quote)


@node
class YamlMap:
    """Keys and values in the order written. Keys are compared by their text (`2` and `"2"` are one key).

    Rows without a name (sequences, CSV files without an `id` column) stand in a merged `rows` map under keys whose
    value is None and whose text is empty; `get` never finds them, `items` does.
    """

    items: tuple[tuple[YamlScalar, YamlNode], ...]
    span: Span
    layer: int = 0
    _index: dict[str, tuple[YamlScalar, YamlNode]] = field(default_factory=dict, repr=False, compare=False)

    def _find(self, key: str) -> tuple[YamlScalar, YamlNode] | None:
        return (self._index or self._indexed()).get(key)

    def _indexed(self) -> dict[str, tuple[YamlScalar, YamlNode]]:
        for item in self.items:
            word = item[0]
            if word.text or word.value is not None:
                self._index[word.text] = item
        return self._index

    def get(self, key: str) -> YamlNode | None:
        """The value under `key`, or None."""
        found = (self._index or self._indexed()).get(key)
        return found[1] if found else None

    def key(self, key: str) -> YamlScalar | None:
        """The key itself, for its place in the file."""
        found = self._find(key)
        return found[0] if found else None

    def map(self, key: str) -> YamlMap:
        """The map under `key`; an empty map (standing where this one stands) if it is absent or something else."""
        found = self.get(key)
        return found if isinstance(found, YamlMap) else YamlMap((), self.span, self.layer)

    def seq(self, key: str) -> tuple[YamlNode, ...]:
        """The items under `key`; a single value counts as a sequence of one; nothing if absent or a map."""
        found = self.get(key)
        if isinstance(found, YamlSeq):
            return found.items
        return (found,) if isinstance(found, YamlScalar) and found.value is not None else ()

    def text(self, key: str) -> str | None:
        """The text under `key` as written (also of a number), or None if it is absent, null or not a scalar."""
        found = self.get(key)
        return found.text if isinstance(found, YamlScalar) and found.value is not None else None

    def keys(self) -> tuple[str, ...]:
        return tuple(key.text for key, _ in self.items)

    def __iter__(self) -> Iterator[tuple[YamlScalar, YamlNode]]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def plain(self) -> dict[str, object]:
        """Rows without a name stand under their numbers among all rows, as patches call them."""
        return {
            key.text if key.text or key.value is not None else str(number): node.plain()
            for number, (key, node) in enumerate(self.items, 1)
        }


@node
class YamlSeq:
    """Items in the order written."""

    items: tuple[YamlNode, ...]
    span: Span
    layer: int = 0

    def __iter__(self) -> Iterator[YamlNode]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def plain(self) -> list[object]:
        return [node.plain() for node in self.items]


YamlNode: TypeAlias = YamlScalar | YamlMap | YamlSeq


def is_blank(node: YamlNode) -> bool:
    """An empty cell of a CSV file, or a key without a value."""
    return isinstance(node, YamlScalar) and (node.value is None or (node.style == "csv" and not node.text))


def node_kind(node: YamlNode) -> str:
    """What a node is, in words for a message."""
    if isinstance(node, YamlMap):
        return "a map" if node.items else "an empty map"
    if isinstance(node, YamlSeq):
        return "a list" if node.items else "an empty list"
    if node.value is None:
        return "nothing"
    if isinstance(node.value, bool):
        return f"`{node.text}` (true or false)"
    if isinstance(node.value, (int, float)):
        return f"the number {node.text}"
    first = node.text.split("\n", 1)[0]
    return f"the text `{first[:40]}`" if len(first) <= 40 else f"the text `{first[:37]}...`"
