"""A routine that no rule runs."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.codes import Page
from rulelang.tools.lint.records import Found, Rule
from rulelang.tools.lint.subject import Subject


def find(subject: Subject) -> Iterator[Found]:
    for routine in subject.program.routines.values():
        if routine.id not in subject.uses.routines and subject.owns(routine.span):
            what = "phase" if routine.phase else "routine"
            message = f"nothing runs the {what} `{routine.name}`"
            yield Found(routine.span.head(), message, hint="remove it, or run it")


RULE = Rule(
    "unused-routine",
    Page(
        "L802",
        "routine that nothing runs",
        "A routine or phase runs only if a rule calls it. No rule calls this routine or phase, so it never runs, "
        "and hooks on it do nothing. If only scenarios call it, they test something that cannot happen in a game.",
        "routine doze(snail s): s.mood = calm\n",
        "routine doze(snail s): s.mood = calm\nafter dawn:\n  for snail s: doze(s)\n",
    ),
    find,
)
