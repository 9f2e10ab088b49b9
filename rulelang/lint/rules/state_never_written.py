"""State that always stays what it is at the start."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.codes import Page
from rulelang.lint.records import Found, Rule
from rulelang.lint.subject import Subject
from rulelang.lint.uses import attributes
from rulelang.semantics.model import Attribute, Table


def find(subject: Subject) -> Iterator[Found]:
    kept: list[Attribute | Table] = [*attributes(subject.model), *subject.model.tables.values()]
    for state in kept:
        uses = subject.uses
        if state.name == subject.model.first:  # from whom players are counted: it may always be the first
            continue
        if state.span in uses.read and state.span not in uses.written and subject.owns(state.span):
            because = "a rule reads it, and none changes it"
            hint = "say it under `numbers:` if it shall never change"
            yield Found(state.span, f"`{state.name}` always stays what it is at the start", because, hint)


RULE = Rule(
    "state-never-written",
    Page(
        "L807",
        "state that nothing changes",
        "A value that rules read and none changes is what it was at the start, in every game. Either the rule that "
        "should change it is missing, or it is a number, or a column of a list.",
        "state: {dew: {is: number, start: 2}}\n---\nmodify hunger(any): + dew\n",
        "numbers: {dew: 2}\n---\nmodify hunger(any): + dew\n",
    ),
    find,
)
