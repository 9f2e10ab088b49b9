"""Decisions by rejection from the product of all loops (see `strategy`)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeGuard

from rulelang.base.node import record
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import FOR_LOOPS, all_of, locals_read, statements, with_blocks
from rulelang.compiler.passes.choice.counting import ZERO, Enumerators, decided, store
from rulelang.compiler.passes.choice.loops import ONE, Fresh, bind, length, times
from rulelang.compiler.passes.choice.placed import Placed
from rulelang.compiler.passes.choice.rejection import Part, rest, tried
from rulelang.compiler.passes.choice.shapes import Loop, path

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


def nest(function: ir.Function) -> Nest | None:
    """The enumerator's nest, or None if it has another shape."""
    steps, last = path(function.body) or ([], None)
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
    if last is None or not 0 < len(loops) <= DEEPEST or not all(map(_counted, loops)) or ir.Tick in map(type, steps):
        return None
    before, *inside = map(tuple, tests)
    return Nest(before, tuple(loops), tuple(inside), last.values)


def _counted(loop: Loop) -> bool:
    """Whether the length of a loop is a word."""
    return not isinstance(loop, ir.ForList) and not (isinstance(loop, ir.ForChain) and loop.length is None)


def _plain(loop: Loop) -> Loop:
    """The loop over all items, those too that look alike."""
    return replace(loop, distinct=None) if isinstance(loop, ir.ForArray) else loop


def _with_empty_body(loop: Loop) -> Any:
    return replace(loop, body=())


def placed(found: Nest, function: ir.Function, source: ir.Source, serial: int) -> Nest:
    """The nest of an enumerator for one source: its arguments put in, its loops' locals renamed by a serial number."""
    place = Placed(function, source.args, lambda name: f"{name} {serial}")
    return Nest(
        tuple(map(place.expr, found.before)),
        tuple(place.own(_with_empty_body(loop)) for loop in found.loops),
        tuple(tuple(map(place.expr, tests)) for tests in found.tests),
        tuple(map(place.expr, found.values)),
    )


def pick_product(
    stmt: ir.Pick, nests: dict[str, Nest | None], anything: dict[str, str], known: Enumerators, fresh: Fresh
) -> ir.Block:
    """The decision, in which pass is always possible and nothing compels."""
    exact = tuple(source for source in stmt.sources if nests[source.enumerator] is None)
    counts, others = rest(stmt, exact, known, fresh)
    head, counted = list(counts), iter(others)
    sizes: dict[ir.Expr, ir.Expr] = {}
    lines: dict[tuple[ir.Expr, int], str] = {}
    parts: list[Part] = []
    for serial, source in enumerate(stmt.sources):
        found = nests[source.enumerator]
        if found is None:
            parts.append(next(counted))
            continue
        work = _Drawn(stmt, source, placed(found, known.functions[source.enumerator], source, serial), known, fresh)
        count = work.measure(sizes, lines, head)
        any_: ir.Expr = count
        if any(found.tests):
            any_ = ir.Logic("and", (count, ir.Call(anything[source.enumerator], source.args)))
        parts.append(Part(count, any_, work.take))
    begin = _along(tuple(head), lines)
    for (first, following), name in lines.items():
        walk = ir.ForChain(fresh("s"), first, following, ())
        begin = (ir.NewList(name, known.lines[following]), *_noted(begin, name, walk))
    return (*begin, *tried(stmt, parts, known, fresh))


def _noted(block: ir.Block, name: str, walk: ir.ForChain) -> ir.Block:
    """The block in which a line of things is noted in a list, along which to walk again and again takes longer: in the
    loop with which the block begins, if that goes over it, or before all else."""
    for at, stmt in enumerate(block):
        if isinstance(stmt, ir.Given):
            return (*block[:at], replace(stmt, body=_noted(stmt.body, name, walk)), *block[at + 1 :])
        if _over(stmt, name) and not any(_over(s, name) or isinstance(s, ir.Break) for s in statements(stmt.body)):
            both = (ir.Append(name, ir.Local(stmt.name)), *stmt.body)
            return (*block[:at], replace(walk, name=stmt.name, body=both), *block[at + 1 :])
        if not isinstance(stmt, ir.Set | ir.NewList) or name in locals_read(stmt):
            break
    return (replace(walk, body=(ir.Append(name, ir.Local(walk.name)),)), *block)


def _over(stmt: ir.Stmt, name: str) -> TypeGuard[ir.ForList]:
    return isinstance(stmt, ir.ForList) and stmt.list == name


def _along(block: ir.Block, lines: dict[tuple[ir.Expr, int], str]) -> ir.Block:
    """A block in which loops along these lines go over their lists."""

    def one(stmt: ir.Stmt) -> ir.Stmt:
        inner = with_blocks(stmt, lambda body: _along(body, lines))
        name = lines.get((inner.first, inner.next)) if isinstance(inner, ir.ForChain) else None
        return inner if name is None else ir.ForList(inner.name, name, inner.body)  # type: ignore[union-attr]

    return tuple(map(one, block))


class _Drawn:
    """One source that is a product of loops."""

    def __init__(self, stmt: ir.Pick, source: ir.Source, nest: Nest, known: Enumerators, fresh: Fresh) -> None:
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
            long = self.once(length(_plain(loop), {}, self.known.rows), "l", sizes, head)
            self.lengths.append(long)
            whole = times(whole, long)
        if self.nest.before:
            whole = ir.If(all_of(self.nest.before), whole, ZERO)
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
        found: ir.Block = (*values, *store(self.stmt, self.source.tag, arity), decided(self.stmt), ir.Break())
        for loop, tests, at in reversed(list(zip(self.nest.loops, self.nest.tests, index, strict=True))):
            asked = list(tests)
            if isinstance(loop, ir.ForArray) and loop.distinct is not None:
                asked.append(ir.FirstLike(loop.zone, ir.Local(at), ir.Local(loop.name), loop.distinct))
            if asked:
                found = (ir.Branch(all_of(tuple(asked)), found),)
            found = (*bind(_plain(loop), at, {}), *found)
        split = tuple(
            ir.Divide(number, index[d], ir.Local(number), self.lengths[d]) for d in range(len(index) - 1, 0, -1)
        )
        return (*split, *found)
