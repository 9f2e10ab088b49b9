"""A list or kind that nothing mentions."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.codes import Page
from rulelang.tools.lint.records import Found, Rule
from rulelang.tools.lint.subject import Subject


def find(subject: Subject) -> Iterator[Found]:
    model = subject.model
    for what, holders in (("list", model.lists), ("kind", model.made), ("card type", model.sorts)):
        for name, holder in holders.items():
            if name not in subject.uses.kinds and name != "trait" and subject.owns(holder.span):
                yield Found(holder.span, f"nothing uses the {what} `{name}`", hint="remove it, or use it")


RULE = Rule(
    "unused-list",
    Page(
        "L810",
        "unused list or kind",
        "Lists, kinds and card types are for types, loops and zones. Nothing uses this one, so it is probably left "
        "over.",
        "lists: {weather: [dry, wet]}\n",
        "lists: {weather: [dry, wet]}\nkinds: {snail: {attributes: {likes: weather}}}\n",
    ),
    find,
)
