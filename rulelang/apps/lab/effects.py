"""What having something does to winning: seats that had it against seats that did not, in games that are alike.

Arrays: `y` games by seats, the share of the win; `have` games by seats, truth; `alike` games by seats, a number for all
that may be compared with each other. Seats of one game are not independent: errors are worked out game by game.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulelang.apps.lab.estimates import FEW, Estimate, estimate, unknown

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Truths = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Effect:
    """`won`: the share of the win of those that had it; `expected`: of those that did not, in games alike; `effect`:
    the difference."""

    won: Estimate
    expected: float
    effect: Estimate

    def as_json(self) -> dict[str, Any]:
        expected = round(self.expected, 6) if self.effect.known else None
        return {"won": self.won.as_json(), "expected": expected, "effect": self.effect.as_json()}


def alike_by(*numbers: Ints) -> Ints:
    """What may be compared: the seat, and each of these numbers (games by seats). Rare ones join others."""
    games, seats = numbers[0].shape
    found = np.broadcast_to(np.arange(seats), (games, seats)).astype(np.int64)
    for each in numbers:
        lumped = _lumped(each)
        found = found * (int(lumped.max(initial=0)) + 1) + lumped
    numbered: Ints = np.unique(found, return_inverse=True)[1].reshape(games, seats)
    return numbered


def _lumped(numbers: Ints) -> Ints:
    """Numbers from 0, in their order; neighbours together until each has so many that something can be said."""
    flat = np.maximum(numbers.ravel(), 0)
    counts = np.bincount(flat)
    least = FEW * numbers.shape[1] // 2
    label, have, into = 0, 0, np.zeros(len(counts), dtype=np.int64)
    for value, count in enumerate(counts):
        if have >= least:
            label, have = label + 1, 0
        into[value] = label
        have += int(count)
    if have < least and label:
        into[into == label] = label - 1
    lumped: Ints = into[numbers.clip(0)]
    return lumped


def effect(y: Floats, have: Truths, alike: Ints, *, anytime: bool = False) -> Effect:
    """Having it against not having it. Where all or nobody have it nothing can be compared, and nothing is."""
    games = len(y)
    stratum, h, w = alike.ravel(), have.ravel(), y.ravel()
    n = int(stratum.max(initial=-1)) + 1
    ones, zeros = np.bincount(stratum, h, n), np.bincount(stratum, ~h, n)
    both = (ones > 0) & (zeros > 0)
    total = ones[both].sum()
    held = int((have & both[alike]).any(axis=1).sum())
    free = int((~have & both[alike]).any(axis=1).sum())
    if min(held, free) < FEW or not total:
        return Effect(unknown(held), 0.0, unknown(held))
    mean1 = np.divide(np.bincount(stratum, w * h, n), ones, out=np.zeros(n), where=both)
    mean0 = np.divide(np.bincount(stratum, w * ~h, n), zeros, out=np.zeros(n), where=both)
    weight = np.where(both, ones, 0) / total
    won, expected = float((weight * mean1).sum()), float((weight * mean0).sum())
    # What each seat adds to the error, summed by game.
    with np.errstate(divide="ignore", invalid="ignore"):
        down = np.where(both, ones / zeros, 0.0) / total
    up = np.where(both, 1.0, 0.0) / total
    # Errors are told from the mean of all that are alike: few with it or without would fit their own mean too well.
    rest = w - (np.bincount(stratum, w, n) / np.maximum(ones + zeros, 1))[stratum]
    of_won = np.where(h, up[stratum] * (w - won), 0.0).reshape(y.shape).sum(axis=1)
    centred = (np.where(h, up[stratum], -down[stratum]) * rest).reshape(y.shape).sum(axis=1)
    return Effect(
        estimate(won, _error(of_won, games), held, anytime=anytime),
        expected,
        estimate(won - expected, _error(centred, games), held, anytime=anytime),
    )


def among(y: Floats, have: Truths, some: Truths, numbers: Sequence[Ints], *, anytime: bool = False) -> Estimate:
    """What having it does to some of the seats (games by seats), against others of these that are alike by these
    numbers; as `effect`, which asks about all seats."""
    games = some.any(axis=1)
    if int(games.sum()) < FEW:
        return unknown(int((have & some).any(axis=1).sum()))
    inside = some[games]
    # Who is not asked about is like nobody: each of those has it, or none of them has.
    alike = np.where(inside, alike_by(*(each[games] for each in numbers)) + 1, 0)
    return effect(y[games], have[games] & inside, alike, anytime=anytime).effect


def _error(parts: Floats, games: int) -> float:
    return math.sqrt(float((parts**2).sum()) * games / max(1, games - 1))


def together(y: Floats, have: Truths, alike: Ints, *, anytime: bool = False) -> list[tuple[int, int, Estimate]]:
    """For each pair of many things (`have`: games by seats by things) how much more both together change the share of
    the win than each of them alone does, summed. A pair with too few games of any kind is left out."""
    games, seats, things = have.shape
    flat = have.reshape(games * seats, things).astype(np.float64)
    stratum, w = alike.ravel(), y.ravel()
    counts = np.bincount(stratum)
    rest = w - (np.bincount(stratum, w) / np.maximum(counts, 1))[stratum]
    n11, s11 = flat.T @ flat, flat.T @ (flat * rest[:, None])
    n1, s1, q = np.diag(n11), np.diag(s11), float((rest**2).mean())
    found = []
    for i in range(things):
        for j in range(i + 1, things):
            cells = np.array([n11[i, j], n1[i] - n11[i, j], n1[j] - n11[i, j], len(w) - n1[i] - n1[j] + n11[i, j]])
            if cells.min() < FEW:
                continue
            sums = np.array([s11[i, j], s1[i] - s11[i, j], s1[j] - s11[i, j], rest.sum() - s1[i] - s1[j] + s11[i, j]])
            means = sums / cells
            value = float(means[0] - means[1] - means[2] + means[3])
            error = math.sqrt(float((q / cells).sum()))
            if abs(value) > error:  # else it is nothing, and an exact error is not needed
                both, first, second = have[:, :, i] & have[:, :, j], have[:, :, i], have[:, :, j]
                cell = np.where(both, 0, np.where(first, 1, np.where(second, 2, 3)))
                sign = np.array([1.0, -1.0, -1.0, 1.0]) / cells
                parts = sign[cell] * (rest.reshape(games, seats) - means[cell])
                error = _error(parts.sum(axis=1), games)
            found.append((i, j, estimate(value, error, int(n11[i, j]), anytime=anytime)))
    return found
