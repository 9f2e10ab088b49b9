"""Which functions may call themselves, directly or through others: the cycles of the call graph (Tarjan)."""

from __future__ import annotations

from rulelang.program import ir
from rulelang.program.passes.walk import callees


def components(module: ir.Module) -> list[list[str]]:
    """The strongly connected groups of functions, callees before callers. Unknown names are left out."""
    graph = {name: sorted(callees(f) & module.functions.keys()) for name, f in module.functions.items()}
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


def mark_recursive(module: ir.Module) -> None:
    """Set `Function.recursive` for every function that lies on a cycle of calls."""
    for group in components(module):
        for name in group:
            function = module.functions[name]
            function.recursive = len(group) > 1 or name in callees(function)
