"""Numbers that some bits of one word come to are looked up: in Python each step costs as much as a table."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import child_exprs, rewrite_expr
from rulelang.compiler.passes.simplify.fold import fold

#: Entries of a table at most.
MOST = 4096

Group = tuple[ir.Expr, int]


def as_bit_table(expr: ir.Expr) -> tuple[ir.Expr, int, tuple[int, ...]] | None:
    """The word, the bits of it that count, and by these the value of an expression; None if it asks for fewer than two
    groups of bits, or for anything else."""
    groups = list(_groups(expr))
    known = [group for group in groups if group is not None]
    words = {word for word, _ in known}
    if len(known) < max(len(groups), 2) or len(words) != 1:
        return None
    mask = 0
    for _, bits in known:
        mask |= bits
    if not 0 < mask < MOST:
        return None
    values = [_value(expr, number) if number & mask == number else 0 for number in range(mask + 1)]
    numbers = tuple(value for value in values if value is not None)
    return (words.pop(), mask, numbers) if len(numbers) == len(values) else None


def _group(expr: ir.Expr) -> Group | None:
    match expr:
        case ir.Arith("&", (ir.Local() | ir.Cell()) as word, ir.Const(bits)):
            return word, bits
        case _:
            return None


def _groups(expr: ir.Expr) -> Iterator[Group | None]:
    """What an expression is worked out from: groups of bits, and None for all else but constants."""
    group = _group(expr)
    if group is not None or not isinstance(expr, (ir.Arith, ir.Const)):
        yield group
        return
    for part in child_exprs(expr):
        yield from _groups(part)


def _value(expr: ir.Expr, word: int) -> int | None:
    """What an expression comes to for a word; None if it asks for more."""

    def told(part: ir.Expr) -> ir.Expr:
        group = _group(part)
        return fold(part) if group is None else ir.Const(word & group[1])

    value = rewrite_expr(expr, told)
    return value.value if isinstance(value, ir.Const) else None
