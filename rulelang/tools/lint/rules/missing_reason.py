"""What is refused without a reason in words."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.codes import Page
from rulelang.language.semantics import tree
from rulelang.tools.lint.records import Found, Rule
from rulelang.tools.lint.subject import Subject


def find(subject: Subject) -> Iterator[Found]:
    program = subject.program
    for action in program.actions.values():
        for require in action.requires:
            # `can ...` gives the reasons of what it asks.
            if not require.because and not isinstance(require.condition, tree.Can) and subject.owns(require.span):
                yield _found(require, "this `require` gives no reason")
    for hook in subject.hooks():
        if isinstance(hook, tree.Forbid) and not hook.because and subject.owns(hook.span):
            yield _found(hook, "this `forbid` gives no reason")


def _found(node: tree.Require | tree.Forbid, message: str) -> Found:
    because = "without a reason, the player sees the condition from the rules"
    return Found(node.span.head(), message, because, 'add a reason: `because "..."`')


RULE = Rule(
    "missing-reason",
    Page(
        "L828",
        "refusal without a reason",
        "If a player cannot do something, the game shows the reason. Without `because`, it shows the condition as "
        "it is in the rules.",
        "forbid push(any, other) when other.size == 9\n",
        'forbid push(any, other) when other.size == 9 because "{other} is too heavy"\n',
    ),
    find,
)
