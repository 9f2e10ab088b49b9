"""What a report says, as blocks that every format can show: headings, sentences, lists, tables, charts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Heading:
    text: str
    level: int = 2


@dataclass(frozen=True, slots=True)
class Words:
    """A paragraph. `quiet`: a remark beside the matter."""

    text: str
    quiet: bool = False


@dataclass(frozen=True, slots=True)
class Items:
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cells:
    """A table. The first column is words, all others are numbers. `marked`: rows that stand out, by number."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    marked: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Dot:
    """One line of a chart: a value between its bounds. `told`: it stands out."""

    label: str
    value: float
    low: float
    high: float
    told: bool = False


@dataclass(frozen=True, slots=True)
class Dots:
    """A chart: values with their intervals on one axis, in percent, and where nothing would be (`even`). `says` is what
    the chart says, for who does not see it."""

    title: str
    axis: str
    dots: tuple[Dot, ...]
    even: float
    says: str


Block = Heading | Words | Items | Cells | Dots


@dataclass(frozen=True, slots=True)
class Page:
    title: str
    blocks: Sequence[Block] = field(default_factory=tuple)
