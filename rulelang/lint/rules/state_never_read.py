"""State that is kept and never asked for."""

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
        if state.span not in subject.uses.read and subject.owns(state.span):
            what = "is written" if state.span in subject.uses.written else "is declared"
            yield Found(
                state.span, f"`{state.name}` {what}, and no rule reads it", "what nothing reads changes no game"
            )


RULE = Rule(
    "state-never-read",
    Page(
        "L806",
        "state that nothing reads",
        "A value that rules write and none reads changes no game. Either it is left over, or the rule that should look "
        "at it looks at another one.",
        "state: {dew: number}\n",
        "trait: damp\ntext: {en: It brings dew.}\nstate: {dew: {is: bool, resets: round}}\ncards: [{weight: [1]}]\n"
        "rules: |\n  after eat(self, any, any) unless this.dew:\n    this.dew = true\n    self.mood = calm\n",
    ),
    find,
)
