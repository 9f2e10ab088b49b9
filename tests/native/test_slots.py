"""Loops over an owner's things end with the last one that he has, where nothing in them comes or goes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rulelang.base.layout import KindLayout
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.passes.loops import slots_of
from tests.backends.machine import C, L, at, layout, plus

SNAIL = KindLayout(
    "snail", owners=2, per_owner=6, most=5, alive=40, place=60, place_kind="", next=0, prev=0, first=0, last=0, count=80
)
LAYOUT = replace(layout(), kinds={"snail": SNAIL})
LOW = plus(ir.Arith("*", L("p"), C(6)), C(-5))
ALIVE = at(40, L("s"))
HERE = ir.Compare("==", at(60, L("s")), L("x"))


def loop(*body: ir.Stmt, low: ir.Expr = LOW, end: ir.Expr | None = None, test: ir.Expr = ALIVE) -> ir.ForRange:
    return ir.ForRange("s", low, end or plus(low, C(6)), (ir.Branch(test, body),))


def test_it_is_seen_whose_things_they_are() -> None:
    body = (ir.Append("found", L("s")),)
    slots = slots_of(loop(*body), LAYOUT)
    assert slots is not None
    assert (slots.count, slots.alive, slots.body) == (at(80, L("p")), at(40, L("s")), body)
    slots = slots_of(loop(*body, low=C(7), end=C(13)), LAYOUT)
    assert slots is not None
    assert slots.count == at(80, C(2))


def test_what_else_is_asked_stays() -> None:
    slots = slots_of(loop(ir.Break(), test=ir.Logic("and", (at(40, L("s")), HERE))), LAYOUT)
    assert slots is not None
    assert slots.body == (ir.Branch(HERE, (ir.Break(),)),)


@pytest.mark.parametrize(
    "other",
    [
        loop(ir.CallRoutine("create_snail", (L("p"), C(0)))),
        loop(ir.Branch(L("x"), (ir.Store(40, L("s"), C(0)),))),
        loop(ir.Add(80, L("p"), C(-1))),
        loop(ir.Set("s", C(3))),
        replace(loop(), body=(ir.Branch(ALIVE, (ir.Break(),), (ir.Break(),)),)),
        loop(ir.Break(), test=at(46, L("s"))),
        loop(ir.Break(), test=at(40, L("p"))),
        loop(ir.Break(), end=plus(LOW, C(5))),
        loop(ir.Break(), low=C(8), end=C(14)),
        loop(ir.Break(), low=plus(ir.Arith("*", L("p"), C(5)), C(-4))),
    ],
)
def test_what_goes_over_something_else_or_changes_it_goes_to_its_end(other: ir.ForRange) -> None:
    assert slots_of(other, LAYOUT) is None
