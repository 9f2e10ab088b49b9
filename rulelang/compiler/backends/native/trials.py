"""Trials: how one is run on the state and taken back, and where what came of those before no longer holds.

What came of a trial is kept for whoever asks the same again while nothing has changed (`runtime/trials.h`). Who may
change the state forgets it: a routine before it asks what may come to a trial, where something has changed since its
begin or since it asked last. What only reads is called by one of these.
"""

from __future__ import annotations

from rulelang.compiler.backends.braces import Writer
from rulelang.compiler.backends.native import prelude
from rulelang.compiler.backends.native.unit import NativeUnit
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.recursion import coming_to
from rulelang.compiler.ir.walk import LOOPS, blocks, child_exprs, statements, with_inner
from rulelang.compiler.passes.target.rows import harmless

CHANGED = "changed(C);"


def begin_trial(out: Writer) -> None:
    """A trial on the state `S`, or on a copy of it: on `tried_`."""
    out("i32 apart_[SIZE], *tried_ = RARE(C->noted == NOTES) ? apart(C, S, apart_) : (i32 *)S;")
    out("trial trial_ = attempt(C, tried_);")


def write_trial(unit: NativeUnit, function: ir.Function, out: Writer) -> None:
    """`t_f(S, args...)`: 1 if the routine runs without being refused. The state is the same afterwards."""
    given = [*(f"a{i}" for i in range(len(function.params))), *(["depth_"] if function.recursive else [])]
    params = [f"i64 {name}" for name in given]
    unit.most_tried = max(unit.most_tried, len(given) + 1)
    with out.inside(unit.head(function.name, "t_", *params, state="const i32 *S")):
        out(f"i64 asked_[TRIED] = {{{', '.join((str(unit.numbers[function.name]), *given))}}};")
        out("outcome *kept_ = recall(C, asked_);")
        out("if (kept_->since == C->since && same(kept_, asked_)) return kept_->answer;")
        begin_trial(out)
        out(f"{unit.call(function.name, 'u_', *given, state='tried_')};")
        out("take_back(C, tried_, &trial_);")
        out(f"if (C->error == {prelude.error(prelude.ENSURE)}) {{ C->error = 0; C->trailed = 0; trial_.refused = 1; }}")
        out("return keep(C, kept_, asked_, !trial_.refused);")


def trying(unit: NativeUnit) -> set[str]:
    """The functions that only read and may come to a trial."""
    calls = {name: unit.called(f) for name, f in unit.module.functions.items() if f.kind != "routine"}
    found = {name for name in calls if any(map(_tries, statements(unit.module.functions[name].body)))}
    return coming_to(found, calls)


def _tries(stmt: ir.Stmt) -> bool:
    return any(isinstance(e, ir.Trial) for part in child_exprs(stmt) for e in with_inner(part))


class Asking:
    """`anew`: the statements of a routine, and tests of loops (by `id`), before which all that trials came to is to be
    forgotten."""

    def __init__(self, unit: NativeUnit, body: ir.Block) -> None:
        self.unit, self.anew = unit, set[int]()
        if unit.trying:
            self.block(body, True)

    def block(self, block: ir.Block, changed: bool) -> bool:
        """Whether something may have changed behind the block since it was asked last; `changed`: before it."""
        for stmt in block:
            inside = statements((stmt,))
            alike = all(map(harmless, inside))
            changed = changed or (isinstance(stmt, LOOPS) and not alike)
            if changed and any(map(self.asks, inside if alike else (stmt,))):
                # the test of a loop is worked out again and again
                self.anew.add(id(stmt.test if isinstance(stmt, ir.While) and not alike else stmt))
                changed = False
            changed = changed or not harmless(stmt)
            if not alike:
                after = [self.block(inner, changed) for inner in blocks(stmt)]
                changed = changed or any(after)
        return changed

    def asks(self, stmt: ir.Stmt) -> bool:
        called = {e.function for part in child_exprs(stmt) for e in with_inner(part) if isinstance(e, ir.Call)}
        if isinstance(stmt, ir.CallPure):
            called.add(stmt.function)
        return _tries(stmt) or isinstance(stmt, (ir.Ask, ir.Take)) or not called.isdisjoint(self.unit.trying)


__all__ = ["CHANGED", "Asking", "begin_trial", "trying", "write_trial"]
