"""Decisions by rejection from options that are counted by what is printed on cards (see `passes.weighted`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulelang.backends.python.picks import count_sources, decided, draw, forced, pick_now, take_option
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
    body.told = {}
    found, others = hands(stmt, body.unit.sampling.weighted)
    zones = [_Cards(body, stmt, hand) for hand in found]
    numbers = [cards.count() for cards in zones]
    level = out.level
    if not others.sources:  # with no card there is no option
        out("w_ = 1")
        out(f"if {' or '.join(numbers)}:")
        out.level += 1
    parts = [part for cards in zones for part in cards.parts()]
    for each in count_sources(body, others, body.shapes, False):

        def take(tag: int = each.source.tag, arity: int = each.shape.arity, decode: str = each.decode) -> None:
            take_option(body, stmt, str(tag), arity, decode)
            body.decided(stmt)

        parts.append(_Part(each.count, take, each.count))
    out(f"u_ = 0; w_ = {' + '.join(part.count for part in parts)} + 1")
    out.level = level
    with out.inside("if w_ == 1:"):
        take_option(body, stmt, "-1", 0, "")
        forced(body, stmt)
    with out.inside("else:"), out.inside("while 1:"):
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
        self.zone, self.number, self.cards, self.weight = (body.names.temporary(hint) for hint in "znhg")

    def count(self) -> str:
        """Find the zone; answers the local that holds how many cards lie there."""
        self.body.out(f"{self.zone} = {self.body.ex.address(1, self.hand.zone)}; {self.number} = S[{self.zone} - 1]")
        return self.number

    def parts(self) -> list[_Part]:
        body, out = self.body, self.body.out
        out(f"{self.cards} = S[{self.zone}:{self.zone} + {self.number}]")
        if self.hand.rows:
            table, self.bits = body.unit.weights(self.hand.rows)
            card = body.names.temporary("c")
            out(f"{self.weight} = 0")  # a loop: `sum(map(...))` takes longer for so few cards
            out(f"for {card} in {self.cards}: {self.weight} += {body.unit.table(table)}[{card}]")
        return [self.part(source, found) for source, found in self.hand.sources]

    def part(self, source: ir.Source, found: Weighted) -> _Part:
        body = self.body
        lengths, size = self.size(source, found)
        test = " and ".join(body.ex.cond(substitute(test, found.params, source.args), 4) for test in found.before)
        count = self.number
        if found.row or lengths or size or test:
            count = body.names.temporary("n")
            share = self.share(found)
            # What few cards have is mostly not there: then the rest need not be worked out.
            seldom = size and found.row and len(self.hand.rows) > 1
            text = f"(w_ := {share}) and w_ * {size}" if seldom else " * ".join(filter(None, (share, size, *lengths)))
            body.out(f"{count} = {text}{f' if {test} else 0' if test else ''}")
        any_ = count if surely(found) else f"{count} and {body.any_call(source)}"
        return _Part(count, lambda: self.take(source, found, lengths, size), any_)

    def size(self, source: ir.Source, found: Weighted) -> tuple[list[str], str]:
        """How many options there are for each card and item: the lengths of its chains, or one text for all loops."""
        body = self.body

        def told(expr: ir.Expr) -> str:
            return body.ex.num(substitute(expr, found.params, source.args), 11)

        if found.chains:
            lengths = [body.told_once(told(loop.length)) for loop in found.chains if loop.length is not None]
            return lengths if found.beside is None else [*lengths[:-1], f"({lengths[-1]} - 1)"], ""
        return [], "" if found.size == ir.Const(1) else told(found.size)

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

    def take(self, source: ir.Source, found: Weighted, lengths: list[str], size: str) -> None:
        body, out = self.body, self.body.out
        card = body.names.temporary("c")
        for depth, length in reversed(list(enumerate(lengths))):
            out(f"i{depth}_ = k_ % {length}; k_ //= {length}")
        if lengths and found.beside is not None:
            last = len(lengths) - 1
            out(f"if i{last}_ >= i{found.beside}_: i{last}_ += 1")
        if size:
            out(f"e_ = {size}; j_ = k_ % e_; k_ //= e_")
        texts = {found.card: card}
        if found.row:
            lengths_of = body.unit.lookup(tuple(map(len, body.unit.module.rows[found.row])))
            with out.inside(f"for {card} in {self.cards}:"):
                out(f"has_ = {lengths_of}[{card}]")
                out("if k_ < has_: break")
                out("k_ -= has_")
            texts[found.item] = f"{body.unit.row(found.row)}[{card}][k_]"
        else:
            out(f"{card} = {self.cards}[k_]")
        for depth, loop in enumerate(found.chains):
            texts[loop.name] = at = body.names.temporary("a")
            out(f"{at} = {body.ex.value(substitute(loop.first, found.params, source.args))}")
            body.names.given[at] = at
            out(f"while i{depth}_: {at} = S[{body.ex.address(loop.next, ir.Local(at))}]; i{depth}_ -= 1")
        if found.inner is None or found.chains:
            values = ", ".join(answer(source, found, texts, body.ex.value))
        else:
            name = body.unit.function(found.inner.name, "k_")
            more = "".join(f", {text}" for text in texts.values())
            values = f"{name}(S, j_, (){body.ex.args(source.args)}{more})"
        take_option(body, self.stmt, str(source.tag), len(found.answer), values)
        self.decide(source, found, card)

    def decide(self, source: ir.Source, found: Weighted, card: str) -> None:
        """Take the option if it passes the tests that were left out; of cards that look alike the first one's."""
        body, out = self.body, self.body.out
        level = out.level
        if found.tests:
            out(f"if {body.ex.cond(accepting(self.stmt, source, found))}:")
            out.level += 1
        if found.distinct is not None:
            table = body.unit.table(found.distinct)
            out(f"l_ = {table}[{card}]")
            with out.inside(f"for d_ in {self.cards}:"):
                out(f"if {table}[d_] == l_: break")
            out(f"if d_ == {card}:")
            out.level += 1
        body.decided(self.stmt)
        out.level = level


def end_of_try(body: SampledBody, stmt: ir.Pick, anything: str) -> None:
    """What follows the sources of one draw: pass, which was a decision if there is `anything` else; or another try,
    until all options are counted after all."""
    out = body.out
    with out.inside("else:"):
        take_option(body, stmt, "-1", 0, "")
        with out.inside(f"if {anything}:"):
            decided(body, stmt)
        with out.inside("else:"):
            forced(body, stmt)
        out("break")
    out("u_ += 1")
    with out.inside(f"if u_ > {TRIES}:"):
        body.fuses = False
        pick_now(body, stmt, body.shapes)
        body.fuses = True
        out("break")
