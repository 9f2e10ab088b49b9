"""Values in which two parameters can be exchanged: the body stays the same up to the order of commutative operands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass

from rulelang.base.source import Span
from rulelang.language.semantics import tree

#: Functions whose arguments may come in any order.
_FREE = ("adjacent", "count", "max", "min")
_MIRRORED = {">": "<", ">=": "<="}

Form = tuple[object, ...]


class Symmetry:
    """Proves from bodies that values are symmetric. A value that hooks modify is not taken for one."""

    def __init__(self, program: tree.Program) -> None:
        self.program = program
        self._modified = {modify.pattern.event for modify in program.modifies}
        self._known: dict[tuple[str, int, int], bool] = {}

    def holds(self, value: str, first: int, second: int) -> bool:
        """Return True if exchanging these two arguments (from 0) changes nothing, whatever they are."""
        low, high = sorted((first, second))
        key = (value, low, high)
        if key not in self._known:
            self._known[key] = False  # also while it is being worked out
            self._known[key] = self._proved(value, low, high)
        return self._known[key]

    def _proved(self, value: str, first: int, second: int) -> bool:
        declared = self.program.values.get(value)
        if declared is None or value in self._modified or second >= len(declared.params):
            return False
        a, b = declared.params[first], declared.params[second]
        if a.type != b.type:
            return False
        return self._form(declared.body, {}) == self._form(declared.body, {a.name: b.name, b.name: a.name})

    def _form(self, item: object, names: Mapping[str, str]) -> Form:
        """Return the same for trees that differ only in places and in the order of commutative operands."""
        match item:
            case tree.LocalRef(local=local):
                return ("local", names.get(local.name, local.name))
            case tree.Logic(op=op):
                return (op, *_sorted([self._form(part, names) for part in _operands(item)]))
            case tree.Arith(op="+" | "*" as op, left=left, right=right):
                return (op, *_sorted([self._form(left, names), self._form(right, names)]))
            case tree.Compare(op=op, left=left, right=right):
                sides = [self._form(left, names), self._form(right, names)]
                if op in ("==", "!="):
                    return (op, *_sorted(sides))
                return (_MIRRORED[op], sides[1], sides[0]) if op in _MIRRORED else (op, *sides)
            case tree.IfElse(test=tree.Compare() as test, then=then, otherwise=otherwise) if test.op in ("<", ">"):
                # Which side of a comparison comes first says nothing if the branches change places with them. Where
                # the sides are equal, so are the branches of a distance: `a - b if a > b else b - a`.
                _, low, high = self._form(test, names)
                branches = [self._form(then, names), self._form(otherwise, names)]
                ordered = repr(low) <= repr(high)
                return ("if", *((low, high, *branches) if ordered else (high, low, *branches[::-1])))
            case tree.BuiltinCall(name=name, args=args, zones=()) if name in _FREE:
                return (name, *_sorted([self._form(arg, names) for arg in args]))
            case tree.ValueCall(value=value, args=args):
                return ("value", value, *self._arguments(value, [self._form(arg, names) for arg in args]))
            case tuple():
                return tuple([self._form(part, names) for part in item])
        if type(item).__module__ == tree.__name__ and is_dataclass(item):
            parts = [getattr(item, field.name) for field in fields(item)]
            return (type(item).__name__, *(self._form(part, names) for part in parts if not isinstance(part, Span)))
        return (item,)

    def _arguments(self, value: str, args: list[Form]) -> list[Form]:
        """Put arguments that the called value lets be exchanged into one order."""
        for _ in args:
            for first in range(len(args) - 1):
                second = first + 1
                if repr(args[first]) > repr(args[second]) and self.holds(value, first, second):
                    args[first], args[second] = args[second], args[first]
        return args


def _operands(node: tree.Logic) -> list[tree.Expr]:
    """Return the operands of nested `and`, or of nested `or`."""
    found: list[tree.Expr] = []
    for side in (node.left, node.right):
        found += _operands(side) if isinstance(side, tree.Logic) and side.op == node.op else [side]
    return found


def _sorted(forms: list[Form]) -> list[Form]:
    return sorted(forms, key=repr)
