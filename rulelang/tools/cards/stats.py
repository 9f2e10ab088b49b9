"""Sums of the printed columns of cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from rulelang.language.semantics.card_questions import Card, printed_text
from rulelang.language.semantics.model import MISSING_INT, CardType, Column, Condition, Model
from rulelang.tools.cards.rows import labels_of


@dataclass(frozen=True, slots=True)
class Figures:
    """One column over all cards: how often each value is printed, in the order of numbers or rows. `numbers`: whether
    they are numbers; `missing`: cards on which nothing is printed."""

    name: str
    type: str
    counts: dict[str, int]
    numbers: dict[int, int]
    missing: int

    @property
    def total(self) -> int:
        return sum(number * times for number, times in self.numbers.items())

    @property
    def cards(self) -> int:
        return sum(self.numbers.values())

    @property
    def mean(self) -> float:
        return self.total / self.cards if self.cards else 0.0

    @property
    def median(self) -> float:
        spread = sorted(number for number, times in self.numbers.items() for _ in range(times))
        middle = len(spread) // 2
        return spread[middle] if len(spread) % 2 else (spread[middle - 1] + spread[middle]) / 2


def figures_of(sort: CardType, cards: Iterable[Card], model: Model) -> list[Figures]:
    """The figures of all columns of a sort, over some of its cards."""
    every = list(cards)
    found: list[Figures] = []
    for column in sort.columns.values():
        labels = labels_of(column, model)
        for number, label in enumerate(labels) if column.by != "copy" and labels else [(0, "")]:
            found.append(_figures(column, label, number, every, model))
    return found


def _figures(column: Column, label: str, number: int, cards: list[Card], model: Model) -> Figures:
    counts: Counter[str] = Counter()
    numbers: Counter[int] = Counter()
    missing = 0
    order = {name: at for at, name in enumerate(_rows(column, model))}
    for card in cards:
        value = card.values[column.name]
        if label and isinstance(value, tuple):
            value = value[number]
        if isinstance(value, int) and column.type.tag == "int":
            if value == MISSING_INT:
                missing += card.copies
            else:
                numbers[value] += card.copies
        elif column.type.tag == "set" and isinstance(value, tuple):
            for name in printed_text(value, column, model).split():
                counts[name] += card.copies
            missing += 0 if value else card.copies
        elif column.type.tag == "bool":
            counts["yes" if value else "no"] += card.copies
        else:
            text = printed_text(value, column, model)
            empty = not text or (isinstance(value, Condition) and not value.terms)
            missing += card.copies if empty else 0
            if not empty:
                counts[text] += card.copies
    ordered = dict(sorted(counts.items(), key=lambda item: (order.get(item[0], len(order)), -item[1])))
    return Figures(label or column.name, str(column.type), ordered, dict(sorted(numbers.items())), missing)


def _rows(column: Column, model: Model) -> list[str]:
    listing = model.lists.get(column.type.name)
    return [row.name for row in listing.rows] if listing is not None else []
