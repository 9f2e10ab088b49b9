"""A scenario that passes without the rule that it cites."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.codes import Page
from rulelang.base.diagnostics import Related
from rulelang.lint.losses import losses
from rulelang.lint.records import Found, Rule
from rulelang.lint.subject import Subject
from rulelang.lint.without import Without
from rulelang.syntax import nodes


def find(subject: Subject) -> Iterator[Found]:
    by_rule: dict[str, set[str]] = {}
    for scenario in subject.own_scenarios:
        for word in scenario.rules:
            by_rule.setdefault(word.text, set()).add(scenario.id)
    noticed: set[str] = set()
    passed: dict[str, nodes.Declaration] = {}
    with Without(subject) as without:
        for node in without.declarations():
            cited = {id_ for rule in node.cites for id_ in by_rule.get(rule, ())}
            for loss in losses(node):
                wanted = cited - noticed
                failed = without.failing(loss, wanted) if wanted else None
                noticed |= failed or set()
                if failed is not None and loss.whole:
                    passed |= {id_: node for id_ in wanted - failed if id_ not in passed}
    for scenario in subject.own_scenarios:
        found = passed.get(scenario.id)
        if found is not None and scenario.id not in noticed:
            rules = " or ".join(f"`{word.text}`" for word in scenario.rules)
            message = f"this scenario passes without what carries out {rules}, and without any of its conditions"
            related = (Related(found.span.head(), "without this it passes as well"),)
            yield Found(scenario.span, message, "so it shows neither that rule nor how far it goes", "", related)


RULE = Rule(
    "idle-scenario",
    Page(
        "L817",
        "a scenario that passes without its rule",
        "A scenario shows a rule if it fails once the rule is gone, or once it goes further than it should. So each "
        "declaration that cites a rule is taken out; then each of its conditions is taken to hold, and each part of "
        "its events to be anything; and the scenarios that cite the same are run. One that no such loss makes fail "
        "shows something else. What cannot be taken out, because other rules ask it, is left alone. This plays many "
        "scenarios, and is done with `--deep` only.",
        "",
        "",
    ),
    find,
    deep=True,
)
