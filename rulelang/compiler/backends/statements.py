"""Print statements and the forms of a routine: what the printers of all targets share."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import STMTS
from rulelang.compiler.passes.resumable import PC, SP
from rulelang.compiler.passes.suspension import DEPTH

# ---- statements

#: Statements behind which control does not come.
ENDS = (
    ir.Return, ir.ReturnMany, ir.Unreachable, ir.Break, ir.Continue, ir.Fail, ir.Pause, ir.Exhausted,
)  # fmt: skip


def _method_name(kind: type) -> str:
    name = re.sub(r"(?<!^)([A-Z])", r"_\1", kind.__name__).lower()
    return f"{name}_" if keyword.iskeyword(name) else name


#: Locals that no statement gives a value at first: how deep a function is in its recursion, its frame, and its point.
UNASSIGNED_LOCALS = {DEPTH: "depth_", SP: "sp", PC: "pc"}
#: By class, the method that writes a statement: `for_range`, `return_`.
METHODS = {kind: _method_name(kind) for kind in STMTS}


class Statements:
    """Writes the statements of one function. `end`: of a line in the target; `prefix`: of the function's name there."""

    end: ClassVar[str] = ";"
    prefix = "p_"
    ex: Any  # what writes expressions

    def __init__(self, unit: Any, function: ir.Function, out: Any, names: Any) -> None:
        """`unit`, `out` and `names` (of locals) are of the target."""
        self.unit, self.function, self.out, self.names = unit, function, out, names
        self.cells = unit.cells
        names.given |= UNASSIGNED_LOCALS
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


class ListingRoutine(Statements):
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


class SilentRoutine(Statements):
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


# ---- forms of a routine

#: What the names of generated functions begin with, by kind of function and form of a routine.
PREFIXES = {
    "pure": "p_", "why": "w_", "enumerator": "l_", "lister": "o_", "relister": "a_", "direct": "d_", "waiting": "r_",
    "hearing": "r_", "drawn": "s_",
}  # fmt: skip


def routine_forms(unit: Any, function: ir.Function) -> Iterator[tuple[str, ir.Function]]:
    """A function in all its forms, each by its kind, or as a form of a routine."""
    name = function.name
    if function.kind != "routine":
        yield function.kind, function
        return
    yield "direct", unit.direct[name]
    if function.pausing:
        yield "waiting", unit.waiting[name]
    elif name in unit.hosted:
        yield "hearing", unit.hearing[name]
    if name in unit.drawn:
        yield "drawn", unit.drawn[name]


def write_form(unit: Any, kind: str, form: ir.Function, out: Any, bodies: Mapping[str, Any]) -> None:
    """Write one of them by what `bodies` has for its kind; what is drawn by what writes direct ones."""
    if kind == "drawn":
        bodies["direct"](unit, form, out, drawn=True).write()
    else:
        bodies[kind](unit, form, out).write()


def write_function(unit: Any, function: ir.Function, out: Any, bodies: Mapping[str, Any]) -> None:
    """Write a function in all its forms."""
    for kind, form in routine_forms(unit, function):
        write_form(unit, kind, form, out, bodies)


class Calls:
    """What expressions of one function have in calls."""

    unit: Any  # these two are of the target
    function: str

    def value(self, expr: ir.Expr) -> str:
        raise NotImplementedError

    def args(self, args: tuple[ir.Expr, ...]) -> str:
        """`, a, b`: the arguments after the state."""
        return "".join(f", {self.value(a)}" for a in args)

    def depth(self, callee: str) -> str:
        """The depth argument for a call within one cycle of functions."""
        return ", depth_ + 1" if self.unit.same_group(self.function, callee) else ""


class ScriptedWriter(Statements):
    """Writes one function: `p_f(S, args...)` if it is pure. `first`: what it takes before its own arguments; `unasked`:
    what these are where they are not given; `nothing`: what stands for no value."""

    nothing: ClassVar[str] = "null"
    first: ClassVar[tuple[str, ...]] = ("S",)
    unasked: ClassVar[str] = ""

    def params(self) -> list[str]:
        depth = ["depth_=0"] if self.function.recursive else []
        return [*self.first, *(self.names[p] + self.unasked for p in self.function.params), *depth]

    def enter(self) -> None:
        """At the head of the body."""
        self.watch_depth()

    def leave(self) -> None:
        """At the end of the body."""

    def head(self, test: str) -> str:
        """The head of what is done only where something is so."""
        raise NotImplementedError

    def when(self, test: str, text: str) -> None:
        """Write a statement that is done only where something is so."""
        self.say(f"{self.head(test)} {text}")

    def watch_depth(self) -> None:
        """At the head of a function that may call itself."""
        if self.function.watched:
            deep = self.unit.module.limits["depth"]
            self.when(f"depth_ > {deep}", f"deep_({self.unit.span(self.function.span)})")

    def new_tuples(self, stmt: ir.NewTuples) -> None:
        self.say(f"{self.names[stmt.name]} = []")

    def distinct_list(self, stmt: ir.DistinctList) -> None:
        zone, table = self.ex.value(stmt.zone), self.unit.table(stmt.table)
        self.say(f"{self.names[stmt.name]} = distinct_(S, {zone}, {table})")

    def random(self, stmt: ir.Random) -> None:
        raise NotImplementedError

    def fail(self, stmt: ir.Fail) -> None:
        self.say(f"fail_({self.unit.fail(stmt)}{self.ex.args(stmt.args)})")

    def exhausted(self, stmt: ir.Exhausted) -> None:
        self.say(f"{stmt.what}_({self.unit.span(stmt.span)})")


class DirectRoutine(SilentRoutine, ScriptedWriter):
    """`d_f(S, args...)`."""

    def enter(self) -> None:
        """Recursion is bounded in depth and in steps."""
        self.watch_depth()
        if self.function.watched:
            self.count(self.unit.span(self.function.span))

    def forced(self, stmt: ir.Forced) -> None:
        self.statement(ir.Add(self.unit.cells.forced, None, ir.Const(1)))
        if self.unit.steps:
            self.count(self.unit.site_span(stmt.site))

    def curtain(self, stmt: ir.Curtain) -> None:
        self.statement(ir.Add(self.unit.cells.curtain, None, ir.Const(-1 if stmt.up else 1)))

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


class HostedRoutine(DirectRoutine):
    """`r_f(S, H, args...)`: a host `H` hears the log and the curtain, and is asked for fixed dice. `curtain_end`: how
    it is told that the curtain is lifted."""

    prefix = "r_"
    first: ClassVar[tuple[str, ...]] = ("S", "H")
    curtain_end: ClassVar[str] = "curtain_end"

    def call_routine(self, stmt: ir.CallRoutine) -> None:
        """What may pause is called so only where it decides for itself."""
        if stmt.function in self.unit.hosted - self.unit.frames.keys():
            self.called(stmt, "r_", "S, H")
        else:
            super().call_routine(stmt)

    def log(self, stmt: ir.Log) -> None:
        self.when("H", f"H.{'open' if stmt.opens else 'line'}({stmt.template}, {self.ex.row(stmt.args)})")

    def log_end(self, stmt: ir.LogEnd) -> None:
        self.when("H", f"H.{'close' if stmt.ends else 'settle'}()")

    def curtain(self, stmt: ir.Curtain) -> None:
        super().curtain(stmt)
        self.when("H", f"H.{self.curtain_end if stmt.up else 'curtain'}()")

    def random(self, stmt: ir.Random) -> None:
        if not stmt.die:
            super().random(stmt)
            return
        name = self.names[stmt.name]
        self.say(f"{name} = -1")
        self.when("H", f"{name} = H.die({self.ex.value(stmt.bound)})")
        with self.out.inside(self.head(f"{name} < 0")):
            super().random(stmt)


class ResumableRoutine(HostedRoutine):
    """`r_f(S, H, sp, pc, arg, args...)`: with pc 0 a call; else the function goes back to the point `pc` of its frame
    at `sp` with `arg`, the option taken or the value of the routine it called. It answers a list of options if it
    pauses, else its value; meanwhile `arg` holds what was answered last, or the options that are asked for. `H` is a
    mark where decisions behind the point are to be taken at random (a playout from a paused game). `running`: the test
    whether it is a call."""

    first: ClassVar[tuple[str, ...]] = ("S", "H", "sp", "pc", "arg")
    running: ClassVar[str]

    def enter_routine(self, stmt: ir.EnterRoutine) -> None:
        self.say(f"arg = {self.call('r_', f'S, H, {self.ex.value(stmt.frame)}, 0, 0', stmt)}")
        self.refused(stmt)
        with self.out.inside(self.head(self.paused(stmt))):
            self.block(stmt.body)

    def enter(self) -> None:
        if self.function.watched:
            with self.out.inside(self.head(self.running)):
                super().enter()

    def paused(self, stmt: ir.EnterRoutine) -> str:
        """The test whether the routine pauses."""
        raise NotImplementedError

    def answered(self, stmt: ir.Answered) -> None:
        self.say(f"{self.names[stmt.name]} = arg")

    def pause(self, stmt: ir.Pause) -> None:
        self.say("return arg")


class WhyRoutine(ScriptedWriter):
    """`w_f(S, B, args...)`: the reasons go into the list `B`. `empty`: the test whether there is none yet."""

    prefix = "w_"
    first: ClassVar[tuple[str, ...]] = ("S", "B")
    empty: ClassVar[str]

    def blame_call(self, stmt: ir.BlameCall) -> None:
        args = self.ex.args(stmt.args)
        if stmt.trial:
            more, tried = self.unit.more() or self.nothing, self.unit.function(stmt.function, "d_")
            self.when(self.empty, f"blame_trial_(B, {more}, {tried}, S{args})")
        else:
            self.say(f"{self.unit.function(stmt.function, 'w_')}(S, B{args})")


class OptionGenerator(ListingRoutine, ScriptedWriter):
    """`l_E(S, o_, tag_, args...)` appends the options of an enumerator, each with the tag and its values, to `o_`, and
    answers whether one of them compels. `o_P(S, args...)` answers a list of all options of a decision."""

    def params(self) -> list[str]:
        first, *rest = super().params()
        return [first, *([] if self.whole else ["o_", "tag_"]), *rest]

    def list_all(self, stmt: ir.ListAll) -> None:
        args = self.ex.args(stmt.args) + self.ex.depth(stmt.enumerator)
        call = f"{self.unit.function(stmt.enumerator, 'l_')}(S, o_, {stmt.tag}{args})"
        if stmt.compels is None:
            self.say(call)
        else:
            self.when(call, f"{self.names[stmt.compels]} = 1")
