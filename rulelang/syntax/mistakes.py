"""From the place where parsing stopped to a diagnostic: what was found, what was expected, the usual slip behind it."""

from __future__ import annotations

from dataclasses import dataclass

from rulelang.base.diagnostics import Diagnostics
from rulelang.syntax.grammar import Grammar
from rulelang.syntax.tokens import Token


@dataclass(frozen=True, slots=True)
class Mistake:
    """`tokens[at]` could not be taken; its logical line begins at `start`; `accepted` terminals could stand there."""

    grammar: Grammar
    tokens: list[Token]
    at: int
    start: int
    accepted: frozenset[str]

    @property
    def token(self) -> Token:
        return self.tokens[self.at]


def explain(mistake: Mistake, found: Diagnostics) -> None:
    """Add the diagnostic for the mistake."""
    found.error("S222", mistake.token.span, f"unexpected `{mistake.token.text}`", because=", ".join(sorted(mistake.accepted)))
