"""Who sits at a table, and by which keys they are known."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Kind = Literal["person", "bot", "open"]

#: What plays for a person who is away.
STAND_IN = "greedy"


def called(given: str) -> str:
    """A name as somebody gives it, with nothing in it that cannot be seen; "" if nothing is left."""
    words = ["".join(char for char in word if char.isprintable()) for word in given.split()]
    return " ".join(word for word in words if word)[:24].strip()


def token() -> str:
    return secrets.token_urlsafe(18)


@dataclass(slots=True)
class Seat:
    """One seat. `token` lets its person in; `agent` is what plays for a bot, or for a person who is away."""

    kind: Kind
    name: str
    agent: str = STAND_IN
    token: str = field(default_factory=token)

    def plain(self) -> dict[str, Any]:
        return {"kind": self.kind, "name": self.name, "agent": self.agent, "token": self.token}

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Seat:
        return cls(record["kind"], record["name"], record["agent"], record["token"])


@dataclass(frozen=True, slots=True)
class Role:
    """As what somebody with a key comes to a room: on a `seat` (0: none), as its `host`, who arranges it, or as a
    guest who `may_sit` on an open seat."""

    seat: int = 0
    host: bool = False
    may_sit: bool = False


@dataclass(slots=True)
class Keys:
    """The keys of a room beside those of its seats: whoever has the `invite` may sit down, the `watch` looks on."""

    invite: str = field(default_factory=token)
    watch: str = field(default_factory=token)

    def role(self, given: str, seats: list[Seat], host_seat: int, *, author: bool) -> Role | None:
        """As what a key lets in; None: not at all."""
        for number, seat in enumerate(seats, 1):
            if seat.kind == "person" and same(given, seat.token):
                return Role(number, host=author or number == host_seat)
        if author:
            return Role(0, host=True, may_sit=True)
        if same(given, self.invite):
            return Role(0, may_sit=True)
        return Role() if same(given, self.watch) else None


def same(given: str, known: str) -> bool:
    return secrets.compare_digest(given.encode(), known.encode())
