"""What happens to a module between lowering and the backends: the passes, by name, in their order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from rulelang.program import ir
from rulelang.program.passes.arithmetic import checked
from rulelang.program.passes.bounds import tighten
from rulelang.program.passes.hoist import hoist_tests
from rulelang.program.passes.inline import inline
from rulelang.program.passes.inline_routines import inline_routines
from rulelang.program.passes.lists import drop_single_lists
from rulelang.program.passes.rows import filter_rows
from rulelang.program.passes.stack import fit_stack

#: What the module is called before the first pass.
LOWERED = "lowering"


@dataclass(frozen=True, slots=True)
class Pass:
    """A pass over a whole module, which it changes."""

    name: str
    run: Callable[[ir.Module], None]


PASSES = (
    Pass("arithmetic", checked),
    Pass("lists", drop_single_lists),
    Pass("inline_routines", inline_routines),
    Pass("inline", inline),
    Pass("rows", filter_rows),
    Pass("bounds", tighten),
    Pass("hoist", hoist_tests),
    Pass("stack", fit_stack),
)
#: Names that `rulelang dump --after` knows.
STAGES = (LOWERED, *(step.name for step in PASSES))


def simplified(
    module: ir.Module, after: str = STAGES[-1], watch: Callable[[str, ir.Module], None] | None = None
) -> ir.Module:
    """A copy of a lowered module, as it is after the pass of that name; the last, which is what backends take, if
    nothing is said. `watch` sees it after each pass."""
    module = replace(module, functions=dict(module.functions), rows=dict(module.rows))
    for step in PASSES[: STAGES.index(after)]:
        step.run(module)
        if watch is not None:
            watch(step.name, module)
    return module


__all__ = ["LOWERED", "PASSES", "STAGES", "Pass", "simplified"]
