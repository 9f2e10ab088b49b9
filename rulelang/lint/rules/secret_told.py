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
        blind = "who is asked may not see it" if told.one else "not everyone sees it"
        way = (Related(secret.span, "it is read here"), *(Related(*step) for step in reversed(secret.path)))
        yield Found(
            told.span,
            f"{told.how} {secret.what}",
            f"{blind}, and can tell it from that",
            "ask what that player sees, lay the cards open, or say `# lint: allow secret-told` where it may be known",
            way,
            cause=(secret.span, secret.what),
        )


RULE = Rule(
    "secret-told",
    Page(
        "L831",
        "something hidden shows",
        "What lies where a player cannot look, or stands in an attribute with `seen_by`, decides here over what he is "
        "given: over his options, a question, who is asked, a line of the log, or what everyone sees. Who knows the "
        "rules can tell the secret from that. `docs/secrets.md` says what is followed and what is not.",
        'forbid nibble(s) when any(card c in next(s.owner).hand where c.weight > 1) because "it fears a heavy card"\n',
        'forbid nibble(s) when any(card c in s.owner.hand where c.weight > 1) because "a heavy card is in the way"\n',
    ),
    find,
)
