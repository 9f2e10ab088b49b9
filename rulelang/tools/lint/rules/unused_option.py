"""An option that changes nothing."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.codes import Page
from rulelang.tools.lint.records import Found, Rule
from rulelang.tools.lint.subject import Subject


def find(subject: Subject) -> Iterator[Found]:
    for option in subject.model.options.values():
        if option.name not in subject.uses.options and subject.owns(option.span):
            yield Found(option.span, f"nothing reads `option.{option.name}`", "the choice has no effect")


RULE = Rule(
    "unused-option",
    Page(
        "L804",
        "option that nothing reads",
        "A table chooses options to change the game. Nothing reads this `option.NAME`, so the choice has no effect.",
        "options: {sight: {values: [owner, everyone], default: owner}}\n",
        "options: {sight: {values: [owner, everyone], default: owner}}\nset: {zones.hand.seen_by: option.sight}\n",
    ),
    find,
)
