"""What the numbers of an observation mean: named fields with their place, width and range."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

#: Numbers of observations are stored in 16 bits: what lies beyond is shown as the nearest of these.
LEAST, MOST = -(1 << 15), (1 << 15) - 1

#: number, truth: as they are. seat: 1 is whose observation it is, then clockwise; behind the last comes nobody. thing:
#: 1 + its place among the things of its kind. row: of a list. look: what a card shows, numbered by sort; the highest is
#: a card that the seat does not see. id: 1 + an action id. Of all but numbers 0 is none.
FieldKind = Literal["number", "truth", "seat", "thing", "row", "look", "id"]


@dataclass(frozen=True, slots=True)
class Field:
    """`width` numbers from `offset` on, each from `low` to `high`. `of`: the kind, list or sort that it speaks of."""

    name: str
    offset: int
    width: int
    low: int
    high: int
    kind: FieldKind
    of: str = ""

    @property
    def end(self) -> int:
        return self.offset + self.width

    def data(self) -> dict[str, Any]:
        """As JSON-able data."""
        return {name: getattr(self, name) for name in ("name", "offset", "width", "low", "high", "kind", "of")}


class Schema:
    """The fields of an observation, in the order of their offsets; together they cover it without a gap."""

    def __init__(self, fields: tuple[Field, ...], size: int) -> None:
        self.fields = fields
        self.size = size
        self._named = {field.name: field for field in fields}

    def __iter__(self) -> Iterator[Field]:
        return iter(self.fields)

    def __len__(self) -> int:
        return len(self.fields)

    def __getitem__(self, name: str) -> Field:
        """The field of a name; KeyError if there is none."""
        return self._named[name]

    def __contains__(self, name: str) -> bool:
        return name in self._named

    def data(self) -> dict[str, Any]:
        """As JSON-able data."""
        return {"size": self.size, "fields": [field.data() for field in self.fields]}
