"""Seats of a table, the keys that let people in, and what a key allows."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import Any, Literal

Kind = Literal["person", "bot", "open"]
KINDS: tuple[Kind, ...] = ("person", "bot", "open")

#: The agent that plays for a person who is away.
STAND_IN = "greedy"


def token() -> str:
    """Make a key that nobody can guess."""
    return secrets.token_urlsafe(18)


def same(given: str, known: str) -> bool:
    """Whether a key is the known one. The time that this takes reveals nothing. An empty key is never right."""
    return bool(known) and secrets.compare_digest(given.encode("utf-8", "replace"), known.encode())


@dataclass(frozen=True, slots=True)
class Seat:
    """One seat. `token` lets its person in; `agent` plays for a bot, or for a person who is away."""

    kind: Kind
    name: str
    agent: str = STAND_IN
    token: str = field(default_factory=token)

    def plain(self) -> dict[str, Any]:
        """Return it as it is kept."""
        return {"kind": self.kind, "name": self.name, "agent": self.agent, "token": self.token}


@dataclass(frozen=True, slots=True)
class Role:
    """As what somebody comes to a table: on a `seat` (0: none), as its `host`, who arranges it, or as a guest who
    `may_sit` down on an open seat."""

    seat: int = 0
    host: bool = False
    may_sit: bool = False


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of a table apart from those of its seats: a person with `invite` may sit down, one with `watch` may only
    look on."""

    invite: str = field(default_factory=token)
    watch: str = field(default_factory=token)
