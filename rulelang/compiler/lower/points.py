"""What points are made of: the values that a player's score, and who wins of several, is worked out from."""

from __future__ import annotations

from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.ir.walk import all_exprs, statements


def counted(module: ir.Module) -> frozenset[int]:
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
        for stmt in statements(module.functions[name].body):
            for expr in all_exprs(stmt):
                if isinstance(expr, ir.Call):
                    wanted.append(expr.function)
                elif isinstance(expr, ir.Cell) and expr.base in bases:
                    found.add(expr.base)
    return frozenset(found)
