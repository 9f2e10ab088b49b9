"""Calls in loops become what the function comes to before it looks through anything; what comes of it stays."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.analysis import failing_functions
from rulelang.compiler.ir.walk import all_exprs, all_statements
from rulelang.compiler.passes.common_subexpressions import eliminate_common
from rulelang.compiler.passes.inline import PartialInlining
from tests.backends.machine import C, L, at, here, module, plus, program, pure, routine

#: Words from here on are marks, others from here on numbers.
MARKS, NUMBERS = 100, 110
MARK = ir.Arith("&", at(MARKS, L("a")), C(2))
LOOP = ir.ForRange("k", C(0), at(NUMBERS, L("a")), (ir.Set("acc", plus(L("acc"), L("k"))),))
#: A number unless a mark says that more is to be done.
SUM = pure("sum", "a", ir.Set("acc", at(NUMBERS, L("a"))), ir.Branch(MARK, (LOOP,)), ir.Return(L("acc")))
#: Tests that end it one after the other, and a last one that begins a loop.
LARGE = ir.Compare(">", at(NUMBERS, L("a")), C(2))
ENDS = pure(
    "ends", "a b", ir.Branch(ir.Compare("==", L("a"), L("b")), (ir.Return(C(0)),)),
    ir.Branch(LARGE, (ir.Return(C(1)),)), ir.Set("acc", C(0)), LOOP, ir.Return(L("acc")),
)  # fmt: skip
ROUND: ir.Block = (
    ir.Store(200, None, plus(at(200), ir.Call("sum", (L("i"),)))),
    ir.Branch(ir.Call("ends", (L("i"), C(3))), (ir.Add(201, None, C(1)),)),
    ir.Branch(ir.Not(ir.Call("ends", (C(4), L("i")))), (ir.Add(202, None, C(1)),)),
)


def inlining(*functions: ir.Function) -> PartialInlining:
    made = module(*functions)
    return PartialInlining(made.functions, failing_functions(made))


def called(block: ir.Block) -> list[str]:
    return [e.function for s in all_statements(block) for e in all_exprs(s) if isinstance(e, ir.Call)]


def test_what_is_tested_first_stands_in_the_place_of_the_call() -> None:
    assert inlining(SUM).of("sum") == ir.If(MARK, ir.Call("sum", (L("a"),)), at(NUMBERS, L("a")))
    same = ir.Compare("==", L("a"), L("b"))
    rest = ir.If(LARGE, C(1), ir.Call("ends", (L("a"), L("b"))))
    assert inlining(ENDS).of("ends") == ir.If(same, C(0), rest)


def test_only_calls_in_loops_are_inlined_and_only_by_names() -> None:
    call, looked_up = ir.Call("sum", (L("i"),)), ir.Call("sum", (at(50),))
    loop = ir.ForRange("i", C(0), C(3), (ir.Store(200, None, call), ir.Store(201, None, looked_up)))
    outside, inlined = inlining(SUM).inlined((ir.Store(199, None, call), loop))
    assert outside == ir.Store(199, None, call)
    assert isinstance(inlined, ir.ForRange)
    first, second = inlined.body
    assert isinstance(first, ir.Store)
    assert first.value == ir.If(ir.Arith("&", at(MARKS, L("i")), C(2)), call, at(NUMBERS, L("i")))
    assert second == ir.Store(201, None, looked_up)


FAILS = pure("fails", "a", ir.Branch(LARGE, (ir.Fail("X601", here(1), "no", ()),)), ir.Return(L("a")))
COUNTED = ir.Set("acc", C(0)), LOOP
TWICE = (ir.Set("n", plus(at(NUMBERS, L("a")), C(1))), ir.Branch(LARGE, (LOOP,)))


@pytest.mark.parametrize(
    "function",
    [
        replace(SUM, recursive=True),
        pure("sum", "a", *COUNTED, ir.Return(L("acc"))),  # nothing comes before its loop
        pure("sum", "a", ir.Branch(MARK, (*COUNTED, ir.Return(L("acc")))), ir.Return(C(0))),  # as `inline` has it
        pure("sum", "a", *TWICE, ir.Return(plus(L("n"), L("n")))),  # it would be worked out twice
        pure("sum", "a", ir.Set("n", ir.Call("fails", (L("a"),))), TWICE[1], ir.Return(L("n"))),
    ],
)  # fmt: skip
def test_what_has_no_opening(function: ir.Function) -> None:
    assert inlining(function, FAILS).of("sum") is None


@given(st.lists(st.integers(0, 3), min_size=6, max_size=6), st.lists(st.integers(-1, 4), min_size=6, max_size=6))
@settings(max_examples=60)
def test_what_comes_of_calls_stays(marks: list[int], numbers: list[int]) -> None:
    stores = [ir.Store(MARKS + i, None, C(word)) for i, word in enumerate(marks)]
    stores += [ir.Store(NUMBERS + i, None, C(word)) for i, word in enumerate(numbers)]
    known = inlining(SUM, ENDS)
    loop = ir.ForRange("i", C(0), C(6), ROUND)
    assert len(called(known.inlined((loop,)))) == len(called((loop,))) == 3  # each where there is more to do
    counted = [sum(range(number)) for number in numbers]
    by_hand = [0, 0, 0]
    for i in range(6):
        by_hand[0] += numbers[i] + (counted[i] if marks[i] & 2 else 0)
        by_hand[1] += int(i != 3 and (numbers[i] > 2 or counted[i] > 0))
        by_hand[2] += int(i == 4 or not (numbers[4] > 2 or counted[4] > 0))
    made = module(routine("main", "", *stores, loop), SUM, ENDS)
    game = program(made)
    S = game.initial
    game.names["DIRECT_"]["main"](S)
    assert S[200:203] == by_hand


def test_a_word_that_is_surely_read_is_read_before_it_may_be() -> None:
    word, other = at(MARKS, L("a")), at(NUMBERS, L("a"))
    maybe = ir.Branch(ir.Logic("and", (L("b"), word)), (ir.Set("r", C(1)),))
    surely = ir.Branch(ir.Compare("<", word, C(3)), (ir.Set("r", plus(word, C(1))),))
    given = frozenset(("a", "b"))
    first, *rest = eliminate_common((maybe, surely), given=given)
    assert isinstance(first, ir.Set)
    assert first.value == word
    assert word not in [e for s in all_statements(tuple(rest)) for e in all_exprs(s)]
    # Not before what it is read by is set, nor where nobody surely reads it.
    change = ir.Set("a", plus(L("a"), C(1)))
    assert eliminate_common((maybe, change, surely), given=given)[0] == maybe
    unsure = ir.Branch(ir.Logic("and", (other, word)), (ir.Set("r", C(1)),))
    assert eliminate_common((maybe, unsure), given=given) == (maybe, unsure)
