"""Which numbers a word may hold: a span low, low + step, ... high, and what arithmetic makes of spans."""

from __future__ import annotations

from math import gcd
from typing import NamedTuple

from rulelang.base import numbers

#: No number that a backend can store lies outside.
LOWEST, HIGHEST = -(1 << 63), (1 << 63) - 1


class Interval(NamedTuple):
    """All of low, low + step, ... high; `step` is 0 for a single number."""

    low: int
    high: int
    step: int

    def holds(self, word: int) -> bool:
        return self.low <= word <= self.high and (
            word == self.low if not self.step else not (word - self.low) % self.step
        )

    def __str__(self) -> str:
        if not self.step:
            return str(self.low)
        every = f" in steps of {self.step}" if self.step > 1 else ""
        return f"{self.low} to {self.high}{every}"


def span(low: int, high: int, step: int = 1) -> Interval:
    """A span with its ends brought to what can be stored."""
    low, high = max(low, LOWEST), min(high, HIGHEST)
    if low >= high:
        return Interval(low, low, 0)
    step = max(step, 1)
    return Interval(low, high - (high - low) % step, step) if low > LOWEST else Interval(low, high, 1)


ANY = span(LOWEST, HIGHEST)
TRUTH = span(0, 1)
#: What a word of a state may be at all.
WORD = span(*numbers.WORD)


def one(value: int) -> Interval:
    return Interval(value, value, 0)


def join(first: Interval, second: Interval) -> Interval:
    """The least span with both."""
    if first == second:
        return first
    low, high = min(first.low, second.low), max(first.high, second.high)
    return span(low, high, gcd(first.step, second.step, abs(first.low - second.low)))


def meet(item: Interval, low: int, high: int) -> Interval | None:
    """What of a span lies within low .. high; None for nothing."""
    if item.low >= low and item.high <= high:
        return item
    if not item.step:
        return item if low <= item.low <= high else None
    low, high = max(low, item.low), min(high, item.high)
    low += -(low - item.low) % item.step
    return span(low, high, item.step) if low <= high else None


def without(item: Interval, value: int) -> Interval | None:
    """A span without a number at one of its ends; None for nothing."""
    if item.low == item.high == value:
        return None
    if item.low == value:
        return span(item.low + item.step, item.high, item.step)
    return span(item.low, item.high - item.step, item.step) if item.high == value else item


def arith(op: str, a: Interval, b: Interval) -> Interval:
    """What an operation of the IR gives for operands of two spans."""
    match op:
        case "+":
            return span(a.low + b.low, a.high + b.high, gcd(a.step, b.step))
        case "-":
            return span(a.low - b.high, a.high - b.low, gcd(a.step, b.step))
        case "*":
            ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
            step = b.low * a.step if not b.step else a.low * b.step if not a.step else 1
            return span(min(ends), max(ends), abs(step))
        case "//" if b.low > 0:
            ends = [x // y for x in (a.low, a.high) for y in (b.low, b.high)]
            return span(min(ends), max(ends))
        case "%" if b.low > 0:
            return span(0, b.high - 1) if a.low < 0 or a.high >= b.low else a
        case "&" if a.low >= 0 or b.low >= 0:
            return span(0, min(s.high for s in (a, b) if s.low >= 0))
        case "|" | "^" if a.low >= 0 and b.low >= 0:
            return span(0, (1 << max(a.high, b.high).bit_length()) - 1)
        case "<<" if a.low >= 0 and b.low >= 0 and b.high < 63:
            return span(a.low << b.low, a.high << b.high)
        case ">>" if a.low >= 0 and b.low >= 0:
            return span(a.low >> min(b.high, 63), a.high >> min(b.low, 63))
    return ANY
