"""What a seat may not see decides over what it is given."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.codes import Page
from rulelang.base.diagnostics import Related
from rulelang.lint.records import Found, Rule
from rulelang.lint.secrets_told import Flow
from rulelang.lint.subject import Subject


def find(subject: Subject) -> Iterator[Found]:
    for told in Flow(subject.model, subject.program).found.values():
        if not subject.owns(told.span):
            continue
        secret = told.secret
        blind = "the player who is asked may not see this" if told.one else "not everyone can see this, but everyone"
        way = (Related(secret.span, "this reads it"), *(Related(*step) for step in reversed(secret.path)))
        yield Found(
            told.span,
            f"{told.how} {secret.what}",
            f"{blind}, but can infer it" if told.one else f"{blind} can infer it",
            "use only visible information, reveal the cards, or write `# lint: allow secret-told` if it may be known",
            way,
            cause=(secret.span, secret.what),
        )


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
