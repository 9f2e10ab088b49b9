"""Rulesets as commands read them: everything that was found out on the way from the files to the typed program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rulelang.base.diagnostics import Diagnostics
from rulelang.compile import Compilation
from rulelang.data.records import RulesetSource
from rulelang.semantics import tree
from rulelang.semantics.check.signatures import Texts
from rulelang.semantics.model import Model


@dataclass(frozen=True, slots=True)
class Reading:
    """A ruleset with its mods and mode, as far as it could be understood, and all that is wrong with it."""

    source: RulesetSource
    model: Model
    texts: Texts
    program: tree.Program
    diagnostics: Diagnostics


def read(where: str, mods: Sequence[str] = (), mode: str | None = None) -> Reading:
    """Read a ruleset through all stages of checking. LoadError if there is none."""
    compilation = Compilation(where, mods, mode)
    return Reading(
        compilation.source, compilation.model, compilation.trees, compilation.program, compilation.diagnostics
    )
