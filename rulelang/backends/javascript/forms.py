"""The kinds of functions: routines that never wait, enumerators that list, why functions, and routines that may pause.

Of what waits (see `suspend.resumable`) the host `H` is null if nobody listens, and `AUTO_` (false) where decisions
behind the point are to be taken at random.
"""

from __future__ import annotations

from rulelang.backends.javascript.stmts import Body
from rulelang.backends.scripted import Direct, Hosted, Lister, Resumable, Why
from rulelang.ir import nodes as ir


class DirectBody(Direct, Body):
    def count(self, span: int) -> None:
        self.out(f"if (++S[{self.cells.steps}] > {self.limits['steps']}) steps_({span});")

    def decided(self, stmt: ir.Decided) -> None:
        cells = self.cells
        if self.unit.steps:
            self.out(f"S[{cells.steps}] = 0;")
        self.out(f"if (++S[{cells.decisions}] > due_) asked_(S, {stmt.site}, {self.ex.value(stmt.player)});")

    def refused(self, stmt: ir.CallRoutine | ir.EnterRoutine) -> None:
        """Where a routine that was called may have been refused: then so is this one."""
        if stmt.function in self.unit.refusing:
            self.out("if (refused_ !== null) return;")


class HostedBody(Hosted, DirectBody):
    curtain_end = "curtainEnd"


class WhyBody(Why, Body):
    """Reasons are `[number, arguments]`."""

    empty = "!B.length"

    def blame(self, stmt: ir.Blame) -> None:
        self.out(f"B.push([{stmt.reason}, {self.ex.row(stmt.args)}]);")


class ListerBody(Lister, Body):
    """Options are `[tag, values...]`."""

    def enter(self) -> None:
        if self.whole:
            self.out("const o_ = [];")

    def leave(self) -> None:
        self.out("return o_;" if self.whole else f"return {self.names.once('m_')};")

    def yield_(self, stmt: ir.Yield) -> None:
        self.out(f"o_.push([{', '.join([*([] if self.whole else ['tag_']), *map(self.ex.value, stmt.values)])}]);")
        if stmt.compels is not None and stmt.compels != ir.Const(0):
            self.out(f"if ({self.ex.cond(stmt.compels)}) {self.names.once('m_')} = 1;")


class ResumeBody(Resumable, HostedBody):
    """Writes one pausing routine."""

    running = "!pc"

    def ask(self, stmt: ir.Ask) -> None:
        self.say(f"arg = {self.call('o_', 'S', stmt)}")
        self.out(f"{self.names[stmt.name]} = arg.length;")

    def take(self, stmt: ir.Take) -> None:
        """What an option has no value for becomes 0."""
        if stmt.number is not None:
            self.out(f"arg = arg[{self.ex.value(stmt.number)}];")
        self.out(" ".join(f"{self.names[name]} = arg[{at}] | 0;" for at, name in enumerate(stmt.targets)))

    def paused(self, stmt: ir.EnterRoutine) -> str:
        return 'typeof arg === "object"'


class RelisterBody(ResumeBody):
    """`a_P(S, sp)`: the options of a decision that waits in the frame at `sp`."""

    prefix = "a_"
    first = ("S",)

    def enter(self) -> None:
        self.names.once("arg")
