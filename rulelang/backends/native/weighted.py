"""Decisions by rejection from options that are counted by what is printed on cards (see `passes.weighted`).

The same draws as in `backends.python.weighted`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulelang.backends.native import prelude
from rulelang.backends.native.picks import Counted, chosen, count_sources, forced, generator, room, store
from rulelang.program import ir
from rulelang.program.passes.walk import substitute
from rulelang.program.passes.weighted import Hand, Weighted, accepting, answer, hands, surely

if TYPE_CHECKING:
    from rulelang.backends.native.sample import SampledBody


@dataclass(slots=True)
class _Part:
    """One source: its count, whether that tells whether there is an option, and what takes the option `k_` of it."""

    source: ir.Source
    count: str
    sure: bool
    take: Callable[[], None]


def pick_weighted(body: SampledBody, stmt: ir.Pick) -> None:
    """Set the tag and the targets of a decision in which pass is always possible."""
    out, names = body.out, body.names
    found, others = hands(stmt, body.unit.sampling.weighted)
    parts = [part for hand in found for part in _Cards(body, stmt, hand).parts()]
    for each in count_sources(body, others, False, body.fuses):

        def take(each: Counted = each) -> None:
            chosen(body, stmt, each)
            body.decided(stmt)

        parts.append(_Part(each.source, each.count, True, take))
    k, whole, tries = names.once("k_"), names.temporary("w"), names.temporary("u")
    out(f"{tries} = 0; {whole} = {' + '.join(part.count for part in parts)} + 1;")
    with out.inside(f"if ({whole} == 1)"):
        store(body, stmt, -1, ())
        forced(body, stmt)
    with out.inside("else for (;;)"):
        out(f"{k} = draw({generator(body, False)}, {whole});")
        before = ""
        for part in parts:
            head = f"else if (({k} -= {before}), {k} < {part.count})" if before else f"if ({k} < {part.count})"
            with out.inside(head):
                part.take()
            before = part.count
        body.end_of_try(stmt, [(part.source, part.count, part.sure) for part in parts], tries)


class _Cards:
    """The sources that draw from the cards of one zone."""

    def __init__(self, body: SampledBody, stmt: ir.Pick, hand: Hand) -> None:
        self.body, self.stmt, self.hand = body, stmt, hand
        self.zone, self.number, self.weight, self.at = (body.names.temporary(hint) for hint in "zngi")

    def parts(self) -> list[_Part]:
        body, out = self.body, self.body.out
        out(f"{self.zone} = {body.ex(self.hand.zone)};")
        out(f"{self.number} = S[I({self.zone})];")
        if self.hand.rows:
            name, self.bits = body.unit.weights(self.hand.rows)
            table = body.unit.table(name)
            out(f"{self.weight} = 0;")
            loop = f"for ({self.at} = 1; {self.at} <= {self.number}; {self.at}++)"
            out(f"{loop} {self.weight} += {table}[S[I({self.zone} + {self.at})]];")
        return [self.part(source, found) for source, found in self.hand.sources]

    def part(self, source: ir.Source, found: Weighted) -> _Part:
        body = self.body
        size = "" if found.size == ir.Const(1) else body.ex(substitute(found.size, found.params, source.args))
        tests = [substitute(test, found.params, source.args) for test in found.before]
        count = self.number
        if found.row or size or tests:
            count = body.names.temporary("n")
            body.out(f"{count} = {' * '.join(filter(None, (self.share(found), size)))};")
            for test in tests:
                body.out(f"if (!{body.cond(test)}) {count} = 0;")
        return _Part(source, count, surely(found), lambda: self.take(source, found, size))

    def share(self, found: Weighted) -> str:
        """How many items the cards have in a source's row."""
        if not found.row:
            return self.number
        at = self.hand.rows.index(found.row)
        return f"({self.weight} >> {at * self.bits} & {(1 << self.bits) - 1})"

    def take(self, source: ir.Source, found: Weighted, size: str) -> None:
        body, out = self.body, self.body.out
        card, k = body.names.temporary("c"), body.names.once("k_")
        inner = "0"
        if size:
            inner, width = body.names.once("j_"), body.names.temporary("e")
            # What is drawn has less than 31 bits; a division of 64 takes several times as long.
            out(f"{width} = {size}; {inner} = (u32){k} % (u32){width}; {k} = (u32){k} / (u32){width};")
        item = ""
        if found.row:
            row = body.unit.row(found.row)
            wide = max(max(map(len, body.unit.module.rows[found.row]), default=0), 1)
            with out.inside(f"for ({self.at} = 1; {self.at} < {self.number}; {self.at}++)"):
                length = f"{row}_n[S[I({self.zone} + {self.at})]]"
                out(f"if ({k} < {length}) break;")
                out(f"{k} -= {length};")
            out(f"{card} = S[I({self.zone} + {self.at})];")
            item = f"{row}[{card} * {wide} + {k}]"
        else:
            out(f"{card} = S[I({self.zone} + 1 + {k})];")
        if found.inner is None:
            values = tuple(answer(source, found, {found.card: card, found.item: item}, body.ex))
        else:
            room(body, len(found.answer))
            more = (card, item) if item else (card,)
            args = (*body.ex.args(source.enumerator, source.args), *more)
            call = body.unit.call(found.inner.name, "k_", inner, "0", "o_", *args)
            body.error(prelude.INTERNAL, 7, test=f"!{call}")
            values = tuple(f"o_[{i}]" for i in range(len(found.answer)))
        store(body, self.stmt, source.tag, values)
        tests = [body.cond(accepting(self.stmt, source, found))] if found.tests else []
        if found.distinct is not None:
            tests.append(body.ex.first(self.zone, card, found.distinct))
        with out.inside(f"if ({' && '.join(tests) or '1'})"):
            body.decided(self.stmt)
