"""What the games written by hand in plain Python share: how a random player chooses, and what a game comes to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple, TypeVar

T = TypeVar("T")


class Outcome(NamedTuple):
    """One finished game."""

    scores: list[int]
    rounds: int
    decisions: int
    forced: int


class Chooser:
    """Counts what random players choose. `random` gives floats in [0, 1)."""

    __slots__ = ("decisions", "forced", "random")

    def __init__(self, random: Callable[[], float]) -> None:
        self.random = random
        self.decisions = self.forced = 0

    def pick(self, options: Sequence[T]) -> T:
        """A random player's choice."""
        count = len(options)
        if count == 1:
            self.forced += 1
            return options[0]
        self.decisions += 1
        return options[int(self.random() * count)]


def simulated(play_one: Callable[[Callable[[], float]], Outcome], games: int, seed: int) -> tuple[int, int]:
    """Play that many games. Returns the decisions and the forced choices of all of them."""
    random = Random(seed).random
    outcomes = [play_one(random) for _ in range(games)]
    return sum(o.decisions for o in outcomes), sum(o.forced for o in outcomes)
