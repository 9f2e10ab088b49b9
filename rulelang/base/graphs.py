"""Graphs with named nodes: groups on a cycle (Tarjan), and what is reachable."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def strongly_connected(graph: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """The strongly connected groups of a graph, those that an edge leads to before those that it leads from."""
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    waiting: set[str] = set()
    groups: list[list[str]] = []
    for root in graph:
        if root in number:
            continue
        number[root] = low[root] = len(number)
        stack.append(root)
        waiting.add(root)
        path = [(root, iter(graph[root]))]
        while path:
            name, rest = path[-1]
            for callee in rest:
                if callee not in number:
                    number[callee] = low[callee] = len(number)
                    stack.append(callee)
                    waiting.add(callee)
                    path.append((callee, iter(graph[callee])))
                    break
                if callee in waiting:
                    low[name] = min(low[name], number[callee])
            else:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[name])
                if low[name] == number[name]:
                    at = stack.index(name)
                    groups.append(stack[at:])
                    waiting.difference_update(stack[at:])
                    del stack[at:]
    return groups


def reachable_from(roots: Iterable[str], graph: Mapping[str, Iterable[str]]) -> set[str]:
    """Return these nodes, and all that edges lead to from there."""
    found = set(roots)
    waiting = [*found]
    while waiting:
        more = set(graph.get(waiting.pop(), ())) - found
        found |= more
        waiting += more
    return found


def reaching(ends: Iterable[str], graph: Mapping[str, Iterable[str]]) -> set[str]:
    """Return these nodes, and all from which edges lead there."""
    back: dict[str, list[str]] = {}
    for name, called in graph.items():
        for callee in called:
            back.setdefault(callee, []).append(name)
    return reachable_from(ends, back)
