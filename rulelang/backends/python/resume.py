"""Routines that may pause, and what tells the options of their decisions (see `suspend.resumable`)."""

from __future__ import annotations

from rulelang.backends.python.direct import HostedBody
from rulelang.backends.python.stmts import Body
from rulelang.backends.python.writer import Writer
from rulelang.backends.scripted import Lister, Resumable
from rulelang.backends.unit import Unit
from rulelang.ir import nodes as ir
from rulelang.ir.walk import answers_something
from rulelang.transform.suspend.frames import DEPTH
from rulelang.transform.suspend.resumable import PC, SP


class ResumeBody(Resumable, HostedBody):
    """Writes one pausing routine."""

    running = "not pc"

    def __init__(self, unit: Unit, function: ir.Function, out: Writer) -> None:
        super().__init__(unit, function, out)
        self.names.given |= {DEPTH: "depth_", SP: "sp", PC: "pc"}

    def params(self) -> list[str]:
        depth = ["depth_=0"] if self.function.recursive else []
        return ["S", "H", "sp", "pc=0", "arg=0", *(f"{self.names[p]}=0" for p in self.function.params), *depth]

    def ask(self, stmt: ir.Ask) -> None:
        self.out(f"arg = {self.call('o_', 'S', stmt)}")
        self.out(f"{self.names[stmt.name]} = len(arg)")

    def take(self, stmt: ir.Take) -> None:
        if stmt.number is not None:
            self.out(f"arg = arg[{self.ex.num(stmt.number)}]")
        names = [self.names[name] for name in stmt.targets]
        if len(names) == 1:
            self.out(f"{names[0]} = arg[0]")
        else:
            self.out(f"{', '.join(names)} = (*arg{', 0' * (len(names) - 1)})[:{len(names)}]")

    def paused(self, stmt: ir.EnterRoutine) -> str:
        answers = answers_something(self.unit.module.functions[stmt.function])
        return "arg.__class__ is list" if answers else "arg"


class RelisterBody(ResumeBody):
    """`a_P(S, sp)`: the options of a decision that waits in the frame at `sp`."""

    prefix = "a_"

    def params(self) -> list[str]:
        return ["S", "sp", *(["depth_=0"] if self.function.recursive else [])]


class ListerBody(Lister, Body):
    """`l_E(S, o_, tag, args...)` appends the options of an enumerator as tuples `(tag, values...)` to `o_`, and answers
    1 if one of them compels. `o_P(S, args...)` answers a list of all options of a decision."""

    def __init__(self, unit: Unit, function: ir.Function, out: Writer) -> None:
        super().__init__(unit, function, out)
        self.whole = function.kind == "lister"
        self.compels = not self.whole and unit.sampling.shapes[function.name].compels

    def write(self) -> None:
        params = ["S", *([] if self.whole else ["o_", "tag_"]), *(self.names[p] for p in self.function.params)]
        if self.function.recursive:
            params.append("depth_=0")
        name = self.unit.function(self.function.name, "o_" if self.whole else "l_")
        with self.out.at(self.function.span), self.out.inside(f"def {name}({', '.join(params)}):"):
            if self.whole:
                self.out("o_ = []")
            elif self.compels:
                self.out("m_ = 0")
            self.open_budget()
            self.block(self.function.body)
            if self.whole or self.compels:
                self.leave()

    def leave(self) -> None:
        self.out("return o_" if self.whole else "return m_" if self.compels else "return")

    def yield_(self, stmt: ir.Yield) -> None:
        values = [*([] if self.whole else ["tag_"]), *map(self.ex.value, stmt.values)]
        self.out(f"o_.append(({', '.join(values)}{'' if len(values) > 1 else ','}))")
        if stmt.compels is not None and stmt.compels != ir.Const(0):
            test = "" if isinstance(stmt.compels, ir.Const) else f"if {self.ex.cond(stmt.compels)}: "
            self.out(f"{test}m_ = 1")
