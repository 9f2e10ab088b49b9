"""Loops that do nothing where a word of a row is 0 go over the others only, where nothing in them changes the words;
words of a row are added up several at once."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest

from rulelang.base.layout import KindLayout, TableLayout
from rulelang.compiler.backends.native.build import CHECKED
from rulelang.compiler.backends.native.emit import emit
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.passes.checked_arithmetic import CellRanges
from rulelang.compiler.passes.loops import CellRow, LoopRows, row_total, rows_of
from tests.backends.machine import SIZE, C, L, at, layout, module, plus, program, pure, routine
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


def rows(stmt: ir.ForRange) -> LoopRows | None:
    return rows_of(stmt, never, MADE)


#: Slots of things, in which one lies where the word is not 0; each has a row of words.
ALIVE = at(60, L("s"))
THINGS = ir.ForRange("s", C(1), C(6), (ir.Branch(ir.Logic("and", (ALIVE, THERE)), (ir.Return(C(1)),)),))
NONE = ir.Return(C(0))
CALL = ir.Call("any", (L("x"),))
MADE = module(pure("any", "x", THINGS, NONE), pure("may_fail", "x", ir.Return(L("x"))))
MADE.tables |= {"t": (3, 4, 5), "wide": (3, 2**40)}


def test_the_words_are_seen_beside_each_other() -> None:
    own = at(100, plus(ir.Arith("*", L("s"), C(20)), C(1)))
    assert rows(loop()) == LoopRows((CellRow(own),), 18)
    both = ir.Logic("and", (L("p"), THERE, NEAR, THERE))
    found = rows(loop(test=both))
    assert found is not None
    assert found.rows == (CellRow(own), CellRow(at(200, plus(ir.Arith("*", L("t"), C(20)), C(1)))))


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
    assert rows_of(loop(test=first), lambda e: e == failing, MADE) is None
    assert rows_of(loop(test=last), lambda e: e == failing, MADE) is not None


OWN = at(100, plus(ir.Arith("*", L("s"), C(20)), C(1)))


@pytest.mark.parametrize("most", [at(7), at(60, L("s")), ir.Table("t", L("s")), ir.Table("t", at(60, L("s")))])
def test_words_above_another_one_are_seen_beside_each_other(most: ir.Expr) -> None:
    for test in (ir.Compare(">", at(100, ROW), most), ir.Compare("<", most, at(100, ROW))):
        assert rows(loop(test=test)) == LoopRows((CellRow(OWN, most),), 18)


@pytest.mark.parametrize(
    "most",
    [L("p"), at(60, L("x")), at(60, plus(L("s"), L("p"))), ir.Table("t", L("x")), ir.Table("wide", L("s"))],
)
def test_what_is_no_word_at_hand_or_another_one_each_time_is_compared_each_time(most: ir.Expr) -> None:
    assert rows(loop(test=ir.Compare(">", at(100, ROW), most))) is None
    assert rows(loop(test=ir.Compare("<", at(100, ROW), at(7)))) is None


def test_what_asks_each_of_some_things_is_seen_by_the_rows_of_all_of_them() -> None:
    found = rows(loop(test=ir.Logic("and", (CALL, L("p")))))
    assert found is not None
    (row,) = found.rows
    own = "s of any"
    assert row.first == at(100, plus(ir.Arith("*", L(own), C(20)), C(1)))
    counted = ir.Set("k", plus(L("k"), C(1)))
    alive = ir.Branch(at(60, L(own)), (counted,))
    assert row.gathered(counted) == (ir.ForRange(own, C(1), C(6), (alive,)),)


@pytest.mark.parametrize(
    "other",
    [
        pure("any", "x", THINGS, ir.Return(C(1))),
        pure("any", "x", THINGS, COUNTED, NONE),
        pure("any", "x", replace(THINGS, body=(ir.Branch(THERE, (ir.Return(C(2)),)),)), NONE),
        pure("any", "x", replace(THINGS, body=(ir.Branch(ir.Not(THERE), (ir.Return(C(1)),)),)), NONE),
        pure("any", "x", replace(THINGS, body=(ir.Branch(THERE, (ir.Return(C(1)),), (ir.Break(),)),)), NONE),
        pure("any", "x", replace(THINGS, end=plus(L("x"), C(6))), NONE),
        pure("any", "x", ir.Return(at(100, L("x")))),
    ],
)
def test_a_function_of_another_shape_is_asked_for_every_number(other: ir.Function) -> None:
    assert rows_of(loop(test=CALL), never, module(other)) is None
    twice = pure("any", "x y", THINGS, NONE)
    more = ir.Call("any", (L("x"), plus(L("x"), C(1))))
    assert rows_of(loop(test=more), never, module(twice)) is None


#: A table with a row of so many words for each of eight things, all of them between -3 and 40.
TABLE = {"t": TableLayout("t", 100, ("thing", "space"), (9, 20), (-3, 40))}
ADDED = ir.Set("n", plus(L("n"), at(100, ROW)))


def adding(*body: ir.Stmt, end: int = 19) -> ir.ForRange:
    return ir.ForRange("x", C(1), C(end), body or (ADDED,))


def test_words_that_are_added_up_are_seen_beside_each_other_where_the_sum_is_a_word() -> None:
    words = CellRanges(replace(layout(), tables=TABLE))
    assert row_total(adding(), words) == ("n", at(100, plus(ir.Arith("*", L("s"), C(20)), C(1))), 18)
    wide = {"t": replace(TABLE["t"], holds=(0, 2**30))}
    assert row_total(adding(), CellRanges(replace(layout(), tables=wide))) is None
    assert row_total(adding(), CellRanges(layout())) is None
    for other in (
        adding(end=7),
        adding(ADDED, COUNTED),
        adding(ir.Set("n", plus(L("m"), at(100, ROW)))),
        adding(ir.Set("n", plus(L("n"), L("x")))),
        adding(ir.Set("n", plus(L("n"), at(100, ir.Arith("*", L("x"), C(20)))))),
        adding(ir.Set("n", plus(L("n"), at(100, plus(ir.Arith("*", L("n"), C(20)), L("x")))))),
    ):
        assert row_total(other, words) is None


@needs_compiler
@pytest.mark.parametrize("checked", [False, True], ids=["trusted", "checked"])
@pytest.mark.parametrize("count", [8, 10, 17, 19])
def test_rows_of_things_and_sums_come_to_the_same_as_in_python(
    count: int, checked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    end = C(count + 1)
    kind = KindLayout("thing", 1, 5, 5, 60, 0, "", 0, 0, 0, 0, 40)
    slots = replace(THINGS, end=C(6))
    gone = loop(ir.Set("n", plus(L("n"), L("x"))), end=end, test=CALL)
    made = module(
        MADE.functions["any"],
        pure("which", "", ir.Set("n", C(0)), gone, ir.Return(L("n"))),
        pure("many", "s", ir.Set("n", C(7)), adding(end=count + 1), ir.Return(L("n"))),
        pure("some", "x", slots, NONE),
        pure(
            "most", "s", ir.Set("n", C(0)), loop(end=end, test=ir.Compare(">", at(100, ROW), at(99))), ir.Return(L("n"))
        ),
        routine("main", ""),
    )
    made.layout = replace(made.layout, tables=TABLE, kinds={"thing": kind})
    if checked:
        monkeypatch.setattr("tests.native.machine.emit", _checked)
    text = emit(made).source
    assert re.search(r"g\d_ = \(g\d_ \| ", text)
    assert re.search(r"\+= TOTAL\(", text)
    one, other = program(made), native(made)
    chance = random.Random(count)
    for _ in range(60):
        S = one.initial
        for place in range(100, 100 + 9 * 20):
            S[place] = chance.choice((0, 0, 0, 0, 0, 0, 0, 1, 2, -3, 40))
        for slot in range(1, 6):
            S[60 + slot] = chance.randrange(2)
        S[41], S[99] = sum(S[61:66]), chance.randrange(-2, 3)
        row = {s: S[100 + s * 20 :][: count + 1] for s in range(1, 9)}
        there = [s for s in range(1, 6) if S[60 + s]]
        expected = [
            ("which", [], sum(x for x in range(1, count + 1) if any(row[s][x] > 0 for s in there))),
            ("many", [1], 7 + sum(row[1][1:])),
            ("many", [8], 7 + sum(row[8][1:])),
            ("some", [3], int(any(row[s][3] > 0 for s in there))),
            ("most", [2], sum(x for x in range(1, count + 1) if row[2][x] > S[99])),
        ]
        for name, given, answer in expected:
            assert one.pure(S, name, given) == other.pure(S, name, given) == answer


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
        pure("above", "s", ir.Set("n", C(0)), loop(end=end, test=ir.Compare(">", at(100, ROW), at(99))), answer),
        routine("main", ""),
    )
    if checked:
        monkeypatch.setattr("tests.native.machine.emit", _checked)
    one, other = program(made), native(made)
    chance = random.Random(count)
    for _ in range(60):
        S = one.initial
        for place in range(99, SIZE - 100):
            S[place] = chance.choice((0, 0, 0, 0, 0, 1, 2, -1, 2**31 - 1, -(2**31)))
        for name, given in (("sum", [1]), ("first", [0, 1]), ("last", [2]), ("above", [1])):
            assert one.pure(S, name, given) == other.pure(S, name, given)


def _checked(made: ir.Module) -> object:
    found = emit(made)
    return type(found)(CHECKED + found.source, found.link_info)
