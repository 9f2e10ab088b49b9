"""Find the routines that may wait, open their loops, and lay out their frames."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from rulelang.base.graphs import reaching, strongly_connected
from rulelang.base.node import record
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.analysis import live_after, mark_recursive, routine_calls, visit_with_known
from rulelang.compiler.ir.walk import FOR_LOOPS, all_statements, with_blocks

# ---- which routines wait


def mark_pausing(module: ir.Module) -> None:
    """Set `Function.pausing` for every routine. Enumerators, pure and why functions never pause."""
    routines = {name: f for name, f in module.functions.items() if f.kind == "routine"}
    asking = {name for name, f in routines.items() if any(map(_waits_at, all_statements(f.body)))}
    pausing = reaching(asking, routine_calls(module))
    for name, function in routines.items():
        function.pausing = name in pausing


def _waits_at(stmt: ir.Stmt) -> bool:
    return isinstance(stmt, ir.Stop) or (isinstance(stmt, ir.Pick) and not stmt.chance)


def may_pause_at(stmt: ir.Stmt, module: ir.Module) -> bool:
    """True if something may be waited for at this very statement (not inside it)."""
    return _waits_at(stmt) or (isinstance(stmt, ir.CallRoutine) and module.functions[stmt.function].pausing)


def may_pause_in(block: ir.Block, module: ir.Module) -> bool:
    """True if something may be waited for anywhere in the block."""
    return any(may_pause_at(stmt, module) for stmt in all_statements(block))


# ---- loop cursors


def open_loops(function: ir.Function, module: ir.Module) -> ir.Function:
    """The function with every counted loop that may pause inside opened. Rows used go to `Module.tables`, flat."""
    return replace(function, body=_Opener(module).block(function.body))


class _Opener:
    def __init__(self, module: ir.Module) -> None:
        self.module = module
        self.used: dict[str, int] = {}

    def block(self, block: ir.Block) -> ir.Block:
        found: list[ir.Stmt] = []
        for stmt in block:
            inner = with_blocks(stmt, self.block)
            if isinstance(inner, FOR_LOOPS) and may_pause_in(inner.body, self.module):
                found += self.loop(inner)
            elif isinstance(inner, (ir.Pick, ir.Stop, ir.CallRoutine)):
                found.append(replace(inner))  # one object a place: frames tell pausing points apart by identity
            else:
                found.append(inner)
        return tuple(found)

    def loop(self, loop: ir.ForRange | ir.ForChain | ir.ForArray | ir.ForList | ir.ForTable) -> list[ir.Stmt]:
        name = loop.name
        self.used[name] = count = self.used.get(name, 0) + 1
        tag = name if count == 1 else f"{name}{count}"
        at, end = f"{tag}@at", f"{tag}@end"
        here, step = ir.Local(at), ir.Set(at, ir.Arith("+", ir.Local(at), ir.Const(1)))
        body = loop.body
        match loop:
            case ir.ForRange():
                start: list[ir.Stmt] = [ir.Set(at, loop.low), ir.Set(end, loop.end)]
                test: ir.Expr = ir.Compare("<", here, ir.Local(end))
                head: ir.Block = (ir.Set(name, here), step)
            case ir.ForChain():
                start = [ir.Set(at, loop.first)]
                test = here
                head = (ir.Set(name, here), ir.Set(at, ir.Cell(loop.next, here)))
            case ir.ForArray():
                start = [ir.Set(end, loop.zone), ir.Set(at, ir.Const(0))]
                test = ir.Compare("<", here, ir.Cell(0, ir.Local(end)))
                head = (step, ir.Set(name, ir.Cell(0, ir.Arith("+", ir.Local(end), here))))
            case ir.ForList():
                start = [ir.Set(at, ir.Const(0))]
                test = ir.Compare("<", here, ir.Length(loop.list))
                head = (ir.Set(name, ir.Item(loop.list, here)), step)
            case ir.ForTable():
                items, ends, width = self.row(loop.row)
                start = [
                    ir.Set(at, ir.Arith("*", loop.index, ir.Const(width))),
                    ir.Set(end, ir.Arith("+", here, ir.Table(ends, loop.index))),
                ]
                test = ir.Compare("<", here, ir.Local(end))
                head = (ir.Set(name, ir.Table(items, here)), step)
        return [*start, ir.While(test, (*head, *body))]

    def row(self, name: str) -> tuple[str, str, int]:
        """The rows as two flat tables (items at a fixed width, lengths), and that width."""
        rows = self.module.rows[name]
        width = max((len(row) for row in rows), default=0)
        items, ends = f"{name}@items", f"{name}@ends"
        if items not in self.module.tables:
            self.module.tables[items] = tuple(v for row in rows for v in (*row, *([0] * (width - len(row)))))
            self.module.tables[ends] = tuple(len(row) for row in rows)
        return items, ends, width


# ---- frames

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
class SuspensionPoint:
    pc: int
    slots: tuple[Slot, ...]


@dataclass(slots=True)
class Frame:
    """`points`: by the identity of the pausing statement in `function` (whose pausing loops are opened)."""

    function: ir.Function
    size: int = 2
    points: dict[int, SuspensionPoint] = field(default_factory=dict)


def frame_layouts(module: ir.Module) -> dict[str, Frame]:
    """The frames of all pausing routines, in the module's order. `passes.suspension` and `ir.analysis` ran before."""
    found = {name: Frame(open_loops(f, module)) for name, f in module.functions.items() if f.pausing}
    capacities = _parameter_capacities(module)
    pc = RETURN + 1
    for name, frame in found.items():
        lists = capacities[name] | local_capacities(frame.function)
        for stmt, names in _suspension_points(module, frame.function):
            offset = 2
            slots: list[Slot] = []
            for local in sorted(names):
                capacity = lists.get(local)
                slots.append(Slot(local, offset, capacity))
                offset += 1 if capacity is None else 1 + capacity
            frame.points[id(stmt)] = SuspensionPoint(pc, tuple(slots))
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
    sizes = {name: frame.size for name, frame in frame_layouts(module).items()}
    graph = {name: sorted({f for f, _ in _list_calls(module.functions[name])} & sizes.keys()) for name in sizes}
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
            for callee, args in _list_calls(function):
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


def _list_calls(function: ir.Function) -> list[tuple[str, tuple[ir.Expr, ...]]]:
    return [(s.function, s.args) for s in all_statements(function.body) if isinstance(s, ir.CallRoutine)]


def local_capacities(function: ir.Function) -> dict[str, int]:
    """Capacities of the list locals that a function makes."""
    found: dict[str, int] = {}
    for stmt in all_statements(function.body):
        if isinstance(stmt, (ir.NewList, ir.ArrayToList)):
            found[stmt.name] = max(stmt.capacity, found.get(stmt.name, 0))
    return found


def _suspension_points(module: ir.Module, function: ir.Function) -> list[tuple[ir.Stmt, frozenset[str]]]:
    found: list[tuple[ir.Stmt, frozenset[str]]] = []
    live = live_after(function)

    def visit(stmt: ir.Stmt, known: frozenset[str]) -> None:
        if may_pause_at(stmt, module):
            found.append((stmt, known & (live[id(stmt)] | {DEPTH})))

    visit_with_known(
        function.body, frozenset((*function.params, DEPTH) if function.recursive else function.params), visit
    )
    return found
