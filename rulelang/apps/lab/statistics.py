"""Numbers with intervals: comparisons of two series, estimates, and which of many are significant."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean, stdev
from typing import Any

from rulelang.base.errors import BadArgument
from rulelang.runtime.simulate import Result

# ---- comparisons

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


def compare_series(base: Result, against: Result) -> tuple[Compared, ...]:
    """Both series, which played the same number of games with the same seeds. ValueError if they did not.

    Shares of wins: Wilson's interval, and Newcombe's for their difference, which takes the games as independent of each
    other (a shared win counts in part). Means: Student's interval, and for the difference that of the pairs: game i of
    both began with the same seed.
    """
    if (base.games, base.players, base.seed) != (against.games, against.players, against.seed):
        raise BadArgument("only series with the same seed, number of games and number of players can be compared")
    n = base.games
    found = [
        Compared("wins", seat + 1, wilson_interval(x, n), wilson_interval(y, n), newcombe_interval(x, n, y, n))
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
    return Compared(
        what, seat, student_interval(first), student_interval(second), student_interval([b - a for a, b in pairs])
    )


def wilson_interval(x: float, n: int) -> Interval:
    """The share x of n: Wilson's score interval."""
    z = NormalDist().inv_cdf((1 + LEVEL) / 2)
    p = x / n
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return Interval(p, max(0.0, middle - half), min(1.0, middle + half))


def newcombe_interval(x: float, m: int, y: float, n: int) -> Interval:
    """How much larger the share y of n is than x of m: Newcombe's hybrid score interval (his method 10)."""
    one, two = wilson_interval(x, m), wilson_interval(y, n)
    p = two.value - one.value
    low = p - math.hypot(two.value - two.low, one.high - one.value)
    high = p + math.hypot(two.high - two.value, one.value - one.low)
    return Interval(p, low, high)


def student_interval(numbers: Sequence[int]) -> Interval:
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


# ---- estimates

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


def unknown_estimate(games: int) -> Estimate:
    return Estimate(0.0, 0.0, 0.0, games, 1.0, False)


def estimate_mean(value: float, error: float, games: int, *, anytime: bool = False, level: float = LEVEL) -> Estimate:
    """A mean over games with its standard error."""
    if games < 2 or not math.isfinite(error):
        return unknown_estimate(games)
    half = half_width(error, games, anytime=anytime, level=level)
    return Estimate(value, value - half, value + half, games, chance_of_mean(value, error, games, anytime=anytime))


def half_width(error: float, games: int, *, anytime: bool, level: float = LEVEL) -> float:
    """Half of the width of the interval around a mean of so many games with that standard error."""
    if not anytime:
        return float(NormalDist().inv_cdf((1 + level) / 2)) * error
    alpha, t = 1 - level, games
    rho = _rho(alpha)
    growth = t * rho * rho + 1
    # With the deviation of one game, error * sqrt(t).
    return error * math.sqrt(2 * growth / (t * rho * rho) * math.log(math.sqrt(growth) / alpha))


def chance_of_mean(value: float, error: float, games: int, *, anytime: bool) -> float:
    """How likely chance alone gives a mean as far from 0 (at any time until now)."""
    if error <= 0:
        return 1.0 if value == 0 else 0.0
    z = abs(value) / error
    if not anytime:
        return math.erfc(z / math.sqrt(2))
    rho = _rho(1 - LEVEL)
    growth = games * rho * rho + 1
    return min(1.0, math.sqrt(growth) * math.exp(-z * z * games * rho * rho / (2 * growth)))


def chance_of_estimate(found: Estimate, where: float) -> float:
    """How likely chance alone gives an estimate as far from `where`, as its interval has it."""
    reach = float(NormalDist().inv_cdf((1 + LEVEL) / 2))
    off = abs(found.value - where)
    return 1.0 if not off or not found.known else math.erfc(reach * off / max(found.half, 1e-12) / math.sqrt(2))


def _rho(alpha: float) -> float:
    inner = -2 * math.log(alpha)
    return math.sqrt((inner + math.log(inner + 1)) / AIM)


def estimate_share(part: float, games: int, error: float | None = None, *, anytime: bool = False) -> Estimate:
    """A share of games. `error`: its standard error, if games are not simply yes or no."""
    if not games:
        return unknown_estimate(0)
    value = part / games
    if error is None and not anytime:
        found = wilson_interval(part, games)
        return Estimate(value, max(0.0, round(found.low, 12)), found.high, games)
    if error is None:
        error = math.sqrt(max(value * (1 - value), 1 / games) / games)
    found_ = estimate_mean(value, error, games, anytime=anytime)
    return Estimate(value, max(0.0, found_.low), min(1.0, found_.high), games, 1.0, found_.known)


def significant_of(surprises: Sequence[float], rate: float = FALSE_DISCOVERIES) -> list[bool]:
    """Which of many are told (Benjamini and Hochberg): of these at most the share `rate` is expected to be chance."""
    order = sorted(range(len(surprises)), key=lambda i: surprises[i])
    last = 0
    for rank, i in enumerate(order, 1):
        if surprises[i] <= rate * rank / len(surprises):
            last = rank
    told = set(order[:last])
    return [i in told for i in range(len(surprises))]
