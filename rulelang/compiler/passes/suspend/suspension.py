"""Which routines may wait: those with a Pick that asks someone or a Stop, and all that call such a routine."""

from __future__ import annotations

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.recursion import coming_to, routine_calls
from rulelang.compiler.ir.walk import statements


def mark_pausing(module: ir.Module) -> None:
    """Set `Function.pausing` for every routine. Enumerators, pure and why functions never pause."""
    routines = {name: f for name, f in module.functions.items() if f.kind == "routine"}
    asking = {name for name, f in routines.items() if any(map(_waits, statements(f.body)))}
    pausing = coming_to(asking, routine_calls(module))
    for name, function in routines.items():
        function.pausing = name in pausing


def _waits(stmt: ir.Stmt) -> bool:
    return isinstance(stmt, ir.Stop) or (isinstance(stmt, ir.Pick) and not stmt.chance)


def pauses(stmt: ir.Stmt, module: ir.Module) -> bool:
    """True if something may be waited for at this very statement (not inside it)."""
    return _waits(stmt) or (isinstance(stmt, ir.CallRoutine) and module.functions[stmt.function].pausing)


def holds_pause(block: ir.Block, module: ir.Module) -> bool:
    """True if something may be waited for anywhere in the block."""
    return any(pauses(stmt, module) for stmt in statements(block))
