"""Print expressions, lists and statements as C text."""

from __future__ import annotations

from typing import Any, assert_never

from rulelang.compiler.backends.native import shared
from rulelang.compiler.backends.native.shared import NativeUnit
from rulelang.compiler.backends.statements import UNASSIGNED_LOCALS, Statements
from rulelang.compiler.backends.unit import BraceWriter, LocalNames
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.analysis import split_constant
from rulelang.compiler.ir.walk import FOR_LOOPS, all_statements, assigned_locals, child_exprs, with_subexpressions
from rulelang.compiler.passes.loops import CellRow, LoopRows, Slots, chain_length, row_total, rows_of, slots_of

# ---- expressions


class Exprs:
    """Emits the expressions of one function. `names`: its locals."""

    def __init__(self, unit: NativeUnit, function: str, names: LocalNames) -> None:
        self.unit, self.function, self.names = unit, function, names

    def fails(self, *exprs: ir.Expr | None) -> bool:
        """Whether the error record must be looked at when these have been worked out."""
        return any(
            (isinstance(e, ir.Call) and e.function in self.unit.fallible) or isinstance(e, ir.Trial)
            for expr in exprs
            if expr is not None
            for e in with_subexpressions(expr)
        )

    def call(
        self,
        function: str,
        prefix: str,
        args: tuple[ir.Expr, ...],
        first: tuple[str, ...] = (),
        last: tuple[str, ...] = (),
        state: str = "S",
    ) -> str:
        """The call of a function in the form that the prefix tells. `first` and `last`: what that form takes before and
        behind the function's own arguments."""
        given = (*first, *self.args(function, args), *last, *self.depth(function))
        return self.unit.call(function, prefix, *given, state=state)

    def args(self, function: str, args: tuple[ir.Expr, ...]) -> list[str]:
        """The arguments after the state; a list is its items and their number."""
        callee = self.unit.module.functions[function]
        found = []
        for param, arg in zip(callee.params, args, strict=True):
            if param in callee.lists:
                assert isinstance(arg, ir.Local)
                found += [self.names[arg.name], f"{self.names[arg.name]}_n"]
            else:
                found.append(self(arg))
        return found

    def depth(self, callee: str) -> tuple[str, ...]:
        """The depth argument for a call of a function that may call itself."""
        inside = self.unit.same_group(self.function, callee)
        return ("depth_ + 1",) if inside else self.unit.outermost(callee)

    def __call__(self, expr: ir.Expr) -> str:
        match expr:
            case ir.Const(value):
                return str(value) if value >= 0 else f"({value}{'LL' if value < -(2**31) else ''})"
            case ir.Local(name):
                return self.names[name]
            case ir.Cell(base, index):
                return self.cell(base, index)
            case ir.Table(name, index):
                return f"{self.unit.table(name)}[T({self(index)}, {len(self.unit.module.tables[name])})]"
            case ir.Arith(op, left, right):
                if op in ("//", "%"):
                    return f"{'quotient' if op == '//' else 'modulo'}({self(left)}, {self(right)})"
                wide = "(i64)" if op in ("+", "-", "*", "<<") else ""
                return f"({wide}{self(left)} {op} {self(right)})"
            case ir.MinMax(kind, args):
                if len(args) == 1:
                    return self(args[0])
                half = (len(args) + 1) // 2  # halves, so that no number of arguments nests too deeply
                low, high = (self(ir.MinMax(kind, part)) for part in (args[:half], args[half:]))
                return f"{'least' if kind == 'min' else 'most'}({low}, {high})"
            case ir.Compare(op, left, right):
                return f"({self(left)} {op} {self(right)})"
            case ir.Logic(op, parts):
                if not parts:
                    return "1" if op == "and" else "0"
                joined = (" && " if op == "and" else " || ").join(map(self, parts))
                return f"({joined})" if len(parts) > 1 else f"!!{joined}"
            case ir.Not(operand):
                return f"!{self(operand)}"
            case ir.If(test, then, otherwise):
                return f"({self(test)} ? {self(then)} : {self(otherwise)})"
            case ir.Call(function, args):
                return self.call(function, "p_", args)
            case ir.Length(name):
                return f"{self.names[name]}_n"
            case ir.Item(name, index):
                return f"{self.names[name]}[T({self(index)}, {self.names[name]}_n)]"
            case ir.ArrayHas(zone, value):
                return f"has(C, S, {self(zone)}, {self(value)})"
            case ir.RowLength(row, index):
                return self.row_length(row, index)
            case ir.RowItem(row, index, at):
                return self.row_item(row, index, self(at))
            case ir.FirstLike(zone, _, value, table):
                self.unit.looks(table)
                return f"first{self.unit.table(table)}(C, S, {self(zone)}, {self(value)})"
            case ir.Mode("random"):
                return "RARE(C->random)"
            case ir.Mode():
                return f"RARE(S[{self.unit.cells.stepping}] && !C->counts)"
            case ir.Trial(function, args):
                self.unit.trials.add(function)
                return self.call(function, "t_", args)
            case _:
                assert_never(expr)

    def row_length(self, row: str, index: ir.Expr) -> str:
        """How long the constant row with that index is."""
        rows = self.unit.module.rows[row]
        alike = {len(r) for r in rows}
        name = self.unit.row(row)
        return str(alike.pop()) if len(alike) == 1 else f"{name}_n[T({self(index)}, {len(rows)})]"

    def row_item(self, row: str, index: ir.Expr, at: str) -> str:
        rows = self.unit.module.rows[row]
        width = max(max(map(len, rows), default=0), 1)
        return f"{self.unit.row(row)}[T({self(index)} * {width} + {at}, {width * len(rows)})]"

    def cells(self, base: int, index: ir.Expr | None, count: int) -> str:
        """The first of several words."""
        rest, constant = split_constant(index)
        return f"S[{base + constant}]" if rest is None else f"S[J({base + constant} + {self(rest)}, {count})]"

    def address(self, cell: ir.Cell) -> str:
        """Where a word lies."""
        rest, constant = split_constant(cell.index)
        return str(cell.base + constant) if rest is None else f"{cell.base + constant} + {self(rest)}"

    def cell(self, base: int, index: ir.Expr | None) -> str:
        rest, constant = split_constant(index)
        if rest is None:
            return f"S[{base + constant}]"
        return f"S[I({base + constant} + {self(rest)})]"


# ---- lists and array zones


def write_list_statement(body: Body, stmt: Any) -> None:
    """One statement about lists or zones."""
    out, ex, names = body.out, body.ex, body.names
    if isinstance(stmt, (ir.NewList, ir.ArrayToList)):  # also those of enumerators that are counted in place
        body.room[stmt.name] = max(stmt.capacity, body.room.get(stmt.name, 0))
    match stmt:
        case ir.NewList(name):
            out(f"{names[name]}_n = 0;")
        case ir.Append(items, value):
            room = body.room[items]
            body.error(shared.INTERNAL, 1, test=f"{names[items]}_n >= {room}")
            out(f"{names[items]}[{names[items]}_n++] = {ex(value)};")
            body.checked(value)
        case ir.ArrayToList(name, zone):
            at, place, items, own = names.temporary("i"), names.temporary("z"), names[name], names[name]
            if name in body.function.lists:  # a caller's list that comes from a frame needs a place here
                own = names.once(f"own_{items}")
                body.arrays[own] = body.room[name]
            out(f"{place} = {ex(zone)}; {items}_n = S[I({place})];")
            body.error(shared.INTERNAL, shared.BROKEN, test=f"{items}_n < 0 || {items}_n > {body.room[name]}")
            out(f"for ({at} = 0; {at} < {items}_n; {at}++) {own}[{at}] = S[I({place} + 1 + {at})];")
            if own != items:
                out(f"{items} = {own};")
        case ir.ListToArray(zone, items):
            at, place, text = names.temporary("i"), names.temporary("z"), names[items]
            out(f"{place} = {ex(zone)};")
            body.changes_run(f"S[{place}]", f"{text}_n + 1")
            out(f"S[I({place})] = (i32){text}_n;")
            out(f"for ({at} = 0; {at} < {text}_n; {at}++) S[I({place} + 1 + {at})] = (i32){text}[{at}];")
        case ir.TakeAt(items, index):
            at, text = names.temporary("i"), names[items]
            out(f"for ({at} = {ex(index)}; {at} + 1 < {text}_n; {at}++) {text}[{at}] = {text}[{at} + 1];")
            out(f"if ({text}_n > 0) {text}_n--;")
            body.checked(index)
        case ir.DistinctList(name, zone, table):
            body.room[name] = max(body.unit.kinds(table) + 1, body.room.get(name, 0))  # each is written, then counted
            out(f"{names[name]}_n = distinct{body.unit.table(table)}(C, S, {ex(zone)}, {names[name]});")
            body.checked(zone)
        case ir.ArrayView(name, zone):
            body.views.add(name)
            place, items = body.hold(zone, "z"), names[name]
            body.checked(zone)
            out(f"{items}_n = S[I({place})]; {items} = &S[J({place} + 1, {items}_n)];")
        case ir.NewTuples(name, width, capacity):
            body.room[name] = width * capacity
            body.widths[name] = width, capacity
            out(f"{names[name]}_n = 0;")
        case ir.AppendTuple():
            write_append_tuple(body, stmt)
        case ir.ReadTuple(items, index, targets):
            at, width = body.hold(index, "i"), body.widths[items][0]
            body.checked(index)
            out(" ".join(f"{names[t]} = {names[items]}[{at} * {width} + {i}];" for i, t in enumerate(targets)))
        case ir.Sort():
            _write_sort(body, stmt, "order")
        case ir.KeepBest():
            _write_sort(body, stmt, f"{names[stmt.list]}_n = best")
        case ir.ArrayPush(zone, value, bottom):
            if bottom:
                out(f"{body.zone_change('bury', ex(zone), ex(value))};")
            else:
                out(f"{body.zone_change('push', ex(zone), ex(value))};")
            body.checked(zone, value)
        case ir.ArrayDrop(zone, value):
            body.error(shared.INTERNAL, 3, test=f"!{body.zone_change('drop', ex(zone), ex(value))}")
            body.checked(zone, value)
        case ir.ArrayDraw(source, target, count, where, zone_id):
            out(f"{body.zone_change('deal', ex(source), ex(target), ex(count), str(where), ex(zone_id))};")
            body.checked(source, target, count, zone_id)
        case ir.ArrayAppendAll(source, target, where, zone_id, bottom):
            args = (ex(source), ex(target), str(where), ex(zone_id), str(int(bottom)))
            out(f"{body.zone_change('pour', *args)};")
            body.checked(source, target, zone_id)
        case ir.ArrayShuffle(zone):
            cells = body.cells
            out(f"{body.zone_change('mix', ex(zone), f'&S[{cells.rng_x}]', f'&S[{cells.rng_c}]')};")
            body.checked(zone)


def write_append_tuple(body: Body, stmt: ir.AppendTuple, test: str = "") -> None:
    """`test`: a local with 0 if there is nothing to append."""
    items, (width, capacity) = body.names[stmt.list], body.widths[stmt.list]
    kept = " ".join(f"{items}[{items}_n * {width} + {i}] = {body.ex(v)};" for i, v in enumerate(stmt.values))
    body.out(f"if ({items}_n < {capacity}) {{ {kept} }}")
    body.checked(*stmt.values)
    body.out(f"{items}_n += {test or '1'};")


def _write_sort(body: Body, stmt: ir.Sort | ir.KeepBest, how: str) -> None:
    """Arrays of the keys of all items, and the call of what goes by them (`runtime/lists.h`). Descending ones are
    turned round bit by bit: the least word has no negative."""
    out, items, at = body.out, body.names[stmt.list], body.names.temporary("i")
    found = [body.names.temporary("k") for _ in stmt.keys]
    body.arrays |= dict.fromkeys(found, body.room[stmt.list])
    with out.inside(f"if ({items}_n > 1)" if isinstance(stmt, ir.KeepBest) else ""):
        with out.inside(f"for ({at} = 0; {at} < {items}_n; {at}++)"):
            out(f"{body.names[stmt.name]} = {items}[{at}];")
            for name, key in zip(found, stmt.keys, strict=True):
                out(f"{name}[{at}] = {'~' if key.descending else ''}({body.ex(key.value)});")
            body.checked(*(key.value for key in stmt.keys))
        out(f"i64 *keys_[] = {{{', '.join(found)}}};")
        out(f"{how}({items}, {items}_n, keys_, {len(found)});")


# ---- statements

#: The number of the option that is to be taken, which the context has.
CHOICE = "@choice"
#: Bits that are gathered from rows of words, and those of one row.
BITS, WORDS = "@bits", "@words"
#: Statements of a short function.
SHORT = 24


class Body(Statements):
    """Writes one function. This class: pure functions, and all that others share with them."""

    state = "const i32 *S"
    failed = "return 0;"

    unit: NativeUnit
    names: LocalNames
    out: BraceWriter
    ex: Exprs

    def __init__(self, unit: NativeUnit, function: ir.Function, out: BraceWriter) -> None:
        super().__init__(unit, function, out, LocalNames())
        self.names.given[CHOICE] = "C->choice"
        self.ex = Exprs(unit, function.name, self.names)
        self.room = unit.capacities(function)
        self.views: set[str] = set()  # lists that lie in the state
        self.arrays: dict[str, int] = {}  # temporaries that are lists, with their room
        self.widths: dict[str, tuple[int, int]] = {}  # lists of tuples: values of each, and how many are kept
        self.fallible = False  # something in it fails: it has the way out

    # ---- the function around the body

    def params(self) -> list[str]:
        found = ["i64 *o_"] if self.function.results > 1 else []
        for param in self.function.params:
            name = self.names[param]
            found += [f"const i64 *{name}", f"i64 {name}_n"] if param in self.function.lists else [f"i64 {name}"]
        return found + (["i64 depth_"] if self.function.recursive else [])

    def head(self) -> str:
        head = self.unit.head(self.function.name, self.prefix, *self.params(), state=self.state)
        return head.replace("static ", "static LOOPING ", 1) if self.looping() else head

    def looping(self) -> bool:
        """Whether it is short and goes over something: games spend their time there."""
        if self.function.kind != "pure":
            return False
        found = list(all_statements(self.function.body))
        return len(found) <= SHORT and any(isinstance(s, FOR_LOOPS) for s in found)

    def write(self) -> None:
        with self.out.inside(self.head()):
            at = len(self.out.lines)
            self.enter()
            self.block(self.function.body)
            self.leave()
            if self.fallible:
                self.out(f"fail_: trail(C, {self.unit.numbers[self.function.name]}); {self.failed}")
            self.out.lines[at:at] = self.declared()

    def declared(self) -> list[str]:
        params = set(self.function.params)
        lists = {self.names[n]: n for n in self.room}
        found = []
        for name, text in self.names.given.items():
            if name in params or text in self.names.temps or name in (*UNASSIGNED_LOCALS, CHOICE):
                continue
            if name in self.views:
                found.append(f"    const i32 *{text} = S; i64 {text}_n = 0;")
            elif text in lists:
                found.append(f"    i64 {text}[{self.room[name]}], {text}_n = 0;")
            else:
                found.append(f"    i64 {text} = 0;")
        found += [f"    i64 {n}[{room}], {n}_n = 0;" for n, room in self.arrays.items()]
        kept = [n for n in self.names.temps if n not in self.arrays]
        return [*found, *(f"    i64 {n} = 0;" for n in kept)]

    def enter(self) -> None:
        if self.function.watched:
            limit, span = self.unit.module.limits["depth"], self.unit.span(self.function.span)
            self.error(shared.DEPTH, span, test=f"depth_ > {limit}")

    def leave(self) -> None:
        self.out("return 0;")

    # ---- errors

    def error(self, kind: int, number: int, values: tuple[str, ...] = (), test: str = "") -> None:
        self.fallible = True
        self.unit.most_values = max(self.unit.most_values, len(values))
        stored = "".join(f" C->values[{i}] = {v};" for i, v in enumerate(values))
        count = f" C->values_n = {len(values)};" if values else ""
        text = f"{{ err(C, {shared.error_constant(kind)}, {number});{stored}{count} goto fail_; }}"
        self.out(f"if (RARE({test})) {text}" if test else text)

    def check(self) -> None:
        self.fallible = True
        self.out("if (RARE(C->error)) goto fail_;")

    def checked(self, *exprs: ir.Expr | None) -> None:
        if self.ex.fails(*exprs):
            self.check()

    def hold(self, expr: ir.Expr, hint: str = "t") -> str:
        """The text of a value that is told more than once."""
        if isinstance(expr, (ir.Local, ir.Const)):
            return self.ex(expr)
        name = self.names.temporary(hint)
        self.out(f"{name} = {self.ex(expr)};")
        return name

    def cond(self, expr: ir.Expr) -> str:
        """A condition that has been worked out without an error."""
        if not self.ex.fails(expr):
            return self.ex(expr)
        name = self.hold(expr, "b")
        self.check()
        return name

    # ---- locals and words

    def set(self, stmt: ir.Set) -> None:
        self.out(f"{self.names[stmt.name]} = {self.ex(stmt.value)};")
        self.checked(stmt.value)

    def changes(self, place: str) -> None:
        """A word of the state, `S[...]`, is about to change."""

    def changes_run(self, place: str, count: str) -> None:
        """The same of so many words from that on."""

    def zone_change(self, what: str, *args: str) -> str:
        """The call of what changes a zone (`runtime/zones.h`)."""
        return f"{what}(C, S, {', '.join(args)})"

    def store(self, stmt: ir.Store) -> None:
        place = self.ex.cell(stmt.base, stmt.index)
        if stmt.limits is None and not self.ex.fails(stmt.value, stmt.index):
            self.changes(place)
            self.out(f"{place} = (i32){self.ex(stmt.value)};")
            return
        name = self.names.temporary("v")
        self.out(f"{name} = {self.ex(stmt.value)};")
        self.checked(*child_exprs(stmt))
        if stmt.limits is not None:
            self.limit(name, stmt.limits)
        self.changes(place)
        self.out(f"{place} = (i32){name};")

    def add(self, stmt: ir.Add) -> None:
        place = self.ex.cell(stmt.base, stmt.index)
        name = self.names.temporary("v")
        self.out(f"{name} = {place} + {self.ex(stmt.value)};")
        self.checked(*child_exprs(stmt))
        if stmt.limits is not None:
            low, high = stmt.limits.low, stmt.limits.high
            if isinstance(stmt.value, ir.Const):  # what is stored lies within: only one end can be passed
                low, high = (None if stmt.value.value >= 0 else low), (None if stmt.value.value <= 0 else high)
            self.limit(name, stmt.limits, low, high)
        self.changes(place)
        self.out(f"{place} = (i32){name};")

    def limit(self, name: str, limits: ir.Limits, *ends: int | None) -> None:
        low, high = ends if ends else (limits.low, limits.high)
        if limits.clamp:
            if low is not None:
                self.out(f"if ({name} < {low}) {name} = {low};")
            if high is not None:
                self.out(f"if ({name} > {high}) {name} = {high};")
            return
        tests = [f"{name} < ({low})"] if low is not None else []
        tests += [f"{name} > ({high})"] if high is not None else []
        if tests:
            self.error(shared.RANGE, self.unit.range(limits), (name,), " || ".join(tests))

    def fill(self, stmt: ir.Fill) -> None:
        if stmt.count > 0:
            place = self.ex.cells(stmt.base, stmt.index, stmt.count)
            self.changes_run(place, str(stmt.count))
            self.out(f"fill(&{place}, {stmt.count}, {stmt.value});")
            self.checked(stmt.index)

    # ---- control

    def branch(self, stmt: ir.Branch) -> None:
        with self.out.inside(f"if ({self.cond(stmt.test)})"):
            self.block(stmt.then)
        if stmt.otherwise:
            with self.out.inside("else"):
                self.block(stmt.otherwise)

    def while_(self, stmt: ir.While) -> None:
        simple = not self.ex.fails(stmt.test)
        with self.out.inside(f"while (GO && {self.ex(stmt.test)})" if simple else "for (; GO;)"):
            if not simple:
                self.asked_again(stmt)
                self.out(f"if (!{self.cond(stmt.test)}) break;")
            if stmt.budget:
                self.count_step(stmt)
            self.block(stmt.body)

    def asked_again(self, stmt: ir.While) -> None:
        """The test of a loop is about to be worked out once more."""

    def count_step(self, stmt: ir.While | ir.Tick) -> None:
        """A function that may not write counts for itself."""
        name = self.names.once("b_")
        limit = self.unit.module.limits["steps"]
        self.error(shared.STEPS, self.unit.span(stmt.span), test=f"++{name} > {limit}")

    def for_range(self, stmt: ir.ForRange) -> None:
        slots = slots_of(stmt, self.unit.module.layout)
        if slots is not None:
            self.for_things(stmt, slots)
            return
        total = row_total(stmt, self.unit.words)
        if total is not None and not self.ex.fails(total[1]):
            name, first, count = total
            self.out(f"{self.names[name]} += TOTAL({self.ex.address(first)}, {count});")
            return
        rows = rows_of(stmt, self.ex.fails, self.unit.module)
        if rows is not None:
            self.for_filled(stmt, rows)
            return
        name, end = self.names[stmt.name], self.names.temporary("e")
        self.out(f"{end} = {self.ex(stmt.end)};")
        low = self.ex(stmt.low)
        self.checked(stmt.low, stmt.end)
        if any(stmt.name in assigned_locals(s) for s in all_statements(stmt.body)):
            at = self.names.temporary("i")
            with self.out.inside(f"for ({at} = {low}; {at} < {end} && GO; {at}++)"):
                self.out(f"{name} = {at};")
                self.block(stmt.body)
            return
        with self.out.inside(f"for ({name} = {low}; {name} < {end} && GO; {name}++)"):
            self.block(stmt.body)

    def for_filled(self, stmt: ir.ForRange, rows: LoopRows) -> None:
        """Numbers that stand for words: only those that are not 0 are gone over, and no jump tells them apart."""
        low, bits = self.hold(stmt.low, "l"), self.names.temporary("f")
        found = " & ".join(self.filled(row, rows.count) for row in rows.rows)
        with self.out.inside(f"for ({bits} = (i64)({found}); {bits} && GO; {bits} &= {bits} - 1)"):
            self.out(f"{self.names[stmt.name]} = lowest((u64){bits}) + {low};")
            self.block(stmt.body)

    def filled(self, row: CellRow, count: int) -> str:
        """The bits of those words of a row that are of use; of the rows of several things, those of one of them."""
        words = f"FILLED({self.ex.address(row.first)}, {count})"
        if row.above is not None:
            words = f"ABOVE({self.ex.address(row.first)}, {count}, {self.ex(row.above)})"
        if not row.each:
            return words
        bits = self.names.temporary("g")
        self.out(f"{bits} = 0;")
        self.names.given[WORDS], self.names.given[BITS] = f"(i64){words}", bits
        self.block(row.gathered(ir.Set(BITS, ir.Arith("|", ir.Local(BITS), ir.Local(WORDS)))))
        del self.names.given[WORDS], self.names.given[BITS]
        return f"(u64){bits}"

    def for_things(self, stmt: ir.ForRange, slots: Slots) -> None:
        """An owner's things by slot: no further than the last one that he has."""
        name, left = self.names[stmt.name], self.names.temporary("n")
        self.out(f"{left} = {self.ex(slots.count)};")
        with self.out.inside(f"for ({name} = {self.ex(stmt.low)}; {left} && GO; {name}++)"):
            self.out(f"if (!{self.ex(slots.alive)}) continue;")
            self.out(f"{left}--;")
            self.block(slots.body)

    def for_chain(self, stmt: ir.ForChain) -> None:
        name = self.names[stmt.name]
        step = f"S[I({stmt.next} + {name})]"
        count = chain_length(stmt, self.unit.links)
        if count is not None and not self.ex.fails(stmt.first):
            left = self.names.temporary("n")
            self.out(f"{left} = {self.ex(count)};")
            with self.out.inside(f"for ({name} = {self.ex(stmt.first)}; {left} && GO; {left}--, {name} = {step})"):
                self.block(stmt.body)
            return
        if self.ex.fails(stmt.first):
            self.out(f"{name} = {self.ex(stmt.first)};")
            self.check()
            head = f"for (; {name} && GO; {name} = {step})"
        else:
            head = f"for ({name} = {self.ex(stmt.first)}; {name} && GO; {name} = {step})"
        with self.out.inside(head):
            self.block(stmt.body)

    def for_array(self, stmt: ir.ForArray) -> None:
        zone, at, end = (self.names.temporary(h) for h in "zie")
        self.out(f"{zone} = {self.ex(stmt.zone)};")
        self.checked(stmt.zone)
        self.out(f"{end} = S[I({zone})];")
        seen = ""
        if stmt.distinct is not None:
            seen = self.names.temporary("s")
            words = (self.unit.kinds(stmt.distinct) + 63) // 64
            self.arrays[seen] = words
            self.out(f"for ({at} = 0; {at} < {words}; {at}++) {seen}[{at}] = 0;")
        with self.out.inside(f"for ({at} = 1; {at} <= {end} && GO; {at}++)"):
            name = self.names[stmt.name]
            self.out(f"{name} = S[I({zone} + {at})];")
            if stmt.distinct is not None:
                look = self.names.temporary("k")
                self.unit.looks(stmt.distinct)
                room = len(self.unit.module.tables[stmt.distinct])
                self.out(f"{look} = D{self.unit.table(stmt.distinct)}[T({name}, {room})];")
                self.out(f"if ((u64){seen}[{look} >> 6] >> ({look} & 63) & 1) continue;")
                self.out(f"{seen}[{look} >> 6] |= (i64)((u64)1 << ({look} & 63));")
            self.block(stmt.body)

    def for_list(self, stmt: ir.ForList) -> None:
        at, items = self.names.temporary("i"), self.names[stmt.list]
        with self.out.inside(f"for ({at} = 0; {at} < {items}_n; {at}++)"):
            self.out(f"{self.names[stmt.name]} = {items}[{at}];")
            self.block(stmt.body)

    def for_table(self, stmt: ir.ForTable) -> None:
        index = ir.Local(self.names.temporary("r")) if not isinstance(stmt.index, (ir.Local, ir.Const)) else stmt.index
        if index is not stmt.index:
            assert isinstance(index, ir.Local)
            self.names.given[index.name] = index.name
            self.out(f"{index.name} = {self.ex(stmt.index)};")
            self.checked(stmt.index)
        at = self.names.temporary("i")
        with self.out.inside(f"for ({at} = 0; {at} < {self.ex.row_length(stmt.row, index)}; {at}++)"):
            self.out(f"{self.names[stmt.name]} = {self.ex.row_item(stmt.row, index, at)};")
            self.block(stmt.body)

    def return_(self, stmt: ir.Return) -> None:
        if stmt.value is None:
            self.out("return 0;")
        elif self.ex.fails(stmt.value):
            self.out(f"return {self.cond(stmt.value)};")
        else:
            self.out(f"return {self.ex(stmt.value)};")

    # ---- the rest

    def divide(self, stmt: ir.Divide) -> None:
        """What is divided has less than 31 bits; a division of 64 takes several times as long."""
        value, by = self.hold(stmt.value, "d"), self.hold(stmt.by, "e")
        self.checked(stmt.value, stmt.by)
        if stmt.remainder == getattr(stmt.value, "name", "") or stmt.remainder == getattr(stmt.by, "name", ""):
            held = self.names.temporary("d")
            self.out(f"{held} = {value};")
            value = held
        remainder, quotient = self.names[stmt.remainder], self.names[stmt.quotient]
        self.out(f"{remainder} = (u32){value} % (u32){by}; {quotient} = (u32){value} / (u32){by};")

    def call_pure(self, stmt: ir.CallPure) -> None:
        values = self.names.once("got_")
        self.arrays[values] = max(self.arrays.get(values, 1), len(stmt.results))
        self.out(f"{self.ex.call(stmt.function, 'p_', stmt.args, first=(values,))};")
        if stmt.function in self.unit.fallible:
            self.check()
        else:
            self.checked(*stmt.args)
        self.out(" ".join(f"{self.names[name]} = {values}[{at}];" for at, name in enumerate(stmt.results)))

    def return_many(self, stmt: ir.ReturnMany) -> None:
        self.out(" ".join(f"o_[{at}] = {self.ex(value)};" for at, value in enumerate(stmt.values)))
        self.checked(*stmt.values)
        self.out("return 0;")

    def unreachable(self, stmt: ir.Unreachable) -> None:
        self.error(shared.INTERNAL, 7)

    def fail(self, stmt: ir.Fail) -> None:
        self.error(shared.FAIL, self.unit.fail(stmt), tuple(map(self.ex, stmt.args)))

    def point(self, stmt: ir.Point) -> None:
        self.out(f"P_{stmt.pc}:;")

    def exhausted(self, stmt: ir.Exhausted) -> None:
        self.error(shared.STEPS if stmt.what == "steps" else shared.STACK, self.unit.span(stmt.span))

    def ensure(self, stmt: ir.Ensure) -> None:
        test = self.cond(stmt.condition)
        self.error(shared.ENSURE, stmt.reason, tuple(map(self.ex, stmt.args)), f"!{test}")

    def elsewhere(self, stmt: Any) -> None:
        write_list_statement(self, stmt)

    new_list = append = array_to_list = take_at = sort = keep_best = distinct_list = array_view = elsewhere
    new_tuples = append_tuple = read_tuple = list_to_array = elsewhere
    array_push = array_drop = array_draw = array_append_all = array_shuffle = elsewhere
