"""All that a check of scenarios reads of a ruleset: where this is as it was, what was found of a scenario still holds.

A body of a rule may change without changing any of it; then no scenario is checked again. Where a declaration changes,
a scenario in which nothing was wrong is checked again only if it has words of that name (`concerning`): one that is
wrong may be helped by any name. Whoever lets the check of scenarios read more of a ruleset adds it here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from rulelang.base.memo import IdentityKey, NullCache
from rulelang.base.node import record
from rulelang.base.source import NOWHERE
from rulelang.language.semantics.check.program import signatures_of
from rulelang.language.semantics.check.symbol_table import Signature
from rulelang.language.semantics.model import Model
from rulelang.language.semantics.state_layout import Features
from rulelang.language.semantics.tree import Origin
from rulelang.testing.scenarios.fixture import Fixture
from rulelang.testing.scenarios.phrases import Form
from rulelang.testing.scenarios.records import Scenario
from rulelang.testing.scenarios.sayings import Line, Sayings


@record
class Facts:
    """`model`: what data declare. `signatures`: what expressions may call. `forms`: how steps may read. `lines`: what
    the log can say, but for names of effects; these are made of `hooks`. `phases`: with their numbers. `leads`: where a
    position may begin. `features`: what decides how the state lies."""

    model: IdentityKey[Model]
    signatures: tuple[Signature, ...]
    forms: Mapping[str, Sequence[Form]]
    lines: tuple[Line, ...]
    hooks: tuple[tuple[Origin, str, str], ...]
    sides: int
    phases: Mapping[str, int]
    leads: tuple[object, ...]
    features: Features

    def concerning(self, words: frozenset[str]) -> Facts:
        """What of it a scenario reads that has these words, and in which nothing is wrong. Places are for messages.

        A step may leave off the end of what it names, so what goes on from a word counts."""

        def named(name: str) -> bool:
            return not words.isdisjoint(_beginnings(name))

        return replace(
            self,
            signatures=tuple(
                replace(one, span=NOWHERE, number=0) for one in self.signatures if words_of(one.name) <= words
            ),
            forms={name: forms for name, forms in self.forms.items() if named(name)},
            lines=self.lines if LOG in words else (),
            hooks=tuple(
                (origin, kind, event)
                for origin, kind, event in self.hooks
                if LOG in words or origin.what in ("row", "card") or named(origin.name) or named(event)
            ),
        )


#: A scenario that looks at the log reads all its lines.
LOG = "log"
_WORD = re.compile(r"[^\W_]+")


@lru_cache(10_000)
def _beginnings(name: str) -> frozenset[str]:
    return frozenset(name.casefold()[:size] for size in range(1, len(name) + 1))


@lru_cache(10_000)
def words_of(text: str) -> frozenset[str]:
    """The words of names and sentences: `body_size` has two."""
    return frozenset(_WORD.findall(text.casefold()))


def kept_facts(fixture: Fixture, memo: NullCache) -> Facts:
    """The same as `facts_of`: the same thing while it is equal."""
    whole = fixture.compilation
    read = IdentityKey(whole.model), IdentityKey(whole.program)
    facts = memo.get_or_compute("facts", read, lambda: facts_of(fixture, memo))
    place = str(whole.where), whole.mods, whole.mode
    return memo.early_cutoff("facts, settled", place, facts)


def unconcerned(was: Facts, now: Facts, scenario: Scenario, memo: NullCache) -> bool:
    """Whether a scenario in which nothing was wrong reads the same of both."""
    if was is now:
        return True
    words = memo.get_or_compute("words", IdentityKey(scenario.node), lambda: words_of(str(scenario.node.plain())))
    words |= words_of(f"{scenario.home} {[row.plain() for row in scenario.rows]}")
    return was.concerning(words) == now.concerning(words)


def facts_of(fixture: Fixture, memo: NullCache) -> Facts:
    """Call it only for a ruleset without mistakes."""
    model, program = fixture.compilation.model, fixture.compilation.program
    leads, phases = fixture.leads, fixture.phases()
    run = {phase: (leads.called_at_all(phase), leads.inside[phase]) for phase in phases}
    return Facts(
        IdentityKey(model),
        tuple(signatures_of(program)),
        fixture.forms,
        memo.get_or_compute("lines", IdentityKey(program), lambda: Sayings(program, ()).lines),
        tuple((hook.origin, hook.kind, hook.pattern.event) for hook in program.triggers),
        fixture.sides,
        phases,
        (leads.turn, leads.from_start, leads.in_turns, run),
        fixture.drawer.graph.features,
    )
