"""What the printers of all targets share: which method writes which statement, how a line ends, how routines call."""

from __future__ import annotations

import keyword
import re
from typing import Any, ClassVar

from rulelang.ir import nodes as ir
from rulelang.ir.walk import STMTS

#: Statements behind which control does not come.
ENDS = (
    ir.Return, ir.ReturnMany, ir.Unreachable, ir.Break, ir.Continue, ir.Fail, ir.Pause, ir.Exhausted,
)  # fmt: skip


def _method(kind: type) -> str:
    name = re.sub(r"(?<!^)([A-Z])", r"_\1", kind.__name__).lower()
    return f"{name}_" if keyword.iskeyword(name) else name


#: By class, the method that writes a statement: `for_range`, `return_`.
METHODS = {kind: _method(kind) for kind in STMTS}


class Statements:
    """Writes the statements of one function. `end`: of a line in the target."""

    end: ClassVar[str] = ";"
    function: ir.Function
    unit: Any  # these four are of the target
    names: Any
    out: Any
    ex: Any

    def say(self, text: str) -> None:
        """Write a statement."""
        self.out(text + self.end)

    def block(self, block: ir.Block) -> None:
        for stmt in block:
            self.statement(stmt)
            if isinstance(stmt, ENDS):
                break

    def statement(self, stmt: ir.Stmt) -> None:
        getattr(self, METHODS[type(stmt)], self.misplaced)(stmt)

    def misplaced(self, stmt: ir.Stmt) -> None:
        """`ir.verify` refuses such a module; the lowering never makes one."""
        raise AssertionError(f"{type(stmt).__name__} in the {self.function.kind} function {self.function.name}")

    def break_(self, stmt: ir.Break) -> None:
        self.say("break")

    def continue_(self, stmt: ir.Continue) -> None:
        self.say("continue")

    def tick(self, stmt: ir.Tick) -> None:
        self.count_step(stmt)

    def count_step(self, stmt: ir.While | ir.Tick) -> None:
        raise NotImplementedError

    def given(self, stmt: ir.Given) -> None:
        self.block(stmt.body)

    def point(self, stmt: ir.Point) -> None:
        """The guards lead there."""


class Quiet(Statements):
    """Routines that never wait, and that nobody hears."""

    def stop(self, stmt: ir.Stop) -> None:
        """What never waits does not stop."""

    def log(self, stmt: ir.Log) -> None:
        pass

    def log_end(self, stmt: ir.LogEnd) -> None:
        pass


class Direct(Quiet):
    """`d_f(S, args...)`, or `s_f` with decisions that are drawn."""

    prefix = "d_"

    def call_routine(self, stmt: ir.CallRoutine) -> None:
        drawn = self.prefix == "s_" and stmt.function in self.unit.drawn
        self.called(stmt, "s_" if drawn else "d_", "S")

    def called(self, stmt: ir.CallRoutine, prefix: str, first: str) -> None:
        result = f"{self.names[stmt.result]} = " if stmt.result is not None else ""
        self.say(f"{result}{self.call(prefix, first, stmt)}")
        self.refused(stmt)

    def refused(self, stmt: ir.CallRoutine | ir.EnterRoutine) -> None:
        """Behind a call that may have been refused, where that is no exception."""

    def call(self, prefix: str, first: str, stmt: ir.CallRoutine | ir.EnterRoutine | ir.Ask) -> str:
        """The text of a call. `first`: what comes before the arguments."""
        name = self.unit.function(stmt.function, prefix)
        return f"{name}({first}{self.ex.args(stmt.args)}{self.ex.depth(stmt.function)})"


class Hosted(Direct):
    """`r_f(S, H, args...)`: a host `H` hears the log and the curtain, and is asked for fixed dice."""

    prefix = "r_"

    def call_routine(self, stmt: ir.CallRoutine) -> None:
        """What may pause is called so only where it decides for itself."""
        if stmt.function in self.unit.hosted - self.unit.frames.keys():
            self.called(stmt, "r_", "S, H")
        else:
            super().call_routine(stmt)


class Resumable(Hosted):
    """`r_f(S, H, sp, pc, arg, args...)`: with pc 0 a call; else the function goes back to the point `pc` of its frame
    at `sp` with `arg`, the option taken or the value of the routine it called. It answers a list of options if it
    pauses, else its value; meanwhile `arg` holds what was answered last, or the options that are asked for. `H` is a
    mark where decisions behind the point are to be taken at random (a playout from a paused game)."""

    def enter_routine(self, stmt: ir.EnterRoutine) -> None:
        self.say(f"arg = {self.call('r_', f'S, H, {self.ex.value(stmt.frame)}, 0, 0', stmt)}")
        self.refused(stmt)
        with self.out.inside(self.paused(stmt)):
            self.block(stmt.body)

    def paused(self, stmt: ir.EnterRoutine) -> str:
        """The head of what is done if the routine pauses."""
        raise NotImplementedError

    def answered(self, stmt: ir.Answered) -> None:
        self.say(f"{self.names[stmt.name]} = arg")

    def pause(self, stmt: ir.Pause) -> None:
        self.say("return arg")
