"""Large addresses are looked up in what has all of a column's: Python keeps no large numbers."""

from __future__ import annotations

from dataclasses import replace

from rulelang.base.layout import AttributeLayout
from rulelang.compiler.backends.python.emit import emit
from rulelang.compiler.ir import nodes as ir
from tests.backends.machine import C, L, at, module, plus, program, routine

LARGE, OTHER, SMALL, THINGS = 260, 271, 100, 10


def made(*body: ir.Stmt) -> ir.Module:
    found = module(routine("main", "", ir.Set("thing", C(THINGS)), *body))
    columns = [AttributeLayout("thing", f"at {base}", base, THINGS, "int") for base in (LARGE, OTHER, SMALL)]
    return replace(found, layout=replace(found.layout, attributes=tuple(columns)))


def test_words_of_columns_are_read_and_written_where_they_lie() -> None:
    following = ir.ForChain("each", L("thing"), OTHER, (ir.Add(50, None, L("each"), None),))
    game = made(
        ir.Store(LARGE, L("thing"), C(7), None),
        ir.Add(LARGE, L("thing"), C(-2), None),
        ir.Store(SMALL, L("thing"), at(LARGE, L("thing")), None),
        ir.Store(OTHER, L("thing"), C(4), None),
        following,
        ir.Store(51, None, at(LARGE, plus(L("thing"), C(0))), None),
    )
    source = emit(game).source
    assert f"P_{LARGE} = N_[{LARGE}:{LARGE + THINGS + 1}]" in source
    assert f"S[P_{LARGE}[thing]] = 7" in source
    assert f"S[thing + {SMALL}] = S[P_{LARGE}[thing]]" in source
    linked = program(game)
    S = linked.initial
    linked.names["DIRECT_"]["main"](S)
    assert (S[LARGE + THINGS], S[SMALL + THINGS], S[OTHER + THINGS], S[50], S[51]) == (5, 5, 4, 14, 5)


def test_what_is_worked_out_is_no_column() -> None:
    """The words of a table with several indices, or of a zone, lie anywhere behind their base."""
    source = emit(made(ir.Store(50, None, at(LARGE, plus(L("thing"), ir.Arith("*", L("thing"), C(3)))), None))).source
    assert "P_" not in source.split("N_ =")[0]
