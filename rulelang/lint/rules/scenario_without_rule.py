"""A scenario that does not say which numbered rule it shows."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.codes import Page
from rulelang.lint.records import Found, Rule
from rulelang.lint.subject import Subject


def find(subject: Subject) -> Iterator[Found]:
    if not subject.numbered:
        return
    for scenario in subject.own_scenarios:
        if not scenario.rules:
            because = "`rulelang coverage` counts a rule as shown when a scenario that passes cites it"
            yield Found(scenario.span, "this scenario cites no rule", because, "add a line `rule: ID`")


RULE = Rule(
    "scenario-without-rule",
    Page(
        "L816",
        "a scenario that cites no rule",
        "Where the rules of a rulebook are numbered, each scenario says which of them it shows, so that one that "
        "nobody shows is found.",
        "",
        "",
    ),
    find,
)
