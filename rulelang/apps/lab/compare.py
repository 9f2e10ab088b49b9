"""`compare`: two series of games with the same seeds, side by side, with intervals that hold 95 of 100 times."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean, stdev
from typing import Any

from rulelang.base.errors import BadArgument
from rulelang.runtime.simulate import Result

LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Interval:
    """A value, and between which bounds it lies with the confidence `LEVEL`."""

    value: float
    low: float
    high: float

    def as_json(self) -> dict[str, float | None]:
        """Without bounds where nothing is known of them."""
        low, high = (round(x, 6) if math.isfinite(x) else None for x in (self.low, self.high))
        return {"value": round(self.value, 6), "low": low, "high": high}


@dataclass(frozen=True, slots=True)
class Compared:
    """One figure of both series. `what`: "wins" (the share of games won), "points", "rounds" or "decisions" of a game;
    `seat`: whose, from 1, or 0. `difference`: of the second less that of the first."""

    what: str
    seat: int
    base: Interval
    against: Interval
    difference: Interval

    @property
    def differs(self) -> bool:
        """Whether chance alone hardly explains the difference."""
        return self.difference.low > 0 or self.difference.high < 0

    def as_json(self) -> dict[str, Any]:
        return {
            "what": self.what,
            "seat": self.seat,
            "base": self.base.as_json(),
            "against": self.against.as_json(),
            "difference": self.difference.as_json(),
            "differs": self.differs,
        }


def compare(base: Result, against: Result) -> tuple[Compared, ...]:
    """Both series, which played the same number of games with the same seeds. ValueError if they did not.

    Shares of wins: Wilson's interval, and Newcombe's for their difference, which takes the games as independent of each
    other (a shared win counts in part). Means: Student's interval, and for the difference that of the pairs: game i of
    both began with the same seed.
    """
    if (base.games, base.players, base.seed) != (against.games, against.players, against.seed):
        raise BadArgument("only series with the same seed, number of games and number of players can be compared")
    n = base.games
    found = [
        Compared("wins", seat + 1, wilson(x, n), wilson(y, n), newcombe(x, n, y, n))
        for seat, (x, y) in enumerate(zip(base.wins, against.wins, strict=True))
    ]
    for seat in range(base.players):
        pairs = [(a[seat], b[seat]) for a, b in zip(base.points, against.points, strict=True)]
        found.append(_means("points", seat + 1, pairs))
    found.append(_means("rounds", 0, list(zip(base.rounds_each, against.rounds_each, strict=True))))
    found.append(_means("decisions", 0, list(zip(base.decisions_each, against.decisions_each, strict=True))))
    return tuple(found)


def _means(what: str, seat: int, pairs: Sequence[tuple[int, int]]) -> Compared:
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    return Compared(what, seat, student(first), student(second), student([b - a for a, b in pairs]))


def wilson(x: float, n: int) -> Interval:
    """The share x of n: Wilson's score interval."""
    z = NormalDist().inv_cdf((1 + LEVEL) / 2)
    p = x / n
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return Interval(p, max(0.0, middle - half), min(1.0, middle + half))


def newcombe(x: float, m: int, y: float, n: int) -> Interval:
    """How much larger the share y of n is than x of m: Newcombe's hybrid score interval (his method 10)."""
    one, two = wilson(x, m), wilson(y, n)
    p = two.value - one.value
    low = p - math.hypot(two.value - two.low, one.high - one.value)
    high = p + math.hypot(two.high - two.value, one.value - one.low)
    return Interval(p, low, high)


def student(numbers: Sequence[int]) -> Interval:
    """The mean of some numbers: Student's interval. Of one number nothing is known but itself."""
    mean, n = fmean(numbers), len(numbers)
    if n < 2:
        return Interval(mean, -math.inf, math.inf)
    half = student_quantile((1 + LEVEL) / 2, n - 1) * stdev(numbers) / math.sqrt(n)
    return Interval(mean, mean - half, mean + half)


def student_quantile(p: float, freedom: int) -> float:
    """The quantile of Student's distribution: exact for one and two degrees of freedom, else by the expansion 26.7.5 of
    Abramowitz and Stegun, which is right to a tenth of a percent."""
    if freedom == 1:
        return math.tan(math.pi * (p - 0.5))
    if freedom == 2:
        return (2 * p - 1) / math.sqrt(2 * p * (1 - p))
    z: float = NormalDist().inv_cdf(p)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum((term / float(freedom**power) for power, term in enumerate(terms, 1)), 0.0)
