"""An assignment that changes nothing."""

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
            if isinstance(node, nodes.MoveAll | nodes.Draw):
                idle = subject.text(node.source.span).split() == subject.text(node.to.span).split()
                if idle and subject.owns(node.span):
                    because = "the cards stay in their zone"
                    yield Found(node.span, "this moves no card", because, "write another zone")
            if not isinstance(node, nodes.Assign) or not subject.owns(node.span):
                continue
            itself = node.op == "=" and subject.text(node.target.span).split() == subject.text(node.value.span).split()
            nothing = node.op != "=" and isinstance(node.value, nodes.Number) and node.value.value == 0
            if itself or nothing:
                yield Found(node.span, "this changes nothing", "the value stays the same", "remove the line")


RULE = Rule(
    "idle-assignment",
    Page(
        "L826",
        "assignment without effect",
        "`x = x`, `x += 0` and `move all deck to deck` change nothing. You probably meant another name or number.",
        "after dawn: bed_plants += 0\n",
        "after dawn: bed_plants += 2\n",
    ),
    find,
)
