"""What is counted is worked out without jumps where it can be: where every word that is looked up is there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rulelang.base.layout import AttributeLayout
from rulelang.compiler.backends.native.emit import emit
from rulelang.compiler.ir import nodes as ir
from tests.backends.machine import C, L, at, module, plus, program, pure, routine
from tests.native.machine import native, needs_compiler

#: Of each of twelve things a number from 0 to 4, and its kind.
SORT = AttributeLayout("thing", "sort", 100, 12, "int", "everyone", holds=(0, 4))
FIRST = ir.Compare(">", at(80, L("x")), C(0))
WIDE, SHORT = tuple(range(3, 18)), tuple(range(3, 17))


def looked_up(index: ir.Expr, table: tuple[int, ...] = WIDE) -> ir.Module:
    test = ir.Logic("and", (FIRST, ir.Compare(">", ir.Table("t", index), C(9))))
    counted = ir.Branch(test, (ir.Set("n", plus(L("n"), C(1))),))
    loop = ir.ForRange("x", C(1), C(3), (counted,))
    made = module(pure("many", "", ir.Set("n", C(0)), loop, ir.Return(L("n"))), routine("main", ""))
    made.tables["t"] = table
    made.layout = replace(made.layout, attributes=(SORT,))
    return made


SUM = plus(ir.Arith("*", at(100, L("x")), C(3)), L("x"))


@pytest.mark.parametrize(
    ("made", "jumps"),
    [
        (looked_up(L("x")), False),
        (looked_up(SUM), False),  # up to 4 * 3 + 2 of 15
        (looked_up(SUM, SHORT), True),
        (looked_up(plus(SUM, C(-2))), True),
        (looked_up(plus(at(200, L("x")), L("x"))), True),  # a word of which nothing is told
        (looked_up(ir.Arith("%", at(100, L("x")), C(3))), True),
    ],
)
def test_a_sum_is_looked_up_without_a_jump_where_it_lies_in_the_table(made: ir.Module, jumps: bool) -> None:
    text = emit(made).source
    (line,) = [line for line in text.splitlines() if "T_t[" in line and "!!" in line]
    assert ("&&" in line) == jumps
    assert (" & " in line) != jumps


@needs_compiler
@pytest.mark.parametrize("table", [WIDE, SHORT])
def test_it_comes_to_the_same(table: tuple[int, ...]) -> None:
    made = looked_up(SUM, table)
    one, other = program(made), native(made)
    for sorts in ((0, 0), (2, 3), (3, 1), (1, 2), (0, 3)):
        for first in (0, 1):
            S = one.initial
            S[81:83] = first, 1
            S[101:103] = sorts
            assert one.pure(S, "many", []) == other.pure(S, "many", [])
