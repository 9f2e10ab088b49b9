"""Decisions by rejection: draw from a superset whose size is known at once, and draw again if the option is not legal.

The result is uniform over the legal options, as by counting, but other numbers of the generator are used: the games
differ, their distribution does not. It pays where pass is always possible and most combinations are legal: nothing has
to be counted then. After `TRIES` rejections the options are counted after all.

Which routines exist in this mode too: those that hold such a decision, and their callers (`s_f`); the rest is shared.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from rulelang.backends.python.direct import DirectBody
from rulelang.backends.python.enumerate import Loop, Shape
from rulelang.backends.python.fuse import Fusion, fusible
from rulelang.backends.python.picks import forced, pick_now, substitute
from rulelang.backends.python.unit import Unit
from rulelang.program import ir
from rulelang.program.passes.walk import FOR_LOOPS, locals_read, rewrite_expr, rewrite_exprs, statements

TRIES = 40
#: Loops of a source that is drawn; of more combinations than that mostly too few are legal.
DEEPEST = 3


@dataclass(frozen=True, slots=True)
class Nest:
    """An enumerator as tests on its parameters, loops that do not depend on each other, and tests inside them.

    `tests[i]` stands inside loop i. The superset is the product of the loops.
    """

    before: tuple[ir.Expr, ...]
    loops: tuple[Loop, ...]
    tests: tuple[tuple[ir.Expr, ...], ...]
    values: tuple[ir.Expr, ...]


def nest(function: ir.Function) -> Nest | None:
    """The enumerator's nest, or None if it has another shape."""
    before: list[ir.Expr] = []
    loops: list[Loop] = []
    tests: list[list[ir.Expr]] = []
    block = function.body
    while True:
        if len(block) != 1:
            return None
        stmt = block[0]
        if isinstance(stmt, ir.Branch) and not stmt.otherwise:
            (tests[-1] if tests else before).append(stmt.test)
            block = stmt.then
        elif isinstance(stmt, FOR_LOOPS) and not isinstance(stmt, ir.ForList):
            if isinstance(stmt, ir.ForChain) and stmt.length is None:
                return None
            outer = locals_read(_with_empty_body(stmt)) & {loop.name for loop in loops}
            if outer and not isinstance(stmt, ir.ForTable):  # the rows of a table have a longest one
                return None
            loops.append(stmt)
            tests.append([])
            block = stmt.body
        elif isinstance(stmt, ir.Yield) and stmt.compels is None:
            if not 0 < len(loops) <= DEEPEST:
                return None
            return Nest(tuple(before), tuple(loops), tuple(tuple(t) for t in tests), stmt.values)
        else:
            return None


def _with_empty_body(loop: Loop) -> Any:
    return replace(loop, body=())


def placed(found: Nest, function: ir.Function, source: ir.Source, serial: int) -> Nest:
    """The nest of an enumerator for one source: its arguments put in, its loops' locals renamed by a serial number."""
    names = {loop.name: ir.Local(f"{loop.name} {serial}") for loop in found.loops}

    def mine(expr: ir.Expr) -> ir.Expr:
        put = substitute(expr, function.params, source.args)
        return rewrite_expr(put, lambda e: names.get(e.name, e) if isinstance(e, ir.Local) else e)

    def head(loop: Loop) -> Loop:
        bare: Any = rewrite_exprs(_with_empty_body(loop), lambda e: mine(e) if isinstance(e, ir.Local) else e)
        renamed: Loop = replace(bare, name=names[loop.name].name)
        return renamed

    tests = tuple(tuple(mine(t) for t in group) for group in found.tests)
    before = tuple(mine(t) for t in found.before)
    return Nest(before, tuple(map(head, found.loops)), tests, tuple(mine(v) for v in found.values))


def sampled_routines(unit: Unit, shapes: dict[str, Shape]) -> set[str]:
    """Routines that hold a decision worth drawing by rejection, and all that call them."""
    functions = unit.module.functions
    found = {
        name for name, f in functions.items()
        if f.kind == "routine"
        and any(isinstance(s, ir.Pick) and worth(s, functions, shapes) for s in statements(f.body))
    }  # fmt: skip
    changed = True
    while changed:
        more = {
            name for name, f in functions.items()
            if name not in found and f.kind == "routine"
            and any(isinstance(s, ir.CallRoutine) and s.function in found for s in statements(f.body))
        }  # fmt: skip
        found |= more
        changed = bool(more)
    return found


def worth(stmt: ir.Pick, functions: dict[str, ir.Function], shapes: dict[str, Shape]) -> bool:
    """Pass is always possible, nothing compels, and two sources at least are products of two loops."""
    if stmt.chance or stmt.may_pass != ir.Const(1) or any(shapes[s.enumerator].compels for s in stmt.sources):
        return False
    if not all(isinstance(a, (ir.Local, ir.Const)) for s in stmt.sources for a in s.args):
        return False
    nests = [nest(functions[s.enumerator]) for s in stmt.sources]
    if any(n is None and shapes[s.enumerator].hoisted for n, s in zip(nests, stmt.sources, strict=True)):
        return False  # counting all in one go costs less than counting these apart
    loops = [len(n.loops) for n in nests if n is not None]
    return sum(n > 1 for n in loops) >= 2 or max(loops, default=0) == DEEPEST


class SampledBody(DirectBody):
    """`s_f(S, args...)`."""

    prefix = "s_"

    def __init__(
        self, unit: Unit, function: ir.Function, out: Any, shapes: dict[str, Shape], sampled: set[str]
    ) -> None:
        super().__init__(unit, function, out, shapes)
        self.sampled = sampled
        self.serial = 0
        self.memos: dict[str, str] = {}
        self.bound: set[str] = set()  # locals of the loops of nests
        self.told: dict[str, str] = {}

    def direct_call(self, stmt: ir.CallRoutine) -> str:
        if stmt.function not in self.sampled:
            return super().direct_call(stmt)
        name = self.unit.function(stmt.function, "s_")
        return f"{name}(S{self.ex.args(stmt.args)}{self.ex.depth(stmt.function)})"

    def pick(self, stmt: ir.Pick) -> None:
        functions = self.unit.module.functions
        if not worth(stmt, functions, self.shapes):
            pick_now(self, stmt, self.shapes)
            return
        out, cells = self.out, self.cells
        self.told = {}
        sizes: list[str] = []
        prepared: list[tuple[ir.Source, Nest | None, list[str]]] = []
        for source in stmt.sources:
            found = nest(functions[source.enumerator])
            size = self.names.temporary("n")
            if found is None:
                prepared.append((source, None, []))
                size = self.exact(source, size)
            else:
                mine, lengths = self.measured(found, source)
                product = " * ".join(lengths)
                test = " and ".join(self.ex.cond(t, 4) for t in mine.before)
                if test:
                    out(f"{size} = {product} if {test} else 0")
                else:
                    size = self.told_once(product)
                prepared.append((source, mine, lengths))
            sizes.append(size)
        out(f"u_ = 0; w_ = {' + '.join(sizes)} + 1")
        with out.inside("while 1:"):
            out(f"x_ = S[{cells.policy_x}]; c_ = S[{cells.policy_c}]; k_ = (x_ ^ c_) * w_ >> 30")
            out(f"t_ = x_ * 998578647 + c_; S[{cells.policy_x}] = t_ & 1073741823; S[{cells.policy_c}] = t_ >> 30")
            word, before = "if", ""
            for (source, mine_or_none, lengths), size in zip(prepared, sizes, strict=True):
                left = f"(k_ := k_ - {before})" if before else "k_"
                with out.inside(f"{word} {left} < {size}:"):
                    if mine_or_none is None:
                        self.accept_exact(stmt, source)
                    else:
                        self.attempt(stmt, source, mine_or_none, lengths)
                word, before = "elif", size
            with out.inside("else:"):
                self.take(stmt, -1, "", 0)
                anything = self.anything(prepared, sizes)
                out(f"if {anything}: S[{cells.decisions}] += 1; S[{cells.steps}] = 0")
                with out.inside("else:"):
                    forced(self, stmt)
                out("break")
            out("u_ += 1")
            with out.inside(f"if u_ > {TRIES}:"):
                self.fuses = False
                pick_now(self, stmt, self.shapes)
                self.fuses = True
                out("break")

    # ---- one source

    def told_once(self, text: str) -> str:
        """The local that holds what the text says, set where it is told first in this decision."""
        if text.isalnum() or text.removesuffix("_").isalnum():
            return text
        if text not in self.told:
            self.told[text] = name = self.names.temporary("l")
            self.out(f"{name} = {text}")
        return self.told[text]

    def measured(self, found: Nest, source: ir.Source) -> tuple[Nest, list[str]]:
        """The nest with this place's names, and its loops' lengths as texts that may be told twice."""
        self.serial += 1
        put = placed(found, self.unit.module.functions[source.enumerator], source, self.serial)
        self.bound |= {loop.name for loop in put.loops}
        return put, [self.told_once(self.length(loop)) for loop in put.loops]

    def length(self, loop: Loop) -> str:
        match loop:
            case ir.ForArray(_, zone):
                return f"S[{self.ex.address(0, zone)}]"
            case ir.ForChain(_, _, _, _, length):
                assert length is not None
                return self.ex.num(length)
            case ir.ForRange(_, ir.Const(low), ir.Const(end)):
                return str(max(end - low, 0))
            case ir.ForRange(_, low, end):
                return f"max({self.ex.num(end)} - {self.ex.num(low, 11)}, 0)"
            case ir.ForTable(_, row) if isinstance(loop.index, ir.Const) or not self.inner(loop):
                return f"len({self.row(loop)})"
            case ir.ForTable(_, row):
                return str(max(map(len, self.unit.module.rows[row]), default=0))
            case _:
                raise AssertionError("such a loop is in no nest")

    def inner(self, loop: ir.ForTable) -> bool:
        """Whether which row it goes over depends on a loop around it."""
        return any(name in self.bound for name in locals_read(loop.index))

    def attempt(self, stmt: ir.Pick, source: ir.Source, found: Nest, lengths: list[str]) -> None:
        """Bind the loops' locals of combination `k_`, test, and take it if it is legal."""
        index = ["k_"]
        if len(lengths) > 1:
            index = [f"i{d}_" for d in range(len(lengths))]
            for d in range(len(lengths) - 1, 0, -1):
                self.out(f"{index[d]} = k_ % {lengths[d]}; k_ //= {lengths[d]}")
            index[0] = "k_"
        depth = 0
        for loop, tests, k in zip(found.loops, found.tests, index, strict=True):
            if isinstance(loop, ir.ForTable) and self.inner(loop):
                self.out(f"if {k} < len({self.row(loop)}):")
                self.out.level += 1
                depth += 1
            self.bind(loop, k)
            parts = [self.ex.cond(t, 4) for t in tests]
            if isinstance(loop, ir.ForArray) and loop.distinct is not None:
                parts.append(self.first_of_its_kind(loop, k))
            if parts:
                self.out(f"if {' and '.join(parts)}:")
                self.out.level += 1
                depth += 1
        values = ", ".join(self.ex.value(v) for v in found.values)
        self.take(stmt, source.tag, values, len(found.values))
        self.decided()
        self.out.level -= depth

    def bind(self, loop: Loop, k: str) -> None:
        """Set the loop's local to its `k`-th item."""
        name = self.names[loop.name]
        if isinstance(loop, ir.ForChain):
            self.out(f"{name} = {self.ex.value(loop.first)}")
            step = self.ex.address(loop.next, ir.Local(loop.name))
            self.out(f"while {k}: {name} = S[{step}]; {k} -= 1")
        else:
            self.out(f"{name} = {self.item(loop, k)}")

    def item(self, loop: Loop, k: str) -> str:
        match loop:
            case ir.ForArray(_, zone):
                return f"S[{self.ex.address(1, zone)} + {k}]"
            case ir.ForRange(_, low):
                return f"{self.ex.num(low, 10)} + {k}"
            case ir.ForTable():
                return f"{self.row(loop)}[{k}]"
            case _:
                raise AssertionError("such a loop is in no nest")

    def first_of_its_kind(self, loop: ir.ForArray, k: str) -> str:
        """Of equal items only the first is an option."""
        table = self.unit.table(loop.distinct or "")
        start = self.ex.address(1, loop.zone)
        name = self.names[loop.name]
        return f"(not {k} or {table}[{name}] not in map({table}.__getitem__, S[{start}:{start} + {k}]))"

    def accept_exact(self, stmt: ir.Pick, source: ir.Source) -> None:
        shape = self.shapes[source.enumerator]
        decode = self.decode_call(source) if shape.arity else ""
        self.take(stmt, source.tag, decode, shape.arity)
        self.decided()

    def decided(self) -> None:
        self.out(f"S[{self.cells.decisions}] += 1; S[{self.cells.steps}] = 0; break")

    def take(self, stmt: ir.Pick, tag: int, values: str, arity: int) -> None:
        targets = [self.names[t] for t in stmt.targets]
        if arity:
            self.out(f"{', '.join(targets[:arity])} = {values}")
        unused = targets[arity:]
        self.out(f"{' = '.join([*unused, ''])}{'0; ' if unused else ''}{self.names[stmt.tag]} = {tag}")

    def exact(self, source: ir.Source, size: str) -> str:
        """Counts a source that is no product; answers the local of its count."""
        function, shape = self.unit.module.functions[source.enumerator], self.shapes[source.enumerator]
        if shape.hoisted or not fusible(function, shape):
            self.out(f"{size} = {self.count_call(source, '[]')}")
            return size
        fusion = Fusion(self, False)
        count, memo = fusion.add(function, shape, source.args, {})
        fusion.write()
        self.memos[source.enumerator] = memo
        return count

    def anything(self, prepared: list[tuple[ir.Source, Nest | None, list[str]]], sizes: list[str]) -> str:
        """Whether there is any option but pass; what is known already is asked first."""
        cheap: list[str] = []
        dear: list[str] = []
        for (source, mine, _), size in zip(prepared, sizes, strict=True):
            if mine is None or not any(mine.tests):
                cheap.append(size)
            else:
                dear.append(f"{size} and {self.count_call(source, '[]')}")
        return " or ".join([*cheap, *dear])

    # ---- the counting functions, for what cannot be drawn

    def hoisted(self, source: ir.Source) -> str:
        function, shape = self.unit.module.functions[source.enumerator], self.shapes[source.enumerator]
        out = ""
        for zone, table in shape.hoisted:
            place = substitute(zone, function.params, source.args)
            out += f", distinct_(S, {self.ex.num(place)}, {self.unit.table(table)})"
        return out

    def count_call(self, source: ir.Source, memo: str) -> str:
        name = self.unit.function(source.enumerator, "c_")
        return f"{name}(S, {memo}{self.ex.args(source.args)}{self.hoisted(source)})"

    def decode_call(self, source: ir.Source) -> str:
        shape = self.shapes[source.enumerator]
        name = self.unit.function(source.enumerator, "k_")
        memo = self.memos.get(source.enumerator)
        if memo is not None:
            if Fusion.collects(shape):
                return f"{memo}[k_]"
            return f"{name}(S, k_, {memo}{self.ex.args(source.args)})"
        if shape.memo is None:
            return f"{name}(S, k_, (){self.ex.args(source.args)}{self.hoisted(source)})"
        self.out("q_ = []")
        self.out(f"{self.count_call(source, 'q_')}")
        return f"{name}(S, k_, q_{self.ex.args(source.args)}{self.hoisted(source)})"
