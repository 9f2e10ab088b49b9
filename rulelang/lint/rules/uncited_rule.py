"""A numbered rule of the document that no code carries out."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.codes import Page
from rulelang.lint.records import Found, Rule
from rulelang.lint.subject import Subject


def find(subject: Subject) -> Iterator[Found]:
    for rule in subject.numbered.values():
        if rule.enforced and rule.id not in subject.uses.cites:
            because = "a line `#: ID` above a declaration says which rules it carries out"
            hint = "cite it where it is carried out; if no program can hold one to it, say `enforced: false`"
            yield Found(rule.span, f"no code cites the rule `{rule.id}`", because, hint)


RULE = Rule(
    "uncited-rule",
    Page(
        "L811",
        "a numbered rule that no code cites",
        "The documents in `seeds/` number the rules of the rulebook. One that no code cites may have been forgotten. "
        "`rulelang coverage` lists these too, and those that no scenario cites.",
        "",
        "",
    ),
    find,
)
