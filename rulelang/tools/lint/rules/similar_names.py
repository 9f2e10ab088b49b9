"""Two names that differ in one letter."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.codes import Page
from rulelang.base.diagnostics import Related
from rulelang.base.source import Span
from rulelang.tools.lint.records import Found, Rule
from rulelang.tools.lint.subject import Subject
from rulelang.tools.lint.uses import attributes

#: Shorter names differ in a letter for good reasons.
SHORTEST = 6


def find(subject: Subject) -> Iterator[Found]:
    for group in _groups(subject):
        names = sorted((name, span) for name, span in group.items() if len(name) >= SHORTEST)
        for place, (name, span) in enumerate(names):
            for other, at in names[place + 1 :]:
                if not one_apart(name, other) or not _counts(name, other):
                    continue
                (new, here), (old, where) = (
                    ((other, at), (name, span)) if subject.owns(at) else ((name, span), (other, at))
                )
                if subject.owns(here):
                    message = f"`{new}` and `{old}` differ in one letter"
                    because = "rulelang cannot detect a typo that turns one into the other"
                    yield Found(here, message, because, "", (Related(where, f"`{old}` is declared here"),))


def _groups(subject: Subject) -> Iterator[dict[str, Span]]:
    """Names that could stand for each other, by what they are."""
    model, program = subject.model, subject.program
    yield {item.name: item.span.head() for item in (*program.routines.values(), *program.actions.values())}
    yield {item.name: item.span.head() for item in program.values.values()} | {
        attribute.name: attribute.span for attribute in attributes(model)
    }
    yield {name: number.span for name, number in model.numbers.items()}
    yield {name: option.span for name, option in model.options.items()}
    yield {name: zone.span for name, zone in model.zones.items()}
    yield {name: trait.span for name, trait in model.traits.items()}


def _counts(name: str, other: str) -> bool:
    """Words with another beginning or end, and numbered ones, are told apart by everyone."""
    return name[0] == other[0] and name[-1] == other[-1]


def one_apart(a: str, b: str) -> bool:
    """Whether one letter more, less, other or two in another order make one of the other."""
    if a == b:
        return False
    start = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    x, y = a[start:], b[start:]
    return x[1:] == y[1:] or x[1:] == y or x == y[1:] or (x[:2] == y[:2][::-1] and x[2:] == y[2:])


RULE = Rule(
    "similar-names",
    Page(
        "L821",
        "names that differ in one letter",
        "`feeding` and `feeting` are both declared. If you type one name instead of the other, rulelang cannot "
        "detect the mistake. The linter skips short names, and names that differ in the first or last letter.",
        "value strenngth(snail s) -> int: s.size\nmodify hunger(s): + strenngth(s)\n",
        "value weight_of(snail s) -> int: s.size\nmodify hunger(s): + weight_of(s)\n",
    ),
    find,
)
