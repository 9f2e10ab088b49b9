"""State that always stays what it is at the start."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.codes import Page
from rulelang.language.semantics.model import Attribute, Table
from rulelang.tools.lint.records import Found, Rule
from rulelang.tools.lint.subject import Subject
from rulelang.tools.lint.uses import attributes


def find(subject: Subject) -> Iterator[Found]:
    kept: list[Attribute | Table] = [*attributes(subject.model), *subject.model.tables.values()]
    for state in kept:
        uses = subject.uses
        if state.name == subject.model.first:  # from whom players are counted: it may always be the first
            continue
        if state.span in uses.read and state.span not in uses.written and subject.owns(state.span):
            because = "rules read it, but none changes it"
            hint = "declare it under `numbers:` if it never changes"
            yield Found(state.span, f"`{state.name}` always keeps its starting value", because, hint)


RULE = Rule(
    "state-never-written",
    Page(
        "L807",
        "state that nothing changes",
        "Rules read this value but never change it, so it keeps its starting value in every game. Either a rule is "
        "missing, or it should be a number under `numbers:` or a column.",
        "state: {dew: {is: number, start: 2}}\n---\nmodify hunger(any): + dew\n",
        "numbers: {dew: 2}\n---\nmodify hunger(any): + dew\n",
    ),
    find,
)
