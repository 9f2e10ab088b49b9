"""The generator of chance: multiply-with-carry in base 2**30, two words, the same on every backend (`ir.Random`).

Known weaknesses: none found by a battery of simple tests; it is no generator for secrets that are worth money.
"""

from __future__ import annotations

MASK = (1 << 30) - 1
FACTOR = 998578647
_MASK64 = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15


def splitmix64(seed: int) -> int:
    """One well-mixed 64-bit word of any integer (only its low 64 bits count)."""
    z = (seed + _GOLDEN) & _MASK64
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK64
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK64
    return z ^ (z >> 31)


def seed_words(seed: int) -> tuple[int, int]:
    """The two words (x, c) for a seed. The carry is neither 0 nor its largest value, so no cycle is degenerate."""
    first = splitmix64(seed)
    second = splitmix64(first)
    return first & MASK, second % (FACTOR - 2) + 1


def game_seed(seed: int, index: int) -> int:
    """The seed of the `index`-th game of a series: unlike that of its neighbours in this and other series."""
    return splitmix64(splitmix64(seed) + index)


def policy_seed(seed: int) -> int:
    """A seed for the players' own choices, independent of the game's chance under the same seed."""
    return splitmix64(seed ^ 0x706F6C696379)


class Generator:
    """The generator outside a state: what drives the choices of random agents."""

    __slots__ = ("c", "x")

    def __init__(self, seed: int) -> None:
        self.x, self.c = seed_words(seed)

    def below(self, bound: int) -> int:
        """Uniform in 0 .. bound - 1; `bound` from 1 to 2**30."""
        k = ((self.x ^ self.c) * bound) >> 30
        t = self.x * FACTOR + self.c
        self.x = t & MASK
        self.c = t >> 30
        return k


def sample_below(S: list[int], at_x: int, at_c: int, bound: int) -> int:
    """As `Generator.below`, from two words of a state."""
    x, c = S[at_x], S[at_c]
    t = x * FACTOR + c
    S[at_x], S[at_c] = t & MASK, t >> 30
    return ((x ^ c) * bound) >> 30
