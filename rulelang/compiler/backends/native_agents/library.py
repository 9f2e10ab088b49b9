"""The C text of this room, as it stands behind a library."""

from __future__ import annotations

from dataclasses import replace

from rulelang.compiler.backends.native.emit import Emitted, emit
from rulelang.compiler.backends.native.library import behind
from rulelang.compiler.backends.native_agents.tables import game
from rulelang.compiler.ir import nodes as ir

#: Those with functions that are called from elsewhere.
EXPORTING = tuple((__package__, name) for name in ("search.c", "tape.c"))


def with_agents(module: ir.Module) -> Emitted:
    """A program of the native backend, with this room behind it."""
    emitted = emit(module)
    return replace(emitted, source=emitted.source + text(module))


def text(module: ir.Module) -> str:
    """Nothing for a module without zones, or without a score: one built by hand."""
    if not module.layout.zones or module.score not in module.functions:
        return ""
    files = (behind(__package__, name) for name in ("secrets.h", "tape.h", "search.c", "tape.c"))
    lines = (*behind(__package__, "rows.h"), *game(module), *(line for file in files for line in file), "")
    return "\n".join(lines)
