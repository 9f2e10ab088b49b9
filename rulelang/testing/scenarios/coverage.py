"""Which rules of the rulebook some line of the ruleset carries out, and which a passing scenario shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulelang.base.diagnostics import Diagnostic, Diagnostics
from rulelang.base.source import Span
from rulelang.compiler.compilation import Compilation
from rulelang.testing.scenarios.citations import Documents, cited_by_code, citing
from rulelang.testing.scenarios.documents import Rule, documents_of
from rulelang.testing.scenarios.records import Outcome
from rulelang.testing.scenarios.run import Runner


@dataclass(frozen=True, slots=True)
class CoverageReport:
    """`given`: the ids of the ruleset or mod, and of mods over it. `code` and `scenarios`: by rule, the places that
    cite it, and the names of passing scenarios that do.

    `uncoded`, `untested`: enforced rules that no code, no passing scenario cites. `outcomes`: of all scenarios.
    `mistakes`: of the ruleset, the documents and the citations.
    """

    given: tuple[str, ...]
    rules: Mapping[str, Rule]
    code: Mapping[str, tuple[Span, ...]]
    scenarios: Mapping[str, tuple[str, ...]]
    uncoded: tuple[Rule, ...]
    untested: tuple[Rule, ...]
    outcomes: tuple[Outcome, ...]
    mistakes: tuple[Diagnostic, ...]
    sources: Mapping[str, str]

    @property
    def enforced(self) -> int:
        return sum(rule.enforced for rule in self.rules.values())

    @property
    def ok(self) -> bool:
        """Every enforced rule has code and a passing scenario, and every citation names a rule."""
        return not self.uncoded and not self.untested and not any(d.severity == "error" for d in self.mistakes)


def coverage(where: str | Path, mods: Sequence[str | Path] = (), mode: str | None = None) -> CoverageReport:
    """Read the documents, gather the citations and run all scenarios of a ruleset."""
    runner = Runner(where, mods, mode, mods_too=True)
    out = Diagnostics(list(runner.diagnostics))
    outcomes = tuple(runner.run(scenario) for scenario in runner.scenarios)
    compilation = runner.fixture.compilation
    source = compilation.read[0]
    if source is None:
        return CoverageReport((str(where),), {}, {}, {}, (), (), outcomes, tuple(out), runner.sources)
    rules, texts = documents_of(source, out)
    documents = Documents(source, rules, out)
    code: dict[str, list[Span]] = {}
    # Files of modes are read in their modes only, so each that can be chosen is looked at too.
    modes = source.modes if mode is None else ()
    for part in (compilation, *(Compilation(where, mods, name) for name in modes)):
        for cited, span, whose in cited_by_code(part):
            if span not in code.setdefault(cited, []):
                code[cited].append(span)
                documents.look(cited, span, whose)
    tested: dict[str, list[str]] = {}
    for outcome in outcomes:
        for word in outcome.scenario.rules:
            documents.look(word.text, word.span, citing(source, outcome.scenario.layer))
            if outcome.passed:
                tested.setdefault(word.text, []).append(outcome.scenario.id)
    documents.close()
    # As with scenarios: the rules of what was named, and not those of what it builds on.
    rules = {name: rule for name, rule in rules.items() if rule.ruleset in source.given}
    enforced = [rule for rule in rules.values() if rule.enforced]
    return CoverageReport(
        source.given,
        rules,
        {cited: tuple(spans) for cited, spans in code.items()},
        {cited: tuple(names) for cited, names in tested.items()},
        tuple(rule for rule in enforced if rule.id not in code),
        tuple(rule for rule in enforced if rule.id not in tested),
        outcomes,
        tuple(out.sorted()),
        {**runner.sources, **source.sources, **texts},
    )


def coverage_lines(report: CoverageReport) -> Iterator[str]:
    """The report as text: what is missing, and the counts."""
    if not report.rules:
        yield f"no document in seeds/ has rules of {' or '.join(report.given)}"
        return
    for title, missing in (
        ("rules that no code cites", report.uncoded),
        ("rules that no passing scenario cites", report.untested),
    ):
        yield f"{title}: {len(missing) or 'none'}"
        for rule in missing:
            yield f"  {rule.id}  {rule.text}"
            yield f"      {rule.span}"
    free = len(report.rules) - report.enforced
    passed = sum(outcome.passed for outcome in report.outcomes)
    total = len(report.outcomes)
    yield f"{report.enforced} rules are enforced ({free} need no code); {passed} of {total} scenarios pass"
