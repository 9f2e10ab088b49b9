"""Decisions by rejection from options that are counted by what is printed on cards (see `passes.weighted`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulelang.backends.python.picks import count_sources, draw, forced, pick_now, take_option
from rulelang.program import ir
from rulelang.program.passes.sampling import TRIES
from rulelang.program.passes.walk import substitute
from rulelang.program.passes.weighted import Hand, Weighted, accepting, answer, hands, surely

if TYPE_CHECKING:
    from rulelang.backends.python.sample import SampledBody


@dataclass(slots=True)
class _Part:
    """One source: its count, what takes the option `k_` of it, and whether there is an option other than none."""

    count: str
    take: Callable[[], None]
    any: str


def pick_weighted(body: SampledBody, stmt: ir.Pick) -> None:
    """Set the tag and the targets of a decision in which pass is always possible."""
    out = body.out
    found, others = hands(stmt, body.unit.sampling.weighted)
    parts = [part for hand in found for part in _Cards(body, stmt, hand).parts()]
    for each in count_sources(body, others, body.shapes, False):

        def take(tag: int = each.source.tag, arity: int = each.shape.arity, decode: str = each.decode) -> None:
            take_option(body, stmt, str(tag), arity, decode)
            body.decided()

        parts.append(_Part(each.count, take, each.count))
    out(f"u_ = 0; w_ = {' + '.join(part.count for part in parts)} + 1")
    with out.inside("if w_ == 1:"):
        take_option(body, stmt, "-1", 0, "")
        forced(body, stmt)
    with out.inside("while w_ > 1:"):
        draw(body, "w_")
        word, before = "if", ""
        for part in parts:
            left = f"(k_ := k_ - {before})" if before else "k_"
            with out.inside(f"{word} {left} < {part.count}:"):
                part.take()
            word, before = "elif", part.count
        sure = sorted((part.any for part in parts), key=len)  # what is known already is asked first
        end_of_try(body, stmt, " or ".join(sure))


class _Cards:
    """The sources that draw from the cards of one zone."""

    def __init__(self, body: SampledBody, stmt: ir.Pick, hand: Hand) -> None:
        self.body, self.stmt, self.hand = body, stmt, hand
        self.zone, self.number, self.weight = (body.names.temporary(hint) for hint in "zng")

    def parts(self) -> list[_Part]:
        body, out = self.body, self.body.out
        out(f"{self.zone} = {body.ex.num(self.hand.zone)}")
        out(f"{self.number} = S[{self.zone}]")
        if self.hand.rows:
            table, self.bits = body.unit.weights(self.hand.rows)
            out(f"{self.weight} = sum(map({body.unit.table(table)}.__getitem__, {self.cards()}))")
        return [self.part(source, found) for source, found in self.hand.sources]

    def cards(self) -> str:
        return f"S[{self.zone} + 1:{self.zone} + 1 + {self.number}]"

    def part(self, source: ir.Source, found: Weighted) -> _Part:
        body = self.body
        size = "" if found.size == ir.Const(1) else body.ex.num(substitute(found.size, found.params, source.args), 11)
        test = " and ".join(body.ex.cond(substitute(test, found.params, source.args), 4) for test in found.before)
        count = self.number
        if found.row or size or test:
            count = body.names.temporary("n")
            share = self.share(found)
            # What few cards have is mostly not there: then the rest need not be worked out.
            seldom = size and found.row and len(self.hand.rows) > 1
            text = f"(w_ := {share}) and w_ * {size}" if seldom else " * ".join(filter(None, (share, size)))
            body.out(f"{count} = {text}{f' if {test} else 0' if test else ''}")
        any_ = count if surely(found) else f"{count} and {body.any_call(source)}"
        return _Part(count, lambda: self.take(source, found, size), any_)

    def share(self, found: Weighted) -> str:
        """How many items the cards have in a source's row."""
        rows = self.hand.rows
        if not found.row:
            return self.number
        at = rows.index(found.row)
        shifted = f"{self.weight} >> {at * self.bits}" if at else self.weight
        if at == len(rows) - 1:
            return f"({shifted})" if at else shifted
        return f"({shifted} & {(1 << self.bits) - 1})"

    def take(self, source: ir.Source, found: Weighted, size: str) -> None:
        body, out = self.body, self.body.out
        card = body.names.temporary("c")
        if size:
            out(f"e_ = {size}; j_ = k_ % e_; k_ //= e_")
        item = ""
        if found.row:
            body.unit.row(found.row)
            with out.inside(f"for {card} in {self.cards()}:"):
                out(f"r_ = {body.unit.row(found.row)}[{card}]")
                out("if k_ < len(r_): break")
                out("k_ -= len(r_)")
            item = "r_[k_]"
        else:
            out(f"{card} = S[{self.zone} + 1 + k_]")
        if found.inner is None:
            values = ", ".join(answer(source, found, {found.card: card, found.item: item}, body.ex.value))
        else:
            name = body.unit.function(found.inner.name, "k_")
            more = f", {card}, {item}" if item else f", {card}"
            values = f"{name}(S, j_, (){body.ex.args(source.args)}{more})"
        take_option(body, self.stmt, str(source.tag), len(found.answer), values)
        with out.inside(f"if {body.ex.cond(accepting(self.stmt, source, found))}:"):
            body.decided()


def end_of_try(body: SampledBody, stmt: ir.Pick, anything: str) -> None:
    """What follows the sources of one draw: pass, which was a decision if there is `anything` else; or another try,
    until all options are counted after all."""
    out, cells = body.out, body.cells
    with out.inside("else:"):
        take_option(body, stmt, "-1", 0, "")
        out(f"if {anything}: S[{cells.decisions}] += 1; S[{cells.steps}] = 0")
        with out.inside("else:"):
            forced(body, stmt)
        out("break")
    out("u_ += 1")
    with out.inside(f"if u_ > {TRIES}:"):
        body.fuses = False
        pick_now(body, stmt, body.shapes)
        body.fuses = True
        out("break")
