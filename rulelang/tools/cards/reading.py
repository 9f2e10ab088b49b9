"""Tables of cards that come from outside: a text file, a workbook, JSON or YAML."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.source import Span
from rulelang.data.card_sources import KINDS, Source, read_source
from rulelang.data.card_tables import RECOGNISED, CardTable, Dialect
from rulelang.data.yaml_nodes import YamlMap, YamlScalar
from rulelang.data.yaml_reader import read_yaml

SUFFIXES = (*KINDS, ".json")


@dataclass(frozen=True, slots=True)
class Given:
    """A table as it was read: its columns (None in JSON and YAML, where rows leave out what is empty) and its rows."""

    table: CardTable
    columns: tuple[YamlScalar, ...] | None

    @property
    def rows(self) -> YamlMap:
        assert isinstance(self.table.rows, YamlMap)
        return self.table.rows


def read_table(
    data: bytes, path: str, sort: str, sheet: str, diagnostics: Diagnostics, dialect: Dialect = RECOGNISED
) -> Given | None:
    """The rows that a file has for a sort of cards; None after diagnostics. Ids may be missing or of any form."""
    suffix = PurePath(path).suffix.lower()
    name = YamlScalar(path, Span(path, 1, 1, 1, 2), path)
    if suffix == ".json":
        table = _json(data, path, sort, diagnostics)
    else:
        table = read_source(Source(name, sheet, dialect, free=True), data, path, diagnostics, 0)
    if table is None or not table.whole or not isinstance(table.rows, YamlMap):
        return None
    return Given(table, table.columns if suffix not in (".json", ".yaml") else None)


def _json(data: bytes, path: str, sort: str, diagnostics: Diagnostics) -> CardTable | None:
    """JSON as `export` writes it: a map `cards` from sort to rows; or a list of rows."""
    from rulelang.data.card_sources import rows_of

    file = read_yaml(data, path, diagnostics)
    root = file.root
    if isinstance(root, YamlMap) and isinstance(cards := root.get("cards"), YamlMap):
        root = cards.get(sort)
    if root is None:
        if not diagnostics.failed:
            message = f"this file contains no rows of `{sort}`"
            because = "rows must be in a list, or in a map `cards` under the name of their card type"
            diagnostics.error("Y182", Span(path, 1, 1, 1, 2), message, because=because)
        return None
    return rows_of(root, file, diagnostics)
