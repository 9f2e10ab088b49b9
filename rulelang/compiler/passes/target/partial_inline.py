"""Partial inlining: what a pure function mostly comes to is worked out where it is called. In Python a call costs about
as much as eight words.

Of a function that tests before it looks through anything, the tests and what they come to without a loop are its
opening. A call becomes that expression, in which the call itself stands wherever there is more to do. (Small functions
are put in place for all backends, by `simplify.inline`, and so is a test without which a function is one constant.)
"""

from __future__ import annotations

from collections.abc import Mapping

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import LOOPS, rewrite_block, statements, substitute, with_blocks, with_inner
from rulelang.compiler.passes.analysis.cost import size
from rulelang.compiler.passes.analysis.failing import may_fail
from rulelang.compiler.passes.simplify.fold import fold

#: Nodes of an opening at most, and of what a test comes to that holds.
SIZE, ASIDE = 60, 10
#: Tests behind each other that are looked at: that do not hold, and behind one that does.
TESTS, NESTED = 12, 2


class PartialInlining:
    """Into the calls of the functions of a module. `failing`: the functions that may fail."""

    def __init__(self, functions: Mapping[str, ir.Function], failing: set[str]) -> None:
        self.functions, self.failing = functions, failing
        self.known: dict[str, ir.Expr | None] = {}

    def inlined(self, block: ir.Block) -> ir.Block:
        """A block, calls in its loops partly inlined; those outside are too few to write more for them."""
        if not any(isinstance(stmt, LOOPS) for stmt in statements(block)):
            return block
        return tuple(self._all(s) if isinstance(s, LOOPS) else with_blocks(s, self.inlined) for s in block)

    def _all(self, loop: ir.Stmt) -> ir.Stmt:
        def change(expr: ir.Expr) -> ir.Expr:
            if not isinstance(expr, ir.Call):
                return expr
            opening = self.of(expr.function)
            if opening is None or not all(isinstance(arg, (ir.Local, ir.Const)) for arg in expr.args):
                return expr
            return substitute(opening, self.functions[expr.function].params, expr.args)

        return with_blocks(loop, lambda body: rewrite_block(body, change))

    def of(self, name: str) -> ir.Expr | None:
        """A function's opening, None if it has none."""
        if name not in self.known:
            self.known[name] = self._opening(self.functions[name])
        return self.known[name]

    def _opening(self, function: ir.Function) -> ir.Expr | None:
        if function.kind != "pure" or function.recursive or function.lists or len(function.body) < 2:
            return None
        call = ir.Call(function.name, tuple(map(ir.Local, function.params)))
        found = _value(function.body, {}, call, TESTS)
        match found:
            case ir.If(_, ir.Call(), ir.Const()):  # the test stands before its calls already
                return None
        # What may fail would be worked out later there, or not at all.
        failing = any(isinstance(s, ir.Set) and may_fail(s.value, self.failing) for s in statements(function.body))
        return None if isinstance(found, ir.Call) or size(found) > SIZE or failing else found


def _value(block: ir.Block, known: Mapping[str, ir.Expr], call: ir.Call, room: int) -> ir.Expr:
    """What a block comes to, by the values of locals that it has set; the call where there is more to do. `room`: how
    many tests may still be looked at, one behind the other."""

    def told(expr: ir.Expr) -> ir.Expr:
        return substitute(expr, tuple(known), tuple(known.values()))

    match block:
        case (ir.Return(value), *_) if value is not None:
            return told(value)
        case (ir.Set(name, value), *rest):
            kept = ir.Local(f"{name}#{room}")
            found = _value(tuple(rest), {**known, name: kept}, call, room - 1)
            if sum(expr == kept for expr in with_inner(found)) > 1:
                return call
            return substitute(found, (kept.name,), (told(value),))
        case (ir.Branch(test, then, otherwise), *rest) if room > 0:
            other = _value((*otherwise, *rest), known, call, room - 1)
            one = _value((*then, *rest), known, call, min(room - 1, NESTED))
            if size(one) > ASIDE:
                one = call
            return call if one == other == call else fold(ir.If(told(test), one, other))
        case _:
            return call
