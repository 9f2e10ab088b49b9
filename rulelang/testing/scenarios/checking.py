"""Check scenarios before they are played, and keep each result while the facts it depends on are the same."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path

from rulelang.base.diagnostics import (
    MOST_DIAGNOSTICS,
    Diagnostic,
    Diagnostics,
    Related,
    affected_texts,
    limit_diagnostics,
)
from rulelang.base.memo import IdentityKey, NullCache
from rulelang.base.node import record
from rulelang.base.source import NOWHERE
from rulelang.compiler.compilation import Compilation
from rulelang.data.yaml_nodes import YamlMap
from rulelang.language.semantics.check.program import signatures_of
from rulelang.language.semantics.check.symbol_table import Signature
from rulelang.language.semantics.model import Model
from rulelang.language.semantics.state_layout import Features
from rulelang.language.semantics.tree import Origin
from rulelang.testing.scenarios.begin import arranger_of
from rulelang.testing.scenarios.citations import unknown_citations
from rulelang.testing.scenarios.fixture import Fixture
from rulelang.testing.scenarios.lexicon import Form
from rulelang.testing.scenarios.log_templates import LogLine, LogTemplates
from rulelang.testing.scenarios.run import Ready, Runner
from rulelang.testing.scenarios.scenario import Outcome, Scenario, counted_mistakes

# ---- facts that a check depends on


@record
class RulesetFacts:
    """`model`: what data declare. `signatures`: what expressions may call. `forms`: how steps may read. `lines`: what
    the log can say, but for names of effects; these are made of `hooks`. `phases`: with their numbers. `leads`: where a
    position may begin. `features`: what decides how the state lies."""

    model: IdentityKey[Model]
    signatures: tuple[Signature, ...]
    forms: Mapping[str, Sequence[Form]]
    lines: tuple[LogLine, ...]
    hooks: tuple[tuple[Origin, str, str], ...]
    sides: int
    phases: Mapping[str, int]
    leads: tuple[object, ...]
    features: Features

    def concerning(self, words: frozenset[str]) -> RulesetFacts:
        """What of it a scenario reads that has these words, and in which nothing is wrong. Places are for messages.

        A step may leave off the end of what it names, so what goes on from a word counts."""

        def named(name: str) -> bool:
            return not words.isdisjoint(_beginnings(name))

        return replace(
            self,
            signatures=tuple(
                replace(one, span=NOWHERE, number=0) for one in self.signatures if words_in(one.name) <= words
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
def words_in(text: str) -> frozenset[str]:
    """The words of names and sentences: `body_size` has two."""
    return frozenset(_WORD.findall(text.casefold()))


def kept_facts(fixture: Fixture, memo: NullCache) -> RulesetFacts:
    """The same as `facts_of`: the same thing while it is equal."""
    whole = fixture.compilation
    read = IdentityKey(whole.model), IdentityKey(whole.program)
    facts = memo.get_or_compute("facts", read, lambda: facts_of(fixture, memo))
    place = str(whole.where), whole.mods, whole.mode
    return memo.early_cutoff("facts, settled", place, facts)


def is_unaffected(was: RulesetFacts, now: RulesetFacts, scenario: Scenario, memo: NullCache) -> bool:
    """Whether a scenario in which nothing was wrong reads the same of both."""
    if was is now:
        return True
    words = memo.get_or_compute("words", IdentityKey(scenario.node), lambda: words_in(str(scenario.node.plain())))
    words |= words_in(f"{scenario.home} {[row.plain() for row in scenario.rows]}")
    return was.concerning(words) == now.concerning(words)


def facts_of(fixture: Fixture, memo: NullCache) -> RulesetFacts:
    """Call it only for a ruleset without mistakes."""
    model, program = fixture.compilation.model, fixture.compilation.program
    leads, phases = fixture.leads, fixture.phases()
    run = {phase: (leads.called_at_all(phase), leads.inside[phase]) for phase in phases}
    return RulesetFacts(
        IdentityKey(model),
        tuple(signatures_of(program)),
        fixture.forms,
        memo.get_or_compute("lines", IdentityKey(program), lambda: LogTemplates(program, ()).lines),
        tuple((hook.origin, hook.kind, hook.pattern.event) for hook in program.triggers),
        fixture.sides,
        phases,
        (leads.turn, leads.from_start, leads.in_turns, run),
        fixture.drawer.graph.features,
    )


# ---- checks

EMPTY = YamlMap((), NOWHERE)
_TAKING = ("remove", "disable", "rename")


@record
class FoundMistakes:
    """The mistakes of scenarios, by place. `sources`: the texts that they are in."""

    diagnostics: tuple[Diagnostic, ...]
    sources: Mapping[str, str]


@dataclass(slots=True)
class _KeptResult:
    """What was found of a scenario by a ruleset of which these are the facts, or others that do not concern it."""

    found: tuple[Diagnostic, ...]
    sources: Mapping[str, str]
    facts: RulesetFacts


class Checker(Runner):
    """A runner that plays nothing: tables are only drawn, so that positions can be read and laid.

    Those of the mods that are laid over the ruleset by name are looked at as well: they are counted with the others.
    """

    def __init__(self, compilation: Compilation) -> None:
        self.compilation = compilation
        self._known: dict[int, RulesetFacts] = {}  # by the identity of fixtures, which stay
        self.found = NOTHING
        super().__init__(compilation.where, compilation.mods, compilation.mode, mods_too=True)

    def new_fixture(self, mods: Sequence[str | Path], mode: str | None) -> Fixture:
        own = self.compilation
        same = (tuple(mods), mode) == (own.mods, own.mode)
        return Fixture(own if same else Compilation(self.where, mods, mode, own.memo), drawn=True)

    def usable(self, fixture: Fixture) -> bool:
        """Whether scenarios can be checked on a fixture: tests of its data may fail, as nothing is played."""
        return fixture.compilation.checked.sound is not None

    def beside(self, ready: Ready, out: Diagnostics) -> None:
        """Its position is laid although steps or claims are mistaken: all is told at once."""
        fixture = self._fixture(ready.scenario, Diagnostics())
        if fixture is not None:
            arranger_of(fixture, ready.table, ready.position, out).lay(ready.table.program.initial)

    def mistakes(self, scenario: Scenario) -> tuple[Diagnostic, ...]:
        """What is wrong with one scenario, as running it tells it."""
        fixture = self._fixture(scenario, Diagnostics()) if scenario.sound else None
        if fixture is None or not self.compilation.memo.again:
            return self._mistakes(scenario)
        # The node by itself: to go through all of it takes as long as to check it.
        key = str(self.where), IdentityKey(scenario.node), replace(scenario, node=EMPTY)
        facts, memo = self._facts(fixture), self.compilation.memo

        def work() -> _KeptResult:
            found = self._mistakes(scenario)
            return _KeptResult(found, affected_texts(found, self.sources), facts)

        def fits(kept: _KeptResult) -> bool:
            if not kept.found and is_unaffected(kept.facts, facts, scenario, memo):
                kept.facts = facts
            return kept.facts is facts

        kept = memo.get_or_compute("scenarios", key, work, fits)
        self.sources = {**kept.sources, **self.sources}
        return kept.found

    def _facts(self, fixture: Fixture) -> RulesetFacts:
        """All that the check of a scenario reads of a ruleset: the same thing while it is equal."""
        if id(fixture) not in self._known:
            self._known[id(fixture)] = kept_facts(fixture, self.compilation.memo)
        return self._known[id(fixture)]

    def _mistakes(self, scenario: Scenario) -> tuple[Diagnostic, ...]:
        ready = self.ready(scenario)
        if isinstance(ready, Outcome):
            return ready.mistakes
        out = Diagnostics()
        fixture, table, position = self._fixture(scenario, out), ready.table, ready.position
        assert fixture is not None
        arranger_of(fixture, table, position, out).lay(table.program.initial)
        return tuple(out)

    def _meant(self, scenario: Scenario) -> bool:
        """Whether it was written for what is checked: those without a mode are for the game as it is usually played,
        which a check of that tells of."""
        return scenario.layer >= self._last_taking and (self.mode is None or scenario.mode is not None)

    @cached_property
    def _last_taking(self) -> int:
        return max(self._taking(), default=0)

    def _taking(self) -> set[int]:
        """The layers that take something out: scenarios of those below were written for what is not there any more."""
        compilation = self.compilation
        if len(compilation.source.layers) == 1:
            return set()
        found = {change.layer for change in compilation.source.history.changes if change.verb in _TAKING}
        return found | {change.layer for change in compilation.program.changes if change.verb in _TAKING}

    def whole(self) -> FoundMistakes:
        """Return what is wrong with all scenarios. A mistake that several share is there once, with their number."""
        for _ in self.slices():
            pass
        return self.found

    def slices(self) -> Iterator[None]:
        """The same in short pieces, between which something else may be done; then it is `found`."""
        told = [item for item in self.diagnostics if item not in self.compilation.checked.diagnostics]
        mistakes: list[tuple[Diagnostic, ...]] = []
        count = 0
        for scenario in self.scenarios:
            if self._meant(scenario) and count <= MOST_DIAGNOSTICS:
                mistakes.append(self.mistakes(scenario))
                count += len(mistakes[-1])
                yield
        told += counted_mistakes(mistakes)
        told += unknown_citations(self.compilation, (one for one in self.scenarios if self._meant(one)))
        found = limit_diagnostics(_led_back(dict.fromkeys(told), self.compilation.checked.diagnostics))
        self.found = FoundMistakes(
            tuple(found),
            affected_texts(found, self.sources),
        )


def _led_back(items: Iterable[Diagnostic], of_rules: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """The same, where those that come of a phase that nothing runs lead to the warning that the rules have of it."""
    causes = {item.hint: item for item in of_rules if item.code == "W517"}
    for item in items:
        cause = causes.get(item.hint) if item.code == "C720" and item.hint else None
        if cause is not None:
            note = f"{cause.code} has the same cause: fix it here"
            item = replace(item, hint="", related=(*item.related, Related(cause.span, note)))
        yield item


NOTHING = FoundMistakes((), {})


def check_scenarios(compilation: Compilation) -> FoundMistakes:
    """What is wrong with the scenarios of a ruleset, and with what it cites. One that is mistaken itself is not asked
    for them."""
    return Checker(compilation).whole() if compilation.checked.sound is not None else NOTHING
