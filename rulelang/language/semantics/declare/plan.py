"""A column and how its cells are read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rulelang.base.source import NOWHERE, Span
from rulelang.data.yaml_nodes import YamlScalar
from rulelang.language.semantics.model import Column, ColumnValue, Condition
from rulelang.language.semantics.types import BOOL, MISSING_INT

#: Words that a row says of itself, whatever columns it has.
ROW_WORDS = ("text", "rules", "name", "scenarios")

#: What one cell holds.
Single = int | tuple[int, ...] | Condition


@dataclass(slots=True)
class Plan:
    """A column and how its cells are read. `labels` name the parts of a `by` column; `default` None: needed.

    `known` remembers what a text was read as, so that a file of thousands of rows is read fast.
    """

    column: Column
    rows: Mapping[str, int] = field(default_factory=dict)
    declared: Span = NOWHERE
    cells: Mapping[str, YamlScalar] = field(default_factory=dict)
    labels: tuple[str, ...] = ()
    default: ColumnValue | None = None
    known: dict[tuple[str, bool], Single] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.column.name

    @property
    def how(self) -> tuple[object, ...]:
        """All that tells it from others."""
        return self.column, self.rows, self.declared, self.cells, self.labels, self.default


def implicit(column: Column) -> ColumnValue | None:
    """What a cell that is left out means; None where it must not be left out."""
    if column.type.tag == "error":
        return 0
    if column.type.maybe:
        return MISSING_INT if column.type.tag == "int" else 0
    if column.type == BOOL:
        return 0
    if column.type.tag == "condition":
        return Condition(())
    return () if column.type.tag == "set" else None
