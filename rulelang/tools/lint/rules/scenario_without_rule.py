"""A scenario that does not say which numbered rule it shows."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.codes import Page
from rulelang.tools.lint.records import Found, Rule
from rulelang.tools.lint.subject import Subject


def find(subject: Subject) -> Iterator[Found]:
    if not subject.numbered:
        return
    for scenario in subject.own_scenarios:
        if not scenario.rules:
            because = "`rulelang coverage` counts only rules that a passing scenario cites"
            yield Found(scenario.span, "this scenario cites no rule", because, "add a line `rule: ID`")


RULE = Rule(
    "scenario-without-rule",
    Page(
        "L816",
        "scenario that cites no rule",
        "If the rules of a rulebook have numbers, each scenario cites the rules that it tests. Then `rulelang "
        "coverage` can find rules without a test.",
        "",
        "",
    ),
    find,
)
