"""`if` and `else` that do the same."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.codes import Page
from rulelang.base.source import Span
from rulelang.language.syntax import nodes
from rulelang.language.syntax.nodes import walk_syntax
from rulelang.tools.lint.records import Found, Rule
from rulelang.tools.lint.subject import Subject


def find(subject: Subject) -> Iterator[Found]:
    for _, declarations in subject.texts:
        for node in walk_syntax(declarations):
            if isinstance(node, nodes.If) and node.otherwise is not None and subject.owns(node.span):
                blocks = [body for _, body in node.branches] + [node.otherwise]
                same = len({tuple(_words(subject, body)) for body in blocks}) == 1
            elif isinstance(node, nodes.IfElse) and subject.owns(node.span):
                same = subject.text(node.then.span).split() == subject.text(node.otherwise.span).split()
            else:
                continue
            if same:
                hint = "remove the condition, or change one of the branches"
                yield Found(node.span.head(), "all branches do the same", "the condition decides nothing", hint)


def _words(subject: Subject, body: tuple[nodes.Stmt, ...]) -> list[str]:
    whole: Span = body[0].span.to(body[-1].span)
    return subject.text(whole).split()


RULE = Rule(
    "same-branches",
    Page(
        "L825",
        "branches that do the same",
        "An `if` with equal branches decides nothing. You probably copied one of them and did not change it.",
        "value pull(snail s) -> int: 1 if s.size > 2 else 1\nmodify strength(s): + pull(s)\n",
        "value pull(snail s) -> int: 1 if s.size > 2 else 2\nmodify strength(s): + pull(s)\n",
    ),
    find,
)
