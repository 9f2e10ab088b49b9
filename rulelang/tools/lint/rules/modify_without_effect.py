"""A `modify` that leaves its value as it is."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.codes import Page
from rulelang.tools.lint.intervals import interval
from rulelang.tools.lint.records import Found, Rule
from rulelang.tools.lint.subject import Subject

#: With this number the operation changes nothing.
NEUTRAL = {"+": 0, "-": 0, "*": 1, "/": 1, "or": 0, "and": 1}


def find(subject: Subject) -> Iterator[Found]:
    for modify in subject.program.modifies:
        neutral = NEUTRAL.get(modify.op)
        if neutral is None or not subject.owns(modify.span):
            continue
        if interval(modify.value, subject.model) == (neutral, neutral):
            message = f"this changes nothing: `{modify.op} {_word(modify.op, neutral)}`"
            yield Found(modify.span.head(), message, "the value stays the same", "remove the hook")


def _word(op: str, number: int) -> str:
    return ("false", "true")[number] if op in ("or", "and") else str(number)


RULE = Rule(
    "modify-without-effect",
    Page(
        "L813",
        "`modify` without effect",
        "Adding 0, multiplying by 1, `or false` and `and true` do not change a value. Remove the hook, or write the"
        " number that you meant.",
        "modify strength(any): + 0\n",
        "modify strength(any): + 1\n",
    ),
    find,
)
