"""The control stack as large as the module's routines need it."""

from __future__ import annotations

from dataclasses import replace

from rulelang.program import ir
from rulelang.program.passes.frames import stack_words
from rulelang.program.passes.pausing import mark_pausing
from rulelang.program.passes.recursion import mark_recursive


def fit_stack(module: ir.Module) -> None:
    """Ends the layout behind the deepest chain of frames. The stack is last, so nothing else moves."""
    mark_pausing(module)
    mark_recursive(module)
    size = module.layout.stack + stack_words(module)
    module.layout = replace(module.layout, size=size)
    module.initial = [*module.initial[: module.layout.stack], *([0] * (size - module.layout.stack))]
