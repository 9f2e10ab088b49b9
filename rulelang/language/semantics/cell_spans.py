"""Where what is printed stands in the files: the layer that wrote a cell last, so a mod's line where a mod set it."""

from __future__ import annotations

from collections.abc import Mapping

from rulelang.base.source import Span
from rulelang.data.records import RulesetSource
from rulelang.data.yaml_nodes import YamlMap
from rulelang.language.semantics.model import Model, Row


class CellSpans:
    """Finds cells in the merged files of a ruleset."""

    def __init__(self, source: RulesetSource, model: Model) -> None:
        self.tree, self.model = source.tree, model
        self.traits: Mapping[str, YamlMap] = {file.id: file.node for file in source.traits}

    def cell(self, kind: str, row: Row, column: str) -> Span:
        """The cell of a row of a list, ladder or card sort, or of a trait; the row itself if it leaves the cell out."""
        node = self.traits.get(row.name) if kind == "trait" else self._row(kind, row)
        cell = node.get(column) if node is not None else None
        return row.span if cell is None else cell.span

    def number(self, name: str) -> Span:
        """What `numbers:` says of a name."""
        node = self.tree.map("numbers").get(name)
        return self.model.numbers[name].span if node is None else node.span

    def _row(self, kind: str, row: Row) -> YamlMap | None:
        section = "cards" if kind in self.model.sorts else "ladders" if self.model.lists[kind].ladder else "lists"
        rows = self.tree.map(section).map(kind).map("rows").items
        at = (row.written or row.number) - 1
        if at >= len(rows):  # a trait brings it
            return None
        node = rows[at][1]
        return node if isinstance(node, YamlMap) else None
