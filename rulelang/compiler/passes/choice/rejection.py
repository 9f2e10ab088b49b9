"""Decide by rejection: draw from a superset of the options until one is legal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, TypeGuard

from rulelang.base.node import record
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.analysis import is_expensive
from rulelang.compiler.ir.walk import FOR_LOOPS, all_statements, conjunction_of, conjuncts, locals_read, with_blocks
from rulelang.compiler.passes.choice.counting import (
    NOTHING,
    ZERO,
    CountedSource,
    Enumerators,
    count_and_take,
    count_decision,
    count_sources,
    decide_at_once,
    dispatch_by_number,
    draw_number,
    store_option,
)
from rulelang.compiler.passes.choice.shapes import (
    ONE,
    FreshNames,
    Loop,
    PlacedBody,
    bind_nth_item,
    decrease,
    loop_length,
    product_of,
    single_option,
    single_path,
    sum_of,
)

# ---- rejection

#: Options that are refused before all are counted.
TRIES = 40


@record
class SupersetPart:
    """The superset of one source. `size`: how many there are. `any`: whether there is an option among them. `take`:
    what ends with `Break` if the one with the number in a local, which it uses up, is an option. `alone`: where it is
    the only one, the local that has its size; once refused it is none, and is not drawn again."""

    size: ir.Expr
    any: ir.Expr
    take: Callable[[str], ir.Block]
    alone: str = ""


def split_exact_sources(
    stmt: ir.Pick, sources: tuple[ir.Source, ...], known: Enumerators, fresh: FreshNames
) -> tuple[ir.Block, list[SupersetPart]]:
    """The sources of a decision that are not drawn from a superset of many: what counts them, and their parts. One
    option at most whose test takes long (a first step with all that may follow) is tested when it is drawn."""
    late = [_late_part(stmt, source, known, fresh) for source in sources]
    exact = tuple(source for source, found in zip(sources, late, strict=True) if found is None)
    counts, counted = count_sources(replace(stmt, sources=exact), known, fresh, True, "")
    head, parts, others = list(counts), [], iter(counted)
    for found in late:
        if found is None:
            parts.append(_exact_part(stmt, next(others)))
        else:
            head.append(found[0])
            parts.append(found[1])
    return tuple(head), parts


def _exact_part(stmt: ir.Pick, each: CountedSource) -> SupersetPart:
    def take(number: str) -> ir.Block:
        values = each.take(ir.Local(number), stmt.targets[: each.arity])
        return (*values, *store_option(stmt, each.tag, each.arity), count_decision(stmt), ir.Break())

    return SupersetPart(each.count, each.count, take)


def _late_part(
    stmt: ir.Pick, source: ir.Source, known: Enumerators, fresh: FreshNames
) -> tuple[ir.Stmt, SupersetPart] | None:
    """What says whether the one option of a source may be there, and its part; None if it has several, or is soon
    tested."""
    single = single_option(known.functions[source.enumerator], source.args)
    if single is None or single[0] is None or not is_expensive(single[0]):
        return None
    tests, values = conjuncts(single[0]), single[1]
    at = next(at for at, test in enumerate(tests) if is_expensive(test))  # those behind it may rely on it
    long, size = conjunction_of(tests[at:]), ir.Local(fresh("n"))
    may_be = ir.Set(size.name, ir.If(conjunction_of(tests[:at]), ONE, ZERO) if at else ONE)

    def take(number: str) -> ir.Block:
        found = (
            *map(ir.Set, stmt.targets, values),
            *store_option(stmt, source.tag, len(values)),
            count_decision(stmt),
            ir.Break(),
        )
        return (ir.Branch(long, found),)

    return may_be, SupersetPart(size, ir.Logic("and", (size, long)), take, size.name)


def draw_until_legal(stmt: ir.Pick, parts: list[SupersetPart], known: Enumerators, fresh: FreshNames) -> ir.Block:
    """Draw until an option is legal, pass among them; after `TRIES` in vain all are counted after all."""
    number, whole, tries = fresh("k"), fresh("w"), fresh("u")
    size: ir.Expr = ZERO
    for part in parts:
        size = sum_of(size, part.size)
    cheap = [part.any for part in parts if part.any == part.size]
    expensive = [part.any for part in parts if part.any != part.size]
    anything = ir.Logic("or", (*cheap, *expensive))  # what is known already is asked first
    found: ir.Block = (
        *store_option(stmt, -1, 0),
        ir.Branch(anything, (count_decision(stmt),), (ir.Forced(stmt.site),)),
        ir.Break(),
    )

    def take(part: SupersetPart) -> ir.Block:
        refused = (ir.Set(part.alone, ZERO), decrease(whole, ONE)) if part.alone else ()
        return (*part.take(number), *refused)

    found = dispatch_by_number(number, [(part.size, partial(take, part)) for part in parts], found)
    again = decide_at_once(stmt, count_and_take(stmt, known, fresh, False))
    body: ir.Block = (
        draw_number(number, ir.Local(whole)),
        *found,
        ir.Set(tries, sum_of(ir.Local(tries), ONE)),
        ir.Branch(ir.Compare(">", ir.Local(tries), ir.Const(TRIES)), (*again, ir.Break())),
    )
    return (ir.Set(whole, sum_of(size, ONE)), ir.Set(tries, ZERO), ir.While(ONE, body))


# ---- products of loops

#: Loops of a source that is drawn; of more combinations than that mostly too few are legal.
DEEPEST = 3


@record
class Nest:
    """An enumerator as tests on its parameters, loops that do not depend on each other, and tests inside them.

    `tests[i]` stands inside loop i. The superset is the product of the loops.
    """

    before: tuple[ir.Expr, ...]
    loops: tuple[Loop, ...]
    tests: tuple[tuple[ir.Expr, ...], ...]
    values: tuple[ir.Expr, ...]


def nest_of(function: ir.Function) -> Nest | None:
    """The enumerator's nest, or None if it has another shape."""
    steps, last = single_path(function.body) or ([], None)
    loops: list[Loop] = []
    tests: list[list[ir.Expr]] = [[]]  # those before all loops first
    for step in steps:
        if not isinstance(step, FOR_LOOPS):
            tests[-1].append(step)
            continue
        if locals_read(_with_empty_body(step)) & {loop.name for loop in loops}:
            return None
        loops.append(step)
        tests.append([])
    if (
        last is None
        or not 0 < len(loops) <= DEEPEST
        or not all(map(_has_stored_length, loops))
        or ir.Tick in map(type, steps)
    ):
        return None
    before, *inside = map(tuple, tests)
    return Nest(before, tuple(loops), tuple(inside), last.values)


def _has_stored_length(loop: Loop) -> bool:
    """Whether the length of a loop is a word."""
    return not isinstance(loop, ir.ForList) and not (isinstance(loop, ir.ForChain) and loop.length is None)


def _over_all_items(loop: Loop) -> Loop:
    """The loop over all items, those too that look alike."""
    return replace(loop, distinct=None) if isinstance(loop, ir.ForArray) else loop


def _with_empty_body(loop: Loop) -> Any:
    return replace(loop, body=())


def place_nest(found: Nest, function: ir.Function, source: ir.Source, serial: int) -> Nest:
    """The nest of an enumerator for one source: its arguments put in, its loops' locals renamed by a serial number."""
    place = PlacedBody(function, source.args, lambda name: f"{name} {serial}")
    return Nest(
        tuple(map(place.expr, found.before)),
        tuple(place.own(_with_empty_body(loop)) for loop in found.loops),
        tuple(tuple(map(place.expr, tests)) for tests in found.tests),
        tuple(map(place.expr, found.values)),
    )


def pick_product(
    stmt: ir.Pick, nests: dict[str, Nest | None], anything: dict[str, str], known: Enumerators, fresh: FreshNames
) -> ir.Block:
    """The decision, in which pass is always possible and nothing compels."""
    exact = tuple(source for source in stmt.sources if nests[source.enumerator] is None)
    counts, others = split_exact_sources(stmt, exact, known, fresh)
    head, counted = list(counts), iter(others)
    sizes: dict[ir.Expr, ir.Expr] = {}
    lines: dict[tuple[ir.Expr, int], str] = {}
    parts: list[SupersetPart] = []
    for serial, source in enumerate(stmt.sources):
        found = nests[source.enumerator]
        if found is None:
            parts.append(next(counted))
            continue
        work = _ProductSource(
            stmt, source, place_nest(found, known.functions[source.enumerator], source, serial), known, fresh
        )
        count = work.measure(sizes, lines, head)
        any_: ir.Expr = count
        if any(found.tests):
            any_ = ir.Logic("and", (count, ir.Call(anything[source.enumerator], source.args)))
        parts.append(SupersetPart(count, any_, work.take))
    begin = _along_lists(tuple(head), lines)
    for (first, following), name in lines.items():
        walk = ir.ForChain(fresh("s"), first, following, ())
        begin = (ir.NewList(name, known.lines[following]), *_with_noted_lines(begin, name, walk))
    return (*begin, *draw_until_legal(stmt, parts, known, fresh))


def _with_noted_lines(block: ir.Block, name: str, walk: ir.ForChain) -> ir.Block:
    """The block in which a line of things is noted in a list, along which to walk again and again takes longer: in the
    loop with which the block begins, if that goes over it, or before all else."""
    for at, stmt in enumerate(block):
        if isinstance(stmt, ir.Given):
            return (*block[:at], replace(stmt, body=_with_noted_lines(stmt.body, name, walk)), *block[at + 1 :])
        if _is_loop_over(stmt, name) and not any(
            _is_loop_over(s, name) or isinstance(s, ir.Break) for s in all_statements(stmt.body)
        ):
            both = (ir.Append(name, ir.Local(stmt.name)), *stmt.body)
            return (*block[:at], replace(walk, name=stmt.name, body=both), *block[at + 1 :])
        if not isinstance(stmt, ir.Set | ir.NewList) or name in locals_read(stmt):
            break
    return (replace(walk, body=(ir.Append(name, ir.Local(walk.name)),)), *block)


def _is_loop_over(stmt: ir.Stmt, name: str) -> TypeGuard[ir.ForList]:
    return isinstance(stmt, ir.ForList) and stmt.list == name


def _along_lists(block: ir.Block, lines: dict[tuple[ir.Expr, int], str]) -> ir.Block:
    """A block in which loops along these lines go over their lists."""

    def one(stmt: ir.Stmt) -> ir.Stmt:
        inner = with_blocks(stmt, lambda body: _along_lists(body, lines))
        name = lines.get((inner.first, inner.next)) if isinstance(inner, ir.ForChain) else None
        return inner if name is None else ir.ForList(inner.name, name, inner.body)  # type: ignore[union-attr]

    return tuple(map(one, block))


class _ProductSource:
    """One source that is a product of loops."""

    def __init__(self, stmt: ir.Pick, source: ir.Source, nest: Nest, known: Enumerators, fresh: FreshNames) -> None:
        self.stmt, self.source, self.nest, self.known, self.fresh = stmt, source, nest, known, fresh
        self.lengths: list[ir.Expr] = []

    def measure(
        self, sizes: dict[ir.Expr, ir.Expr], lines: dict[tuple[ir.Expr, int], str], head: list[ir.Stmt]
    ) -> ir.Expr:
        """Work out how long the loops are; answers how many combinations there are. `sizes`: lengths that are known;
        `lines`: the lists of lines of things."""
        whole: ir.Expr = ONE
        zones = (self.line(self.zone(loop, sizes, head), lines) for loop in self.nest.loops)
        self.nest = replace(self.nest, loops=tuple(zones))
        for loop in self.nest.loops:
            long = self.once(loop_length(_over_all_items(loop), {}, self.known.rows), "l", sizes, head)
            self.lengths.append(long)
            whole = product_of(whole, long)
        if self.nest.before:
            whole = ir.If(conjunction_of(self.nest.before), whole, ZERO)
        return self.once(whole, "n", sizes, head)

    def zone(self, loop: Loop, known: dict[ir.Expr, ir.Expr], head: list[ir.Stmt]) -> Loop:
        """A loop over a zone whose address is worked out once."""
        return replace(loop, zone=self.once(loop.zone, "z", known, head)) if isinstance(loop, ir.ForArray) else loop

    def line(self, loop: Loop, lines: dict[tuple[ir.Expr, int], str]) -> Loop:
        if not isinstance(loop, ir.ForChain) or loop.next not in self.known.lines:
            return loop
        return ir.ForList(loop.name, lines.setdefault((loop.first, loop.next), self.fresh("c")), loop.body)

    def once(self, expr: ir.Expr, hint: str, known: dict[ir.Expr, ir.Expr], head: list[ir.Stmt]) -> ir.Expr:
        """What holds a value, which is worked out only once."""
        if isinstance(expr, (ir.Const, ir.Local)):
            return expr
        if expr not in known:
            name = self.fresh(hint)
            head.append(ir.Set(name, expr))
            known[expr] = ir.Local(name)
        return known[expr]

    def take(self, number: str) -> ir.Block:
        """Bind the loops' locals of a combination, test, and take it if it is legal."""
        index = [number, *(self.fresh("i") for _ in self.lengths[1:])]
        values = tuple(map(ir.Set, self.stmt.targets, self.nest.values))
        arity = len(values)
        found: ir.Block = (
            *values,
            *store_option(self.stmt, self.source.tag, arity),
            count_decision(self.stmt),
            ir.Break(),
        )
        for loop, tests, at in reversed(list(zip(self.nest.loops, self.nest.tests, index, strict=True))):
            asked = list(tests)
            if isinstance(loop, ir.ForArray) and loop.distinct is not None:
                asked.append(ir.FirstLike(loop.zone, ir.Local(at), ir.Local(loop.name), loop.distinct))
            if asked:
                found = (ir.Branch(conjunction_of(tuple(asked)), found),)
            found = (*bind_nth_item(_over_all_items(loop), at, {}), *found)
        split = tuple(
            ir.Divide(number, index[d], ir.Local(number), self.lengths[d]) for d in range(len(index) - 1, 0, -1)
        )
        return (*split, *found)


# ---- equivalent cards


def picks_equivalent_card(stmt: ir.Pick, nests: Mapping[str, Nest | None]) -> bool:
    """Whether the options of a decision are the cards of one zone, of those that look alike one, and one has to be
    taken. So there is always one that is drawn."""
    if stmt.may_pass != ZERO or len(stmt.sources) != 1:
        return False
    found = nests[stmt.sources[0].enumerator]
    if found is None or found.before or any(found.tests) or len(found.loops) > 1:
        return False
    return isinstance(found.loops[0], ir.ForArray) and found.loops[0].distinct is not None


def draw_equivalent_card(
    stmt: ir.Pick, nests: Mapping[str, Nest | None], functions: Mapping[str, ir.Function], fresh: FreshNames
) -> ir.Block:
    """The decision, for which `is_card` holds."""
    source = stmt.sources[0]
    found = nests[source.enumerator]
    assert found is not None
    nest = place_nest(found, functions[source.enumerator], source, 0)
    cards: Any = nest.loops[0]
    look = cards.distinct
    zone, many, number, first, other, several = (ir.Local(fresh(hint)) for hint in "znkcom")
    card = replace(cards, zone=zone, distinct=None)
    bound, values = bind_nth_item(card, number.name, {}), tuple(map(ir.Set, stmt.targets, nest.values))
    differs = ir.Compare("!=", ir.Table(look, other), ir.Table(look, first))
    is_first = ir.FirstLike(zone, number, ir.Local(card.name), look)
    drawn = (draw_number(number.name, many), *bound, ir.Branch(is_first, (ir.Break(),)))
    some: ir.Block = (
        ir.Set(first.name, ir.Cell(1, zone)),
        ir.Set(several.name, ZERO),
        ir.ForArray(other.name, zone, (ir.Branch(differs, (ir.Set(several.name, ONE), ir.Break())),)),
        ir.Branch(
            several,
            (count_decision(stmt), ir.While(ONE, drawn)),
            (ir.Set(number.name, ZERO), *bound, ir.Forced(stmt.site)),
        ),
        *values,
        *store_option(stmt, source.tag, len(values)),
    )
    return (
        ir.Set(zone.name, cards.zone),
        ir.Set(many.name, ir.Cell(0, zone)),
        ir.Branch(many, some, store_option(stmt, NOTHING, 0)),
    )
