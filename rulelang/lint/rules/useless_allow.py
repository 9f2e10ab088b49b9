"""A remark that allows what nothing finds."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.codes import Page
from rulelang.lint.records import Found, Rule
from rulelang.lint.subject import Subject


def find(subject: Subject) -> Iterator[Found]:
    """Told by `run.py`, which knows what was allowed and found."""
    return iter(())


RULE = Rule(
    "useless-allow",
    Page(
        "L800",
        "a remark that allows nothing",
        "`# lint: allow NAME` on a line, or on the line above it, says that a rule of the linter has nothing to say "
        "there. Several names stand behind each other with commas. If the rule finds nothing, or there is no such "
        "rule, the remark is left over.",
        "# lint: allow unused-value\nmodify strength(any): + 1\n",
        "# lint: allow unused-value\nvalue slow(snail s) -> bool: s.size > 5\n",
    ),
    find,
)
