"""A numbered rule of the document that no code carries out."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.codes import Page
from rulelang.tools.lint.records import Found, Rule
from rulelang.tools.lint.subject import Subject


def find(subject: Subject) -> Iterator[Found]:
    for rule in subject.numbered.values():
        if rule.enforced and rule.id not in subject.uses.cites:
            because = "a line `#: ID` above a declaration says which rules it implements"
            hint = "cite the rule where the code implements it, or write `enforced: false` if code cannot enforce it"
            yield Found(rule.span, f"no code cites the rule `{rule.id}`", because, hint)


RULE = Rule(
    "uncited-rule",
    Page(
        "L811",
        "numbered rule that no code cites",
        "The documents in `seeds/` number the rulebook's rules. If no code cites a rule, you may have forgotten to "
        "implement it. `rulelang coverage` lists these rules and the rules that no scenario cites.",
        "",
        "",
    ),
    find,
)
