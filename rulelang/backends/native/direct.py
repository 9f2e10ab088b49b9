"""Routines that never wait: those that cannot pause, and others with decisions taken on the spot and no log. Also why
functions and trials."""

from __future__ import annotations

from typing import Any, ClassVar, cast

from rulelang.backends.native import prelude
from rulelang.backends.native.enumerate import product
from rulelang.backends.native.picks import KEPT, count_step, pick_now
from rulelang.backends.native.stmts import Body
from rulelang.backends.native.unit import NativeUnit
from rulelang.backends.native.writer import Writer
from rulelang.backends.python.fuse import Note, Tally
from rulelang.program import ir
from rulelang.program.passes.shapes import Loop
from rulelang.program.passes.walk import FOR_LOOPS, child_exprs

_PLAIN = (ir.Const, ir.Local, ir.Arith, ir.Compare, ir.Logic, ir.Not, ir.If, ir.MinMax)

OPEN, LINE, CLOSE, CURTAIN, CURTAIN_END, DIE = range(1, 7)


class DirectBody(Body):
    """`d_f(S, args...)`."""

    prefix = "d_"
    state = "i32 *S"
    fuses = True
    METHODS: ClassVar[dict[type, str]] = {**Body.METHODS, Tally: "tally", Note: "note"}

    def __init__(self, unit: NativeUnit, function: ir.Function, out: Writer) -> None:
        super().__init__(unit, function, out)
        self.items: set[str] = set()  # locals of loops

    def enter(self) -> None:
        """Recursion is bounded in depth and in steps."""
        super().enter()
        if self.function.watched:
            count_step(self, self.unit.span(self.function.span))

    def count_step(self, stmt: ir.While | ir.Tick) -> None:
        count_step(self, self.unit.span(stmt.span))

    def random(self, stmt: ir.Random) -> None:
        x, c = self.cells.rng_x, self.cells.rng_c
        self.out(f"{self.names[stmt.name]} = draw(&S[{x}], &S[{c}], {self.ex(stmt.bound)});")
        self.checked(stmt.bound)

    def pick(self, stmt: ir.Pick) -> None:
        pick_now(self, stmt, self.fuses)

    def stop(self, stmt: ir.Stop) -> None:
        """What never waits does not stop."""

    def statement(self, stmt: Any) -> None:
        if isinstance(stmt, FOR_LOOPS):
            self.items.add(stmt.name)
        super().statement(stmt)

    def branch(self, stmt: ir.Branch) -> None:
        """Whether an option counts is hard to foretell for a processor: it is worked out without a jump."""
        if stmt.otherwise or not all(isinstance(s, Tally) and self.may_be_in_vain(s) for s in stmt.then):
            super().branch(stmt)
            return
        test = self.names.temporary("t")
        self.out(f"{test} = {self.bit(stmt.test)};")
        self.checked(stmt.test)
        for tally in stmt.then:
            self.tally(cast(Any, tally), test)

    def may_be_in_vain(self, stmt: Tally) -> bool:
        """Whether what an option would add may be worked out where there is none."""
        if stmt.compels is not None and not self.plain(stmt.compels):
            return False
        if stmt.loop is None:
            return all(isinstance(v, (ir.Local, ir.Const)) for v in stmt.values)
        return all(not loop.body and self.soon_told(loop) for loop in (stmt.loop, *stmt.more))

    def soon_told(self, loop: Loop) -> bool:
        """Whether the length of a loop is a word."""
        return isinstance(loop, ir.ForList) or (
            isinstance(loop, ir.ForChain) and loop.length is not None and self.plain(loop.length)
        )

    def plain(self, expr: ir.Expr) -> bool:
        """Whether it is quickly worked out, and can be where it is not asked: what loops go over is always there."""
        if isinstance(expr, (ir.Cell, ir.Table)):
            index = expr.index
            return (
                index is None
                or isinstance(index, ir.Const)
                or (isinstance(index, ir.Local) and index.name in self.items)
            )
        if isinstance(expr, ir.Arith) and expr.op in ("//", "%", "<<", ">>"):
            return False
        return isinstance(expr, _PLAIN) and all(map(self.plain, child_exprs(expr)))

    def bit(self, test: ir.Expr) -> str:
        """A condition as 0 or 1, with as few jumps as possible."""
        if not isinstance(test, ir.Logic) or not test.parts:
            return f"!!{self.ex(test)}"
        sign = "&" if test.op == "and" else "|"
        text = self.bit(test.parts[0])
        for part in test.parts[1:]:
            text = f"({text} {sign if self.plain(part) else 2 * sign} {self.bit(part)})"
        return text

    def tally(self, stmt: Tally, test: str = "") -> None:
        """Options more; `test`: a local with 0 if there are none."""
        out = self.out
        if stmt.number is not None:
            out(f"{stmt.count} += {self.ex(stmt.number)}{f' & -{test}' if test else ''};")
            return
        if stmt.loop is None:
            if stmt.collect:
                arity = len(stmt.values)
                at = f"{stmt.count} * {arity} + " if arity > 1 else f"{stmt.count} + "
                kept = " ".join(f"{stmt.collect}[{at}{i}] = {self.ex(v)};" for i, v in enumerate(stmt.values))
                out(f"if ({stmt.count} < {KEPT}) {{ {kept} }}")
                self.checked(*stmt.values)
            out(f"{stmt.count} += {test};" if test else f"{stmt.count}++;")
            self.compels(stmt, test)
            return
        name = self.names.once("j_")
        whole = " + ".join(product(self, loop, {}) for loop in (stmt.loop, *stmt.more))
        out(f"{name} = {whole}{f' & -{test}' if test else ''}; {stmt.count} += {name};")
        self.compels(stmt, f"!!{name}")

    def compels(self, stmt: Tally, test: str) -> None:
        if stmt.compels is None:
            return
        if test and self.plain(stmt.compels):
            self.out(f"m_ |= {test} & {self.bit(stmt.compels)};")
        else:
            self.out(f"if ({test and f'{test} && '}{self.cond(stmt.compels)}) m_ = 1;")

    def note(self, stmt: Note) -> None:
        taken = f"{stmt.before} = {stmt.count}; note({stmt.memo}, {stmt.count}, {self.ex(stmt.item)});"
        self.out(f"if ({stmt.count} > {stmt.before}) {{ {taken} }}")

    def call_routine(self, stmt: ir.CallRoutine) -> None:
        result = f"{self.names[stmt.result]} = " if stmt.result is not None else ""
        self.out(f"{result}{self.direct_call(stmt)};")
        if stmt.function in self.unit.fallible:
            self.check()
        else:
            self.checked(*stmt.args)

    def direct_call(self, stmt: ir.CallRoutine) -> str:
        return self.called(stmt, "d_")

    def called(self, stmt: ir.CallRoutine, prefix: str) -> str:
        return self.ex.call(stmt.function, prefix, stmt.args)

    def log(self, stmt: ir.Log) -> None:
        pass

    def log_end(self, stmt: ir.LogEnd) -> None:
        pass

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
        self.out(f"if (RARE(C->logs)) tell(C, {CLOSE}, 0, 0, 0);")

    def curtain(self, stmt: ir.Curtain) -> None:
        super().curtain(stmt)
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
        words = (len(stmt.args) + 1, stmt.reason, *map(self.ex, stmt.args))
        self.out(" ".join(f"put(C, {word});" for word in words) + " C->found++;")
        self.checked(*stmt.args)

    def blame_call(self, stmt: ir.BlameCall) -> None:
        if not stmt.trial:
            self.out(f"{self.ex.call(stmt.function, 'w_', stmt.args)};")
            self.checked(*stmt.args)
            self.check()
            return
        size = self.unit.module.layout.size
        with self.out.inside("if (!C->found)"):
            self.out(f"i32 copy_[{size}];")
            self.out("i64 (*host_)(i64, i64, i64, i64 *) = C->host; i64 logs_ = C->logs;")
            self.out(f"copy(copy_, S, {size}); C->host = 0; C->logs = 0;")
            self.out(f"{self.ex.call(stmt.function, 'd_', stmt.args, state='copy_')};")
            self.out("C->host = host_; C->logs = logs_;")
            self.out(f"if (C->error == {prelude.error(prelude.ENSURE)}) refused(C);")
            self.check()


def write_trial(unit: NativeUnit, function: ir.Function, out: Writer) -> None:
    """`t_f(S, args...)`: 1 if the routine runs on a copy of the state without being refused."""
    given = [*(f"a{i}" for i in range(len(function.params))), *(["depth_"] if function.recursive else [])]
    params = [f"i64 {name}" for name in given]
    size = unit.module.layout.size
    with out.inside(unit.head(function.name, "t_", *params, state="const i32 *S")):
        out(f"i32 copy_[{size}];")
        out("i64 (*host_)(i64, i64, i64, i64 *) = C->host; i64 logs_ = C->logs;")
        out(f"copy(copy_, S, {size}); C->host = 0; C->logs = 0;")
        out(f"{unit.call(function.name, 'd_', *given, state='copy_')};")
        out("C->host = host_; C->logs = logs_;")
        out(f"if (C->error == {prelude.error(prelude.ENSURE)}) {{ C->error = 0; C->trailed = 0; return 0; }}")
        out("return 1;")
