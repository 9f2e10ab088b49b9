"""Names in expressions that stand in YAML: what scenarios claim, and what `look:` works out. The checker says what each
of them is, as it does of rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from rulelang.apps.editor.analysis import Analysis
from rulelang.apps.editor.occurrences import Occurrence
from rulelang.apps.editor.rule_names import Heard, Owners, Reader
from rulelang.base.diagnostics import Diagnostics
from rulelang.data.yaml_nodes import YamlScalar
from rulelang.language.semantics.check.program import check_expression
from rulelang.language.semantics.declare.labels import GAME
from rulelang.language.semantics.model import Type, ref
from rulelang.language.syntax.parse import parse_expression
from rulelang.testing.scenarios.formulas import nameable_things, read_formula


class Expressions:
    """Reads them, one after the other: the names in each, but for those of variables."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self.heard = Heard()
        self.reader = Reader(analysis, self.heard, analysis.outside, Owners(()), {})

    def claim(self, scalar: YamlScalar, names: Mapping[str, Type], trait: str) -> list[Occurrence] | None:
        """Of what a scenario says of a position. `names`: its players and things; `trait`: which it stands beside.
        None if it is mistaken, or no expression."""
        if not scalar.exact or not isinstance(scalar.value, str):
            return None
        self.heard.met.clear()
        model, program, form = self.analysis.model, self.analysis.program, self.heard.form
        known = {**self._nobodys, **names}
        if read_formula(scalar, model, program, known, Diagnostics(), trait, form) is None:
            return None
        return list(self._found())

    def shown(self, scalar: YamlScalar, of: str) -> Iterator[Occurrence]:
        """Of what `look:` works out of a kind."""
        node, mistakes = parse_expression(scalar.text, scalar.placement()) if scalar.exact else (None, Diagnostics())
        if node is None or mistakes.failed:
            return
        self.heard.met.clear()
        names = {} if of == GAME else {"this": ref(of)}
        check_expression(self.analysis.model, self.analysis.program, node, names, form=self.heard.form)
        yield from self._found()

    @cached_property
    def _nobodys(self) -> Mapping[str, Type]:
        return nameable_things(self.analysis.model)

    def _found(self) -> Iterator[Occurrence]:
        found = [item for met in self.heard.met.values() for item in self.reader.expression(*met)]
        if self.heard.met:
            whole, _, origin = list(self.heard.met.values())[-1]  # parts are met before what they are parts of
            found += self.reader.declaration(whole, origin)
        yield from (item for item in found if item.thing.what != "local")
