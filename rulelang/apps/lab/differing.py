"""Two studies side by side: what a change does to the figures of a game."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from statistics import NormalDist

from rulelang.apps.lab.compare import LEVEL
from rulelang.apps.lab.estimates import Estimate, called_out, surprise
from rulelang.apps.lab.figures import Figures
from rulelang.apps.lab.wording import number, percent, points, shift


@dataclass(frozen=True, slots=True)
class Difference:
    """One figure in both, in words. `differs`: chance hardly explains the difference."""

    what: str
    base: str
    now: str
    change: str
    differs: bool
    surprise: float = 1.0


def differences(base: Figures, now: Figures) -> list[Difference]:
    """Seats, length, ties, comebacks, and the effects of cards and traits that are in both. Of so many the false
    discoveries are held."""
    found = _all(base, now)
    told = called_out([each.surprise for each in found])
    return [replace(each, differs=which) for each, which in zip(found, told, strict=True)]


def _all(base: Figures, now: Figures) -> list[Difference]:
    found = []
    if base.players == now.players:
        for seat in range(now.players):
            found.append(_share(f"won by seat {seat + 1}", base.seats[seat], now.seats[seat]))
        for seat in range(now.players):
            found.append(_mean(f"points of seat {seat + 1}", base.points[seat], now.points[seat]))
    found.append(_mean("rounds", base.rounds, now.rounds))
    found.append(_mean("decisions", base.decisions, now.decisions))
    found.append(_share("ties for the win", base.ties, now.ties))
    found.append(_share("won by a player who was behind halfway", base.comebacks, now.comebacks))
    old = {(card.sort, card.id): card for card in base.cards}
    for card in now.cards:
        before = old.get((card.sort, card.id))
        if before is not None and before.held.effect.known and card.held.effect.known:
            found.append(_effect(f"holding {card.title}", before.held.effect, card.held.effect))
    traits = {trait.id: trait for trait in base.traits}
    for trait in now.traits:
        known = traits.get(trait.id)
        if known is not None and known.effect.effect.known and trait.effect.effect.known:
            found.append(_effect(f"{trait.title} in force", known.effect.effect, trait.effect.effect))
    return found


def between(base: Estimate, now: Estimate) -> tuple[float, float, float]:
    """The difference and its bounds. The studies are taken as independent, which is never too narrow for games with the
    same seeds that go alike."""
    value = now.value - base.value
    half = math.hypot(base.half, now.half)
    return value, value - half, value + half


def _found(what: str, before: str, after: str, change: str, base: Estimate, now: Estimate) -> Difference:
    value, low, high = between(base, now)
    # As if the interval were planned: an anytime one is wider, so the surprise is told too small and not too large.
    error = (high - low) / 2 / NormalDist().inv_cdf((1 + LEVEL) / 2)
    chance = surprise(value, error, min(base.games, now.games), anytime=False)
    return Difference(what, before, after, change, False, chance)


def _share(what: str, base: Estimate, now: Estimate) -> Difference:
    value, low, high = between(base, now)
    change = f"{points(value)} ({points(low)} to {points(high)})"
    return _found(what, percent(base.value), percent(now.value), change, base, now)


def _mean(what: str, base: Estimate, now: Estimate) -> Difference:
    value, low, high = between(base, now)
    change = f"{value:+,.2f} ({low:+,.2f} to {high:+,.2f})".replace("-", "−")
    return _found(what, number(base), number(now), change, base, now)


def _effect(what: str, base: Estimate, now: Estimate) -> Difference:
    value, low, high = between(base, now)
    change = f"{points(value)} ({points(low)} to {points(high)})"
    return _found(what, shift(base), shift(now), change, base, now)
