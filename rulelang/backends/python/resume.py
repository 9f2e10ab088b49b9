"""Routines that may pause: state machines over frames that lie in the state (see `suspend.frames`).

`r_f(S, H, sp, pc, arg, args...)`: with pc 0 a call; else the function goes on in its frame at `sp` behind point `pc`
with `arg`, the option taken or the value of the routine it called. It answers a list of options if it pauses, else its
value. On the way back to a point every head is entered by its pc (`if pc or test`), and what lies before the point is
skipped (`if not pc`); at the point pc becomes 0. `arg` is `L_` where only the options are to be listed again.
`H` is `A_` where decisions behind the point are to be taken at random (a playout from a paused game).
"""

from __future__ import annotations

from rulelang.backends.python.direct import HostedBody
from rulelang.backends.python.writer import Writer
from rulelang.backends.unit import Unit
from rulelang.ir import nodes as ir
from rulelang.ir.walk import answers_something, statements
from rulelang.transform.choice.shapes import may_compel
from rulelang.transform.suspend.frames import DEPTH, TURNS, Frame, Slot


class ResumeBody(HostedBody):
    """Writes one pausing routine."""

    def __init__(self, unit: Unit, frame: Frame, out: Writer) -> None:
        super().__init__(unit, unit.waiting[frame.function.name], out)
        self.frame = frame
        self.shapes = unit.sampling.shapes
        self.names.given[DEPTH] = "depth_"
        self.names.given["@n"] = "n_"
        self.turning = any(isinstance(s, ir.While) and not s.budget for s in statements(frame.function.body))

    def write(self) -> None:
        function = self.function
        params = ["S", "H", "sp", "pc=0", "arg=0", *(f"{self.names[p]}=0" for p in function.params)]
        if function.recursive:
            params.append("depth_=0")
        name = self.unit.function(function.name, "r_")
        with self.out.at(function.span), self.out.inside(f"def {name}({', '.join(params)}):"):
            if self.turning:
                self.out("turns_ = 0")
            self.restore()
            if function.watched:
                with self.out.inside("if not pc:"):
                    self.enter()
            self.block(function.body)

    # ---- frames

    def restore(self) -> None:
        groups: dict[tuple[Slot, ...], list[int]] = {}
        for point in self.frame.points.values():
            if point.slots:
                groups.setdefault(point.slots, []).append(point.pc)
        if not groups:
            return
        with self.out.inside("if pc:"):
            if len(groups) == 1 and len(self.frame.points) == len(next(iter(groups.values()))):
                self.load(next(iter(groups)))
                return
            word = "if"
            for slots, pcs in groups.items():
                test = f"pc == {pcs[0]}" if len(pcs) == 1 else f"pc in {tuple(pcs)}"
                with self.out.inside(f"{word} {test}:"):
                    self.load(slots)
                word = "elif"

    def load(self, slots: tuple[Slot, ...]) -> None:
        for run in _runs(slots):
            start = run[0].offset
            names = ", ".join(self.names[s.name] for s in run)
            if run[0].capacity is not None:
                self.out(f"{names} = S[sp + {start + 1}:sp + {start + 1} + S[sp + {start}]]")
            elif len(run) == 1:
                self.out(f"{names} = S[sp + {start}]")
            else:
                self.out(f"{names} = S[sp + {start}:sp + {start + len(run)}]")

    def save(self, stmt: ir.Stmt) -> None:
        point = self.frame.points[id(stmt)]
        limit = self.unit.module.layout.size - self.frame.size
        self.out(f"if sp > {limit}: stack_({self.unit.span(self.function.span)})")
        self.out(f"S[sp] = {point.pc}")
        for run in _runs(point.slots):
            start = run[0].offset
            names = ", ".join(self.names[s.name] for s in run)
            if run[0].capacity is not None:
                self.out(f"n_ = len({names}); S[sp + {start}] = n_")
                self.out(f"S[sp + {start + 1}:sp + {start + 1} + n_] = {names}")
            elif len(run) == 1:
                self.out(f"S[sp + {start}] = {names}")
            else:
                self.out(f"S[sp + {start}:sp + {start + len(run)}] = {names}")

    # ---- blocks

    def pcs(self, *blocks: ir.Block) -> list[int]:
        """The points in the blocks that can be reached, in order."""
        points = self.frame.points
        return [points[id(s)].pc for block in blocks for s in statements(block) if id(s) in points]

    def block(self, block: ir.Block) -> None:
        pausing = [i for i, stmt in enumerate(block) if self.pcs((stmt,))]
        if not pausing:
            super().block(block)
            return
        done = 0
        for i in pausing:
            if i > done:
                with self.out.inside("if not pc:"):
                    super().block(block[done:i])
            self.pausing(block[i], later=i != pausing[-1])
            done = i + 1
        super().block(block[done:])

    def pausing(self, stmt: ir.Stmt, later: bool) -> None:
        """A statement with points in it; `later`: more of them follow in its block."""
        if isinstance(stmt, ir.Pick):
            self.ask(stmt, later)
        elif isinstance(stmt, ir.Stop):
            self.halt(stmt, later)
        elif isinstance(stmt, ir.CallRoutine):
            self.call(stmt, later)
        elif later:
            with self.out.inside(f"if pc <= {self.pcs((stmt,))[-1]}:"):
                self.compound(stmt)
        else:
            self.compound(stmt)

    def compound(self, stmt: ir.Stmt) -> None:
        if isinstance(stmt, ir.Branch):
            self.fork(stmt)
            return
        assert isinstance(stmt, ir.While)
        endless = isinstance(stmt.test, ir.Const) and stmt.test.value
        with self.out.inside("while 1:" if endless else f"while pc or {self.ex.cond(stmt.test, 2)}:"):
            if stmt.budget:
                with self.out.inside("if not pc:"):
                    self.count_step(stmt)
            else:
                self.count_turn()
            self.block(stmt.body)

    def while_(self, stmt: ir.While) -> None:
        with self.out.inside(f"while {self.ex.cond(stmt.test)}:"):
            if stmt.budget:
                self.count_step(stmt)
            else:
                self.count_turn()
            self.block(stmt.body)

    def count_turn(self) -> None:
        self.out("turns_ += 1")
        self.out(
            f"if turns_ > {self.unit.module.limits['steps'] * TURNS}: steps_({self.unit.span(self.function.span)})"
        )

    def fork(self, stmt: ir.Branch) -> None:
        then, otherwise = self.pcs(stmt.then), self.pcs(stmt.otherwise)
        if not then:  # only the other way may pause: tell it first
            stmt = ir.Branch(ir.Not(stmt.test), stmt.otherwise, stmt.then)
            then, otherwise = otherwise, []
        if otherwise:
            head = f"if pc <= {then[-1]} if pc else {self.ex.cond(stmt.test)}:"
        else:
            head = f"if pc or {self.ex.cond(stmt.test, 2)}:"
        with self.out.inside(head):
            self.block(stmt.then)
        if stmt.otherwise:
            with self.out.inside("else:"):
                self.block(stmt.otherwise)

    # ---- points

    def ask(self, stmt: ir.Pick, later: bool) -> None:
        out, cells, pc = self.out, self.cells, self.frame.points[id(stmt)].pc
        with out.inside(f"if not pc or pc == {pc} and arg is L_:" if later else "if not pc or arg is L_:"):
            assert stmt.player is not None
            self.list_options(stmt)
            out("if pc: return o_")
            out("n_ = len(o_)")
            with out.inside("if n_ > 1:"):
                with out.inside("if H is A_:"):
                    self.decided(ir.Decided(stmt.site, stmt.player))
                    self.random(ir.Random("@k", ir.Local("@n"), policy=True))
                    out(f"q_ = o_[{self.names['@k']}]")
                with out.inside("else:"):
                    out(f"S[{cells.decisions}] += 1{f'; S[{cells.steps}] = 0' if self.unit.steps else ''}")
            with out.inside("elif n_:"):
                out("q_ = o_[0]")
                self.forced(ir.Forced(stmt.site))
            with out.inside("else:"):
                out("q_ = (-2,)")
            with out.inside(f"if (n_ > 1 or n_ and S[{cells.stepping}]) and H is not A_:"):
                self.wait(stmt, stmt.site, self.ex.value(stmt.player))
                out("return o_")
            self.unpack(stmt, "q_")
        with out.inside(f"elif pc == {pc}:" if later else "else:"):
            out("pc = 0")
            self.unpack(stmt, "arg")

    def wait(self, stmt: ir.Stmt, site: int, player: str) -> None:
        cells = self.cells
        self.out(f"S[{cells.frame}] = sp; S[{cells.site}] = {site}; S[{cells.decider}] = {player}")
        self.save(stmt)

    def halt(self, stmt: ir.Stop, later: bool) -> None:
        out, pc = self.out, self.frame.points[id(stmt)].pc
        stepping = f"S[{self.cells.stepping}] and not S[{self.cells.seek}]"
        with out.inside("if not pc:"), out.inside(f"if {stepping} and H is not A_:"):
            self.wait(stmt, stmt.site, "0")
            out("return [(-1,)]")
        with out.inside(f"elif pc == {pc}:" if later else "else:"):
            out("if arg is L_: return [(-1,)]")
            out("pc = 0")

    def list_options(self, stmt: ir.Pick) -> None:
        compels = may_compel(stmt, self.shapes)
        self.out("o_ = []")
        if compels:
            self.out("m_ = 0")
        for source in stmt.sources:
            call = f"{self.unit.function(source.enumerator, 'l_')}(S, o_, {source.tag}{self.ex.args(source.args)})"
            self.out(f"if {call}: m_ = 1" if compels and self.shapes[source.enumerator].compels else call)
        if stmt.may_pass != ir.Const(0):
            test = self.ex.cond(stmt.may_pass, 3)
            self.out(f"if {'not m_ and ' if compels else ''}{test}: o_.append((-1,))")

    def unpack(self, stmt: ir.Pick, option: str) -> None:
        names = [self.names[n] for n in (stmt.tag, *stmt.targets)]
        if len(names) == 1:
            self.out(f"{names[0]} = {option}[0]")
        else:
            self.out(f"{', '.join(names)} = (*{option}{', 0' * (len(names) - 1)})[:{len(names)}]")

    def call(self, stmt: ir.CallRoutine, later: bool) -> None:
        out, point = self.out, self.frame.points[id(stmt)]
        callee = self.unit.module.functions[stmt.function]
        valued = answers_something(callee)
        result = self.names[stmt.result] if stmt.result is not None else ""
        name, size = self.unit.function(stmt.function, "r_"), self.frame.size
        args = f"S, H, sp + {size}, 0, 0{self.ex.args(stmt.args)}{self.ex.depth(stmt.function)}"
        with out.inside("if not pc:"):
            out(f"o_ = {self.direct_call(stmt)} if H is A_ else {name}({args})")
            with out.inside("if o_.__class__ is list:" if valued else "if o_:"):
                self.save(stmt)
                out(f"S[sp + {size + 1}] = sp")
                out("return o_")
            if result:
                out(f"{result} = o_")
        with out.inside(f"elif pc == {point.pc}:" if later else "else:"):
            out(f"{result} = arg; pc = 0" if result else "pc = 0")


def _runs(slots: tuple[Slot, ...]) -> list[list[Slot]]:
    """Neighbouring integers together, each list alone."""
    runs: list[list[Slot]] = []
    for slot in slots:
        if runs and slot.capacity is None and runs[-1][-1].capacity is None:
            runs[-1].append(slot)
        else:
            runs.append([slot])
    return runs
