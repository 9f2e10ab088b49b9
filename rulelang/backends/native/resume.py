"""Routines that may pause: their frames lie in the state (see `suspend.frames`), word for word as in Python.

`r_f(S, sp, pc, args...)`: with pc 0 a call; else the function restores the locals of its frame at `sp` and jumps to
point `pc`. It answers 1 if it pauses (the options are in `out`), -1 on an error, else 0 with its value in `value`.
Behind a point it goes on with `given`, the option taken, or with `value`, the value of the routine it called.
`listing`: only the options are to be listed again. `counts`: options are counted, not listed, and the one with the
number `choice` is taken; with `random` at random (a playout from a paused game). All these are words of the context.
"""

from __future__ import annotations

import re

from rulelang.backends.braces import Writer
from rulelang.backends.native import prelude
from rulelang.backends.native.direct import HostedBody
from rulelang.backends.native.unit import NativeUnit
from rulelang.ir import nodes as ir
from rulelang.ir.walk import assigned, locals_read, statements
from rulelang.transform.choice.counting import NOTHING, PASS, store
from rulelang.transform.choice.shapes import may_compel
from rulelang.transform.suspend.frames import DEPTH, TURNS, Frame, Slot


class ResumeBody(HostedBody):
    """Writes one pausing routine."""

    prefix = "r_"
    failed = "return -1;"

    def __init__(self, unit: NativeUnit, frame: Frame, out: Writer) -> None:
        super().__init__(unit, unit.waiting[frame.function.name], out)
        self.frame = frame
        self.lasting: set[str] = set()
        self.kept = 0
        self.names.given[DEPTH] = "depth_"

    def params(self) -> list[str]:
        return ["i64 sp", "i64 pc", *super().params()]

    def enter(self) -> None:
        if any(isinstance(s, ir.While) and not s.budget for s in statements(self.function.body)):
            self.out(f"{self.names.once('turns_')} = 0;")
        with self.out.inside("if (pc)"), self.out.inside("switch (pc)"):
            for point in self.frame.points.values():
                with self.out.inside(f"case {point.pc}:"):
                    for slot in point.slots:
                        self.load(slot)
                    self.out(f"goto P_{point.pc};")
        super().enter()

    def turn(self, stmt: ir.While) -> None:
        limit = self.unit.module.limits["steps"] * TURNS
        self.error(prelude.STEPS, self.unit.span(self.function.span), test=f"++{self.names.once('turns_')} > {limit}")

    def leave(self) -> None:
        self.out("C->value = 0;")
        self.out("return 0;")

    def return_(self, stmt: ir.Return) -> None:
        self.out(f"C->value = {'0' if stmt.value is None else self.ex(stmt.value)};")
        self.checked(stmt.value)
        self.out("return 0;")

    # ---- frames

    def load(self, slot: Slot) -> None:
        name, place = self.names[slot.name], f"S[sp + {slot.offset}"
        if slot.capacity is None:
            self.out(f"{name} = {place}];")
            return
        at = self.names.once("at_")
        length = self.names.once("ln_")
        self.out(f"{length} = {place}];")
        self.error(prelude.INTERNAL, prelude.BROKEN, test=f"{length} < 0 || {length} > {slot.capacity}")
        self.out(f"for ({at} = 0; {at} < {length}; {at}++) {self.items_of(slot)}[{at}] = {place} + 1 + {at}];")
        self.out(f"{name}_n = {length};")
        if slot.name in self.function.lists:
            self.out(f"{name} = {self.items_of(slot)};")

    def items_of(self, slot: Slot) -> str:
        """Where the items of a list lie when it comes from the frame: a caller's list needs a place here."""
        name = self.names[slot.name]
        if slot.name not in self.function.lists:
            return name
        own = f"own_{name}"
        self.names.once(own)
        self.arrays[own] = max(slot.capacity or 1, self.arrays.get(own, 1))
        return own

    def save(self, stmt: ir.Stmt) -> None:
        point = self.frame.points[id(stmt)]
        limit = self.unit.module.layout.size - self.frame.size
        self.error(prelude.STACK, self.unit.span(self.function.span), test=f"sp > {limit}")
        self.out(f"S[sp] = {point.pc};")
        for slot in point.slots:
            name = self.names[slot.name]
            if slot.capacity is None:
                self.out(f"S[sp + {slot.offset}] = (i32){name};")
                continue
            at = self.names.once("at_")
            self.out(f"S[sp + {slot.offset}] = (i32){name}_n;")
            items = f"S[sp + {slot.offset + 1} + {at}] = (i32){name}[{at}];"
            self.out(f"for ({at} = 0; {at} < {name}_n; {at}++) {items}")

    # ---- points

    def pick(self, stmt: ir.Pick) -> None:
        out, pc = self.out, self.frame.points[id(stmt)].pc
        with out.inside("if (C->counts)"):
            kept = self.count_or_draw(stmt, pc)
        out(f"L_{pc}: C->used = C->found = 0;")
        self.list_options(stmt)
        out(f"if (pc == {pc}) return 1;")
        with out.inside("if (C->found > 1)"):
            out(f"{self.count_decision()};")
        with out.inside("else if (C->found)"):
            out("option(C, C->out);")
            self.forced(ir.Forced(stmt.site))
        with out.inside("else"):
            out("C->given_n = 1; C->given[0] = -2;")
        out(f"if (!(C->found > 1 || (C->found && S[{self.cells.stepping}]))) goto A_{pc};")
        self.wait(stmt)
        out(f"P_{pc}:;")
        with out.inside("if (C->counts)"):
            out(f"if (C->live != {pc}) goto C_{pc};")
            for i, name in enumerate(kept):
                out(f"{name} = kept_[{i}];")
            out(f"{self.names[self.unit.choices[id(stmt)].number]} = C->choice; goto D_{pc};")
        out(f"if (C->listing) goto L_{pc};")
        out(f"pc = 0; A_{pc}:;")
        out(f"{self.names[stmt.tag]} = C->given[0];")
        for i, target in enumerate(stmt.targets, 1):
            out(f"{self.names[target]} = C->given_n > {i} ? C->given[{i}] : 0;")
        out(f"B_{pc}:;")

    def stop(self, stmt: ir.Stop) -> None:
        """Options that are counted are drawn by nobody who looks at stops."""
        if id(stmt) not in self.frame.points:
            return
        out, cells, pc = self.out, self.cells, self.frame.points[id(stmt)].pc
        out(f"if (!S[{cells.stepping}] || S[{cells.seek}] || C->counts) goto A_{pc};")
        out(f"S[{cells.frame}] = (i32)sp; S[{cells.site}] = {stmt.site}; S[{cells.decider}] = 0;")
        self.save(stmt)
        out(f"L_{pc}: C->used = C->found = 0; put(C, 1); put(C, -1); C->found = 1;")
        out("return 1;")
        out(f"P_{pc}:;")
        out(f"if (C->listing) goto L_{pc};")
        out(f"pc = 0; A_{pc}:;")

    def wait(self, stmt: ir.Pick) -> None:
        """Leave for a decision; its options have been listed or counted."""
        cells = self.cells
        assert stmt.player is not None
        self.out(f"S[{cells.frame}] = (i32)sp; S[{cells.site}] = {stmt.site};")
        self.out(f"S[{cells.decider}] = (i32){self.ex(stmt.player)};")
        self.checked(stmt.player)
        self.save(stmt)
        self.out("return 1;")

    def count_or_draw(self, stmt: ir.Pick, pc: int) -> list[str]:
        """The decision by the number of its option. What was counted stays for the moment when it is taken, so it is
        kept outside of the frame; `live` tells that it still holds. Answers the locals that `kept_` holds meanwhile."""
        out, choice = self.out, self.unit.choices[id(stmt)]
        out(f"C_{pc}:;")
        self.block((*choice.count, *choice.more))
        counted = list(statements(choice.count))
        made = {name for s in counted for name in assigned(s)}
        read = {name for s in statements(choice.take) for name in (*locals_read(s), getattr(s, "list", ""))}
        lists = {s.name for s in counted if isinstance(s, (ir.NewList, ir.NewTuples, ir.DistinctList))} & read
        self.lasting |= {self.names[name] for name in lists}
        numbers = (made & read) - lists - {choice.number}
        kept = sorted([*map(self.names.__getitem__, numbers), *(f"{self.names[name]}_n" for name in lists)])
        self.kept = max(self.kept, len(kept))
        keep = "".join(f" kept_[{i}] = {name};" for i, name in enumerate(kept))
        total, k = self.names[choice.total], self.names[choice.number]
        assert stmt.player is not None
        with out.inside(f"if (pc == {pc})"):
            out(f"if (C->listing) {{ C->found = {total}; C->live = {pc};{keep} return 1; }}")
            out(f"{k} = C->choice; goto D_{pc};")
        with out.inside(f"if ({total} > 1)"):
            with out.inside("if (!C->random)"):
                out(f"C->found = {total}; C->live = {pc};{keep}")
                out(f"{self.count_decision()};")
                self.wait(stmt)
            self.decided(ir.Decided(stmt.site, stmt.player))
            self.random(ir.Random(choice.number, ir.Local(choice.total), policy=True))
        with out.inside(f"else if ({total})"):
            out(f"{k} = 0;")
            self.forced(ir.Forced(stmt.site))
            if choice.passes:
                self.block(store(stmt, PASS, 0))
                out(f"goto B_{pc};")
        with out.inside("else"):
            self.block(store(stmt, NOTHING, 0))
            out(f"goto B_{pc};")
        out(f"D_{pc}: pc = C->live = 0;")
        self.block(choice.take)
        out(f"goto B_{pc};")
        return kept

    def declared(self) -> list[str]:
        """Arrays that outlast a pause without being in the frame lie in the context: there is one decision at a time.

        All others have a value where they are read (see `ir.definite_assignment`), so none is set at the head: a
        function is entered anew for every decision.
        """
        owner, found = self.function.name, list[str]()
        if self.kept:
            found.append(f"    i64 *kept_ = {self.unit.keep(owner, 'i64', 'kept_', str(self.kept))};")
        for line in super().declared():
            bare = line.replace(" = 0", "")
            array = re.match(r" *i64 (\w+)\[(\d+)\]", bare)
            if array is None or array[1] not in self.lasting:
                found.append(bare)
                continue
            name, size = array.groups()
            found.append(f"    i64 *{name} = {self.unit.keep(owner, 'i64', name, size)};")
            found.append(f"    i64 {name}_n;")  # the length is a local as others are
        return found

    def list_options(self, stmt: ir.Pick) -> None:
        shapes = self.unit.sampling.shapes
        compels = may_compel(stmt, shapes)
        if compels:
            self.out(f"{self.names.once('m_')} = 0;")
        for source in stmt.sources:
            call = self.ex.call(source.enumerator, "l_", source.args, (str(source.tag),))
            wanted = compels and shapes[source.enumerator].compels
            self.out(f"if ({call}) m_ = 1;" if wanted else f"{call};")
            if source.enumerator in self.unit.fallible:
                self.check()
            else:
                self.checked(*source.args)
        if stmt.may_pass != ir.Const(0):
            test = ("!m_ && " if compels else "") + self.cond(stmt.may_pass)
            self.out(f"if ({test}) {{ put(C, 1); put(C, -1); C->found++; }}")

    def direct_call(self, stmt: ir.CallRoutine) -> str:
        """What never pauses runs in its quiet form where nobody listens."""
        if stmt.function not in self.unit.heard:
            return super().direct_call(stmt)
        return f"(C->host ? {self.called(stmt, 'r_')} : {self.called(stmt, 'd_')})"

    def call_routine(self, stmt: ir.CallRoutine) -> None:
        point = self.frame.points.get(id(stmt))
        if point is None:
            super().call_routine(stmt)
            return
        out, size = self.out, self.frame.size
        status = self.names.once("st_")
        out(f"{status} = {self.ex.call(stmt.function, 'r_', stmt.args, (f'sp + {size}', '0'))};")
        self.check()
        with out.inside(f"if ({status})"):
            self.save(stmt)
            out(f"S[sp + {size + 1}] = (i32)sp;")
            out("return 1;")
        out(f"P_{point.pc}:;")
        if stmt.result is not None:
            out(f"{self.names[stmt.result]} = C->value;")
