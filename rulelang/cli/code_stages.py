"""The stages of `rulelang dump` that are code: for which backend a table is made ready, and what prints it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rulelang.base.node import record

if TYPE_CHECKING:
    from rulelang.ir import nodes as ir

#: What a module of a table becomes.
CODE = ("python", "c", "js")


@record
class CodeStage:
    """`target`: the name by which the passes know the backend. `text`: what prints a module for it. `largest`: the
    largest number that it has, if that is not the IR's own."""

    target: str
    text: Callable[[ir.Module], str]
    largest: int | None = None


def code_stage(name: str) -> CodeStage:
    """One of `CODE`; a backend is imported when it is asked for."""
    match name:
        case "python":
            from rulelang.backends.python.emit import emit as python

            return CodeStage("python", lambda module: python(module).source)
        case "c":
            from rulelang.native_agents.library import with_agents

            return CodeStage("native", lambda module: with_agents(module).source)
        case "js":
            from rulelang.backends.javascript.emit import EXACT
            from rulelang.backends.javascript.emit import emit as javascript

            return CodeStage("javascript", lambda module: javascript(module).source, EXACT)
    raise ValueError(f"the stage `{name}` is no code")
