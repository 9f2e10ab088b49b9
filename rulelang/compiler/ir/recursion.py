"""Which functions may call themselves, directly or through others: the cycles of the call graph."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rulelang.base.graphs import strongly_connected
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import callees, statements


def call_graph(module: ir.Module) -> dict[str, list[str]]:
    """The functions that each function mentions. Unknown names are left out."""
    return {name: sorted(callees(f) & module.functions.keys()) for name, f in module.functions.items()}


def routine_calls(module: ir.Module) -> dict[str, set[str]]:
    """The routines that each routine runs."""
    return {
        name: {s.function for s in statements(f.body) if isinstance(s, ir.CallRoutine)}
        for name, f in module.functions.items()
        if f.kind == "routine"
    }


def reached(roots: Iterable[str], graph: Mapping[str, Iterable[str]]) -> set[str]:
    """These functions, and all that edges lead to from there."""
    found = set(roots)
    waiting = [*found]
    while waiting:
        more = set(graph.get(waiting.pop(), ())) - found
        found |= more
        waiting += more
    return found


def coming_to(ends: Iterable[str], graph: Mapping[str, Iterable[str]]) -> set[str]:
    """These functions, and all from which edges lead there."""
    back: dict[str, list[str]] = {}
    for name, called in graph.items():
        for callee in called:
            back.setdefault(callee, []).append(name)
    return reached(ends, back)


def deepest(graph: Mapping[str, Iterable[str]]) -> int:
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
