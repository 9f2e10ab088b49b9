"""What came of a trial is kept while nothing changes, and no longer: programs that ask again and again, with changes
between that the answer hangs on, play on the native backend as in Python, which keeps nothing."""

from __future__ import annotations

from random import Random

import pytest

from rulelang.compiler.backends.python.emit import emit
from rulelang.compiler.backends.python.link import link
from rulelang.compiler.ir import nodes as ir
from tests.backends.machine import C, L, at, module, plus, pure, routine
from tests.native.machine import native, needs_compiler
from tests.native.test_trials import WORDS

pytestmark = needs_compiler
#: How often something was found to go; and the words that trials look at.
TOLD, LOOKED = WORDS + 30, 4
ODD = ir.Arith("&", plus(L("a"), plus(at(WORDS), at(WORDS + 1))), C(1))


class Asking:
    """Some statements that ask and change, in loops and branches."""

    def __init__(self, random: Random) -> None:
        self.random, self.names = random, iter(f"n{k}" for k in range(1000))

    def block(self, depth: int) -> ir.Block:
        return tuple(self.stmt(depth) for _ in range(self.random.randrange(2, 5)))

    def stmt(self, depth: int) -> ir.Stmt:
        kinds = ["ask", "ask", "ask", "change", "call", "draw"] + (["branch", "loop", "while"] if depth else [])
        match self.random.choice(kinds):
            case "ask":
                return ir.Add(TOLD, None, self.asked())
            case "change":
                return ir.Add(WORDS, C(self.random.randrange(LOOKED)), C(1))
            case "call":
                return ir.CallRoutine("change", ())
            case "draw":
                return ir.Random(next(self.names), C(9), policy=True)
            case "branch":
                return ir.Branch(self.asked(), self.block(depth - 1), self.block(depth - 1))
            case "loop":
                return ir.ForRange(next(self.names), C(0), C(3), self.block(depth - 1))
            case _:
                left = TOLD + 1 + self.random.randrange(12)
                test = ir.Logic("and", (ir.Compare("<", at(left), C(20)), self.asked()))
                return ir.While(test, (ir.Add(left, None, C(1)), *self.block(depth - 1)))

    def asked(self) -> ir.Expr:
        number = C(self.random.randrange(3))
        match self.random.randrange(3):
            case 0:
                return ir.Trial("odd", (number,))
            case 1:
                return ir.Call("goes", (number,))
            case _:
                return ir.Call("twice", (number,))


@pytest.mark.parametrize("seed", range(3))
def test_a_change_between_is_seen(seed: int) -> None:
    asking = Asking(Random(seed))
    odd = routine("odd", "a", ir.Add(WORDS + 2, None, C(1)), ir.Ensure(ODD, 1))
    # a trial in which another asks before and after a change
    within = (ir.Add(TOLD + 20, None, ir.Trial("odd", (L("a"),))), ir.Add(WORDS + 1, None, C(1)))
    nested = routine("nested", "a", *within, ir.Ensure(ir.Trial("odd", (L("a"),)), 1))
    both = ir.Logic("and", (ir.Trial("nested", (L("a"),)), ir.Not(ir.Trial("odd", (L("a"),)))))
    goes = pure("goes", "a", ir.Return(ir.Trial("odd", (L("a"),))))
    twice = pure("twice", "a", ir.Return(ir.If(both, C(1), ir.Trial("nested", (plus(L("a"), C(1)),)))))
    change = routine("change", "", ir.Add(WORDS + 1, None, C(1)))
    main = routine("main", "", *(stmt for _ in range(12) for stmt in asking.block(3)))
    made = module(main, odd, nested, goes, twice, change)
    words = []
    for game in (link(emit(made).source, made), native(made)):
        S = game.initial
        game.sample(S)
        words.append(list(S))
    assert words[0] == words[1]
    assert words[0][TOLD] > 20
