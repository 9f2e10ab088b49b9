"""What of a model rules are checked by: names and types, and not what rows, numbers and labels say.

Variants of a ruleset (modes, test rows) mostly have the same outline, and then the same checked rules. That nothing
else is read is sure, since nothing else is there; what a check wants to know beyond it, it asks (`Symbols.copies`,
`Symbols.is_row`), and that is written down with what came of it.
"""

from __future__ import annotations

from dataclasses import replace

from rulelang.base.labels import Labels
from rulelang.language.semantics.cards import FACE_COLUMNS
from rulelang.language.semantics.model import CardSort, Model, Number, Row


def outline(model: Model) -> Model:
    """The model without contents."""
    return replace(
        model,
        players=(0, 0),
        numbers={name: Number(name, {}, number.span) for name, number in model.numbers.items()},
        options={name: replace(option, default={}) for name, option in model.options.items()},
        lists={name: replace(listing, rows=()) for name, listing in model.lists.items()},
        sorts={name: _sort(sort) for name, sort in model.sorts.items()},
        labels=Labels(),
    )


def _sort(sort: CardSort) -> CardSort:
    """Which traits the cards of a sort show decides what their rules are about."""
    shown = [{name: row.columns[name] for name in FACE_COLUMNS if name in row.columns} for row in sort.rows]
    return replace(sort, rows=tuple([Row("", 0, columns) for columns in shown if columns]))
