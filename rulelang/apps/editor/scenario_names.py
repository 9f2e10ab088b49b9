"""The occurrences of names in scenarios and their test rows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from rulelang.apps.editor.analysis import Analysis, absolute
from rulelang.apps.editor.rule_names import (
    PROSE_KEYS,
    ExpressionNames,
    Occurrence,
    Thing,
    ThingKind,
    TypeListener,
    kind_thing,
    row_thing,
    scalar_names,
    scalar_words,
    yaml_root,
)
from rulelang.base.diagnostics import Diagnostics
from rulelang.base.source import Span
from rulelang.data.ruleset_source import RulesOwner, RulesText
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar, YamlSeq
from rulelang.language.semantics.check.program import check_with_more_rules, origin_of
from rulelang.language.semantics.members import printed_of
from rulelang.language.semantics.model import (
    PLAYER,
    Attribute,
    CardType,
    Column,
    Grid,
    Listing,
    Made,
    Model,
    Row,
    Type,
    ref,
)
from rulelang.language.syntax import nodes
from rulelang.language.syntax.parse import parse
from rulelang.testing.scenarios.tokens import Word, split_words

# ---- Test rows of scenarios

_HOOKS = nodes.Modify | nodes.Forbid | nodes.Ignore | nodes.Trigger | nodes.CopyCards | nodes.Labelled
_BODIES = nodes.Phase | nodes.Routine | nodes.Action | nodes.Value | nodes.Invariant | nodes.Replace


@dataclass(frozen=True)
class ScenarioPart:
    """A scenario, or all of a file but its scenarios: as a node, whose trait it stands beside, and the ruleset as it
    sees it. `lines`: the first and the last of its file."""

    path: str
    lines: tuple[int, int]
    node: YamlMap
    trait: str
    seen: Analysis


@dataclass(frozen=True)
class RulesetWithRows:
    """A ruleset with test rows. `unread`: rules of theirs in which names may stand that nobody has read."""

    analysis: Analysis
    heard: TypeListener
    unread: tuple[Span, ...] = ()


class ExtraRows:
    """All scenarios of a ruleset, each with the ruleset that it is about. Worked out once for an analysis."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self.found: dict[tuple[int, ...], RulesetWithRows] = {}  # by the identity of nodes, which the parts keep
        self.parts: list[ScenarioPart] = []
        for trait in analysis.source.traits:
            node = trait.node.get("scenarios")
            self._scenarios(node, (), trait.id, trait.layer)
        for file in analysis.source.scenario_files:
            root = yaml_root(file.text, file.path)
            if isinstance(root, YamlMap):
                rows = _row_maps(root)
                head = YamlMap(tuple(item for item in root.items if item[0].text != "scenarios"), root.span)
                self._put(head, (root.span.line, root.span.end_line), rows, "", file.layer)
                self._scenarios(root.get("scenarios"), rows, "", file.layer)
            else:
                self._scenarios(root, (), "", file.layer)

    def _scenarios(self, node: YamlNode | None, rows: tuple[YamlMap, ...], trait: str, layer: int) -> None:
        for item in node.items if isinstance(node, YamlSeq) else ():
            if isinstance(item, YamlMap):
                lines = item.span.line, item.span.end_line
                self._put(item, lines, (*rows, *_row_maps(item)), trait, layer)

    def _put(self, node: YamlMap, lines: tuple[int, int], rows: tuple[YamlMap, ...], trait: str, layer: int) -> None:
        seen = self.analysis
        if rows:
            key = tuple(map(id, rows))
            if key not in self.found:
                self.found[key] = ruleset_with_rows(self.analysis, rows, layer)
            seen = self.found[key].analysis
        self.parts.append(ScenarioPart(absolute(node.span.path), lines, node, trait, seen))


def extra_rows(analysis: Analysis) -> ExtraRows:
    """The scenarios of an analysis."""
    made = analysis.kept.get("extra rows")
    if not isinstance(made, ExtraRows):
        made = analysis.kept["extra rows"] = ExtraRows(analysis)
    return made


def ruleset_at_line(analysis: Analysis, path: str, line: int) -> Analysis:
    """The ruleset as a line of a file sees it: with test rows, in scenarios that have some."""
    if not path.endswith((".yaml", ".yml")):
        return analysis
    inside = [p for p in extra_rows(analysis).parts if p.path == path and p.lines[0] <= line <= p.lines[1]]
    return min(inside, key=lambda part: part.lines[1] - part.lines[0]).seen if inside else analysis


def ruleset_with_rows(analysis: Analysis, rows: Sequence[YamlMap], layer: int) -> RulesetWithRows:
    """A ruleset with these rows besides. What is wrong with them is told where scenarios are checked."""
    model = _model_with_rows(analysis.model, rows, layer)
    texts = list(_row_rules(rows, model, layer))
    heard, found = TypeListener(), Diagnostics()
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
    return RulesetWithRows(seen, heard, tuple(unread))


def _row_maps(node: YamlMap) -> tuple[YamlMap, ...]:
    rows = node.get("rows")
    return (rows,) if isinstance(rows, YamlMap) else ()


def _named_rows(
    rows: Sequence[YamlMap], kinds: Mapping[str, Listing | CardType]
) -> Iterator[tuple[str, YamlScalar, YamlNode]]:
    """List or sort, name and cells of each row."""
    for node in rows:
        for kind, found in node:
            if kind.text in kinds and isinstance(found, YamlMap):
                yield from ((kind.text, name, cells) for name, cells in found)


def _model_with_rows(model: Model, rows: Sequence[YamlMap], layer: int) -> Model:
    """A model that knows the rows by name, but for what is printed in them, which no name stands for."""
    lists, sorts = dict(model.lists), dict(model.sorts)
    kinds: dict[str, Listing | CardType] = {**lists, **sorts}
    for kind, name, _ in _named_rows(rows, kinds):
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


def _row_rules(rows: Sequence[YamlMap], model: Model, layer: int) -> Iterator[tuple[RulesText, bool]]:
    """The rules of the rows, and whether each line of them stands in the file as it is."""
    kinds: dict[str, Listing | CardType] = {**model.lists, **model.sorts}
    for kind, name, cells in _named_rows(rows, kinds):
        rules = cells.get("rules") if isinstance(cells, YamlMap) else None
        if isinstance(rules, YamlScalar) and isinstance(rules.value, str):
            owner = RulesOwner("card" if kind in model.sorts else "row", name.text, kind)
            yield RulesText(rules.text, rules.placement(), layer, owner, rules.span), rules.exact


# ---- Names in cells


class CellNames:
    """Reads rows, wherever they stand."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis

    def rows(self, of: str, node: YamlNode | None) -> Iterator[Occurrence]:
        """Rows of a list or sort: their cells, under the columns."""
        items: list[YamlNode] = []
        if isinstance(node, YamlMap):
            items = [value for _, value in node]
        elif isinstance(node, YamlSeq):
            items = list(node.items)
        columns = self.analysis.symbols.printed(of)
        for row in items:
            if isinstance(row, YamlMap):
                for key, value in row:
                    if key.text in columns:
                        yield from self.column(of, key)
                        yield from self.cell(columns[key.text], value)

    def column(self, of: str, key: YamlScalar) -> Iterator[Occurrence]:
        if key.text in self.analysis.symbols.printed(of):
            yield Occurrence(key.span, Thing("column", key.text, of))

    def cell(self, column: Column, node: YamlNode) -> Iterator[Occurrence]:
        """The rows that a cell names, and in those by rows of a list the labels."""
        if isinstance(node, YamlMap) and isinstance(column.by, str):
            for key, _ in node:
                if key.text in self.analysis.symbols.rows_of(column.by):
                    yield Occurrence(key.span, row_thing(column.by, key.text))
        if column.type.tag not in ("ref", "set", "condition"):
            return
        rows = self.analysis.symbols.rows_of(column.type.name)
        for word in scalar_words(node, rows):
            if word.text in rows:
                yield Occurrence(word.span, row_thing(column.type.name, word.text))


# ---- Names in scenarios

_LOG = "log"
_THEN = "then"
_ROWS = "rows"


class NamedInScenario(NamedTuple):
    """A player or a thing of a scenario, the word that names it first, and its kind."""

    thing: Thing
    word: Word
    kind: str


def names_in_given(scenario: YamlMap, model: Model) -> dict[str, NamedInScenario]:
    """By name without regard to case, as scenarios are read."""
    found: dict[str, NamedInScenario] = {}
    place = f"{scenario.span.path}:{scenario.span.line}"
    for word, kind in _given_names(scenario.map("given"), model):
        found.setdefault(
            word.text.casefold(), NamedInScenario(Thing("local", word.text, f"{place} {word.text}"), word, kind)
        )
    return found


def _given_names(given: YamlMap, model: Model) -> Iterator[tuple[Word, str]]:
    players = given.get("players")
    if isinstance(players, YamlSeq):
        for item in players:
            yield from _first_word(item, "player")
    elif isinstance(players, YamlMap):
        for key, value in players:
            yield from _first_word(key, "player")
            yield from _given_things(value, model)
    nobody = given.get("nobody")
    if nobody is not None:
        yield from _given_things(nobody, model)


def _given_things(node: YamlNode, model: Model) -> Iterator[tuple[Word, str]]:
    """The things of a player: a list of them, or lists by their kind."""
    if isinstance(node, YamlSeq):
        kind = next(iter(model.made), "")
        for item in node:
            yield from _first_word(item, kind)
    elif isinstance(node, YamlMap):
        for key, value in node:
            if key.text in model.made:
                for item in value if isinstance(value, YamlSeq) else (value,):
                    yield from _first_word(item, key.text)


def _first_word(node: YamlNode, kind: str) -> Iterator[tuple[Word, str]]:
    """The first word of a text, or of the key of a map of one."""
    if isinstance(node, YamlMap) and len(node) == 1:
        node = node.items[0][0]
    if isinstance(node, YamlScalar) and node.exact and isinstance(node.value, str):
        words = split_words(node)
        if words and words[0].text.isidentifier():
            yield words[0], kind


class ScenarioNames:
    """Reads the scenarios of a ruleset."""

    def __init__(self, analysis: Analysis, cells: CellNames) -> None:
        self.analysis, self.model, self.cells = analysis, analysis.model, cells
        self.expressions = ExpressionNames(analysis)
        self.called: dict[str, NamedInScenario] = {}  # in the scenario at hand
        self.names: dict[str, Type] = {}
        self.trait = ""

    def scenarios(self, node: YamlNode, trait: str = "") -> Iterator[Occurrence]:
        """Actions, traits, rows, members, zones, state and numbered rules that scenarios name, and what they have names
        of their own for. `trait`: which they stand beside."""
        self.trait = trait
        yield from self._part(node, "")

    def _part(self, node: YamlNode, key: str) -> Iterator[Occurrence]:
        if key == _ROWS and isinstance(node, YamlMap):
            for kind, rows in node:
                if self.analysis.symbols.is_kind(kind.text):
                    yield Occurrence(kind.span, kind_thing(self.model, kind.text))
                    yield from self._rows(kind.text, rows)
                    yield from self.cells.rows(kind.text, rows)
        elif isinstance(node, YamlMap):
            if isinstance(node.get("given"), YamlMap):
                self.called = names_in_given(node, self.model)
                named = ((its.word.text, its.kind) for its in self.called.values())
                self.names = {name: PLAYER if kind == "player" else ref(kind) for name, kind in named if kind}
                yield from (Occurrence(its.word.span, its.thing, True, its.kind) for its in self.called.values())
            own = key in ("options", "state", "zones", "tables", "lists")
            for inner, value in node:
                if key == _LOG:
                    yield from self._part(value, _LOG)
                elif inner.text not in PROSE_KEYS or own:
                    yield from self._names_in_text(inner, key, is_key=True)
                    if key == "options" and inner.text in self.model.options:
                        yield from self._chosen(inner.text, value)
                    else:
                        yield from self._part(value, inner.text)
        elif isinstance(node, YamlSeq):
            for item in node:
                yield from self._part(item, key)
        elif isinstance(node.value, str):
            yield from self._claimed(node) if key == _THEN else self._names_in_text(node, key, is_key=False)

    def _rows(self, kind: str, rows: YamlNode) -> Iterator[Occurrence]:
        """The names of test rows: they are declared where they stand."""
        known = self.analysis.symbols.rows_of(kind)
        for name, _ in rows if isinstance(rows, YamlMap) else ():
            if name.text in known:
                yield Occurrence(name.span, row_thing(kind, name.text), True, kind)

    def _chosen(self, option: str, node: YamlNode) -> Iterator[Occurrence]:
        if isinstance(node, YamlScalar) and node.text in self.model.options[option].values:
            yield Occurrence(node.span, Thing("row", node.text, f"option {option}"))

    def _claimed(self, node: YamlScalar) -> Iterator[Occurrence]:
        found = self.expressions.claim(node, self.names, self.trait)
        if found is None:
            yield from self._names_in_text(node, _THEN, is_key=False)
            return
        yield from found
        for word in scalar_names(node):
            own = self.called.get(word.text.casefold())
            if own is not None and all(item.span != word.span for item in found):
                yield Occurrence(word.span, own.thing, type=own.kind)

    def _names_in_text(self, node: YamlScalar, key: str, *, is_key: bool) -> Iterator[Occurrence]:
        if key == "rule":
            yield from (Occurrence(word.span, Thing("rule", word.text)) for word in split_words(node))
            return
        of: Collection[str] = ("player",) if is_key else ()
        for number, word in enumerate(scalar_names(node, self.dotted)):
            own = self.called.get(word.text.casefold())
            if own is not None:
                of = of if number else (own.kind,)
                yield Occurrence(word.span, own.thing, word.span == own.word.span, own.kind)
                continue
            first = not number
            thing = self._thing_meant(word.text, key, of, first=first, is_key=is_key)
            other = None if thing is not None else self._declared_as.get(word.text.casefold())
            thing = thing if other is None else self._thing_meant(other, key, of, first=first, is_key=is_key)
            if thing is not None:
                if first and thing.what in ("trait", "row"):
                    of = self._bearers(thing)
                yield Occurrence(word.span, thing)

    def _bearers(self, thing: Thing) -> Collection[str]:
        """Whose members stand behind the name of a card."""
        if thing.what == "trait":
            return (thing.name, *(sort.name for sort in self.analysis.symbols.trait_sorts()))
        return (thing.of,)

    def _thing_meant(self, name: str, key: str, of: Collection[str], *, first: bool, is_key: bool) -> Thing | None:
        """What a word of a scenario stands for, where that is plain. `of`: whose members are spoken of."""
        model, program = self.model, self.analysis.program
        if is_key and key == "options":
            return Thing("option", name) if name in model.options else None
        if is_key and key == "state":
            return Thing("state", name) if name in model.state else None
        if is_key and key == "tables":
            return Thing("table", name) if name in model.tables else None
        if is_key and name in model.made:
            return Thing("kind", name)
        if key == "phase":
            return Thing("phase", name) if name in program.routines else None
        if key != _LOG:  # in which words are prose, but for the names of what there is
            if first and name in self.actions:
                return Thing("action", self.actions[name])
            if first and name in program.routines:
                return Thing("phase" if program.routines[name].phase else "routine", name)
        things = self.things_by_name.get(name, []) if key != _LOG else []
        mine = [thing for thing in things if thing.of in of]
        if len(mine) == 1 and not first:
            return mine[0]
        if name in model.traits:
            return Thing("trait", name)
        found = self.analysis.symbols.rows_named(name)
        if len(found) == 1:
            return row_thing(found[0][0], name)
        fitting = mine if len(mine) == 1 else things
        return fitting[0] if len(fitting) == 1 else None

    @cached_property
    def dotted(self) -> frozenset[str]:
        """The cards that have a dot in their name."""
        return frozenset(row.name for sort in self.model.sorts.values() for row in sort.rows if "." in row.name)

    @cached_property
    def actions(self) -> dict[str, str]:
        """The actions, by what a step may call them: one of a trait by its short name, if no other has that."""
        found: dict[str, set[str]] = {}
        for id_ in self.analysis.program.actions:
            for name in {id_, id_.rpartition(".")[2]}:
                found.setdefault(name, set()).add(id_)
        return {name: next(iter(ids)) for name, ids in found.items() if len(ids) == 1}

    @cached_property
    def _declared_as(self) -> dict[str, str]:
        """Names as they are declared, by what scenarios may write for them: they are read without regard to case."""
        model, program = self.model, self.analysis.program
        groups = program.actions, program.routines, model.traits, model.options, model.state, model.tables
        found: dict[str, set[str]] = {}
        for name in (name for group in groups for name in group):
            found.setdefault(name.casefold(), set()).add(name)
        return {folded: next(iter(names)) for folded, names in found.items() if len(names) == 1}

    @cached_property
    def things_by_name(self) -> dict[str, list[Thing]]:
        """By name, all that scenarios may look at."""
        found: dict[str, list[Thing]] = {}
        for zone in self.model.zones.values():
            found.setdefault(zone.short_name, []).append(Thing("zone", zone.name))
        for of, group in _attribute_names(self.model):
            for name in group:
                found.setdefault(name, []).append(Thing("attribute", name, of))
        for kind in kinds_with_attributes(self.model):
            for name in printed_of(self.model, kind.name):
                found.setdefault(name, []).append(Thing("column", name, kind.name))
        rooms: dict[ThingKind, Iterable[str]] = {
            "state": self.model.state, "value": self.analysis.program.values, "number": self.model.numbers
        }  # fmt: skip
        for what, names in rooms.items():
            for name in names:
                found.setdefault(name, []).append(Thing(what, name))
        return found


def kinds_with_attributes(model: Model) -> list[Made | Listing | Grid | CardType]:
    """All kinds that may have attributes, but for players."""
    return [*model.made.values(), *model.lists.values(), *model.grids.values(), *model.sorts.values()]


def _attribute_names(model: Model) -> Iterator[tuple[str, Mapping[str, Attribute]]]:
    yield "player", model.player_attributes
    for kind in kinds_with_attributes(model):
        yield kind.name, kind.attributes
    for trait in model.traits.values():
        yield trait.name, trait.state
