"""A value that no rule asks."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.codes import Page
from rulelang.lint.records import Found, Rule
from rulelang.lint.subject import Subject

ENDINGS = {"score", "tiebreak"}  # asked when a game ends


def find(subject: Subject) -> Iterator[Found]:
    for value in subject.program.values.values():
        if value.id not in subject.uses.values | ENDINGS and subject.owns(value.span):
            message = f"nothing asks the value `{value.name}`"
            yield Found(value.span.head(), message, hint="remove it, or ask it where it was meant")


RULE = Rule(
    "unused-value",
    Page(
        "L801",
        "a value that nothing asks",
        "A value is there to be asked. One that no rule asks is left over, or its name was meant where another one "
        "stands. `score` and `tiebreak` are asked when a game ends. What only scenarios ask is told too: they can ask "
        "what rules ask.",
        "value slow(snail s) -> bool: s.size > 5\n",
        "value slow(snail s) -> bool: s.size > 5\nmodify strength(s): - 1 when slow(s)\n",
    ),
    find,
)
