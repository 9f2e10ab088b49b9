"""The enumerators of one decision counted together, in the function that decides.

The bodies are put in with the arguments in the place of the parameters; loops over the same things, and branches with
the same test, become one. Yields become tallies: every source keeps a count of its own, so options keep their order.
Tallies and notes are statements of this module alone: they come out as plain ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from rulelang.base.node import record
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import FOR_LOOPS, assigned, rewrite_exprs, statements, with_blocks
from rulelang.compiler.passes.choice.enumerators import count_name, derived, list_params, when
from rulelang.compiler.passes.choice.loops import ONE, Fresh, add_to, distinct_lists, total
from rulelang.compiler.passes.choice.placed import Placed
from rulelang.compiler.passes.choice.shapes import Loop, Shape, is_length

Rows = Mapping[str, tuple[tuple[int, ...], ...]]


@record
class Room:
    """What the lists of a target hold. `tuples`: options that are kept as they are counted, so that none has to be
    found again; `rounds`: of an enumerator's outermost loop, whose counts are noted. Beyond them, the decoder goes
    through all again. 0: lists grow as they need."""

    tuples: int = 0
    rounds: int = 0


#: A list that grows as it needs.
GROWING = Room()


@record
class _Tally:
    """One option more for the count; with a `loop`, one for each of its items."""

    count: str
    compels: ir.Expr | None
    loop: Loop | None = None
    kept: str = ""  # the list that takes the options themselves, where that is cheaper than to find one again
    values: tuple[ir.Expr, ...] = ()


@record
class _Note:
    """The end of a round of a noted loop."""

    count: str
    notes: str
    before: str
    item: ir.Expr


@record
class Fused:
    """The locals of one source: its count, its notes and the count before a round, or the options themselves (those
    that it has not are "")."""

    count: str = ""
    notes: str = ""
    before: str = ""
    kept: str = ""

    @property
    def number(self) -> ir.Expr:
        """How many options there are."""
        return ir.Length(self.kept) if self.kept else ir.Local(self.count)


class Fusion:
    """Collects sources, then tells what counts them. `compels`: the local that takes whether an option compels; "" if
    nobody asks."""

    def __init__(self, fresh: Fresh, rows: Rows, room: Room, compels: str = "") -> None:
        self.fresh, self.rows, self.room, self.compels = fresh, rows, room, compels
        self.block: list[Any] = []
        self.zeros: list[str] = []
        self.lists: list[ir.Stmt] = []
        self.given: set[str] = set()  # locals of the place: what they name is there

    def add(
        self,
        function: ir.Function,
        shape: Shape,
        args: tuple[ir.Expr, ...],
        hoisted: Mapping[tuple[ir.Expr, str], str],
        alone: bool = False,
    ) -> Fused:
        """Count one source too. `alone`: it is the only one, so its options may be kept in their order."""
        self.given |= {arg.name for arg in args if isinstance(arg, ir.Local)}
        keeps = bool(shape.arity) and (shape.single or (alone and shape.flat))
        found = Fused(self.fresh("n"))
        if keeps:
            found = Fused(kept=self.fresh("o"))
            self.lists.append(ir.NewTuples(found.kept, shape.arity, self.room.tuples))
        elif shape.memo is not None:
            found = Fused(found.count, self.fresh("q"), self.fresh("b"))
            self.lists.append(ir.NewList(found.notes, 2 * self.room.rounds, few=True))
        self.zeros += filter(None, (found.count, found.before))
        adapted = _Adapter(self, function, shape, args, hoisted, found).block(function.body)
        if (keeps and not shape.single) or any(isinstance(s, ir.Return) for s in statements(function.body)):
            self.block += adapted
        else:
            _merge(self.block, list(adapted))
        return found

    def statements(self) -> ir.Block:
        if not self.block and not self.zeros:
            return tuple(self.lists)
        zeros = tuple(ir.Set(name, ir.Const(0)) for name in self.zeros)
        return (*self.lists, ir.Given(frozenset(self.given), (*zeros, *self.plain(tuple(self.block)))))

    # ---- tallies and notes as plain statements

    def plain(self, block: tuple[Any, ...]) -> ir.Block:
        found: list[ir.Stmt] = []
        for stmt in block:
            if isinstance(stmt, _Tally):
                found += self.tally(stmt)
            elif isinstance(stmt, _Note):
                found += self.note(stmt)
            else:
                found.append(with_blocks(stmt, self.plain))
        return tuple(found)

    def tally(self, stmt: _Tally) -> ir.Block:
        if stmt.kept:
            return (ir.AppendTuple(stmt.kept, stmt.values), *self.asked(stmt, ONE))
        if stmt.loop is None:
            return (add_to(stmt.count, ONE), *self.asked(stmt, ONE))
        made, lists = distinct_lists((stmt.loop,), {}, self.fresh)
        size = total(stmt.loop, lists, self.rows)
        if stmt.compels is None:
            return (*made, add_to(stmt.count, size))
        name = self.fresh("j")
        here = ir.Local(name)
        return (*made, ir.Set(name, size), add_to(stmt.count, here), *self.asked(stmt, here))

    def asked(self, stmt: _Tally, any_: ir.Expr) -> ir.Block:
        return () if stmt.compels is None else when((any_, stmt.compels), (ir.Set(self.compels, ONE),))

    def note(self, stmt: _Note) -> ir.Block:
        """Keep a round's count for the decoder."""
        count = ir.Local(stmt.count)
        kept: ir.Block = (ir.Append(stmt.notes, count), ir.Append(stmt.notes, stmt.item))
        if self.room.rounds:
            kept = (ir.Branch(ir.Compare("<", ir.Length(stmt.notes), ir.Const(2 * self.room.rounds)), kept),)
        test = ir.Compare(">", count, ir.Local(stmt.before))
        return (ir.Branch(test, (ir.Set(stmt.before, count), *kept)),)


class _Adapter(Placed):
    """One enumerator's body for the place where it is counted."""

    def __init__(
        self, fusion: Fusion, function: ir.Function, shape: Shape, args: tuple[ir.Expr, ...],
        hoisted: Mapping[tuple[ir.Expr, str], str], names: Fused,
    ) -> None:  # fmt: skip
        super().__init__(function, args, fusion.fresh)
        self.fusion, self.shape, self.hoisted, self.names = fusion, shape, hoisted, names

    def block(self, block: ir.Block) -> ir.Block:
        return tuple(map(self.statement, block))

    def statement(self, stmt: ir.Stmt) -> Any:
        if isinstance(stmt, ir.Yield):
            values = tuple(self.expr(v) for v in stmt.values) if self.names.kept else ()
            return _Tally(self.names.count, self.compels(stmt.compels), None, self.names.kept, values)
        if isinstance(stmt, FOR_LOOPS) and is_length(stmt) and not self.names.kept:
            last = stmt.body[-1]
            compels = self.compels(last.compels) if isinstance(last, ir.Yield) else None
            head: Loop = self.own(replace(stmt, body=()))
            return _Tally(self.names.count, compels, replace(head, body=self.inner_lengths(stmt)))
        found = with_blocks(self.own(stmt), self.block)
        if stmt is self.shape.memo and self.names.notes:
            assert isinstance(found, FOR_LOOPS)
            note = _Note(self.names.count, self.names.notes, self.names.before, ir.Local(found.name))
            return replace(found, body=_noted(found.body, note))
        return found

    def inner_lengths(self, loop: Loop) -> ir.Block:
        """The inner loop of a loop that is counted by two lengths."""
        last = loop.body[-1]
        if not isinstance(last, FOR_LOOPS):
            return ()
        return (replace(self.own(replace(last, body=())), body=self.inner_lengths(last)),)

    def compels(self, expr: ir.Expr | None) -> ir.Expr | None:
        if expr is None or expr == ir.Const(0) or not self.fusion.compels:
            return None
        return self.expr(expr)

    def own(self, stmt: Any) -> Any:
        """A loop over hoisted items goes over their list."""
        found = super().own(stmt)
        hoisted = self.hoisted.get((stmt.zone, stmt.distinct or "")) if isinstance(stmt, ir.ForArray) else None
        return found if hoisted is None else ir.ForList(found.name, hoisted, found.body)


def _noted(body: ir.Block, note: _Note) -> ir.Block:
    """A round's note stands where all of its options do: inside of the tests that they share."""
    if len(body) == 1 and isinstance(body[0], ir.Branch) and not body[0].otherwise:
        return (ir.Branch(body[0].test, _noted(body[0].then, note)),)
    return (*body, cast(ir.Stmt, note))


def _merge(into: list[Any], block: list[Any]) -> None:
    """Put a block behind another; what goes over the same things, or tests the same, is joined."""
    for at, stmt in enumerate(block):
        place = None
        if not any(assigned(s) for s in block[:at] if not isinstance(s, (_Tally, _Note, *FOR_LOOPS))):
            place = next((i for i, other in enumerate(into) if _alike(other, stmt)), None)
        if place is None:
            into.append(stmt)
            continue
        other = into[place]
        if isinstance(stmt, ir.Branch):
            then = list(other.then)
            _merge(then, list(stmt.then))
            into[place] = ir.Branch(other.test, tuple(then))
        else:
            body = list(other.body)
            _merge(body, list(renamed(stmt, other.name).body))
            into[place] = replace(other, body=tuple(body))


def _alike(one: Any, other: Any) -> bool:
    if isinstance(one, ir.Branch):
        return isinstance(other, ir.Branch) and one.test == other.test and not one.otherwise and not other.otherwise
    if not isinstance(one, FOR_LOOPS) or type(one) is not type(other) or _jumps(one) or _jumps(other):
        return False
    return replace(one, name="", body=()) == replace(other, name="", body=())


def _jumps(loop: Loop) -> bool:
    return any(isinstance(s, (ir.Break, ir.Continue)) for s in statements(loop.body))


def renamed(stmt: Any, name: str) -> Any:
    """A loop with another name for its local."""
    old = stmt.name

    def change(expr: ir.Expr) -> ir.Expr:
        return ir.Local(name) if expr == ir.Local(old) else expr

    def block(block: ir.Block) -> ir.Block:
        return tuple(statement(s) for s in block)

    def statement(inner: Any) -> Any:
        found: Any = rewrite_exprs(inner, change)
        if isinstance(found, _Tally) and found.loop is not None:
            return replace(found, loop=statement(found.loop))
        return with_blocks(found, block)

    return replace(stmt, name=name, body=block(stmt.body))


def counter(function: ir.Function, shape: Shape, rows: Rows) -> ir.Function:
    """`E#count` (see `enumerators`)."""
    compels, fresh = "@m" if shape.compels else "", Fresh()
    fusion = Fusion(fresh, rows, GROWING, compels)
    kept = replace(shape, memo=None, flat=False, single=False)  # one that nothing is kept of
    hoisted = dict(zip(shape.hoisted, list_params(shape), strict=True))
    count = fusion.add(function, kept, tuple(map(ir.Local, function.params)), hoisted).number
    told = ir.If(ir.Local(compels), ir.Arith("-", ir.Const(0), count), count) if compels else count

    def ended(block: ir.Block) -> ir.Block:
        return tuple(ir.Return(told) if isinstance(s, ir.Return) else with_blocks(s, ended) for s in block)

    head: ir.Block = (ir.Set(compels, ir.Const(0)),) if compels else ()
    body = (*head, *ended(fusion.statements()), ir.Return(told))
    return derived(function, shape, count_name(function.name), (), body)


def fusible(function: ir.Function, shape: Shape) -> bool:
    """True if an enumerator can be counted in the place where it is asked."""
    inside = list(statements(function.body))
    if function.lists or any(
        isinstance(s, (ir.Return, ir.Tick)) or (isinstance(s, ir.While) and s.budget) for s in inside
    ):
        return False
    noted = inside if shape.memo is None else list(statements(shape.memo.body))
    return sum(isinstance(s, ir.Yield) for s in noted) == sum(isinstance(s, ir.Yield) for s in inside)
