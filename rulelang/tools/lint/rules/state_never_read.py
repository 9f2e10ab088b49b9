"""State that is kept and never asked for."""

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
        if state.span not in subject.uses.read and subject.owns(state.span):
            what = "is written" if state.span in subject.uses.written else "is declared"
            yield Found(
                state.span, f"`{state.name}` {what}, but no rule reads it", "a value that nothing reads has no effect"
            )


RULE = Rule(
    "state-never-read",
    Page(
        "L806",
        "state that nothing reads",
        "Rules write this value and never read it, so it has no effect. Either it is left over, or some rule reads "
        "another value by mistake.",
        "state: {dew: number}\n",
        "trait: damp\ntext: {en: It brings dew.}\nstate: {dew: {is: bool, resets: round}}\ncards: [{weight: [1]}]\n"
        "rules: |\n  after eat(self, any, any) unless this.dew:\n    this.dew = true\n    self.mood = calm\n",
    ),
    find,
)
