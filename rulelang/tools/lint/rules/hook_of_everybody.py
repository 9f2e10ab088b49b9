"""A trait's hook that has nothing to do with who bears it."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.codes import Page
from rulelang.language.semantics import tree
from rulelang.language.semantics.tree import locals_of
from rulelang.tools.lint.records import Found, Rule
from rulelang.tools.lint.subject import Subject


def find(subject: Subject) -> Iterator[Found]:
    for hook in subject.hooks():
        if hook.origin.what != "trait" or hook.always or not subject.owns(hook.span):
            continue
        bearer = {local.name for local in _bearer(hook.bearer)}
        if not locals_of(hook) & bearer:
            because = (
                "without `self`, `this`, `owner` or `partner`, the hook applies to everybody, "
                "once for each card of the "
                "trait in play"
            )
            hint = "write `self` for the bearer, or `always` if the hook does not need a card"
            yield Found(hook.span.head(), f"this hook of `{hook.origin.name}` does not name its bearer", because, hint)


def _bearer(bearer: tree.Bearer) -> Iterator[tree.Local]:
    yield from (x for x in (bearer.this, bearer.self, bearer.partner, bearer.owner) if x is not None)


RULE = Rule(
    "hook-of-everybody",
    Page(
        "L814",
        "trait's hook without a bearer",
        "Most hooks of a trait name its bearer `self`, its `owner`, or `this` card. A hook that names none of them "
        "applies to everybody while a card of the trait is in play. With two such cards, it applies twice.",
        "trait: sticky\ntext: {en: Nobody pushes it.}\ncards: [{weight: [1]}]\n"
        'rules: |\n  forbid push(pusher, any) when pusher.size > 3 because "it sticks"\n',
        "trait: sticky\ntext: {en: Nobody pushes it.}\ncards: [{weight: [1]}]\n"
        'rules: |\n  forbid push(pusher, self) when pusher.size > 3 because "it sticks"\n',
    ),
    find,
)
