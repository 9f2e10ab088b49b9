"""`x == true`, where `x` says the same."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.codes import Page
from rulelang.language.syntax import nodes
from rulelang.language.syntax.nodes import walk_syntax
from rulelang.tools.lint.records import Fix, Found, Rule
from rulelang.tools.lint.subject import Subject


def find(subject: Subject) -> Iterator[Found]:
    for _, declarations in subject.texts:
        for node in walk_syntax(declarations):
            if not isinstance(node, nodes.Compare) or node.op not in ("==", "!="):
                continue
            for side, other in ((node.left, node.right), (node.right, node.left)):
                if isinstance(side, nodes.Bool) and subject.owns(node.span):
                    keep = side.value == (node.op == "==")
                    text = subject.text(other.span)
                    simple = isinstance(other, nodes.Name | nodes.Attribute | nodes.Call | nodes.Index)
                    fix = Fix(((node.span, text if keep else f"not {text}"),)) if simple else None
                    message = f"comparison of a truth value with `{'true' if side.value else 'false'}`"
                    hint = f"write `{text}`" if keep else f"write `not {text}`"
                    yield Found(node.span, message, "a truth value is a condition already", hint, (), fix)
                    break


RULE = Rule(
    "compared-with-truth",
    Page(
        "L822",
        "truth value compared with `true` or `false`",
        "A truth value is a condition already: `x == true` means `x`, and `x == false` means `not x`. Write the "
        "shorter form.",
        "trait: damp\ntext: {en: It grows calm once.}\nstate: {done: bool}\ncards: [{weight: [1]}]\nrules: |\n"
        "  after eat(self, any, any) when this.done == false:\n    this.done = true\n    self.mood = calm\n",
        "trait: damp\ntext: {en: It grows calm once.}\nstate: {done: bool}\ncards: [{weight: [1]}]\nrules: |\n"
        "  after eat(self, any, any) when not this.done:\n    this.done = true\n    self.mood = calm\n",
    ),
    find,
)
