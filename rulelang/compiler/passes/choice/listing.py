"""Decisions drawn from all options listed in one go: the enumerators of the sources put in place, loops over the same
things made one, and in such a loop one look at the marks of a thing for all that ask for some of them.

The order of the options is that of the loops, not of the sources: it serves only to draw one of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, cast

from rulelang.base.node import record
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import (
    FOR_LOOPS,
    all_of,
    conjuncts,
    has_break,
    has_continue,
    statements,
    with_blocks,
    with_inner,
)
from rulelang.compiler.passes.analysis.cost import expensive, size
from rulelang.compiler.passes.choice.counting import (
    PASS,
    Enumerators,
    counting,
    decided,
    draw,
    on_the_spot,
    passed,
    store,
)
from rulelang.compiler.passes.choice.fuse import renamed
from rulelang.compiler.passes.choice.loops import ONE, Fresh, plus
from rulelang.compiler.passes.choice.placed import Placed
from rulelang.compiler.passes.simplify.merge_bit_tests import mark_of, under_one

#: Nodes of a condition that is cheap.
CHEAP = 8
#: Options that are listed. If there are more, they are counted, and one is found again.
ROOM = 256


def listable(function: ir.Function) -> bool:
    """Whether an enumerator can be put in place: it has no lists of its own, and does not end early."""
    return not function.lists and not any(isinstance(s, (ir.Return, ir.NewList)) for s in statements(function.body))


@record
class Listing:
    """`flags`: locals, and the conditions that they hold. `block`: appends each option, tag first, to a list."""

    flags: tuple[tuple[str, ir.Expr], ...]
    block: ir.Block


def listing(stmt: ir.Pick, functions: Mapping[str, ir.Function], options: str, fresh: Fresh) -> Listing:
    """What lists the options of a decision whose sources are all listable, in the list `options`."""
    flags: list[tuple[str, ir.Expr]] = []
    placed: list[ir.Stmt] = []
    for source in stmt.sources:
        placed += _placed(functions[source.enumerator], source, options, 1 + len(stmt.targets), fresh)
    block = tuple(_joined(placed, flags, fresh))
    return Listing(tuple(flags), block)


def pick_listed(stmt: ir.Pick, known: Enumerators, fresh: Fresh) -> ir.Block:
    """The decision, in which pass is always possible and nothing compels, and whose sources are all listable."""
    options, number, total = fresh("o"), fresh("k"), fresh("n")
    found = listing(stmt, known.functions, options, fresh)
    given = frozenset(arg.name for source in stmt.sources for arg in source.args if isinstance(arg, ir.Local))
    count, k = ir.Local(total), ir.Local(number)
    few: ir.Block = (
        decided(stmt),
        draw(number, plus(count, ONE)),
        ir.Branch(
            ir.Compare("<", k, count),
            (ir.ReadTuple(options, k, (stmt.tag, *stmt.targets)),),
            store(stmt, PASS, 0),
        ),
    )
    many = on_the_spot(stmt, counting(stmt, known, fresh, False))
    crowded = ir.Branch(ir.Compare(">", count, ir.Const(ROOM)), many, few)
    return (
        *(ir.Set(name, ir.If(test, ONE, ir.Const(0))) for name, test in found.flags),
        ir.NewTuples(options, 1 + len(stmt.targets), ROOM),
        ir.Given(given, found.block),
        ir.Set(total, ir.Length(options)),
        ir.Branch(count, (crowded,), passed(stmt)),
    )


def _placed(function: ir.Function, source: ir.Source, options: str, width: int, fresh: Fresh) -> ir.Block:
    """One enumerator's body for one source."""
    place = Placed(function, source.args, fresh)

    def statement(stmt: ir.Stmt) -> ir.Stmt:
        put = place.own(stmt)
        if isinstance(put, ir.Yield):
            values = (ir.Const(source.tag), *put.values)
            return ir.AppendTuple(options, (*values, *([ir.Const(0)] * (width - len(values)))))
        return with_blocks(put, block)

    def block(inner: ir.Block) -> ir.Block:
        return tuple(map(statement, inner))

    return block(function.body)


def _joined(block: list[Any], flags: list[tuple[str, ir.Expr]], fresh: Fresh) -> list[Any]:
    """The block with one loop for all that go over the same things. Conditions around them become flags, unless they
    are cheap and few things come to them."""
    groups: dict[Any, list[tuple[tuple[ir.Expr, ...], Any]]] = {}
    found: list[Any] = []
    for conditions, stmt in _flat(block, ()):
        if isinstance(stmt, FOR_LOOPS) and not has_break(stmt.body) and not has_continue(stmt.body):
            groups.setdefault(replace(cast(Any, stmt), name="", body=()), []).append((conditions, stmt))
        else:
            found.append(_under(conditions, (stmt,)))
    for members in groups.values():
        if len(members) == 1:
            conditions, loop = members[0]
            found.append(_under(conditions, (loop,)))
            continue
        name = members[0][1].name
        parts: list[_Part] = []
        asked: list[ir.Expr] = []
        for conditions, loop in members:
            mine = [_Part(inner, stmt) for inner, stmt in _flat(renamed(loop, name).body, ())]
            test = all_of(conditions) if conditions else ir.Const(1)
            if not _cheap(test) or (size(test) > 2 and any(part.mark(name) is None for part in mine)):
                test = _flag(test, flags, fresh)
            outer = () if test == ir.Const(1) else conjuncts(test)
            parts += [_Part((*outer, *part.conditions), part.stmt) for part in mine]
            asked.append(test)
        whole = replace(members[0][1], body=tuple(_marked(parts, name)))
        every = tuple(sorted(dict.fromkeys(asked), key=_cost))
        found.append(whole if ir.Const(1) in every else ir.Branch(ir.Logic("or", every), (whole,)))
    return found


@record
class _Part:
    """A statement of a loop's body, with the conditions that it stands under."""

    conditions: tuple[ir.Expr, ...]
    stmt: Any

    def mark(self, item: str) -> tuple[ir.Expr, ir.Cell, int] | None:
        """The condition that asks for marks of the loop's item, their word and bits."""
        for condition in self.conditions:
            found = mark_of(condition)
            if found is not None and found[0].index == ir.Local(item):
                return condition, *found
        return None


def _cheap(test: ir.Expr) -> bool:
    """Whether to ask a condition for each item that has some mark takes less than to ask it before the loop."""
    return size(test) <= CHEAP and not expensive(test)


def _cost(test: ir.Expr) -> tuple[int, int]:
    """By which the condition that takes least is asked first."""
    return sum(not isinstance(e, (ir.Local, ir.Const, ir.Not)) for e in with_inner(test)), size(test)


def _flag(test: ir.Expr, flags: list[tuple[str, ir.Expr]], fresh: Fresh) -> ir.Expr:
    """The local that holds a condition."""
    name = next((name for name, known in flags if known == test), None)
    if name is None:
        name = fresh("flag")
        flags.append((name, test))
    return ir.Local(name)


def _flat(block: Any, conditions: tuple[ir.Expr, ...]) -> Iterator[tuple[tuple[ir.Expr, ...], Any]]:
    """The statements of a block, each with the conditions that it stands under, as far as nothing is set on the way."""
    for stmt in block:
        plain = isinstance(stmt, ir.Branch) and not stmt.otherwise
        if plain and all(isinstance(s, (ir.Branch, ir.AppendTuple, *FOR_LOOPS)) for s in stmt.then):
            yield from _flat(stmt.then, (*conditions, *conjuncts(stmt.test)))
        else:
            yield conditions, stmt


def _under(conditions: tuple[ir.Expr, ...], block: tuple[Any, ...]) -> Any:
    if not conditions:
        return block[0]
    return ir.Branch(all_of(conditions), block)


def _marked(parts: list[_Part], item: str) -> list[Any]:
    """The parts of a loop's body; those that ask for a mark in the same word of its item stand under one question for
    any of the marks. Few things have a mark: it is asked for before all else."""
    groups: dict[ir.Cell, tuple[int, list[Any]]] = {}
    rest: list[Any] = []
    for part in parts:
        mark = part.mark(item)
        if mark is None:
            rest.append(_under(part.conditions, (part.stmt,)))
            continue
        question, word, more = mark
        bits, members = groups.get(word, (0, []))
        others = tuple(c for c in part.conditions if c != question)
        groups[word] = bits | more, [*members, _under((question, *others), (part.stmt,))]
    for word, (bits, members) in groups.items():
        rest += under_one(word, bits, members)
    return rest
