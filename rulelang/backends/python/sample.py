"""Decisions by rejection (see `passes.sampling`) from products of loops; the other ways are in `weighted`, `listed`."""

from __future__ import annotations

from typing import Any, ClassVar

from rulelang.backends.python.direct import DirectBody
from rulelang.backends.python.fuse import Fusion, fusible
from rulelang.backends.python.listed import pick_listed
from rulelang.backends.python.picks import decided, draw, pick_now, take_option
from rulelang.backends.python.unit import Unit
from rulelang.backends.python.weighted import end_of_try, pick_weighted
from rulelang.program import ir
from rulelang.program.passes.listing import Listed
from rulelang.program.passes.sampling import Nest, placed
from rulelang.program.passes.shapes import Loop, Shape
from rulelang.program.passes.walk import locals_read, substitute


class SampledBody(DirectBody):
    """`s_f(S, args...)`."""

    prefix = "s_"
    METHODS: ClassVar[dict[type, str]] = {**DirectBody.METHODS, Listed: "list_option"}

    def __init__(self, unit: Unit, function: ir.Function, out: Any, shapes: dict[str, Shape]) -> None:
        super().__init__(unit, function, out, shapes)
        self.serial = 0
        self.memos: dict[str, str] = {}
        self.bound: set[str] = set()  # locals of the loops of nests
        self.told: dict[str, str] = {}
        self.room = 0  # values of an option that is listed

    def list_option(self, stmt: Listed) -> None:
        values = [*map(self.ex.value, stmt.values), *["0"] * (self.room - len(stmt.values))]
        self.out(f"o_.append(({', '.join([str(stmt.tag), *values])}))")

    def direct_call(self, stmt: ir.CallRoutine) -> str:
        if stmt.function not in self.unit.sampling.routines:
            return super().direct_call(stmt)
        name = self.unit.function(stmt.function, "s_")
        return f"{name}(S{self.ex.args(stmt.args)}{self.ex.depth(stmt.function)})"

    def pick(self, stmt: ir.Pick) -> None:
        way = self.unit.sampling.ways.get(stmt, "")
        if way != "product":
            if not way:
                pick_now(self, stmt, self.shapes)
            else:
                (pick_listed if way == "listed" else pick_weighted)(self, stmt)
            return
        out = self.out
        self.told = {}
        sizes: list[str] = []
        prepared: list[tuple[ir.Source, Nest | None, list[str]]] = []
        for source in stmt.sources:
            found = self.unit.sampling.nests[source.enumerator]
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
            draw(self, "w_")
            word, before = "if", ""
            for (source, mine_or_none, lengths), size in zip(prepared, sizes, strict=True):
                left = f"(k_ := k_ - {before})" if before else "k_"
                with out.inside(f"{word} {left} < {size}:"):
                    if mine_or_none is None:
                        self.accept_exact(stmt, source)
                    else:
                        self.attempt(stmt, source, mine_or_none, lengths)
                word, before = "elif", size
            end_of_try(self, stmt, self.anything(prepared, sizes))

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
        take_option(self, stmt, str(source.tag), len(found.values), values)
        self.decided(stmt)
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
        alone = f"{self.unit.table(self.unit.alone(loop.distinct or ''))}[{name}]"
        return f"(not {k} or {alone} or {table}[{name}] not in map({table}.__getitem__, S[{start}:{start} + {k}]))"

    def accept_exact(self, stmt: ir.Pick, source: ir.Source) -> None:
        shape = self.shapes[source.enumerator]
        decode = self.decode_call(source) if shape.arity else ""
        take_option(self, stmt, str(source.tag), shape.arity, decode)
        self.decided(stmt)

    def decided(self, stmt: ir.Pick) -> None:
        decided(self, stmt)
        self.out("break")

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
                dear.append(f"{size} and {self.any_call(source)}")
        return " or ".join([*cheap, *dear])

    def any_call(self, source: ir.Source) -> str:
        """Whether a source has any option."""
        return self.ex.cond(ir.Call(self.unit.sampling.anything[source.enumerator], source.args))

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
