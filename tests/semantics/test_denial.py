"""`not` moves inward, and what it denies stays denied, also where something is neither true nor false."""

from __future__ import annotations

from itertools import product

import pytest

from rulelang.base.source import NOWHERE
from rulelang.language.semantics import tree
from rulelang.language.semantics.denial import inward
from rulelang.language.semantics.model import BOOL, INT


def is_(number: int) -> tree.Expr:
    """A condition that joins no others and is told apart by its number."""
    return tree.Present(BOOL, NOWHERE, tree.Const(INT, NOWHERE, number))


def less(number: int) -> tree.Compare:
    return tree.Compare(BOOL, NOWHERE, "<", tree.Const(INT, NOWHERE, number), tree.Const(INT, NOWHERE, 9))


def denied(e: tree.Expr) -> tree.Not:
    return tree.Not(BOOL, NOWHERE, e)


def joined(op: str, left: tree.Expr, right: tree.Expr) -> tree.Expr:
    return tree.Logic(BOOL, NOWHERE, op, left, right)  # type: ignore[arg-type]


CASES = (
    denied(is_(1)),
    denied(denied(is_(1))),
    denied(denied(denied(joined("and", is_(1), less(2))))),
    denied(joined("or", denied(is_(1)), joined("and", is_(2), denied(denied(is_(3)))))),
    denied(tree.IfElse(BOOL, NOWHERE, is_(1), denied(less(2)), joined("or", is_(3), is_(1)))),
)


def came(e: tree.Expr, values: dict[int, bool | None]) -> bool | None:
    """Evaluate a condition in three values, as the language reference defines them."""
    match e:
        case tree.Present(operand=tree.Const(value=number)) | tree.Compare(op="<", left=tree.Const(value=number)):
            return values[number]
        case tree.Compare(op=">=", left=tree.Const(value=number)):
            return None if values[number] is None else not values[number]
        case tree.Not(operand=operand):
            found = came(operand, values)
            return None if found is None else not found
        case tree.Logic(op=op, left=left, right=right):
            sides = came(left, values), came(right, values)
            decides = op == "or"
            return decides if decides in sides else None if None in sides else not decides
        case tree.IfElse(test=test, then=then, otherwise=otherwise):
            return came(then if came(test, values) else otherwise, values)
    raise AssertionError(e)


def stands_inside(e: tree.Expr) -> bool:
    """Whether each `not` that `inward` has made is before a condition that joins no others."""
    match e:
        case tree.Not(operand=operand):
            return isinstance(operand, tree.Present)
        case tree.Logic(left=left, right=right):
            return all(stands_inside(inward(side) if isinstance(side, tree.Not) else side) for side in (left, right))
    return True


@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
def test_the_denial_comes_to_the_same(case: tree.Not) -> None:
    moved = inward(case)
    assert stands_inside(moved)
    for values in product((True, False, None), repeat=3):
        known = dict(enumerate(values, 1))
        assert came(moved, known) == came(case, known), known
