"""Enumerators: from one body a lister, a counter and a decoder of the k-th option.

* `l_E(S, tag, args...)` puts options `n tag values...` into `out` (n: how many words follow it) and answers 1 if one
  of them compels.
* `c_E(S, q_, args..., hoisted...)` counts; the count is negated if an option compels. The memo `q_` (may be null)
  takes for each round of the outermost loop that found something the count so far and the loop's local.
* `k_E(S, k_, q_, o_, args..., hoisted...)` stores the values of option `k_` in `o_`.

The orders and what is noted are those of the Python backend (see `backends.python.enumerate`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from rulelang.backends.native.stmts import Body
from rulelang.backends.native.unit import NativeUnit
from rulelang.backends.native.writer import Writer
from rulelang.program import ir
from rulelang.program.passes.shapes import Loop, is_length
from rulelang.program.passes.walk import FOR_LOOPS

Mode = Literal["list", "count", "decode"]


class EnumeratorBody(Body):
    """Writes one of the three functions of an enumerator."""

    def __init__(self, unit: NativeUnit, function: ir.Function, out: Writer, mode: Mode) -> None:
        super().__init__(unit, function, out)
        self.mode, self.facts = mode, unit.shapes[function.name]
        self.hoisted = {key: f"h{i}_" for i, key in enumerate(self.facts.hoisted)} if mode != "list" else {}
        self.prefix = {"list": "l_", "count": "c_", "decode": "k_"}[mode]
        self.before = ""  # the count at the start of the noted loop

    def params(self) -> list[str]:
        first = {"list": ["i64 tag_"], "count": ["memo *q_"], "decode": ["i64 k_", "memo *q_", "i64 *o_"]}[self.mode]
        lists = [text for h in self.hoisted.values() for text in (f"const i64 *{h}", f"i64 {h}_n")]
        own = super().params()
        depth = own[-1:] if self.function.recursive else []
        return [*first, *own[: len(own) - len(depth)], *lists, *depth]

    def enter(self) -> None:
        super().enter()
        if self.mode == "count":
            self.names.once("n_")
            self.out("if (q_) q_->n = 0;")
        if self.facts.compels:
            self.names.once("m_")

    def leave(self) -> None:
        match self.mode:
            case "list":
                self.out("return m_;" if self.facts.compels else "return 0;")
            case "count":
                self.out("return m_ ? -n_ : n_;" if self.facts.compels else "return n_;")
            case "decode":
                self.out("return 0;")

    def return_(self, stmt: ir.Return) -> None:
        self.leave()

    def yield_(self, stmt: ir.Yield) -> None:
        match self.mode:
            case "list":
                at, values = self.names.once("at_"), [str(len(stmt.values) + 1), "tag_", *map(self.ex, stmt.values)]
                self.out(f"{at} = C->used; C->used += {len(values)}; C->found++;")
                stored = " ".join(f"C->out[{at} + {i}] = (i32)({v});" for i, v in enumerate(values))
                self.out(f"if (C->used <= C->room) {{ {stored} }}")
                self.checked(*stmt.values)
            case "count":
                self.out("n_++;")
            case "decode":
                with self.out.inside("if (!k_--)"):
                    self.answer(stmt)
        if self.mode != "decode" and stmt.compels is not None and stmt.compels != ir.Const(0):
            self.out(f"if ({self.cond(stmt.compels)}) m_ = 1;")

    def answer(self, stmt: ir.Yield) -> None:
        for i, value in enumerate(stmt.values):
            self.out(f"o_[{i}] = {self.ex(value)};")
        self.checked(*stmt.values)
        self.out("return 1;")

    # ---- loops

    def statement(self, stmt: Any) -> None:
        if isinstance(stmt, FOR_LOOPS) and self.mode != "list":
            if stmt is self.facts.memo:
                (self.noted if self.mode == "count" else self.recall)(stmt)
                return
            if is_length(stmt):
                self.by_length(stmt)
                return
        super().statement(stmt)

    def for_array(self, stmt: ir.ForArray) -> None:
        local = self.hoisted.get((stmt.zone, stmt.distinct or ""))
        if local is None:
            super().for_array(stmt)
            return
        at = self.names.temporary("i")
        with self.out.inside(f"for ({at} = 0; {at} < {local}_n; {at}++)"):
            self.out(f"{self.names[stmt.name]} = {local}[{at}];")
            self.block(stmt.body)

    def noted(self, loop: Loop) -> None:
        """Count a round, then note what it came to since the start of the loop."""
        start, top = self.names.once("a_"), self.names.once("top_")
        self.out(f"{start} = {top} = n_;")
        marked: Any = replace(loop, body=(*loop.body, ir.Append("@note", ir.Local(loop.name))))
        super().statement(marked)

    def elsewhere(self, stmt: Any) -> None:
        if isinstance(stmt, ir.Append) and stmt.list == "@note":
            self.out(f"if (q_ && n_ > top_) {{ top_ = n_; note(q_, n_ - a_, {self.ex(stmt.value)}); }}")
        else:
            super().elsewhere(stmt)

    def recall(self, loop: Loop) -> None:
        at = self.names.once("i_")
        with self.out.inside("if (q_ && q_->n > 0)"):
            self.out(f"{at} = 0;")
            self.out(f"while (k_ >= q_->q[{at}]) {at} += 2;")
            self.out(f"{self.names[loop.name]} = q_->q[{at} + 1];")
            self.out(f"if ({at}) k_ -= q_->q[{at} - 2];")
            self.block(loop.body)
        with self.out.inside("else"):
            super().statement(loop)

    def by_length(self, loop: Loop) -> None:
        item = measure(self, loop, self.hoisted)[1]
        whole = product(self, loop, self.hoisted)
        last, name = loop.body[-1], self.names.once("j_")
        self.out(f"{name} = {whole};")
        if self.mode == "count":
            self.out(f"n_ += {name};")
            if isinstance(last, ir.Yield) and last.compels is not None and last.compels != ir.Const(0):
                self.out(f"if ({name} && {self.cond(last.compels)}) m_ = 1;")
            return
        with self.out.inside(f"if (k_ < {name})"):
            if nested(loop):  # the k-th of the pairs
                width = self.names.temporary("e")
                inner = loop.body[-1]
                assert isinstance(inner, FOR_LOOPS)
                self.out(f"{width} = {product(self, inner, self.hoisted)};")
                self.out(f"{self.names[loop.name]} = {item(f'(k_ / {width})')}; k_ %= {width};")
                self.block(loop.body)
            else:
                self.out(f"{self.names[loop.name]} = {item('k_')};")
                self.block(loop.body[:-1])
                assert isinstance(last, ir.Yield)
                self.answer(last)
        self.out(f"k_ -= {name};")


def nested(loop: Loop) -> bool:
    """Whether a loop that is counted by its length has another inside."""
    return bool(loop.body) and isinstance(loop.body[-1], FOR_LOOPS)


def product(body: Body, loop: Any, hoisted: dict[tuple[ir.Expr, str], str]) -> str:
    """How many options a loop has that is counted by its length, and by the lengths of those inside."""
    length: str = measure(body, loop, hoisted)[0]
    return f"{length} * {product(body, loop.body[-1], hoisted)}" if nested(loop) else length


def measure(body: Body, loop: Any, hoisted: dict[tuple[ir.Expr, str], str]) -> tuple[str, Any]:
    """How many items a loop goes over, and what tells its item of an index."""
    ex = body.ex
    match loop:
        case ir.ForRange(_, low, end):
            start, bound = body.hold(low, "a"), body.hold(end, "e")
            return f"most({bound} - {start}, 0)", lambda k: f"{start} + {k}"
        case ir.ForArray(_, zone, _, None):
            place = body.hold(zone, "z")
            return f"S[I({place})]", lambda k: f"S[I({place} + 1 + {k})]"
        case ir.ForArray(_, zone, _, distinct):
            local = hoisted.get((zone, distinct or ""))
            if local is None:
                local = distinct_list(body, zone, distinct or "")
            return f"{local}_n", lambda k: f"{local}[{k}]"
        case ir.ForList(_, items):
            name = body.names[items]
            return f"{name}_n", lambda k: f"{name}[{k}]"
        case ir.ForTable():
            _, length, item = body.row(loop)
            return length, item
        case ir.ForChain(_, first, following, _, length):
            assert length is not None, "a chain without a length is counted one by one"
            return ex(length), lambda k: f"nth(C, S, {ex(first)}, {following}, {k})"
    raise AssertionError(loop)


def distinct_list(body: Body, zone: ir.Expr, table: str) -> str:
    """A list local with the distinct items of a zone; none for an address that is no zone."""
    name = body.names.temporary("h")
    body.arrays[name] = body.unit.kinds(table)
    body.unit.looks(table)
    body.out(f"{name}_n = distinct{body.unit.table(table)}(C, S, {body.ex(zone)}, {name});")
    return name
