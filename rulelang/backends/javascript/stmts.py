"""Statements that come out the same in every kind of function. What differs is overridden (see `forms`)."""

from __future__ import annotations

from rulelang.backends.braces import LocalNames, Writer
from rulelang.backends.javascript.expr import Exprs
from rulelang.backends.javascript.unit import JavaScriptUnit
from rulelang.backends.scripted import Scripted
from rulelang.backends.statements import ELSEWHERE
from rulelang.ir import nodes as ir
from rulelang.ir.walk import assigned, statements

#: Words up to which they are set one by one.
FEW = 8


class Body(Scripted):
    """Writes one function. This class: pure functions `p_f(S, args...)`, and all that others share with them."""

    unit: JavaScriptUnit
    names: LocalNames
    out: Writer
    ex: Exprs

    def __init__(self, unit: JavaScriptUnit, function: ir.Function, out: Writer) -> None:
        super().__init__(unit, function, out, LocalNames())
        self.limits = unit.module.limits
        #: Values of each tuple in the lists of tuples; they lie one behind the other.
        self.widths = {s.name: max(s.width, 1) for s in statements(function.body) if isinstance(s, ir.NewTuples)}
        self.ex = Exprs(unit, function.name, self.names, self.widths)

    def write(self) -> None:
        name = self.unit.function(self.function.name, self.prefix)
        with self.out.inside(f"function {name}({', '.join(self.params())})"):
            at = len(self.out.lines)
            self.enter()
            self.block(self.function.body)
            self.leave()
            given = {*ELSEWHERE.values(), *self.first, *(self.names[p] for p in self.function.params)}
            mine = [n for n in (*self.names.given.values(), *self.names.temps) if n not in given]
            if mine:
                self.out.lines.insert(at, f"    let {', '.join(f'{name} = 0' for name in dict.fromkeys(mine))};")

    def head(self, test: str) -> str:
        return f"if ({test})"

    def hold(self, expr: ir.Expr, hint: str = "t") -> str:
        """The text of a value that is told more than once: itself if cheap, else a temporary set here."""
        if isinstance(expr, (ir.Local, ir.Const)):
            return self.ex.value(expr)
        name = self.names.temporary(hint)
        self.out(f"{name} = {self.ex.value(expr)};")
        return name

    # ---- locals and words

    def set(self, stmt: ir.Set) -> None:
        self.out(f"{self.names[stmt.name]} = {self.ex.value(stmt.value)};")

    def store(self, stmt: ir.Store) -> None:
        address = self.ex.address(stmt.base, stmt.index)
        if stmt.limits is None:
            self.out(f"S[{address}] = {self.ex.value(stmt.value)};")
            return
        name = self.names.temporary("v")
        self.out(f"{name} = {self.ex.value(stmt.value)};")
        self.limit(name, stmt.limits)
        self.out(f"S[{address}] = {name};")

    def add(self, stmt: ir.Add) -> None:
        address = self.ex.address(stmt.base, stmt.index)
        if stmt.limits is None:
            self.out(f"S[{address}] += {self.ex.value(stmt.value)};")
            return
        at, name = self.names.temporary("i"), self.names.temporary("v")
        self.out(f"{at} = {address}; {name} = S[{at}] + {self.ex.value(stmt.value)};")
        self.limit(name, stmt.limits)
        self.out(f"S[{at}] = {name};")

    def limit(self, name: str, limits: ir.Limits) -> None:
        for sign, end in (("<", limits.low), (">", limits.high)):
            if end is not None:
                beyond = f"{name} = {end}" if limits.clamp else f"range_({self.unit.range(limits)}, {name})"
                self.out(f"if ({name} {sign} {end}) {beyond};")

    def fill(self, stmt: ir.Fill) -> None:
        if stmt.index is None and 0 < stmt.count <= FEW:
            self.out(f"{' = '.join(f'S[{stmt.base + i}]' for i in range(stmt.count))} = {stmt.value};")
        elif stmt.count > 0:
            end = self.ex.address(stmt.base + stmt.count, stmt.index)
            self.out(f"S.fill({stmt.value}, {self.ex.address(stmt.base, stmt.index)}, {end});")

    # ---- control

    def branch(self, stmt: ir.Branch) -> None:
        word = "if"
        while True:
            with self.out.inside(f"{word} ({self.ex.cond(stmt.test)})"):
                self.block(stmt.then)
            match stmt.otherwise:
                case (ir.Branch() as stmt,):
                    word = "else if"
                case ():
                    return
                case rest:
                    break
        with self.out.inside("else"):
            self.block(rest)

    def while_(self, stmt: ir.While) -> None:
        with self.out.inside(f"while ({self.ex.cond(stmt.test)})"):
            if stmt.budget:
                self.count_step(stmt)
            self.block(stmt.body)

    def count_step(self, stmt: ir.While | ir.Tick) -> None:
        """A function that may not write counts for itself."""
        self.out(f"if (++{self.names.once('b_')} > {self.limits['steps']}) steps_({self.unit.span(stmt.span)});")

    def for_range(self, stmt: ir.ForRange) -> None:
        name, end = self.names[stmt.name], self.hold(stmt.end, "e")
        changed = {n for s in statements(stmt.body) for n in assigned(s)}
        if isinstance(stmt.end, ir.Local) and stmt.end.name in changed:
            end = self.names.temporary("e")
            self.out(f"{end} = {self.ex.value(stmt.end)};")
        at = self.names.temporary("i") if stmt.name in changed else name
        with self.out.inside(f"for ({at} = {self.ex.value(stmt.low)}; {at} < {end}; {at}++)"):
            if at != name:
                self.out(f"{name} = {at};")
            self.block(stmt.body)

    def for_chain(self, stmt: ir.ForChain) -> None:
        name = self.names[stmt.name]
        with self.out.inside(f"for ({name} = {self.ex.value(stmt.first)}; {name}; {name} = S[{stmt.next} + {name}])"):
            self.block(stmt.body)

    def for_array(self, stmt: ir.ForArray) -> None:
        if stmt.distinct is not None:
            items = self.names.temporary("l")
            self.out(f"{items} = distinct_(S, {self.ex.value(stmt.zone)}, {self.unit.table(stmt.distinct)});")
            self.each(self.names[stmt.name], items, stmt.body)
            return
        zone, at, end = (self.names.temporary(h) for h in "zie")
        self.out(f"{zone} = {self.ex.value(stmt.zone)}; {end} = {zone} + S[{zone}];")
        with self.out.inside(f"for ({at} = {zone} + 1; {at} <= {end}; {at}++)"):
            self.out(f"{self.names[stmt.name]} = S[{at}];")
            self.block(stmt.body)

    def for_list(self, stmt: ir.ForList) -> None:
        self.each(self.names[stmt.name], self.names[stmt.list], stmt.body)

    def for_table(self, stmt: ir.ForTable) -> None:
        row = self.names.temporary("r")
        self.out(f"{row} = {self.unit.row(stmt.row)}[{self.ex.value(stmt.index)}];")
        self.each(self.names[stmt.name], row, stmt.body)

    def each(self, name: str, items: str, body: ir.Block) -> None:
        at = self.names.temporary("i")
        with self.out.inside(f"for ({at} = 0; {at} < {items}.length; {at}++)"):
            self.out(f"{name} = {items}[{at}];")
            self.block(body)

    def return_(self, stmt: ir.Return) -> None:
        self.out("return;" if stmt.value is None else f"return {self.ex.value(stmt.value)};")

    # ---- lists

    def new_list(self, stmt: ir.NewList) -> None:
        self.out(f"{self.names[stmt.name]} = [];")

    def append(self, stmt: ir.Append) -> None:
        self.out(f"{self.names[stmt.list]}.push({self.ex.value(stmt.value)});")

    def array_to_list(self, stmt: ir.ArrayToList | ir.ArrayView) -> None:
        self.out(f"{self.names[stmt.name]} = items_(S, {self.ex.value(stmt.zone)});")

    array_view = array_to_list

    def take_at(self, stmt: ir.TakeAt) -> None:
        self.out(f"{self.names[stmt.list]}.splice({self.ex.value(stmt.index)}, 1);")

    def sort(self, stmt: ir.Sort) -> None:
        self.out(f"sort_({self.names[stmt.list]}, {self.keys(stmt)});")

    def keep_best(self, stmt: ir.KeepBest) -> None:
        self.out(f"best_({self.names[stmt.list]}, {self.keys(stmt)});")

    def keys(self, stmt: ir.Sort | ir.KeepBest) -> str:
        """A function of an item: its key, or a list of them; ascending, the descending ones negated."""
        values = [f"{'-' if k.descending else ''}{self.ex.value(k.value)}" for k in stmt.keys]
        return f"({self.names[stmt.name]}) => {values[0] if len(values) == 1 else '[' + ', '.join(values) + ']'}"

    def append_tuple(self, stmt: ir.AppendTuple) -> None:
        self.out(f"{self.names[stmt.list]}.push({', '.join(map(self.ex.value, stmt.values)) or '0'});")

    def read_tuple(self, stmt: ir.ReadTuple) -> None:
        items, width, at = self.names[stmt.list], self.widths[stmt.list], self.names.temporary("i")
        self.out(f"{at} = {self.ex.value(stmt.index)} * {width};")
        for number, target in enumerate(stmt.targets):
            self.out(f"{self.names[target]} = {items}[{at} + {number}];")

    # ---- zones that are arrays

    def list_to_array(self, stmt: ir.ListToArray) -> None:
        self.out(f"lay_(S, {self.ex.value(stmt.zone)}, {self.names[stmt.list]});")

    def array_push(self, stmt: ir.ArrayPush) -> None:
        self.out(f"{'slip_' if stmt.bottom else 'push_'}(S, {self.ex.value(stmt.zone)}, {self.ex.value(stmt.value)});")

    def array_drop(self, stmt: ir.ArrayDrop) -> None:
        self.out(f"drop_(S, {self.ex.value(stmt.zone)}, {self.ex.value(stmt.value)});")

    def array_draw(self, stmt: ir.ArrayDraw) -> None:
        given = ", ".join(map(self.ex.value, (stmt.source, stmt.target, stmt.count)))
        self.out(f"deal_(S, {given}, {stmt.where}, {self.ex.value(stmt.zone_id)});")

    def array_append_all(self, stmt: ir.ArrayAppendAll) -> None:
        given = f"{self.ex.value(stmt.source)}, {self.ex.value(stmt.target)}, {stmt.where}"
        self.out(f"{'under_' if stmt.bottom else 'onto_'}(S, {given}, {self.ex.value(stmt.zone_id)});")

    def array_shuffle(self, stmt: ir.ArrayShuffle) -> None:
        self.out(f"shuffle_(S, {self.ex.value(stmt.zone)}, {self.cells.rng_x}, {self.cells.rng_c});")

    # ---- the rest

    def random(self, stmt: ir.Random) -> None:
        cells = self.cells
        x, c = (cells.policy_x, cells.policy_c) if stmt.policy else (cells.rng_x, cells.rng_c)
        self.out(f"{self.names[stmt.name]} = draw_(S, {x}, {c}, {self.ex.value(stmt.bound)});")

    def divide(self, stmt: ir.Divide) -> None:
        """Of natural numbers below 2**31."""
        value, by = self.hold(stmt.value, "d"), self.hold(stmt.by, "e")
        remainder = self.names.temporary("m")
        self.out(f"{remainder} = {value} % {by}; {self.names[stmt.quotient]} = ({value} / {by}) | 0;")
        self.out(f"{self.names[stmt.remainder]} = {remainder};")

    def call_pure(self, stmt: ir.CallPure) -> None:
        """The first value is what the function answers; the others lie in `more_`."""
        results = [self.names[name] for name in stmt.results]
        more = "".join(f" {name} = more_[{at}];" for at, name in enumerate(results[1:], 1))
        self.out(f"{results[0]} = {self.ex.value(ir.Call(stmt.function, stmt.args))};{more}")

    def return_many(self, stmt: ir.ReturnMany) -> None:
        values = [self.hold(value) for value in stmt.values]  # working one out may call what answers several too
        self.out("".join(f"more_[{at}] = {text}; " for at, text in enumerate(values) if at) + f"return {values[0]};")

    def unreachable(self, stmt: ir.Unreachable) -> None:
        self.out('throw new Error("no such option");')

    def ensure(self, stmt: ir.Ensure) -> None:
        """Refusals are no exceptions: most trials end so, and V8 is slow to catch."""
        with self.out.inside(f"if (!{self.ex.cond(stmt.condition)})"):
            self.out(f"refused_ = new Refused({stmt.reason}, {self.ex.row(stmt.args)});")
            self.out("return;")
