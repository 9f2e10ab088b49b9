"""A trait that no scenario shows."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.codes import Page
from rulelang.tools.lint.records import Found, Rule
from rulelang.tools.lint.subject import Subject


def find(subject: Subject) -> Iterator[Found]:
    ruled = {hook.origin.name for hook in subject.hooks() if hook.origin.what == "trait"}
    ruled |= {action.origin.name for action in subject.program.actions.values() if action.origin.what == "trait"}
    texts = {file.path: file.text for file in subject.source.scenario_files}
    for trait in subject.source.traits:
        if trait.id not in ruled or not subject.owns(trait.span) or trait.node.get("scenarios") is not None:
            continue
        if not any(trait.id in text for text in texts.values()):
            because = "without a scenario, the trait can break unnoticed"
            yield Found(trait.span, f"the trait `{trait.id}` has no scenario", because, "add `scenarios:` to its file")


RULE = Rule(
    "trait-without-scenario",
    Page(
        "L819",
        "trait without a scenario",
        "A scenario next to a trait shows what the trait does, and rulelang tests it after every change. Without a "
        "scenario, the trait can break unnoticed.",
        "trait: spike\ntext: {en: Pushes harder by 2.}\ncards: [{weight: [1]}]\n"
        "rules: |\n  modify strength(self): + 2\n",
        "trait: spike\ntext: {en: Pushes harder by 2.}\ncards: [{weight: [1]}]\n"
        "rules: |\n  modify strength(self): + 2\n"
        "scenarios:\n  - name: it pushes harder\n    given: {phase: dawn, players: {ana: [ada: spike], bob: []}}\n"
        "    then: [strength(ada) == 3]\n",
    ),
    find,
)
