"""Programs on the JavaScript backend for tests."""

from __future__ import annotations

from dataclasses import replace

from rulelang.backends.javascript.emit import EXACT, emit
from rulelang.backends.javascript.link import JavaScriptProgram
from rulelang.ir import nodes as ir


def javascript(made: ir.Module) -> JavaScriptProgram:
    """A module on the JavaScript backend."""
    return JavaScriptProgram(emit(replace(made, limits={**made.limits, "number": EXACT})), made)
