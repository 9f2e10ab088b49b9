"""Trials: what of an action is run on a copy of the state to see whether all that it ensures holds.

A trial ends where no `ensure` can be reached any more. So `try_R` is `do_R` up to there: what comes after it may ask,
roll and draw. Where an `ensure` may still follow upon a call, the whole `do_R` is run.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from rulelang.base.node import record
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import LOOPS, all_exprs, rewrite_exprs, statements, with_blocks
from rulelang.compiler.lower.context import Lowering
from rulelang.compiler.lower.expr.calls import do_function, event_params
from rulelang.compiler.lower.expr.roles import roles_of
from rulelang.compiler.lower.requests import Ensuring
from rulelang.compiler.lower.routines.performing import perform
from rulelang.language.semantics import tree


@record
class _Tried:
    """Names the routine that is run to try an action."""

    action: str


@record
class _Shortened:
    """Names what a routine is up to its last `ensure`."""

    routine: str


def tries(action: tree.Action, low: Lowering) -> bool:
    """Whether an `ensure` may be reached, so that the action must be tried first."""
    return action.id in low.graph.ensuring


def trial(action: tree.Action, low: Lowering) -> str:
    """The routine to be tried: the action with all that its player's choice of it does."""
    key = _Tried(action.id)
    if key not in low.names:
        params = (*roles_of(action.id, low), *(f"a{k}" for k in range(len(event_params(action.id, low)))))
        done = perform(action, tuple(ir.Local(p) for p in params), low)
        name = do_function(action.id, low)
        if len(done) > 1:
            name = low.unique(f"tried_{action.id}")
            low.function(name, "routine", params, done, f"try {action.id}", action.span)
        low.names[key] = name
    return low.names[key]


def shorten(low: Lowering) -> None:
    """Lets every trial end in time, once all functions are lowered."""
    if not any(isinstance(key, _Tried) for key in low.names):
        return  # nothing is tried
    shorter = _Shorter(low)
    for name, function in list(low.functions.items()):
        if name not in low.shortened and _holds_trial(function.body):
            body = shorter.trials(function.body, function.kind == "routine")
            low.functions[name] = replace(function, body=body)
    shorter.finish()
    low.shortened.update(low.functions)


def _holds_trial(block: ir.Block) -> bool:
    return any(
        (isinstance(stmt, ir.BlameCall) and stmt.trial) or any(isinstance(e, ir.Trial) for e in all_exprs(stmt))
        for stmt in statements(block)
    )


class _Shorter:
    def __init__(self, low: Lowering) -> None:
        self.low = low
        self.functions = low.functions
        self.waiting: list[str] = []
        # What an offer leads to has been tried for itself before it is offered.
        self.offered = {do_function(action, low) for action in low.program.actions}
        self.trying = {name for key, name in low.names.items() if isinstance(key, _Tried)}
        self.trying |= {name for name, asked in low.requests.items() if isinstance(asked, Ensuring)}
        self.shorter = {name for key, name in low.names.items() if isinstance(key, _Shortened)}

    @cached_property
    def reach(self) -> set[str]:
        """The routines that may come to an `ensure`."""
        callers: dict[str, set[str]] = {}
        found: set[str] = set()
        for name, function in self.functions.items():
            for stmt in statements(function.body):
                if isinstance(stmt, ir.Ensure):
                    found.add(name)
                elif isinstance(stmt, ir.CallRoutine | ir.BlameCall) and self.goes_on(name, stmt.function):
                    callers.setdefault(stmt.function, set()).add(name)
        waiting = list(found)
        while waiting:
            more = callers.get(waiting.pop(), set()) - found
            found |= more
            waiting.extend(more)
        return found

    def goes_on(self, caller: str, function: str) -> bool:
        """Whether a trial goes on in a routine that is called."""
        return function not in self.offered or caller in self.trying

    def trials(self, block: ir.Block, in_trial: bool) -> ir.Block:
        """The block, with shorter trials in it. `in_trial`: what is to blame there ends the trial that is going on."""

        def expr(e: ir.Expr) -> ir.Expr:
            return ir.Trial(self.short(e.function), e.args) if isinstance(e, ir.Trial) else e

        def one(stmt: ir.Stmt) -> ir.Stmt:
            if isinstance(stmt, ir.BlameCall) and stmt.trial:
                stmt = replace(stmt, function=self.short(stmt.function))
                if in_trial:  # the same once more: what fails there ends this one too, in its own words
                    again = ir.CallRoutine(stmt.function, stmt.args)
                    return ir.Branch(ir.Trial(stmt.function, stmt.args), (), (again,))
            return with_blocks(rewrite_exprs(stmt, expr), lambda inner: self.trials(inner, in_trial))

        return tuple(map(one, block))

    def short(self, name: str) -> str:
        """The name of the routine that ends in time."""
        if name in self.shorter:
            return name
        key = _Shortened(name)
        if key not in self.low.names:
            self.low.names[key] = shorter = self.low.unique(f"try_{name.removeprefix('do_')}")
            self.shorter.add(shorter)
            if name in self.reach:
                self.reach.add(shorter)
            self.waiting.append(name)
        return self.low.names[key]

    def finish(self) -> None:
        """Writes the routines that have been named, and those that they name."""
        while self.waiting:
            name = self.waiting.pop()
            function, shorter = self.functions[name], self.short(name)
            body, _ = _Body(self, name).block(function.body, False, False, False)
            self.functions[shorter] = replace(function, name=shorter, body=body)


class _Body:
    """Shortens the body of a routine upon which no `ensure` follows."""

    def __init__(self, routines: _Shorter, name: str) -> None:
        self.routines = routines
        self.name = name

    def block(self, block: ir.Block, ahead: bool, leaving: bool, going_on: bool) -> tuple[ir.Block, bool]:
        """The block up to where no `ensure` can be reached, and whether one can from its start.

        `ahead`: whether one can be reached behind it; `leaving`, `going_on`: from where `Break` and `Continue` lead.
        """
        out: list[ir.Stmt] = []
        for stmt in reversed(block):
            shorter, ahead = self.stmt(stmt, ahead, leaving, going_on)
            if ahead:
                out.append(shorter)
            else:
                out = [ir.Return()]
        return tuple(reversed(out)), ahead

    def stmt(self, stmt: ir.Stmt, ahead: bool, leaving: bool, going_on: bool) -> tuple[ir.Stmt, bool]:
        match stmt:
            case ir.Ensure():
                return stmt, True
            case ir.CallRoutine(function, args) if self.ensures(stmt):
                return (stmt if ahead else ir.CallRoutine(self.routines.short(function), args)), True
            case ir.Return():
                return stmt, False
            case ir.Break():
                return stmt, leaving
            case ir.Continue():
                return stmt, going_on
            case ir.Branch():
                then, first = self.block(stmt.then, ahead, leaving, going_on)
                otherwise, second = self.block(stmt.otherwise, ahead, leaving, going_on)
                return ir.Branch(stmt.test, then, otherwise), first or second
            case _ if isinstance(stmt, LOOPS):
                again = ahead or any(map(self.ensures, statements(stmt.body)))
                return with_blocks(stmt, lambda body: self.block(body, again, ahead, again)[0]), again
            case _:
                return stmt, ahead

    def ensures(self, stmt: ir.Stmt) -> bool:
        """Whether a statement is an `ensure`, or a call that may come to one."""
        if isinstance(stmt, ir.CallRoutine):
            return stmt.function in self.routines.reach and self.routines.goes_on(self.name, stmt.function)
        return isinstance(stmt, ir.Ensure)


__all__ = ["shorten", "trial", "tries"]
