"""The control stack as large as the module's routines need it."""

from __future__ import annotations

from dataclasses import replace

from rulelang.ir import nodes as ir
from rulelang.ir.recursion import mark_recursive
from rulelang.transform.suspend.frames import stack_words
from rulelang.transform.suspend.suspension import mark_pausing


def size_control_stack(module: ir.Module) -> None:
    """Ends the layout behind the deepest chain of frames. The stack is last, so nothing else moves."""
    mark_pausing(module)
    mark_recursive(module)
    size = module.layout.stack + stack_words(module)
    module.layout = replace(module.layout, size=size)
    module.initial = [*module.initial[: module.layout.stack], *([0] * (size - module.layout.stack))]
