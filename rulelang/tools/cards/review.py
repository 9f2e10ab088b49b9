"""Summarize the printed columns of cards, and warn about likely mistakes in them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.source import Span
from rulelang.compiler.compilation import Compilation
from rulelang.data.yaml_nodes import YamlMap, YamlNode, is_blank
from rulelang.language.semantics.card_questions import Card, printed_text
from rulelang.language.semantics.cards import CellSpans, face_column
from rulelang.language.semantics.model import MISSING_INT, CardType, Column, Condition, Model
from rulelang.tools.cards.tables import column_labels

# ---- figures of columns


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


def column_figures(sort: CardType, cards: Iterable[Card], model: Model) -> list[Figures]:
    """The figures of all columns of a sort, over some of its cards."""
    every = list(cards)
    found: list[Figures] = []
    for column in sort.columns.values():
        labels = column_labels(column, model)
        for number, label in enumerate(labels) if column.by != "copy" and labels else [(0, "")]:
            found.append(_label_figures(column, label, number, every, model))
    return found


def _label_figures(column: Column, label: str, number: int, cards: list[Card], model: Model) -> Figures:
    counts: Counter[str] = Counter()
    numbers: Counter[int] = Counter()
    missing = 0
    order = {name: at for at, name in enumerate(_row_names(column, model))}
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


def _row_names(column: Column, model: Model) -> list[str]:
    listing = model.lists.get(column.type.name)
    return [row.name for row in listing.rows] if listing is not None else []


# ---- warnings

#: So many numbers of a column tell what is usual there.
_LEAST_NUMBERS = 12
#: Numbers that lie so close to the others are not told.
_NEAR_DISTANCE = 5
_NAMES_SHOWN = 5


def review_cards(compilation: Compilation) -> Diagnostics:
    """Y178 for numbers far from all others of their column, Y179 for texts that lack a language, Y180 for traits on no
    card, Y181 for cards whose trait does nothing. Only for a game without mistakes."""
    found = Diagnostics()
    model = compilation.model
    places = CellSpans(compilation.source, model)
    for sort in model.sorts.values():
        _report_outliers(sort, model, places, found)
        for word in ("name", "text"):
            _report_languages(f"{sort.name}.{word}", list(_row_texts(compilation, sort, word)), found)
    for word in ("name", "text"):
        _report_languages(f"trait.{word}", list(_trait_texts(compilation, word)), found)
    if compilation.mode is None:
        _report_traits(compilation, found)
    return found


# ---- numbers


def _report_outliers(sort: CardType, model: Model, places: CellSpans, found: Diagnostics) -> None:
    for column in sort.columns.values():
        if column.type.sure().tag != "int" or (column.low is not None and column.high is not None):
            continue  # a range says what may stand there
        rows = [row for row in sort.rows if row.number == row.written]
        parts: dict[object, list[tuple[int, Span, str]]] = {}
        for row in rows:
            value = row.columns.get(column.name)
            values = value if isinstance(value, tuple) else (value,)
            for number, item in enumerate(values):
                if isinstance(item, int) and item != MISSING_INT:
                    part = number if column.by not in (None, "copy") else 0
                    parts.setdefault(part, []).append((item, places.cell(sort.name, row, column.name), row.name))
        for items in parts.values():
            _report_outlier(column.name, items, found)


def _report_outlier(column: str, items: list[tuple[int, Span, str]], found: Diagnostics) -> None:
    """A number that lies farther from the next one than all others from each other."""
    items = sorted(items, key=lambda item: item[0])
    if len(items) < _LEAST_NUMBERS:
        return
    numbers = [item[0] for item in items]
    for (number, span, name), others in ((items[-1], numbers[:-1]), (items[0], numbers[1:])):
        gap = min(abs(number - other) for other in (others[0], others[-1]))
        spread = others[-1] - others[0]
        if gap > max(2 * spread, _NEAR_DISTANCE):
            whose = f" of `{name}`" if name else ""
            message = f"the {column}{whose} is {number}, but all others are {others[0]} to {others[-1]}"
            because = "the number may have an extra digit"
            hint = f"if the number is correct, declare the range: `{column}: {min(numbers)}..{max(numbers)}`"
            found.warning("Y178", span, message, because=because, hint=hint)


# ---- languages


def _row_texts(compilation: Compilation, sort: CardType, word: str) -> Iterator[tuple[str, YamlMap, Span]]:
    for key, row in compilation.source.tree.map("cards").map(sort.name).map("rows"):
        node = row.get(word) if isinstance(row, YamlMap) else None
        if isinstance(node, YamlMap):
            yield key.text, node, node.span


def _trait_texts(compilation: Compilation, word: str) -> Iterator[tuple[str, YamlMap, Span]]:
    for trait in compilation.source.traits:
        node = trait.node.get(word)
        if isinstance(node, YamlMap):
            yield trait.id, node, node.span


def _report_languages(what: str, texts: list[tuple[str, YamlMap, Span]], found: Diagnostics) -> None:
    """One warning for each language that some texts have and others lack."""
    for language in dict.fromkeys(tag for _, node, _ in texts for tag in _language_tags(node)):
        missing = [(name, span) for name, node, span in texts if language not in _language_tags(node)]
        if not missing:
            continue
        names = ", ".join(name or str(span) for name, span in missing[:_NAMES_SHOWN])
        more = " ..." if len(missing) > _NAMES_SHOWN else ""
        have = "has" if len(missing) == 1 else "have"
        message = f"{len(missing)} of {len(texts)} `{what}` texts {have} no `{language}` translation: {names}{more}"
        found.warning("Y179", missing[0][1], message, hint=f"add a translation to each text: `{language}: ...`")


def _language_tags(node: Mapping[str, YamlNode] | YamlMap) -> list[str]:
    assert isinstance(node, YamlMap)
    return [key.text for key, text in node if not is_blank(text)]


# ---- traits


def _report_traits(compilation: Compilation, found: Diagnostics) -> None:
    model, source = compilation.model, compilation.source
    faces = [sort for sort in model.sorts.values() if face_column(sort) is not None]
    if not faces:
        return
    borne = Counter(number for sort in faces for number in _trait_numbers(sort))
    rules = {index: text.text for index, text in enumerate(source.rules)}
    own = {index: text.owner.name for index, text in enumerate(source.rules) if text.owner.kind == "trait"}
    for trait in model.traits.values():
        word = re.compile(rf"\b{re.escape(trait.name)}\b")
        named = any(word.search(text) for index, text in rules.items() if own.get(index) != trait.name)
        if not borne[trait.number] and not named:
            because = "no rule names it either, so it never has an effect"
            hint = "add cards with this trait, or delete its file"
            found.warning("Y180", trait.span, f"no card has the trait `{trait.name}`", because=because, hint=hint)
        printed = any(trait.columns.values())
        if borne[trait.number] and not named and not printed and trait.name not in own.values():
            because = "its file has no `rules:`, and no other rule names it"
            message = f"the cards with the trait `{trait.name}` have no effect"
            found.warning("Y181", trait.span, message, because=because, hint="write its rules under `rules: |`")


def _trait_numbers(sort: CardType) -> Iterator[int]:
    column = face_column(sort)
    assert column is not None
    for row in sort.rows:
        value = row.columns.get(column.name)
        if row.copies:
            yield from value if isinstance(value, tuple) else (value,) if isinstance(value, int) else ()
