"""The kinds of functions: routines that never wait, enumerators that list, why functions, and routines that may pause.

What waits does so as in Python (see `backends.python.resume`): a frame in the state, and a way back through guards.
Its host `H` is null if nobody listens, and `AUTO_` (false) where decisions behind the point are to be taken at random;
`arg` is `LIST_` where only the options are to be listed again.
"""

from __future__ import annotations

from typing import ClassVar

from rulelang.backends.braces import Writer
from rulelang.backends.javascript.stmts import Body
from rulelang.backends.javascript.unit import JavaScriptUnit
from rulelang.ir import nodes as ir
from rulelang.ir.walk import statements
from rulelang.transform.suspend.frames import DEPTH, TURNS, Frame


class DirectBody(Body):
    """`d_f(S, args...)`, or `s_f` with decisions that are drawn."""

    prefix = "d_"

    def __init__(self, unit: JavaScriptUnit, function: ir.Function, out: Writer, drawn: bool = False) -> None:
        super().__init__(unit, function, out)
        if drawn:
            self.prefix = "s_"

    def enter(self) -> None:
        """Recursion is bounded in depth and in steps."""
        super().enter()
        if self.function.watched:
            self.count(self.unit.span(self.function.span))

    def count(self, span: int) -> None:
        self.out(f"if (++S[{self.cells.steps}] > {self.limits['steps']}) steps_({span});")

    def count_step(self, stmt: ir.While | ir.Tick) -> None:
        self.count(self.unit.span(stmt.span))

    def decided(self, stmt: ir.Decided) -> None:
        cells = self.cells
        if self.unit.steps:
            self.out(f"S[{cells.steps}] = 0;")
        self.out(f"if (++S[{cells.decisions}] > due_) asked_(S, {stmt.site}, {self.ex.value(stmt.player)});")

    def forced(self, stmt: ir.Forced) -> None:
        self.out(f"S[{self.cells.forced}]++;")
        if self.unit.steps:
            self.count(self.unit.site_span(stmt.site))

    def stop(self, stmt: ir.Stop) -> None:
        """What never waits does not stop."""

    def call_routine(self, stmt: ir.CallRoutine) -> None:
        result = f"{self.names[stmt.result]} = " if stmt.result is not None else ""
        self.out(f"{result}{self.direct_call(stmt)};{self.refused(stmt)}")

    def refused(self, stmt: ir.CallRoutine) -> str:
        """Behind the call of a routine that may be refused: then so is this one."""
        return " if (refused_ !== null) return;" if stmt.function in self.unit.refusing else ""

    def direct_call(self, stmt: ir.CallRoutine) -> str:
        drawn = self.prefix == "s_" and stmt.function in self.unit.drawn
        name = self.unit.function(stmt.function, "s_" if drawn else "d_")
        return f"{name}(S{self.ex.args(stmt.args)}{self.ex.depth(stmt.function)})"

    def log(self, stmt: ir.Log) -> None:
        pass

    def log_end(self, stmt: ir.LogEnd) -> None:
        pass

    def curtain(self, stmt: ir.Curtain) -> None:
        self.out(f"S[{self.cells.curtain}]{'--' if stmt.up else '++'};")


class HostedBody(DirectBody):
    """`r_f(S, H, args...)`: as direct, with a host that hears the log, the curtain and is asked for fixed dice."""

    prefix = "r_"
    first: ClassVar[tuple[str, ...]] = ("S", "H")

    def call_routine(self, stmt: ir.CallRoutine) -> None:
        if stmt.function not in self.unit.hosted:
            super().call_routine(stmt)
            return
        result = f"{self.names[stmt.result]} = " if stmt.result is not None else ""
        name = self.unit.function(stmt.function, "r_")
        call = f"{name}(S, H{self.ex.args(stmt.args)}{self.ex.depth(stmt.function)})"
        self.out(f"{result}{call};{self.refused(stmt)}")

    def log(self, stmt: ir.Log) -> None:
        self.out(f"if (H) H.{'open' if stmt.opens else 'line'}({stmt.template}, {self.ex.row(stmt.args)});")

    def log_end(self, stmt: ir.LogEnd) -> None:
        self.out("if (H) H.close();")

    def curtain(self, stmt: ir.Curtain) -> None:
        super().curtain(stmt)
        self.out(f"if (H) H.{'curtainEnd' if stmt.up else 'curtain'}();")

    def random(self, stmt: ir.Random) -> None:
        if not stmt.die:
            super().random(stmt)
            return
        name, bound, cells = self.names[stmt.name], self.hold(stmt.bound, "b"), self.cells
        self.out(f"{name} = H ? H.die({bound}) : -1;")
        self.out(f"if ({name} < 0) {name} = draw_(S, {cells.rng_x}, {cells.rng_c}, {bound});")


class WhyBody(Body):
    """`w_f(S, B, args...)`: the reasons go into the list `B` as [number, arguments]."""

    prefix = "w_"
    first: ClassVar[tuple[str, ...]] = ("S", "B")

    def blame(self, stmt: ir.Blame) -> None:
        self.out(f"B.push([{stmt.reason}, {self.ex.row(stmt.args)}]);")

    def blame_call(self, stmt: ir.BlameCall) -> None:
        args = self.ex.args(stmt.args)
        if stmt.trial:
            self.out(f"if (!B.length) blame_(B, {self.unit.function(stmt.function, 'd_')}, S{args});")
        else:
            self.out(f"{self.unit.function(stmt.function, 'w_')}(S, B{args});")


class ListerBody(Body):
    """`l_E(S, o_, tag_, args...)` appends the options of an enumerator as `[tag, values...]` to `o_`, and answers
    whether one of them compels."""

    prefix = "l_"
    first: ClassVar[tuple[str, ...]] = ("S", "o_", "tag_")

    def leave(self) -> None:
        self.out(f"return {self.names.once('m_')};")

    def return_(self, stmt: ir.Return) -> None:
        self.leave()

    def yield_(self, stmt: ir.Yield) -> None:
        self.out(f"o_.push([{', '.join(['tag_', *map(self.ex.value, stmt.values)])}]);")
        if stmt.compels is not None and stmt.compels != ir.Const(0):
            self.out(f"if ({self.ex.cond(stmt.compels)}) {self.names.once('m_')} = 1;")


class ResumeBody(HostedBody):
    """`r_f(S, H, sp, pc, arg, args...)`: with pc 0 a call; else the function goes on in its frame at `sp` behind point
    `pc` with `arg`, the option taken or the value of the routine it called. It answers a list of options if it pauses,
    else its value."""

    first: ClassVar[tuple[str, ...]] = ("S", "H", "sp", "pc", "arg")

    def __init__(self, unit: JavaScriptUnit, frame: Frame, out: Writer) -> None:
        super().__init__(unit, unit.waiting[frame.function.name], out)
        self.frame = frame
        self.names.given[DEPTH] = "depth_"

    def enter(self) -> None:
        with self.out.inside("if (pc)"), self.out.inside("switch (pc)"):
            for point in self.frame.points.values():
                with self.out.inside(f"case {point.pc}:"):
                    for slot in point.slots:
                        place = f"sp + {slot.offset}"
                        value = f"S[{place}]" if slot.capacity is None else f"items_(S, {place})"
                        self.out(f"{self.names[slot.name]} = {value};")
                    self.out("break;")
        if self.function.watched:
            with self.out.inside("if (!pc)"):
                super().enter()

    def save(self, stmt: ir.Stmt) -> None:
        point = self.frame.points[id(stmt)]
        limit = self.unit.module.layout.size - self.frame.size
        self.out(f"if (sp > {limit}) stack_({self.unit.span(self.function.span)});")
        self.out(f"S[sp] = {point.pc};")
        for slot in point.slots:
            name = self.names[slot.name]
            lay = (
                f"S[sp + {slot.offset}] = {name};" if slot.capacity is None else f"lay_(S, sp + {slot.offset}, {name});"
            )
            self.out(lay)

    # ---- blocks

    def pcs(self, *blocks: ir.Block) -> list[int]:
        """The points in the blocks that can be reached, in order."""
        points = self.frame.points
        return [points[id(s)].pc for block in blocks for s in statements(block) if id(s) in points]

    def block(self, block: ir.Block) -> None:
        pausing = [i for i, stmt in enumerate(block) if self.pcs((stmt,))]
        done = 0
        for i in pausing:
            if i > done:
                with self.out.inside("if (!pc)"):
                    super().block(block[done:i])
            self.pausing(block[i])
            done = i + 1
        super().block(block[done:])

    def pausing(self, stmt: ir.Stmt) -> None:
        """A statement with points in it."""
        points = self.pcs((stmt,))
        match stmt:
            case ir.Pick():
                self.ask(stmt, points[0])
            case ir.Stop():
                self.halt(stmt, points[0])
            case ir.CallRoutine():
                self.call(stmt, points[0])
            case ir.Branch() | ir.While():
                with self.out.inside(f"if (!pc || {within(points)})"):
                    self.compound(stmt)
            case _:
                raise AssertionError(stmt)

    def compound(self, stmt: ir.Branch | ir.While) -> None:
        test = self.ex.cond(stmt.test)
        if isinstance(stmt, ir.While):
            with self.out.inside(f"while (pc || {test})"):
                if stmt.budget:
                    with self.out.inside("if (!pc)"):
                        self.count_step(stmt)
                else:
                    self.count_turn()
                self.block(stmt.body)
            return
        then = self.pcs(stmt.then)
        with self.out.inside(f"if (pc ? {within(then)} : {test})"):
            self.block(stmt.then)
        if stmt.otherwise:
            with self.out.inside("else"):
                self.block(stmt.otherwise)

    def count_turn(self) -> None:
        span = self.unit.span(self.function.span)
        self.out(f"if (++{self.names.once('turns_')} > {self.limits['steps'] * TURNS}) steps_({span});")

    # ---- points

    def ask(self, stmt: ir.Pick, pc: int) -> None:
        out, cells = self.out, self.cells
        options, option, number = (self.names.once(name) for name in ("o_", "q_", "n_"))
        with out.inside(f"if (!pc || (pc === {pc} && arg === LIST_))"):
            assert stmt.player is not None
            self.list_options(stmt)
            out(f"if (pc) return {options};")
            out(f"{number} = {options}.length;")
            with out.inside(f"if ({number} > 1)"):
                with out.inside("if (H === AUTO_)"):
                    self.decided(ir.Decided(stmt.site, stmt.player))
                    out(f"{option} = {options}[draw_(S, {cells.policy_x}, {cells.policy_c}, {number})];")
                with out.inside("else"):
                    out(f"S[{cells.decisions}]++;{f' S[{cells.steps}] = 0;' if self.unit.steps else ''}")
            with out.inside(f"else if ({number})"):
                out(f"{option} = {options}[0];")
                self.forced(ir.Forced(stmt.site))
            out(f"else {option} = NOTHING_;")
            with out.inside(f"if (({number} > 1 || ({number} && S[{cells.stepping}])) && H !== AUTO_)"):
                self.wait(stmt, stmt.site, self.ex.value(stmt.player))
                out(f"return {options};")
            self.unpack(stmt, option)
        with out.inside(f"else if (pc === {pc})"):
            out("pc = 0;")
            self.unpack(stmt, "arg")

    def wait(self, stmt: ir.Stmt, site: int, player: str) -> None:
        cells = self.cells
        self.out(f"S[{cells.frame}] = sp; S[{cells.site}] = {site}; S[{cells.decider}] = {player};")
        self.save(stmt)

    def halt(self, stmt: ir.Stop, pc: int) -> None:
        out, cells = self.out, self.cells
        with out.inside("if (!pc)"), out.inside(f"if (S[{cells.stepping}] && !S[{cells.seek}] && H !== AUTO_)"):
            self.wait(stmt, stmt.site, "0")
            out("return [[-1]];")
        with out.inside(f"else if (pc === {pc})"):
            out("if (arg === LIST_) return [[-1]];")
            out("pc = 0;")

    def list_options(self, stmt: ir.Pick) -> None:
        options, compelled = self.names.once("o_"), self.names.once("m_")
        self.out(f"{options} = []; {compelled} = 0;")
        for source in stmt.sources:
            args = self.ex.args(source.args) + self.ex.depth(source.enumerator)
            name = self.unit.function(source.enumerator, "l_")
            self.out(f"if ({name}(S, {options}, {source.tag}{args})) {compelled} = 1;")
        if stmt.may_pass != ir.Const(0):
            self.out(f"if (!{compelled} && {self.ex.cond(stmt.may_pass)}) {options}.push([-1]);")

    def unpack(self, stmt: ir.Pick, option: str) -> None:
        """What an option has no value for becomes 0."""
        names = [self.names[n] for n in (stmt.tag, *stmt.targets)]
        self.out(" ".join(f"{name} = {option}[{at}] | 0;" for at, name in enumerate(names)))

    def call(self, stmt: ir.CallRoutine, pc: int) -> None:
        out, size, found = self.out, self.frame.size, self.names.once("o_")
        result = self.names[stmt.result] if stmt.result is not None else ""
        name = self.unit.function(stmt.function, "r_")
        args = f"S, H, sp + {size}, 0, 0{self.ex.args(stmt.args)}{self.ex.depth(stmt.function)}"
        with out.inside("if (!pc)"):
            out(f"{found} = H === AUTO_ ? {self.direct_call(stmt)} : {name}({args});{self.refused(stmt)}")
            with out.inside(f'if (typeof {found} === "object")'):
                self.save(stmt)
                out(f"S[sp + {size + 1}] = sp;")
                out(f"return {found};")
            if result:
                out(f"{result} = {found};")
        with out.inside(f"else if (pc === {pc})"):
            out(f"{result} = arg; pc = 0;" if result else "pc = 0;")


def within(points: list[int]) -> str:
    """Whether pc, which is not 0, is one of a run of points; they are numbered in the order of the text."""
    return f"(pc >= {points[0]} && pc <= {points[-1]})" if points else "false"
