"""The enumerators of one decision counted together, in the function that decides.

The bodies are put in with the arguments in the place of the parameters; loops over the same things, and branches with
the same test, become one. Yields become tallies: every source keeps a count of its own, so options keep their order.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, cast

from rulelang.backends.python.enumerate import measure
from rulelang.backends.python.share import share
from rulelang.backends.python.stmts import Body
from rulelang.program import ir
from rulelang.program.passes.shapes import Loop, Shape, is_length, owned_by_all
from rulelang.program.passes.walk import FOR_LOOPS, assigned, rewrite_exprs, statements, with_blocks


@dataclass(frozen=True, slots=True)
class Tally:
    """One option more for the count; with a `loop`, one for each of its items."""

    count: str
    compels: ir.Expr | None
    loop: Loop | None = None
    collect: str = ""  # the local that takes the options themselves, where that is cheaper than to find one again
    values: tuple[ir.Expr, ...] = ()
    more: tuple[Loop, ...] = ()  # one for each item of these, too
    number: ir.Expr | None = None  # so many, with no loop


@dataclass(frozen=True, slots=True)
class Note:
    """The end of a round of a noted loop (see `enumerate`)."""

    count: str
    memo: str
    before: str
    item: ir.Expr


class Fusion:
    """Collects sources, then writes them out."""

    def __init__(self, body: Body, compels: bool) -> None:
        self.body, self.compels = body, compels
        self.block: list[Any] = []
        self.zeros: list[str] = []
        self.memos: list[str] = []
        self.lists: list[tuple[str, str]] = []
        self.given: set[str] = set()  # locals of the place: what they name is there
        self.number = 0

    @staticmethod
    def collects(shape: Shape) -> bool:
        """Whether a source's options are kept as they are counted: it has one loop with tests to go through."""
        return shape.single

    def add(
        self, function: ir.Function, shape: Shape, args: tuple[ir.Expr, ...], hoisted: dict[tuple[ir.Expr, str], str]
    ) -> tuple[str, str]:
        """Count one source too; answers the locals of its count and its notes (`()` if it keeps none)."""
        names = self.body.names
        self.number += 1
        self.given |= {arg.name for arg in args if isinstance(arg, ir.Local)}
        count = names.temporary("n")
        self.zeros.append(count)
        memo = before = "()"
        if self.collects(shape):
            memo = names.temporary("q")
            self.lists.append((memo, count))
            self.zeros.remove(count)
        elif shape.memo is not None:
            memo, before = names.temporary("q"), names.temporary("b")
            self.zeros.append(before)
            self.memos.append(memo)
        adapted = _Adapter(self, function, shape, args, hoisted, (count, memo, before)).block(function.body)
        _merge(self.block, list(adapted))
        return count, memo

    def write(self) -> None:
        if self.zeros:
            self.body.out(f"{' = '.join(self.zeros)} = 0")
        if self.memos:
            self.body.out(f"{' = '.join(self.memos)} = ()")
        for memo, _ in self.lists:
            self.body.out(f"{memo} = []")
        self.body.block(share(tuple(self.block), given=frozenset(self.given)))
        for memo, count in self.lists:
            self.body.out(f"{count} = len({memo})")


class _Adapter:
    """One enumerator's body for the place where it is counted."""

    def __init__(
        self,
        fusion: Fusion,
        function: ir.Function,
        shape: Shape,
        args: tuple[ir.Expr, ...],
        hoisted: dict[tuple[ir.Expr, str], str],
        locals_: tuple[str, str, str],
    ) -> None:
        self.fusion, self.function, self.shape, self.hoisted = fusion, function, shape, hoisted
        self.count, self.memo, self.before = locals_
        self.given: dict[str, ir.Expr] = dict(zip(function.params, args, strict=True))
        self.renamed: dict[str, str] = {}
        for stmt in statements(function.body):
            for name in assigned(stmt):
                self.rename(name)

    def rename(self, name: str) -> None:
        if name not in self.renamed:
            names = self.fusion.body.names
            fresh = f"{name}@{names.temporaries}_{self.fusion.number}"
            self.renamed[name] = fresh
            self.given[name] = ir.Local(fresh)

    def block(self, block: ir.Block) -> ir.Block:
        found: list[Any] = []
        for stmt in block:
            for adapted in self.statement(stmt):
                if found and _adds_up(found[-1], adapted):
                    found[-1] = replace(found[-1], more=(*found[-1].more, adapted.loop))
                else:
                    found.append(adapted)
        return tuple(found)

    def statement(self, stmt: ir.Stmt) -> list[Any]:
        if isinstance(stmt, ir.Yield):
            if self.shape.single:
                values = tuple(self.expr(v) for v in stmt.values)
                return [Tally(self.count, self.compels(stmt.compels), None, self.memo, values)]
            return [Tally(self.count, self.compels(stmt.compels))]
        if isinstance(stmt, FOR_LOOPS) and is_length(stmt):
            last = stmt.body[-1]
            compels = self.compels(last.compels) if isinstance(last, ir.Yield) else None
            head = cast(Loop, self.own(replace(stmt, body=())))
            return [Tally(self.count, compels, replace(head, body=self.inner_lengths(stmt)))]
        found = with_blocks(self.own(stmt), self.block)
        if isinstance(found, ir.ForTable) and (whole := self.over_all(found)) is not None:
            return [whole]
        if stmt is self.shape.memo:
            assert isinstance(found, FOR_LOOPS)
            note = Note(self.count, self.memo, self.before, ir.Local(found.name))
            return [replace(found, body=_noted(found.body, note))]
        return [found]

    def over_all(self, loop: ir.ForTable) -> Tally | None:
        """A loop that goes over the same owners in whatever order, and counts what each has: all that they have."""
        each: Any = loop.body[0] if len(loop.body) == 1 else None
        if not isinstance(each, Tally) or each.loop is None or each.loop.body or each.more or each.compels is not None:
            return None
        number = owned_by_all(loop, each.loop, self.fusion.body.unit.module.rows[loop.row])
        return None if number is None else replace(each, loop=None, number=number)

    def inner_lengths(self, loop: Loop) -> ir.Block:
        """The inner loop of a loop that is counted by two lengths."""
        last = loop.body[-1]
        if not isinstance(last, FOR_LOOPS):
            return ()
        return (cast(ir.Stmt, replace(cast(Loop, self.own(replace(last, body=()))), body=self.inner_lengths(last))),)

    def compels(self, expr: ir.Expr | None) -> ir.Expr | None:
        if expr is None or expr == ir.Const(0) or not self.fusion.compels:
            return None
        return self.expr(expr)

    def expr(self, expr: ir.Expr) -> ir.Expr:
        held = rewrite_exprs(ir.Return(expr), self.change)
        assert isinstance(held, ir.Return)
        assert held.value is not None
        return held.value

    def change(self, expr: ir.Expr) -> ir.Expr:
        if isinstance(expr, ir.Local):
            return self.given.get(expr.name, expr)
        if isinstance(expr, (ir.Length, ir.Item)):
            return replace(expr, list=self.list_name(expr.list))
        return expr

    def list_name(self, name: str) -> str:
        given = self.given.get(name)
        return given.name if isinstance(given, ir.Local) else name

    def own(self, stmt: ir.Stmt) -> ir.Stmt:
        """The statement itself with this place's names; a loop over hoisted items goes over their list."""
        hoisted = self.hoisted.get((stmt.zone, stmt.distinct or "")) if isinstance(stmt, ir.ForArray) else None
        found: Any = rewrite_exprs(stmt, self.change)
        if getattr(found, "name", None) in self.renamed:
            found = replace(found, name=self.renamed[found.name])
        if hasattr(found, "list"):
            found = replace(found, list=self.list_name(found.list))
        if hoisted is not None:
            return ir.ForList(found.name, hoisted, found.body)
        return cast(ir.Stmt, found)


def _noted(body: ir.Block, note: Note) -> ir.Block:
    """A round's note stands where all of its options do: inside of the tests that they share."""
    if len(body) == 1 and isinstance(body[0], ir.Branch) and not body[0].otherwise:
        return (ir.Branch(body[0].test, _noted(body[0].then, note)),)
    return (*body, cast(ir.Stmt, note))


def _merge(into: list[Any], block: list[Any]) -> None:
    """Put a block behind another; what goes over the same things, or tests the same, is joined."""
    for at, stmt in enumerate(block):
        place = None
        if not any(assigned(s) for s in block[:at] if not isinstance(s, (Tally, Note, *FOR_LOOPS))):
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
            renamed = _renamed(stmt, other.name)
            _merge(body, list(renamed.body))
            into[place] = replace(other, body=tuple(body))


def _adds_up(one: Any, other: Any) -> bool:
    """Two lengths for the same count."""
    return (
        isinstance(one, Tally)
        and isinstance(other, Tally)
        and one.count == other.count
        and None not in (one.loop, other.loop)
        and one.compels is None is other.compels
    )


def _alike(one: Any, other: Any) -> bool:
    if isinstance(one, ir.Branch):
        return isinstance(other, ir.Branch) and one.test == other.test and not one.otherwise and not other.otherwise
    if not isinstance(one, FOR_LOOPS) or type(one) is not type(other) or _jumps(one) or _jumps(other):
        return False
    return replace(one, name="", body=()) == replace(other, name="", body=())


def _jumps(loop: Loop) -> bool:
    return any(isinstance(s, (ir.Break, ir.Continue)) for s in statements(loop.body))


def _renamed(stmt: Any, name: str) -> Any:
    """A loop with another name for its local."""
    old = stmt.name

    def change(expr: ir.Expr) -> ir.Expr:
        return ir.Local(name) if expr == ir.Local(old) else expr

    def block(block: ir.Block) -> ir.Block:
        return tuple(statement(s) for s in block)

    def statement(inner: Any) -> Any:
        found: Any = rewrite_exprs(inner, change)
        if isinstance(found, Tally) and found.loop is not None:
            return replace(found, loop=statement(found.loop), more=tuple(map(statement, found.more)))
        return with_blocks(found, block)

    return replace(stmt, name=name, body=block(stmt.body))


def fusible(function: ir.Function, shape: Shape) -> bool:
    """True if an enumerator can be counted in the place where it is asked."""
    inside = list(statements(function.body))
    if function.lists or any(
        isinstance(s, (ir.Return, ir.Tick)) or (isinstance(s, ir.While) and s.budget) for s in inside
    ):
        return False
    noted = inside if shape.memo is None else list(statements(shape.memo.body))
    return sum(isinstance(s, ir.Yield) for s in noted) == sum(isinstance(s, ir.Yield) for s in inside)


def write_tally(body: Body, stmt: Tally) -> None:
    """One of these counts in the function that decides."""
    out = body.out
    if stmt.number is not None:
        out(f"{stmt.count} += {body.ex.num(stmt.number)}")
        return
    if stmt.loop is None:
        if stmt.collect:
            texts = [body.ex.value(v) for v in stmt.values]
            out(f"{stmt.collect}.append({texts[0] if len(texts) == 1 else '(' + ', '.join(texts) + ')'})")
        else:
            out(f"{stmt.count} += 1")
        if stmt.compels is not None:
            out("m_ = 1" if isinstance(stmt.compels, ir.Const) else f"if {body.ex.cond(stmt.compels)}: m_ = 1")
        return
    length = " + ".join(measure(body, loop, {})[0] for loop in (stmt.loop, *stmt.more))
    if stmt.compels is None:
        out(f"{stmt.count} += {length}")
    else:
        out(f"j_ = {length}; {stmt.count} += j_")
        test = "" if isinstance(stmt.compels, ir.Const) else f" and {body.ex.cond(stmt.compels, 3)}"
        out(f"if j_{test}: m_ = 1")


def write_note(body: Body, stmt: Note) -> None:
    """Keep a round's count for the decoder."""
    item = body.ex.value(stmt.item)
    body.out(f"if {stmt.count} > {stmt.before}: {stmt.before} = {stmt.count}; {stmt.memo} += {stmt.count}, {item}")
