"""What a number of the rules may be: the one definition of arithmetic, which checker, passes and backends share.

Expressions calculate with 64 bits, and what comes out beyond them is a mistake of the rules (X610), never another
number. What is kept (state, names, arguments) is a word of 32 bits.
"""

from __future__ import annotations

from collections.abc import Collection

#: The largest number that an expression may come to. The smallest is its opposite, so that `-x` is always a number.
LARGEST = 2**63 - 1
#: What a word holds.
WORD = (-(2**31), 2**31 - 1)

#: How deep routines may call each other.
DEEPEST = 200

Range = tuple[int, int]
#: All numbers.
ANY: Range = (-LARGEST, LARGEST)


def range_of(numbers: Collection[int]) -> Range:
    """Between which numbers all of them lie; of none, (0, 0)."""
    return min(numbers, default=0), max(numbers, default=0)


def is_representable(number: int) -> bool:
    """Whether it is a number that an expression may come to."""
    return -LARGEST <= number <= LARGEST


def calculate(op: str, left: int, right: int) -> int | None:
    """What `+ - * // %` come to; None for a division by zero, or what is too large."""
    match op:
        case "+":
            found = left + right
        case "-":
            found = left - right
        case "*":
            found = left * right
        case "//" | "%":
            if right == 0:
                return None
            found = left // right if op == "//" else left % right
        case _:
            raise AssertionError(op)
    return found if is_representable(found) else None
