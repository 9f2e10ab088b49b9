"""What the printers of all targets share: which method writes which statement, how a line ends, how routines call."""

from __future__ import annotations

import keyword
import re
from typing import Any, ClassVar

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import STMTS
from rulelang.compiler.passes.suspend.frames import DEPTH
from rulelang.compiler.passes.suspend.resumable import PC, SP

#: Statements behind which control does not come.
ENDS = (
    ir.Return, ir.ReturnMany, ir.Unreachable, ir.Break, ir.Continue, ir.Fail, ir.Pause, ir.Exhausted,
)  # fmt: skip


def _method(kind: type) -> str:
    name = re.sub(r"(?<!^)([A-Z])", r"_\1", kind.__name__).lower()
    return f"{name}_" if keyword.iskeyword(name) else name


#: Locals that no statement gives a value at first: how deep a function is in its recursion, its frame, and its point.
ELSEWHERE = {DEPTH: "depth_", SP: "sp", PC: "pc"}
#: By class, the method that writes a statement: `for_range`, `return_`.
METHODS = {kind: _method(kind) for kind in STMTS}


class Statements:
    """Writes the statements of one function. `end`: of a line in the target; `prefix`: of the function's name there."""

    end: ClassVar[str] = ";"
    prefix = "p_"
    ex: Any  # what writes expressions

    def __init__(self, unit: Any, function: ir.Function, out: Any, names: Any) -> None:
        """`unit`, `out` and `names` (of locals) are of the target."""
        self.unit, self.function, self.out, self.names = unit, function, out, names
        self.cells = unit.cells
        names.given |= ELSEWHERE
        for param in function.params:
            names[param]

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
        """Fail: the class has no method for the statement, or `ir.verify` let through a misplaced one."""
        name = f"{type(self).__name__}.{METHODS[type(stmt)]}"
        raise AssertionError(f"there is no {name}, for what stands in the {self.function.kind} {self.function.name}")

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


class Listing(Statements):
    """`l_E` lists the options of an enumerator, `o_P` all options of a decision (`whole`)."""

    def __init__(self, unit: Any, function: ir.Function, out: Any) -> None:
        super().__init__(unit, function, out)  # type: ignore[call-arg]  # of the target's own
        self.whole = function.kind == "lister"
        self.prefix = "o_" if self.whole else "l_"
        self.compels = not self.whole and unit.sampling.shapes[function.name].compels

    def return_(self, stmt: ir.Return) -> None:
        self.leave()

    def leave(self) -> None:
        """At the end of the body."""
        raise NotImplementedError


class Quiet(Statements):
    """Routines that never wait, and that nobody hears: `d_f`, or `s_f` with decisions that are drawn."""

    prefix = "d_"

    def __init__(self, unit: Any, function: ir.Function, out: Any, drawn: bool = False) -> None:
        super().__init__(unit, function, out)  # type: ignore[call-arg]  # of the target's own
        if drawn:
            self.prefix = "s_"

    def count(self, span: int) -> None:
        """Count a step, which is written into the state. `span`: number of the author's line."""
        raise NotImplementedError

    def count_step(self, stmt: ir.While | ir.Tick) -> None:
        self.count(self.unit.span(stmt.span))

    def stop(self, stmt: ir.Stop) -> None:
        """What never waits does not stop."""

    def log(self, stmt: ir.Log) -> None:
        pass

    def log_end(self, stmt: ir.LogEnd) -> None:
        pass
