"""Analyse IR: call graph, definite assignment, liveness, address constants, cost and possible failures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from rulelang.base.graphs import reaching, strongly_connected
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import (
    LOOPS,
    all_exprs,
    all_statements,
    assigned_locals,
    callees,
    child_blocks,
    locals_read,
    with_subexpressions,
)

# ---- call graph


def call_graph(module: ir.Module) -> dict[str, list[str]]:
    """The functions that each function mentions. Unknown names are left out."""
    return {name: sorted(callees(f) & module.functions.keys()) for name, f in module.functions.items()}


def routine_calls(module: ir.Module) -> dict[str, set[str]]:
    """The routines that each routine runs."""
    return {
        name: {s.function for s in all_statements(f.body) if isinstance(s, ir.CallRoutine)}
        for name, f in module.functions.items()
        if f.kind == "routine"
    }


def deepest_call_chain(graph: Mapping[str, Iterable[str]]) -> int:
    """The most calls that can be open at once, each group of functions that call each other counted once."""
    found: dict[str, int] = {}
    for group in strongly_connected(graph):
        below = max((found[c] for name in group for c in graph[name] if c in found), default=0)
        found.update(dict.fromkeys(group, below + len(group)))
    return max(found.values(), default=0)


def mark_recursive(module: ir.Module) -> None:
    """Set `Function.recursive` for every function that lies on a cycle of calls, and `watched` for so many of them
    that none of their cycles goes without one."""
    graph = call_graph(module)
    for group in strongly_connected(graph):
        inside = set(group)
        calls = {name: inside.intersection(graph[name]) for name in group}
        recursive = len(group) > 1 or group[0] in calls[group[0]]
        able = {name for name in group if module.functions[name].kind in ("pure", "routine")}
        watched = _breakers(calls, able) if recursive else set()
        for name in group:
            function = module.functions[name]
            function.recursive, function.watched = recursive, name in watched


def _breakers(calls: dict[str, set[str]], able: set[str]) -> set[str]:
    """Nodes of a graph without which it has no cycle: few, those that are able first, by how many edges they have."""
    found = {name for name, called in calls.items() if name in called}
    left = {name: called - found for name, called in calls.items() if name not in found}
    while True:
        while ends := [name for name, called in left.items() if not called]:  # on no cycle any more
            left = {name: called - set(ends) for name, called in left.items() if name not in ends}
        if not left:
            return found
        edges = {name: len(called) * sum(name in c for c in left.values()) for name, called in left.items()}
        best = max(sorted(left), key=lambda name: (name in able, edges[name]))
        found.add(best)
        left = {name: called - {best} for name, called in left.items() if name != best}


# ---- definite assignment

Known = frozenset[str]


def visit_with_known(block: ir.Block, known: Known, visit: Callable[[ir.Stmt, Known], None]) -> Known | None:
    """Call `visit` for every statement that can be reached, with the locals that surely have a value before it.

    Answers the locals known at the end, or None if the end is never reached.
    """
    return _Flow(visit).block(block, known)


class _Flow:
    def __init__(self, visit: Callable[[ir.Stmt, Known], None]) -> None:
        self.visit = visit
        self.breaks: list[list[Known]] = []

    def block(self, block: ir.Block, known: Known | None) -> Known | None:
        for stmt in block:
            if known is None:
                break
            known = self.statement(stmt, known)
        return known

    def statement(self, stmt: ir.Stmt, known: Known) -> Known | None:
        self.visit(stmt, known)
        if isinstance(stmt, ir.Break):
            if self.breaks:
                self.breaks[-1].append(known)
            return None
        if isinstance(stmt, (ir.Return, ir.ReturnMany, ir.Unreachable, ir.Continue, ir.Fail, ir.Pause, ir.Exhausted)):
            return None
        if isinstance(stmt, ir.Branch):
            then, otherwise = self.block(stmt.then, known), self.block(stmt.otherwise, known)
            if then is None or otherwise is None:
                return otherwise if then is None else then
            return then & otherwise
        if isinstance(stmt, ir.Given):
            return self.block(stmt.body, known)
        if isinstance(stmt, ir.EnterRoutine):
            self.block(stmt.body, known)
            return known
        if isinstance(stmt, LOOPS):
            self.breaks.append([])
            self.block(stmt.body, known.union(assigned_locals(stmt)))
            breaks = self.breaks.pop()
            if isinstance(stmt, ir.While) and isinstance(stmt.test, ir.Const) and stmt.test.value:
                return frozenset.intersection(*breaks) if breaks else None  # only its breaks lead on
            return known
        return known.union(assigned_locals(stmt))


# ---- liveness

Live = frozenset[str]


def live_after(function: ir.Function) -> dict[int, Live]:
    """By the identity of each statement: the locals that it reads itself or that anything reads that may run after it.

    It may be asked again for its options, so its own reads count. Inside a loop everything in the loop may run after.
    """
    found: dict[int, Live] = {}
    _live_before(function.body, frozenset(), found)
    return found


def _live_before(block: ir.Block, after: Live, found: dict[int, Live]) -> Live:
    """Answers what the block and all after it may read."""
    for stmt in reversed(block):
        inside = _locals_used(stmt)
        if isinstance(stmt, LOOPS):
            whole = after.union(*(_locals_used(s) for s in all_statements((stmt,))))
            for inner in child_blocks(stmt):
                _live_before(inner, whole, found)
            after = whole
        else:
            parts = [_live_before(inner, after, found) for inner in child_blocks(stmt)]
            after = after.union(inside, *parts)
        found[id(stmt)] = after
    return after


def _locals_used(stmt: ir.Stmt) -> Live:
    own = locals_read(stmt)
    name = getattr(stmt, "list", None)
    return frozenset(own | {name} if isinstance(name, str) else own)


# ---- address constants


def split_constant(expr: ir.Expr | None) -> tuple[ir.Expr | None, int]:
    """An expression as (rest, constant) with rest + constant its value."""
    match expr:
        case None:
            return None, 0
        case ir.Const(value):
            return None, value
        case ir.Arith("+", left, right):
            rest_l, c_l = split_constant(left)
            rest_r, c_r = split_constant(right)
            if not c_l and not c_r and rest_l is not None and rest_r is not None:
                return expr, 0
            if rest_l is None or rest_r is None:
                return rest_l or rest_r, c_l + c_r
            return ir.Arith("+", rest_l, rest_r), c_l + c_r
        case ir.Arith("-", left, ir.Const(value)):
            rest, constant = split_constant(left)
            return rest, constant - value
        case ir.Arith("*", left, ir.Const(factor)):
            rest, constant = split_constant(left)
            if rest is None:
                return None, constant * factor
            return (ir.Arith("*", rest, ir.Const(factor)), constant * factor) if constant else (expr, 0)
        case _:
            return expr, 0


# ---- cost


def expression_size(expr: ir.Expr) -> int:
    """Its nodes."""
    return sum(1 for _ in with_subexpressions(expr))


def is_expensive(expr: ir.Expr) -> bool:
    """Whether it takes more than a few words: it calls, tries, or looks through a zone."""
    return any(isinstance(e, (ir.Call, ir.Trial, ir.ArrayHas)) for e in with_subexpressions(expr))


# ---- possible failures


def failing_functions(module: ir.Module) -> set[str]:
    """The functions that may fail, themselves or through others. (Budgets do not count: they bound all that runs.)"""
    found = {f.name for f in module.functions.values() if any(isinstance(s, ir.Fail) for s in all_statements(f.body))}
    return reaching(found, {name: callees(f) for name, f in module.functions.items()})


def may_fail(expr: ir.Expr, failing: set[str]) -> bool:
    """Whether working out an expression may fail."""
    return any(isinstance(e, ir.Call) and e.function in failing for e in with_subexpressions(expr))


# ---- cells of the score


def score_addresses(module: ir.Module) -> frozenset[int]:
    """The addresses at which the attributes and tables begin that `score` and `tiebreak` read, by themselves or through
    what they call."""
    layout = module.layout
    bases = {kept.base for kept in layout.attributes} | {table.base for table in layout.tables.values()}
    found: set[int] = set()
    wanted, seen = [module.score, *module.tiebreak], set[str]()
    while wanted:
        name = wanted.pop()
        if name in seen or name not in module.functions:
            continue
        seen.add(name)
        for stmt in all_statements(module.functions[name].body):
            for expr in all_exprs(stmt):
                if isinstance(expr, ir.Call):
                    wanted.append(expr.function)
                elif isinstance(expr, ir.Cell) and expr.base in bases:
                    found.add(expr.base)
    return frozenset(found)
