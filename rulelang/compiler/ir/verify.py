"""Is a module well formed? For tests and for looking into a lowering; a user's ruleset can never be the cause."""

from __future__ import annotations

from collections.abc import Callable

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.analysis import visit_with_known
from rulelang.compiler.ir.walk import (
    LOOPS,
    all_exprs,
    all_statements,
    assigned_locals,
    child_exprs,
    locals_read,
    returns_value,
)

_READING = (
    ir.Set, ir.Branch, *LOOPS, ir.Break, ir.Continue, ir.Return, ir.NewList, ir.Append, ir.ArrayToList, ir.TakeAt,
    ir.Sort, ir.KeepBest, ir.Fail, ir.Tick, ir.Divide, ir.CallPure, ir.ReturnMany, ir.Unreachable, ir.DistinctList,
    ir.NewTuples, ir.AppendTuple, ir.ReadTuple, ir.ArrayView, ir.Given,
)  # fmt: skip
_ALLOWED: dict[str, tuple[type, ...]] = {
    "pure": _READING,
    "why": (*_READING, ir.Blame, ir.BlameCall),
    "enumerator": (*_READING, ir.Yield),
    "lister": (*_READING, ir.Yield, ir.ListAll),
    "relister": (*_READING, ir.Ask, ir.Pause),
}
_ONLY_ELSEWHERE = (ir.Yield, ir.Blame, ir.BlameCall, ir.ListAll)


def verify(module: ir.Module) -> list[str]:
    """All that is wrong, in words; empty for a good module."""
    found: list[str] = []
    for name, function in module.functions.items():
        check = _Check(module, function, lambda text, name=name: found.append(f"{name}: {text}"))  # type: ignore[misc]
        check.run()
        if function.name != name:
            found.append(f"{name}: is called {function.name!r} inside")
    found += _entries(module)
    found += _trials(module)
    return found


def _trials(module: ir.Module) -> list[str]:
    """What is tried asks nobody and draws no lots."""
    every = [stmt for function in module.functions.values() for stmt in all_statements(function.body)]
    tried = {e.function for stmt in every for e in all_exprs(stmt) if isinstance(e, ir.Trial)}
    tried |= {stmt.function for stmt in every if isinstance(stmt, ir.BlameCall) and stmt.trial}
    waiting = sorted(tried & module.functions.keys())
    found: list[str] = []
    for name in waiting:
        for stmt in all_statements(module.functions[name].body):
            if isinstance(stmt, (ir.Pick, ir.Random, ir.ArrayShuffle)):
                found.append(f"{name}: {type(stmt).__name__} in a trial")
            elif isinstance(stmt, ir.CallRoutine) and stmt.function in module.functions.keys() - tried:
                tried.add(stmt.function)
                waiting.append(stmt.function)
    return found


def _entries(module: ir.Module) -> list[str]:
    wanted = [("main", module.main, "routine", 0)]
    if module.score in module.functions:
        wanted.append(("score", module.score, "pure", 1))
    wanted += [("tiebreak", name, "pure", 1) for name in module.tiebreak]
    wanted += [(f"invariant {title}", name, "pure", 0) for title, name, _ in module.invariants]
    wanted += [(f"why {key}", name, "why", -1) for key, name in module.why.items()]
    wanted += [(f"callable {key}", name, "routine", len(kinds)) for key, (name, kinds) in module.callable.items()]
    found: list[str] = []
    for what, name, kind, arity in wanted:
        function = module.functions.get(name)
        if function is None or function.kind != kind:
            found.append(f"{what}: no {kind} function {name!r}")
        elif arity >= 0 and len(function.params) != arity:
            found.append(f"{what}: {name!r} takes {len(function.params)} arguments, not {arity}")
    if len(module.initial) not in (0, module.layout.size):
        found.append(f"initial state of {len(module.initial)} words in a layout of {module.layout.size}")
    return found


class _Check:
    def __init__(self, module: ir.Module, function: ir.Function, say: Callable[[str], None]) -> None:
        self.module, self.function, self.say = module, function, say
        self.lists = set(function.lists)
        self.numbers: set[str] = set(function.params) - function.lists

    def run(self) -> None:
        function = self.function
        if len(set(function.params)) != len(function.params):
            self.say("two parameters have one name")
        if not function.lists <= set(function.params):
            self.say("a list parameter is no parameter")
        for stmt in all_statements(function.body):
            if isinstance(stmt, (ir.NewList, ir.ArrayToList, ir.DistinctList, ir.NewTuples, ir.ArrayView)):
                self.lists.add(stmt.name)
            else:
                self.numbers.update(assigned_locals(stmt))
        for name in sorted(self.lists & self.numbers):
            self.say(f"{name!r} is a number and a list")
        arities = {len(s.values) for s in all_statements(function.body) if isinstance(s, ir.Yield)}
        if len(arities) > 1:
            self.say("its options differ in length")
        self.jumps(function.body, False)
        visit_with_known(function.body, frozenset(function.params), self.statement)

    def jumps(self, block: ir.Block, inside: bool) -> None:
        for stmt in block:
            if isinstance(stmt, (ir.Break, ir.Continue)) and not inside:
                self.say(f"{type(stmt).__name__} outside of a loop")
            elif isinstance(stmt, ir.Branch):
                self.jumps(stmt.then, inside)
                self.jumps(stmt.otherwise, inside)
            elif isinstance(stmt, LOOPS):
                self.jumps(stmt.body, True)

    def statement(self, stmt: ir.Stmt, known: frozenset[str]) -> None:
        kind = self.function.kind
        allowed = _ALLOWED.get(kind)
        if (allowed is not None and not isinstance(stmt, allowed)) or (
            kind == "routine" and isinstance(stmt, _ONLY_ELSEWHERE)
        ):
            self.say(f"{type(stmt).__name__} in a {kind} function")
        bound = {stmt.name} if isinstance(stmt, (ir.Sort, ir.KeepBest)) else set()
        for name in sorted(locals_read(stmt) - known - bound):
            self.say(f"{name!r} has no value yet in {type(stmt).__name__}")
        self.list_use(stmt, known)
        for expr in all_exprs(stmt):
            self.expression(expr)
        match stmt:
            case ir.CallRoutine(function, args, result):
                self.called(function, args, "routine")
                if result is not None:
                    self.answers(function)
            case ir.CallPure(function, args, results):
                self.called(function, args, "pure")
                callee = self.module.functions.get(function)
                if callee is not None and callee.results != len(results):
                    self.say(f"{function!r} answers {callee.results} values, not {len(results)}")
            case ir.BlameCall(function, args, trial):
                self.called(function, args, "routine" if trial else "why")
            case ir.ListAll(_, enumerator, args):
                self.called(enumerator, args, "enumerator")
            case ir.Ask(_, function, args) | ir.Take(function, args):
                self.called(function, args, "lister")
            case ir.EnterRoutine(function, args):
                self.called(function, args, "routine")
            case ir.Pick():
                self.pick(stmt)
            case ir.ForTable(row=row) if row not in self.module.rows:
                self.say(f"no row {row!r}")
            case ir.ForArray(distinct=str(table)) if table not in self.module.tables:
                self.say(f"no table {table!r}")
            case ir.NewList(capacity=capacity) | ir.ArrayToList(capacity=capacity) if capacity < 1:
                self.say(f"list {stmt.name!r} has no room")
            case _:
                pass

    def list_use(self, stmt: ir.Stmt, known: frozenset[str]) -> None:
        if isinstance(
            stmt, (ir.Append, ir.TakeAt, ir.Sort, ir.KeepBest, ir.ForList, ir.AppendTuple, ir.ReadTuple, ir.ListToArray)
        ):
            if stmt.list not in self.lists or stmt.list not in known:
                self.say(f"{stmt.list!r} is no list here")
            elif stmt.list in self.function.lists and not isinstance(stmt, (ir.ForList, ir.ListToArray)):
                self.say(f"the list {stmt.list!r} is its caller's: it may not be changed")
        if isinstance(stmt, (ir.CallRoutine, ir.CallPure, ir.Pick, ir.ListAll, ir.Ask, ir.Take, ir.EnterRoutine)):
            return
        for expr in child_exprs(stmt):
            if isinstance(expr, ir.Local) and expr.name in self.lists:
                self.say(f"the list {expr.name!r} is used as a number")

    def expression(self, expr: ir.Expr) -> None:
        match expr:
            case ir.Call(function, args):
                self.called(function, args, "pure")
            case ir.Trial(function, args):
                self.called(function, args, "routine")
            case ir.Table(name) if name not in self.module.tables:
                self.say(f"no table {name!r}")
            case ir.Length(name) | ir.Item(name, _) if name not in self.lists:
                self.say(f"{name!r} is no list")
            case ir.MinMax(_, ()):
                self.say("the least or most of nothing")
            case _:
                pass

    def called(self, name: str, args: tuple[ir.Expr, ...], kind: str) -> None:
        callee = self.module.functions.get(name)
        if callee is None or callee.kind != kind:
            self.say(f"no {kind} function {name!r}")
            return
        if len(args) != len(callee.params):
            self.say(f"{name!r} takes {len(callee.params)} arguments, not {len(args)}")
        for param, arg in zip(callee.params, args, strict=False):
            if (isinstance(arg, ir.Local) and arg.name in self.lists) != (param in callee.lists):
                self.say(f"{name!r} takes a list where it says so, and only there: {param!r}")

    def answers(self, name: str) -> None:
        callee = self.module.functions.get(name)
        if callee is not None and not returns_value(callee):
            self.say(f"{name!r} answers nothing")

    def pick(self, stmt: ir.Pick) -> None:
        if (stmt.player is None) != stmt.chance:
            self.say("a pick asks a player, or else is left to chance")
        if len({stmt.tag, *stmt.targets}) != 1 + len(stmt.targets):
            self.say("a pick stores two values in one local")
        for source in stmt.sources:
            self.called(source.enumerator, source.args, "enumerator")
            callee = self.module.functions.get(source.enumerator)
            if source.tag < 0:
                self.say(f"tag {source.tag} is not a source's")
            if callee is not None and any(
                isinstance(s, ir.Yield) and len(s.values) > len(stmt.targets) for s in all_statements(callee.body)
            ):
                self.say(f"the options of {source.enumerator!r} have more values than the pick has targets")
