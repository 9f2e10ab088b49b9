"""Routines that may pause, and what tells the options of their decisions (see `suspend.resumable`)."""

from __future__ import annotations

from typing import ClassVar

from rulelang.compiler.backends.python.direct import HostedBody
from rulelang.compiler.backends.python.stmts import Body
from rulelang.compiler.backends.scripted import Lister, Resumable
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import answers_something


class ResumeBody(Resumable, HostedBody):
    """Writes one pausing routine."""

    running = "not pc"
    first: ClassVar[tuple[str, ...]] = ("S", "H", "sp", "pc=0", "arg=0")
    unasked = "=0"

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
    first = ("S",)
    unasked = ""

    def enter(self) -> None:
        """It never runs from its head."""


class ListerBody(Lister, Body):
    """Options are tuples `(tag, values...)`. It answers 1 if one of them compels."""

    def enter(self) -> None:
        if self.whole:
            self.out("o_ = []")
        elif self.compels:
            self.out("m_ = 0")
        super().enter()

    def leave(self) -> None:
        if self.whole or self.compels:
            self.out("return o_" if self.whole else "return m_")

    def return_(self, stmt: ir.Return) -> None:
        self.out("return o_" if self.whole else "return m_" if self.compels else "return")

    def yield_(self, stmt: ir.Yield) -> None:
        values = [*([] if self.whole else ["tag_"]), *map(self.ex.value, stmt.values)]
        self.out(f"o_.append(({', '.join(values)}{'' if len(values) > 1 else ','}))")
        if stmt.compels is not None and stmt.compels != ir.Const(0):
            test = "" if isinstance(stmt.compels, ir.Const) else f"if {self.ex.cond(stmt.compels)}: "
            self.out(f"{test}m_ = 1")
