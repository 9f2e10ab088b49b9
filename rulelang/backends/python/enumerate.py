"""Enumerators: from one body a lister (all option tuples), a counter, and a decoder of the k-th option.

* `l_E(S, o_, tag, args...)` appends tuples `(tag, values...)` to `o_`, and answers 1 if one of them compels.
* `v_E(S, args...)` lists plain values (one a Yield): for decisions with few options.
* `c_E(S, q_, args..., hoisted...)` counts; the count is negated if an option compels. Into the list `q_` it notes for
  each round of the outermost loop that found something the count so far and the loop's local (`q_` stays empty where
  that does not pay).
* `k_E(S, k_, q_, args..., hoisted...)` answers the tuple of values of option `k_`.

Hoisted arguments: lists of the distinct items of a zone that depends only on the parameters; whoever picks works them
out once for all the sources of a decision.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from rulelang.backends.python.stmts import Body
from rulelang.backends.python.unit import Unit
from rulelang.backends.python.writer import Writer
from rulelang.program import ir
from rulelang.program.passes.shapes import Loop, Shape, is_length
from rulelang.program.passes.walk import FOR_LOOPS

Mode = Literal["list", "values", "count", "decode"]


class EnumeratorBody(Body):
    """Writes one of the four functions of an enumerator."""

    def __init__(self, unit: Unit, function: ir.Function, out: Writer, mode: Mode, facts: Shape) -> None:
        super().__init__(unit, function, out)
        self.mode, self.facts = mode, facts
        self.lists = {key: f"h{i}_" for i, key in enumerate(facts.hoisted)}

    def write(self) -> None:
        prefix = {"list": "l_", "values": "v_", "count": "c_", "decode": "k_"}[self.mode]
        head = {"list": "o_, tag_", "values": "", "count": "q_", "decode": "k_, q_"}[self.mode]
        params = [head] if head else []
        params += [self.names[p] for p in self.function.params]
        if self.mode in ("count", "decode"):
            params += self.lists.values()
        if self.function.recursive:
            params.append("depth_=0")
        name = self.unit.function(self.function.name, prefix)
        with self.out.at(self.function.span), self.out.inside(f"def {name}({', '.join(['S', *params])}):"):
            if self.mode in ("list", "values"):
                for (zone, table), local in self.lists.items():
                    self.out(f"{local} = distinct_(S, {self.ex.num(zone)}, {self.unit.table(table)})")
            if self.mode == "values":
                self.out("o_ = []")
            if self.mode == "count":
                self.out("n_ = 0")
            if self.facts.compels and self.mode != "decode":
                self.out("m_ = 0")
            self.open_budget()
            self.block(self.function.body)
            self.leave()

    def leave(self) -> None:
        match self.mode:
            case "values":
                self.out("return o_")
            case "list" if self.facts.compels:
                self.out("return m_")
            case "count":
                self.out("return -n_ if m_ else n_" if self.facts.compels else "return n_")
            case "decode":
                self.out("raise AssertionError('no such option')")
            case _:
                pass

    def return_(self, stmt: ir.Return) -> None:
        if self.mode == "list" and not self.facts.compels:
            self.out("return")
        else:
            self.leave()

    def yield_(self, stmt: ir.Yield) -> None:
        match self.mode:
            case "list":
                values = ", ".join(["tag_", *(self.ex.value(v) for v in stmt.values)])
                self.out(f"o_.append(({values}{',' if not stmt.values else ''}))")
            case "values":
                self.out(f"o_.append({self.plain(stmt)})")
            case "count":
                self.out("n_ += 1")
            case "decode":
                self.out(f"if not k_: return {self.plain(stmt)}")
                self.out("k_ -= 1")
        if self.mode != "decode":
            self.compel(stmt, "")

    def compel(self, stmt: ir.Yield, guard: str) -> None:
        if stmt.compels is None or stmt.compels == ir.Const(0):
            return
        if isinstance(stmt.compels, ir.Const):
            self.out(f"if {guard[:-5]}: m_ = 1" if guard else "m_ = 1")
        else:
            self.out(f"if {guard}{self.ex.cond(stmt.compels, 3)}: m_ = 1")

    def plain(self, stmt: Any) -> str:
        if len(stmt.values) == 1:
            return self.ex.value(stmt.values[0])
        return f"({', '.join(map(self.ex.value, stmt.values))})"

    # ---- loops

    def statement(self, stmt: ir.Stmt) -> None:
        if isinstance(stmt, FOR_LOOPS):
            if stmt is self.facts.memo and self.mode == "count":
                self.noted(stmt)
                return
            if stmt is self.facts.memo and self.mode == "decode":
                self.recall(stmt)
                return
            if self.mode in ("count", "decode") and is_length(stmt):
                self.by_length(stmt)
                return
        super().statement(stmt)

    def for_array(self, stmt: ir.ForArray) -> None:
        if stmt.distinct is not None and (stmt.zone, stmt.distinct) in self.lists:
            with self.out.inside(f"for {self.names[stmt.name]} in {self.lists[stmt.zone, stmt.distinct]}:"):
                self.block(stmt.body)
        else:
            super().for_array(stmt)

    def noted(self, loop: Loop) -> None:
        """Count a round, then note what it came to: relative to the start of the loop, which the decoder starts at."""
        first = loop is self.function.body[0]
        self.out("top_ = 0" if first else "a_ = top_ = n_")
        mark = ir.Append("@note", ir.Local(loop.name))
        self.names.given["@base"] = "n_" if first else "n_ - a_"
        super().statement(_with_body(loop, (*loop.body, mark)))

    def append(self, stmt: ir.Append) -> None:
        if stmt.list == "@note":
            self.out(f"if n_ > top_: top_ = n_; q_ += {self.names['@base']}, {self.ex.value(stmt.value)}")
        else:
            super().append(stmt)

    def recall(self, loop: Loop) -> None:
        self.out("i_ = 0")
        self.out("while k_ >= q_[i_]: i_ += 2")
        self.out(f"{self.names[loop.name]} = q_[i_ + 1]")
        self.out("if i_: k_ -= q_[i_ - 2]")
        self.block(loop.body)

    def by_length(self, loop: Loop) -> None:
        length, item = measure(self, loop, self.lists)
        last = loop.body[-1]
        if self.mode == "count":
            if not isinstance(last, ir.Yield) or last.compels is None or last.compels == ir.Const(0):
                self.out(f"n_ += {length}")
            else:
                self.out(f"j_ = {length}; n_ += j_")
                self.compel(last, "j_ and ")
            return
        self.out(f"j_ = {length}")
        with self.out.inside("if k_ < j_:"):
            if isinstance(last, FOR_LOOPS):  # the k-th of the pairs
                width = measure(self, last, self.lists)[0]
                self.out(f"e_ = {width}; k_, l_ = k_ % e_, k_ // e_")
                self.out(f"{self.names[loop.name]} = {measure(self, loop, self.lists, 'l_', own=True)[1]}")
                self.block(loop.body)
            else:
                self.out(f"{self.names[loop.name]} = {item}")
                self.block(loop.body[:-1])
                self.out(f"return {self.plain(last)}")
        self.out("k_ -= j_")


def measure(
    body: Body, loop: Loop, lists: dict[tuple[ir.Expr, str], str], k: str = "k_", own: bool = False
) -> tuple[str, str]:
    """How many items a loop goes over (with an inner loop, unless `own`: how many pairs), and its `k`-th."""
    length, item = _measure(body, loop, lists, k)
    if not own and loop.body and isinstance(loop.body[-1], FOR_LOOPS):
        inner = measure(body, loop.body[-1], lists)[0]
        length = f"{length} * {inner}" if inner.isalnum() else f"({length}) * ({inner})"
    return length, item


def _measure(body: Body, loop: Loop, lists: dict[tuple[ir.Expr, str], str], k: str) -> tuple[str, str]:
    match loop:
        case ir.ForRange(_, ir.Const(low), ir.Const(end)):
            return str(max(end - low, 0)), f"{low} + {k}" if low else k
        case ir.ForRange(_, low, end):
            start, bound = body.temporary(low, "a"), body.temporary(end, "e")
            return f"({bound} - {start} if {bound} > {start} else 0)", f"{start} + {k}"
        case ir.ForArray(_, zone, _, distinct) if distinct is None:
            place = body.zone(zone)
            return f"S[{body.ex.address(0, place)}]", f"S[{body.ex.address(1, place)} + {k}]"
        case ir.ForArray(_, zone, _, distinct):
            local = lists.get((zone, distinct or ""))
            if local is None:
                local = body.names.temporary("l")
                body.out(f"{local} = distinct_(S, {body.ex.num(zone)}, {body.unit.table(distinct or '')})")
            return f"len({local})", f"{local}[{k}]"
        case ir.ForList(_, items):
            return f"len({body.names[items]})", f"{body.names[items]}[{k}]"
        case ir.ForTable():
            row = body.row(loop)
            return f"len({row})", f"{row}[{k}]"
        case ir.ForChain(_, first, following, _, length):
            assert length is not None, "a chain without a length is counted one by one"
            return body.ex.num(length), f"nth_(S, {body.ex.num(first)}, {following}, {k})"


def _with_body(loop: Loop, body: ir.Block) -> Loop:
    return replace(loop, body=body)
