"""A list or kind that nothing mentions."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.codes import Page
from rulelang.lint.records import Found, Rule
from rulelang.lint.subject import Subject


def find(subject: Subject) -> Iterator[Found]:
    model = subject.model
    for what, holders in (("list", model.lists), ("kind", model.made), ("sort of cards", model.sorts)):
        for name, holder in holders.items():
            if name not in subject.uses.kinds and name != "trait" and subject.owns(holder.span):
                yield Found(holder.span, f"nothing mentions the {what} `{name}`", hint="remove it, or use it")


RULE = Rule(
    "unused-list",
    Page(
        "L810",
        "a list or kind that nothing mentions",
        "Lists, kinds and sorts of cards are there for types, loops and zones. One that none mentions is left over.",
        "lists: {weather: [dry, wet]}\n",
        "lists: {weather: [dry, wet]}\nkinds: {snail: {attributes: {likes: weather}}}\n",
    ),
    find,
)
