"""Names in rows of lists and sorts of cards: their columns, and what is said under these."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.apps.editor.analysis import Analysis
from rulelang.apps.editor.occurrences import Occurrence, Thing
from rulelang.apps.editor.rule_names import row_thing
from rulelang.apps.editor.yaml_words import words_in
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq
from rulelang.language.semantics.model import Column


class Cells:
    """Reads rows, wherever they stand."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis

    def rows(self, of: str, node: YamlNode | None) -> Iterator[Occurrence]:
        """Rows of a list or sort: their cells, under the columns."""
        items: list[YamlNode] = []
        if isinstance(node, YamlMap):
            items = [value for _, value in node]
        elif isinstance(node, YamlSeq):
            items = list(node.items)
        columns = self.analysis.symbols.printed(of)
        for row in items:
            if isinstance(row, YamlMap):
                for key, value in row:
                    if key.text in columns:
                        yield from self.column(of, key)
                        yield from self.cell(columns[key.text], value)

    def column(self, of: str, key: YamlScalar) -> Iterator[Occurrence]:
        if key.text in self.analysis.symbols.printed(of):
            yield Occurrence(key.span, Thing("column", key.text, of))

    def cell(self, column: Column, node: YamlNode) -> Iterator[Occurrence]:
        """The rows that a cell names, and in those by rows of a list the labels."""
        if isinstance(node, YamlMap) and isinstance(column.by, str):
            for key, _ in node:
                if key.text in self.analysis.symbols.rows_of(column.by):
                    yield Occurrence(key.span, row_thing(column.by, key.text))
        if column.type.tag not in ("ref", "set", "condition"):
            return
        rows = self.analysis.symbols.rows_of(column.type.name)
        for word in words_in(node, rows):
            if word.text in rows:
                yield Occurrence(word.span, row_thing(column.type.name, word.text))
