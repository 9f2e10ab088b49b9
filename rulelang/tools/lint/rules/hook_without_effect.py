"""A hook whose body does nothing."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.codes import Page
from rulelang.language.semantics import tree
from rulelang.tools.lint.records import Found, Rule
from rulelang.tools.lint.subject import Subject


def find(subject: Subject) -> Iterator[Found]:
    for hook in subject.hooks():
        if not isinstance(hook, tree.Trigger) or not subject.owns(hook.span):
            continue
        if hook.kind in ("before", "after", "react to") and all(isinstance(line, tree.Nothing) for line in hook.body):
            yield Found(
                hook.span.head(), f"this `{hook.kind}` does nothing", "", "remove the hook, or write its effect"
            )
        elif hook.kind == "instead of" and hook.guard is None and _goes_on(hook.body):
            yield Found(hook.span.head(), "this `instead of` changes nothing", "", "remove it")


def _goes_on(body: tree.Block) -> bool:
    return len(body) == 1 and isinstance(body[0], tree.Proceed)


RULE = Rule(
    "hook-without-effect",
    Page(
        "L829",
        "hook without effect",
        "A hook with the body `nothing`, or an `instead of` that only proceeds, changes nothing. Remove it, or "
        "write its effect.",
        "after dawn: nothing\n",
        "after dawn: bed_plants += 1\n",
    ),
    find,
)
