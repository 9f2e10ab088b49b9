"""A ruleset with everything that was found out on the way from its files to the typed program."""

from __future__ import annotations

from dataclasses import dataclass

from rulelang.base.diagnostics import Diagnostics
from rulelang.data.ruleset_source import RulesetSource
from rulelang.language.semantics import tree
from rulelang.language.semantics.check.symbol_table import Texts
from rulelang.language.semantics.model import Model


@dataclass(frozen=True, slots=True)
class Reading:
    """A ruleset with its mods and mode, as far as it could be understood, and all that is wrong with it."""

    source: RulesetSource
    model: Model
    texts: Texts
    program: tree.Program
    diagnostics: Diagnostics
