"""A name that is given and never said again."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.codes import Page
from rulelang.language.semantics import tree
from rulelang.language.semantics.tree import walk
from rulelang.tools.lint.records import Found, Rule
from rulelang.tools.lint.subject import Subject
from rulelang.tools.lint.uses import declarations


def find(subject: Subject) -> Iterator[Found]:
    for declared in declarations(subject.program):
        if not subject.owns(declared.span):
            continue
        read = {node.local.name for node in walk(declared) if isinstance(node, tree.LocalRef)}
        for node in walk(declared):
            local = _given(node)
            if local is not None and local.name not in read:
                hint = "remove the name" if isinstance(node, tree.Create) else "remove the line"
                yield Found(node.span.head(), f"nothing reads `{local.text}`", hint=hint)


def _given(node: object) -> tree.Local | None:
    match node:
        case tree.Create():
            return node.local
        case tree.Roll() if isinstance(node.target, tree.Local):
            return node.target
    return None


RULE = Rule(
    "unused-local",
    Page(
        "L805",
        "name that nothing reads",
        "`create` and `roll` name a result for the lines below. No line reads this name. Either it is left over, or"
        " a line reads another name by mistake.",
        "after dawn:\n  roll 1d6 as dew\n  bed_plants += 1\n",
        "after dawn:\n  roll 1d6 as dew\n  bed_plants += dew\n",
    ),
    find,
)
