"""Drawing from a superset of the options, again and again until one is legal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from rulelang.base.node import record
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import all_of, conjuncts
from rulelang.compiler.passes.analysis.cost import expensive
from rulelang.compiler.passes.choice.counting import (
    ZERO,
    Counted,
    Enumerators,
    by_number,
    count_sources,
    counting,
    decided,
    draw,
    on_the_spot,
    store,
)
from rulelang.compiler.passes.choice.loops import ONE, Fresh, plus, take_from
from rulelang.compiler.passes.choice.shapes import single_option

#: Options that are refused before all are counted.
TRIES = 40


@record
class Part:
    """The superset of one source. `size`: how many there are. `any`: whether there is an option among them. `take`:
    what ends with `Break` if the one with the number in a local, which it uses up, is an option. `alone`: where it is
    the only one, the local that has its size; once refused it is none, and is not drawn again."""

    size: ir.Expr
    any: ir.Expr
    take: Callable[[str], ir.Block]
    alone: str = ""


def rest(
    stmt: ir.Pick, sources: tuple[ir.Source, ...], known: Enumerators, fresh: Fresh
) -> tuple[ir.Block, list[Part]]:
    """The sources of a decision that are not drawn from a superset of many: what counts them, and their parts. One
    option at most whose test takes long (a first step with all that may follow) is tested when it is drawn."""
    late = [_late(stmt, source, known, fresh) for source in sources]
    exact = tuple(source for source, found in zip(sources, late, strict=True) if found is None)
    counts, counted = count_sources(replace(stmt, sources=exact), known, fresh, True, "")
    head, parts, others = list(counts), [], iter(counted)
    for found in late:
        if found is None:
            parts.append(_exact(stmt, next(others)))
        else:
            head.append(found[0])
            parts.append(found[1])
    return tuple(head), parts


def _exact(stmt: ir.Pick, each: Counted) -> Part:
    def take(number: str) -> ir.Block:
        values = each.take(ir.Local(number), stmt.targets[: each.arity])
        return (*values, *store(stmt, each.tag, each.arity), decided(stmt), ir.Break())

    return Part(each.count, each.count, take)


def _late(stmt: ir.Pick, source: ir.Source, known: Enumerators, fresh: Fresh) -> tuple[ir.Stmt, Part] | None:
    """What says whether the one option of a source may be there, and its part; None if it has several, or is soon
    tested."""
    single = single_option(known.functions[source.enumerator], source.args)
    if single is None or single[0] is None or not expensive(single[0]):
        return None
    tests, values = conjuncts(single[0]), single[1]
    at = next(at for at, test in enumerate(tests) if expensive(test))  # those behind it may rely on it
    long, size = all_of(tests[at:]), ir.Local(fresh("n"))
    may_be = ir.Set(size.name, ir.If(all_of(tests[:at]), ONE, ZERO) if at else ONE)

    def take(number: str) -> ir.Block:
        found = (*map(ir.Set, stmt.targets, values), *store(stmt, source.tag, len(values)), decided(stmt), ir.Break())
        return (ir.Branch(long, found),)

    return may_be, Part(size, ir.Logic("and", (size, long)), take, size.name)


def tried(stmt: ir.Pick, parts: list[Part], known: Enumerators, fresh: Fresh) -> ir.Block:
    """Draw until an option is legal, pass among them; after `TRIES` in vain all are counted after all."""
    number, whole, tries = fresh("k"), fresh("w"), fresh("u")
    size: ir.Expr = ZERO
    for part in parts:
        size = plus(size, part.size)
    cheap = [part.any for part in parts if part.any == part.size]
    expensive = [part.any for part in parts if part.any != part.size]
    anything = ir.Logic("or", (*cheap, *expensive))  # what is known already is asked first
    found: ir.Block = (
        *store(stmt, -1, 0),
        ir.Branch(anything, (decided(stmt),), (ir.Forced(stmt.site),)),
        ir.Break(),
    )

    def take(part: Part) -> ir.Block:
        refused = (ir.Set(part.alone, ZERO), take_from(whole, ONE)) if part.alone else ()
        return (*part.take(number), *refused)

    found = by_number(number, [(part.size, partial(take, part)) for part in parts], found)
    again = on_the_spot(stmt, counting(stmt, known, fresh, False))
    body: ir.Block = (
        draw(number, ir.Local(whole)),
        *found,
        ir.Set(tries, plus(ir.Local(tries), ONE)),
        ir.Branch(ir.Compare(">", ir.Local(tries), ir.Const(TRIES)), (*again, ir.Break())),
    )
    return (ir.Set(whole, plus(size, ONE)), ir.Set(tries, ZERO), ir.While(ONE, body))
