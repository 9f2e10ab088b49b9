"""Decisions by rejection: draw from a superset whose size is known at once, and again if the option is not legal.

The same draws as in `backends.python.sample`, which tells when it pays; so a sampled game is the same on both backends.
"""

from __future__ import annotations

from typing import Any, ClassVar

from rulelang.backends.native import prelude
from rulelang.backends.native.direct import DirectBody
from rulelang.backends.native.enumerate import distinct_list
from rulelang.backends.native.listed import list_option, pick_listed
from rulelang.backends.native.picks import decided, forced, generator, pick_now, room, store
from rulelang.backends.native.unit import NativeUnit
from rulelang.backends.native.weighted import pick_weighted
from rulelang.backends.native.writer import Writer
from rulelang.program import ir
from rulelang.program.passes.listing import Listed
from rulelang.program.passes.sampling import TRIES, Nest, placed
from rulelang.program.passes.shapes import Loop
from rulelang.program.passes.walk import locals_read, substitute


class SampledBody(DirectBody):
    """`s_f(S, args...)`."""

    prefix = "s_"
    METHODS: ClassVar[dict[type, str]] = {**DirectBody.METHODS, Listed: "list_option"}

    def __init__(self, unit: NativeUnit, function: ir.Function, out: Writer) -> None:
        super().__init__(unit, function, out)
        self.serial = 0
        self.pointers: dict[str, str] = {}  # by enumerator that is counted: its memo
        self.bound: set[str] = set()  # locals of the loops of nests
        self.options = self.count = ""  # of a decision that is listed: the array, how many there are, words of each
        self.width = 0

    def list_option(self, stmt: Listed) -> None:
        list_option(self, stmt)

    def branch(self, stmt: ir.Branch) -> None:
        """Whether an option is one is worked out without a jump, as in `tally`."""
        match stmt:
            case ir.Branch(test, (Listed() as option,), ()):
                test_ = self.names.temporary("t")
                self.out(f"{test_} = {self.bit(test)};")
                self.checked(test)
                list_option(self, option, test_)
            case _:
                super().branch(stmt)

    def direct_call(self, stmt: ir.CallRoutine) -> str:
        return self.called(stmt, "s_") if stmt.function in self.unit.sampling.routines else super().direct_call(stmt)

    def pick(self, stmt: ir.Pick) -> None:
        way = self.unit.sampling.ways.get(stmt, "")
        if way != "product":
            if not way:
                pick_now(self, stmt, self.fuses)
            else:
                (pick_listed if way == "listed" else pick_weighted)(self, stmt)
            return
        out, k = self.out, self.names.once("k_")
        sizes: list[str] = []
        prepared: list[tuple[ir.Source, Nest | None, list[str]]] = []
        for source in stmt.sources:
            found = self.unit.sampling.nests[source.enumerator]
            size = self.names.temporary("n")
            if found is None:
                self.exact(source, size)
                prepared.append((source, None, []))
            else:
                mine, lengths = self.measured(found, source)
                out(f"{size} = {' * '.join(lengths)};")
                for test in mine.before:
                    out(f"if (!{self.cond(test)}) {size} = 0;")
                prepared.append((source, mine, lengths))
            sizes.append(size)
        whole, tries = self.names.temporary("w"), self.names.temporary("u")
        out(f"{tries} = 0; {whole} = {' + '.join(sizes)} + 1;")
        with out.inside("for (;;)"):
            out(f"{k} = draw({generator(self, False)}, {whole});")
            before = ""
            for (source, mine_or_none, lengths), size in zip(prepared, sizes, strict=True):
                head = f"else if (({k} -= {before}), {k} < {size})" if before else f"if ({k} < {size})"
                with out.inside(head):
                    if mine_or_none is None:
                        self.accept_exact(stmt, source)
                    else:
                        self.attempt(stmt, source, mine_or_none, lengths)
                before = size
            known = [
                (source, size, mine is None or not any(mine.tests))
                for (source, mine, _), size in zip(prepared, sizes, strict=True)
            ]
            self.end_of_try(stmt, known, tries)

    def end_of_try(self, stmt: ir.Pick, known: list[tuple[ir.Source, str, bool]], tries: str) -> None:
        """What follows the sources of one draw: pass, which was a decision if there is anything else; or another try,
        until all options are counted after all. `known`: each source's size, and whether that is its options' number.
        """
        out, name = self.out, self.names.temporary("b")
        with out.inside("else"):
            store(self, stmt, -1, ())
            out(f"{name} = {' || '.join(size for _, size, exact in known if exact) or '0'};")
            for source, size, exact in known:
                if not exact:
                    self.any_of(source, name, size)
            with out.inside(f"if ({name})"):
                decided(self, stmt)
            with out.inside("else"):
                forced(self, stmt)
            out("break;")
        with out.inside(f"if (++{tries} > {TRIES})"):
            pick_now(self, stmt, False)
            out("break;")

    def any_of(self, source: ir.Source, name: str, size: str) -> None:
        """Set a local to whether a source has any option, unless it is set or the source's superset is empty."""
        with self.out.inside(f"if (!{name} && {size})"):
            there = ir.Call(self.unit.sampling.anything[source.enumerator], source.args)
            self.out(f"{name} = {self.ex(there)};")
            self.checked(there)

    # ---- one source

    def measured(self, found: Nest, source: ir.Source) -> tuple[Nest, list[str]]:
        """The nest with this place's names, and its loops' lengths as texts that may be told twice."""
        self.serial += 1
        put = placed(found, self.unit.module.functions[source.enumerator], source, self.serial)
        self.bound |= {loop.name for loop in put.loops}
        lengths: list[str] = []
        for loop in put.loops:
            length = self.names.temporary("l")
            self.out(f"{length} = {self.length(loop)};")
            lengths.append(length)
        return put, lengths

    def length(self, loop: Any) -> str:
        match loop:
            case ir.ForArray(_, zone):
                return f"S[I({self.ex(zone)})]"
            case ir.ForChain(_, _, _, _, length) if length is not None:
                return self.ex(length)
            case ir.ForRange(_, low, end):
                return f"most((i64){self.ex(end)} - {self.ex(low)}, 0)"
            case ir.ForTable(_, row) if self.inner(loop):
                return str(max(map(len, self.unit.module.rows[row]), default=0))
            case ir.ForTable():
                return self.row(loop)[1]
        raise AssertionError("such a loop is in no nest")

    def inner(self, loop: ir.ForTable) -> bool:
        """Whether which row it goes over depends on a loop around it."""
        return any(name in self.bound for name in locals_read(loop.index))

    def attempt(self, stmt: ir.Pick, source: ir.Source, found: Nest, lengths: list[str]) -> None:
        """Bind the loops' locals of combination `k_`, test, and take it if it is legal."""
        index = ["k_"]
        for d in range(len(lengths) - 1, 0, -1):
            name = self.names.once(f"i{d}_")
            # What is drawn has less than 31 bits; a division of 64 takes several times as long.
            self.out(f"{name} = (u32)k_ % (u32){lengths[d]}; k_ = (u32)k_ / (u32){lengths[d]};")
            index.insert(1, name)
        depth = 0

        def under(test: str) -> int:
            self.out(f"if ({test}) {{")
            self.out.level += 1
            return 1

        for loop, tests, k in zip(found.loops, found.tests, index, strict=True):
            if isinstance(loop, ir.ForTable):
                _, length, item = self.row(loop)
                if self.inner(loop):
                    depth += under(f"{k} < {length}")
                self.out(f"{self.names[loop.name]} = {item(k)};")
            else:
                self.out(f"{self.names[loop.name]} = {self.item(loop, k)};")
            for test in tests:
                depth += under(self.cond(test))
            if isinstance(loop, ir.ForArray) and loop.distinct is not None:
                depth += under(self.ex.first(self.ex(loop.zone), self.names[loop.name], loop.distinct))
        store(self, stmt, source.tag, tuple(map(self.ex, found.values)))
        self.checked(*found.values)
        self.decided(stmt)
        for _ in range(depth):
            self.out.level -= 1
            self.out("}")

    def item(self, loop: Loop, k: str) -> str:
        match loop:
            case ir.ForArray(_, zone):
                return f"S[I({self.ex(zone)} + 1 + {k})]"
            case ir.ForChain(_, first, following):
                return f"nth(C, S, {self.ex(first)}, {following}, {k})"
            case ir.ForRange(_, low):
                return f"{self.ex(low)} + {k}"
        raise AssertionError("such a loop is in no nest")

    def decided(self, stmt: ir.Pick) -> None:
        decided(self, stmt)
        self.out("break;")

    # ---- the counting functions, for what cannot be drawn

    def exact(self, source: ir.Source, size: str) -> None:
        """Counts a source that is no product."""
        shape, pointer = self.unit.shapes[source.enumerator], "0"
        if shape.memo is not None:
            memo = self.names.temporary("q")
            self.memos.append(memo)
            pointer = memo
        self.pointers[source.enumerator] = pointer
        self.out(f"{size} = {self.count_call(source, pointer)};")
        if source.enumerator in self.unit.fallible:
            self.check()

    def count_call(self, source: ir.Source, pointer: str) -> str:
        function, shape = self.unit.module.functions[source.enumerator], self.unit.shapes[source.enumerator]
        lists: list[str] = []
        for zone, table in shape.hoisted:
            name = distinct_list(self, substitute(zone, function.params, source.args), table)
            lists += [name, f"{name}_n"]
        return self.ex.call(source.enumerator, "c_", source.args, (pointer,), tuple(lists))

    def accept_exact(self, stmt: ir.Pick, source: ir.Source) -> None:
        arity = self.unit.shapes[source.enumerator].arity
        if arity:
            room(self, arity)
            call = self.ex.call(source.enumerator, "k_", source.args, ("k_", self.pointers[source.enumerator], "o_"))
            self.error(prelude.INTERNAL, 7, test=f"!{call}")
        store(self, stmt, source.tag, tuple(f"o_[{i}]" for i in range(arity)))
        self.decided(stmt)
