"""What is known of a calculation before any game: a division by zero, and numbers that are too large."""

from __future__ import annotations

from rulelang.base.numbers import LARGEST, calculated, sane
from rulelang.language.semantics import tree
from rulelang.language.semantics.check.checker import Checker


def settled(checker: Checker, e: tree.Const | tree.Arith) -> tree.Expr:
    """The expression; T430 for a division by a 0 that is written there (a warning where `numbers:` give it), T431 for
    what is too large."""
    if isinstance(e, tree.Const):
        return e if sane(e.value) else _too_large(checker, e)
    right = constant(e.right, checker)
    if e.op in ("/", "%") and right == 0:
        if constant(e.right, None) == 0:
            because = ""
            return checker.error("T430", e.right.span, "division by zero", because=because)
        checker.out.warning(
            "T430", e.right.span, "division by zero", because="the number is 0 for some or all numbers of players"
        )
        return e
    left = constant(e.left, None)
    if left is None or right is None or constant(e.right, None) is None:
        return e
    return e if calculated("//" if e.op == "/" else e.op, left, right) is not None else _too_large(checker, e)


def _too_large(checker: Checker, e: tree.Expr) -> tree.Expr:
    because = f"rules calculate with numbers from {-LARGEST:,} to {LARGEST:,}"
    return checker.error("T431", e.span, "this number is too large", because=because)


def constant(e: tree.Expr, checker: Checker | None) -> int | None:
    """What an expression always comes to, if that is written there; None if not. With a checker, a number of `numbers:`
    that is 0 for some table counts as 0."""
    match e:
        case tree.Const(value=value) if e.type.tag == "int" and not e.type.maybe:
            return value
        case tree.NumberRef(name=name, index=None) if checker is not None:
            return 0 if checker.symbols.may_be_zero(name) else None
        case tree.Negative(operand=operand):
            number = constant(operand, None)
            return None if number is None else -number
        case tree.BuiltinCall(name="min" | "max" as kind, args=args):
            found = [constant(arg, None) for arg in args]
            numbers = [n for n in found if n is not None]
            return None if len(numbers) < len(found) else min(numbers) if kind == "min" else max(numbers)
        case tree.Arith(op=op, left=left, right=right):
            a, b = constant(left, None), constant(right, None)
            return None if a is None or b is None else calculated("//" if op == "/" else op, a, b)
        case _:
            return None
