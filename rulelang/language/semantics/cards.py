"""Sorts of cards: which column makes them bear traits, on what they may lie, and their rows as single cards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TypeAlias

from rulelang.base.layout import CardInfo
from rulelang.base.memo import Same
from rulelang.base.node import record
from rulelang.language.semantics.conditions import condition_text
from rulelang.language.semantics.model import Bound, CardSort, Column, ColumnValue, Condition, Model, Row
from rulelang.language.semantics.types import MISSING_INT, TRAIT, Type

#: Columns that make a card bear the traits that they name.
FACE_COLUMNS = ("face", "faces")


def face_column(sort: CardSort) -> Column | None:
    """The column that names the trait of a card, or its traits."""
    for name in FACE_COLUMNS:
        column = sort.columns.get(name)
        if column is not None and (column.type.sure() == TRAIT or column.type == Type("set", "trait")):
            return column
    return None


def bearers_of(model: Model, sort: str, *, in_force: bool = False) -> list[str]:
    """Made kinds on which cards of the sort may lie (only in zones in force, if asked)."""
    kinds = [
        zone.of
        for zone in model.zones.values()
        if zone.holds == sort and zone.of in model.made and (zone.in_force or not in_force)
    ]
    return list(dict.fromkeys(kind for kind in kinds if kind is not None))


#: By row, its cards with what those share that are alike.
Printed: TypeAlias = list[list[tuple[CardInfo, object]]]


@record
class Cards:
    """The cards of a table by handle (0: an empty one). `sorts`: the first and last of each sort; `rows`: those of each
    written row of a sort with all its repetitions, none where the row is not in play at this table."""

    cards: list[CardInfo]
    sorts: dict[str, tuple[int, int]]
    rows: dict[tuple[str, int], list[int]]


@dataclass(slots=True)
class _Setting:
    """All that the cards of a sort read beside their rows. `names`: of the rows of lists that its columns speak of."""

    sort: str
    columns: Mapping[str, Column]
    repeated: frozenset[str]
    names: Mapping[str, tuple[str, ...]]
    tells: tuple[str, ...] = field(init=False)
    looks: dict[object, int] = field(default_factory=dict, compare=False)

    def __post_init__(self) -> None:
        self.tells = tuple([name for name, column in self.columns.items() if column.tells_apart])


def expand_cards(model: Model, bound: Callable[[Bound], int]) -> Cards:
    """All cards of a table, which nobody may change. `bound` tells a bound's number at this table."""
    ends = [(sort.name, name, bound(low), bound(high)) for sort in model.sorts.values()
            for name, (low, high) in sort.ends.items()]  # fmt: skip
    return _expanded(Same(model), tuple(ends))


@lru_cache(8)
def _expanded(model: Same[Model], ends: tuple[tuple[str, str, int, int], ...]) -> Cards:
    """The same for a table where columns of sorts end like this: most have the same cards."""
    cards = [CardInfo("", "", (), {}, 0, "none")]
    sorts: dict[str, tuple[int, int]] = {}
    rows: dict[tuple[str, int], list[int]] = {}
    looks: dict[object, int] = {}
    printed = _printed(model.item)
    for sort in model.item.sorts.values():
        first = len(cards)
        own = [(name, low, high) for of, name, low, high in ends if of == sort.name]
        for row, copies in zip(sort.rows, printed[sort.name], strict=True):
            made = rows.setdefault((sort.name, row.written), [])
            if own and not all(low <= _number(row, name) <= high for name, low, high in own):
                continue
            for card, alike in copies:
                look = looks.setdefault(alike, len(looks) + 1)
                made.append(len(cards))
                cards.append(card if card.look == look else replace(card, look=look))
        sorts[sort.name] = (first, len(cards) - 1)
    return Cards(cards, sorts, rows)


def _printed(model: Model) -> dict[str, Printed]:
    """By sort, the cards of each row with what those share that are alike; numbered as if all were in play, as they
    mostly are."""
    found: dict[str, Printed] = {}
    before = 0
    for sort in model.sorts.values():
        found[sort.name], looks = _of_sort(Same(sort.rows), Same(_setting(model, sort)), before)
        before += looks
    return found


@lru_cache(32)
def _of_sort(rows: Same[tuple[Row, ...]], here: Same[_Setting], before: int) -> tuple[Printed, int]:
    """The cards of a sort, and how many looks they have; `before`: the looks of the sorts before it, which no card of
    this one has. Tables, and mostly variants of a ruleset, share them."""
    looks: dict[object, int] = {}
    cards = [_cards(Same(row), here) for row in rows.item]
    for _, alike in (card for row in cards for card in row):
        looks.setdefault(alike, before + len(looks) + 1)
    numbered = [
        [(card if card.look == looks[alike] else replace(card, look=looks[alike]), alike) for card, alike in row]
        for row in cards
    ]
    return numbered, len(looks)


#: Those that were asked for last: variants of a ruleset have equal ones, and then share their cards.
_SETTINGS: list[_Setting] = []


def _setting(model: Model, sort: CardSort) -> _Setting:
    lists = {column.type.name for column in sort.columns.values()} | {"trait"}
    names = {name: tuple([row.name for row in model.lists[name].rows]) for name in lists if name in model.lists}
    made = _Setting(sort.name, sort.columns, sort.repeated, names)
    for known in _SETTINGS:
        if known == made:
            return known
    _SETTINGS[:] = [*_SETTINGS[-15:], made]
    return made


@lru_cache(32_768)
def _cards(row: Same[Row], here: Same[_Setting]) -> list[tuple[CardInfo, object]]:
    """The cards of a row. Looks are numbered in the order in which they were asked for."""
    by_copy = any(column.by == "copy" for column in here.item.columns.values())
    copies = row.item.copies
    if by_copy:
        return [_card(here.item, row.item, copy) for copy in range(copies)]
    return [_card(here.item, row.item, 0)] * copies if copies else []


def _card(here: _Setting, row: Row, copy: int) -> tuple[CardInfo, object]:
    columns = {name: printed_value(column, row, copy) for name, column in here.columns.items()}
    faces = _faces(columns)
    # A row with rules of its own differs from others even if all that is printed agrees.
    tells = here.tells
    alike = (here.sort, row.name, row.written * row.rules, str([columns[name] for name in tells]))
    label = row.name or "/".join([here.names["trait"][f - 1] for f in faces]) or f"{here.sort} {row.number}"
    texts = {name: _text(here, column.type, columns[name]) for name, column in here.columns.items()}
    # One row that stands for many cards, as for a whole deck, would not say which of them is meant.
    repeated = tuple([name for name in tells if name in here.repeated]) if row.name else ()
    label = " ".join([label, *(texts[name] for name in repeated if texts[name])])
    look = here.looks.setdefault(alike, len(here.looks) + 1)
    return CardInfo(here.sort, row.name, faces, columns, look, label, tells, texts, repeated), alike


def _text(here: _Setting, type_: Type, value: object) -> str:
    """A printed value as it reads: rows by their names."""
    if isinstance(value, tuple | list):
        return ",".join([_text(here, type_, item) for item in value])
    if isinstance(value, Condition):
        return condition_text(value, [name or str(at) for at, name in enumerate(here.names[type_.name], 1)])
    if type_.tag == "bool":
        return "true" if value else "false"
    if isinstance(value, int) and type_.tag in ("ref", "set") and type_.name in here.names:
        return here.names[type_.name][value - 1] or f"{type_.name} {value}" if value else ""
    return "" if value is None or value == MISSING_INT else str(value)


def _number(row: Row, name: str) -> int:
    """What `for_each` has put into a column."""
    value = row.columns[name]
    assert isinstance(value, int)
    return value


def printed_value(column: Column, row: Row, copy: int) -> object:
    """What stands in a column of a row, on one of its copies; where nothing does, what stands for that."""
    value: ColumnValue | None = row.columns.get(column.name, column.default)
    if column.by == "copy" and isinstance(value, tuple):
        return value[copy]
    if value is None:
        return MISSING_INT if column.type.tag == "int" and column.type.maybe else 0
    return value


def _faces(columns: dict[str, object]) -> tuple[int, ...]:
    face = columns.get("face")
    if isinstance(face, int) and face:
        return (face,)
    faces = columns.get("faces")
    return faces if isinstance(faces, tuple) else ()
