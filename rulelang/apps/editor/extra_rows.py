"""Test rows of scenarios, and the rules that they bring: a ruleset as those scenarios see it that have them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rulelang.apps.editor.analysis import Analysis, absolute
from rulelang.apps.editor.rule_names import Heard
from rulelang.apps.editor.yaml_words import root_of
from rulelang.base.diagnostics import Diagnostics
from rulelang.base.source import Span
from rulelang.data.ruleset_source import RulesOwner, RulesText
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq
from rulelang.language.semantics.check.program import check_with_more_rules, origin_of
from rulelang.language.semantics.model import CardType, Listing, Model, Row
from rulelang.language.syntax import nodes
from rulelang.language.syntax.parse import parse

_HOOKS = nodes.Modify | nodes.Forbid | nodes.Ignore | nodes.Trigger | nodes.CopyCards | nodes.Labelled
_BODIES = nodes.Phase | nodes.Routine | nodes.Action | nodes.Value | nodes.Invariant | nodes.Replace


@dataclass(frozen=True)
class Part:
    """A scenario, or all of a file but its scenarios: as a node, whose trait it stands beside, and the ruleset as it
    sees it. `lines`: the first and the last of its file."""

    path: str
    lines: tuple[int, int]
    node: YamlMap
    trait: str
    seen: Analysis


@dataclass(frozen=True)
class WithRows:
    """A ruleset with test rows. `unread`: rules of theirs in which names may stand that nobody has read."""

    analysis: Analysis
    heard: Heard
    unread: tuple[Span, ...] = ()


class ExtraRows:
    """All scenarios of a ruleset, each with the ruleset that it is about. Worked out once for an analysis."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self.found: dict[tuple[int, ...], WithRows] = {}  # by the identity of nodes, which the parts keep
        self.parts: list[Part] = []
        for trait in analysis.source.traits:
            node = trait.node.get("scenarios")
            self._scenarios(node, (), trait.id, trait.layer)
        for file in analysis.source.scenario_files:
            root = root_of(file.text, file.path)
            if isinstance(root, YamlMap):
                rows = _rows_of(root)
                head = YamlMap(tuple(item for item in root.items if item[0].text != "scenarios"), root.span)
                self._put(head, (root.span.line, root.span.end_line), rows, "", file.layer)
                self._scenarios(root.get("scenarios"), rows, "", file.layer)
            else:
                self._scenarios(root, (), "", file.layer)

    def _scenarios(self, node: YamlNode | None, rows: tuple[YamlMap, ...], trait: str, layer: int) -> None:
        for item in node.items if isinstance(node, YamlSeq) else ():
            if isinstance(item, YamlMap):
                lines = item.span.line, item.span.end_line
                self._put(item, lines, (*rows, *_rows_of(item)), trait, layer)

    def _put(self, node: YamlMap, lines: tuple[int, int], rows: tuple[YamlMap, ...], trait: str, layer: int) -> None:
        seen = self.analysis
        if rows:
            key = tuple(map(id, rows))
            if key not in self.found:
                self.found[key] = with_rows(self.analysis, rows, layer)
            seen = self.found[key].analysis
        self.parts.append(Part(absolute(node.span.path), lines, node, trait, seen))


def extra_rows(analysis: Analysis) -> ExtraRows:
    """The scenarios of an analysis."""
    made = analysis.kept.get("extra rows")
    if not isinstance(made, ExtraRows):
        made = analysis.kept["extra rows"] = ExtraRows(analysis)
    return made


def seen_at(analysis: Analysis, path: str, line: int) -> Analysis:
    """The ruleset as a line of a file sees it: with test rows, in scenarios that have some."""
    if not path.endswith((".yaml", ".yml")):
        return analysis
    inside = [p for p in extra_rows(analysis).parts if p.path == path and p.lines[0] <= line <= p.lines[1]]
    return min(inside, key=lambda part: part.lines[1] - part.lines[0]).seen if inside else analysis


def with_rows(analysis: Analysis, rows: Sequence[YamlMap], layer: int) -> WithRows:
    """A ruleset with these rows besides. What is wrong with them is told where scenarios are checked."""
    model = _with(analysis.model, rows, layer)
    texts = list(_texts(rows, model, layer))
    heard, found = Heard(), Diagnostics()
    trees, unread = [], [text.span for text, exact in texts if not exact]
    for text, exact in texts:
        declarations, told = parse(text.text, text.placement) if exact else ((), Diagnostics())
        known = tuple(node for node in declarations if isinstance(node, _HOOKS | _BODIES))
        if told.failed or known != declarations:
            unread.append(text.span)
        trees.append((origin_of(text, model), known))
    program, read = check_with_more_rules(model, analysis.program, trees, heard.form, found)
    source = replace(analysis.source, rules=(*analysis.source.rules, *(text for text, exact in texts if exact)))
    seen = replace(analysis, model=model, program=program, trees=read, source=source, kept={}, of=analysis)
    return WithRows(seen, heard, tuple(unread))


def _rows_of(node: YamlMap) -> tuple[YamlMap, ...]:
    rows = node.get("rows")
    return (rows,) if isinstance(rows, YamlMap) else ()


def _named(
    rows: Sequence[YamlMap], kinds: Mapping[str, Listing | CardType]
) -> Iterator[tuple[str, YamlScalar, YamlNode]]:
    """List or sort, name and cells of each row."""
    for node in rows:
        for kind, found in node:
            if kind.text in kinds and isinstance(found, YamlMap):
                yield from ((kind.text, name, cells) for name, cells in found)


def _with(model: Model, rows: Sequence[YamlMap], layer: int) -> Model:
    """A model that knows the rows by name, but for what is printed in them, which no name stands for."""
    lists, sorts = dict(model.lists), dict(model.sorts)
    kinds: dict[str, Listing | CardType] = {**lists, **sorts}
    for kind, name, _ in _named(rows, kinds):
        known = kinds[kind]
        if all(row.name != name.text for row in known.rows):
            number = len(known.rows) + 1
            row = Row(name.text, number, {}, layer=layer, span=name.span, written=number)
            kinds[kind] = replace(known, rows=(*known.rows, row))
    for kind in kinds:
        changed = kinds[kind]
        if isinstance(changed, Listing):
            lists[kind] = changed
        else:
            sorts[kind] = changed
    return replace(model, lists=lists, sorts=sorts)


def _texts(rows: Sequence[YamlMap], model: Model, layer: int) -> Iterator[tuple[RulesText, bool]]:
    """The rules of the rows, and whether each line of them stands in the file as it is."""
    kinds: dict[str, Listing | CardType] = {**model.lists, **model.sorts}
    for kind, name, cells in _named(rows, kinds):
        rules = cells.get("rules") if isinstance(cells, YamlMap) else None
        if isinstance(rules, YamlScalar) and isinstance(rules.value, str):
            owner = RulesOwner("card" if kind in model.sorts else "row", name.text, kind)
            yield RulesText(rules.text, rules.placement(), layer, owner, rules.span), rules.exact
