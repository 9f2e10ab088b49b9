"""All that a check of scenarios reads of a ruleset: where this is as it was, what was found of a scenario still holds.

A body of a rule may change without changing any of it; then no scenario is checked again. Whoever lets the check of
scenarios read more of a ruleset adds it here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rulelang.base.memo import Same
from rulelang.scenarios.fixture import Fixture
from rulelang.scenarios.phrases import Form
from rulelang.scenarios.sayings import Line, Sayings
from rulelang.semantics.check import signatures_of
from rulelang.semantics.check.symbols import Signature
from rulelang.semantics.state_layout import Features
from rulelang.semantics.tree import Origin


@dataclass(frozen=True, slots=True)
class Facts:
    """`model`: what data declare. `signatures`: what expressions may call. `forms`: how steps may read. `lines`: what
    the log can say, but for names of effects; these are made of `hooks`. `phases`: with their numbers. `leads`: where a
    position may begin. `features`: what decides how the state lies."""

    model: Same
    signatures: tuple[Signature, ...]
    forms: Mapping[str, Sequence[Form]]
    lines: tuple[Line, ...]
    hooks: tuple[tuple[Origin, str, str], ...]
    sides: int
    phases: Mapping[str, int]
    leads: tuple[object, ...]
    features: Features


def facts_of(fixture: Fixture) -> Facts:
    """Call it only for a ruleset without mistakes."""
    model, program = fixture.compilation.model, fixture.compilation.program
    leads, phases = fixture.leads, fixture.phases()
    run = {phase: leads.called_at_all(phase) for phase in phases}
    return Facts(
        Same(model),
        tuple(signatures_of(program)),
        fixture.forms,
        Sayings(program, ()).lines,
        tuple((hook.origin, hook.kind, hook.pattern.event) for hook in program.triggers),
        fixture.sides,
        phases,
        (leads.turn, leads.inside, leads.from_start, leads.in_turns, run),
        fixture.drawer.graph.features,
    )
