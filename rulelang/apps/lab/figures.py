"""What a study found out, as plain data: `Figures`. Shares are from 0 to 1; all effects are on the share of the win."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rulelang.apps.lab.effects import Effect
from rulelang.apps.lab.estimates import Estimate

#: An effect smaller than this is not called out, however sure it is.
WORTH = 0.01


@dataclass(frozen=True, slots=True)
class CardFigures:
    """Cards of one name. A game: how many copies come to hands (`drawn`), are still somebody's at its end (`kept`), and
    how often one is named in an action by its owner, or chosen where no action names cards (`played`, and by action
    `uses`).

    `of_drawn`: of the times a player had it, in how many he played it. `held`: who had it in his hand, against who did
    not and drew as many cards. `when_played`: likewise of those who played it and as many others. `matched`: games
    played twice, with it in a starting hand and with another card in its place; None if that was not asked or cannot
    be. `told`: which of these are called out.
    """

    id: str
    title: str
    sort: str
    copies: int
    drawn: float
    played: float
    kept: float
    of_drawn: float
    uses: Mapping[str, float]
    held: Effect
    when_played: Effect
    matched: Estimate | None
    told: tuple[str, ...]

    @property
    def never(self) -> bool:
        """Whether it was drawn and never played."""
        return self.drawn > 0 and self.played == 0


@dataclass(frozen=True, slots=True)
class TraitFigures:
    """A trait. `borne`: of all seats in all games, the share that had it in force. `effect`: of these, against those
    who had as many traits without it."""

    id: str
    title: str
    copies: int
    borne: float
    effect: Effect
    told: bool


@dataclass(frozen=True, slots=True)
class PairFigures:
    """Two traits, or cards that were played: what having both adds to what each adds alone. With `bearer`, what things
    are called that bear traits: what having both on one of them adds to having both. `ids`: as the rules call them."""

    ids: tuple[str, str]
    first: str
    second: str
    effect: Estimate
    told: bool
    bearer: str = ""


@dataclass(frozen=True, slots=True)
class DeedFigures:
    """An action: in how many decisions it was offered, and how often it was taken, unasked too, in all games."""

    id: str
    title: str
    offered: int
    taken: int


@dataclass(frozen=True, slots=True)
class RuleFigures:
    """A rule that was never reached: what it is (routine, hook, action), its name, where it stands."""

    what: str
    name: str
    place: str


@dataclass(frozen=True, slots=True)
class Figures:
    """`played`: what was (see `Result.played`), with `seed` and `players`. `anytime`: what kind of intervals these are.
    `seats`: the share of the win of each. A game: `rounds`, `decisions`, `margin` (points between the best and the next
    side). `ties`: games with a shared win; `comebacks`: games won by who did not lead after half of the decisions."""

    title: str
    played: Mapping[str, Any]
    games: int
    players: int
    seed: int
    anytime: bool
    seats: tuple[Estimate, ...]
    points: tuple[Estimate, ...]
    rounds: Estimate
    decisions: Estimate
    ties: Estimate
    comebacks: Estimate
    cards: tuple[CardFigures, ...]
    traits: tuple[TraitFigures, ...]
    pairs: tuple[PairFigures, ...]
    beside: tuple[PairFigures, ...]  # on one bearer
    deeds: tuple[DeedFigures, ...]
    unreached: tuple[RuleFigures, ...]
    matched: int  # pairs of games for each card

    @property
    def fairness(self) -> float:
        """How far the share of the win of a seat is from an even one, at most."""
        return max(abs(seat.value - 1 / self.players) for seat in self.seats)

    @property
    def width(self) -> float:
        """Half of the widest interval of a seat's share."""
        return max(seat.half for seat in self.seats)

    @property
    def idle(self) -> tuple[CardFigures, ...]:
        """Cards that were drawn and never played, where cards are played at all."""
        return tuple(card for card in self.cards if card.never) if any(card.played for card in self.cards) else ()

    @property
    def untaken(self) -> tuple[DeedFigures, ...]:
        return tuple(deed for deed in self.deeds if not deed.taken)

    def as_json(self) -> dict[str, Any]:
        """JSON-able."""
        found: dict[str, Any] = _plain(self)
        return found


def _plain(value: Any) -> Any:
    if isinstance(value, (Estimate, Effect)):
        return value.as_json()
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in value.items()}
    if hasattr(value, "__dataclass_fields__"):
        return {name: _plain(getattr(value, name)) for name in value.__dataclass_fields__}
    return round(value, 6) if isinstance(value, float) else value
