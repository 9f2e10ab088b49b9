"""What happens to a module between lowering and the backends: the passes, by name, in their order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rulelang.base.node import record
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.passes.checked_arithmetic import check_arithmetic
from rulelang.compiler.passes.inline import inline_functions, inline_routines, specialise
from rulelang.compiler.passes.loops import prune_rows, scalarise_lists, unswitch
from rulelang.compiler.passes.suspension import size_control_stack

#: What the module is called before the first pass.
LOWERED = "lowering"


@record
class Pass:
    """A pass over a whole module, which it changes, or makes another of. `targets`: the backends that want it; none
    named: all. `needed`: the module means the rules only behind it; other passes make it faster."""

    name: str
    run: Callable[[ir.Module], ir.Module | None]
    targets: frozenset[str] = frozenset()
    needed: bool = False


PASSES = (
    Pass("checked_arithmetic", check_arithmetic, needed=True),
    Pass("scalar_lists", scalarise_lists),
    Pass("inline_routines", inline_routines),
    Pass("inline", inline_functions),
    Pass("prune_rows", prune_rows),
    Pass("unswitch", unswitch),
    Pass("control_stack", size_control_stack, needed=True),
    Pass("specialise", specialise, frozenset({"python"})),  # compilers of C do that by themselves
)
#: Names that `rulelang dump --after` knows.
STAGES = (LOWERED, *(step.name for step in PASSES))


def run_passes(
    module: ir.Module,
    after: str = "",
    watch: Callable[[str, ir.Module], None] | None = None,
    target: str = "",
    needed: bool = False,
) -> ir.Module:
    """A copy of a lowered module, as it is after the pass of that name; the last, which is what the backend `target`
    takes (with none, what all of them begin from), if nothing is said. `watch` sees it after each pass. `needed`: only
    passes without which it does not mean the rules."""
    module = replace(module, functions=dict(module.functions), rows=dict(module.rows))
    wanted = PASSES[: STAGES.index(after) if after else None]
    for step in wanted:
        if needed and not step.needed:
            continue
        if step.targets and target not in step.targets and step.name != after:
            continue
        module = step.run(module) or module
        if watch is not None:
            watch(step.name, module)
    return module


__all__ = ["LOWERED", "PASSES", "STAGES", "Pass", "run_passes"]
