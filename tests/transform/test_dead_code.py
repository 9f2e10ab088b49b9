"""The silent forms of a routine hold nothing that only the log would have told, and play on as the others do."""

from __future__ import annotations

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.passes.fold import without_log


def routine(*body: ir.Stmt) -> ir.Function:
    return ir.Function("f", "routine", (), body, "f")


def shorter(*body: ir.Stmt, failing: set[str] = frozenset()) -> ir.Block:  # type: ignore[assignment]
    return without_log(routine(*body), set(failing)).body


WORD = ir.Cell(7)
TELL = ir.Log(1, (ir.Local("x"),))


def test_a_line_of_the_log_goes_with_what_was_worked_out_for_it() -> None:
    assert shorter(ir.Set("x", WORD), TELL, ir.Store(3, None, ir.Const(1))) == (ir.Store(3, None, ir.Const(1)),)


def test_a_loop_that_only_tells_goes_with_its_list() -> None:
    gather = ir.ForChain("y", WORD, 9, (ir.Append("l", ir.Local("y")),))
    assert shorter(ir.NewList("l", 4), gather, ir.ForList("x", "l", (TELL,))) == ()


def test_a_branch_that_only_tells_goes() -> None:
    assert shorter(ir.Branch(WORD, (TELL,), (TELL,)), ir.LogEnd()) == ()


def test_what_is_read_elsewhere_stays() -> None:
    kept = ir.Set("x", WORD), ir.Store(3, None, ir.Local("x"))
    assert shorter(kept[0], TELL, kept[1]) == kept


def test_what_may_fail_stays() -> None:
    kept = ir.Set("x", ir.Call("half", (WORD,)))
    assert shorter(kept, TELL, failing={"half"}) == (kept,)
    assert shorter(kept, TELL) == ()


def test_what_writes_or_counts_stays() -> None:
    loop = ir.ForRange("x", ir.Const(0), WORD, (ir.Tick(span=ir.NOWHERE),))
    ends = ir.While(WORD, (TELL,))
    assert shorter(loop, ends) == (loop, ir.While(WORD, ()))


def test_a_list_that_is_laid_down_stays() -> None:
    kept = ir.ArrayToList("l", WORD, 4), ir.Append("l", WORD), ir.ListToArray(WORD, "l")
    assert shorter(*kept) == kept
