"""Print routines as C: counters, routines that never wait, and routines that may pause."""

from __future__ import annotations

import re
from contextlib import nullcontext
from typing import Any

from rulelang.base.numbers import ANY, WORD, Range, range_of
from rulelang.compiler.backends.native import shared, stmts
from rulelang.compiler.backends.native.shared import CHANGED, NativeUnit, TrialCaching, write_trial_start
from rulelang.compiler.backends.native.stmts import CHOICE, Body
from rulelang.compiler.backends.statements import ListingRoutine, SilentRoutine
from rulelang.compiler.backends.unit import BraceWriter
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import FOR_LOOPS, all_statements, child_exprs
from rulelang.compiler.passes.checked_arithmetic import range_arithmetic
from rulelang.compiler.passes.choice.counting import PASS
from rulelang.compiler.passes.loops import Slots

# ---- counting without jumps

_PLAIN = (ir.Const, ir.Local, ir.Arith, ir.Compare, ir.Logic, ir.Not, ir.If, ir.MinMax)


class CountingBody(Body):
    """`p_f(S, args...)`: a pure function, and what others share with it that count."""

    def __init__(self, unit: NativeUnit, function: ir.Function, out: BraceWriter) -> None:
        super().__init__(unit, function, out)
        self.items: dict[str, Range] = {}  # locals of loops, and between which numbers each lies

    def statement(self, stmt: Any) -> None:
        if isinstance(stmt, FOR_LOOPS):
            self.items[stmt.name] = self.gone_over(stmt)
        super().statement(stmt)

    def gone_over(self, loop: Any) -> Range:
        """Between which numbers those lie that a loop goes over."""
        match loop:
            case ir.ForTable(_, row):
                return range_of([item for items in self.unit.module.rows[row] for item in items])
            case ir.ForRange(_, ir.Const(low), ir.Const(end)):
                return low, end - 1
        return WORD

    def for_things(self, stmt: ir.ForRange, slots: Slots) -> None:
        self.items[stmt.name] = 1, slots.most
        super().for_things(stmt, slots)

    def branch(self, stmt: ir.Branch) -> None:
        if stmt.otherwise or not stmt.then or not all(map(self.may_be_in_vain, stmt.then)):
            super().branch(stmt)
            return
        test = self.names.temporary("t")
        self.out(f"{test} = {self.bit(stmt.test)};")
        self.checked(stmt.test)
        for counting in stmt.then:
            self.bump(counting, test)

    def may_be_in_vain(self, stmt: ir.Stmt) -> bool:
        """Whether a statement counts something, and may do so by 0."""
        match stmt:
            case ir.Set(name, ir.Arith("+", ir.Local(same), by)) if name == same:
                return isinstance(by, ir.Length) or self.plain(by)
        return False

    def bump(self, stmt: ir.Stmt, test: str) -> None:
        """One of these, where the local `test` is 1, and nothing where it is 0."""
        match stmt:
            case ir.Set(name, ir.Arith("+", _, ir.Const(1))):
                self.out(f"{self.names[name]} += {test};")
            case ir.Set(name, ir.Arith("+", _, by)):
                self.out(f"{self.names[name]} += {self.ex(by)} & -{test};")

    def plain(self, expr: ir.Expr) -> bool:
        """Whether it is quickly worked out, and can be where it is not asked: what loops go over is always there, and
        what is looked up by a sum lies in its table."""
        match expr:
            case ir.Cell(base, index):
                return self.there(index, -base, self.unit.module.layout.size - base)
            case ir.Table(name, index):
                return self.there(index, 0, len(self.unit.module.tables[name]))
            case ir.Arith("//" | "%" | "<<" | ">>"):
                return False
        return isinstance(expr, _PLAIN) and all(map(self.plain, child_exprs(expr)))

    def there(self, index: ir.Expr | None, low: int, end: int) -> bool:
        """Whether a word can be read by an index that has to lie between `low` and `end`."""
        if index is None or isinstance(index, ir.Const) or (isinstance(index, ir.Local) and index.name in self.items):
            return True
        least, most = self.between(index)
        return low <= least and most < end and self.plain(index)

    def between(self, expr: ir.Expr) -> Range:
        """Between which numbers something lies, as far as that is told by what is declared and gone over."""
        match expr:
            case ir.Const(value):
                return value, value
            case ir.Local(name):
                return self.items.get(name, ANY)
            case ir.Cell(base, index):
                return self.unit.words.of(base, index)
            case ir.Table(name):
                return range_of(self.unit.module.tables[name])
            case ir.Arith("+" | "-" | "*" as op, left, right):
                return range_arithmetic(op, self.between(left), self.between(right))
        return ANY

    def bit(self, test: ir.Expr) -> str:
        """A condition as 0 or 1, with as few jumps as possible."""
        if not isinstance(test, ir.Logic) or not test.parts:
            return f"!!{self.ex(test)}"
        sign = "&" if test.op == "and" else "|"
        text = self.bit(test.parts[0])
        for part in test.parts[1:]:
            text = f"({text} {sign if self.plain(part) else 2 * sign} {self.bit(part)})"
        return text


# ---- routines that never wait

OPEN, LINE, CLOSE, CURTAIN, CURTAIN_END, DIE, SETTLE = range(1, 8)


class DirectBody(SilentRoutine, CountingBody):
    """`d_f(S, args...)`."""

    state = "i32 *S"

    def __init__(self, unit: NativeUnit, function: ir.Function, out: BraceWriter, drawn: bool = False) -> None:
        super().__init__(unit, function, out, drawn)
        self.anew = TrialCaching(unit, function.body).anew

    def head(self) -> str:
        """Where decisions are taken, what may be chosen is counted, and there games spend their time, too."""
        decides = self.prefix in ("d_", "s_") and any(
            isinstance(s, ir.Decided) for s in all_statements(self.function.body)
        )
        return super().head().replace("static ", "static DECIDING ", 1) if decides else super().head()

    def enter(self) -> None:
        """Recursion is bounded in depth and in steps."""
        super().enter()
        if self.function.watched:
            self.count(self.unit.span(self.function.span))

    def count(self, span: int) -> None:
        self.error(shared.STEPS, span, test=f"++S[{self.cells.steps}] >= C->pause && still(C, S)")

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
                stmts.write_append_tuple(self, stmt, test)
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

    def __init__(self, unit: NativeUnit, function: ir.Function, out: BraceWriter) -> None:
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
            write_trial_start(self.out)
            self.out(f"{self.ex.call(stmt.function, 'u_', stmt.args, state='tried_')};")
            self.out(f"if (C->error == {shared.error_constant(shared.ENSURE)}) {{ refused(C);{self.more()} }}")
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
        self.out(f"note(C, S, {_cell_address(place)});")

    def changes_run(self, place: str, count: str) -> None:
        self.out(f"note_run(C, S, {_cell_address(place)}, {count});")

    def zone_change(self, what: str, *args: str) -> str:
        return super().zone_change(f"try_{what}", *args)

    def direct_call(self, stmt: ir.CallRoutine) -> str:
        return self.called(stmt, "u_")


def _cell_address(place: str) -> str:
    return place.removeprefix("S[").removesuffix("]")


# ---- routines that may pause

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
            for stmt in all_statements(self.function.body):
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


class OptionRegeneratorBody(ResumeBody):
    """`a_P(S, sp)` tells the options of a decision that waits in the frame at `sp`, and answers as `r_f` does."""

    prefix = "a_"
    state = "const i32 *S"

    def params(self) -> list[str]:
        return Body.params(self)

    def enter(self) -> None:
        pass


class OptionGeneratorBody(ListingRoutine, Body):
    """`l_E(S, tag, args...)` puts the options of an enumerator as `n tag values...` into `out` of the context (n:
    how many words follow it) and answers 1 if one of them compels. `o_P(S, args...)` puts all options of a decision
    there, and answers how many they are.

    Where `brief` of the context asks for it, an offer tells one option of each action, and all if that makes one in
    all; with tags in `only` it tells all options of these. Whoever tells otherwise what compels has to see them all."""

    def __init__(self, unit: NativeUnit, function: ir.Function, out: BraceWriter) -> None:
        super().__init__(unit, function, out)
        self.brief = self.whole and _lists_actions(list(all_statements(function.body)))

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

    def __init__(self, unit: NativeUnit, function: ir.Function, out: BraceWriter) -> None:
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


def _lists_actions(body: list[ir.Stmt]) -> bool:
    """Whether a lister lists actions, each by its tag, and beside them only `pass`."""
    asked = [stmt for stmt in body if isinstance(stmt, ir.ListAll)]
    others = [stmt.values for stmt in body if isinstance(stmt, ir.Yield)]
    return bool(asked) and all(
        (*(stmt.compels is None and stmt.tag < TAGS for stmt in asked), *(v == (ir.Const(PASS),) for v in others))
    )
