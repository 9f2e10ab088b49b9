"""Weigh the options that begin with a card by its constant columns, and draw by these weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rulelang.base.node import record
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.analysis import is_expensive
from rulelang.compiler.ir.walk import FOR_LOOPS, conjunction_of, locals_read, rewrite_expr, substitute
from rulelang.compiler.passes.choice.counting import (
    ZERO,
    Enumerators,
    call_decoder,
    count_decision,
    pass_only,
    store_option,
)
from rulelang.compiler.passes.choice.rejection import SupersetPart, draw_until_legal, split_exact_sources
from rulelang.compiler.passes.choice.shapes import (
    ONE,
    FreshNames,
    bind_nth_item,
    difference_of,
    product_of,
    single_path,
    total_owned,
)

# ---- weights

Rows = Mapping[str, tuple[tuple[int, ...], ...]]


@record
class ProposalWeights:
    """The superset of one enumerator: expressions over its `params`, and over the `values` of an option.

    zone: address of the zone. row: the rows by card; "" if each card counts once. before: tests of the parameters.
    size: how many options there are for each card and item of its row. inner: the enumerator that decodes these, with
    the card and the item as more parameters; None if there is one, with the values `answer`. chains: the loops of
    `inner`, the outermost first, if all of them go over linked things. tests: what was left out. distinct: the table of
    looks, if of cards that look alike only the first one makes options.
    """

    params: tuple[str, ...]
    zone: ir.Expr
    row: str
    before: tuple[ir.Expr, ...]
    size: ir.Expr
    inner: ir.Function | None
    chains: tuple[ir.ForChain, ...]
    card: str
    item: str
    answer: tuple[ir.Expr, ...]
    tests: tuple[ir.Expr, ...]
    distinct: str | None
    values: tuple[str, ...]


def proposal_weights(function: ir.Function, rows: Rows) -> ProposalWeights | None:
    """The superset of an enumerator; None if it has another shape, or too few of it would be legal."""
    found = single_path(function.body)
    if found is None:
        return None
    steps, last = found
    values = tuple(v.name for v in last.values if isinstance(v, ir.Local))
    places = [i for i, step in enumerate(steps) if isinstance(step, FOR_LOOPS)]
    if len(values) != len(last.values) or len(set(values)) < len(values) or not places:
        return None
    loops = [steps[i] for i in places]
    hand, *rest = loops
    before, params = steps[: places[0]], set(function.params)
    if not isinstance(hand, ir.ForArray) or not locals_read(hand.zone) <= params:
        return None
    if any(isinstance(step, ir.Tick) or not locals_read(step) <= params for step in before):
        return None
    row = ""
    item = ""
    if rest and isinstance(rest[0], ir.ForTable) and rest[0].index == ir.Local(hand.name):
        row, item, rest = rest[0].row, rest[0].name, rest[1:]
    tests = [step for step in steps[places[0] :] if not isinstance(step, (*FOR_LOOPS, ir.Tick))]
    size = _round_count(rest, {hand.name, item}, rows)
    if (
        size is None
        or not all(map(_pays_to_skip, tests))
        or any(not locals_read(t) <= {*params, *values} for t in tests)
    ):
        return None
    if hand.distinct is not None and hand.name not in values:
        return None
    inner = None
    if rest:
        body: ir.Block = (last,)
        for loop in reversed(rest):
            body = (replace(loop, body=body),)
        more = (hand.name, item) if item else (hand.name,)
        inner = replace(function, name=f"{function.name}^", params=(*function.params, *more), body=body)
    chains = tuple(loop for loop in rest if isinstance(loop, ir.ForChain))
    chains = chains if len(chains) == len(rest) else ()
    return ProposalWeights(
        function.params, hand.zone, row, tuple(before), size, inner, chains, hand.name, item, last.values,
        tuple(tests), hand.distinct, values,
    )  # fmt: skip


def _round_count(loops: Sequence[Any], apart: set[str], rows: Rows) -> ir.Expr | None:
    """How many rounds loops in each other have, if words tell, and none of them depends on the locals `apart`."""
    size: ir.Expr = ir.Const(1)
    rest = list(loops)
    seen = set(apart)
    while rest:
        loop = rest.pop(0)
        if locals_read(replace(loop, body=())) & seen:
            return None
        if isinstance(loop, ir.ForChain) and loop.length is not None:
            rounds = loop.length
        elif isinstance(loop, ir.ForTable) and rest:  # what all owners have, in whatever order
            chain = rest.pop(0)
            whole = total_owned(loop, chain, rows[loop.row])
            if whole is None:
                return None
            rounds = whole
            seen.add(chain.name)
        else:
            return None
        seen.add(loop.name)
        size = rounds if size == ir.Const(1) else ir.Arith("*", size, rounds)
    return size


def _pays_to_skip(test: ir.Expr) -> bool:
    """Whether to leave a test out pays: it is dear, or it only excludes something."""
    return is_expensive(test) or isinstance(test, ir.Not) or (isinstance(test, ir.Compare) and test.op == "!=")


@record
class CardZone:
    """Cards of one zone from which sources of a decision draw. `rows`: those that their weights tell of."""

    zone: ir.Expr
    sources: tuple[tuple[ir.Source, ProposalWeights], ...]
    rows: tuple[str, ...]


def card_zones(stmt: ir.Pick, weighted: Mapping[str, ProposalWeights]) -> tuple[list[CardZone], ir.Pick]:
    """The sources of a decision that draw from cards, by zone; and the decision with the other sources."""
    groups: dict[ir.Expr, list[tuple[ir.Source, ProposalWeights]]] = {}
    others: list[ir.Source] = []
    for source in stmt.sources:
        found = weighted.get(source.enumerator)
        if found is None:
            others.append(source)
        else:
            groups.setdefault(substitute(found.zone, found.params, source.args), []).append((source, found))
    made = [
        CardZone(zone, tuple(members), tuple(dict.fromkeys(found.row for _, found in members if found.row)))
        for zone, members in groups.items()
    ]
    return made, replace(stmt, sources=tuple(others))


def option_values(source: ir.Source, found: ProposalWeights, given: Mapping[str, ir.Expr]) -> tuple[ir.Expr, ...]:
    """The values of an option with nothing more to decode. `given`: what loops go over."""
    put = tuple(substitute(value, found.params, source.args) for value in found.answer)
    return tuple(
        given.get(value.name, mine) if isinstance(value, ir.Local) else mine
        for value, mine in zip(found.answer, put, strict=True)
    )


def acceptance_test(stmt: ir.Pick, source: ir.Source, found: ProposalWeights) -> ir.Expr:
    """The condition that an option of a source passes what was left out, over the targets of the decision."""
    given = dict(zip(found.values, map(ir.Local, stmt.targets), strict=False))

    def mine(test: ir.Expr) -> ir.Expr:
        named = rewrite_expr(test, lambda e: given.get(e.name, e) if isinstance(e, ir.Local) else e)
        return substitute(named, found.params, source.args)

    return ir.Logic("and", tuple(map(mine, found.tests)))


# ---- weighted draws


def pick_weighted(
    stmt: ir.Pick,
    weighted: Mapping[str, ProposalWeights],
    anything: dict[str, str],
    known: Enumerators,
    fresh: FreshNames,
) -> ir.Block:
    """The decision, in which pass is always possible and nothing compels."""
    found, others = card_zones(stmt, weighted)
    zones = [_CardSources(stmt, hand, anything, known, fresh) for hand in found]
    head: list[ir.Stmt] = []
    numbers = [cards.count(head) for cards in zones]
    inner: list[ir.Stmt] = []
    parts = [part for cards in zones for part in cards.parts(inner)]
    counts, counted = split_exact_sources(stmt, others.sources, known, fresh)
    block = (*inner, *counts, *draw_until_legal(stmt, [*parts, *counted], known, fresh))
    if others.sources:
        return (*head, *block)
    return (*head, ir.Branch(ir.Logic("or", tuple(numbers)), block, pass_only(stmt)))  # with no card there is no option


class _CardSources:
    """The sources that draw from the cards of one zone."""

    def __init__(
        self, stmt: ir.Pick, hand: CardZone, anything: dict[str, str], known: Enumerators, fresh: FreshNames
    ) -> None:
        self.stmt, self.hand, self.anything, self.known, self.fresh = stmt, hand, anything, known, fresh
        self.zone, self.number, self.weight = (ir.Local(fresh(hint)) for hint in "zng")
        self.cards = fresh("h")

    def count(self, head: list[ir.Stmt]) -> ir.Expr:
        """Find the zone; answers how many cards lie there."""
        head += [ir.Set(self.zone.name, self.hand.zone), ir.Set(self.number.name, ir.Cell(0, self.zone))]
        return self.number

    def parts(self, head: list[ir.Stmt]) -> list[SupersetPart]:
        head.append(ir.ArrayView(self.cards, self.zone))
        if self.hand.rows:
            table, self.bits = weight_table(self.known, self.hand.rows)
            card = self.fresh("c")
            more = ir.Set(self.weight.name, ir.Arith("+", self.weight, ir.Table(table, ir.Local(card))))
            head += [ir.Set(self.weight.name, ZERO), ir.ForList(card, self.cards, (more,))]
        return [self.part(source, found, head) for source, found in self.hand.sources]

    def part(self, source: ir.Source, found: ProposalWeights, head: list[ir.Stmt]) -> SupersetPart:
        lengths, size = self.size(source, found, head)
        tests = tuple(substitute(test, found.params, source.args) for test in found.before)
        count: ir.Expr = self.number
        if found.row or lengths or size != ONE or tests:
            share = self.share(found)
            whole = product_of(share, size)
            for length in lengths:
                whole = product_of(whole, length)
            if size != ONE and found.row and len(self.hand.rows) > 1:
                # What few cards have is mostly not there: then the rest need not be worked out.
                here = self.fresh("s")
                head.append(ir.Set(here, share))
                whole = ir.If(ir.Local(here), product_of(ir.Local(here), size), ZERO)
            name = self.fresh("n")
            head.append(ir.Set(name, ir.If(conjunction_of(tests), whole, ZERO) if tests else whole))
            count = ir.Local(name)
        any_ = count
        if found.tests:
            any_ = ir.Logic("and", (count, ir.Call(self.anything[source.enumerator], source.args)))
        return SupersetPart(count, any_, lambda number: self.take(source, found, lengths, size, number))

    def size(self, source: ir.Source, found: ProposalWeights, head: list[ir.Stmt]) -> tuple[list[ir.Expr], ir.Expr]:
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

    def share(self, found: ProposalWeights) -> ir.Expr:
        """How many items the cards have in a source's row."""
        rows = self.hand.rows
        if not found.row:
            return self.number
        at = rows.index(found.row)
        shifted: ir.Expr = ir.Arith(">>", self.weight, ir.Const(at * self.bits)) if at else self.weight
        return shifted if at == len(rows) - 1 else ir.Arith("&", shifted, ir.Const((1 << self.bits) - 1))

    def take(
        self, source: ir.Source, found: ProposalWeights, lengths: list[ir.Expr], size: ir.Expr, number: str
    ) -> ir.Block:
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
                        ir.Set(number, difference_of(k, ir.Local(has))),
                    ),
                ),
            ]
            given[found.item] = ir.RowItem(found.row, ir.Local(card), k)
        else:
            block.append(ir.Set(card, ir.Item(self.cards, k)))
        for loop, at in zip(found.chains, places, strict=True):
            given[loop.name] = ir.Local(name := fresh("a"))
            first = substitute(loop.first, found.params, source.args)
            block += bind_nth_item(replace(loop, name=name, first=first), at, {})
        arity = len(found.answer)
        targets = self.stmt.targets[:arity]
        if found.inner is None or found.chains:
            block += map(ir.Set, targets, option_values(source, found, given))
        else:
            decoder = self.known.nth(found.inner)
            args = (ir.Local(inner) if size != ONE else ZERO, *source.args, *given.values())
            block.append(call_decoder(decoder, args, targets))
        return (
            *block,
            *store_option(self.stmt, source.tag, arity),
            *self.accept(source, found, card),
        )

    def accept(self, source: ir.Source, found: ProposalWeights, card: str) -> ir.Block:
        """Take the option if it passes the tests that were left out; of cards that look alike the first one's."""
        block: ir.Block = (count_decision(self.stmt), ir.Break())
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
            block = (ir.Branch(acceptance_test(self.stmt, source, found), block),)
        return block


def weight_table(known: Enumerators, rows: tuple[str, ...]) -> tuple[str, int]:
    """The name of a table that has how long the rows of each index are, a number of so many bits for each."""
    tables: list[Any] = [known.rows[row] for row in rows]
    bits = sum(max(map(len, table), default=0) for table in zip(*tables, strict=True)).bit_length() + 1
    name = " ".join(("@weights", *rows))
    if name not in known.tables:
        lengths = zip(*([len(row) for row in table] for table in tables), strict=True)
        known.tables[name] = tuple(sum(n << bits * i for i, n in enumerate(each)) for each in lengths)
    return name, bits
