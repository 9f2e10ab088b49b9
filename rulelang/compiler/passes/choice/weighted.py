"""Decisions by rejection from options that are counted by what is printed on cards (see `weigh`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import all_of, substitute
from rulelang.compiler.passes.choice.counting import ZERO, Enumerators, answers, decided, passed, store
from rulelang.compiler.passes.choice.loops import ONE, Fresh, bind, minus, times
from rulelang.compiler.passes.choice.rejection import Part, rest, tried
from rulelang.compiler.passes.choice.weigh import Hand, Weighted, accepting, answer, hands


def pick_weighted(
    stmt: ir.Pick, weighted: Mapping[str, Weighted], anything: dict[str, str], known: Enumerators, fresh: Fresh
) -> ir.Block:
    """The decision, in which pass is always possible and nothing compels."""
    found, others = hands(stmt, weighted)
    zones = [_Cards(stmt, hand, anything, known, fresh) for hand in found]
    head: list[ir.Stmt] = []
    numbers = [cards.count(head) for cards in zones]
    inner: list[ir.Stmt] = []
    parts = [part for cards in zones for part in cards.parts(inner)]
    counts, counted = rest(stmt, others.sources, known, fresh)
    block = (*inner, *counts, *tried(stmt, [*parts, *counted], known, fresh))
    if others.sources:
        return (*head, *block)
    return (*head, ir.Branch(ir.Logic("or", tuple(numbers)), block, passed(stmt)))  # with no card there is no option


class _Cards:
    """The sources that draw from the cards of one zone."""

    def __init__(self, stmt: ir.Pick, hand: Hand, anything: dict[str, str], known: Enumerators, fresh: Fresh) -> None:
        self.stmt, self.hand, self.anything, self.known, self.fresh = stmt, hand, anything, known, fresh
        self.zone, self.number, self.weight = (ir.Local(fresh(hint)) for hint in "zng")
        self.cards = fresh("h")

    def count(self, head: list[ir.Stmt]) -> ir.Expr:
        """Find the zone; answers how many cards lie there."""
        head += [ir.Set(self.zone.name, self.hand.zone), ir.Set(self.number.name, ir.Cell(0, self.zone))]
        return self.number

    def parts(self, head: list[ir.Stmt]) -> list[Part]:
        head.append(ir.ArrayView(self.cards, self.zone))
        if self.hand.rows:
            table, self.bits = weights(self.known, self.hand.rows)
            card = self.fresh("c")
            more = ir.Set(self.weight.name, ir.Arith("+", self.weight, ir.Table(table, ir.Local(card))))
            head += [ir.Set(self.weight.name, ZERO), ir.ForList(card, self.cards, (more,))]
        return [self.part(source, found, head) for source, found in self.hand.sources]

    def part(self, source: ir.Source, found: Weighted, head: list[ir.Stmt]) -> Part:
        lengths, size = self.size(source, found, head)
        tests = tuple(substitute(test, found.params, source.args) for test in found.before)
        count: ir.Expr = self.number
        if found.row or lengths or size != ONE or tests:
            share = self.share(found)
            whole = times(share, size)
            for length in lengths:
                whole = times(whole, length)
            if size != ONE and found.row and len(self.hand.rows) > 1:
                # What few cards have is mostly not there: then the rest need not be worked out.
                here = self.fresh("s")
                head.append(ir.Set(here, share))
                whole = ir.If(ir.Local(here), times(ir.Local(here), size), ZERO)
            name = self.fresh("n")
            head.append(ir.Set(name, ir.If(all_of(tests), whole, ZERO) if tests else whole))
            count = ir.Local(name)
        any_ = count
        if found.tests:
            any_ = ir.Logic("and", (count, ir.Call(self.anything[source.enumerator], source.args)))
        return Part(count, any_, lambda number: self.take(source, found, lengths, size, number))

    def size(self, source: ir.Source, found: Weighted, head: list[ir.Stmt]) -> tuple[list[ir.Expr], ir.Expr]:
        """How many options there are for each card and item: the lengths of its chains, or one number for all loops."""
        if not found.chains:
            return [], substitute(found.size, found.params, source.args)
        lengths: list[ir.Expr] = []
        for loop in found.chains:
            assert loop.length is not None
            long = substitute(loop.length, found.params, source.args)
            if not isinstance(long, (ir.Local, ir.Const)):
                known = next((s.name for s in head if isinstance(s, ir.Set) and s.value == long), None)
                if known is None:
                    known = self.fresh("l")
                    head.append(ir.Set(known, long))
                long = ir.Local(known)
            lengths.append(long)
        return lengths, ONE

    def share(self, found: Weighted) -> ir.Expr:
        """How many items the cards have in a source's row."""
        rows = self.hand.rows
        if not found.row:
            return self.number
        at = rows.index(found.row)
        shifted: ir.Expr = ir.Arith(">>", self.weight, ir.Const(at * self.bits)) if at else self.weight
        return shifted if at == len(rows) - 1 else ir.Arith("&", shifted, ir.Const((1 << self.bits) - 1))

    def take(self, source: ir.Source, found: Weighted, lengths: list[ir.Expr], size: ir.Expr, number: str) -> ir.Block:
        fresh, k = self.fresh, ir.Local(number)
        card, inner = fresh("c"), fresh("j")
        block: list[ir.Stmt] = []
        places = [fresh("i") for _ in lengths]
        for at, long in reversed(list(zip(places, lengths, strict=True))):
            block.append(ir.Divide(number, at, k, long))
        if size != ONE:
            block.append(ir.Divide(number, inner, k, size))
        given: dict[str, ir.Expr] = {found.card: ir.Local(card)}
        if found.row:
            has = fresh("x")
            block += [
                ir.Set(card, ZERO),
                ir.ForList(
                    card,
                    self.cards,
                    (
                        ir.Set(has, ir.RowLength(found.row, ir.Local(card))),
                        ir.Branch(ir.Compare("<", k, ir.Local(has)), (ir.Break(),)),
                        ir.Set(number, minus(k, ir.Local(has))),
                    ),
                ),
            ]
            given[found.item] = ir.RowItem(found.row, ir.Local(card), k)
        else:
            block.append(ir.Set(card, ir.Item(self.cards, k)))
        for loop, at in zip(found.chains, places, strict=True):
            given[loop.name] = ir.Local(name := fresh("a"))
            first = substitute(loop.first, found.params, source.args)
            block += bind(replace(loop, name=name, first=first), at, {})
        arity = len(found.answer)
        targets = self.stmt.targets[:arity]
        if found.inner is None or found.chains:
            block += map(ir.Set, targets, answer(source, found, given))
        else:
            decoder = self.known.nth(found.inner)
            args = (ir.Local(inner) if size != ONE else ZERO, *source.args, *given.values())
            block.append(answers(decoder, args, targets))
        return (
            *block,
            *store(self.stmt, source.tag, arity),
            *self.accept(source, found, card),
        )

    def accept(self, source: ir.Source, found: Weighted, card: str) -> ir.Block:
        """Take the option if it passes the tests that were left out; of cards that look alike the first one's."""
        block: ir.Block = (decided(self.stmt), ir.Break())
        if found.distinct is not None:
            look, other = ir.Table(found.distinct, ir.Local(card)), self.fresh("d")
            alike = ir.Compare("==", ir.Table(found.distinct, ir.Local(other)), ir.Local(kept := self.fresh("l")))
            block = (
                ir.Set(kept, look),
                ir.Set(other, ZERO),
                ir.ForList(other, self.cards, (ir.Branch(alike, (ir.Break(),)),)),
                ir.Branch(ir.Compare("==", ir.Local(other), ir.Local(card)), block),
            )
        if found.tests:
            block = (ir.Branch(accepting(self.stmt, source, found), block),)
        return block


def weights(known: Enumerators, rows: tuple[str, ...]) -> tuple[str, int]:
    """The name of a table that has how long the rows of each index are, a number of so many bits for each."""
    tables: list[Any] = [known.rows[row] for row in rows]
    bits = sum(max(map(len, table), default=0) for table in zip(*tables, strict=True)).bit_length() + 1
    name = " ".join(("@weights", *rows))
    if name not in known.tables:
        lengths = zip(*([len(row) for row in table] for table in tables), strict=True)
        known.tables[name] = tuple(sum(n << bits * i for i, n in enumerate(each)) for each in lengths)
    return name, bits
