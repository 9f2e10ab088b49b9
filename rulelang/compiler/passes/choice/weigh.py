"""Options that begin with a card of a hand, counted by what is printed on each card (see `decisions/11`).

An enumerator goes over the cards of a zone, over a constant row of each, and over things that have nothing to do with
either: so many options for each card, times so many for all. What is tested inside is left out of the count, as well
as that of cards that look alike only the first makes options: an option so drawn is legal if it passes these tests.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rulelang.base.node import record
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import FOR_LOOPS, locals_read, rewrite_expr, substitute
from rulelang.compiler.passes.analysis.cost import expensive
from rulelang.compiler.passes.choice.shapes import owned_by_all, path

Rows = Mapping[str, tuple[tuple[int, ...], ...]]


@record
class Weighted:
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


def weigh(function: ir.Function, rows: Rows) -> Weighted | None:
    """The superset of an enumerator; None if it has another shape, or too few of it would be legal."""
    found = path(function.body)
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
    size = _size(rest, {hand.name, item}, rows)
    if size is None or not all(map(_likely, tests)) or any(not locals_read(t) <= {*params, *values} for t in tests):
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
    return Weighted(
        function.params, hand.zone, row, tuple(before), size, inner, chains, hand.name, item, last.values,
        tuple(tests), hand.distinct, values,
    )  # fmt: skip


def _size(loops: Sequence[Any], apart: set[str], rows: Rows) -> ir.Expr | None:
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
            whole = owned_by_all(loop, chain, rows[loop.row])
            if whole is None:
                return None
            rounds = whole
            seen.add(chain.name)
        else:
            return None
        seen.add(loop.name)
        size = rounds if size == ir.Const(1) else ir.Arith("*", size, rounds)
    return size


def _likely(test: ir.Expr) -> bool:
    """Whether to leave a test out pays: it is dear, or it only excludes something."""
    return expensive(test) or isinstance(test, ir.Not) or (isinstance(test, ir.Compare) and test.op == "!=")


@record
class Hand:
    """Cards of one zone from which sources of a decision draw. `rows`: those that their weights tell of."""

    zone: ir.Expr
    sources: tuple[tuple[ir.Source, Weighted], ...]
    rows: tuple[str, ...]


def hands(stmt: ir.Pick, weighted: Mapping[str, Weighted]) -> tuple[list[Hand], ir.Pick]:
    """The sources of a decision that draw from cards, by zone; and the decision with the other sources."""
    groups: dict[ir.Expr, list[tuple[ir.Source, Weighted]]] = {}
    others: list[ir.Source] = []
    for source in stmt.sources:
        found = weighted.get(source.enumerator)
        if found is None:
            others.append(source)
        else:
            groups.setdefault(substitute(found.zone, found.params, source.args), []).append((source, found))
    made = [
        Hand(zone, tuple(members), tuple(dict.fromkeys(found.row for _, found in members if found.row)))
        for zone, members in groups.items()
    ]
    return made, replace(stmt, sources=tuple(others))


def answer(source: ir.Source, found: Weighted, given: Mapping[str, ir.Expr]) -> tuple[ir.Expr, ...]:
    """The values of an option with nothing more to decode. `given`: what loops go over."""
    put = tuple(substitute(value, found.params, source.args) for value in found.answer)
    return tuple(
        given.get(value.name, mine) if isinstance(value, ir.Local) else mine
        for value, mine in zip(found.answer, put, strict=True)
    )


def accepting(stmt: ir.Pick, source: ir.Source, found: Weighted) -> ir.Expr:
    """The condition that an option of a source passes what was left out, over the targets of the decision."""
    given = dict(zip(found.values, map(ir.Local, stmt.targets), strict=False))

    def mine(test: ir.Expr) -> ir.Expr:
        named = rewrite_expr(test, lambda e: given.get(e.name, e) if isinstance(e, ir.Local) else e)
        return substitute(named, found.params, source.args)

    return ir.Logic("and", tuple(map(mine, found.tests)))
