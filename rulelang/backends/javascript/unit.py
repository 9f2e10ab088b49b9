"""What all functions of one generated module share, and the functions that try a routine."""

from __future__ import annotations

from rulelang.backends.braces import Writer
from rulelang.backends.unit import Unit
from rulelang.ir import nodes as ir
from rulelang.ir.recursion import call_graph, coming_to
from rulelang.ir.walk import statements


class JavaScriptUnit(Unit):
    """`trials`: routines that are tried on a copy of the state. `refusing`: those that an `ensure` may end, there or in
    what they call."""

    def __init__(self, module: ir.Module) -> None:
        super().__init__(module)
        self.trials: set[str] = set()
        routines = [f for f in self.module.functions.values() if f.kind == "routine"]
        ensuring = {f.name for f in routines if any(isinstance(s, ir.Ensure) for s in statements(f.body))}
        self.refusing = coming_to(ensuring, call_graph(self.module))

    def trial(self, name: str) -> str:
        """The function that answers whether a routine runs without being refused."""
        self.trials.add(name)
        return self.function(name, "t_")


def write_trial(unit: JavaScriptUnit, function: ir.Function, out: Writer) -> None:
    """`t_f(S, args...)`: one for each routine, so that V8 can put the routine in its place."""
    given = [*(f"a{at}_" for at in range(len(function.params))), *(["depth_"] if function.recursive else [])]
    with out.inside(f"function {unit.trial(function.name)}({', '.join(('S', *given))})"):
        out("const copy = copied_(S);")
        out(f"{unit.function(function.name, 'd_')}({', '.join(('copy', *given))});")
        out("return tried_(copy);")
