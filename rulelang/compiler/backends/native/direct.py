"""Routines that never wait: those that cannot pause, and others with decisions taken on the spot and no log. Also why
functions and trials."""

from __future__ import annotations

from typing import Any

from rulelang.compiler.backends.braces import Writer
from rulelang.compiler.backends.native import lists, prelude
from rulelang.compiler.backends.native.counting import CountingBody
from rulelang.compiler.backends.native.stmts import Body
from rulelang.compiler.backends.native.trials import CHANGED, Asking, begin_trial
from rulelang.compiler.backends.native.unit import NativeUnit
from rulelang.compiler.backends.statements import Quiet
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import statements

OPEN, LINE, CLOSE, CURTAIN, CURTAIN_END, DIE, SETTLE = range(1, 8)


class DirectBody(Quiet, CountingBody):
    """`d_f(S, args...)`."""

    state = "i32 *S"

    def __init__(self, unit: NativeUnit, function: ir.Function, out: Writer, drawn: bool = False) -> None:
        super().__init__(unit, function, out, drawn)
        self.anew = Asking(unit, function.body).anew

    def head(self) -> str:
        """Where decisions are taken, what may be chosen is counted, and there games spend their time, too."""
        decides = self.prefix in ("d_", "s_") and any(isinstance(s, ir.Decided) for s in statements(self.function.body))
        return super().head().replace("static ", "static DECIDING ", 1) if decides else super().head()

    def enter(self) -> None:
        """Recursion is bounded in depth and in steps."""
        super().enter()
        if self.function.watched:
            self.count(self.unit.span(self.function.span))

    def count(self, span: int) -> None:
        self.error(prelude.STEPS, span, test=f"++S[{self.cells.steps}] >= C->pause && still(C, S)")

    def random(self, stmt: ir.Random) -> None:
        self.out(f"{self.names[stmt.name]} = draw({self.generator(stmt.policy)}, {self.ex(stmt.bound)});")
        self.checked(stmt.bound)

    def generator(self, policy: bool) -> str:
        cells = self.cells
        x, c = (cells.policy_x, cells.policy_c) if policy else (cells.rng_x, cells.rng_c)
        return f"&S[{x}], &S[{c}]"

    def count_decision(self) -> str:
        """The text that counts a decision: its number."""
        if self.unit.steps:
            self.out(f"S[{self.cells.steps}] = 0;")
        return f"++S[{self.cells.decisions}]"

    def decided(self, stmt: ir.Decided) -> None:
        with self.out.inside(f"if (RARE({self.count_decision()} >= C->due))"):
            self.out(f"asked(C, S, {stmt.site}, {self.ex(stmt.player)});")
            self.check()

    def forced(self, stmt: ir.Forced) -> None:
        self.out(f"S[{self.cells.forced}]++;")
        if self.unit.steps:
            self.count(self.unit.site_span(stmt.site))

    # ---- counting without jumps

    def statement(self, stmt: Any) -> None:
        if id(stmt) in self.anew:
            self.out(CHANGED)
        super().statement(stmt)

    def asked_again(self, stmt: ir.While) -> None:
        if id(stmt.test) in self.anew:
            self.out(CHANGED)

    def may_be_in_vain(self, stmt: ir.Stmt) -> bool:
        """Here also what is an option of a decision, or shows that there is one."""
        match stmt:
            case ir.Set(_, ir.Const(1)):
                return True
            case ir.AppendTuple(_, values):
                return all(isinstance(v, (ir.Local, ir.Const)) for v in values)
            case ir.Branch(test, (ir.Set(_, ir.Const(1)),), ()):
                return self.plain(test)
        return super().may_be_in_vain(stmt)

    def bump(self, stmt: ir.Stmt, test: str) -> None:
        match stmt:
            case ir.Set(name, ir.Const(1)):
                self.out(f"{self.names[name]} |= {test};")
            case ir.AppendTuple():
                lists.append_tuple(self, stmt, test)
            case ir.Branch(asked, (ir.Set(name),)):
                self.out(f"{self.names[name]} |= {test} & {self.bit(asked)};")
            case _:
                super().bump(stmt, test)

    # ---- calls

    def call_routine(self, stmt: ir.CallRoutine) -> None:
        result = f"{self.names[stmt.result]} = " if stmt.result is not None else ""
        self.out(f"{result}{self.direct_call(stmt)};")
        if stmt.function in self.unit.fallible:
            self.check()
        else:
            self.checked(*stmt.args)

    def direct_call(self, stmt: ir.CallRoutine) -> str:
        drawn = self.prefix == "s_" and stmt.function in self.unit.drawn
        return self.called(stmt, "s_" if drawn else "d_")

    def called(self, stmt: ir.CallRoutine, prefix: str) -> str:
        return self.ex.call(stmt.function, prefix, stmt.args)

    def curtain(self, stmt: ir.Curtain) -> None:
        self.out(f"S[{self.cells.curtain}]{'--' if stmt.up else '++'};")


class HostedBody(DirectBody):
    """`d_f(S, args...)`, or `r_f` beside a `d_f`, of what never pauses: a host, if there is one, hears the log and the
    curtain and is asked for fixed dice."""

    def __init__(self, unit: NativeUnit, function: ir.Function, out: Writer) -> None:
        super().__init__(unit, function, out)
        if function.name in unit.heard:
            self.prefix = "r_"

    def head(self) -> str:
        """Where somebody listens, time is spent on him."""
        head = super().head()
        return head.replace("static ", "static COLD ", 1) if self.prefix == "r_" and not self.function.pausing else head

    def direct_call(self, stmt: ir.CallRoutine) -> str:
        return self.called(stmt, "r_" if stmt.function in self.unit.heard else "d_")

    def log(self, stmt: ir.Log) -> None:
        with self.out.inside("if (RARE(C->logs))"):
            kind = OPEN if stmt.opens else LINE
            if stmt.args:
                self.out(f"i64 args_[] = {{ {', '.join(map(self.ex, stmt.args))} }};")
                self.checked(*stmt.args)
            self.out(f"tell(C, {kind}, {stmt.template}, {len(stmt.args)}, {'args_' if stmt.args else '0'});")

    def log_end(self, stmt: ir.LogEnd) -> None:
        self.out(f"if (RARE(C->logs)) tell(C, {CLOSE if stmt.ends else SETTLE}, 0, 0, 0);")

    def curtain(self, stmt: ir.Curtain) -> None:
        super().curtain(stmt)
        if not stmt.up:
            self.out("if (RARE(C->fallen != 0)) fall(C, S);")
        self.out(f"if (RARE(C->host != 0)) tell(C, {CURTAIN_END if stmt.up else CURTAIN}, 0, 0, 0);")

    def random(self, stmt: ir.Random) -> None:
        if not stmt.die:
            super().random(stmt)
            return
        name, bound = self.names[stmt.name], self.hold(stmt.bound, "b")
        self.checked(stmt.bound)
        self.out(f"{name} = C->host ? tell(C, {DIE}, {bound}, 0, 0) : -1;")
        x, c = self.cells.rng_x, self.cells.rng_c
        self.out(f"if ({name} < 0) {name} = draw(&S[{x}], &S[{c}], {bound});")


class WhyBody(Body):
    """`w_f(S, args...)`: the reasons go into `out` as `n number args...` (n: how many words follow it)."""

    prefix = "w_"

    def blame(self, stmt: ir.Blame) -> None:
        values = "".join(f" put_value(C, {self.ex(arg)});" for arg in stmt.args)
        self.out(f"put(C, {2 * len(stmt.args) + 1}); put(C, {stmt.reason});{values} C->found++;")
        self.checked(*stmt.args)

    def blame_call(self, stmt: ir.BlameCall) -> None:
        if not stmt.trial:
            self.out(f"{self.ex.call(stmt.function, 'w_', stmt.args)};")
            self.checked(*stmt.args)
            self.check()
            return
        with self.out.inside("if (!C->found)"):
            begin_trial(self.out)
            self.out(f"{self.ex.call(stmt.function, 'u_', stmt.args, state='tried_')};")
            self.out(f"if (C->error == {prelude.error(prelude.ENSURE)}) {{ refused(C);{self.more()} }}")
            self.out("take_back(C, tried_, &trial_);")
            self.check()

    def more(self) -> str:
        """The call that tells the details of a reason that a trial has noted."""
        name = self.unit.module.why.get(ir.MORE)
        if name is None:
            return ""
        count = len(self.unit.module.functions[name].params) - 1
        values = (f"{k} < C->values_n ? C->values[{k}] : 0" for k in range(count))
        return f" {self.unit.call(name, 'w_', 'C->number', *values, state='tried_')};"


class TrialBody(DirectBody):
    """`u_f(S, args...)`: a routine while it is tried. What it changes it notes before (`runtime/trials.h`)."""

    prefix = "u_"

    def changes(self, place: str) -> None:
        self.out(f"note(C, S, {_address(place)});")

    def changes_run(self, place: str, count: str) -> None:
        self.out(f"note_run(C, S, {_address(place)}, {count});")

    def zone_change(self, what: str, *args: str) -> str:
        return super().zone_change(f"try_{what}", *args)

    def direct_call(self, stmt: ir.CallRoutine) -> str:
        return self.called(stmt, "u_")


def _address(place: str) -> str:
    return place.removeprefix("S[").removesuffix("]")
