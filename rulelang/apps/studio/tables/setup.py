"""How a table is arranged: who has which seat, which keys let in, and how fast the game goes.

A `Setup` never changes. Each change makes another one, which the room writes to the disk before it uses it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from rulelang.apps.studio.tables.names import alike, called, unused
from rulelang.apps.studio.tables.seats import KINDS, Keys, Role, Seat, same, token
from rulelang.apps.studio.tables.spec import Wrong
from rulelang.base.errors import BadArgument
from rulelang.base.phrases import phrase
from rulelang.runtime.agents import make_agent

#: Seconds between the moves of bots that may be chosen; for a decision; until a bot plays for somebody who is away.
SLOWEST, LONGEST, AWAY = 10.0, 24 * 3600.0, 30.0


@dataclass(frozen=True, slots=True)
class Setup:
    """`host`: the key of the person who opened the table; the person keeps the host's rights without a seat. `speed`:
    seconds before a bot's move. `turn`: seconds for a decision of a person (0: no limit). `away`: seconds until a bot
    plays for a person who is away (0: never)."""

    seats: tuple[Seat, ...]
    keys: Keys = field(default_factory=Keys)
    host: str = ""
    speed: float = 0.6
    turn: float = 0.0
    away: float = AWAY
    begun: bool = False

    @property
    def full(self) -> bool:
        """Whether nobody is missing."""
        return all(seat.kind != "open" for seat in self.seats)

    def role(self, given: str, *, author: bool) -> Role | None:
        """Return as what a key lets in now; None if it does not."""
        host = author or same(given, self.host)
        for number, seat in enumerate(self.seats, 1):
            if seat.kind == "person" and same(given, seat.token):
                return Role(number, host=host)
        if host:
            return Role(0, host=True, may_sit=True)
        if same(given, self.keys.invite):
            return Role(0, may_sit=True)
        return Role() if same(given, self.keys.watch) else None

    def sat(self, number: int, name: str, given: str = "") -> Setup:
        """Give an open seat to a person who came in with the key `given`. Wrong if it is taken, or so is the name."""
        if not 1 <= number <= len(self.seats) or self.seats[number - 1].kind != "open":
            raise Wrong(phrase("this seat is taken"))
        name = called(name)
        if not name:
            raise Wrong(phrase("enter your name"))
        others = [seat for at, seat in enumerate(self.seats, 1) if at != number]
        if any(alike(seat.name, name) for seat in others if seat.kind != "open"):
            raise Wrong(phrase("another player here is already called {name}", name=name))
        # The host who sits down keeps the key that makes them the host.
        key = given if same(given, self.host) and not self._has_seat(given) else token()
        seats = [*self.seats]
        seats[number - 1] = Seat("person", name, token=key)
        for at, seat in enumerate(seats, 1):
            if seat.kind == "open" and alike(seat.name, name):
                seats[at - 1] = replace(seat, name=unused(f"seat {at}", (one.name for one in seats)))
        return replace(self, seats=tuple(seats))

    def _has_seat(self, key: str) -> bool:
        return any(seat.kind == "person" and same(key, seat.token) for seat in self.seats)

    def arranged(self, number: int, kind: str, agent: str) -> Setup:
        """Give a seat to a bot, or leave it open before the game begins. The key of whoever had it is void from then
        on. Wrong for a seat or an agent that does not exist."""
        if not 1 <= number <= len(self.seats):
            raise Wrong(phrase("this seat does not exist"))
        if kind == "bot":
            now = replace(self.seats[number - 1], kind="bot", agent=checked(agent), token=token())
        elif kind == "open" and not self.begun:
            now = replace(self.seats[number - 1], kind="open", token=token())
        else:
            raise Wrong(phrase("a seat belongs to a bot, or stays open until the game starts"))
        return replace(self, seats=(*self.seats[: number - 1], now, *self.seats[number:]))

    def paced(self, speed: float | None, turn: float | None) -> Setup:
        """Have bots wait for so long before they move, and limit the time of a person's decision."""
        return replace(
            self,
            speed=self.speed if speed is None else min(max(speed, 0.0), SLOWEST),
            turn=self.turn if turn is None else min(max(turn, 0.0), LONGEST),
        )

    def plain(self) -> dict[str, Any]:
        """Return it as it is kept."""
        return {
            "seats": [seat.plain() for seat in self.seats],
            "keys": [self.keys.invite, self.keys.watch],
            "host": self.host,
            "speed": self.speed,
            "turn": self.turn,
            "away": self.away,
            "begun": self.begun,
        }

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Setup:
        """Read what `plain` wrote. ValueError, TypeError or LookupError if a value is not what it writes."""
        seats = tuple(_seat(seat) for seat in record["seats"])
        invite, watch = record["keys"]
        host = record["host"]
        if type(host) is int:  # as files have it that earlier versions wrote: the number of the host's seat
            host = seats[host - 1].token if host else ""
        speed, turn, away = times = [float(record[name]) for name in ("speed", "turn", "away")]
        begun = record["begun"]
        typed = all(isinstance(one, str) for one in (invite, watch, host)) and isinstance(begun, bool)
        if not seats or not typed or not all(0 <= time <= 1e6 for time in times):
            raise ValueError
        return cls(seats, Keys(invite, watch), host, speed, turn, away, begun)


def _seat(record: Mapping[str, Any]) -> Seat:
    seat = Seat(record["kind"], record["name"], record["agent"], record["token"])
    if seat.kind not in KINDS or not all(isinstance(one, str) for one in (seat.name, seat.agent, seat.token)):
        raise ValueError
    if seat.kind == "bot":
        checked(seat.agent)
    return seat


def checked(agent: str) -> str:
    """Return the name of an agent. Wrong if there is none of that name."""
    try:
        make_agent(agent)
    except BadArgument as problem:
        raise Wrong(str(problem)) from None
    return agent
