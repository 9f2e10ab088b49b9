"""A condition that always holds, or never."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulelang.base.codes import Page
from rulelang.language.semantics import tree
from rulelang.language.semantics.tree import walk
from rulelang.testing.scenarios.checking import Checker
from rulelang.testing.scenarios.scenario import Outcome
from rulelang.tools.lint.intervals import interval
from rulelang.tools.lint.records import Found, Rule
from rulelang.tools.lint.subject import Subject
from rulelang.tools.lint.uses import declarations

_HINT = "remove the condition, or compare something else"
#: What a claim has in it that shows nothing where it always holds; one that says which number it is holds to that.
_ORDERS = re.compile(r"[<>]|!=")


def find(subject: Subject) -> Iterator[Found]:
    for declared in declarations(subject.program):
        # An invariant always holds: that is what it is for. A value is asked for what it is, and hooks change it.
        if isinstance(declared, tree.Invariant) or not subject.owns(declared.span):
            continue
        inner: set[int] = set()
        for node in walk(declared):
            if id(node) in inner or not isinstance(node, tree.Compare | tree.Logic | tree.Not):
                continue
            known = interval(node, subject.model)
            if known[0] is None or known[0] != known[1]:
                continue
            inner.update(map(id, walk(node)))  # the parts of it are no news
            word = "always" if known[0] else "never"
            because = "the types and constants allow no other result"
            yield Found(node.span, f"this is {word} true", because, _HINT)
    yield from _claims(subject)


def _claims(subject: Subject) -> Iterator[Found]:
    """Claims of scenarios that nothing could break. One that never holds fails when it is played."""
    checker: Checker | None = None
    for scenario in subject.own_scenarios:
        claims = scenario.node.get("then")
        if not scenario.sound or claims is None or not _ORDERS.search(str(claims.plain())):
            continue
        checker = checker or Checker(subject.compilation)
        ready = checker.ready(scenario)
        for formula in ready.formulas() if not isinstance(ready, Outcome) else ():
            for test in formula.tests:
                if _ORDERS.search(test.text) and interval(test.whole, subject.model) == (1, 1):
                    because = "the types and constants allow no other result, so the claim proves nothing"
                    yield Found(test.span, "this is always true", because, _HINT)


RULE = Rule(
    "constant-condition",
    Page(
        "L812",
        "condition that is always or never true",
        "Ranges and constants limit a number, and within these limits the comparison has only one result. Usually, "
        "a bound is off by one, or you meant another name. In a scenario, a claim that is always true proves "
        "nothing.",
        "modify strength(s): + 1 when s.size >= 1\n",
        "modify strength(s): + 1 when s.size > 1\n",
    ),
    find,
)
