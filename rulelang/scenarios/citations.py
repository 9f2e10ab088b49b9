"""Citations of numbered rules, in code and in scenarios, and those that name no rule of the documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.nearest import did_you_mean
from rulelang.base.source import Span
from rulelang.compile import Compilation
from rulelang.scenarios.documents import Rule, documents_of
from rulelang.scenarios.records import Scenario


def cited_by_code(compilation: Compilation) -> Iterator[tuple[str, Span]]:
    """Citations before declarations of the rules texts, and those between the rows of data files."""
    for _, declarations in compilation.trees:
        for node in declarations:
            for cited in node.cites:
                yield cited, node.span
    for citation in compilation.source.citations:
        yield citation.rule_id, citation.span


def known(cited: str, span: Span, rules: Mapping[str, Rule], out: Diagnostics) -> None:
    """C710: the id must be one of a document. A ruleset without documents cites as it likes."""
    if rules and cited not in rules:
        out.error(
            "C710",
            span.head(),
            f"no document has a rule `{cited}`",
            because="a citation names a rule of the documents in `seeds/`",
            hint=did_you_mean(cited, rules),
        )


def unknown_citations(compilation: Compilation, scenarios: Iterable[Scenario]) -> Diagnostics:
    """C710 for each citation of a ruleset, as it is read in its mode, and of scenarios that names no rule."""
    cited = [*cited_by_code(compilation), *((word.text, word.span) for one in scenarios for word in one.rules)]
    out = Diagnostics()
    rules = documents_of(compilation.source, Diagnostics())[0] if cited else {}
    for name, span in dict.fromkeys(cited):
        known(name, span, rules, out)
    return out
