"""A scenario that passes without the rule that it cites."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.codes import Page
from rulelang.base.diagnostics import Related
from rulelang.language.syntax import nodes
from rulelang.tools.lint.losses import losses
from rulelang.tools.lint.records import Found, Rule
from rulelang.tools.lint.subject import Subject
from rulelang.tools.lint.without import Without


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
            message = (
                f"this scenario passes without the rules that implement {rules}, and without any of their conditions"
            )
            related = (Related(found.span.head(), "it passes without this"),)
            yield Found(scenario.span, message, "so the scenario proves neither the rule nor its limits", "", related)


RULE = Rule(
    "idle-scenario",
    Page(
        "L817",
        "scenario that passes without its rule",
        "A scenario proves a rule if it fails once the rule is missing, or once the rule goes too far. With "
        "`--deep`, the linter tries that for each declaration that cites a rule. First it removes the declaration. "
        "Then it makes each condition true, and each part of its events match anything. After each change it runs "
        "the scenarios that cite the same rule.\n\n"
        "It reports a scenario that never fails: this scenario proves something else. It skips declarations that "
        "other rules need. `--deep` plays many scenarios, so it takes a while.",
        "",
        "",
    ),
    find,
    deep=True,
)
