"""A printed column that no rule reads."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.codes import Page
from rulelang.language.semantics.model import CardType, Grid, Listing
from rulelang.tools.lint.records import Found, Rule
from rulelang.tools.lint.subject import Subject

FACES = {"face", "faces"}  # they say as which trait a card can lie on a thing


def find(subject: Subject) -> Iterator[Found]:
    model = subject.model
    holders: list[CardType | Listing | Grid] = [*model.sorts.values(), *model.lists.values(), *model.grids.values()]
    for holder in holders:
        for column in holder.columns.values():
            used = column.name in FACES or not column.tells_apart or column.span in subject.uses.columns
            if not used and subject.owns(column.span):
                because = "a column that no rule reads has no effect in the game"
                hint = (
                    "list it under `unused_columns:`, or write `tells_apart: false`"
                    if holder.name in model.sorts
                    else ""
                )
                yield Found(column.span, f"no rule reads the column `{column.name}` of `{holder.name}`", because, hint)


RULE = Rule(
    "unused-column",
    Page(
        "L808",
        "column that nothing reads",
        "No rule reads this column. Either it is only for people, or some rule reads another column by mistake. "
        "List columns of a CSV file that the rules do not need under `unused_columns:`. For a column of cards that "
        "is only for people, you can write `tells_apart: false`. Then cards that differ only there count as equal.",
        "cards: {card: {columns: {artist: {is: int, default: 0}}}}\n",
        "cards: {card: {columns: {artist: {is: int, default: 0, tells_apart: false}}}}\n",
    ),
    find,
)
