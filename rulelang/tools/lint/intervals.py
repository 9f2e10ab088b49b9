"""Between which numbers an expression lies in every game: what its types and constants promise."""

from __future__ import annotations

from collections.abc import Iterable

from rulelang.language.semantics import tree
from rulelang.language.semantics.model import Bound, Model

#: The least and the greatest number; None: no bound is known.
Interval = tuple[int | None, int | None]
UNKNOWN: Interval = (None, None)
TRUTH: Interval = (0, 1)


def interval(e: tree.Expr, model: Model) -> Interval:
    """For numbers and truth values; UNKNOWN for whatever else, and where nothing is promised."""
    if e.type.tag not in ("int", "bool") or e.type.maybe:
        return UNKNOWN
    match e:
        case tree.Const():
            return e.value, e.value
        case tree.NumberRef():
            numbers = list(_flat(model.numbers[e.name].by_players.values()))
            return min(numbers), max(numbers)
        case tree.StateRef() | tree.AttributeRef():
            attribute = e.attribute
            return (0, 1) if e.type.tag == "bool" else (_least(attribute.low, model), _most(attribute.high, model))
        case tree.TableRef():
            return _least(e.table.low, model), _most(e.table.high, model)
        case tree.ColumnRef():
            return (0, 1) if e.type.tag == "bool" else (e.column.low, e.column.high)
        case tree.Query() if e.kind == "count":
            return 0, None
        case tree.BuiltinRef(name="round"):
            return 0, None  # before the first one
        case tree.Negative():
            return _negated(interval(e.operand, model))
        case tree.Arith():
            return _arith(e.op, interval(e.left, model), interval(e.right, model))
        case tree.Compare():
            return compared(e, model)
        case tree.Logic():
            return _logic(e.op, interval(e.left, model), interval(e.right, model))
        case tree.Not():
            low, high = interval(e.operand, model)
            return (1 - high if high is not None else None, 1 - low if low is not None else None)
        case tree.IfElse():
            return joined(interval(e.then, model), interval(e.otherwise, model))
    return TRUTH if e.type.tag == "bool" else UNKNOWN


def compared(e: tree.Compare, model: Model) -> Interval:
    """Whether a comparison always (1, 1) or never (0, 0) holds, as far as the intervals of its sides say."""
    (a, b), (c, d) = interval(e.left, model), interval(e.right, model)
    always, never = {
        "<": (_below(b, c), _not_above(d, a)),
        "<=": (_not_above(b, c), _below(d, a)),
        ">": (_below(d, a), _not_above(b, c)),
        ">=": (_not_above(d, a), _below(b, c)),
        "==": (a is not None and a == b == c == d, _below(b, c) or _below(d, a)),
        "!=": (_below(b, c) or _below(d, a), a is not None and a == b == c == d),
    }[e.op]
    return (1, 1) if always else (0, 0) if never else TRUTH


def joined(one: Interval, other: Interval) -> Interval:
    """What lies in either."""
    lows, highs = (one[0], other[0]), (one[1], other[1])
    low = None if None in lows else min(x for x in lows if x is not None)
    return low, None if None in highs else max(x for x in highs if x is not None)


def _below(high: int | None, low: int | None) -> bool:
    return high is not None and low is not None and high < low


def _not_above(high: int | None, low: int | None) -> bool:
    return high is not None and low is not None and high <= low


def _negated(one: Interval) -> Interval:
    return (-one[1] if one[1] is not None else None, -one[0] if one[0] is not None else None)


def _arith(op: str, one: Interval, other: Interval) -> Interval:
    if op == "-":
        op, other = "+", _negated(other)
    if op == "+":
        low = one[0] + other[0] if one[0] is not None and other[0] is not None else None
        return low, one[1] + other[1] if one[1] is not None and other[1] is not None else None
    ends = (*one, *other)
    if op == "*" and None not in ends:
        products = [a * b for a in one for b in other if a is not None and b is not None]
        return min(products), max(products)
    return UNKNOWN


def _logic(op: str, one: Interval, other: Interval) -> Interval:
    sides = (one, other)
    if op == "and":
        return (0, 0) if (0, 0) in sides else (1, 1) if sides == ((1, 1), (1, 1)) else TRUTH
    return (1, 1) if (1, 1) in sides else (0, 0) if sides == ((0, 0), (0, 0)) else TRUTH


def _flat(values: Iterable[int | tuple[int, ...]]) -> list[int]:
    found: list[int] = []
    for value in values:
        found.extend(value if isinstance(value, tuple) else (value,))
    return found


def _least(bound: Bound | None, model: Model) -> int | None:
    return bound if isinstance(bound, int) else min(_of(bound, model), default=None)


def _most(bound: Bound | None, model: Model) -> int | None:
    return bound if isinstance(bound, int) else max(_of(bound, model), default=None)


def _of(bound: str | None, model: Model) -> list[int]:
    """The numbers that a named bound may be."""
    if bound is None:
        return []
    if bound in model.numbers:
        return _flat(model.numbers[bound].by_players.values())
    option = model.options.get(bound.removeprefix("option."))
    return [option.low, option.high] if option is not None else []
