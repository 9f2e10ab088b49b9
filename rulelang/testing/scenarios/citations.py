"""Citations of numbered rules, in code and in scenarios, and those that name no rule of the documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.source import Span
from rulelang.base.wording import did_you_mean, quoted_list
from rulelang.compiler.compilation import Compilation
from rulelang.data.ruleset_source import RulesetSource
from rulelang.testing.scenarios.documents import Rule, documents_of
from rulelang.testing.scenarios.records import Scenario


def cited_by_code(compilation: Compilation) -> Iterator[tuple[str, Span, str]]:
    """Citations before declarations of the rules texts, and those between the rows of data files; with the id of the
    ruleset or mod that cites them."""
    source = compilation.source
    for origin, declarations in compilation.trees:
        for node in declarations:
            for cited in node.cites:
                yield cited, node.span, citing(source, origin.layer)
    for citation in source.citations:
        yield citation.rule_id, citation.span, citing(source, citation.layer)


def citing(source: RulesetSource, layer: int) -> str:
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
        self.game = citing(source, 0)
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
    said = ((word.text, word.span, citing(source, one.layer)) for one in scenarios for word in one.rules)
    cited = [*cited_by_code(compilation), *said]
    out = Diagnostics()
    if cited:
        documents = Documents(source, documents_of(source, Diagnostics())[0], out)
        for found in dict.fromkeys(cited):
            documents.look(*found)
        documents.close()
    return out
