"""Frames of paused routines: which words each writes at which point. Both backends write exactly these.

A frame is `[pc, parent, saved locals...]`. At a pausing point those locals are saved that surely have a value and may
still be read, in name order; a list local takes a word for its length and then its capacity. The size of a routine's
frame is that of its largest point; the frame of a callee lies right behind it. Numbers of points (pc) are unique over
the module, count in text order, and start at 2; 1 is the frame that a host's call leaves (see `RETURN`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from rulelang.base.graphs import strongly_connected
from rulelang.base.node import record
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.definite_assignment import flow
from rulelang.compiler.ir.recursion import mark_recursive
from rulelang.compiler.ir.walk import statements
from rulelang.compiler.passes.suspend.liveness import live_after
from rulelang.compiler.passes.suspend.loop_cursors import open_loops
from rulelang.compiler.passes.suspend.suspension import mark_pausing, pauses

#: pc of the frame under a host's call: `[RETURN, 0, site, decider, frame]` of the decision that waits below it.
RETURN = 1
RETURN_SIZE = 5
#: Turns of loops between two decisions of one routine, for each step of the budget: rules that can be played never
#: take so many, but a saved game that somebody altered may lead into a loop that has no end.
TURNS = 10
#: Saved with the locals of a recursive routine: how deep it is in its recursion.
DEPTH = "@depth"


@record
class Slot:
    """Where a local is saved: `offset` from the start of its frame. `capacity` is None for an integer."""

    name: str
    offset: int
    capacity: int | None


@record
class Point:
    pc: int
    slots: tuple[Slot, ...]


@dataclass(slots=True)
class Frame:
    """`points`: by the identity of the pausing statement in `function` (whose pausing loops are opened)."""

    function: ir.Function
    size: int = 2
    points: dict[int, Point] = field(default_factory=dict)


def frames(module: ir.Module) -> dict[str, Frame]:
    """The frames of all pausing routines, in the module's order. `suspend.suspension` and `ir.recursion` ran before."""
    found = {name: Frame(open_loops(f, module)) for name, f in module.functions.items() if f.pausing}
    capacities = _parameter_capacities(module)
    pc = RETURN + 1
    for name, frame in found.items():
        lists = capacities[name] | local_capacities(frame.function)
        for stmt, names in _pausing_points(module, frame.function):
            offset = 2
            slots: list[Slot] = []
            for local in sorted(names):
                capacity = lists.get(local)
                slots.append(Slot(local, offset, capacity))
                offset += 1 if capacity is None else 1 + capacity
            frame.points[id(stmt)] = Point(pc, tuple(slots))
            frame.size = max(frame.size, offset)
            pc += 1
    return found


def size_control_stack(module: ir.Module) -> None:
    """Ends the layout behind the deepest chain of frames. The stack is last, so nothing else moves."""
    mark_pausing(module)
    mark_recursive(module)
    size = module.layout.stack + stack_words(module)
    module.layout = replace(module.layout, size=size)
    module.initial = [*module.initial[: module.layout.stack], *([0] * (size - module.layout.stack))]


def stack_words(module: ir.Module, rounds: int = 8) -> int:
    """Words for the control stack: the deepest chain of frames, each cycle of calls gone through `rounds` times, and
    as much again for a host's call on top."""
    sizes = {name: frame.size for name, frame in frames(module).items()}
    graph = {name: sorted({f for f, _ in _calls(module.functions[name])} & sizes.keys()) for name in sizes}
    deepest: dict[str, int] = {}
    for group in strongly_connected(graph):  # what is called comes before its callers, however long the chain
        below = max((deepest[c] for name in group for c in graph[name] if c in deepest), default=0)
        own = sum(sizes[name] for name in group)
        again = rounds if len(group) > 1 or group[0] in graph[group[0]] else 1
        deepest.update(dict.fromkeys(group, below + own * again))
    return 2 * max(deepest.values(), default=0) + 2 * RETURN_SIZE


def _parameter_capacities(module: ir.Module) -> dict[str, dict[str, int]]:
    """Capacities of list parameters: the largest list that any caller hands over."""
    found: dict[str, dict[str, int]] = {name: dict.fromkeys(f.lists, 0) for name, f in module.functions.items()}
    own = {name: local_capacities(f) for name, f in module.functions.items()}
    changed = True
    while changed:
        changed = False
        for name, function in module.functions.items():
            known = own[name] | found[name]
            for callee, args in _calls(function):
                target = module.functions.get(callee)
                if target is None:
                    continue
                for param, arg in zip(target.params, args, strict=False):
                    if isinstance(arg, ir.Local) and arg.name in known and param in target.lists:
                        room = known[arg.name]
                        if room > found[callee][param]:
                            found[callee][param] = room
                            changed = True
    return found


def _calls(function: ir.Function) -> list[tuple[str, tuple[ir.Expr, ...]]]:
    return [(s.function, s.args) for s in statements(function.body) if isinstance(s, ir.CallRoutine)]


def local_capacities(function: ir.Function) -> dict[str, int]:
    """Capacities of the list locals that a function makes."""
    found: dict[str, int] = {}
    for stmt in statements(function.body):
        if isinstance(stmt, (ir.NewList, ir.ArrayToList)):
            found[stmt.name] = max(stmt.capacity, found.get(stmt.name, 0))
    return found


def _pausing_points(module: ir.Module, function: ir.Function) -> list[tuple[ir.Stmt, frozenset[str]]]:
    found: list[tuple[ir.Stmt, frozenset[str]]] = []
    live = live_after(function)

    def visit(stmt: ir.Stmt, known: frozenset[str]) -> None:
        if pauses(stmt, module):
            found.append((stmt, known & (live[id(stmt)] | {DEPTH})))

    flow(function.body, frozenset((*function.params, DEPTH) if function.recursive else function.params), visit)
    return found
