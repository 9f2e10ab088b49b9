"""The same on both sides of `and`, `or` or a comparison."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.codes import Page
from rulelang.language.syntax import nodes
from rulelang.language.syntax.nodes import walk_syntax
from rulelang.tools.lint.records import Found, Rule
from rulelang.tools.lint.subject import Subject


def find(subject: Subject) -> Iterator[Found]:
    for _, declarations in subject.texts:
        for node in walk_syntax(declarations):
            if isinstance(node, nodes.Compare | nodes.Logic) and subject.owns(node.span):
                left, right = _words(subject, node.left), _words(subject, node.right)
                if left == right:
                    message = f"both sides of `{node.op}` are equal"
                    yield Found(node.span, message, "change one of them")


def _words(subject: Subject, node: nodes.Node) -> list[str]:
    return subject.text(node.span).split()


RULE = Rule(
    "same-twice",
    Page(
        "L824",
        "same expression on both sides",
        "`a == a` is always true, and `a and a` means `a`. You probably meant another name on one side.",
        "modify strength(s): + 1 when s.size > 2 and s.size > 2\n",
        "modify strength(s): + 1 when s.size > 2 and s.eaten > 2\n",
    ),
    find,
)
