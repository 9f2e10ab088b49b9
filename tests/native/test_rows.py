"""Loops that do nothing where a word of a row is 0 go over the others only, where nothing in them changes the words."""

from __future__ import annotations

import random

import pytest

from rulelang.backends.native.build import CHECKED
from rulelang.backends.native.emit import emit
from rulelang.backends.native.slots import Rows, rows_of
from rulelang.ir import nodes as ir
from tests.backends.machine import SIZE, C, L, at, module, plus, program, pure, routine
from tests.native.machine import native, needs_compiler

ROW = plus(ir.Arith("*", L("s"), C(20)), L("x"))
THERE = ir.Compare(">", at(100, ROW), C(0))
NEAR = at(200, plus(L("x"), ir.Arith("*", L("t"), C(20))))
END = C(19)
COUNTED = ir.Set("n", plus(L("n"), L("x")))


def loop(*body: ir.Stmt, end: ir.Expr = END, test: ir.Expr = THERE) -> ir.ForRange:
    return ir.ForRange("x", C(1), end, (ir.Branch(test, body or (COUNTED,)),))


def never(_: ir.Expr) -> bool:
    return False


def rows(stmt: ir.ForRange) -> Rows | None:
    return rows_of(stmt, never)


def test_the_words_are_seen_beside_each_other() -> None:
    own = at(100, plus(ir.Arith("*", L("s"), C(20)), C(1)))
    assert rows(loop()) == Rows((own,), 18)
    both = ir.Logic("and", (L("p"), THERE, NEAR, THERE))
    found = rows(loop(test=both))
    assert found is not None
    assert found.first == (own, at(200, plus(ir.Arith("*", L("t"), C(20)), C(1))))


@pytest.mark.parametrize(
    "other",
    [
        loop(ir.Store(100, L("s"), C(1))),
        loop(ir.CallRoutine("do_it", ())),
        loop(ir.Set("x", C(3))),
        loop(ir.Set("s", C(3))),
        loop(end=C(7)),
        loop(end=C(90)),
        loop(end=L("p")),
        loop(test=ir.Compare(">=", at(100, ROW), C(0))),
        loop(test=ir.Compare("<", at(100, ROW), C(3))),
        loop(test=ir.Not(at(100, ROW))),
        loop(test=ir.Logic("or", (THERE, NEAR))),
        loop(test=at(100, ir.Arith("*", L("x"), C(20)))),
        loop(test=at(100, plus(L("x"), L("x")))),
        loop(test=at(100, L("s"))),
        ir.ForRange("x", C(1), C(19), (ir.Branch(THERE, (COUNTED,), (COUNTED,)),)),
        ir.ForRange("x", C(1), C(19), (ir.Branch(THERE, (COUNTED,)), COUNTED)),
    ],
)
def test_what_does_something_for_every_number_or_changes_the_words_goes_over_all(other: ir.ForRange) -> None:
    assert rows(other) is None


def test_what_may_fail_is_asked_before_what_follows() -> None:
    failing = ir.Call("may_fail", (L("x"),))
    first, last = ir.Logic("and", (failing, THERE)), ir.Logic("and", (THERE, failing))
    assert rows_of(loop(test=first), lambda e: e == failing) is None
    assert rows_of(loop(test=last), lambda e: e == failing) is not None


@needs_compiler
@pytest.mark.parametrize("checked", [False, True], ids=["trusted", "checked"])
@pytest.mark.parametrize("count", [8, 11, 18, 63, 64])
def test_they_come_to_the_same_as_in_python(count: int, checked: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of rows of any length, also of words less than 0 and of two rows at once."""
    end = C(count + 1)
    answer = ir.Return(L("n"))
    both = ir.Logic("and", (at(100, ROW), NEAR))
    enough = ir.Branch(ir.Compare(">", L("x"), C(5)), (ir.Break(),))
    made = module(
        pure("sum", "s", ir.Set("n", C(0)), loop(end=end), answer),
        pure("first", "s t", loop(ir.Return(L("x")), end=end, test=both), ir.Return(C(0))),
        pure("last", "s", ir.Set("n", C(0)), loop(ir.Set("n", L("x")), enough, end=end), answer),
        routine("main", ""),
    )
    if checked:
        monkeypatch.setattr("tests.native.machine.emit", _checked)
    one, other = program(made), native(made)
    chance = random.Random(count)
    for _ in range(60):
        S = one.initial
        for place in range(100, SIZE - 100):
            S[place] = chance.choice((0, 0, 0, 0, 0, 1, 2, -1, 2**31 - 1, -(2**31)))
        for name, given in (("sum", [1]), ("first", [0, 1]), ("last", [2])):
            assert one.pure(S, name, given) == other.pure(S, name, given)


def _checked(made: ir.Module) -> object:
    found = emit(made)
    return type(found)(CHECKED + found.source, found.link_info)
