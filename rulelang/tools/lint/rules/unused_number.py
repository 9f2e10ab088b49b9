"""A constant that nothing reads."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.codes import Page
from rulelang.tools.lint.records import Found, Rule
from rulelang.tools.lint.subject import Subject


def find(subject: Subject) -> Iterator[Found]:
    for number in subject.model.numbers.values():
        if number.name not in subject.uses.numbers and subject.owns(number.span):
            message = f"nothing reads the number `{number.name}`"
            yield Found(number.span, message, hint="remove the number, or use it instead of its literal value")


RULE = Rule(
    "unused-number",
    Page(
        "L803",
        "number that nothing reads",
        "An entry of `numbers:` has a name so that rules, ranges and limits can read it. Nothing reads this one, so"
        " it has no effect, even if a mod sets it.",
        "numbers: {dew: 3}\n",
        "numbers: {dew: 3}\nkinds: {snail: {attributes: {drops: {is: 0..dew, resets: round}}}}\n",
    ),
    find,
)
