"""A trait's hook that has nothing to do with who bears it."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.codes import Page
from rulelang.lint.records import Found, Rule
from rulelang.lint.subject import Subject
from rulelang.semantics import tree
from rulelang.semantics.walk import locals_of


def find(subject: Subject) -> Iterator[Found]:
    for hook in subject.hooks():
        if hook.origin.what != "trait" or hook.always or not subject.owns(hook.span):
            continue
        bearer = {local.name for local in _bearer(hook.bearer)}
        if not locals_of(hook) & bearer:
            because = (
                "it says none of `self`, `this`, `owner` and `partner`, so it applies to all alike, and once for each "
                "card of the trait in play"
            )
            hint = "say `self` where the bearer is meant; `always` if the card shall not matter at all"
            yield Found(hook.span.head(), f"this hook of `{hook.origin.name}` does not name its bearer", because, hint)


def _bearer(bearer: tree.Bearer) -> Iterator[tree.Local]:
    yield from (x for x in (bearer.this, bearer.self, bearer.partner, bearer.owner) if x is not None)


RULE = Rule(
    "hook-of-everybody",
    Page(
        "L814",
        "a trait's hook that does not name its bearer",
        "A trait's card lies on something, and its hooks mostly speak of that: `self`, its `owner`, `this` card. One "
        "that names none of them is in force for everybody as long as any such card is in play, and twice if two are.",
        "trait: sticky\ntext: {en: Nobody pushes it.}\ncards: [{weight: [1]}]\n"
        'rules: |\n  forbid push(pusher, any) when pusher.size > 3 because "it sticks"\n',
        "trait: sticky\ntext: {en: Nobody pushes it.}\ncards: [{weight: [1]}]\n"
        'rules: |\n  forbid push(pusher, self) when pusher.size > 3 because "it sticks"\n',
    ),
    find,
)
