"""Numbers with what is known of them: intervals, how surprising they are, and which of many are worth a word.

Two kinds of intervals. *Planned*: how many games are played was said beforehand. *Anytime*: somebody looks while games
go on and stops when he likes; then the interval has to hold at every moment at once, so it is wider (an asymptotic
confidence sequence, Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas 2021).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

from rulelang.apps.lab.compare import LEVEL, wilson

#: An effect of fewer games than this, with it or without, is not told.
FEW = 50
#: Of what is called out, no more than this share is expected to be chance.
FALSE_DISCOVERIES = 0.05
#: For how many games an anytime interval is made as narrow as it can be.
AIM = 2000


@dataclass(frozen=True, slots=True)
class Estimate:
    """`value` lies between `low` and `high` with the confidence `LEVEL`, from `games` games. `known` is False with too
    few of them: then the bounds mean nothing. `p`: how likely chance alone gives as much, where 0 is expected."""

    value: float
    low: float
    high: float
    games: int
    p: float = 1.0
    known: bool = True

    @property
    def half(self) -> float:
        """Half of the interval's width; infinite if nothing is known."""
        return (self.high - self.low) / 2 if self.known else math.inf

    def as_json(self) -> dict[str, Any]:
        if not self.known:
            return {"value": None, "low": None, "high": None, "games": self.games, "p": None}
        numbers = {"value": self.value, "low": self.low, "high": self.high}
        return {**{name: round(x, 6) for name, x in numbers.items()}, "games": self.games, "p": round(self.p, 8)}


def unknown(games: int) -> Estimate:
    return Estimate(0.0, 0.0, 0.0, games, 1.0, False)


def estimate(value: float, error: float, games: int, *, anytime: bool = False, level: float = LEVEL) -> Estimate:
    """A mean over games with its standard error."""
    if games < 2 or not math.isfinite(error):
        return unknown(games)
    half = spread(error, games, anytime=anytime, level=level)
    return Estimate(value, value - half, value + half, games, surprise(value, error, games, anytime=anytime))


def spread(error: float, games: int, *, anytime: bool, level: float = LEVEL) -> float:
    """Half of the width of the interval around a mean of so many games with that standard error."""
    if not anytime:
        return float(NormalDist().inv_cdf((1 + level) / 2)) * error
    alpha, t = 1 - level, games
    rho = _rho(alpha)
    growth = t * rho * rho + 1
    # With the deviation of one game, error * sqrt(t).
    return error * math.sqrt(2 * growth / (t * rho * rho) * math.log(math.sqrt(growth) / alpha))


def surprise(value: float, error: float, games: int, *, anytime: bool) -> float:
    """How likely chance alone gives a mean as far from 0 (at any time until now)."""
    if error <= 0:
        return 1.0 if value == 0 else 0.0
    z = abs(value) / error
    if not anytime:
        return math.erfc(z / math.sqrt(2))
    rho = _rho(1 - LEVEL)
    growth = games * rho * rho + 1
    return min(1.0, math.sqrt(growth) * math.exp(-z * z * games * rho * rho / (2 * growth)))


def away(found: Estimate, where: float) -> float:
    """How likely chance alone gives an estimate as far from `where`, as its interval has it."""
    reach = float(NormalDist().inv_cdf((1 + LEVEL) / 2))
    off = abs(found.value - where)
    return 1.0 if not off or not found.known else math.erfc(reach * off / max(found.half, 1e-12) / math.sqrt(2))


def _rho(alpha: float) -> float:
    inner = -2 * math.log(alpha)
    return math.sqrt((inner + math.log(inner + 1)) / AIM)


def share(part: float, games: int, error: float | None = None, *, anytime: bool = False) -> Estimate:
    """A share of games. `error`: its standard error, if games are not simply yes or no."""
    if not games:
        return unknown(0)
    value = part / games
    if error is None and not anytime:
        found = wilson(part, games)
        return Estimate(value, max(0.0, round(found.low, 12)), found.high, games)
    if error is None:
        error = math.sqrt(max(value * (1 - value), 1 / games) / games)
    found_ = estimate(value, error, games, anytime=anytime)
    return Estimate(value, max(0.0, found_.low), min(1.0, found_.high), games, 1.0, found_.known)


def called_out(surprises: Sequence[float], rate: float = FALSE_DISCOVERIES) -> list[bool]:
    """Which of many are told (Benjamini and Hochberg): of these at most the share `rate` is expected to be chance."""
    order = sorted(range(len(surprises)), key=lambda i: surprises[i])
    last = 0
    for rank, i in enumerate(order, 1):
        if surprises[i] <= rate * rank / len(surprises):
            last = rank
    told = set(order[:last])
    return [i in told for i in range(len(surprises))]
