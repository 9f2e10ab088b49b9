"""The passes over functions that only read change what is asked, not what comes of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulelang.compiler.backends.python.emit import emit
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.verify import verify
from rulelang.compiler.passes.bit_tests import as_bit_table, merge_bit_tests
from rulelang.compiler.passes.fold import drop_redundant_tests, fold_expression
from rulelang.compiler.passes.inline import specialise
from rulelang.compiler.passes.loops import scalarise_lists
from tests.backends.machine import C, L, at, enumerator, module, plus, program, pure, routine
from tests.backends.test_enumerators import MARK, ROWS, TABLES, conditions, nests, setup, words

Pass = Callable[[ir.Block], ir.Block]


@given(st.sampled_from((drop_redundant_tests, merge_bit_tests)), nests(3, ("p",), False), words)
@settings(max_examples=150)
def test_options_stay_the_same(change: Pass, body: ir.Block, start: list[int]) -> None:
    functions = (enumerator("before", "p", *body), enumerator("after", "p", *change(body)))
    made = module(routine("main", "", *setup(start)), *functions, tables=TABLES, rows=ROWS)
    assert verify(made) == []
    game = program(made)
    S = game.initial
    game.names["DIRECT_"]["main"](S)
    listed: dict[str, list[tuple[int, ...]]] = {"before": [], "after": []}
    for name, options in listed.items():
        game.names[f"l_{name}"](S, options, 0, 1)
    assert sorted(listed["before"]) == sorted(listed["after"])


@given(st.lists(st.tuples(conditions(("p", "q")), conditions(("p", "q")), st.integers(0, 1)), max_size=5), words)
@settings(max_examples=100)
def test_answers_stay_the_same(guards: list[tuple[ir.Expr, ir.Expr, int]], start: list[int]) -> None:
    """A row of guards, some of them in others; called with constants too."""
    parts = (ir.Branch(one, (ir.Branch(other, (ir.Return(C(answer)),)),)) for one, other, answer in guards)
    body = (*parts, ir.Return(C(7)))
    asked = [
        pure(f"f{i}", "p q r", *change(body)) for i, change in enumerate((tuple, drop_redundant_tests, merge_bit_tests))
    ]
    calls = [
        ir.Store(200 + 2 * i + k, None, ir.Call(f.name, (one, C(2), C(9))))
        for i, f in enumerate(asked)
        for k, one in enumerate((C(1), at(20)))
    ]
    made = module(routine("main", "", *setup(start), *calls), *asked, tables=TABLES, rows=ROWS)
    assert verify(made) == []
    game = program(made)  # which makes functions for calls with constants
    S = game.initial
    game.names["DIRECT_"]["main"](S)
    plain = [game.names["PURE_"]["f0"](S, one, 2, 9) for one in (1, S[20])]
    assert S[200:206] == plain * 3


def mark(bits: int, item: str = "x") -> ir.Expr:
    return ir.Arith("&", at(MARK, L(item)), C(bits))


NO, YES = ir.Return(C(0)), ir.Return(C(1))


def test_marks_of_one_word_are_asked_for_at_once() -> None:
    one, two = ir.Branch(mark(1), (NO,)), ir.Branch(mark(2), (ir.Branch(at(5), (NO,)),))
    other = ir.Branch(mark(4, "y"), (NO,))
    assert merge_bit_tests((one, two, YES)) == (ir.Branch(mark(3), (one, two)), YES)
    # Whichever of these says no comes to the same; one that says yes must come where it stands.
    assert merge_bit_tests((one, other, two, YES)) == (ir.Branch(mark(3), (one, two)), other, YES)
    yes = ir.Branch(mark(4, "y"), (YES,))
    assert merge_bit_tests((one, yes, two, NO)) == (one, yes, two, NO)
    moves = ir.Branch(mark(2), (ir.Set("x", C(3)),))
    assert merge_bit_tests((one, moves, two, YES)) == (one, moves, two, YES)


def test_what_was_asked_is_known() -> None:
    small, marked = ir.Compare("<", L("x"), C(3)), mark(1)
    again = ir.Return(ir.If(ir.Logic("and", (small, marked)), C(1), C(2)))
    assert drop_redundant_tests((ir.Branch(small, (ir.Branch(marked, (again,)),)),)) == (
        ir.Branch(small, (ir.Branch(marked, (YES,)),)),
    )
    assert drop_redundant_tests((ir.Branch(small, (NO,)), ir.Return(small))) == (ir.Branch(small, (NO,)), NO)
    # A mark is a number: only whether it is there is known.
    assert drop_redundant_tests((ir.Branch(marked, (ir.Return(marked),)),)) == (
        ir.Branch(marked, (ir.Return(marked),)),
    )
    # What is set between, or in an earlier round, is not.
    between = (ir.Branch(small, (ir.Set("x", C(5)), ir.Return(small))),)
    assert drop_redundant_tests(between) == between
    rounds = (ir.Branch(small, (ir.ForRange("i", C(0), C(2), (ir.Branch(small, (ir.Set("x", L("i")),)),)),)),)
    assert drop_redundant_tests(rounds) == rounds


def test_a_list_of_one_item_goes() -> None:
    due: ir.Block = (
        ir.NewList("due", 3),
        ir.Branch(at(5), (ir.Append("due", at(6)),)),
        ir.ForList("item", "due", (ir.Store(7, None, L("item")),)),
    )
    more = ir.Compare(">", ir.Length("due"), C(1))
    put_in_order = ir.Branch(more, (ir.Sort("due", "it", (ir.SortKey(L("it"), False),)),))
    made = module(
        routine("main", "", *due),
        routine("sorted", "", *due[:2], put_in_order, due[2]),
        routine("counted", "", *due, ir.Store(8, None, ir.Length("due"))),
        routine("broken", "", *due[:2], ir.ForList("item", "due", (ir.Break(),))),
    )
    scalarise_lists(made)
    assert made.functions["main"].body == (ir.Branch(at(5), (ir.Set("item", at(6)), ir.Store(7, None, L("item")))),)
    assert made.functions["sorted"].body == made.functions["main"].body
    assert isinstance(made.functions["counted"].body[0], ir.NewList)
    assert isinstance(made.functions["broken"].body[0], ir.NewList)


def test_calls_with_constants_get_functions_of_their_own() -> None:
    asks = pure("asks", "a kind n", ir.Branch(ir.Compare("<=", L("n"), C(0)), (NO,)), ir.Return(at(20, L("a"))))
    stores = [ir.Store(200 + i, None, ir.Call("asks", args)) for i, args in enumerate(
        ((at(5), C(1), C(3)), (at(5), C(2), C(3)), (at(5), C(1), C(0)), (at(5), C(1), at(6)))
    )]  # fmt: skip
    made = specialise(module(routine("main", "", *stores), asks))
    calls = [s.value for s in made.functions["main"].body if isinstance(s, ir.Store)]
    # The kind is never read, so one function serves the first two.
    assert calls == [
        ir.Call("asks@1", (at(5),)), ir.Call("asks@1", (at(5),)), ir.Call("asks@2", (at(5),)),
        ir.Call("asks@3", (at(5), at(6))),
    ]  # fmt: skip
    assert made.functions["asks"] == asks
    assert [made.functions[f"asks@{i}"].body for i in (1, 2)] == [(ir.Return(at(20, L("a"))),), (NO,)]


def test_numbers_by_bits_are_looked_up() -> None:
    def group(bits: int, shift: int) -> ir.Expr:
        return ir.Arith(">>", mark(bits), C(shift))

    whole = plus(plus(group(4, 2), group(8, 2)), C(1))
    assert as_bit_table(whole) == (at(MARK, L("x")), 12, (1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4))
    assert as_bit_table(plus(group(4, 2), C(1))) is None
    assert as_bit_table(plus(group(4, 2), ir.Arith(">>", mark(8, "y"), C(2)))) is None
    assert as_bit_table(plus(group(4, 2), plus(group(8, 2), L("x")))) is None
    assert as_bit_table(plus(group(4, 2), group(1 << 20, 2))) is None
    made = module(routine("main", "x", ir.Store(200, None, whole)))
    S = program(made).initial
    for word, value in ((0, 1), (4, 2), (8, 3), (13, 4)):
        S[MARK + 2] = word
        program(made).names["DIRECT_"]["main"](S, 2)
        assert S[200] == value


def test_what_is_added_to_a_choice_goes_into_its_table() -> None:
    several = ir.Arith(">>", mark(4), C(2)), ir.Arith(">>", mark(8), C(2))
    chosen = plus(ir.If(at(50), at(51), plus(*several)), C(3))
    made = module(routine("main", "x", ir.Store(200, None, chosen)))
    assert "(3, 0, 0, 0, 4, 0, 0, 0, 5, 0, 0, 0, 6)" in emit(made).source
    S = program(made).initial
    for S[50], S[51], S[MARK + 2], value in ((0, 7, 12, 6), (0, 7, 0, 3), (1, 7, 12, 10), (1, -3, 0, 0)):
        program(made).names["DIRECT_"]["main"](S, 2)
        assert S[200] == value


@pytest.mark.parametrize(
    ("expr", "folded"),
    [
        (ir.Compare(">", ir.Arith("-", L("a"), L("b")), C(0)), ir.Compare(">", L("a"), L("b"))),
        (plus(C(1), ir.If(L("t"), L("a"), C(0))), ir.If(L("t"), plus(L("a"), C(1)), C(1))),
        (ir.Compare(">", ir.If(L("t"), L("a"), C(0)), C(0)), ir.Logic("and", (L("t"), ir.Compare(">", L("a"), C(0))))),
        (
            ir.Compare("<=", ir.If(L("t"), L("a"), C(0)), C(0)),
            ir.Logic("or", (ir.Not(L("t")), ir.Compare("<=", L("a"), C(0)))),
        ),
    ],
)  # fmt: skip
def test_comparisons_are_made_plain(expr: ir.Expr, folded: ir.Expr) -> None:
    assert fold_expression(expr) == folded


def test_a_function_that_calls_itself_is_left_alone() -> None:
    again = pure("again", "n", ir.Branch(L("n"), (ir.Return(ir.Call("again", (C(0),))),)), YES)
    made = module(routine("main", "", ir.Store(200, None, ir.Call("again", (C(3),)))), again)
    assert specialise(made).functions == made.functions
