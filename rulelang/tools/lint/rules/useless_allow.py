"""A remark that allows what nothing finds."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.codes import Page
from rulelang.tools.lint.records import Found, Rule
from rulelang.tools.lint.subject import Subject


def find(subject: Subject) -> Iterator[Found]:
    """Told by `run.py`, which knows what was allowed and found."""
    return iter(())


RULE = Rule(
    "useless-allow",
    Page(
        "L800",
        "comment that allows nothing",
        "`# lint: allow NAME` on a line, or on the line above it, silences a rule of the linter. Separate several "
        "names with commas. Here, the named rule reports nothing or does not exist. Delete the comment.",
        "# lint: allow unused-value\nmodify strength(any): + 1\n",
        "# lint: allow unused-value\nvalue slow(snail s) -> bool: s.size > 5\n",
    ),
    find,
)
