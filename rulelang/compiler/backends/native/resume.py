"""Routines that may pause, and what tells, counts and finds the options of their decisions (see `suspend.resumable`).

`r_f(S, sp, pc, args...)`: with pc 0 a call; else the function goes back to the point `pc` of its frame at `sp`. It
answers 1 if it pauses, -1 on an error, else 0 with its value in `value`. Behind a point it goes on with `given`, the
option taken, or with `value`, the value of the routine it called. `counts`: options are counted, not listed, and the
one with the number `choice` is taken; with `random` at random (a playout from a paused game). All these are words of
the context. What was counted stays there until an option is found again: `live` is the point for which it holds.
"""

from __future__ import annotations

import re
from contextlib import nullcontext

from rulelang.compiler.backends.braces import Writer
from rulelang.compiler.backends.native.direct import DirectBody, HostedBody
from rulelang.compiler.backends.native.stmts import CHOICE, Body
from rulelang.compiler.backends.native.unit import NativeUnit
from rulelang.compiler.backends.statements import Listing
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import statements
from rulelang.compiler.passes.choice.counting import PASS

#: Tags that the word `only` of the context has bits for.
TAGS = 64


class ResumeBody(HostedBody):
    """Writes one pausing routine."""

    prefix = "r_"
    failed = "return -1;"

    def params(self) -> list[str]:
        return ["i64 sp", "i64 pc", *super().params()]

    def enter(self) -> None:
        """On the way back nothing is asked: where control comes to a guard, `pc` is 0."""
        with self.out.inside("if (pc)"), self.out.inside("switch (pc)"):
            for stmt in statements(self.function.body):
                if isinstance(stmt, ir.Point):
                    self.out(f"case {stmt.pc}: goto P_{stmt.pc};")
        self.out("pc = 0;")
        super().enter()

    def leave(self) -> None:
        self.out("C->value = 0;")
        self.out("return 0;")

    def return_(self, stmt: ir.Return) -> None:
        self.out(f"C->value = {'0' if stmt.value is None else self.ex(stmt.value)};")
        self.checked(stmt.value)
        self.out("return 0;")

    def pause(self, stmt: ir.Pause) -> None:
        self.out("return 1;")

    def ask(self, stmt: ir.Ask) -> None:
        name, otherwise = self.names[stmt.name], ""
        counted = self.unit.counted.get(stmt.function)
        if counted is not None:
            count = self.ex.call(counted.count.name, "n_", stmt.args)
            self.out(f"if (C->counts) {{ {name} = C->found = {count}; C->live = {counted.pc}; }}")
            otherwise = "else "
        self.out(f"{otherwise}{name} = {self.ex.call(stmt.function, 'o_', stmt.args)};")
        self.check()

    def take(self, stmt: ir.Take) -> None:
        """An option is taken in one place, behind the point: control jumps there. The same follows after both."""
        counted = self.unit.counted[stmt.function]
        if stmt.number is not None:
            self.out(f"if (C->counts) C->choice = {self.ex(stmt.number)}; else option(C, C->out);")
            self.out(f"goto T_{counted.pc};")
            return
        targets, values = [self.names[name] for name in stmt.targets], self.names.once("got_")
        self.arrays[values] = max(self.arrays.get(values, 1), len(targets))
        call = self.ex.call(counted.take.name, "x_", (ir.Local(CHOICE), *stmt.args), (values,))
        with self.out.inside(f"T_{counted.pc}: if (C->counts)"):
            self.out(f"{call};")
            self.check()
            stored = (f"{name} = {values}[{at}];" for at, name in enumerate(targets))
            self.out(" ".join(("C->live = 0;", *stored)))
        with self.out.inside("else"):
            self.out(" ".join(f"{n} = C->given_n > {at} ? C->given[{at}] : 0;" for at, n in enumerate(targets)))

    def enter_routine(self, stmt: ir.EnterRoutine) -> None:
        status = self.names.once("st_")
        self.out(f"{status} = {self.ex.call(stmt.function, 'r_', stmt.args, (self.ex(stmt.frame), '0'))};")
        self.check()
        with self.out.inside(f"if ({status})"):
            self.block(stmt.body)

    def answered(self, stmt: ir.Answered) -> None:
        self.out(f"{self.names[stmt.name]} = C->value;")

    def direct_call(self, stmt: ir.CallRoutine) -> str:
        """What never pauses runs in its quiet form where nobody listens."""
        if self.unit.module.functions[stmt.function].pausing:
            return self.called(stmt, "d_")
        if stmt.function not in self.unit.heard:
            return super().direct_call(stmt)
        return f"(C->host ? {self.called(stmt, 'r_')} : {self.called(stmt, 'd_')})"


class RelisterBody(ResumeBody):
    """`a_P(S, sp)` tells the options of a decision that waits in the frame at `sp`, and answers as `r_f` does."""

    prefix = "a_"
    state = "const i32 *S"

    def params(self) -> list[str]:
        return Body.params(self)

    def enter(self) -> None:
        pass


class ListerBody(Listing, Body):
    """`l_E(S, tag, args...)` puts the options of an enumerator as `n tag values...` into `out` of the context (n:
    how many words follow it) and answers 1 if one of them compels. `o_P(S, args...)` puts all options of a decision
    there, and answers how many they are.

    Where `brief` of the context asks for it, an offer tells one option of each action, and all if that makes one in
    all; with tags in `only` it tells all options of these. Whoever tells otherwise what compels has to see them all."""

    def __init__(self, unit: NativeUnit, function: ir.Function, out: Writer) -> None:
        super().__init__(unit, function, out)
        self.brief = self.whole and _brief(list(statements(function.body)))

    def params(self) -> list[str]:
        return [*([] if self.whole else ["i64 tag_"]), *super().params()]

    def enter(self) -> None:
        super().enter()
        if self.whole:
            self.out(f"if (RARE(C->brief)) C->brief = {'BRIEF' if self.brief else 'WHOLE'};")
            self.out(f"{'again_: ' if self.brief else ''}C->used = C->found = 0;")
        elif self.compels:
            self.names.once("m_")

    def leave(self) -> None:
        if self.brief:
            self.out("if (RARE(C->brief == BRIEF && C->found == 1)) { C->brief = WHOLE; goto again_; }")
        self.out("return C->found;" if self.whole else "return m_;" if self.compels else "return 0;")

    def yield_(self, stmt: ir.Yield) -> None:
        told = [*([] if self.whole else ["tag_"]), *map(self.ex, stmt.values)]
        at, values = self.names.once("at_"), [str(len(told)), *told]
        with self.out.inside("if (!C->only)") if self.brief else nullcontext():
            self.out(f"{at} = C->used; C->used += {len(values)}; C->found++;")
            stored = " ".join(f"C->out[{at} + {i}] = (i32)({v});" for i, v in enumerate(values))
            self.out(f"if (C->used <= C->room) {{ {stored} }}")
        self.checked(*stmt.values)
        if not self.whole and not self.compels:
            self.out("if (RARE(C->brief == BRIEF)) return 0;")
        if stmt.compels is not None and stmt.compels != ir.Const(0):
            self.out(f"if ({self.cond(stmt.compels)}) m_ = 1;")

    def list_all(self, stmt: ir.ListAll) -> None:
        call = self.ex.call(stmt.enumerator, "l_", stmt.args, (str(stmt.tag),))
        if self.brief:
            call = f"if (!C->only || C->only >> {stmt.tag} & 1) {call}"
        self.out(f"{call};" if stmt.compels is None else f"if ({call}) {self.names[stmt.compels]} = 1;")
        self.check()


class CountBody(DirectBody):
    """`n_P(S, args...)`: how many options a decision has. What was counted is kept in the context for `x_P(S, o_,
    k, args...)`, which puts tag and values of an option into `o_`: there is one decision at a time."""

    state = "const i32 *S"

    def __init__(self, unit: NativeUnit, function: ir.Function, out: Writer) -> None:
        super().__init__(unit, function, out)
        self.counted = unit.halves[function.name]
        self.counts = function is self.counted.count
        self.prefix = "n_" if self.counts else "x_"
        self.anew = set()  # whoever calls it has seen to that
        for name, stmt in self.counted.lists.items():
            if isinstance(stmt, ir.NewTuples):
                self.widths[name] = stmt.width, stmt.capacity

    def params(self) -> list[str]:
        return [*([] if self.counts else ["i64 *o_"]), *super().params()]

    def kept(self) -> list[str]:
        """The words that are kept beside the items of lists."""
        return [*map(self.names.__getitem__, self.counted.numbers), *(f"{self.names[n]}_n" for n in self.counted.lists)]

    def enter(self) -> None:
        super().enter()
        if not self.counts:
            for at, name in enumerate(self.kept()):
                self.out(f"{name} = kept_[{at}];")

    def return_(self, stmt: ir.Return) -> None:
        if self.counts:
            self.out(" ".join(f"kept_[{at}] = {name};" for at, name in enumerate(self.kept())))
        super().return_(stmt)

    def declared(self) -> list[str]:
        """Lists that are kept lie in the context."""
        owner = self.counted.count.name
        found: list[str] = []
        kept = self.kept()
        if kept:
            found.append(f"    i64 *kept_ = {self.unit.keep(owner, 'kept_', len(kept))};")
        lists = {self.names[name]: name for name in self.counted.lists}
        for line in super().declared():
            array = re.match(r" *i64 (\w+)(\[\d+\], \w+_n)? = 0;", line)
            if array is None or array[1] not in lists:
                found.append(line)
        for text, name in lists.items():
            found.append(f"    i64 *{text} = {self.unit.keep(owner, text, self.room.get(name, 1))}, {text}_n = 0;")
        return found


def _brief(body: list[ir.Stmt]) -> bool:
    """Whether a lister lists actions, each by its tag, and beside them only `pass`."""
    asked = [stmt for stmt in body if isinstance(stmt, ir.ListAll)]
    others = [stmt.values for stmt in body if isinstance(stmt, ir.Yield)]
    return bool(asked) and all(
        (*(stmt.compels is None and stmt.tag < TAGS for stmt in asked), *(v == (ir.Const(PASS),) for v in others))
    )
