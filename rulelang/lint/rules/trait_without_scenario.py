"""A trait that no scenario shows."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.codes import Page
from rulelang.lint.records import Found, Rule
from rulelang.lint.subject import Subject


def find(subject: Subject) -> Iterator[Found]:
    ruled = {hook.origin.name for hook in subject.hooks() if hook.origin.what == "trait"}
    ruled |= {action.origin.name for action in subject.program.actions.values() if action.origin.what == "trait"}
    texts = {file.path: file.text for file in subject.source.scenario_files}
    for trait in subject.source.traits:
        if trait.id not in ruled or not subject.owns(trait.span) or trait.node.get("scenarios") is not None:
            continue
        if not any(trait.id in text for text in texts.values()):
            because = "what no scenario shows may stop working, and nobody is told"
            yield Found(trait.span, f"no scenario shows the trait `{trait.id}`", because, "add `scenarios:` below it")


RULE = Rule(
    "trait-without-scenario",
    Page(
        "L819",
        "a trait that no scenario shows",
        "A scenario beside a trait says in the words of the game what it does, and is run after every change. A trait "
        "without one may stop working unnoticed.",
        "trait: spike\ntext: {en: Pushes harder by 2.}\ncards: [{weight: [1]}]\n"
        "rules: |\n  modify strength(self): + 2\n",
        "trait: spike\ntext: {en: Pushes harder by 2.}\ncards: [{weight: [1]}]\n"
        "rules: |\n  modify strength(self): + 2\n"
        "scenarios:\n  - name: it pushes harder\n    given: {phase: dawn, players: {ana: [ada: spike], bob: []}}\n"
        "    then: [strength(ada) == 3]\n",
    ),
    find,
)
