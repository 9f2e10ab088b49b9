"""Decide by counting: count the options of all sources, then find the option with a number."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, cast

from rulelang.base.node import record
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import FOR_LOOPS, all_statements, assigned_locals, rewrite_exprs, substitute, with_blocks
from rulelang.compiler.passes.choice.shapes import (
    ONE,
    FreshNames,
    Lists,
    Loop,
    PlacedBody,
    Shape,
    bind_nth_item,
    decrease,
    difference_of,
    distinct_lists,
    increase,
    inner_loop,
    is_counted_by_length,
    may_compel,
    shape_of,
    sum_of,
    total_length,
)

# ---- counters and decoders

ConstantRows = dict[str, tuple[tuple[int, ...], ...]]

NUMBER, NOTES = "@k", "@q"


def count_name(enumerator: str) -> str:
    return f"{enumerator}#count"


def nth_name(enumerator: str, noted: bool = False) -> str:
    return f"{enumerator}#noted" if noted else f"{enumerator}#nth"


def list_params(shape: Shape) -> tuple[str, ...]:
    """The parameters that take the lists of distinct items."""
    return tuple(f"@h{at}" for at in range(len(shape.hoisted)))


def decoder_function(function: ir.Function, shape: Shape, rows: ConstantRows, noted: bool, whole: bool) -> ir.Function:
    """`E#nth`. `noted`: it takes notes of rounds; `whole`: each round is noted that has options, however many."""
    work = _Decoder(shape, rows, shape.memo if noted else None, whole)
    body = (*work.block(function.body), ir.Unreachable())
    first = (NUMBER, NOTES) if noted else (NUMBER,)
    made = derive_function(function, shape, nth_name(function.name, noted), first, body)
    return replace(made, results=shape.arity)


def derive_function(
    function: ir.Function, shape: Shape, name: str, first: tuple[str, ...], body: ir.Block
) -> ir.Function:
    """The function of this name with the parameters of an enumerator, others before them, and lists behind."""
    lists = list_params(shape)
    return replace(
        function, name=name, kind="pure", params=(*first, *function.params, *lists), body=body,
        lists=function.lists | frozenset(lists) | ({NOTES} & frozenset(first)),
    )  # fmt: skip


class _Decoder:
    """Goes through the body of an enumerator; loops over distinct items go over the lists that are handed over."""

    def __init__(self, shape: Shape, rows: ConstantRows, memo: Loop | None, whole: bool) -> None:
        self.rows, self.memo, self.whole = rows, memo, whole
        self.lists: Lists = dict(zip(shape.hoisted, list_params(shape), strict=True))
        self.fresh = FreshNames()

    def block(self, block: ir.Block) -> ir.Block:
        found: list[ir.Stmt] = []
        for stmt in block:
            if isinstance(stmt, FOR_LOOPS) and is_counted_by_length(stmt):
                made, lists = distinct_lists((stmt,), self.lists, self.fresh)
                found += [*made, *self.by_length(stmt, lists)]
            else:
                found += self.statement(stmt)
        return tuple(found)

    def statement(self, stmt: ir.Stmt) -> ir.Block:
        match stmt:
            case ir.Yield():
                return (ir.Branch(ir.Not(ir.Local(NUMBER)), (return_option(stmt.values),)), decrease(NUMBER, ONE))
            case ir.Return():
                return (ir.Unreachable(),)
        if stmt is self.memo:
            return self.recall(stmt)
        return self.deeper(stmt)

    def deeper(self, stmt: ir.Stmt) -> ir.Block:
        if isinstance(stmt, ir.ForArray) and (stmt.zone, stmt.distinct or "") in self.lists:
            return (ir.ForList(stmt.name, self.lists[stmt.zone, stmt.distinct or ""], self.block(stmt.body)),)
        return (with_blocks(stmt, self.block),)

    def recall(self, loop: Loop) -> ir.Block:
        """Go to the round of the option, if it is noted."""
        at, notes = self.fresh("i"), NOTES
        here, two = ir.Local(at), ir.Const(2)
        count = ir.Item(notes, here)
        found: ir.Block = (
            ir.Set(at, ir.Const(0)),
            ir.While(ir.Compare(">=", ir.Local(NUMBER), count), (ir.Set(at, sum_of(here, two)),)),
            ir.Set(loop.name, ir.Item(notes, sum_of(here, ONE))),
            ir.Branch(here, (decrease(NUMBER, ir.Item(notes, difference_of(here, two))),)),
            *self.block(loop.body),
        )
        if self.whole:
            return found
        last = ir.Item(notes, difference_of(ir.Length(notes), two))
        noted = ir.Logic("and", (ir.Length(notes), ir.Compare("<", ir.Local(NUMBER), last)))
        return (ir.Branch(noted, found, self.deeper(loop)),)

    def by_length(self, loop: Loop, lists: Lists) -> ir.Block:
        """A loop whose options are as many as its items."""
        size = self.fresh("j")
        number = ir.Local(NUMBER)
        inner, last = inner_loop(loop), loop.body[-1]
        if inner is not None:  # the k-th of the pairs
            width, at = self.fresh("e"), self.fresh("i")
            body: ir.Block = (
                ir.Set(width, total_length(inner, lists, self.rows)),
                ir.Divide(at, NUMBER, number, ir.Local(width)),
                *bind_nth_item(loop, at, lists),
                *self.block(loop.body),
            )
        else:
            assert isinstance(last, ir.Yield)
            body = (*bind_nth_item(loop, NUMBER, lists), *loop.body[:-1], return_option(last.values))
        return (
            ir.Set(size, total_length(loop, lists, self.rows)),
            ir.Branch(ir.Compare("<", number, ir.Local(size)), body),
            decrease(NUMBER, ir.Local(size)),
        )


def return_option(values: tuple[ir.Expr, ...]) -> ir.Stmt:
    """What a decoder answers."""
    if not values:
        return ir.Return(ir.Const(0))
    return ir.Return(values[0]) if len(values) == 1 else ir.ReturnMany(values)


def under_tests(tests: tuple[ir.Expr, ...], block: ir.Block) -> ir.Block:
    """The block under those of the tests that are not certain."""
    asked = tuple(test for test in tests if not isinstance(test, ir.Const) or not test.value)
    if not asked:
        return block
    return (ir.Branch(asked[0] if len(asked) == 1 else ir.Logic("and", asked), block),)


# ---- fused enumerators

FusedRows = Mapping[str, tuple[tuple[int, ...], ...]]


@record
class ListCapacity:
    """What the lists of a target hold. `tuples`: options that are kept as they are counted, so that none has to be
    found again; `rounds`: of an enumerator's outermost loop, whose counts are noted. Beyond them, the decoder goes
    through all again. 0: lists grow as they need."""

    tuples: int = 0
    rounds: int = 0


#: A list that grows as it needs.
GROWING = ListCapacity()


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
class FusedSource:
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

    def __init__(self, fresh: FreshNames, rows: FusedRows, room: ListCapacity, compels: str = "") -> None:
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
    ) -> FusedSource:
        """Count one source too. `alone`: it is the only one, so its options may be kept in their order."""
        self.given |= {arg.name for arg in args if isinstance(arg, ir.Local)}
        keeps = bool(shape.arity) and (shape.single or (alone and shape.flat))
        found = FusedSource(self.fresh("n"))
        if keeps:
            found = FusedSource(kept=self.fresh("o"))
            self.lists.append(ir.NewTuples(found.kept, shape.arity, self.room.tuples))
        elif shape.memo is not None:
            found = FusedSource(found.count, self.fresh("q"), self.fresh("b"))
            self.lists.append(ir.NewList(found.notes, 2 * self.room.rounds, few=True))
        self.zeros += filter(None, (found.count, found.before))
        adapted = _BodyAdapter(self, function, shape, args, hoisted, found).block(function.body)
        if (keeps and not shape.single) or any(isinstance(s, ir.Return) for s in all_statements(function.body)):
            self.block += adapted
        else:
            _merge_block(self.block, list(adapted))
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
            return (increase(stmt.count, ONE), *self.asked(stmt, ONE))
        made, lists = distinct_lists((stmt.loop,), {}, self.fresh)
        size = total_length(stmt.loop, lists, self.rows)
        if stmt.compels is None:
            return (*made, increase(stmt.count, size))
        name = self.fresh("j")
        here = ir.Local(name)
        return (*made, ir.Set(name, size), increase(stmt.count, here), *self.asked(stmt, here))

    def asked(self, stmt: _Tally, any_: ir.Expr) -> ir.Block:
        return () if stmt.compels is None else under_tests((any_, stmt.compels), (ir.Set(self.compels, ONE),))

    def note(self, stmt: _Note) -> ir.Block:
        """Keep a round's count for the decoder."""
        count = ir.Local(stmt.count)
        kept: ir.Block = (ir.Append(stmt.notes, count), ir.Append(stmt.notes, stmt.item))
        if self.room.rounds:
            kept = (ir.Branch(ir.Compare("<", ir.Length(stmt.notes), ir.Const(2 * self.room.rounds)), kept),)
        test = ir.Compare(">", count, ir.Local(stmt.before))
        return (ir.Branch(test, (ir.Set(stmt.before, count), *kept)),)


class _BodyAdapter(PlacedBody):
    """One enumerator's body for the place where it is counted."""

    def __init__(
        self, fusion: Fusion, function: ir.Function, shape: Shape, args: tuple[ir.Expr, ...],
        hoisted: Mapping[tuple[ir.Expr, str], str], names: FusedSource,
    ) -> None:  # fmt: skip
        super().__init__(function, args, fusion.fresh)
        self.fusion, self.shape, self.hoisted, self.names = fusion, shape, hoisted, names

    def block(self, block: ir.Block) -> ir.Block:
        return tuple(map(self.statement, block))

    def statement(self, stmt: ir.Stmt) -> Any:
        if isinstance(stmt, ir.Yield):
            values = tuple(self.expr(v) for v in stmt.values) if self.names.kept else ()
            return _Tally(self.names.count, self.compels(stmt.compels), None, self.names.kept, values)
        if isinstance(stmt, FOR_LOOPS) and is_counted_by_length(stmt) and not self.names.kept:
            last = stmt.body[-1]
            compels = self.compels(last.compels) if isinstance(last, ir.Yield) else None
            head: Loop = self.own(replace(stmt, body=()))
            return _Tally(self.names.count, compels, replace(head, body=self.inner_lengths(stmt)))
        found = with_blocks(self.own(stmt), self.block)
        if stmt is self.shape.memo and self.names.notes:
            assert isinstance(found, FOR_LOOPS)
            note = _Note(self.names.count, self.names.notes, self.names.before, ir.Local(found.name))
            return replace(found, body=_with_note(found.body, note))
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


def _with_note(body: ir.Block, note: _Note) -> ir.Block:
    """A round's note stands where all of its options do: inside of the tests that they share."""
    if len(body) == 1 and isinstance(body[0], ir.Branch) and not body[0].otherwise:
        return (ir.Branch(body[0].test, _with_note(body[0].then, note)),)
    return (*body, cast(ir.Stmt, note))


def _merge_block(into: list[Any], block: list[Any]) -> None:
    """Put a block behind another; what goes over the same things, or tests the same, is joined."""
    for at, stmt in enumerate(block):
        place = None
        if not any(assigned_locals(s) for s in block[:at] if not isinstance(s, (_Tally, _Note, *FOR_LOOPS))):
            place = next((i for i, other in enumerate(into) if _are_same_loop(other, stmt)), None)
        if place is None:
            into.append(stmt)
            continue
        other = into[place]
        if isinstance(stmt, ir.Branch):
            then = list(other.then)
            _merge_block(then, list(stmt.then))
            into[place] = ir.Branch(other.test, tuple(then))
        else:
            body = list(other.body)
            _merge_block(body, list(rename_loop_local(stmt, other.name).body))
            into[place] = replace(other, body=tuple(body))


def _are_same_loop(one: Any, other: Any) -> bool:
    if isinstance(one, ir.Branch):
        return isinstance(other, ir.Branch) and one.test == other.test and not one.otherwise and not other.otherwise
    if not isinstance(one, FOR_LOOPS) or type(one) is not type(other) or _leaves_loop(one) or _leaves_loop(other):
        return False
    return replace(one, name="", body=()) == replace(other, name="", body=())


def _leaves_loop(loop: Loop) -> bool:
    return any(isinstance(s, (ir.Break, ir.Continue)) for s in all_statements(loop.body))


def rename_loop_local(stmt: Any, name: str) -> Any:
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


def counter_function(function: ir.Function, shape: Shape, rows: FusedRows) -> ir.Function:
    """`E#count` (see `enumerators`)."""
    compels, fresh = "@m" if shape.compels else "", FreshNames()
    fusion = Fusion(fresh, rows, GROWING, compels)
    kept = replace(shape, memo=None, flat=False, single=False)  # one that nothing is kept of
    hoisted = dict(zip(shape.hoisted, list_params(shape), strict=True))
    count = fusion.add(function, kept, tuple(map(ir.Local, function.params)), hoisted).number
    told = ir.If(ir.Local(compels), ir.Arith("-", ir.Const(0), count), count) if compels else count

    def ended(block: ir.Block) -> ir.Block:
        return tuple(ir.Return(told) if isinstance(s, ir.Return) else with_blocks(s, ended) for s in block)

    head: ir.Block = (ir.Set(compels, ir.Const(0)),) if compels else ()
    body = (*head, *ended(fusion.statements()), ir.Return(told))
    return derive_function(function, shape, count_name(function.name), (), body)


def is_fusible(function: ir.Function, shape: Shape) -> bool:
    """True if an enumerator can be counted in the place where it is asked."""
    inside = list(all_statements(function.body))
    if function.lists or any(
        isinstance(s, (ir.Return, ir.Tick)) or (isinstance(s, ir.While) and s.budget) for s in inside
    ):
        return False
    noted = inside if shape.memo is None else list(all_statements(shape.memo.body))
    return sum(isinstance(s, ir.Yield) for s in noted) == sum(isinstance(s, ir.Yield) for s in inside)


# ---- counting

ZERO = ir.Const(0)
#: Tags of a decision: pass, and nothing to choose.
PASS, NOTHING = -1, -2


@dataclass(slots=True)
class Enumerators:
    """The enumerators of a module, and the functions made of them so far. `lines`: by the column that links a line of
    things, how many there may be, where lists are quicker."""

    functions: Mapping[str, ir.Function]
    shapes: dict[str, Shape]
    rows: dict[str, tuple[tuple[int, ...], ...]]
    tables: dict[str, tuple[int, ...]]
    room: ListCapacity
    lines: dict[int, int]
    made: dict[str, ir.Function] = field(default_factory=dict)
    origin: dict[str, str] = field(default_factory=dict)  # by function made, the enumerator

    def count(self, name: str) -> str:
        """The function that counts an enumerator's options."""
        made = count_name(name)
        if made not in self.made:
            self.keep(made, name, counter_function(self.functions[name], self.shapes[name], self.rows))
        return made

    def nth(self, function: ir.Function, noted: bool = False) -> ir.Function:
        """The function that finds an option of an enumerator again, which need not be one of the module."""
        made = nth_name(function.name, noted)
        if made not in self.made:
            facts = self.shapes.get(function.name) or shape_of(function)
            self.keep(made, function.name, decoder_function(function, facts, self.rows, noted, not self.room.rounds))
        return self.made[made]

    def keep(self, name: str, enumerator: str, function: ir.Function) -> None:
        self.made[name], self.origin[name] = function, enumerator


@dataclass(slots=True)
class CountedSource:
    """One source after its count; `take` tells what stores the values of its option `k` in these locals."""

    tag: int
    count: ir.Expr
    take: Callable[[ir.Expr, tuple[str, ...]], ir.Block]
    arity: int


@record
class CountedDecision:
    """`count` leaves in the local `total` how many options there are but pass, and `more` adds that. `take` stores the
    option whose number is in the local `number`: it expects that there is one. `passes`: pass is always among them."""

    total: str
    number: str
    count: ir.Block
    more: ir.Block
    take: ir.Block
    passes: bool


def count_and_take(stmt: ir.Pick, known: Enumerators, fresh: FreshNames, inline: bool) -> CountedDecision:
    """The decision in two halves. `inline`: enumerators are counted in place, not by calls: larger, and faster."""
    total, number = fresh("t"), fresh("k")
    compels = ""
    head: ir.Block = ()
    if may_compel(stmt, known.shapes):
        compels = fresh("m")
        head = (ir.Set(compels, ZERO),)
    counts, counted = count_sources(stmt, known, fresh, inline, compels)
    whole: ir.Expr = ZERO
    for each in counted:
        whole = sum_of(whole, each.count)
    more = under_pass_test(stmt, compels, (ir.Set(total, sum_of(ir.Local(total), ONE)),))
    passes = stmt.may_pass == ONE and not compels
    take = take_option(stmt, counted, number)
    return CountedDecision(total, number, (*head, *counts, ir.Set(total, whole)), more, take, passes)


def under_pass_test(stmt: ir.Pick, compels: str, block: ir.Block) -> ir.Block:
    """The block where one may pass. `compels`: the local that tells whether an option forbids that; "" if none does."""
    if stmt.may_pass == ZERO:
        return ()
    return under_tests((*((ir.Not(ir.Local(compels)),) if compels else ()), stmt.may_pass), block)


def count_sources(
    stmt: ir.Pick, known: Enumerators, fresh: FreshNames, inline: bool, compels: str
) -> tuple[ir.Block, list[CountedSource]]:
    """What counts every source, and where its count is."""
    found: list[CountedSource] = []
    before: list[ir.Stmt] = []
    after: list[ir.Stmt] = []
    fusion = Fusion(fresh, known.rows, known.room, compels)
    hoisted: dict[tuple[ir.Expr, str], str] = {}
    for source in stmt.sources:
        function, facts = known.functions[source.enumerator], known.shapes[source.enumerator]
        named: dict[tuple[ir.Expr, str], str] = {}
        for zone, table in facts.hoisted:
            key = (substitute(zone, function.params, source.args), table)
            if key not in hoisted:
                hoisted[key] = fresh("h")
                before.append(ir.DistinctList(hoisted[key], *key))
            named[zone, table] = hoisted[key]
        args = tuple(_repeatable_argument(arg, fresh, before) for arg in source.args)
        lists = tuple(map(ir.Local, named.values()))
        if inline and is_fusible(function, facts):
            alone = len(stmt.sources) == 1
            fused = fusion.add(function, facts, args, named, alone)
            again = _ask_nth(known, source, args, lists, fused.notes)
            if fused.kept:
                count = fresh("n")
                after.append(ir.Set(count, fused.number))
                take = _read_kept(fused.kept, ir.Local(count), known.room, again)
                found.append(CountedSource(source.tag, ir.Local(count), take, facts.arity))
            else:
                found.append(CountedSource(source.tag, fused.number, again, facts.arity))
            continue
        count = fresh("n")
        before.append(ir.Set(count, ir.Call(known.count(source.enumerator), (*args, *lists))))
        if facts.compels:
            here: ir.Block = (ir.Set(count, ir.Arith("-", ZERO, ir.Local(count))),)
            here = (*here, ir.Set(compels, ONE)) if compels else here
            before.append(ir.Branch(ir.Compare("<", ir.Local(count), ZERO), here))
        found.append(CountedSource(source.tag, ir.Local(count), _ask_nth(known, source, args, lists, ""), facts.arity))
    return (*before, *fusion.statements(), *after), found


def _repeatable_argument(arg: ir.Expr, fresh: FreshNames, before: list[ir.Stmt]) -> ir.Expr:
    """An argument that can be told twice."""
    if isinstance(arg, (ir.Local, ir.Const)):
        return arg
    name = fresh("a")
    before.append(ir.Set(name, arg))
    return ir.Local(name)


def _ask_nth(
    known: Enumerators, source: ir.Source, args: tuple[ir.Expr, ...], lists: tuple[ir.Expr, ...], notes: str
) -> Callable[[ir.Expr, tuple[str, ...]], ir.Block]:
    """Ask the enumerator again."""

    def take(number: ir.Expr, targets: tuple[str, ...]) -> ir.Block:
        if not known.shapes[source.enumerator].arity:
            return ()
        function = known.nth(known.functions[source.enumerator], bool(notes))
        first = (number, ir.Local(notes)) if notes else (number,)
        return (call_decoder(function, (*first, *args, *lists), targets),)

    return take


def call_decoder(function: ir.Function, args: tuple[ir.Expr, ...], targets: tuple[str, ...]) -> ir.Stmt:
    """Store what a decoder answers."""
    if function.results == 1:
        return ir.Set(targets[0], ir.Call(function.name, args))
    return ir.CallPure(function.name, args, targets[: function.results])


def _read_kept(
    kept: str, count: ir.Expr, room: ListCapacity, again: Callable[[ir.Expr, tuple[str, ...]], ir.Block]
) -> Callable[[ir.Expr, tuple[str, ...]], ir.Block]:
    """Read the option, if it was kept."""

    def take(number: ir.Expr, targets: tuple[str, ...]) -> ir.Block:
        read: ir.Block = (ir.ReadTuple(kept, number, targets),)
        if not room.tuples:
            return read
        few = ir.Compare("<=", count, ir.Const(room.tuples))
        return (ir.Branch(few, read, again(number, targets)),)

    return take


# ---- taking


def take_option(stmt: ir.Pick, counted: list[CountedSource], number: str) -> ir.Block:
    """Set the tag and the targets to the option with that number."""

    def take(each: CountedSource) -> ir.Block:
        return (*each.take(ir.Local(number), stmt.targets[: each.arity]), *store_option(stmt, each.tag, each.arity))

    parts = [(each.count, partial(take, each)) for each in counted]
    return dispatch_by_number(number, parts, store_option(stmt, PASS, 0) if stmt.may_pass != ZERO or not parts else ())


def dispatch_by_number(
    number: str, parts: Sequence[tuple[ir.Expr, Callable[[], ir.Block]]], behind: ir.Block
) -> ir.Block:
    """What stands beside the count into which a number falls: it is counted down from one to the next. `behind`: what
    is done if it falls into none; where that is nothing, it falls into the last one."""
    found, k = behind, ir.Local(number)
    for at, (count, take) in reversed(list(enumerate(parts))):
        found = (ir.Branch(ir.Compare("<", k, count), take(), found),) if found else take()
        if at:
            found = (ir.Set(number, difference_of(k, parts[at - 1][0])), *found)
    return found


def store_option(stmt: ir.Pick, tag: int, arity: int) -> ir.Block:
    """Set the tag, and the targets that the option has no value for to 0."""
    return (*(ir.Set(name, ZERO) for name in stmt.targets[arity:]), ir.Set(stmt.tag, ir.Const(tag)))


# ---- on the spot


def count_decision(stmt: ir.Pick) -> ir.Stmt:
    return ir.Decided(stmt.site, ZERO if stmt.player is None else stmt.player)


def draw_number(name: str, below: ir.Expr, chance: bool = False) -> ir.Stmt:
    return ir.Random(name, below, policy=not chance)


def decide_at_once(stmt: ir.Pick, choice: CountedDecision) -> ir.Block:
    """The decision taken by the policy's generator; of a chance pick, by the game's."""
    total, number = ir.Local(choice.total), choice.number
    drawn: ir.Block = (draw_number(number, total, stmt.chance),)
    if not stmt.chance:
        drawn = (count_decision(stmt), *drawn)
    only: ir.Block = (ir.Set(number, ZERO),)
    if not stmt.chance:
        only = (*only, ir.Forced(stmt.site))
    taken: ir.Block = (ir.Branch(ir.Compare(">", total, ONE), drawn, only), *choice.take)
    if stmt.may_pass == ONE and not stmt.chance:  # there is always something to take
        some = (*drawn, *choice.take) if choice.passes else taken
        return (*choice.count, ir.Branch(total, (*choice.more, *some), pass_only(stmt)))
    return (*choice.count, *choice.more, ir.Branch(total, taken, store_option(stmt, NOTHING, 0)))


def pass_only(stmt: ir.Pick) -> ir.Block:
    """Pass as the one option."""
    return (*store_option(stmt, PASS, 0), ir.Forced(stmt.site))
