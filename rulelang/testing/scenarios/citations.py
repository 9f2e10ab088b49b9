"""Citations of numbered rules in code and scenarios, and which rules they cover."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulelang.base.diagnostics import Diagnostic, Diagnostics
from rulelang.base.source import Span
from rulelang.base.wording import did_you_mean, quoted_list
from rulelang.compiler.compilation import Compilation
from rulelang.data.ruleset_source import RulesetSource
from rulelang.testing.scenarios.documents import Rule, documents_of
from rulelang.testing.scenarios.run import Runner
from rulelang.testing.scenarios.scenario import Outcome, Scenario

# ---- citations


def cited_by_code(compilation: Compilation) -> Iterator[tuple[str, Span, str]]:
    """Citations before declarations of the rules texts, and those between the rows of data files; with the id of the
    ruleset or mod that cites them."""
    source = compilation.source
    for origin, declarations in compilation.trees:
        for node in declarations:
            for cited in node.cites:
                yield cited, node.span, citing_id(source, origin.layer)
    for citation in source.citations:
        yield citation.rule_id, citation.span, citing_id(source, citation.layer)


def citing_id(source: RulesetSource, layer: int) -> str:
    """The ruleset or mod of a layer; of a mode the one that has it."""
    one = source.layers[layer]
    return one.of if one.kind == "mode" else one.id


class Documents:
    """Holds citations against the documents of a ruleset and its mods. One without documents cites as it likes.

    A mod may have rules of its own before it has a document for them: ids that are not of the kind that the documents
    have (`tf-1` beside `ev-3`) are told of together, once for the mod, as a warning.
    """

    def __init__(self, source: RulesetSource, rules: Mapping[str, Rule], out: Diagnostics) -> None:
        self.rules, self.out = rules, out
        self.game = citing_id(source, 0)
        self.documented = {rule.ruleset for rule in rules.values()}
        self.kinds = {_kind(rule) for rule in rules}
        self.own: dict[str, dict[str, Span]] = {}  # by mod, the ids that no document has, each where it is cited first

    def look(self, cited: str, span: Span, whose: str) -> None:
        """C710: the id that a ruleset or mod cites must be one of a document."""
        if not self.rules or cited in self.rules:
            return
        hint = did_you_mean(cited, self.rules)
        if whose != self.game and whose not in self.documented:
            if _kind(cited) not in self.kinds and ("-" in cited or not hint):
                self.own.setdefault(whose, {}).setdefault(cited, span)
                return
            hint = hint or f"the rules of `{whose}` itself belong in {_place(whose)}"
        because = "a citation must name a rule of the documents in `seeds/`"
        self.out.error("C710", span.head(), f"no document contains the rule `{cited}`", because=because, hint=hint)

    def close(self) -> None:
        """C722 for each mod whose own rules stand in no document, once all is looked at."""
        for whose, cited in self.own.items():
            said = f"{quoted_list([*cited][:_NAMED])}{' and others' if len(cited) > _NAMED else ''}"
            self.out.warning(
                "C722",
                next(iter(cited.values())).head(),
                f"`{whose}` cites its own rules, but no document contains them: {said}",
                because=(
                    "without a document, nobody can look up these rules, and `rulelang coverage` does not count them"
                ),
                hint=f"write them in {_place(whose)}: `ruleset: {whose}`, and under `rules:` each id with its `text:`",
            )


#: So many ids are named of those that no document has.
_NAMED = 3


def _kind(cited: str) -> str:
    """What the ids of one document begin with."""
    return cited.partition("-")[0]


def _place(mod: str) -> str:
    return f"`seeds/{mod}.yaml` next to its folder"


def unknown_citations(compilation: Compilation, scenarios: Iterable[Scenario]) -> Diagnostics:
    """C710 and C722 for the citations of a ruleset, as it is read in its mode, and of scenarios that name no rule."""
    source = compilation.source
    said = ((word.text, word.span, citing_id(source, one.layer)) for one in scenarios for word in one.rules)
    cited = [*cited_by_code(compilation), *said]
    out = Diagnostics()
    if cited:
        documents = Documents(source, documents_of(source, Diagnostics())[0], out)
        for found in dict.fromkeys(cited):
            documents.look(*found)
        documents.close()
    return out


# ---- rules that are covered


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


def measure_rule_coverage(
    where: str | Path, mods: Sequence[str | Path] = (), mode: str | None = None
) -> CoverageReport:
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
            documents.look(word.text, word.span, citing_id(source, outcome.scenario.layer))
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
