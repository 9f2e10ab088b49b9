"""A decision by counting: all options of its sources, pass included, then the one with the number drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from rulelang.base.node import record
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import substitute
from rulelang.compiler.passes.choice.enumerators import count_name, decoder, nth_name, when
from rulelang.compiler.passes.choice.fuse import Fusion, Room, counter, fusible
from rulelang.compiler.passes.choice.loops import ONE, Fresh, minus, plus
from rulelang.compiler.passes.choice.shapes import Shape, may_compel, shape

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
    room: Room
    lines: dict[int, int]
    made: dict[str, ir.Function] = field(default_factory=dict)
    origin: dict[str, str] = field(default_factory=dict)  # by function made, the enumerator

    def count(self, name: str) -> str:
        """The function that counts an enumerator's options."""
        made = count_name(name)
        if made not in self.made:
            self.keep(made, name, counter(self.functions[name], self.shapes[name], self.rows))
        return made

    def nth(self, function: ir.Function, noted: bool = False) -> ir.Function:
        """The function that finds an option of an enumerator again, which need not be one of the module."""
        made = nth_name(function.name, noted)
        if made not in self.made:
            facts = self.shapes.get(function.name) or shape(function)
            self.keep(made, function.name, decoder(function, facts, self.rows, noted, not self.room.rounds))
        return self.made[made]

    def keep(self, name: str, enumerator: str, function: ir.Function) -> None:
        self.made[name], self.origin[name] = function, enumerator


@dataclass(slots=True)
class Counted:
    """One source after its count; `take` tells what stores the values of its option `k` in these locals."""

    tag: int
    count: ir.Expr
    take: Callable[[ir.Expr, tuple[str, ...]], ir.Block]
    arity: int


@record
class Choice:
    """`count` leaves in the local `total` how many options there are but pass, and `more` adds that. `take` stores the
    option whose number is in the local `number`: it expects that there is one. `passes`: pass is always among them."""

    total: str
    number: str
    count: ir.Block
    more: ir.Block
    take: ir.Block
    passes: bool


def counting(stmt: ir.Pick, known: Enumerators, fresh: Fresh, inline: bool) -> Choice:
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
        whole = plus(whole, each.count)
    more = if_passing(stmt, compels, (ir.Set(total, plus(ir.Local(total), ONE)),))
    passes = stmt.may_pass == ONE and not compels
    take = taking(stmt, counted, number)
    return Choice(total, number, (*head, *counts, ir.Set(total, whole)), more, take, passes)


def if_passing(stmt: ir.Pick, compels: str, block: ir.Block) -> ir.Block:
    """The block where one may pass. `compels`: the local that tells whether an option forbids that; "" if none does."""
    if stmt.may_pass == ZERO:
        return ()
    return when((*((ir.Not(ir.Local(compels)),) if compels else ()), stmt.may_pass), block)


def count_sources(
    stmt: ir.Pick, known: Enumerators, fresh: Fresh, inline: bool, compels: str
) -> tuple[ir.Block, list[Counted]]:
    """What counts every source, and where its count is."""
    found: list[Counted] = []
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
        args = tuple(_simple(arg, fresh, before) for arg in source.args)
        lists = tuple(map(ir.Local, named.values()))
        if inline and fusible(function, facts):
            alone = len(stmt.sources) == 1
            fused = fusion.add(function, facts, args, named, alone)
            again = _nth(known, source, args, lists, fused.notes)
            if fused.kept:
                count = fresh("n")
                after.append(ir.Set(count, fused.number))
                take = _kept(fused.kept, ir.Local(count), known.room, again)
                found.append(Counted(source.tag, ir.Local(count), take, facts.arity))
            else:
                found.append(Counted(source.tag, fused.number, again, facts.arity))
            continue
        count = fresh("n")
        before.append(ir.Set(count, ir.Call(known.count(source.enumerator), (*args, *lists))))
        if facts.compels:
            here: ir.Block = (ir.Set(count, ir.Arith("-", ZERO, ir.Local(count))),)
            here = (*here, ir.Set(compels, ONE)) if compels else here
            before.append(ir.Branch(ir.Compare("<", ir.Local(count), ZERO), here))
        found.append(Counted(source.tag, ir.Local(count), _nth(known, source, args, lists, ""), facts.arity))
    return (*before, *fusion.statements(), *after), found


def _simple(arg: ir.Expr, fresh: Fresh, before: list[ir.Stmt]) -> ir.Expr:
    """An argument that can be told twice."""
    if isinstance(arg, (ir.Local, ir.Const)):
        return arg
    name = fresh("a")
    before.append(ir.Set(name, arg))
    return ir.Local(name)


def _nth(
    known: Enumerators, source: ir.Source, args: tuple[ir.Expr, ...], lists: tuple[ir.Expr, ...], notes: str
) -> Callable[[ir.Expr, tuple[str, ...]], ir.Block]:
    """Ask the enumerator again."""

    def take(number: ir.Expr, targets: tuple[str, ...]) -> ir.Block:
        if not known.shapes[source.enumerator].arity:
            return ()
        function = known.nth(known.functions[source.enumerator], bool(notes))
        first = (number, ir.Local(notes)) if notes else (number,)
        return (answers(function, (*first, *args, *lists), targets),)

    return take


def answers(function: ir.Function, args: tuple[ir.Expr, ...], targets: tuple[str, ...]) -> ir.Stmt:
    """Store what a decoder answers."""
    if function.results == 1:
        return ir.Set(targets[0], ir.Call(function.name, args))
    return ir.CallPure(function.name, args, targets[: function.results])


def _kept(
    kept: str, count: ir.Expr, room: Room, again: Callable[[ir.Expr, tuple[str, ...]], ir.Block]
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


def taking(stmt: ir.Pick, counted: list[Counted], number: str) -> ir.Block:
    """Set the tag and the targets to the option with that number."""

    def take(each: Counted) -> ir.Block:
        return (*each.take(ir.Local(number), stmt.targets[: each.arity]), *store(stmt, each.tag, each.arity))

    parts = [(each.count, partial(take, each)) for each in counted]
    return by_number(number, parts, store(stmt, PASS, 0) if stmt.may_pass != ZERO or not parts else ())


def by_number(number: str, parts: Sequence[tuple[ir.Expr, Callable[[], ir.Block]]], behind: ir.Block) -> ir.Block:
    """What stands beside the count into which a number falls: it is counted down from one to the next. `behind`: what
    is done if it falls into none; where that is nothing, it falls into the last one."""
    found, k = behind, ir.Local(number)
    for at, (count, take) in reversed(list(enumerate(parts))):
        found = (ir.Branch(ir.Compare("<", k, count), take(), found),) if found else take()
        if at:
            found = (ir.Set(number, minus(k, parts[at - 1][0])), *found)
    return found


def store(stmt: ir.Pick, tag: int, arity: int) -> ir.Block:
    """Set the tag, and the targets that the option has no value for to 0."""
    return (*(ir.Set(name, ZERO) for name in stmt.targets[arity:]), ir.Set(stmt.tag, ir.Const(tag)))


# ---- on the spot


def decided(stmt: ir.Pick) -> ir.Stmt:
    return ir.Decided(stmt.site, ZERO if stmt.player is None else stmt.player)


def draw(name: str, below: ir.Expr, chance: bool = False) -> ir.Stmt:
    return ir.Random(name, below, policy=not chance)


def on_the_spot(stmt: ir.Pick, choice: Choice) -> ir.Block:
    """The decision taken by the policy's generator; of a chance pick, by the game's."""
    total, number = ir.Local(choice.total), choice.number
    drawn: ir.Block = (draw(number, total, stmt.chance),)
    if not stmt.chance:
        drawn = (decided(stmt), *drawn)
    only: ir.Block = (ir.Set(number, ZERO),)
    if not stmt.chance:
        only = (*only, ir.Forced(stmt.site))
    taken: ir.Block = (ir.Branch(ir.Compare(">", total, ONE), drawn, only), *choice.take)
    if stmt.may_pass == ONE and not stmt.chance:  # there is always something to take
        some = (*drawn, *choice.take) if choice.passes else taken
        return (*choice.count, ir.Branch(total, (*choice.more, *some), passed(stmt)))
    return (*choice.count, *choice.more, ir.Branch(total, taken, store(stmt, NOTHING, 0)))


def passed(stmt: ir.Pick) -> ir.Block:
    """Pass as the one option."""
    return (*store(stmt, PASS, 0), ir.Forced(stmt.site))
