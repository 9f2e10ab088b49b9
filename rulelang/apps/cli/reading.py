"""Rulesets as commands read them."""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.apps.editor.reading import Reading
from rulelang.compiler.compilation import Compilation


def read(where: str, mods: Sequence[str] = (), mode: str | None = None) -> Reading:
    """Read a ruleset through all stages of checking. LoadError if there is none."""
    compilation = Compilation(where, mods, mode)
    return Reading(
        compilation.source, compilation.model, compilation.trees, compilation.program, compilation.diagnostics
    )
