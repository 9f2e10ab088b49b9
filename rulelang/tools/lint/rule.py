"""A rule of the linter, the ruleset that it examines, and its findings with their fixes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from rulelang.base.codes import Page
from rulelang.base.diagnostics import Diagnostic, Diagnostics, Related
from rulelang.base.source import Span
from rulelang.compiler.compilation import Compilation
from rulelang.data.ruleset_source import RulesetSource
from rulelang.language.semantics import tree
from rulelang.language.semantics.check.symbol_table import Texts
from rulelang.language.semantics.model import Model
from rulelang.testing.scenarios.documents import Rule as Numbered
from rulelang.testing.scenarios.documents import documents_of
from rulelang.testing.scenarios.run import own_layers
from rulelang.testing.scenarios.scenario import Scenario, read_scenarios
from rulelang.tools.lint.uses import Uses, uses_of

# ---- the ruleset that rules examine


class Subject:
    """A ruleset or mod without mistakes. What lies below it is read too, but nothing is said of it."""

    def __init__(self, compilation: Compilation) -> None:
        self.compilation = compilation
        self.own = own_layers(compilation.source)
        self._folders = tuple(
            str(Path(layer.span.path).parent) for layer in compilation.source.layers if layer.index in self.own
        )

    @property
    def source(self) -> RulesetSource:
        return self.compilation.source

    @property
    def model(self) -> Model:
        return self.compilation.model

    @property
    def program(self) -> tree.Program:
        return self.compilation.program

    @property
    def texts(self) -> Texts:
        """The declarations as written, with their origins, in the order of files."""
        return self.compilation.trees

    def text(self, span: Span) -> str:
        """What stands at a place, as it is written; lines below the first as the file has them."""
        lines = self.source.sources[span.path].split("\n")[span.line - 1 : span.end_line]
        if len(lines) == 1:
            return lines[0][span.column - 1 : span.end_column - 1]
        return "\n".join((lines[0][span.column - 1 :], *lines[1:-1], lines[-1][: span.end_column - 1]))

    def owns(self, span: Span) -> bool:
        """Whether a place is in what was named, and not in a layer below it or above it."""
        return bool(span.path) and any(Path(span.path).is_relative_to(folder) for folder in self._folders)

    @cached_property
    def uses(self) -> Uses:
        """In all modes together: what a mode uses is used."""
        found = uses_of(self.program, self.model)
        found.cites.update(citation.rule_id for citation in self.source.citations)
        for mode in self.source.modes if self.compilation.mode is None else ():
            part = Compilation(self.compilation.where, self.compilation.mods, mode)
            if not part.diagnostics.failed:
                found.add(uses_of(part.program, part.model))
                found.cites.update(citation.rule_id for citation in part.source.citations)
        return found

    @cached_property
    def scenarios(self) -> list[Scenario]:
        """Those of all layers; `own_scenarios` are those of what was named."""
        return read_scenarios(self.source)[0]

    @property
    def own_scenarios(self) -> Iterator[Scenario]:
        return (scenario for scenario in self.scenarios if scenario.layer in self.own)

    @cached_property
    def numbered(self) -> dict[str, Numbered]:
        """The numbered rules of the documents of what was named."""
        named = {layer.id for layer in self.source.layers if layer.index in self.own}
        found = documents_of(self.source, Diagnostics())[0]
        return {id_: rule for id_, rule in found.items() if rule.ruleset in named}

    def hooks(self) -> Iterator[tree.Hook]:
        """All hooks, each once: one with several events is a hook for each of them, and the first is taken."""
        seen: set[tuple[tree.Origin, int]] = set()
        for hook in self.program.hooks:
            mark = (hook.origin, hook.group)
            if hook.group == 0 or mark not in seen:
                seen.add(mark)
                yield hook


# ---- rules and findings


@dataclass(frozen=True, slots=True)
class Fix:
    """Text to put in the place of each of these spans, which lie in one line each. It keeps what the rules mean."""

    edits: tuple[tuple[Span, str], ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """One place where a rule has something to say. `cause`: what several places have in common, so that the first of
    them tells of all; None: it stands for itself."""

    span: Span
    message: str
    because: str = ""
    hint: str = ""
    related: tuple[Related, ...] = ()
    fix: Fix | None = None
    cause: object = None


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule. `name` is what is written in `# lint: allow NAME`; `deep`: it plays scenarios, so it has to be asked for.

    `page` has a bad and a good example: rules, or a whole file, over the garden of the language reference.
    """

    name: str
    page: Page
    find: Callable[[Subject], Iterable[Finding]]
    deep: bool = False

    @property
    def code(self) -> str:
        return self.page.code


@dataclass(frozen=True, slots=True)
class Advice:
    """What a rule has found, as it is shown, and how it is mended."""

    rule: Rule
    diagnostic: Diagnostic
    fix: Fix | None = None


def advice_for(rule: Rule, found: Finding) -> Advice:
    """A finding as a warning with the rule's code."""
    item = Diagnostic(rule.code, found.span, found.message, found.because, found.hint, found.related, "warning")
    return Advice(rule, item, found.fix)
