"""Print statements as Python source."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from rulelang.base.source import NOWHERE, Span
from rulelang.compiler.backends.python.expr import Exprs
from rulelang.compiler.backends.statements import ENDS, ScriptedWriter
from rulelang.compiler.backends.unit import UniqueNames, Unit
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.analysis import may_fail, split_constant
from rulelang.compiler.ir.walk import all_statements, has_continue, locals_read, substitute
from rulelang.compiler.passes.loops import CellRow, row_total, rows_of

# ---- writer


class Writer:
    """Call it with a line; `with writer.inside("if x:")` indents what follows."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.spans: dict[int, Span] = {}
        self.level = 0
        self.span = NOWHERE

    def __call__(self, text: str) -> None:
        self.lines.append("    " * self.level + text)
        if self.span is not NOWHERE:
            self.spans[len(self.lines)] = self.span

    @contextmanager
    def inside(self, head: str) -> Iterator[None]:
        """An indented block under `head`; `pass` if nothing is written in it."""
        self(head)
        self.level += 1
        start = len(self.lines)
        yield
        if len(self.lines) == start:
            self("pass")
        self.level -= 1

    @contextmanager
    def at(self, span: Span) -> Iterator[None]:
        """What is written inside came from `span` (if that is known)."""
        before = self.span
        if span is not NOWHERE:
            self.span = span
        yield
        self.span = before


# ---- array zones


class ZoneStatements(ScriptedWriter):
    """Writes the statements about them."""

    names: UniqueNames
    out: Writer
    ex: Exprs

    def temporary(self, expr: ir.Expr, hint: str = "t") -> str:
        """The text of a value that is told more than once: itself if cheap, else a temporary set here."""
        text = self.ex.num(expr, 10)
        if isinstance(expr, (ir.Local, ir.Const)):
            return text
        name = self.names.temporary(hint)
        self.out(f"{name} = {self.ex.value(expr)}")
        return name

    def zone(self, expr: ir.Expr) -> ir.Expr:
        """The address of an array zone as an expression that may be told several times."""
        if isinstance(expr, ir.Local) or split_constant(expr)[0] is None:
            return expr
        name = self.names.temporary("z")
        self.names.given[name] = name
        self.out(f"{name} = {self.ex.num(expr)}")
        return ir.Local(name)

    def list_to_array(self, stmt: ir.ListToArray) -> None:
        zone, items = self.zone(stmt.zone), self.names[stmt.list]
        start = self.ex.address(1, zone)
        self.out(f"S[{self.ex.address(0, zone)}] = len({items}); S[{start}:{start} + len({items})] = {items}")

    def array_push(self, stmt: ir.ArrayPush) -> None:
        zone, out, count = self.zone(stmt.zone), self.out, self.names.temporary("n")
        here = self.ex.address(0, zone)
        value = self.temporary(stmt.value, "v") if stmt.bottom else self.ex.value(stmt.value)
        out(f"{count} = S[{here}] + 1; S[{here}] = {count}")
        if stmt.bottom:
            first = self.ex.address(1, zone)
            out(f"S[{self.ex.address(2, zone)}:{first} + {count}] = S[{first}:{here} + {count}]")
            out(f"S[{first}] = {value}")
        else:
            out(f"S[{here} + {count}] = {value}")

    def array_drop(self, stmt: ir.ArrayDrop) -> None:
        zone, out = self.zone(stmt.zone), self.out
        count, end, place = (self.names.temporary(h) for h in "nei")
        here, first = self.ex.address(0, zone), self.ex.address(1, zone)
        out(f"{count} = S[{here}]; {end} = {here} + {count}; {place} = S.index({self.ex.num(stmt.value)}, {first})")
        out(f"if {place} < {end}: S[{place}:{end}] = S[{place} + 1:{end} + 1]")
        out(f"S[{here}] = {count} - 1")

    def array_draw(self, stmt: ir.ArrayDraw) -> None:
        source, target, out = self.zone(stmt.source), self.zone(stmt.target), self.out
        top, end, card = (self.names.temporary(h) for h in "aec")
        here, there = self.ex.address(0, source), self.ex.address(0, target)
        if stmt.count == ir.Const(1):
            out(f"{top} = S[{here}]; S[{here}] = {top} - 1; {card} = S[{here} + {top}]")
            out(f"{end} = S[{there}] + 1; S[{there}] = {end}; S[{there} + {end}] = {card}")
            out(f"S[{self.ex.place(stmt.where, card)}] = {self.ex.value(stmt.zone_id)}")
            return
        zone_id, count = self.temporary(stmt.zone_id, "w"), self.temporary(stmt.count, "n")
        out(f"{top} = {here} + S[{here}]; {end} = {self.ex.address(1, target)} + S[{there}]")
        # in a list of one's own: the slice of the source may not run past the start of the state
        part = self.names.temporary("p")
        out(f"{part} = S[{top}:{top} - {count}:-1]; S[{end}:{end} + {count}] = {part}")
        out(f"S[{here}] -= {count}; S[{there}] += {count}")
        out(f"for {card} in {part}: S[{self.ex.place(stmt.where, card)}] = {zone_id}")

    def array_append_all(self, stmt: ir.ArrayAppendAll) -> None:
        source, target, out = self.zone(stmt.source), self.zone(stmt.target), self.out
        zone_id = self.temporary(stmt.zone_id, "w")
        part, card, start = (self.names.temporary(h) for h in "pcb")
        here, there = self.ex.address(0, source), self.ex.address(0, target)
        first = self.ex.address(1, target)
        out(f"{part} = {self.ex.items(source)}")
        if stmt.bottom:
            old = self.names.temporary("o")
            out(f"{old} = {part} + {self.ex.items(target)}; S[{first}:{first} + len({old})] = {old}")
        else:
            out(f"{start} = {first} + S[{there}]; S[{start}:{start} + len({part})] = {part}")
        out(f"S[{here}] = 0; S[{there}] += len({part})")
        out(f"for {card} in {part}: S[{self.ex.place(stmt.where, card)}] = {zone_id}")

    def array_shuffle(self, stmt: ir.ArrayShuffle) -> None:
        zone, out, cells = self.zone(stmt.zone), self.out, self.cells
        here, first = self.ex.address(0, zone), self.ex.address(1, zone)
        out(f"x_ = S[{cells.rng_x}]; c_ = S[{cells.rng_c}]")
        items, end = self.names.temporary("l"), self.names.temporary("e")
        out(f"{end} = {first} + S[{here}]; {items} = S[{first}:{end}]")
        with out.inside(f"for i_ in range(len({items}) - 1, 0, -1):"):
            out("k_ = (x_ ^ c_) * (i_ + 1) >> 30; t_ = x_ * 998578647 + c_; x_ = t_ & 1073741823; c_ = t_ >> 30")
            out(f"v_ = {items}[k_]; {items}[k_] = {items}[i_]; {items}[i_] = v_")
        out(f"S[{first}:{end}] = {items}")
        out(f"S[{cells.rng_x}] = x_; S[{cells.rng_c}] = c_")


# ---- statements

#: Items up to which Python makes a constant of a tuple that is told as one item so many times.
LARGEST_FOLDED_TUPLE = 256
#: Words of a row that Python asks sooner all at once than one by one.
LONG_ROW = 16


class Body(ZoneStatements):
    """Writes one function. This class: what all kinds of them share."""

    end = ""
    nothing = "None"

    unit: Unit

    def __init__(self, unit: Unit, function: ir.Function, out: Writer) -> None:
        super().__init__(unit, function, out, UniqueNames())
        self.ex = Exprs(unit, function.name, self.names)
        self.few: set[str] = set()  # lists that are tuples: to make an empty one costs nothing, to let it grow much

    def write(self) -> None:
        head = f"def {self.unit.function(self.function.name, self.prefix)}({', '.join(self.params())}):"
        with self.out.at(self.function.span), self.out.inside(head):
            self.enter()
            self.block(self.body())
            self.leave()

    def enter(self) -> None:
        """A function that may not write the count of steps into the state counts for itself."""
        super().enter()
        inside = all_statements(self.function.body)
        if any(isinstance(s, ir.Tick) or (isinstance(s, ir.While) and s.budget) for s in inside):
            self.out("b_ = 0")

    def body(self) -> ir.Block:
        return self.function.body

    def statement(self, stmt: ir.Stmt) -> None:
        span = getattr(stmt, "span", NOWHERE)
        if isinstance(stmt, (ir.Store, ir.Add)) and stmt.limits is not None:
            span = stmt.limits.span
        with self.out.at(span):
            super().statement(stmt)

    def head(self, test: str) -> str:
        return f"if {test}:"

    # ---- locals and words

    def set(self, stmt: ir.Set) -> None:
        target = self.names[stmt.name]
        match stmt.value:
            case ir.Arith(op, ir.Local(name), right) if name == stmt.name and op in ("+", "-"):
                self.out(f"{target} {op}= {self.ex.num(right)}")
            case value:
                self.out(f"{target} = {self.ex.value(value)}")

    def store(self, stmt: ir.Store) -> None:
        address = self.ex.address(stmt.base, stmt.index)
        limits = stmt.limits
        if limits is None or (isinstance(stmt.value, ir.Const) and _is_within(stmt.value.value, limits)):
            self.out(f"S[{address}] = {self.ex.value(stmt.value)}")
            return
        name = self.names.temporary("v")
        self.out(f"{name} = {self.ex.value(stmt.value)}")
        self.limit(name, limits, limits.low, limits.high)
        self.out(f"S[{address}] = {name}")

    def add(self, stmt: ir.Add) -> None:
        limits, value = stmt.limits, stmt.value
        address = self.ex.address(stmt.base, stmt.index)
        low, high = (None, None) if limits is None else (limits.low, limits.high)
        sign, more = _sign_and_value(value)
        if isinstance(value, ir.Const):  # what is stored already lies within: only one end can be passed
            low, high = (None if value.value >= 0 else low), (None if value.value <= 0 else high)
        if limits is None or (low is None and high is None):
            # a constant address costs less to tell again than to keep
            if stmt.index is None and isinstance(more, (ir.Const, ir.Local)) and more != ir.Const(0):
                self.out(f"S[{address}] = S[{address}] {sign} {self.ex.num(more, 11)}")
            else:
                self.out(f"S[{address}] {sign}= {self.ex.num(more)}")
            return
        if not isinstance(split_constant(stmt.index)[0], (ir.Local, type(None))):
            name = self.names.temporary("i")
            self.out(f"{name} = {address}")
            address = name
        name = self.names.temporary("v")
        self.out(f"{name} = S[{address}] {sign} {self.ex.num(more, 10 if sign == '+' else 11)}")
        self.limit(name, limits, low, high)
        self.out(f"S[{address}] = {name}")

    def limit(self, name: str, limits: ir.Limits, low: int | None, high: int | None) -> None:
        if low is None and high is None:
            return
        if limits.clamp:
            if low is not None:
                self.out(f"if {name} < {low}: {name} = {low}")
            if high is not None:
                self.out(f"{'elif' if low is not None else 'if'} {name} > {high}: {name} = {high}")
            return
        if low is None or high is None:
            test = f"{name} > {high}" if low is None else f"{name} < {low}"
        else:
            test = f"not {low} <= {name} <= {high}"
        self.out(f"if {test}: range_({self.unit.range(limits)}, {name})")

    def fill(self, stmt: ir.Fill) -> None:
        if stmt.count <= 0:
            return
        start = self.ex.address(stmt.base, stmt.index)
        if stmt.count == 1:
            self.out(f"S[{start}] = {stmt.value}")
            return
        end = self.ex.address(stmt.base + stmt.count, stmt.index)
        # Python folds a short one to a constant itself.
        many = stmt.count > LARGEST_FOLDED_TUPLE
        words = self.unit.lookup((stmt.value,) * stmt.count) if many else f"({stmt.value},) * {stmt.count}"
        self.out(f"S[{start}:{end}] = {words}")

    # ---- control

    def branch(self, stmt: ir.Branch) -> None:
        if not stmt.then and not stmt.otherwise:
            self.out(self.ex.cond(stmt.test))  # it may fail
            return
        if not stmt.then:
            with self.out.inside(f"if {self.ex.cond(ir.Not(stmt.test))}:"):
                self.block(stmt.otherwise)
            return
        word, head = "if", self.ex.cond(stmt.test)
        while True:
            with self.out.inside(f"{word} {head}:"):
                self.block(stmt.then)
            rest, word = stmt.otherwise, "elif"
            match rest:
                case (ir.Branch(_, (_, *_)) as stmt,):
                    head = self.ex.cond(stmt.test)
                case (
                    ir.Set(name, ir.Arith("-", ir.Local(before), _) as less),
                    ir.Branch(ir.Compare("<", ir.Local(asked), bound), (_, *_)) as stmt,
                ) if name == before == asked:  # a number that is counted down from one test to the next
                    head = f"({self.names[name]} := {self.ex.num(less)}) < {self.ex.num(bound, 6)}"
                case _:
                    break
        if rest:
            with self.out.inside("else:"):
                self.block(rest)

    def while_(self, stmt: ir.While) -> None:
        with self.out.inside(f"while {self.ex.cond(stmt.test)}:"):
            if stmt.budget:
                self.count_step(stmt)
            self.block(stmt.body)

    def count_step(self, stmt: ir.While | ir.Tick) -> None:
        self.out("b_ += 1")
        self.out(f"if b_ > {self.unit.module.limits['steps']}: steps_({self.unit.span(stmt.span)})")

    def for_range(self, stmt: ir.ForRange) -> None:
        total = row_total(stmt, self.unit.words)
        if total is not None and not self.fails(total[1]):
            name, first, words = total
            self.out(f"{self.names[name]} += sum({self.words(first, words)})")
            return
        rows = rows_of(_with_first_tests(stmt), self.fails, self.unit.module, LONG_ROW)
        low = "" if stmt.low == ir.Const(0) else f"{self.ex.num(stmt.low)}, "
        level, numbers = self.out.level, f"range({low}{self.ex.num(stmt.end)})"
        if rows is not None:
            numbers = self.filled(rows.rows[0], rows.count, numbers)
        with self.out.inside(f"for {self.names[stmt.name]} in {numbers}:"):
            self.block(stmt.body)
        self.out.level = level

    def filled(self, row: CellRow, count: int, numbers: str) -> str:
        """Of the numbers that a loop goes over those that it has to; or it stands behind a test now."""
        words = self.words(row.first, count)
        if row.above is not None:
            if not row.each:
                self.out(f"if max({words}) > {self.ex.num(row.above, 6)}:")
                self.out.level += 1
            return numbers
        if row.each:
            rows, each = self.names.temporary("g"), "@words"
            self.out(f"{rows} = []")
            self.names.given[each], self.names.given[f"{each} of each"] = words, rows
            self.block(row.gathered(ir.Append(f"{each} of each", ir.Local(each))))
            words = f"map(any, zip(*{rows}))"
        return f"compress({numbers}, {words})"

    def words(self, first: ir.Cell, count: int) -> str:
        """So many words as a list."""
        behind = ir.Arith("+", ir.Const(0) if first.index is None else first.index, ir.Const(count))
        return f"S[{self.ex.address(first.base, first.index)}:{self.ex.address(first.base, behind)}]"

    def fails(self, expr: ir.Expr) -> bool:
        return may_fail(expr, self.unit.failing)

    def for_chain(self, stmt: ir.ForChain) -> None:
        name = self.names[stmt.name]
        self.out(f"{name} = {self.ex.value(stmt.first)}")
        step = f"S[{self.ex.address(stmt.next, ir.Local(stmt.name))}]"
        if has_continue(stmt.body):
            ahead = self.names.temporary("n")
            self.out(f"{ahead} = {name}")
            with self.out.inside(f"while {ahead}:"):
                self.out(f"{name} = {ahead}; {ahead} = {step}")
                self.block(stmt.body)
            return
        with self.out.inside(f"while {name}:"):
            self.block(stmt.body)
            if not (stmt.body and isinstance(stmt.body[-1], ENDS)):
                self.out(f"{name} = {step}")

    def for_array(self, stmt: ir.ForArray) -> None:
        if stmt.distinct is not None:
            items = f"distinct_(S, {self.ex.num(stmt.zone)}, {self.unit.table(stmt.distinct)})"
        else:
            items = self.ex.items(self.zone(stmt.zone))
        with self.out.inside(f"for {self.names[stmt.name]} in {items}:"):
            self.block(stmt.body)

    def for_list(self, stmt: ir.ForList) -> None:
        with self.out.inside(f"for {self.names[stmt.name]} in {self.names[stmt.list]}:"):
            self.block(stmt.body)

    def for_table(self, stmt: ir.ForTable) -> None:
        with self.out.inside(f"for {self.names[stmt.name]} in {self.ex.constant_row(stmt.row, stmt.index)}:"):
            self.block(stmt.body)

    def return_(self, stmt: ir.Return) -> None:
        if stmt.value is None:
            self.out("return")
        elif self.function.name in self.unit.truths:
            self.out(f"return {self.ex.cond(stmt.value)}")
        else:
            self.out(f"return {self.ex.value(stmt.value)}")

    # ---- lists

    def new_list(self, stmt: ir.NewList) -> None:
        if stmt.few:
            self.few.add(stmt.name)
        self.out(f"{self.names[stmt.name]} = {'()' if stmt.few else '[]'}")

    def append(self, stmt: ir.Append) -> None:
        name, value = self.names[stmt.list], self.ex.value(stmt.value)
        self.out(f"{name} += ({value},)" if stmt.list in self.few else f"{name}.append({value})")

    def array_to_list(self, stmt: ir.ArrayToList | ir.ArrayView) -> None:
        self.out(f"{self.names[stmt.name]} = {self.ex.items(self.zone(stmt.zone))}")

    array_view = array_to_list

    def take_at(self, stmt: ir.TakeAt) -> None:
        self.out(f"del {self.names[stmt.list]}[{self.ex.num(stmt.index)}]")

    def sort(self, stmt: ir.Sort) -> None:
        reads = {r for key in stmt.keys for r in locals_read(key.value)} - {stmt.name}
        # bound as defaults: a closure would make every use of these names in this function slower
        bound = "".join(f", {self.names[n]}={self.names[n]}" for n in sorted(reads))
        self.out(f"{self.names[stmt.list]}.sort(key=lambda {self.names[stmt.name]}, S=S{bound}: {self.key(stmt.keys)})")

    def keep_best(self, stmt: ir.KeepBest) -> None:
        items, name = self.names[stmt.list], self.names[stmt.name]
        best, kept, key = (self.names.temporary(h) for h in ("b", "l", "k"))
        with self.out.inside(f"if len({items}) > 1:"):
            self.out(f"{best} = None")
            with self.out.inside(f"for {name} in {items}:"):
                self.out(f"{key} = {self.key(stmt.keys)}")
                self.out(f"if {best} is None or {key} > {best}: {best} = {key}; {kept} = [{name}]")
                self.out(f"elif {key} == {best}: {kept}.append({name})")
            self.out(f"{items}[:] = {kept}")

    def key(self, keys: tuple[ir.SortKey, ...]) -> str:
        """Sorted ascending, the descending keys negated."""
        parts = [f"-{self.ex.num(k.value, 12)}" if k.descending else self.ex.value(k.value) for k in keys]
        return parts[0] if len(parts) == 1 else f"({', '.join(parts)})"

    def append_tuple(self, stmt: ir.AppendTuple) -> None:
        self.out(f"{self.names[stmt.list]}.append({self.ex.values(stmt.values)})")

    def read_tuple(self, stmt: ir.ReadTuple) -> None:
        self.out(f"{self.targets(stmt.targets)} = {self.names[stmt.list]}[{self.ex.num(stmt.index)}]")

    def targets(self, names: tuple[str, ...]) -> str:
        return ", ".join(self.names[name] for name in names)

    # ---- the rest

    def divide(self, stmt: ir.Divide) -> None:
        value, by = self.ex.num(stmt.value, 11), self.temporary(stmt.by, "e")
        quotient, remainder = self.names[stmt.quotient], self.names[stmt.remainder]
        self.out(f"{quotient}, {remainder} = {value} // {by}, {value} % {by}")

    def call_pure(self, stmt: ir.CallPure) -> None:
        self.out(f"{self.targets(stmt.results)} = {self.ex.value(ir.Call(stmt.function, stmt.args))}")

    def return_many(self, stmt: ir.ReturnMany) -> None:
        self.out(f"return {self.ex.values(stmt.values)}")

    def unreachable(self, stmt: ir.Unreachable) -> None:
        self.out("raise AssertionError('no such option')")

    def random(self, stmt: ir.Random) -> None:
        name, cells = self.names[stmt.name], self.cells
        x, c = (cells.policy_x, cells.policy_c) if stmt.policy else (cells.rng_x, cells.rng_c)
        self.out(f"x_ = S[{x}]; c_ = S[{c}]; t_ = x_ * 998578647 + c_")
        self.out(f"{name} = (x_ ^ c_) * {self.ex.num(stmt.bound, 12)} >> 30")
        self.out(f"S[{x}] = t_ & 1073741823; S[{c}] = t_ >> 30")

    def ensure(self, stmt: ir.Ensure) -> None:
        self.out(f"if {self.ex.cond(ir.Not(stmt.condition))}: raise Refused_({stmt.reason}, {self.ex.row(stmt.args)})")


def _sign_and_value(value: ir.Expr) -> tuple[str, ir.Expr]:
    """What is added as a sign and a value."""
    match value:
        case ir.Const(number) if number < 0:
            return "-", ir.Const(-number)
        case ir.Arith("-", ir.Const(0), right):
            return "-", right
    return "+", value


def _is_within(value: int, limits: ir.Limits) -> bool:
    return (limits.low is None or limits.low <= value) and (limits.high is None or value <= limits.high)


def _with_first_tests(loop: ir.ForRange) -> ir.ForRange:
    """A loop with what its first statements work out told in the test that follows."""
    *held, last = loop.body or (ir.Break(),)
    values: dict[str, ir.Expr] = {}
    for stmt in held:
        if not isinstance(stmt, ir.Set):
            return loop
        values[stmt.name] = substitute(stmt.value, tuple(values), tuple(values.values()))
    if not isinstance(last, ir.Branch):
        return loop
    return replace(loop, body=(replace(last, test=substitute(last.test, tuple(values), tuple(values.values()))),))
