"""The stages of `rulelang dump` that are code: for which backend a table is made ready, and what prints it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rulelang.base.node import record

if TYPE_CHECKING:
    from rulelang.compiler.ir import nodes as ir

#: What a module of a table becomes.
CODE = ("python", "c")


@record
class CodeStage:
    """A backend's code as text.

    Attributes:
        target: the name by which the passes know the backend.
        text: prints a module for it.

    """

    target: str
    text: Callable[[ir.Module], str]


def code_stage(name: str) -> CodeStage:
    """One of `CODE`; a backend is imported when it is asked for."""
    match name:
        case "python":
            from rulelang.compiler.backends.python.emit import emit as python

            return CodeStage("python", lambda module: python(module).source)
        case "c":
            from rulelang.compiler.backends.native_agents.program import with_agents

            return CodeStage("native", lambda module: with_agents(module).source)
    raise ValueError(f"the stage `{name}` is not code")
