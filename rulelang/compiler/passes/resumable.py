"""Routines that wait as plain statements over their frames (see `passes.suspension`), for targets without jumps.

A resumable routine has two locals more. `@sp`: where its frame lies. `@pc`: 0 if it runs; else the point that it goes
back to, as it was called for that. On the way back every head that leads to the point is entered by its number, what
lies before the point is skipped, and at the point the locals are loaded and `@pc` becomes 0. Points are numbered in the
order of the text, so a comparison tells which way leads to one.

For each decision there are two functions more, so that asking for its options enters no routine again: a lister, of the
locals that the options depend on, and a relister, which loads these from the frame that waits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rulelang.base.node import record
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import all_statements, conjunction_of, locals_read, with_blocks
from rulelang.compiler.passes.choice.counting import NOTHING, PASS, store_option, under_pass_test
from rulelang.compiler.passes.choice.shapes import ONE, Shape, may_compel, sum_of
from rulelang.compiler.passes.suspension import DEPTH, TURNS, Frame, Slot, SuspensionPoint

SP, PC = "@sp", "@pc"
_NUMBER, _COUNT, _COMPELS, _TURNS = "@k", "@n", "@m", "@turns"
_SP, _PC, _ZERO = ir.Local(SP), ir.Local(PC), ir.Const(0)


@record
class DecisionPoint:
    """What is asked at the point `pc`. `pick`: the decision; None for a stop."""

    pc: int
    pick: ir.Pick | None
    lister: ir.Function
    relister: ir.Function


class Resumable:
    """Makes the resumable form of a routine: `function`. `decisions`: those at which it waits. `plain`: the routine of
    the frame with its chances as plain statements; `direct`: whether it calls the direct forms of routines where
    decisions are taken at random."""

    def __init__(
        self, frame: Frame, plain: ir.Function, module: ir.Module, shapes: Mapping[str, Shape], direct: bool
    ) -> None:
        self.frame, self.module, self.shapes, self.direct = frame, module, shapes, direct
        self.span, self.cells = plain.span, module.layout.cells
        self.decisions: list[DecisionPoint] = []
        self.turns = False
        body = self.block(plain.body)
        head: ir.Block = (ir.Set(_TURNS, _ZERO),) if self.turns else ()
        self.function = replace(plain, body=(*head, *body))

    # ---- frames

    def wait(self, point: SuspensionPoint, site: int, player: ir.Expr) -> ir.Block:
        cells = self.cells
        asked = ((cells.frame, _SP), (cells.site, ir.Const(site)), (cells.decider, player))
        return (*(ir.Store(at, None, value) for at, value in asked), *self.save(point), ir.Pause())

    def save(self, point: SuspensionPoint) -> ir.Block:
        full = ir.Compare(">", _SP, ir.Const(self.module.layout.size - self.frame.size))
        found: list[ir.Stmt] = [
            ir.Branch(full, (ir.Exhausted("stack", self.span),)),
            ir.Store(0, _SP, ir.Const(point.pc)),
        ]
        for slot in point.slots:
            if slot.capacity is None:
                found.append(ir.Store(slot.offset, _SP, ir.Local(slot.name)))
            else:
                found.append(ir.ListToArray(sum_of(_SP, ir.Const(slot.offset)), slot.name))
        return tuple(found)

    def back(self, first: ir.Block, point: SuspensionPoint, then: ir.Block, later: bool) -> ir.Stmt:
        """What is done when control comes to a point, or else goes back to it. `later`: or to one behind it."""
        found: ir.Block = (ir.Point(point.pc), *map(_load_slot, point.slots), ir.Set(PC, _ZERO), *then)
        if later:
            found = (ir.Branch(ir.Compare("==", _PC, ir.Const(point.pc)), found),)
        return ir.Branch(ir.Not(_PC), first, found)

    # ---- blocks

    def points(self, *blocks: ir.Block) -> list[int]:
        """The points in the blocks that can be reached, in order."""
        points = self.frame.points
        return [points[id(s)].pc for block in blocks for s in all_statements(block) if id(s) in points]

    def block(self, block: ir.Block) -> ir.Block:
        pausing = [at for at, stmt in enumerate(block) if self.points((stmt,))]
        found: list[ir.Stmt] = []
        done = 0
        for at in pausing:
            if at > done:
                found.append(ir.Branch(ir.Not(_PC), self.running(block[done:at])))
            found.append(self.pausing(block[at], later=at != pausing[-1]))
            done = at + 1
        return (*found, *self.running(block[done:]))

    def running(self, block: ir.Block) -> ir.Block:
        """Statements without a point. The turns of their loops are counted, too."""
        return tuple(
            replace(inner, body=(*self.turn(), *inner.body))
            if isinstance(inner, ir.While) and not inner.budget
            else inner
            for inner in (with_blocks(stmt, self.running) for stmt in block)
        )

    def turn(self) -> ir.Block:
        self.turns = True
        most = ir.Const(self.module.limits["steps"] * TURNS)
        many = ir.Compare(">", ir.Local(_TURNS), most)
        return (
            ir.Set(_TURNS, sum_of(ir.Local(_TURNS), ONE)),
            ir.Branch(many, (ir.Exhausted("steps", self.span),)),
        )

    def pausing(self, stmt: ir.Stmt, later: bool) -> ir.Stmt:
        """A statement with points in it; `later`: more of them follow in its block."""
        match stmt:
            case ir.Pick():
                return self.ask(stmt, self.frame.points[id(stmt)], later)
            case ir.Stop():
                return self.stop(stmt, self.frame.points[id(stmt)], later)
            case ir.CallRoutine():
                return self.call(stmt, self.frame.points[id(stmt)], later)
            case ir.Branch():
                found = self.fork(stmt)
            case ir.While():
                found = self.loop(stmt)
            case _:
                raise AssertionError(stmt)
        return ir.Branch(ir.Compare("<=", _PC, ir.Const(self.points((stmt,))[-1])), (found,)) if later else found

    def loop(self, stmt: ir.While) -> ir.Stmt:
        endless = isinstance(stmt.test, ir.Const) and stmt.test.value
        head = (ir.Branch(ir.Not(_PC), (ir.Tick(stmt.span),)),) if stmt.budget else self.turn()
        test = stmt.test if endless else ir.Logic("or", (_PC, stmt.test))
        return ir.While(test, (*head, *self.block(stmt.body)))

    def fork(self, stmt: ir.Branch) -> ir.Stmt:
        then, otherwise = self.points(stmt.then), self.points(stmt.otherwise)
        if not then:  # only the other way may pause: tell it first
            stmt = ir.Branch(ir.Not(stmt.test), stmt.otherwise, stmt.then)
            then, otherwise = otherwise, []
        test: ir.Expr = ir.Logic("or", (_PC, stmt.test))
        if otherwise:
            test = ir.If(_PC, ir.Compare("<=", _PC, ir.Const(then[-1])), stmt.test)
        return ir.Branch(test, self.block(stmt.then), self.block(stmt.otherwise))

    # ---- points

    def ask(self, stmt: ir.Pick, point: SuspensionPoint, later: bool) -> ir.Stmt:
        assert stmt.player is not None
        lister = self.decide(point, stmt)
        function, args = lister.name, tuple(map(ir.Local, lister.params))
        targets, count = (stmt.tag, *stmt.targets), ir.Local(_COUNT)
        several, random = ir.Compare(">", count, ONE), ir.Mode("random")
        decided: ir.Block = (ir.Decided(stmt.site, stmt.player), ir.Random(_NUMBER, count, policy=True))
        counted: ir.Block = (ir.Add(self.cells.decisions, None, ONE), ir.Store(self.cells.steps, None, _ZERO))
        one: ir.Block = (ir.Set(_NUMBER, _ZERO), ir.Forced(stmt.site))
        waits = ir.Logic("or", (ir.Logic("and", (several, ir.Not(random))), ir.Mode("stepping")))
        some: ir.Block = (
            ir.Branch(several, (ir.Branch(random, decided, counted),), one),
            ir.Branch(waits, self.wait(point, stmt.site, stmt.player)),
            ir.Take(function, args, ir.Local(_NUMBER), targets),
        )
        first: ir.Block = (ir.Ask(_COUNT, function, args), ir.Branch(count, some, store_option(stmt, NOTHING, 0)))
        return self.back(first, point, (ir.Take(function, args, None, targets),), later)

    def stop(self, stmt: ir.Stop, point: SuspensionPoint, later: bool) -> ir.Stmt:
        self.decisions.append(DecisionPoint(point.pc, None, _STOPPED, _regenerator(_STOPPED, ())))
        stepping = ir.Compare("==", ir.Cell(self.cells.stepping), ONE)  # 2 asks what is forced, and stops nowhere
        stops = conjunction_of((ir.Mode("stepping"), stepping, ir.Not(ir.Cell(self.cells.seek))))
        told = ir.Ask(_COUNT, _STOPPED.name, ())
        return self.back((ir.Branch(stops, (told, *self.wait(point, stmt.site, _ZERO))),), point, (), later)

    def call(self, stmt: ir.CallRoutine, point: SuspensionPoint, later: bool) -> ir.Stmt:
        size = self.frame.size
        waits = (*self.save(point), ir.Store(size + 1, _SP, _SP), ir.Pause())
        answered: ir.Block = () if stmt.result is None else (ir.Answered(stmt.result),)
        first: ir.Block = (ir.EnterRoutine(stmt.function, stmt.args, sum_of(_SP, ir.Const(size)), waits), *answered)
        if self.direct:
            first = (ir.Branch(ir.Mode("random"), (stmt,), first),)
        return self.back(first, point, answered, later)

    def decide(self, point: SuspensionPoint, pick: ir.Pick) -> ir.Function:
        """The lister of a decision."""
        body = option_generator_body(pick, self.shapes)
        name = f"{self.frame.function.name}@{point.pc}"
        read = {local for stmt in all_statements(body) for local in locals_read(stmt)}
        slots = [slot for slot in point.slots if slot.name in read]
        params = tuple(slot.name for slot in slots)
        lists = frozenset(slot.name for slot in slots if slot.capacity is not None)
        recursive = self.frame.function.recursive
        lister = ir.Function(name, "lister", params, body, "", self.span, lists, recursive=recursive)
        loads = tuple(_load_slot(slot) for slot in point.slots if slot.name in (*params, DEPTH))
        self.decisions.append(DecisionPoint(point.pc, pick, lister, _regenerator(lister, loads)))
        return lister


#: The lister of all stops.
_STOPPED = ir.Function("@stop", "lister", (), (ir.Yield((ir.Const(PASS),)),), "")


def _regenerator(lister: ir.Function, loads: ir.Block) -> ir.Function:
    body = (*loads, ir.Ask(_COUNT, lister.name, tuple(map(ir.Local, lister.params))), ir.Pause())
    return replace(lister, name=f"{lister.name}@again", kind="relister", params=(SP,), lists=frozenset(), body=body)


def _load_slot(slot: Slot) -> ir.Stmt:
    if slot.capacity is None:
        return ir.Set(slot.name, ir.Cell(slot.offset, _SP))
    return ir.ArrayToList(slot.name, sum_of(_SP, ir.Const(slot.offset)), slot.capacity)


def option_generator_body(stmt: ir.Pick, shapes: Mapping[str, Shape]) -> ir.Block:
    """All options of a decision, one after the other."""
    compels = may_compel(stmt, shapes)
    found: list[ir.Stmt] = [ir.Set(_COMPELS, _ZERO)] if compels else []
    for source in stmt.sources:
        told = _COMPELS if compels and shapes[source.enumerator].compels else None
        found.append(ir.ListAll(source.tag, source.enumerator, source.args, told))
    return (*found, *under_pass_test(stmt, _COMPELS if compels else "", (ir.Yield((ir.Const(PASS),)),)))
