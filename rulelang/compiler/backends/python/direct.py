"""Routines that never wait: in the direct mode all of them, with decisions taken on the spot and no log; in the
resumable mode those that cannot pause but tell the host something."""

from __future__ import annotations

from itertools import count

from rulelang.compiler.backends.python.stmts import Body
from rulelang.compiler.backends.python.writer import Writer
from rulelang.compiler.backends.scripted import Direct, Hosted, Why
from rulelang.compiler.backends.unit import Unit
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import with_inner
from rulelang.compiler.passes.target.cse import eliminate_common, eliminate_common_in_runs


class DirectBody(Direct, Body):
    tells = False  # whether somebody hears the log

    def __init__(self, unit: Unit, function: ir.Function, out: Writer, drawn: bool = False) -> None:
        super().__init__(unit, function, out, drawn)
        self.numbers = count(1)
        self.sharing = False  # within a part that reads only

    def body(self) -> ir.Block:
        body = super().body()
        return self.unit.partial_inlining.inlined(body) if self.unit.fast and not self.tells else body

    def block(self, block: ir.Block) -> None:
        if not self.tells:
            block = tuple(stmt for stmt in block if not _only_tells(stmt))
        if self.sharing or not self.unit.fast:
            super().block(block)
            return
        for shared, part in eliminate_common_in_runs(block, self.numbers):
            self.sharing = shared
            super().block(part)
            self.sharing = False

    def count(self, span: int) -> None:
        cell = self.cells.steps
        self.out(f"s_ = S[{cell}] + 1; S[{cell}] = s_")
        self.out(f"if s_ > {self.unit.module.limits['steps']}: steps_({span})")

    def given(self, stmt: ir.Given) -> None:
        if not self.unit.fast:
            super().given(stmt)
            return
        self.sharing = True
        super().block(eliminate_common(stmt.body, self.numbers, stmt.names))
        self.sharing = False

    def decided(self, stmt: ir.Decided) -> None:
        """What is watched (see `link`) is looked at where it is due."""
        cells = self.cells
        steps = f"; S[{cells.steps}] = 0" if self.unit.steps else ""
        self.out(f"dn_ = S[{cells.decisions}] + 1; S[{cells.decisions}] = dn_{steps}")
        self.out(f"if dn_ >= DUE_: asked_(S, {stmt.site}, {self.ex.value(stmt.player)})")


class HostedBody(Hosted, DirectBody):
    tells = True


class WhyBody(Why, Body):
    """Reasons are `(number, arguments)`."""

    empty = "not B"

    def params(self) -> list[str]:
        found = super().params()
        if self.function.name == self.unit.module.why.get(ir.MORE):
            found[3:] = [f"{param}=0" for param in found[3:]]  # not every reason tells as many values
        return found

    def blame(self, stmt: ir.Blame) -> None:
        self.out(f"B.append(({stmt.reason}, {self.ex.row(stmt.args)}))")


def _only_tells(stmt: ir.Stmt) -> bool:
    """Whether a statement does nothing where nobody hears the log, and nothing waits."""
    if isinstance(stmt, ir.Branch):
        calls = any(isinstance(e, (ir.Call, ir.Trial)) for e in with_inner(stmt.test))
        return not calls and all(map(_only_tells, (*stmt.then, *stmt.otherwise)))
    return isinstance(stmt, (ir.Log, ir.LogEnd, ir.Stop))


class PureBody(Body):
    """`p_f(S, args...)`."""

    def body(self) -> ir.Block:
        function = self.function
        given = frozenset(p for p in function.params if not p.startswith("@")) - function.lists
        if not self.unit.fast:
            return function.body
        return eliminate_common(self.unit.partial_inlining.inlined(function.body), given=given)
