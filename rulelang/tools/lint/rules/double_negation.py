"""`not (a == b)`, where `a != b` says the same."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.codes import Page
from rulelang.language.syntax import nodes
from rulelang.language.syntax.nodes import walk_syntax
from rulelang.tools.lint.records import Fix, Found, Rule
from rulelang.tools.lint.subject import Subject

OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def find(subject: Subject) -> Iterator[Found]:
    for _, declarations in subject.texts:
        for node in walk_syntax(declarations):
            if not isinstance(node, nodes.Not) or not subject.owns(node.span):
                continue
            inner = node.operand
            if isinstance(inner, nodes.Compare):
                said = f"{subject.text(inner.left.span)} {OPPOSITE[inner.op]} {subject.text(inner.right.span)}"
            elif isinstance(inner, nodes.Not):
                said = subject.text(inner.operand.span)
            else:
                continue
            whole = subject.text(node.span)
            fix = Fix(((node.span, said),)) if "\n" not in whole and whole.count("(") == whole.count(")") else None
            yield Found(node.span, "`not` negates a comparison", "", f"write `{said}`", (), fix)


RULE = Rule(
    "double-negation",
    Page(
        "L823",
        "comparison negated by `not`",
        "Write `a != b` instead of `not (a == b)`, and `a >= b` instead of `not (a < b)`. It is easier to read.",
        "modify strength(s): + 1 when not (s.size == 2)\n",
        "modify strength(s): + 1 when s.size != 2\n",
    ),
    find,
)
