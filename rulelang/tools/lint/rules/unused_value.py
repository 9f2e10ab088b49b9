"""A value that no rule asks."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.codes import Page
from rulelang.tools.lint.records import Found, Rule
from rulelang.tools.lint.subject import Subject

ENDINGS = {"score", "tiebreak"}  # asked when a game ends


def find(subject: Subject) -> Iterator[Found]:
    for value in subject.program.values.values():
        if value.id not in subject.uses.values | ENDINGS and subject.owns(value.span):
            message = f"nothing reads the value `{value.name}`"
            yield Found(value.span.head(), message, hint="remove it, or use it")


RULE = Rule(
    "unused-value",
    Page(
        "L801",
        "value that nothing reads",
        "Either you no longer need this value, or some rule reads another value by mistake. The linter also reports "
        "a value that only scenarios read, because a scenario can contain the expression itself. The end of a game "
        "reads `score` and `tiebreak`.",
        "value slow(snail s) -> bool: s.size > 5\n",
        "value slow(snail s) -> bool: s.size > 5\nmodify strength(s): - 1 when slow(s)\n",
    ),
    find,
)
