"""What a seat may not see decides over what it is given."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.codes import Page
from rulelang.base.diagnostics import Related
from rulelang.base.source import Span
from rulelang.tools.lint.records import Found, Rule
from rulelang.tools.lint.secrets_told import Flow, Told
from rulelang.tools.lint.subject import Subject


def find(subject: Subject) -> Iterator[Found]:
    """Find one secret for each place where one shows. A mod may read it for a rule of the game that shows it."""
    for shown in Flow(subject.model, subject.program).found.values():
        placed = ((told, place) for told in shown.values() if (place := _place(subject, told)) is not None)
        told, place = next(placed, (None, None))
        if told is None or place is None:
            continue
        secret = told.secret
        blind = "the player who is asked may not see this" if told.one else "not everyone can see this, but everyone"
        read = () if place == secret.span else (Related(secret.span, "this reads it"),)
        way = (*read, *(Related(*step) for step in reversed(secret.path) if step[0] != place))
        way = (*way, *(() if place == told.span else (Related(told.span, "it is revealed here"),)))
        yield Found(
            place,
            f"{told.how} {secret.what}",
            f"{blind}, but can infer it" if told.one else f"{blind} can infer it",
            "use only visible information, reveal the cards, or write `# lint: allow "
            "secret-told` if players are allowed to know it",
            way,
            cause=(secret.span, secret.what),
        )


def _place(subject: Subject, told: Told) -> Span | None:
    """Return the place where the author of what is checked can help: where it shows, or on the way there."""
    places = (told.span, told.secret.span, *(span for span, _ in told.secret.path))
    return next((span for span in places if subject.owns(span)), None)


RULE = Rule(
    "secret-told",
    Page(
        "L831",
        "hidden information that players can infer",
        "Here, hidden information decides something that a player sees: their options, a question, who is asked, a "
        "line of the log, or a public value. The information comes from cards that the player cannot see, or from "
        "an attribute with `seen_by`. A player who knows the rules can infer the secret. `docs/secrets.md` says how"
        " the linter follows secrets.",
        'forbid nibble(s) when any(card c in next(s.owner).hand where c.weight > 1) because "it fears a heavy card"\n',
        'forbid nibble(s) when any(card c in s.owner.hand where c.weight > 1) because "a heavy card is in the way"\n',
    ),
    find,
)
