"""Two traits that do the same."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulelang.base.codes import Page
from rulelang.base.diagnostics import Related
from rulelang.tools.lint.records import Found, Rule
from rulelang.tools.lint.subject import Subject

_REMARK = re.compile(r"#.*|\"[^\"]*\"")
_WORD = re.compile(r"\w+|[^\w\s]")


def find(subject: Subject) -> Iterator[Found]:
    seen: dict[tuple[str, ...], str] = {}
    spans = {trait.id: trait.span for trait in subject.source.traits}
    for text in subject.source.rules:
        if text.owner.kind != "trait" or text.owner.name not in spans:
            continue
        # Remarks and texts do not count, nor do the trait's own name and its numbers' names.
        words = [word for word in _WORD.findall(_REMARK.sub("", text.text)) if word != text.owner.name]
        key = tuple(words)
        first = seen.setdefault(key, text.owner.name)
        if first != text.owner.name and key and subject.owns(spans[text.owner.name]):
            yield Found(
                spans[text.owner.name],
                f"`{text.owner.name}` does the same as `{first}`",
                "their rules are equal, except for comments and log texts",
                "change one of them, or use one trait for both cards",
                (Related(spans[first], f"`{first}` is declared here"),),
            )


RULE = Rule(
    "near-duplicate",
    Page(
        "L820",
        "two traits with equal rules",
        "The rules of two traits are identical. Either you copied one trait and did not change its rules, or you "
        "need only one of the traits.",
        "trait: spike\ntext: {en: Pushes harder by 1.}\ncards: [{weight: [1]}]\n"
        "rules: |\n  modify strength(self): + 1\n",
        "trait: spike\ntext: {en: Pushes harder by 2.}\ncards: [{weight: [1]}]\n"
        "rules: |\n  modify strength(self): + 2\n",
    ),
    find,
)
