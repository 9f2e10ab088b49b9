"""A scenario that shows nothing."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.codes import Page
from rulelang.data.yaml_nodes import YamlSeq
from rulelang.tools.lint.records import Found, Rule
from rulelang.tools.lint.subject import Subject


def find(subject: Subject) -> Iterator[Found]:
    for scenario in subject.own_scenarios:
        parts = [scenario.node.get(name) for name in ("when", "then")]
        if scenario.sound and all(part is None or (isinstance(part, YamlSeq) and not part.items) for part in parts):
            because = "without steps and claims it always passes"
            hint = "write steps under `when:` and claims under `then:`"
            yield Found(scenario.span, "this scenario proves nothing", because, hint)


RULE = Rule(
    "empty-scenario",
    Page(
        "L833",
        "scenario without steps or claims",
        "A scenario sets up a position, plays steps, and makes claims. Without steps or claims, it always passes, "
        "so it tests nothing.",
        "trait: quiet\nscenarios:\n  - {name: it is quiet}\n",
        "trait: quiet\nscenarios:\n  - {name: it is quiet, then: [round == 1]}\n",
    ),
    find,
)
