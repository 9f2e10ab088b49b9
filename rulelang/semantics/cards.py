"""Sorts of cards: which column makes them bear traits, on what they may lie, and their rows as single cards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

from rulelang.base.layout import CardInfo
from rulelang.base.memo import Same
from rulelang.base.node import record
from rulelang.semantics.conditions import condition_text
from rulelang.semantics.model import Bound, CardSort, Column, ColumnValue, Condition, Model, Row
from rulelang.semantics.types import MISSING_INT, TRAIT, Type

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


@record
class Cards:
    """The cards of a table by handle (0: an empty one). `sorts`: the first and last of each sort; `rows`: those of each
    written row of a sort with all its repetitions, none where the row is not in play at this table."""

    cards: list[CardInfo]
    sorts: dict[str, tuple[int, int]]
    rows: dict[tuple[str, int], list[int]]


def expand_cards(model: Model, bound: Callable[[Bound], int]) -> Cards:
    """All cards of a table. `bound` tells a bound's number at this table."""
    cards = [CardInfo("", "", (), {}, 0, "none")]
    sorts: dict[str, tuple[int, int]] = {}
    rows: dict[tuple[str, int], list[int]] = {}
    looks: dict[object, int] = {}
    printed = _printed(Same(model))
    for sort in model.sorts.values():
        first = len(cards)
        ends = {name: (bound(low), bound(high)) for name, (low, high) in sort.ends.items()}
        for row, copies in zip(sort.rows, printed[sort.name], strict=True):
            made = rows.setdefault((sort.name, row.written), [])
            if not all(low <= _number(row, name) <= high for name, (low, high) in ends.items()):
                continue
            for card, alike in copies:
                look = looks.setdefault(alike, len(looks) + 1)
                made.append(len(cards))
                cards.append(card if card.look == look else replace(card, look=look))
        sorts[sort.name] = (first, len(cards) - 1)
    return Cards(cards, sorts, rows)


@lru_cache(8)
def _printed(model: Same[Model]) -> dict[str, list[list[tuple[CardInfo, object]]]]:
    """By sort, the cards of each row with what those share that are alike; numbered as if all were in play, as they
    mostly are: tables of one model share their cards."""
    looks: dict[object, int] = {}
    return {
        sort.name: [[_card(model.item, sort, row, copy, looks) for copy in range(row.copies)] for row in sort.rows]
        for sort in model.item.sorts.values()
    }


def _card(model: Model, sort: CardSort, row: Row, copy: int, looks: dict[object, int]) -> tuple[CardInfo, object]:
    columns = {name: _value(sort, row, name, copy) for name in sort.columns}
    faces = _faces(columns)
    # A row with rules of its own differs from others even if all that is printed agrees.
    tells = tuple(name for name, column in sort.columns.items() if column.tells_apart)
    alike = (sort.name, row.name, row.written * row.rules, str([columns[name] for name in tells]))
    label = row.name or "/".join(model.lists["trait"].rows[f - 1].name for f in faces) or f"{sort.name} {row.number}"
    texts = {name: _text(model, sort.columns[name].type, value) for name, value in columns.items()}
    # One row that stands for many cards, as for a whole deck, would not say which of them is meant.
    repeated = tuple(name for name in tells if name in sort.repeated) if row.name else ()
    label = " ".join([label, *(texts[name] for name in repeated if texts[name])])
    look = looks.setdefault(alike, len(looks) + 1)
    return CardInfo(sort.name, row.name, faces, columns, look, label, tells, texts, repeated), alike


def _text(model: Model, type_: Type, value: object) -> str:
    """A printed value as it reads: rows by their names."""
    if isinstance(value, tuple | list):
        return ",".join(_text(model, type_, item) for item in value)
    if isinstance(value, Condition):
        return condition_text(value, [row.name or str(row.number) for row in model.lists[type_.name].rows])
    if type_.tag == "bool":
        return "true" if value else "false"
    if isinstance(value, int) and type_.tag in ("ref", "set") and type_.name in model.lists:
        return model.lists[type_.name].rows[value - 1].name or f"{type_.name} {value}" if value else ""
    return "" if value is None or value == MISSING_INT else str(value)


def _number(row: Row, name: str) -> int:
    """What `for_each` has put into a column."""
    value = row.columns[name]
    assert isinstance(value, int)
    return value


def _value(sort: CardSort, row: Row, name: str, copy: int) -> object:
    column = sort.columns[name]
    value: ColumnValue | None = row.columns.get(name, column.default)
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
