"""Which routines may wait: those with a Pick that asks someone or a Stop, and all that call such a routine."""

from __future__ import annotations

from rulelang.ir import nodes as ir
from rulelang.ir.walk import statements


def mark_pausing(module: ir.Module) -> None:
    """Set `Function.pausing` for every routine. Enumerators, pure and why functions never pause."""
    routines = {name: f for name, f in module.functions.items() if f.kind == "routine"}
    callers: dict[str, set[str]] = {}
    ready: list[str] = []
    for name, function in routines.items():
        function.pausing = False
        for stmt in statements(function.body):
            if isinstance(stmt, ir.CallRoutine):
                callers.setdefault(stmt.function, set()).add(name)
            elif pauses(stmt, module) and not function.pausing:
                function.pausing = True
                ready.append(name)
    while ready:
        for caller in callers.get(ready.pop(), ()):
            if not routines[caller].pausing:
                routines[caller].pausing = True
                ready.append(caller)


def pauses(stmt: ir.Stmt, module: ir.Module) -> bool:
    """True if something may be waited for at this very statement (not inside it)."""
    if isinstance(stmt, ir.Stop):
        return True
    if isinstance(stmt, ir.Pick):
        return not stmt.chance
    return isinstance(stmt, ir.CallRoutine) and module.functions[stmt.function].pausing


def holds_pause(block: ir.Block, module: ir.Module) -> bool:
    """True if something may be waited for anywhere in the block."""
    return any(pauses(stmt, module) for stmt in statements(block))
