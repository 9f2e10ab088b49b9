"""Decisions that are drawn, not counted, are drawn alike on both backends."""

from __future__ import annotations

import pytest

from rulelang.compiler.backends.python.emit import emit
from rulelang.compiler.backends.python.link import link
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.passes.choice.strategy import plan_sampling
from tests.backends.machine import CELLS, C, L, at, enumerator, module, plus, routine
from tests.native.machine import native, needs_compiler

pytestmark = needs_compiler
ZONE, OUT = 40, 60


@pytest.mark.parametrize("many", [100, 400])
def test_lists_are_drawn_from_alike(many: int) -> None:
    """Also where there are more options than are listed."""
    dear = ir.ArrayHas(C(ZONE), ir.Arith("%", L("i"), C(7)))
    one = enumerator("one", "", ir.ForRange("i", C(0), C(many), (ir.Branch(dear, (ir.Yield((L("i"), C(1))),)),)))
    two = enumerator("two", "", ir.ForRange("k", C(0), C(many), (ir.Yield((L("k"), C(2))),)))
    pick = ir.Pick(1, C(1), (ir.Source(3, "one", ()), ir.Source(4, "two", ())), C(1), "tag", ("a", "b"))
    seen = ir.Store(OUT, None, ir.Arith("+", ir.Arith("*", at(OUT), C(3)), plus(L("tag"), plus(L("a"), L("b")))))
    kept = ir.Store(OUT, None, ir.Arith("%", at(OUT), C(1_000_003)))
    made = module(routine("main", "", ir.ForRange("n", C(0), C(50), (pick, seen, kept))), one, two)
    made.initial[ZONE : ZONE + 4] = [3, 1, 2, 5]
    assert plan_sampling(made)[1].strategies == {pick: "listed"}
    states = []
    for game in (link(emit(made).source, made), native(made)):
        S = game.initial
        game.sample(S)
        states.append(list(S))
    assert states[0] == states[1]
    assert states[0][CELLS.decisions] == 50
