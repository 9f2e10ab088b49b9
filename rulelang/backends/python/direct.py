"""Routines that never wait: in the direct mode all of them, with decisions taken on the spot and no log; in the
resumable mode those that cannot pause but tell the host something."""

from __future__ import annotations

from itertools import count

from rulelang.backends.python.stmts import Body
from rulelang.backends.python.writer import Writer
from rulelang.backends.scripted import Direct, Hosted, Why
from rulelang.backends.unit import Unit
from rulelang.ir import nodes as ir
from rulelang.ir.walk import with_inner
from rulelang.transform.target.cse import eliminate_common, eliminate_common_in_runs


class DirectBody(Direct, Body):
    """`d_f(S, args...)`, or `s_f` with decisions that are drawn."""

    prefix = "d_"
    tells = False  # whether somebody hears the log

    def __init__(self, unit: Unit, function: ir.Function, out: Writer, drawn: bool = False) -> None:
        super().__init__(unit, function, out)
        if drawn:
            self.prefix = "s_"
        self.numbers = count(1)
        self.sharing = False  # within a part that reads only

    def write(self) -> None:
        name = self.unit.function(self.function.name, self.prefix)
        with self.out.at(self.function.span), self.out.inside(f"def {name}({', '.join(self.params())}):"):
            self.enter()
            self.block(self.function.body)

    def params(self) -> list[str]:
        depth = ["depth_=0"] if self.function.recursive else []
        return [*self.first(), *(self.names[p] for p in self.function.params), *depth]

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

    def first(self) -> list[str]:
        return ["S"]

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
    """`r_f(S, H, args...)`: as direct, with a host that hears the log, the curtain and is asked for fixed dice."""

    tells = True
    prefix = "r_"

    def first(self) -> list[str]:
        return ["S", "H"]


class WhyBody(Why, Body):
    """`w_f(S, B, args...)`: the reasons go into the list `B` as (number, arguments)."""

    empty = "not B"

    def write(self) -> None:
        params = ["S", "B", *(self.names[p] for p in self.function.params)]
        if self.function.name == self.unit.module.why.get(ir.MORE):
            params[3:] = [f"{p}=0" for p in params[3:]]  # not every reason tells as many values
        name = self.unit.function(self.function.name, "w_")
        with self.out.at(self.function.span), self.out.inside(f"def {name}({', '.join(params)}):"):
            self.open_budget()
            self.block(self.function.body)

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

    def write(self) -> None:
        function = self.function
        params = ["S", *(self.names[p] for p in function.params)]
        if function.recursive:
            params.append("depth_=0")
        name = self.unit.function(function.name, "p_")
        with self.out.at(function.span), self.out.inside(f"def {name}({', '.join(params)}):"):
            self.watch_depth()
            self.open_budget()
            given = frozenset(p for p in function.params if not p.startswith("@")) - function.lists
            self.block(eliminate_common(function.body, given=given) if self.unit.fast else function.body)
