"""What names mean where a rule stands, and what is missing."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from tests.reference.world import RuleFailure, Thing


class Missing(Exception):
    """Something was read through what is missing."""


@dataclass(slots=True)
class Scope:
    """What names mean at one place of the rules. `roles`: whose rules these are, for what they call of the same trait.

    `turn`: an offer here ends the turn that it stands in, whose player this is; `proceed`: what `proceed` runs, in an
    `instead of` the event `around`;
    `event`: that which a reaction answers; `game`: this is the block of the game.
    """

    names: dict[str, Any] = field(default_factory=dict)
    roles: dict[str, Any] = field(default_factory=dict)
    turn: int | None = None
    outermost: bool = False
    proceed: Any = None
    around: str = ""
    event: str = ""
    game: bool = False
    speaks: bool = False  # of things, in a variable around

    def inner(self, **changes: Any) -> Scope:
        return replace(self, names=dict(self.names), **changes)


def present(value: Any) -> bool:
    return value is not None and not (isinstance(value, Thing) and not value.alive)


def same(left: Any, right: Any) -> bool:
    """What is missing equals nothing."""
    return present(left) and present(right) and left == right


def checked(number: int) -> int:
    if not -(2**63) < number < 2**63:
        raise RuleFailure("X610")
    return number
