"""A printed column that no rule reads."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.codes import Page
from rulelang.lint.records import Found, Rule
from rulelang.lint.subject import Subject
from rulelang.semantics.model import CardSort, Grid, Listing

FACES = {"face", "faces"}  # they say as which trait a card can lie on a thing


def find(subject: Subject) -> Iterator[Found]:
    model = subject.model
    holders: list[CardSort | Listing | Grid] = [*model.sorts.values(), *model.lists.values(), *model.grids.values()]
    for holder in holders:
        for column in holder.columns.values():
            used = column.name in FACES or not column.tells_apart or column.span in subject.uses.columns
            if not used and subject.owns(column.span):
                because = "what is printed and never read is for people only"
                hint = (
                    "name it under `unused_columns:`, or say `tells_apart: false`" if holder.name in model.sorts else ""
                )
                yield Found(column.span, f"no rule reads the column `{column.name}` of `{holder.name}`", because, hint)


RULE = Rule(
    "unused-column",
    Page(
        "L808",
        "a column that nothing reads",
        "A column that no rule reads is there for people only, or the rule that should look at it looks at another "
        "one. Columns of a CSV file that the rules do not need stand under `unused_columns:`; one of cards that "
        "is only looked at may say `tells_apart: false`, so that equal cards stay equal.",
        "cards: {card: {columns: {artist: {is: int, default: 0}}}}\n",
        "cards: {card: {columns: {artist: {is: int, default: 0, tells_apart: false}}}}\n",
    ),
    find,
)
